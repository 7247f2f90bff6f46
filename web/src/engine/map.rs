//! The map of partition × broker.

use crate::engine::partition::{Health, health};
use highwater_core::sim::{Timeline, World};
use highwater_core::wire::metadata::PartitionState;
use highwater_core::words::{BrokerId, PartitionId};
use js_sys::Uint8Array;
use serde::Serialize;
use tsify::Tsify;

/// Partition × broker.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct MapView {
    /// The brokers.
    pub brokers: Vec<u16>,
    /// The partitions.
    pub partitions: Vec<String>,
    /// For each partition and in it for each broker: 0 none, 1 leader, 2 in sync, 3 out of sync,
    /// 4 offline.
    #[serde(with = "serde_wasm_bindgen::preserve")]
    #[tsify(type = "Uint8Array")]
    pub cells: Uint8Array,
    /// For each partition: 0 ok, 1 under-replicated, 2 at min ISR, 3 under min ISR, 4 offline.
    #[serde(with = "serde_wasm_bindgen::preserve")]
    #[tsify(type = "Uint8Array")]
    pub health: Uint8Array,
}

pub(crate) fn view(timeline: &Timeline) -> MapView {
    let world = timeline.world();
    let image = world.controller().image();
    let brokers: Vec<BrokerId> = world.brokers().iter().map(|b| b.id).collect();
    let mut cells = Vec::with_capacity(brokers.len() * image.partitions.len());
    let mut fare = Vec::with_capacity(image.partitions.len());
    for state in &image.partitions {
        cells.extend(brokers.iter().map(|b| cell_code(world, state, *b)));
        fare.push(health_code(health(world, state)));
    }
    let ids = (0..image.partitions.len() as u32).map(PartitionId);
    MapView {
        brokers: brokers.iter().map(|b| b.0).collect(),
        partitions: ids.map(|id| world.partition_name(id)).collect(),
        cells: Uint8Array::from(&cells[..]),
        health: Uint8Array::from(&fare[..]),
    }
}

fn cell_code(world: &World, state: &PartitionState, broker: BrokerId) -> u8 {
    if !state.replicas.contains(&broker) {
        0
    } else if state.leader == Some(broker) {
        1
    } else if state.isr.contains(&broker) {
        2
    } else if world.controller().image().is_active(broker) {
        3
    } else {
        4
    }
}

fn health_code(health: Health) -> u8 {
    match health {
        Health::Ok => 0,
        Health::UnderReplicated => 1,
        Health::AtMinIsr => 2,
        Health::UnderMinIsr => 3,
        Health::Offline => 4,
    }
}
