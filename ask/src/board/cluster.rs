//! The cluster of a description in the kernel's values.

use super::fate::{Fate, fate};
use super::{Assumed, Blow, Row};
use crate::describe::{Described, DescribedPartition};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use highwater_core::partition::Stored;
use highwater_core::settings::{Release, Rules};
use highwater_core::words::{BrokerId, Brokers};

/// A partition with what its topic says.
pub(super) struct Partition {
    pub name: String,
    pub state: Stored,
    pub min_isr: usize,
    pub unclean: bool,
}

pub(super) struct Cluster {
    pub rules: Rules,
    /// Brokers by their places: the kernel's ids here.
    pub ids: Vec<u32>,
    pub alive: Vec<bool>,
    pub partitions: Vec<Partition>,
    pub assumed_topics: Vec<String>,
    /// For each broker the partitions that have a replica there.
    pub on: Vec<Vec<u32>>,
}

impl Cluster {
    pub fn of(described: &Described, release: Release, assumed: &Assumed) -> Option<Cluster> {
        let mut ids: Vec<u32> = Vec::new();
        for partition in &described.partitions {
            let lists = [Some(&partition.replicas), partition.isr.as_ref(), partition.elr.as_ref()];
            ids.extend(lists.into_iter().flatten().flatten().chain(&partition.leader));
        }
        ids.sort_unstable();
        ids.dedup();
        if ids.is_empty() || ids.len() > usize::from(u16::MAX) {
            return None;
        }
        let mut cluster = Cluster {
            rules: Rules::of(release, true),
            alive: Vec::from_iter(ids.iter().map(|_| false)),
            on: Vec::from_iter(ids.iter().map(|_| Vec::new())),
            ids,
            partitions: Vec::new(),
            assumed_topics: Vec::new(),
        };
        let said = |topic: &str, name: &str| {
            let mut all = described.settings.iter();
            all.find(|s| s.topic == topic && s.name == name).map(|s| s.value.as_str())
        };
        for read in &described.partitions {
            let min = said(&read.topic, "min.insync.replicas").and_then(|v| v.parse().ok());
            if min.is_none() && !cluster.assumed_topics.contains(&read.topic) {
                cluster.assumed_topics.push(read.topic.clone());
            }
            let unclean = said(&read.topic, "unclean.leader.election.enable");
            let unclean = unclean.map_or(assumed.unclean, |v| v == "true");
            let min_isr = min.unwrap_or(assumed.min_isr).max(1) as usize;
            cluster.add(read, min_isr, unclean)?;
        }
        Some(cluster)
    }

    fn add(&mut self, read: &DescribedPartition, min_isr: usize, unclean: bool) -> Option<()> {
        let list = |ids: &[u32]| {
            Brokers::checked(ids.iter().filter_map(|id| self.index(*id).map(BrokerId)))
        };
        let state = Stored {
            leader: read.leader.and_then(|l| self.index(l)).map(BrokerId),
            replicas: list(&read.replicas)?,
            // Without the column nothing is known to be out of sync.
            isr: list(read.isr.as_deref().unwrap_or(&read.replicas))?,
            elr: list(read.elr.as_deref().unwrap_or_default())?,
            last_known_elr: list(read.last_known_elr.as_deref().unwrap_or_default())?,
            adding: list(read.adding.as_deref().unwrap_or_default())?,
            removing: list(read.removing.as_deref().unwrap_or_default())?,
            ..Stored::default()
        };
        let at = self.partitions.len() as u32;
        for broker in state.replicas.iter() {
            self.on[usize::from(broker.0)].push(at);
        }
        if let Some(leader) = state.leader {
            self.alive[usize::from(leader.0)] = true;
            state.isr.iter().for_each(|b| self.alive[usize::from(b.0)] = true);
        }
        let name = format!("{}-{}", read.topic, read.partition);
        self.partitions.push(Partition { name, state, min_isr, unclean });
        Some(())
    }

    pub fn index(&self, id: u32) -> Option<u16> {
        self.ids.binary_search(&id).ok().map(|at| at as u16)
    }

    pub fn id(&self, broker: BrokerId) -> u32 {
        self.ids.get(usize::from(broker.0)).copied().unwrap_or_default()
    }

    /// Brokers that are up, by place.
    pub fn up(&self) -> Vec<u16> {
        let places = (0u16..).zip(&self.alive).filter(|(_, alive)| **alive);
        places.map(|(at, _)| at).collect()
    }

    pub fn down(&self) -> Vec<u32> {
        let places = self.ids.iter().zip(&self.alive).filter(|(_, alive)| !**alive);
        places.map(|(id, _)| *id).collect()
    }

    /// What would become of the partitions with a replica on one of `brokers`.
    pub fn row(&self, brokers: &[u16], rack: Option<String>) -> Row {
        let mut concerned: Vec<u32> =
            brokers.iter().flat_map(|b| self.on[usize::from(*b)].iter().copied()).collect();
        concerned.sort_unstable();
        concerned.dedup();
        let fates = Blow::ALL.map(|blow| {
            let mut all = Fate::default();
            for at in &concerned {
                let partition = &self.partitions[*at as usize];
                fate(self, partition, &partition.state, brokers, blow).tell(&mut all, partition);
            }
            all
        });
        let brokers = brokers.iter().map(|b| self.ids[usize::from(*b)]).collect();
        Row { brokers, rack, fates }
    }

    /// Pairs of which together more is lost than of each alone: those that share a partition.
    pub fn pairs(&self, up: &[u16], singles: &[Row]) -> Vec<Row> {
        let mut pairs: Vec<(u16, u16)> = Vec::new();
        for partition in &self.partitions {
            let replicas: Vec<u16> = partition.state.replicas.iter().map(|b| b.0).collect();
            for (i, a) in replicas.iter().enumerate() {
                for b in &replicas[i + 1..] {
                    pairs.push(((*a).min(*b), (*a).max(*b)));
                }
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs.retain(|(a, b)| up.contains(a) && up.contains(b));
        let alone = |broker: u16| {
            let at = up.iter().position(|b| *b == broker);
            at.and_then(|at| singles.get(at)).map(|row| row.fates.clone())
        };
        let rows = pairs.into_iter().filter_map(|(a, b)| {
            let row = self.row(&[a, b], None);
            let (first, second) = (alone(a)?, alone(b)?);
            let is_worse = (0..3).any(|i| {
                let sum = |of: fn(&Fate) -> u32| of(&first[i]) + of(&second[i]);
                row.fates[i].leaderless > sum(|f| f.leaderless)
                    || row.fates[i].refused > sum(|f| f.refused)
                    || row.fates[i].may_lose > sum(|f| f.may_lose)
            });
            is_worse.then_some(row)
        });
        rows.collect()
    }
}
