//! Floor 7: the controller (docs/protocol.md, section 5).
//!
//! [`Controller`] is the node; what becomes of a partition is decided by [`crate::partition`].
//! [`placement`] says where replicas go and [`liveness`] who is alive.

mod alter_partition;
mod commands;
mod coordinator;
mod elr_index;
pub mod liveness;
mod metadata_log;
mod node;
mod partitions;
pub mod placement;
mod registration;
mod tasks;
mod zk_topics;
mod zookeeper;

use crate::words::BrokerId;

pub use coordinator::Coordinator;
pub use node::Controller;
pub use zookeeper::ZooKeeper;

/// What the controller wakes up for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
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
