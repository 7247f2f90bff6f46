//! Floor 5: what nodes say to each other, and what they tell of themselves.

mod effects;
pub mod event;
pub mod message;
pub mod metadata;

pub use effects::{Effects, Report, SetTimer};
pub use event::{Event, EventKind, Param, Weight};
pub use message::{Body, Message, MessageKind, Send};
