//! What every part of the screen needs: numbers and names as the page has them.

use highwater_core::sim::World;
use highwater_core::words::{BrokerId, EventId, Micros, PartitionId};

/// The most that one request gets of anything.
pub(crate) const MOST: usize = 2000;

/// So many as the page asked for, or as it gets if it did not say.
pub(crate) fn at_most(asked: Option<u32>, otherwise: usize) -> usize {
    asked.map_or(otherwise, |n| n as usize).min(MOST)
}

pub(crate) fn us(at: Micros) -> i64 {
    at.0 as i64
}

/// A time from the page; what is no time is the start.
pub(crate) fn micros(time: f64) -> Micros {
    if time.is_finite() && time > 0.0 {
        Micros(time as u64).min(Micros::LIMIT)
    } else {
        Micros::ZERO
    }
}

pub(crate) fn event_id(id: EventId) -> Option<u32> {
    (id != EventId::NONE).then_some(id.0)
}

pub(crate) fn ids(list: &[BrokerId]) -> Vec<u16> {
    list.iter().map(|b| b.0).collect()
}

/// The partition of that name, or else the first one.
pub(crate) fn find_partition(world: &World, name: Option<&str>) -> Option<PartitionId> {
    let named = name.and_then(|name| {
        let (topic, number) = name.rsplit_once('/')?;
        world.partition_named(topic, number.parse().ok()?)
    });
    named.or_else(|| (!world.controller().image().partitions.is_empty()).then_some(PartitionId(0)))
}
