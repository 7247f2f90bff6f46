//! Floor 8: a broker — a disk, and a process that serves, follows, leads and keeps in touch.
//!
//! | file | what it answers |
//! |---|---|
//! | `node` | what a broker is, with or without its process |
//! | `process` | what is gone when the process is |
//! | `running` | which handler an input goes to, while there is a process |
//! | `lifecycle` | start, recovery, controlled shutdown, crash (R1.12–R1.21, R5.5, R5.6) |
//! | `controller_link` | requests to the controller: registration, heartbeats, metadata |
//! | `alter_partition` | ISR changes on their way to whoever stores them (R2.22–R2.25) |
//! | `partitions` | what new metadata makes of a replica: leader, follower, gone (R3.7–R3.9, R4) |
//! | `produce` | clients' writes and the wait for acks (R2.6–R2.13) |
//! | `serve_fetch` | reads by followers and consumers (R2.27–R2.31, R3.14) |
//! | `queries` | questions that change nothing (R4.5, R6.9, R6.15) |
//! | `fetcher` | this broker's own fetches as a follower (R3.1–R3.5) |
//! | `truncation` | what a follower does where its log is not its leader's (R3.10–R3.16) |
//! | `isr` | the leader's HW and its proposals to shrink or expand the ISR (R2.14–R2.20) |
//! | `meters` | what its JMX meters count (R2.26) |
//! | `groups` | groups' offsets, for those that this broker coordinates (R7.2–R7.4) |
//! | `zk_link` | with ZooKeeper: its session, the ISRs it writes, what the controller asks of it (R5.1, R2.22, R3.7, R5.13) |
//! | `zk_controller` | with ZooKeeper: what the broker does that is the controller (R5.2, R5.9–R5.16) |
//! | `storage` | flushes and checkpoints (R1.7–R1.10) |

mod alter_partition;
mod controller_link;
mod fetcher;
mod groups;
mod isr;
mod lifecycle;
mod meters;
mod node;
mod partitions;
mod process;
mod produce;
mod queries;
mod running;
mod serve_fetch;
mod storage;
mod truncation;
mod zk_controller;
mod zk_link;

pub use lifecycle::{Phase, PowerCut};
pub use meters::Meters;
pub use node::{Broker, BrokerEffects, BrokerTimer};
pub use process::Process;
