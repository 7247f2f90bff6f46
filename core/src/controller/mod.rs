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
pub mod placement;
pub mod reassignment;
mod registration;
pub mod zk_election;
mod zk_topics;
mod zookeeper;

pub use coordinator::Coordinator;
pub use node::{Controller, ControllerEffects, ControllerTimer};
pub use zookeeper::ZooKeeper;
