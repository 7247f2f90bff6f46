//! What the page asks for only when a panel is open.

use crate::convert::{MOST, cell, find_partition, us};
use crate::view::{
    CellView, ErrorLineView, MapView, MarkView, PassageView, PositionView, ReadingView, SeriesView,
    SettingView, SkippedView,
};
use highwater_core::observe::facts::{self, Fact};
use highwater_core::script::ScriptError;
use highwater_core::settings::{Key, Kind, Layers, Owner, Scope, Skipped, Source, Value, Values};
use highwater_core::sim::{Client, Timeline, World};
use highwater_core::wire::metadata::PartitionState;
use highwater_core::wire::{Event, EventKind, Weight};
use highwater_core::words::{BrokerId, ClientId, Micros, Node, Offset, PartitionId};

/// The last event that changed a fact of a partition.
pub(crate) fn fact(timeline: &Timeline, partition: &str, name: &str) -> Option<u32> {
    let world = timeline.world();
    let id = find_partition(world, Some(partition))?;
    let count = world.event_count() as usize;
    facts::maker(timeline.tape(), count, id, Fact::parse(name)?).map(|event| event.0)
}

/// Where a consumer stands, and what it read last.
pub(crate) fn reading(timeline: &Timeline, name: &str) -> Option<ReadingView> {
    let world = timeline.world();
    let mut named = world.clients().iter().enumerate();
    let (_, client) =
        named.find(|(i, _)| world.node_name(Node::Client(ClientId(*i as u16))) == name)?;
    let Client::Consumer(reader) = client else { return None };
    let positions = reader.consumer.positions().iter().take(MOST);
    Some(ReadingView {
        positions: positions
            .map(|(p, position)| PositionView {
                partition: world.partition_name(*p),
                position: position.offset,
                committed: reader.consumer.committed(*p),
            })
            .collect(),
        last_read: last_read(timeline, &reader.account),
    })
}

fn last_read(timeline: &Timeline, account: &highwater_core::sim::Account) -> Vec<CellView> {
    let mut cells: Vec<CellView> = account
        .batches()
        .rev()
        .take(12)
        .flat_map(|(_, batch)| {
            let records = batch.records.iter().enumerate().rev();
            records
                .map(|(i, r)| cell(timeline, *r, batch.base + i as Offset, batch.epoch, batch.base))
        })
        .take(12)
        .collect();
    cells.reverse();
    cells
}

/// LEO and HW of every replica over time, in steps.
pub(crate) fn series(timeline: &Timeline, partition: &str) -> SeriesView {
    let world = timeline.world();
    let brokers: Vec<BrokerId> = world.brokers().iter().map(|b| b.id).collect();
    let mut lines = Lines::new(brokers.len());
    let mut marks = Vec::new();
    if let Some(id) = find_partition(world, Some(partition)) {
        let count = world.event_count() as usize;
        for (index, event) in timeline.tape().events().iter().take(count).enumerate() {
            let at = us(event.at);
            if let Node::Broker(b) = event.node
                && let Some(column) = brokers.iter().position(|x| *x == b)
                && let Some(change) = change_of(event, id)
            {
                lines.set(at, column, change);
            }
            if is_mark(event) {
                marks.push(MarkView {
                    time: at,
                    code: event.kind.code(),
                    node: world.node_name(event.node),
                    id: index as u32,
                });
            }
        }
        lines.end(us(world.now()));
    }
    let Lines { times, leo, hw } = lines;
    SeriesView { brokers: brokers.iter().map(|b| b.0).collect(), times, leo, hw, marks }
}

enum Change {
    Leo(Offset),
    Hw(Offset),
}

fn change_of(event: &Event, wanted: PartitionId) -> Option<Change> {
    let (partition, change) = match &event.kind {
        EventKind::Appended { partition, last, .. }
        | EventKind::Replicated { partition, last, .. } => (partition, Change::Leo(last + 1)),
        EventKind::Truncated { partition, to, .. } => (partition, Change::Leo(*to)),
        EventKind::TruncatedFully { partition, start, .. } => (partition, Change::Leo(*start)),
        EventKind::LogCut { partition, from, .. } => (partition, Change::Leo(*from)),
        EventKind::LogRecovered { partition, end, .. } => (partition, Change::Leo(*end)),
        EventKind::HwAdvanced { partition, to, .. }
        | EventKind::HwFollowed { partition, to, .. } => (partition, Change::Hw(*to)),
        _ => return None,
    };
    (*partition == wanted).then_some(change)
}

fn is_mark(event: &Event) -> bool {
    let of_node = !matches!(event.node, Node::Client(_));
    of_node && event.kind.weight() == Weight::Striking
}

/// Step lines that share their times.
struct Lines {
    times: Vec<i64>,
    leo: Vec<Vec<i64>>,
    hw: Vec<Vec<i64>>,
}

impl Lines {
    fn new(columns: usize) -> Lines {
        Lines { times: vec![0], leo: vec![vec![0]; columns], hw: vec![vec![0]; columns] }
    }

    fn set(&mut self, at: i64, column: usize, change: Change) {
        self.end(at);
        let (values, value) = match change {
            Change::Leo(to) => (&mut self.leo[column], to),
            Change::Hw(to) => (&mut self.hw[column], to),
        };
        if let Some(last) = values.last_mut() {
            *last = value;
        }
    }

    /// Goes on to `at` with the same values.
    fn end(&mut self, at: i64) {
        if self.times.last().is_none_or(|last| *last < at) {
            self.times.push(at);
            for values in self.leo.iter_mut().chain(&mut self.hw) {
                values.push(values.last().copied().unwrap_or(0));
            }
        }
    }
}

/// Messages that mattered and were on their way between two moments.
pub(crate) fn spacetime(
    timeline: &Timeline,
    from: Micros,
    to: Micros,
    limit: usize,
) -> Vec<PassageView> {
    let world = timeline.world();
    let passages = timeline.tape().passages();
    let first = passages.partition_point(|p| p.sent + Micros::from_secs(60) < from);
    let shown = passages[first..].iter().take_while(|p| p.sent <= to.min(world.now()));
    shown
        .filter(|p| p.arrives >= from)
        .take(limit.min(5000))
        .map(|p| {
            let partition = p.partition.map(|id| format!(" {}", world.partition_name(id)));
            let (from, to) = (world.node_name(p.from), world.node_name(p.to));
            PassageView {
                kind: p.kind.name(),
                name: format!(
                    "{} {from}>{to}{} #{}",
                    p.kind.name(),
                    partition.unwrap_or_default(),
                    p.ordinal
                ),
                from,
                to,
                sent: us(p.sent),
                arrives: if p.arrives == Micros::NEVER { -1 } else { us(p.arrives) },
                significant: true,
            }
        })
        .collect()
}

/// Partition × broker.
pub(crate) fn map(timeline: &Timeline) -> MapView {
    let world = timeline.world();
    let image = world.controller().image();
    let brokers: Vec<BrokerId> = world.brokers().iter().map(|b| b.id).collect();
    let mut cells = Vec::with_capacity(brokers.len() * image.partitions.len());
    let mut health = Vec::with_capacity(image.partitions.len());
    for state in &image.partitions {
        cells.extend(brokers.iter().map(|b| cell_code(world, state, *b)));
        health.push(health_code(world, state));
    }
    let ids = (0..image.partitions.len() as u32).map(PartitionId);
    MapView {
        brokers: brokers.iter().map(|b| b.0).collect(),
        partitions: ids.map(|id| world.partition_name(id)).collect(),
        cells,
        health,
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

fn health_code(world: &World, state: &PartitionState) -> u8 {
    let min_isr = world.min_isr(state);
    if state.leader.is_none() {
        4
    } else if state.isr.len() < min_isr {
        3
    } else if state.isr.len() == state.replicas.len() {
        0
    } else if state.isr.len() == min_isr {
        2
    } else {
        1
    }
}

/// Settings of a scope, with where their values come from.
pub(crate) fn settings(timeline: &Timeline, scope: &str, name: Option<&str>) -> Vec<SettingView> {
    let world = timeline.world();
    let layers = world.settings();
    let owner = owner(world, scope, name);
    let at = scope_of(scope, name);
    let values = values_of(layers, owner, name);
    let release = layers.release();
    let known = Key::ALL
        .iter()
        .copied()
        .filter(|k| k.spec().owners.contains(owner) && k.spec().default(release).is_some());
    known
        .map(|key| {
            let spec = key.spec();
            let print = |value: i64| spec.print_in(Value(value), release);
            let (kind, unit, choices) = match spec.kind {
                Kind::Int { unit, .. } => ("int", unit.name(), Vec::new()),
                Kind::Bool => ("bool", "", Vec::new()),
                Kind::Choice(words) => {
                    ("choice", "", words.iter().map(|w| w.to_string()).collect())
                }
            };
            SettingView {
                name: spec.name_in(release),
                scope: owner.name(),
                value: print(values.get(key)),
                default: print(spec.default(release).unwrap_or(0)),
                source: source_name(layers.source(key, &at, None)),
                unit,
                kind,
                accepts: spec.accepted(release),
                choices,
                doc: key.index() as u16,
                dynamic: spec.dynamic,
                inert: spec.inert,
            }
        })
        .collect()
}

/// What holds for one setting in a scope; none if the release has none of that name.
pub(crate) fn value(world: &World, scope: &str, name: &str, key: &str) -> Option<String> {
    let layers = world.settings();
    let (owner, release) = (owner(world, scope, Some(name)), layers.release());
    let key = Key::find(key, owner, release).ok()?;
    Some(key.spec().print_in(Value(values_of(layers, owner, Some(name)).get(key)), release))
}

/// Whose settings a scope has; a producer may be the old Scala one.
pub(crate) fn owner(world: &World, scope: &str, name: Option<&str>) -> Owner {
    let producer = |client: &Client| match client {
        Client::Producer(sender) if Some(sender.decl.name.as_str()) == name => {
            Some(sender.decl.owner())
        }
        _ => None,
    };
    match scope {
        "topic" => Owner::Topic,
        "producer" => world.clients().iter().find_map(producer).unwrap_or(Owner::Producer),
        "consumer" => Owner::Consumer,
        _ => Owner::Broker,
    }
}

fn values_of(layers: &Layers, owner: Owner, name: Option<&str>) -> Values {
    match (owner, name) {
        (Owner::Topic, Some(topic)) => layers.topic(topic, None),
        (Owner::Producer | Owner::ScalaProducer | Owner::Consumer, Some(client)) => {
            layers.client(client, owner)
        }
        (Owner::Broker, Some(id)) => match id.parse() {
            Ok(id) => layers.broker(BrokerId(id)),
            Err(_) => layers.cluster(),
        },
        _ => layers.cluster(),
    }
}

fn source_name(source: Source) -> &'static str {
    match source {
        Source::Default => "default",
        Source::Cluster => "cluster",
        Source::Broker => "broker",
        Source::Topic => "topic",
        Source::Client => "client",
    }
}

pub(crate) fn skipped(all: &[Skipped]) -> Vec<SkippedView> {
    let view =
        |s: &Skipped| SkippedView { line: s.line, name: s.name.clone(), reason: s.reason.clone() };
    all.iter().map(view).collect()
}

pub(crate) fn refused(name: &str, errors: &[ScriptError]) -> SkippedView {
    let reason = errors.first().map_or_else(String::new, |e| e.reason.clone());
    SkippedView { line: 0, name: name.to_string(), reason }
}

/// What is wrong with a script, as the page shows it.
pub(crate) fn lines(errors: &[ScriptError]) -> Vec<ErrorLineView> {
    errors
        .iter()
        .map(|e| ErrorLineView {
            line: e.line,
            column: e.column,
            reason: e.reason.clone(),
            accepted: e.accepted.clone(),
        })
        .collect()
}

/// Where settings are given, as the page names it.
pub(crate) fn scope_of(scope: &str, name: Option<&str>) -> Scope {
    match (scope, name) {
        ("topic", Some(name)) => Scope::Topic(name.to_string()),
        ("producer" | "consumer", Some(name)) => Scope::Client(name.to_string()),
        ("broker", Some(id)) => match id.parse() {
            Ok(id) => Scope::Broker(BrokerId(id)),
            Err(_) => Scope::Cluster,
        },
        _ => Scope::Cluster,
    }
}
