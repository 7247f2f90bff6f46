//! Floor 9: the audit — a ledger of every record and Kafka's invariants, checked after every event.
//!
//! It watches events and logs and never steers. What it finds becomes events of its own.

mod ledger;
mod logs;
mod properties;
mod record;
mod replica_copy;
mod sight;

pub use ledger::Audit;
pub use properties::{PROPERTIES, Property, PropertyKind, PropertyState};
pub use record::{Answer, Counts, Elections, LedgerRecord, ProducerCounts, RecordFlags};
pub(crate) use sight::Scene;
