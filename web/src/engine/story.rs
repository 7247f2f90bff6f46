//! What happened, and why.

use crate::engine::flight::acks_name;
use crate::engine::names::{at_most, event_id, find_partition, us};
use crate::engine::view::ViewRequest;
use highwater_core::observe::facts::{self, Fact};
use highwater_core::observe::why;
use highwater_core::sim::Timeline;
use highwater_core::wire::{Event, Param, Weight};
use highwater_core::words::{EventId, Node, PartitionId};
use serde::Serialize;
use tsify::Tsify;

/// The longest chain of causes that is told.
const DEEPEST: u32 = 200;

/// Something that happened.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct EventView {
    /// Its id.
    pub id: u32,
    /// When.
    pub time: i64,
    /// Its place among the events of that instant, from 1.
    pub index: u32,
    /// Where.
    pub node: String,
    /// Its code, such as `hw.advanced`: the key of its sentence in `www`.
    pub code: &'static str,
    /// The sentence's parameters by name.
    pub params: Vec<(&'static str, String)>,
    /// The rule that made it so, such as `R2.18`.
    pub rule: &'static str,
    /// Events that caused it, nearest first.
    pub causes: Vec<u32>,
    /// 0 periodic, 1 routine, 2 notable, 3 what someone should see.
    #[tsify(type = "0 | 1 | 2 | 3")]
    pub weight: u8,
    /// Whether it concerns the chosen partition.
    pub chosen: bool,
}

/// The newest events, newest first.
pub(crate) fn newest(
    timeline: &Timeline,
    chosen: Option<PartitionId>,
    request: &ViewRequest,
) -> Vec<EventView> {
    let count = timeline.world().event_count() as usize;
    let past = timeline.tape().events().iter().enumerate().take(count).rev();
    past.filter(|(_, e)| request.story_all || e.kind.weight() > Weight::Periodic)
        .take(at_most(request.story, 40))
        .filter_map(|(id, _)| event(timeline, EventId(id as u32), chosen))
        .collect()
}

/// `None` if there is no event of that id.
pub(crate) fn event(
    timeline: &Timeline,
    id: EventId,
    chosen: Option<PartitionId>,
) -> Option<EventView> {
    let world = timeline.world();
    let event = timeline.tape().event(id)?;
    let (params, partition) = params(timeline, event);
    let events = timeline.tape().events();
    let same = events[..id.0 as usize].iter().rev().take_while(|e| e.at == event.at).count();
    Some(EventView {
        id: id.0,
        time: us(event.at),
        index: same as u32 + 1,
        node: world.node_name(event.node),
        code: event.kind.code(),
        params,
        rule: event.kind.rule_under(world.controller().rules()),
        causes: event.causes.iter().copied().filter_map(event_id).collect(),
        weight: match event.kind.weight() {
            Weight::Periodic => 0,
            Weight::Routine => 1,
            Weight::Notable => 2,
            Weight::Striking => 3,
        },
        chosen: partition.is_none() || partition == chosen || chosen.is_none(),
    })
}

fn params(
    timeline: &Timeline,
    event: &Event,
) -> (Vec<(&'static str, String)>, Option<PartitionId>) {
    let world = timeline.world();
    let mut params = Vec::new();
    let mut partition = None;
    event.kind.visit(&mut |name, param| {
        let value = match param {
            Param::Partition(p) => {
                partition = Some(p);
                world.partition_name(p)
            }
            Param::Broker(b) => b.to_string(),
            Param::Brokers(list) => list.to_string(),
            Param::Client(c) => world.node_name(Node::Client(c)),
            Param::Node(node) => world.node_name(node),
            Param::Record(r) => timeline.tape().record(r).value.to_string(),
            Param::Number(n) if name == "acks" => acks_name(n as i32),
            Param::Number(n) => n.to_string(),
            Param::Time(t) => t.to_string(),
            Param::Error(e) => e.constant().to_string(),
            Param::Word(w) => w.to_string(),
            Param::Text(t) => t.to_string(),
        };
        params.push((name, value));
    });
    (params, partition)
}

/// An event and the chain of its causes: the first one and what is behind it, then the next.
pub(crate) fn chain(timeline: &Timeline, id: EventId, depth: u32) -> Vec<EventView> {
    let chain = why::chain(timeline.tape(), id, depth.min(DEEPEST) as usize);
    chain.into_iter().filter_map(|id| event(timeline, id, None)).collect()
}

/// The last event that changed a fact of a partition.
pub(crate) fn maker(timeline: &Timeline, partition: &str, name: &str) -> Option<u32> {
    let world = timeline.world();
    let id = find_partition(world, Some(partition))?;
    let count = world.event_count() as usize;
    facts::maker(timeline.tape(), count, id, Fact::parse(name)?).map(|event| event.0)
}
