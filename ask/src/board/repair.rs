//! What to repair first.

use super::cluster::{Cluster, Partition};
use super::fate::is_met;
use alloc::string::String;
use alloc::vec::Vec;

/// More partitions than these are counted, not named.
const MOST: usize = 20;

/// What is wrong with partitions, the worst first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RepairKind {
    /// They have no leader.
    Offline,
    /// They refuse acks=all.
    UnderMinIsr,
    /// One failure more, and they refuse it.
    AtMinIsr,
    /// Replicas are missing from the ISR.
    UnderReplicated,
    /// There is one replica.
    OneReplica,
    /// A move is under way.
    Moving,
    /// Another than the preferred replica leads.
    NotPreferred,
}

impl RepairKind {
    const ALL: [RepairKind; 7] = [
        RepairKind::Offline,
        RepairKind::UnderMinIsr,
        RepairKind::AtMinIsr,
        RepairKind::UnderReplicated,
        RepairKind::OneReplica,
        RepairKind::Moving,
        RepairKind::NotPreferred,
    ];

    /// For the page's words.
    pub const fn code(self) -> &'static str {
        match self {
            RepairKind::Offline => "offline",
            RepairKind::UnderMinIsr => "underMinIsr",
            RepairKind::AtMinIsr => "atMinIsr",
            RepairKind::UnderReplicated => "underReplicated",
            RepairKind::OneReplica => "oneReplica",
            RepairKind::Moving => "moving",
            RepairKind::NotPreferred => "notPreferred",
        }
    }

    /// The rule that says what it means.
    pub const fn rule(self) -> &'static str {
        match self {
            RepairKind::Offline => "R5.27",
            RepairKind::UnderMinIsr | RepairKind::AtMinIsr => "R2.7",
            RepairKind::UnderReplicated => "R2.26",
            RepairKind::OneReplica => "R5.35",
            RepairKind::Moving => "R5.37",
            RepairKind::NotPreferred => "R5.15",
        }
    }

    fn is(self, cluster: &Cluster, partition: &Partition) -> bool {
        let state = &partition.state;
        let leads = state.leader.is_some();
        let met = is_met(&cluster.rules, partition, state);
        let lacks = state.isr.len() < state.replicas.len();
        match self {
            RepairKind::Offline => !leads,
            RepairKind::UnderMinIsr => leads && !met,
            RepairKind::AtMinIsr => {
                leads && met && state.replicas.len() > 1 && state.isr.len() == partition.min_isr
            }
            RepairKind::UnderReplicated => leads && lacks,
            RepairKind::OneReplica => state.replicas.len() == 1,
            RepairKind::Moving => state.is_reassigning(),
            RepairKind::NotPreferred => leads && !state.preferred_leads(),
        }
    }
}

/// One kind of trouble.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Repair {
    /// Which.
    pub kind: RepairKind,
    /// How many partitions have it.
    pub count: u32,
    /// Some of them.
    pub partitions: Vec<String>,
    /// Brokers that are missing from their ISRs.
    pub brokers: Vec<u32>,
}

pub(super) fn list(cluster: &Cluster) -> Vec<Repair> {
    let all = RepairKind::ALL.into_iter().map(|kind| {
        let having = || cluster.partitions.iter().filter(move |p| kind.is(cluster, p));
        let mut brokers: Vec<u32> = having()
            .flat_map(|p| p.state.replicas.iter().filter(|b| !p.state.isr.contains(b)))
            .map(|b| cluster.id(*b))
            .collect();
        brokers.sort_unstable();
        brokers.dedup();
        let partitions = having().take(MOST).map(|p| p.name.clone()).collect();
        Repair { kind, count: having().count() as u32, partitions, brokers }
    });
    all.filter(|repair| repair.count > 0).collect()
}
