//! Floor 8: the processes that use a cluster (docs/protocol.md, sections 6 and 7).

mod any_producer;
mod backoff;
mod bootstrap;
mod connections;
mod consumer;
mod operator;
pub mod partitioner;
mod producer;
mod scala_producer;

pub use any_producer::AnyProducer;
pub use consumer::{Consumer, Membership, Position};
pub use operator::{CommandResult, Operator};
pub use producer::{NewRecord, Producer};
pub use scala_producer::ScalaProducer;

/// What a client wakes up for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ClientTimer {
    /// Look at everything that waits for a time.
    Poll,
    /// The scenario's next record is due.
    Tick(u32),
}

/// Effects of a client.
pub type ClientEffects = crate::wire::Effects<ClientTimer>;
