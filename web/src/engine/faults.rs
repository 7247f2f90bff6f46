//! Faults that are in force.

use crate::engine::names::us;
use highwater_core::sim::{LinkFault, World};
use highwater_core::words::{BrokerId, Micros};
use serde::Serialize;
use tsify::Tsify;

/// What is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub enum FaultKind {
    /// A link lets nothing through.
    Cut,
    /// A link is slow.
    Slow,
    /// A disk is slow.
    Disk,
}

/// A fault that is in force.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct FaultView {
    /// What is wrong.
    pub kind: FaultKind,
    /// One of the link's ends, or the broker.
    pub from: String,
    /// The link's other end.
    pub to: Option<String>,
    /// The delay.
    pub delay: Option<i64>,
    /// The partition whose disk writes are slow.
    pub partition: Option<String>,
}

pub(crate) fn all(world: &World) -> Vec<FaultView> {
    let links = world.link_faults().map(|(from, to, fault)| {
        let (kind, delay) = match fault {
            LinkFault::Cut => (FaultKind::Cut, None),
            LinkFault::Slow(by) => (FaultKind::Slow, Some(us(by))),
        };
        let (from, to) = (world.node_name(from), Some(world.node_name(to)));
        FaultView { kind, from, to, delay, partition: None }
    });
    let disk = |id: BrokerId, delay: Micros, partition: Option<String>| FaultView {
        kind: FaultKind::Disk,
        from: id.to_string(),
        to: None,
        delay: Some(us(delay)),
        partition,
    };
    let disks = world.brokers().iter().flat_map(|b| {
        let own = (b.disk_delay > Micros::ZERO).then(|| disk(b.id, b.disk_delay, None));
        let slow = b.replica_delays.iter();
        let each = slow.map(|(p, delay)| disk(b.id, *delay, Some(world.partition_name(*p))));
        own.into_iter().chain(each).collect::<Vec<_>>()
    });
    links.chain(disks).collect()
}
