//! `kafka-topics --describe`, read from what people paste; `highwater_core::observe::describe`
//! prints it.

mod columns;
mod described;
mod noise;
mod read;
mod scenario;

pub use described::{Described, DescribedPartition, DescribedSetting, Missing, Unread};
pub use read::read;
pub use scenario::scenario;
