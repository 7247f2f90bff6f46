//! ZooKeeper-era placement (R5.32, R5.33): partition p's first replica goes to broker p, the others
//! to brokers behind it, with a gap that grows each time the first replicas have gone round.

use super::Usable;
use crate::settings::rules::Placement;
use crate::words::{BrokerId, Brokers, ErrorCode, Map};
use alloc::vec::Vec;

/// Where the rounds begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RoundRobinStart {
    /// Index of the broker that partition 0 would have first.
    pub index: usize,
    /// The gap between first and second replica, counted from 0.
    pub shift: usize,
    /// The first partition that is placed.
    pub partition: usize,
}

/// Replicas for `partitions` partitions from `start` on, on `brokers` in ascending order of id.
/// Brokers of different racks alternate, if all have one and the rule knows racks (R5.33).
pub fn place_round_robin(
    rule: Placement,
    brokers: &[Usable],
    partitions: usize,
    factor: usize,
    start: RoundRobinStart,
) -> Result<Vec<Brokers>, ErrorCode> {
    if partitions == 0 {
        return Err(ErrorCode::InvalidPartitions);
    }
    if factor == 0 || factor > brokers.len() {
        return Err(ErrorCode::InvalidReplicationFactor);
    }
    let racked = brokers.iter().filter(|b| b.rack.is_some()).count();
    if rule == Placement::RoundRobin || racked == 0 {
        let ids: Vec<BrokerId> = brokers.iter().map(|b| b.id).collect();
        return Ok(place_plainly(&ids, partitions, factor, start));
    }
    if racked < brokers.len() {
        // Some brokers have a rack and some have not: nobody knows what is apart.
        return Err(ErrorCode::AdminOperation);
    }
    Ok(place_over_racks(&alternating_racks(brokers), partitions, factor, start))
}

/// The gap as it is for each of the partitions from `start` on: it grows with every round.
fn shifts(
    brokers: usize,
    partitions: usize,
    start: RoundRobinStart,
) -> impl Iterator<Item = (usize, usize)> {
    let mut shift = start.shift;
    (start.partition..start.partition + partitions).map(move |p| {
        if p > 0 && p % brokers == 0 {
            shift += 1;
        }
        (p, shift)
    })
}

/// The j-th follower of a partition whose first replica has the index `first`.
fn follower_index(first: usize, shift: usize, j: usize, brokers: usize) -> usize {
    (first + 1 + (shift + j) % (brokers - 1)) % brokers
}

fn place_plainly(
    brokers: &[BrokerId],
    partitions: usize,
    factor: usize,
    start: RoundRobinStart,
) -> Vec<Brokers> {
    let n = brokers.len();
    let placed = shifts(n, partitions, start).map(|(p, shift)| {
        let first = (p + start.index) % n;
        let followers = (0..factor - 1).map(|j| brokers[follower_index(first, shift, j, n)]);
        core::iter::once(brokers[first]).chain(followers).collect()
    });
    placed.collect()
}

/// Brokers in the order of their racks, one of each in turn (R5.33).
pub fn alternating_racks(brokers: &[Usable]) -> Vec<(BrokerId, &str)> {
    let mut racks: Map<&str, Vec<BrokerId>> = Map::new();
    for broker in brokers {
        racks.entry(broker.rack.as_deref().unwrap_or_default()).or_default().push(broker.id);
    }
    for rack in racks.values_mut() {
        rack.sort_unstable();
    }
    let longest = racks.values().map(Vec::len).max().unwrap_or(0);
    let turn = |i: usize| racks.iter().filter_map(move |(r, all)| Some((*all.get(i)?, *r)));
    (0..longest).flat_map(turn).collect()
}

fn place_over_racks(
    brokers: &[(BrokerId, &str)],
    partitions: usize,
    factor: usize,
    start: RoundRobinStart,
) -> Vec<Brokers> {
    let n = brokers.len();
    let is_new = |(i, (_, rack)): &(usize, &(BrokerId, &str))| {
        brokers[..*i].iter().all(|(_, earlier)| earlier != rack)
    };
    let racks = brokers.iter().enumerate().filter(is_new).count();
    let placed = shifts(n, partitions, start).map(|(p, shift)| {
        let first = (p + start.index) % n;
        let mut replicas = Brokers::from_iter([brokers[first].0]);
        let mut used: Vec<&str> = alloc::vec![brokers[first].1];
        // The first follower is a whole turn of racks further each round.
        let mut j = 0;
        while replicas.len() < factor {
            let (broker, rack) = brokers[follower_index(first, shift * racks, j, n)];
            j += 1;
            // A rack has a second replica only once every rack has one, and a broker never has two.
            let rack_is_taken = used.contains(&rack) && used.len() < racks;
            if rack_is_taken || replicas.contains(&broker) {
                continue;
            }
            replicas.insert(broker);
            if !used.contains(&rack) {
                used.push(rack);
            }
        }
        replicas
    });
    placed.collect()
}

/// Where partitions that are added to a topic start (R5.32): at the first replica of partition 0,
/// by its id [0.8], or by the place of the first broker with no smaller id.
pub fn added_start(
    rule: Placement,
    brokers: &[Usable],
    first_replica: BrokerId,
    existing: usize,
) -> RoundRobinStart {
    let index = match rule {
        Placement::RoundRobin => usize::from(first_replica.0),
        Placement::RackAware | Placement::Striped => {
            brokers.iter().position(|b| b.id >= first_replica).unwrap_or(0)
        }
    };
    RoundRobinStart { index, shift: index, partition: existing }
}
