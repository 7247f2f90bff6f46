//! One moment of a run as the screen shows it.

use crate::view::{
    BrokerView, CellView, ClientView, ControllerView, ErrorView, EventView, ExpectView, FaultView,
    FlightView, LedgerView, PartitionView, PropertyView, RecordView, ReplicaView, SayView,
    UnmatchedView, VIEW_VERSION, View,
};
use highwater_core::audit::{Answer, LedgerRecord, PROPERTIES, PropertyKind};
use highwater_core::broker::{Broker, Phase};
use highwater_core::replica::Replica;
use highwater_core::script::BrokersDecl;
use highwater_core::settings::Owner;
use highwater_core::sim::{Client, Flight, LinkFault, ProcessState, Timeline, World};
use highwater_core::wire::metadata::PartitionState;
use highwater_core::wire::{Body, Event, Param, Weight};
use highwater_core::words::{
    BrokerId, BrokerList, ErrorCode, EventId, Micros, Node, Offset, PartitionId, RecordId,
};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// What the page asks for: an object.
    pub type Request;

    /// The partition to look into; the first one if there is none of that name.
    #[wasm_bindgen(method, getter)]
    fn partition(this: &Request) -> Option<String>;

    /// How many cells of each log.
    #[wasm_bindgen(method, getter)]
    fn cells(this: &Request) -> Option<u32>;

    /// How many events.
    #[wasm_bindgen(method, getter)]
    fn story(this: &Request) -> Option<u32>;

    /// Periodic events too.
    #[wasm_bindgen(method, getter, js_name = storyAll)]
    fn story_all(this: &Request) -> Option<bool>;

    /// How many records.
    #[wasm_bindgen(method, getter)]
    fn records(this: &Request) -> Option<u32>;

    /// How many messages.
    #[wasm_bindgen(method, getter)]
    fn flights(this: &Request) -> Option<u32>;

    /// Routine messages too.
    #[wasm_bindgen(method, getter, js_name = flightsAll)]
    fn flights_all(this: &Request) -> Option<bool>;

    /// Every partition, a row each.
    #[wasm_bindgen(method, getter)]
    fn partitions(this: &Request) -> Option<bool>;
}

/// The most that one request gets of anything.
pub(crate) const MOST: usize = 2000;

/// So many as the page asked for, or as it gets if it did not say.
fn at_most(asked: Option<u32>, otherwise: usize) -> usize {
    asked.map_or(otherwise, |n| n as usize).min(MOST)
}

pub(crate) fn us(at: Micros) -> i64 {
    at.0 as i64
}

pub(crate) fn event_id(id: EventId) -> Option<u32> {
    (id != EventId::NONE).then_some(id.0)
}

fn ids(list: &BrokerList) -> Vec<u16> {
    list.iter().map(|b| b.0).collect()
}

pub(crate) fn find_partition(world: &World, name: Option<&str>) -> Option<PartitionId> {
    let named = name.and_then(|name| {
        let (topic, number) = name.rsplit_once('/')?;
        world.partition_named(topic, number.parse().ok()?)
    });
    named.or_else(|| (!world.controller().image().partitions.is_empty()).then_some(PartitionId(0)))
}

pub(crate) fn view(timeline: &Timeline, request: &Request) -> View {
    let world = timeline.world();
    let chosen = find_partition(world, request.partition().as_deref());
    let image = world.controller().image();
    let state = chosen.and_then(|p| image.partition(p));
    let script = timeline.script();
    let cells = at_most(request.cells(), 16);
    let moving = world.flights();
    let racks = script.brokers();
    View {
        v: VIEW_VERSION,
        release: script.release().to_string(),
        time: us(world.now()),
        index: world.index(),
        next_time: world.next_time().map(us),
        next_significant_time: world.next_significant_time().map(us),
        end: us(timeline.end()),
        settled: world.is_settled(),
        fingerprint: world.fingerprint(),
        events: world.event_count(),
        partition: chosen.map(|p| world.partition_name(p)),
        state: chosen.zip(state).map(|(p, s)| partition(world, p, s)),
        brokers: world
            .brokers()
            .iter()
            .map(|b| broker(timeline, &racks, b, chosen, cells))
            .collect(),
        controller: controller(world),
        has_elr: world.controller().rules().elr,
        clients: clients(timeline),
        flights_total: moving.len() as u32,
        flights: flights(timeline, &moving, chosen, request),
        story: story(timeline, chosen, request),
        ledger: ledger(timeline, at_most(request.records(), 20)),
        partitions: request.partitions().unwrap_or(false).then(|| {
            let all = image.partitions.iter().enumerate().take(MOST);
            all.map(|(i, s)| partition(world, PartitionId(i as u32), s)).collect()
        }),
        says: script
            .says()
            .filter(|s| s.at <= world.now())
            .map(|s| SayView {
                time: us(s.at),
                en: s.what.en.clone(),
                zh: s.what.zh.clone(),
                line: s.line as u32 + 1,
            })
            .collect(),
        expects: expects(timeline),
        faults: faults(world),
        unmatched: timeline
            .unmatched_faults()
            .into_iter()
            .map(|(line, name)| UnmatchedView { line, name })
            .collect(),
    }
}

fn partition(world: &World, id: PartitionId, state: &PartitionState) -> PartitionView {
    let min_isr = world.min_isr(state);
    let leader = state.leader.and_then(|b| world.broker(b)?.replicas.get(&id));
    let health = if state.leader.is_none() {
        "offline"
    } else if state.isr.len() < min_isr {
        "underMinIsr"
    } else if state.isr.len() < state.replicas.len() && state.isr.len() == min_isr {
        "atMinIsr"
    } else if state.isr.len() < state.replicas.len() {
        "underReplicated"
    } else {
        "ok"
    };
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
        min_isr: min_isr as u32,
        health,
        hw: leader.map(|r| r.hw),
        leo: leader.map(|r| r.log.end()),
        why: event_id(state.why),
    }
}

pub(crate) fn process_name(world: &World, node: Node) -> &'static str {
    let phase = match node {
        Node::Broker(id) => world.broker(id).and_then(|b| b.process.as_ref()).map(|p| p.phase),
        _ => None,
    };
    match world.process_state(node).0 {
        ProcessState::Paused => "paused",
        ProcessState::Crashed => "crashed",
        ProcessState::PoweredOff => "poweredOff",
        ProcessState::Stopped => "stopped",
        ProcessState::Up => match phase {
            Some(Phase::Booting | Phase::Starting) => "starting",
            Some(Phase::Recovering | Phase::Ready) => "recovering",
            Some(Phase::Stopping) => "stopping",
            Some(Phase::Running) | None => "running",
        },
    }
}

fn broker(
    timeline: &Timeline,
    racks: &BrokersDecl,
    broker: &Broker,
    chosen: Option<PartitionId>,
    cells: usize,
) -> BrokerView {
    let world = timeline.world();
    let image = world.controller().image();
    let known = image.brokers.get(&broker.id);
    let node = Node::Broker(broker.id);
    let rack = racks.ids.iter().zip(&racks.racks).find(|(id, _)| **id == broker.id);
    BrokerView {
        id: broker.id.0,
        rack: rack.map(|(_, rack)| rack.clone()),
        state: process_name(world, node),
        fenced: known.is_none_or(|b| b.fenced),
        broker_epoch: known.map_or(-1, |b| b.epoch),
        replicas: broker.replicas.len() as u32,
        leading: broker.replicas.values().filter(|r| r.leading().is_some()).count() as u32,
        replica: chosen.and_then(|p| replica(timeline, broker, p, cells)),
        why: event_id(world.process_state(node).1),
    }
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
    let online = broker.is_up() && known.is_some_and(|b| !b.fenced);
    let role = if state.leader == Some(broker.id) {
        "leader"
    } else if state.isr.contains(&broker.id) {
        "inSync"
    } else if !online {
        "offline"
    } else if state.adding.contains(&broker.id) {
        "adding"
    } else {
        "outOfSync"
    };
    let leader = state.leader.and_then(|b| world.broker(b)?.replicas.get(&partition));
    let progress = leader.and_then(|l| l.leading()).and_then(|l| l.follower(broker.id));

    let up = broker.is_up();
    Some(ReplicaView {
        role,
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
        cells: replica.map_or_else(Vec::new, |r| cells_of(timeline, r, leader, cells)),
        known_leo: progress.map(|p| p.state.end),
        caught_up_at: progress.and_then(|p| p.state.last_caught_up).map(us),
        online,
    })
}

fn cells_of(
    timeline: &Timeline,
    replica: &Replica,
    leader: Option<&Replica>,
    count: usize,
) -> Vec<CellView> {
    let first = (replica.log.end() - count as Offset).max(replica.log.start());
    let mut cells = Vec::new();
    for batch in replica.log.batches_from(first) {
        for (i, record) in batch.records.iter().enumerate() {
            let offset = batch.base + i as Offset;
            if offset < first {
                continue;
            }
            let at_leader = leader.and_then(|l| {
                let batch = l.log.batch_at(offset)?;
                batch.records.get((offset - batch.base) as usize).copied()
            });
            let mut cell = cell(timeline, *record, offset, batch.epoch, batch.base);
            cell.state = if offset < replica.hw { "committed" } else { "uncommitted" };
            cell.diverges = leader.is_some() && at_leader != Some(*record);
            cell.flushed = offset < replica.log.durable();
            cells.push(cell);
        }
    }
    cells
}

pub(crate) fn cell(
    timeline: &Timeline,
    record: RecordId,
    offset: Offset,
    epoch: i32,
    base: Offset,
) -> CellView {
    let info = timeline.tape().record(record);
    let entry = timeline.world().audit().record(record);
    CellView {
        offset,
        epoch,
        batch: base,
        record: record.0,
        key: info.key.as_deref().map(String::from),
        value: info.value.to_string(),
        state: "committed",
        diverges: false,
        flushed: false,
        acked: entry.is_some_and(|e| matches!(e.answer, Answer::Acked(_))),
    }
}

fn controller(world: &World) -> ControllerView {
    let image = world.controller().image();
    let starting = !world.controller().is_active()
        && world.process_state(Node::Controller).0 == ProcessState::Up;
    ControllerView {
        name: world.coordinator_name(),
        broker: image.controller.map(|b| b.0),
        state: if starting { "starting" } else { process_name(world, Node::Controller) },
        metadata_offset: image.offset,
        fenced: image.brokers.iter().filter(|(_, b)| b.fenced).map(|(id, _)| id.0).collect(),
    }
}

pub(crate) fn error(code: ErrorCode) -> Option<ErrorView> {
    (code != ErrorCode::None).then(|| ErrorView {
        constant: code.constant(),
        exception: code.exception(),
        code: code.code(),
        made_by: match code.origin() {
            highwater_core::words::Origin::Broker => "broker",
            highwater_core::words::Origin::Client => "client",
        },
    })
}

fn clients(timeline: &Timeline) -> Vec<ClientView> {
    let world = timeline.world();
    let all = world.clients().iter().enumerate();
    all.filter_map(|(i, client)| {
        let id = highwater_core::words::ClientId(i as u16);
        let node = Node::Client(id);
        let name = world.node_name(node);
        let state = process_name(world, node);
        match client {
            Client::Producer(sender) => {
                let counts = world.producer_counts(id);
                Some(ClientView {
                    name,
                    scala: sender.decl.owner() == Owner::ScalaProducer,
                    kind: "producer",
                    topic: sender.decl.topic.clone(),
                    state,
                    acks: Some(sender.producer.acks()),
                    idempotent: Some(sender.producer.is_idempotent()),
                    every: sender.every.map(us),
                    sent: counts.sent,
                    acked: counts.acked,
                    failed: counts.failed,
                    pending: counts.pending,
                    error: error(sender.producer.last_error()),
                    read: 0,
                })
            }
            Client::Consumer(reader) => Some(ClientView {
                name,
                scala: false,
                kind: "consumer",
                topic: reader.topic.clone(),
                state,
                acks: None,
                idempotent: None,
                every: None,
                sent: 0,
                acked: 0,
                failed: 0,
                pending: 0,
                error: error(reader.consumer.last_error),
                read: reader.account.count,
            }),
            Client::Operator(_) => None,
        }
    })
    .collect()
}

fn flights(
    timeline: &Timeline,
    moving: &[Flight<'_>],
    chosen: Option<PartitionId>,
    request: &Request,
) -> Vec<FlightView> {
    let world = timeline.world();
    let routine_too = request.flights_all().unwrap_or(false);
    let shown = moving.iter().filter(|f| routine_too || f.body.is_significant());
    shown
        .take(at_most(request.flights(), 60))
        .map(|f| {
            let partitions = f.body.partitions();
            FlightView {
                id: i64::from(f.id),
                name: timeline.flight_name(f),
                kind: f.body.kind().name(),
                from: world.node_name(f.from),
                to: world.node_name(f.to),
                sent: us(f.sent),
                arrives: us(f.arrives),
                fate: if f.waits { "waiting" } else { "travelling" },
                significant: f.body.is_significant(),
                chosen: chosen.is_some_and(|p| partitions.contains(&p)),
                fields: fields(f.body, chosen),
                why: event_id(f.why),
            }
        })
        .collect()
}

/// What a message says, for its pop-up: Kafka's own field names.
fn fields(body: &Body, chosen: Option<PartitionId>) -> Vec<(&'static str, String)> {
    let of_chosen = |p: PartitionId| chosen.is_none_or(|c| c == p);
    match body {
        Body::Produce(r) => {
            let records: usize = r.batches.iter().map(|b| b.records.len()).sum();
            vec![("acks", acks_name(r.acks)), ("records", records.to_string())]
        }
        Body::ProduceResponse(parts) => {
            parts.iter().filter(|p| of_chosen(p.partition)).fold(Vec::new(), |mut all, p| {
                all.push(("error_code", p.error.constant().to_string()));
                all.push(("base_offset", p.first.to_string()));
                all
            })
        }
        Body::Fetch(r) => {
            let part = r.parts.iter().find(|p| of_chosen(p.partition));
            part.map_or_else(Vec::new, |p| {
                vec![
                    ("fetch_offset", p.offset.to_string()),
                    ("current_leader_epoch", p.leader_epoch.to_string()),
                    ("last_fetched_epoch", p.last_fetched_epoch.to_string()),
                ]
            })
        }
        Body::FetchResponse(parts) => {
            let part = parts.iter().find(|p| of_chosen(p.partition));
            part.map_or_else(Vec::new, |p| {
                let records: usize = p.batches.iter().map(|b| b.records.len()).sum();
                let mut all = vec![
                    ("error_code", p.error.constant().to_string()),
                    ("high_watermark", p.hw.to_string()),
                    ("records", records.to_string()),
                ];
                if let Some(end) = p.diverging {
                    all.push(("diverging_epoch", format!("{} → {}", end.epoch, end.end)));
                }
                all
            })
        }
        Body::AlterPartition(r) => {
            let part = r.parts.iter().find(|p| of_chosen(p.partition));
            part.map_or_else(Vec::new, |p| {
                let isr: Vec<String> = p.isr.iter().map(|(b, _)| b.to_string()).collect();
                vec![
                    ("new_isr", isr.join(",")),
                    ("leader_epoch", p.leader_epoch.to_string()),
                    ("partition_epoch", p.partition_epoch.to_string()),
                ]
            })
        }
        Body::BrokerHeartbeat(r) => vec![
            ("want_fence", r.want_fence.to_string()),
            ("want_shut_down", r.want_shutdown.to_string()),
            ("current_metadata_offset", r.metadata_offset.to_string()),
        ],
        Body::BrokerHeartbeatResponse(r) => vec![
            ("is_fenced", r.fenced.to_string()),
            ("should_shut_down", r.should_shutdown.to_string()),
        ],
        Body::BrokerRegistration(r) => {
            vec![("previous_broker_epoch", r.previous_broker_epoch.to_string())]
        }
        Body::BrokerRegistrationResponse(r) => vec![
            ("error_code", r.error.constant().to_string()),
            ("broker_epoch", r.broker_epoch.to_string()),
        ],
        Body::MetadataFetchResponse(r) => {
            vec![("offset", r.offset.to_string()), ("records", r.records.len().to_string())]
        }
        _ => Vec::new(),
    }
}

fn acks_name(acks: i32) -> String {
    if acks == -1 { String::from("all") } else { acks.to_string() }
}

fn story(timeline: &Timeline, chosen: Option<PartitionId>, request: &Request) -> Vec<EventView> {
    let world = timeline.world();
    let count = world.event_count() as usize;
    let past = timeline.tape().events().iter().enumerate().take(count).rev();
    let periodic_too = request.story_all().unwrap_or(false);
    past.filter(|(_, e)| periodic_too || e.kind.weight() > Weight::Periodic)
        .take(at_most(request.story(), 40))
        .filter_map(|(id, _)| event(timeline, EventId(id as u32), chosen))
        .collect()
}

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

fn ledger(timeline: &Timeline, records: usize) -> LedgerView {
    let audit = timeline.world().audit();
    let counts = audit.counts();
    let newest = (0..audit.len() as u32).rev().take(records);
    LedgerView {
        sent: counts.sent,
        acked: counts.acked,
        committed: counts.committed,
        visible: counts.committed,
        failed: counts.failed,
        lost: counts.lost,
        acked_lost: counts.acked_lost,
        duplicated: counts.duplicated,
        reordered: counts.reordered,
        records: newest.filter_map(|id| record(timeline, RecordId(id))).collect(),
        properties: PROPERTIES
            .iter()
            .zip(audit.properties())
            .map(|(property, state)| PropertyView {
                id: property.id,
                kind: match property.kind {
                    PropertyKind::Always => "always",
                    PropertyKind::Sometimes => "sometimes",
                },
                holds: (property.kind == PropertyKind::Always) != state.decided_by.is_some(),
                why: state.decided_by.and_then(event_id),
            })
            .collect(),
    }
}

pub(crate) fn record(timeline: &Timeline, id: RecordId) -> Option<RecordView> {
    let world = timeline.world();
    let entry = world.audit().record(id)?;
    let info = timeline.tape().record(id);
    let failure = match entry.answer {
        Answer::Failed(code) => error(code),
        _ => None,
    };
    Some(RecordView {
        id: id.0,
        producer: world.node_name(Node::Client(entry.producer)),
        key: info.key.as_deref().map(String::from),
        value: info.value.to_string(),
        partition: entry.partition.map(|p| world.partition_name(p)),
        offset: entry.offset,
        status: status(entry),
        answer: match entry.answer {
            Answer::Pending => "pending",
            Answer::Acked(_) => "acked",
            Answer::Failed(_) => "failed",
        },
        error: failure,
        visible: entry.flags.committed && !entry.flags.lost,
        duplicated: entry.flags.duplicated,
        reordered: entry.flags.reordered,
        broken: entry.flags.lost && matches!(entry.answer, Answer::Acked(_)),
        on: entry.on.iter().map(|(b, _): &(BrokerId, u16)| b.0).collect(),
        read_by: entry.read_by.iter().map(|c| world.node_name(Node::Client(*c))).collect(),
        attempts: entry.attempts,
        events: entry.events.iter().copied().filter_map(event_id).collect(),
        why: entry.events.last().copied().and_then(event_id),
    })
}

fn status(entry: &LedgerRecord) -> &'static str {
    if entry.flags.lost {
        "lost"
    } else if entry.flags.committed {
        "committed"
    } else if entry.partition.is_some() {
        "appended"
    } else if matches!(entry.answer, Answer::Failed(_)) {
        "refused"
    } else if entry.attempts > 0 {
        "sent"
    } else {
        "waiting"
    }
}

fn expects(timeline: &Timeline) -> Vec<ExpectView> {
    let script = timeline.script();
    let lines: Vec<_> = script.expectations().collect();
    let outcomes = timeline.world().outcomes().iter();
    outcomes
        .filter_map(|o| {
            let line = lines.iter().find(|l| l.at == o.at && l.line as u32 + 1 == o.line)?;
            let expected = line.what.get(o.place as usize)?;
            Some(ExpectView {
                time: us(o.at),
                line: o.line,
                text: format!(
                    "{} {}{}{}",
                    expected.subject, expected.field, expected.relation, expected.value
                ),
                held: o.held,
                actual: o.actual.clone(),
            })
        })
        .collect()
}

fn faults(world: &World) -> Vec<FaultView> {
    let links = world.link_faults().map(|(from, to, fault)| FaultView {
        kind: match fault {
            LinkFault::Cut => "cut",
            LinkFault::Slow(_) => "slow",
        },
        from: world.node_name(from),
        to: Some(world.node_name(to)),
        delay: match fault {
            LinkFault::Cut => None,
            LinkFault::Slow(by) => Some(us(by)),
        },
        partition: None,
    });
    let disk = |id: BrokerId, delay: Micros, partition: Option<String>| FaultView {
        kind: "disk",
        from: id.to_string(),
        to: None,
        delay: Some(us(delay)),
        partition,
    };
    let disks = world.brokers().iter().flat_map(|b| {
        let own = (b.disk_delay > Micros::ZERO).then(|| disk(b.id, b.disk_delay, None));
        let slow = b.replicas.iter().filter(|(_, r)| r.disk_delay > Micros::ZERO);
        let each = slow.map(|(p, r)| disk(b.id, r.disk_delay, Some(world.partition_name(*p))));
        own.into_iter().chain(each).collect::<Vec<_>>()
    });
    links.chain(disks).collect()
}
