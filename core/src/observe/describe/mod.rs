//! `kafka-topics --describe` (docs/protocol.md, section 13): printed as the release prints it, and
//! read from what people paste.

mod print;
mod read;
mod scenario;

pub use print::topic;
pub use read::{Described, DescribedPartition, DescribedSetting, Unread, read};
pub use scenario::scenario;
