//! `kafka-topics --describe`, read from what people paste; `highwater_core::observe::describe`
//! prints it.

mod columns;
mod described;
mod noise;
mod read;
mod scenario;

pub(crate) use columns::labels_in;
pub use described::{Described, DescribedPartition, DescribedSetting, Missing, Unread};
pub(crate) use noise::is_log;
pub use read::read;
pub use scenario::scenario;
