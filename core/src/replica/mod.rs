//! Floor 6: one replica: its log, its role, and what its process keeps beside the facts of
//! [`crate::partition`] — which events made them so, and who waits.

mod leader;
pub mod purgatory;
mod state;

pub use leader::{Leading, Progress};
pub use state::{Replica, ReplicaSettings, Role};
