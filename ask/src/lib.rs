//! Reads what people paste about their Kafka cluster, and answers what they ask.
//!
//! Nothing here runs a simulation: the rules are those of `highwater-core`, and the proof of an
//! answer is a scenario, as text, that the engine plays.

#![no_std]

extern crate alloc;

pub mod board;
pub mod config;
pub mod describe;
pub mod log_lines;
pub mod quorum;
pub mod recognise;
mod text;
