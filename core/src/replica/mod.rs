//! Floor 5: one replica, as leader or follower (docs/protocol.md, sections 2–4).
//!
//! The rules are pure functions over plain arguments, in rooms of their own: [`isr`] says who is
//! in sync, [`high_watermark`] where the HW goes, [`acks`] what an answer needs and [`divergence`]
//! where to truncate. [`Replica`] puts them together; any other driver can call them too.

pub mod acks;
pub mod divergence;
mod follower;
pub mod high_watermark;
pub mod isr;
mod leader;
pub mod purgatory;
pub mod read_replica;
pub mod readers;
mod state;

pub use follower::{Following, FollowingState};
pub use isr::Eligibility;
pub use leader::{LeaderContext, Leading, PendingIsr, Progress};
pub use state::{Replica, ReplicaSettings, Role, min_insync_replicas};
