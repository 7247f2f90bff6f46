//! Brokers, and their replicas of the chosen partition.

use crate::engine::cell::{self, CellView};
use crate::engine::controller::{ProcessView, process};
use crate::engine::names::{event_id, us};
use highwater_core::broker::Broker;
use highwater_core::sim::Timeline;
use highwater_core::wire::metadata::PartitionState;
use highwater_core::words::{Node, PartitionId};
use serde::Serialize;
use tsify::Tsify;

/// A broker.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct BrokerView {
    /// Its id.
    pub id: u16,
    /// Its rack.
    pub rack: Option<String>,
    /// What its process does.
    pub state: ProcessView,
    /// Whether the controller has it fenced.
    pub fenced: bool,
    /// Version of its registration.
    pub broker_epoch: i64,
    /// How many replicas it hosts and how many partitions it leads (in its own view).
    pub replicas: u32,
    /// See `replicas`.
    pub leading: u32,
    /// Its replica of the chosen partition, if it has or should have one.
    pub replica: Option<ReplicaView>,
    /// Last event of its process: start, crash, fence …
    pub why: Option<u32>,
}

/// What a replica is to its partition, by the controller's state.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub enum Role {
    /// It leads.
    Leader,
    /// It follows, and is in the ISR.
    InSync,
    /// It follows, and is not.
    OutOfSync,
    /// Its broker cannot be asked.
    Offline,
    /// A reassignment adds it.
    Adding,
}

/// One replica of the chosen partition.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct ReplicaView {
    /// What it is to the partition.
    pub role: Role,
    /// Whether it takes itself for the leader, and under which epoch.
    pub leads: bool,
    /// Leader epoch that it knows.
    pub leader_epoch: i32,
    /// First offset.
    pub log_start: i64,
    /// Log end offset.
    pub leo: i64,
    /// Its own high watermark; for a stopped broker that of its checkpoint.
    pub hw: i64,
    /// Event that set `hw`.
    pub hw_why: Option<u32>,
    /// Event that set `leo`.
    pub leo_why: Option<u32>,
    /// Everything below is on disk.
    pub flushed: i64,
    /// Checkpointed recovery point.
    pub recovery_point: i64,
    /// Checkpointed high watermark.
    pub hw_checkpoint: i64,
    /// Leader-epoch cache as `[epoch, start offset]`.
    pub epochs: Vec<(i32, i64)>,
    /// Base offsets of its segments.
    pub segments: Vec<i64>,
    /// The newest cells, oldest first; at most as many as asked for.
    pub cells: Vec<CellView>,
    /// Its log end offset as the leader sees it (−1 unknown).
    pub known_leo: Option<i64>,
    /// When it was last caught up as the leader sees it.
    pub caught_up_at: Option<i64>,
    /// Whether its broker can be asked now.
    pub online: bool,
}

/// All brokers by id; each with so many cells of its log.
pub(crate) fn all(
    timeline: &Timeline,
    chosen: Option<PartitionId>,
    cells: usize,
) -> Vec<BrokerView> {
    let world = timeline.world();
    let image = world.controller().image();
    let racks = timeline.script().brokers();
    let view = |broker: &Broker| {
        let known = image.brokers.get(&broker.id);
        let node = Node::Broker(broker.id);
        let rack = racks.ids.iter().zip(&racks.racks).find(|(id, _)| **id == broker.id);
        BrokerView {
            id: broker.id.0,
            rack: rack.map(|(_, rack)| rack.clone()),
            state: process(world, node),
            fenced: known.is_none_or(|b| b.fenced),
            broker_epoch: known.map_or(-1, |b| b.epoch),
            replicas: broker.replicas.len() as u32,
            leading: broker.replicas.values().filter(|r| r.leading().is_some()).count() as u32,
            replica: chosen.and_then(|p| replica(timeline, broker, p, cells)),
            why: event_id(world.process_state(node).1),
        }
    };
    world.brokers().iter().map(view).collect()
}

fn replica(
    timeline: &Timeline,
    broker: &Broker,
    partition: PartitionId,
    cells: usize,
) -> Option<ReplicaView> {
    let world = timeline.world();
    let state = world.controller().image().partition(partition)?;
    let replica = broker.replicas.get(&partition);
    if replica.is_none() && !state.replicas.contains(&broker.id) {
        return None;
    }
    let known = world.controller().image().brokers.get(&broker.id);
    let up = broker.is_up();
    let online = up && known.is_some_and(|b| !b.fenced);
    let leader = state.leader.and_then(|b| world.broker(b)?.replicas.get(&partition));
    let progress = leader.and_then(|l| l.leading()).and_then(|l| l.follower(broker.id));
    Some(ReplicaView {
        role: role(broker, state, online),
        leads: replica.is_some_and(|r| r.leading().is_some()),
        leader_epoch: replica.map_or(-1, |r| r.leader_epoch),
        log_start: replica.map_or(0, |r| r.log.start()),
        leo: replica.map_or(0, |r| r.log.end()),
        hw: replica.map_or(0, |r| if up { r.hw } else { broker.disk.loaded_hw(partition, &r.log) }),
        hw_why: replica.and_then(|r| event_id(r.hw_why)),
        leo_why: replica.and_then(|r| event_id(r.end_why)),
        flushed: replica.map_or(0, |r| r.log.durable()),
        recovery_point: broker.disk.loaded_recovery_point(partition),
        hw_checkpoint: broker.disk.hw.get(&partition).copied().unwrap_or(0),
        epochs: replica.map_or_else(Vec::new, |r| {
            r.log.epochs().entries().iter().map(|e| (e.epoch, e.start)).collect()
        }),
        segments: replica.map_or_else(Vec::new, |r| r.log.segments().collect()),
        cells: replica.map_or_else(Vec::new, |r| cell::of_log(timeline, r, leader, cells)),
        known_leo: progress.map(|p| p.state.end),
        caught_up_at: progress.and_then(|p| p.state.last_caught_up).map(us),
        online,
    })
}

fn role(broker: &Broker, state: &PartitionState, online: bool) -> Role {
    if state.leader == Some(broker.id) {
        Role::Leader
    } else if state.isr.contains(&broker.id) {
        Role::InSync
    } else if !online {
        Role::Offline
    } else if state.adding.contains(&broker.id) {
        Role::Adding
    } else {
        Role::OutOfSync
    }
}
