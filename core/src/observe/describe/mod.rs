//! `kafka-topics --describe` (docs/protocol.md, section 13): printed as the release prints it, and
//! read from what people paste.

mod columns;
mod described;
mod noise;
mod print;
mod read;
mod scenario;

pub use described::{Described, DescribedPartition, DescribedSetting, Missing, Unread};
pub use print::topic;
pub use read::read;
pub use scenario::scenario;
