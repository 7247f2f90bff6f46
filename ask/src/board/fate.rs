//! What a blow leaves of a partition, by the rules of the kernel.

use super::Blow;
use super::cluster::{Cluster, Partition};
use alloc::string::String;
use alloc::vec::Vec;
use highwater_core::partition::change::{Change, ChangeContext};
use highwater_core::partition::election::Election;
use highwater_core::partition::high_watermark::effective_min_isr;
use highwater_core::partition::{Stored, zk_change};
use highwater_core::settings::Rules;
use highwater_core::settings::rules::IsrStore;
use highwater_core::words::BrokerId;

/// More partitions than these are counted, not named.
const MOST: usize = 20;

/// What a blow does to all partitions that it concerns.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Fate {
    /// Partitions that go on with a leader, but refuse acks=all, and did not before.
    pub refused: u32,
    /// Partitions without a leader that had one.
    pub leaderless: u32,
    /// Partitions that may lose records which acks=all had acknowledged.
    pub may_lose: u32,
    /// Some of the first kind.
    pub refusing: Vec<String>,
    /// Some of the second kind.
    pub without_leader: Vec<String>,
    /// Some of the third kind.
    pub losing: Vec<String>,
}

impl Fate {
    /// Whether nothing gets worse.
    pub fn is_harmless(&self) -> bool {
        self.refused == 0 && self.leaderless == 0 && self.may_lose == 0
    }
}

/// What a blow does to one partition.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Outcome {
    pub refuses: bool,
    pub leaderless: bool,
    pub may_lose: bool,
}

impl Outcome {
    pub fn tell(self, all: &mut Fate, partition: &Partition) {
        let parts = [
            (self.refuses, &mut all.refused, &mut all.refusing),
            (self.leaderless, &mut all.leaderless, &mut all.without_leader),
            (self.may_lose, &mut all.may_lose, &mut all.losing),
        ];
        for (happens, count, names) in parts {
            if happens {
                *count += 1;
                if names.len() < MOST {
                    names.push(partition.name.clone());
                }
            }
        }
    }
}

/// Whether acks=all is accepted with that ISR (R2.7).
pub(super) fn is_met(rules: &Rules, partition: &Partition, state: &Stored) -> bool {
    let min = minimum(rules, partition, state);
    state.isr.len() >= min
}

fn minimum(rules: &Rules, partition: &Partition, state: &Stored) -> usize {
    let wanted = partition.min_isr as i64;
    effective_min_isr(rules.min_isr, wanted, state.replicas.len())
}

/// What `blow` to `brokers` would leave of a partition in `state`.
pub(super) fn fate(
    cluster: &Cluster,
    partition: &Partition,
    state: &Stored,
    brokers: &[u16],
    blow: Blow,
) -> Outcome {
    let hit = |b: BrokerId| brokers.contains(&b.0);
    let (left, is_unclean) = after(cluster, partition, state, brokers);
    let leaderless = state.leader.is_some() && left.leader.is_none();
    let was_met = is_met(&cluster.rules, partition, state);
    let refuses = left.leader.is_some() && was_met && !is_met(&cluster.rules, partition, &left);
    // What acks=all acknowledged is on every member of the ISR, be it in the page cache alone.
    let all_dark =
        blow == Blow::PowerLoss && !state.isr.is_empty() && state.isr.iter().all(|b| hit(*b));
    Outcome { refuses, leaderless, may_lose: is_unclean || all_dark }
}

/// A partition's state once the controller has noticed that `brokers` are gone, and whether a leader
/// was elected that may lack committed records.
pub(super) fn after(
    cluster: &Cluster,
    partition: &Partition,
    state: &Stored,
    brokers: &[u16],
) -> (Stored, bool) {
    match cluster.rules.isr_store {
        IsrStore::AlterPartition => fenced(cluster, partition, state, brokers),
        _ => died(cluster, partition, state, brokers),
    }
}

/// KRaft: one broker after the other is fenced, those that lead a partition or not (R5.28).
fn fenced(
    cluster: &Cluster,
    partition: &Partition,
    state: &Stored,
    brokers: &[u16],
) -> (Stored, bool) {
    let election = if partition.unclean { Election::Unclean } else { Election::Online };
    let (mut now, mut is_unclean) = (*state, false);
    for (at, broker) in brokers.iter().enumerate() {
        let Some(change) = Change::fenced(&now, BrokerId(*broker), election) else { continue };
        let gone = &brokers[..=at];
        let acceptable = |b: BrokerId| {
            cluster.alive.get(usize::from(b.0)) == Some(&true) && !gone.contains(&b.0)
        };
        let world = ChangeContext {
            rules: &cluster.rules,
            min_isr: minimum(&cluster.rules, partition, &now),
            acceptable: &acceptable,
        };
        if let Ok(Some(changed)) = change.build(&now, &world) {
            is_unclean |= changed.elected.is_some_and(|source| source.is_unclean());
            now = changed.state;
        }
    }
    (now, is_unclean)
}

/// ZooKeeper: the controller sees all of them go at once (R5.11, R5.12).
fn died(
    cluster: &Cluster,
    partition: &Partition,
    state: &Stored,
    brokers: &[u16],
) -> (Stored, bool) {
    let live =
        |b: BrokerId| cluster.alive.get(usize::from(b.0)) == Some(&true) && !brokers.contains(&b.0);
    let died: Vec<BrokerId> = brokers.iter().map(|b| BrokerId(*b)).collect();
    match zk_change::lose(&cluster.rules, state, &died, partition.unclean, &live) {
        Some(written) => (written.state, written.elected.is_some_and(|e| e.unclean)),
        None => (*state, false),
    }
}
