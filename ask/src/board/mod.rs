//! What if: for each broker, rack and pair of a described cluster, what a clean stop, a crash or a
//! loss of power would leave; may it be restarted; in which order; and what is to be repaired first.

mod assumed;
mod cluster;
mod fate;
mod repair;
mod rolling;

pub use assumed::Assumed;
pub use fate::Fate;
pub use repair::{Repair, RepairKind};
pub use rolling::{Rolling, Stuck};

use crate::describe::Described;
use alloc::string::String;
use alloc::vec::Vec;
use cluster::Cluster;
use highwater_core::settings::Release;

/// What happens to brokers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Blow {
    /// They are stopped cleanly, one after the other.
    Stop,
    /// Their processes are killed.
    Crash,
    /// Their machines lose power: what was not flushed may be gone.
    PowerLoss,
}

impl Blow {
    /// All of them.
    pub const ALL: [Blow; 3] = [Blow::Stop, Blow::Crash, Blow::PowerLoss];
}

/// Some brokers, and what would become of the cluster without them.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// The brokers.
    pub brokers: Vec<u32>,
    /// The rack that they are, if they are one.
    pub rack: Option<String>,
    /// What a clean stop, a crash and a loss of power would leave.
    pub fates: [Fate; 3],
}

/// Everything that is asked of a cluster.
#[derive(Clone, PartialEq, Debug)]
pub struct Board {
    /// How many partitions it has.
    pub partitions: u32,
    /// The brokers that are seen; those that are in no ISR and lead nothing are taken to be down.
    pub brokers: Vec<u32>,
    /// Those that are taken to be down.
    pub down: Vec<u32>,
    /// Topics for which the text says no `min.insync.replicas`.
    pub assumed_topics: Vec<String>,
    /// Each broker that is up.
    pub singles: Vec<Row>,
    /// Each rack.
    pub racks: Vec<Row>,
    /// Each pair of brokers that are up, of which one is worse than each alone.
    pub pairs: Vec<Row>,
    /// An order for a rolling restart, or why there is none.
    pub rolling: Rolling,
    /// What to repair first.
    pub repairs: Vec<Repair>,
}

/// The board of a cluster; `None` if the text describes no partition, or more replicas of one than
/// can be.
pub fn board(described: &Described, release: Release, assumed: &Assumed) -> Option<Board> {
    let cluster = Cluster::of(described, release, assumed)?;
    let up = cluster.up();
    let row = |brokers: Vec<u16>, rack| cluster.row(&brokers, rack);
    let singles: Vec<Row> = up.iter().map(|b| row(Vec::from([*b]), None)).collect();
    let racks = assumed.racks.iter().filter_map(|(name, members)| {
        let members: Vec<u16> = members.iter().filter_map(|b| cluster.index(*b)).collect();
        (!members.is_empty()).then(|| row(members, Some(name.clone())))
    });
    let racks = racks.collect();
    let pairs = cluster.pairs(&up, &singles);
    Some(Board {
        partitions: cluster.partitions.len() as u32,
        brokers: cluster.ids.clone(),
        down: cluster.down(),
        assumed_topics: cluster.assumed_topics.clone(),
        singles,
        racks,
        pairs,
        rolling: rolling::order(&cluster),
        repairs: repair::list(&cluster),
    })
}
