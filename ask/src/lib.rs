//! Reads what people paste about their Kafka cluster, and answers what they ask.
//!
//! Nothing here runs a simulation: the rules are those of `highwater-core`, and an answer's proof is
//! a scenario, as text, that the engine plays.

#![no_std]

extern crate alloc;

pub mod describe;
