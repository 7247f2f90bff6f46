//! Floor 10: the simulation driver — virtual time, a network, faults, and a history that can be
//! sought, branched and undone.
//!
//! | file | what it is |
//! |---|---|
//! | `queue` | what is due when: a heap of small keys over a slab |
//! | `network` | links: latency, cuts, order on a connection, names of messages |
//! | `tape` | what only grows: events and records |
//! | `setup` | a script made ready to run |
//! | `world` | the whole cluster as one value, and how one input changes it |
//! | `settled` | whether anything can still change |
//! | `expectations` | `expect` lines |
//! | `timeline` | history with sparse checkpoints: step, seek, settle, branches, undo |

mod client;
mod expectations;
mod network;
mod outcome;
mod queue;
mod settled;
mod setup;
mod tape;
mod timeline;
mod world;

pub use client::{Account, Client, Reader, Sender};
pub use network::{Flight, LinkFault};
pub use outcome::Outcome;
pub use tape::{Passage, RecordInfo, Tape};
pub use timeline::{Branch, InsertError, Inserted, Moment, Timeline};
pub use world::{ProcessState, World};
