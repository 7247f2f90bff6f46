//! Floor 3: the rules of one partition (docs/protocol.md, sections 2–5), the kernel.
//!
//! Small values and transitions over them: no heap, no events, no causes, no clock but the time that
//! is passed in. The simulation's nodes, the conformance adapter and any other driver call the same
//! functions. Nodes turn what comes out into messages and events, and keep provenance beside the
//! facts.
//!
//! | file | the rules in it |
//! |---|---|
//! | `stored` | what is stored of a partition (R0.3, R0.4, R4.1) |
//! | `heard` | what a stored state makes of a replica: leader, follower, idle (R3.7–R3.9, R4.2–R4.4) |
//! | `lead` | a leader: ISR changes under way, HW, who counts (R2.4–R2.25) |
//! | `progress` | how far a leader knows its followers to be (R2.1–R2.5, R2.15) |
//! | `isr` | who may join the ISR, and when laggards are looked for (R2.14, R2.17, R2.22, R2.25) |
//! | `high_watermark` | **where the HW is computed, and why** (R2.18–R2.20, R3.3) |
//! | `acks` | what an answer to a producer needs (R2.6–R2.12) |
//! | `readers` | whom a replica answers, and what (R2.3, R2.31, R4.5) |
//! | `read_replica` | which replica a consumer should read from (R7.8) |
//! | `follow` | a follower and its fetches (R3.2, R3.3, R3.5) |
//! | `epochs` | the history of leader epochs in a log, over slices (R1.5, R3.11) |
//! | `divergence` | where a follower's log leaves its leader's, and is cut (R3.10–R3.16) |
//! | `alter_partition` | a controller's tests of the ISR that a leader asks for (R2.23, R2.24) |
//! | `change` | KRaft: the one builder of partition changes (R5.18, R5.22–R5.29) |
//! | `election` | KRaft: who may lead (R5.19–R5.21, R5.26, R5.31, R5.38) |
//! | `reassignment` | moving a partition (R5.36, R5.37) |
//! | `zk_change` | ZooKeeper: what the controller writes of a partition (R5.9–R5.16, R5.36) |
//! | `zk_election` | ZooKeeper: who leads (R5.9–R5.16) |
//!
//! *Architecture invariant:* nothing here allocates, which `core/tests/no_allocation.rs` proves.

pub mod acks;
pub mod alter_partition;
pub mod change;
pub mod divergence;
pub mod election;
pub mod epochs;
pub mod follow;
pub mod heard;
pub mod high_watermark;
pub mod isr;
pub mod lead;
pub mod progress;
pub mod read_replica;
pub mod readers;
pub mod reassignment;
pub mod stored;
pub mod zk_change;
pub mod zk_election;

pub use follow::{Following, FollowingState};
pub use isr::Eligibility;
pub use lead::{Lead, LeaderContext, PendingIsr};
pub use progress::FollowerProgress;
pub use stored::Stored;
