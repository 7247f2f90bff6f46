//! The explorer: every order of messages, timers and faults within bounds, and the shortest way to
//! break a promise.
//!
//! | module | what it knows |
//! |---|---|
//! | `model` | what a model is: packed states, their successors, the properties they may break |
//! | `search` | breadth-first search in strict level order, in slices, within a memory bound |
//! | `trace` | the way to a state as a real run, with symmetry undone |
//! | `symmetry` | canonical forms under permutations of interchangeable brokers |
//! | `kafka` | Kafka's own model, by the kernel's rules |
//! | `oracle` | five public models of Kafka's replication with known answers |
//!
//! *Architecture invariant:* the engine knows no model, and a model knows nothing of the search.

#![no_std]

extern crate alloc;

mod budget;
mod chunks;
pub mod kafka;
pub mod model;
pub mod oracle;
pub mod search;
mod store;
pub mod symmetry;
mod table;
mod trace;

pub use model::{Action, Model, Packed};
pub use search::{Keep, Options, Progress, Search, Verdict};
pub use trace::Step;
