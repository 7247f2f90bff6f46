//! Floor 6: the controller (docs/protocol.md, section 5).
//!
//! [`change`] is the one builder that every change of a partition goes through in KRaft,
//! [`election`] says who may lead ([`zk_election`] where ZooKeeper keeps the state), [`placement`]
//! where replicas go, [`reassignment`] when a move is complete and [`liveness`] who is alive: pure
//! rooms. [`Controller`] is the node.

pub mod alter_partition;
pub mod change;
mod commands;
mod coordinator;
pub mod election;
pub mod liveness;
mod metadata_log;
mod node;
mod partitions;
pub mod placement;
pub mod reassignment;
mod registration;
mod tasks;
pub mod zk_election;
mod zk_topics;
mod zookeeper;

use crate::words::BrokerId;

pub use coordinator::Coordinator;
pub use node::Controller;
pub use zookeeper::ZooKeeper;

/// What the controller wakes up for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ControllerTimer {
    /// A started process becomes active.
    Activate,
    /// Look for sessions that ran out (R5.3).
    SessionLook,
    /// Give leadership back to preferred leaders (R5.31).
    Rebalance,
    /// Retry leaderless partitions (R5.21).
    UncleanRetry,
    /// A parked metadata fetch has waited long enough.
    ParkedFetch(BrokerId, u32),
}

/// Effects of the controller.
pub type ControllerEffects = crate::wire::Effects<ControllerTimer>;
