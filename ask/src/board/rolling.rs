//! An order for a rolling restart that never goes below a minimum.

use super::cluster::Cluster;
use super::fate::{after, is_met};
use alloc::string::String;
use alloc::vec::Vec;
use highwater_core::partition::Stored;
use highwater_core::words::BrokerId;

/// How a rolling restart can go.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Rolling {
    /// Brokers in an order in which each can be restarted once the one before is back in sync.
    pub order: Vec<u32>,
    /// Brokers that cannot be restarted without refused writes or a partition without leader.
    pub stuck: Vec<Stuck>,
}

/// A broker that cannot be restarted, and a partition that forbids it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stuck {
    /// The broker.
    pub broker: u32,
    /// The partition.
    pub partition: String,
    /// The rule.
    pub rule: &'static str,
}

/// Greedy: a restart that is allowed only adds to the ISRs, so that it forbids no other one.
pub(super) fn order(cluster: &Cluster) -> Rolling {
    let mut states: Vec<Stored> = cluster.partitions.iter().map(|p| p.state).collect();
    let mut left = cluster.up();
    let mut rolling = Rolling::default();
    loop {
        let next = left.iter().position(|b| forbidden(cluster, &states, *b).is_none());
        let Some(at) = next else { break };
        let broker = left.remove(at);
        rolling.order.push(cluster.id(BrokerId(broker)));
        // Back, it catches up and joins the ISRs of what it has.
        for partition in &cluster.on[usize::from(broker)] {
            let state = &mut states[*partition as usize];
            if state.leader.is_some() {
                state.isr = state.isr.union(&[BrokerId(broker)]);
            }
        }
    }
    rolling.stuck = left
        .into_iter()
        .filter_map(|broker| {
            let (partition, rule) = forbidden(cluster, &states, broker)?;
            let partition = cluster.partitions[partition].name.clone();
            Some(Stuck { broker: cluster.id(BrokerId(broker)), partition, rule })
        })
        .collect();
    rolling
}

/// The first partition that a clean stop of `broker` would leave without a leader, or refusing.
fn forbidden(cluster: &Cluster, states: &[Stored], broker: u16) -> Option<(usize, &'static str)> {
    cluster.on[usize::from(broker)].iter().find_map(|at| {
        let (at, partition) = (*at as usize, &cluster.partitions[*at as usize]);
        let state = &states[at];
        let (rest, _) = after(cluster, partition, state, &[broker]);
        let loses_leader = state.leader.is_some() && rest.leader.is_none();
        let refuses =
            is_met(&cluster.rules, partition, state) && !is_met(&cluster.rules, partition, &rest);
        match (loses_leader, refuses) {
            (true, _) => Some((at, "R5.13")),
            (false, true) => Some((at, "R2.7")),
            _ => None,
        }
    })
}
