//! Where the tools of ZooKeeper-era releases place a new topic's replicas (R5.32, R5.33, R5.35).

use super::placement::{self, RoundRobinStart, Usable};
use crate::settings::rules::Placement;
use crate::settings::{Key, Values};
use crate::wire::message::CreateTopic;
use crate::wire::metadata::MetadataImage;
use crate::words::{BrokerId, Brokers, ErrorCode, Map, Rng};
use alloc::string::String;
use alloc::vec::Vec;

/// Replicas of each partition: by hand, or on the live brokers from a random start on.
pub(super) fn place(
    r: &CreateTopic,
    image: &MetadataImage,
    values: &Values,
    racks: &Map<BrokerId, String>,
    rng: &mut Rng,
    rule: Placement,
) -> Result<Vec<Brokers>, ErrorCode> {
    if image.topics.iter().any(|t| t.name == r.name) {
        return Err(ErrorCode::TopicAlreadyExists);
    }
    if !r.assignment.is_empty() {
        placement::check_manual(&r.assignment, &|b| image.brokers.contains_key(&b))?;
        return Ok(r.assignment.clone());
    }
    let count = r.partitions.map_or(values.get(Key::NumPartitions), i64::from);
    let factor = r.replication_factor.map(i64::from);
    let factor = factor.unwrap_or_else(|| values.get(Key::DefaultReplicationFactor));
    let count = usize::try_from(count).map_err(|_| ErrorCode::InvalidPartitions)?;
    let factor = usize::try_from(factor).map_err(|_| ErrorCode::InvalidReplicationFactor)?;
    let live = image.live();
    let usable: Vec<Usable> = live
        .iter()
        .map(|id| Usable { id: *id, rack: racks.get(id).cloned(), fenced: false })
        .collect();
    let mut draw = || rng.below(usable.len().max(1) as u64) as usize;
    let start = RoundRobinStart { index: draw(), shift: draw(), partition: 0 };
    placement::place_round_robin(rule, &usable, count, factor, start)
}
