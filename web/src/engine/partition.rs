//! A partition as the controller has it.

use crate::engine::names::{event_id, ids};
use highwater_core::sim::World;
use highwater_core::wire::metadata::PartitionState;
use highwater_core::words::PartitionId;
use serde::Serialize;
use tsify::Tsify;

/// How a partition fares.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub enum Health {
    /// All replicas are in sync.
    Ok,
    /// Some are not.
    UnderReplicated,
    /// No more can be spared.
    AtMinIsr,
    /// Too few for `acks=all`.
    UnderMinIsr,
    /// It has no leader.
    Offline,
}

/// A partition's stored state.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct PartitionView {
    /// `"orders/0"`.
    pub name: String,
    /// Replicas in order of preference.
    pub replicas: Vec<u16>,
    /// In-sync replicas.
    pub isr: Vec<u16>,
    /// Replicas that are not in sync.
    pub osr: Vec<u16>,
    /// Eligible leader replicas.
    pub elr: Vec<u16>,
    /// The last known leader.
    pub last_known_elr: Vec<u16>,
    /// Replicas that a reassignment adds.
    pub adding: Vec<u16>,
    /// Replicas that a reassignment removes.
    pub removing: Vec<u16>,
    /// The leader, if there is one.
    pub leader: Option<u16>,
    /// Its epoch.
    pub leader_epoch: i32,
    /// Version of this state.
    pub partition_epoch: i32,
    /// Effective `min.insync.replicas`.
    pub min_isr: u32,
    /// How it fares.
    pub health: Health,
    /// High watermark on the leader.
    pub hw: Option<i64>,
    /// Log end offset of the leader.
    pub leo: Option<i64>,
    /// Event that made the state what it is.
    pub why: Option<u32>,
}

pub(crate) fn view(world: &World, id: PartitionId, state: &PartitionState) -> PartitionView {
    let leader = state.leader.and_then(|b| world.broker(b)?.replicas.get(&id));
    PartitionView {
        name: world.partition_name(id),
        replicas: ids(&state.replicas),
        isr: ids(&state.isr),
        osr: ids(&state.replicas.filtered(|b| !state.isr.contains(&b))),
        elr: ids(&state.elr),
        last_known_elr: ids(&state.last_known_elr),
        adding: ids(&state.adding),
        removing: ids(&state.removing),
        leader: state.leader.map(|b| b.0),
        leader_epoch: state.leader_epoch,
        partition_epoch: state.partition_epoch,
        min_isr: world.min_isr(state) as u32,
        health: health(world, state),
        hw: leader.map(|r| r.hw),
        leo: leader.map(|r| r.log.end()),
        why: event_id(state.why),
    }
}

pub(crate) fn health(world: &World, state: &PartitionState) -> Health {
    let min_isr = world.min_isr(state);
    if state.leader.is_none() {
        Health::Offline
    } else if state.isr.len() < min_isr {
        Health::UnderMinIsr
    } else if state.isr.len() == state.replicas.len() {
        Health::Ok
    } else if state.isr.len() == min_isr {
        Health::AtMinIsr
    } else {
        Health::UnderReplicated
    }
}
