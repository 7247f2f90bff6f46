//! What the clients of a scenario do and hear in the model.

use super::entry::{Entry, Log};
use highwater_core::audit::Answer;
use highwater_core::script::{self, Script, Statement};
use highwater_core::sim::{Flight, Timeline};
use highwater_core::wire::Body;
use highwater_core::wire::event::EventKind;
use highwater_core::words::{BrokerId, ErrorCode, Micros, Node, RecordId};
use std::collections::BTreeMap;

/// When ports of brokers were open after a start, in milliseconds: how long a broker takes to start
/// is an input of a recording.
pub type Opened = Vec<(u16, i64)>;

/// A start is moved until it fits, at most so often.
const MOST_MOVES: usize = 12;

/// Plays a scenario on the model. Its starts of brokers are moved so that ports open when they did, and
/// those of clients to when these were first heard of.
pub fn play(script: &Script, opened: &Opened, real: &Log) -> Result<Log, String> {
    let mut script = script.clone();
    move_clients(&mut script, real);
    for _ in 0..MOST_MOVES {
        let watch = Watch::of(&script)?;
        if !move_starts(&mut script, opened, &watch.opened) {
            return Ok(watch.log);
        }
    }
    Err("the starts of brokers do not come to fit".into())
}

/// A client that is started again begins by connecting to one of `bootstrap.servers`.
fn move_clients(script: &mut Script, real: &Log) {
    for line in &mut script.lines {
        let Some(Statement::At(at, script::Action::Start(script::Place::Client(name)))) =
            &mut line.statement
        else {
            continue;
        };
        let begins = |e: &&Entry| e.word == "connect" && e.of == "?" && e.at >= ms(*at);
        let first = real.get(name).and_then(|entries| entries.iter().find(begins));
        if let Some(entry) = first {
            *at = Micros::from_ms(u64::try_from(entry.at).unwrap_or(0));
        }
    }
}

/// Moves the first start that does not fit. False: all do.
fn move_starts(script: &mut Script, real: &Opened, model: &Opened) -> bool {
    let mut seen: BTreeMap<u16, usize> = BTreeMap::new();
    for (id, at) in real {
        let nth = seen.entry(*id).or_default();
        let own = model.iter().filter(|(broker, _)| broker == id).nth(*nth);
        let shift = own.map_or(0, |(_, own)| at - own);
        if shift.abs() > 50 && shift_start(script, *id, *nth, shift) {
            return true;
        }
        *nth += 1;
    }
    false
}

fn shift_start(script: &mut Script, id: u16, nth: usize, shift: i64) -> bool {
    let place = script::Place::Broker(BrokerId(id));
    let starts = script.lines.iter_mut().filter_map(|line| match &mut line.statement {
        Some(Statement::At(at, script::Action::Start(who))) if *who == place => Some(at),
        _ => None,
    });
    let Some(at) = starts.into_iter().nth(nth) else { return false };
    let moved = i64::try_from(at.0).unwrap_or(i64::MAX) + shift * 1000;
    *at = Micros(u64::try_from(moved).unwrap_or(0));
    true
}

/// A run that is watched event by event.
struct Watch {
    timeline: Timeline,
    log: Log,
    opened: Opened,
    /// Where the entry of each request stands, by client and correlation id.
    requests: BTreeMap<(Node, u32), usize>,
    events: usize,
    /// Records that no producer has heard of yet, with their number among its own.
    pending: Vec<(RecordId, String, usize)>,
    sent: BTreeMap<String, usize>,
    records: usize,
}

impl Watch {
    fn of(script: &Script) -> Result<Watch, String> {
        let timeline = Timeline::new(script.clone()).map_err(|e| e.0[0].to_string())?;
        let mut watch = Watch {
            timeline,
            log: Log::new(),
            opened: Opened::new(),
            requests: BTreeMap::new(),
            events: 0,
            pending: Vec::new(),
            sent: BTreeMap::new(),
            records: 0,
        };
        let end = watch.timeline.end();
        watch.look();
        while watch.timeline.world().next_time().is_some_and(|at| at <= end)
            && watch.timeline.step()
        {
            watch.look();
        }
        Ok(watch)
    }

    fn look(&mut self) {
        self.look_at_messages();
        self.look_at_events();
        self.look_at_records();
    }

    fn note(&mut self, client: Node, entry: Entry) -> usize {
        let name = self.timeline.world().node_name(client);
        let entries = self.log.entry(name).or_default();
        entries.push(entry);
        entries.len() - 1
    }

    fn look_at_messages(&mut self) {
        let world = self.timeline.world();
        let mut asked = Vec::new();
        let mut answered = Vec::new();
        for flight in world.flights() {
            match (flight.from, flight.to) {
                (client @ Node::Client(_), Node::Broker(broker)) => {
                    let key = (client, flight.correlation);
                    if !self.requests.contains_key(&key) && counts(&flight) {
                        let word = flight.body.kind().name();
                        asked.push((key, Entry::new(ms(flight.sent), word, broker, "")));
                    }
                }
                (Node::Broker(_), client @ Node::Client(_)) => {
                    answered.push(((client, flight.correlation), outcome(flight.body)));
                }
                _ => {}
            }
        }
        for (key, entry) in asked {
            let place = self.note(key.0, entry);
            self.requests.insert(key, place);
        }
        for ((client, correlation), outcome) in answered {
            let Some(place) = self.requests.get(&(client, correlation)) else { continue };
            let name = self.timeline.world().node_name(client);
            if let Some(entry) = self.log.get_mut(&name).and_then(|log| log.get_mut(*place)) {
                entry.outcome = outcome;
            }
        }
    }

    fn look_at_events(&mut self) {
        let events = self.timeline.tape().events();
        let fresh: Vec<_> = events[self.events..].to_vec();
        self.events = events.len();
        for event in fresh {
            let at = ms(event.at);
            match (event.node, &event.kind) {
                (Node::Broker(broker), EventKind::Running {}) => self.opened.push((broker.0, at)),
                (client @ Node::Client(_), kind) => {
                    for entry in self.told(at, kind) {
                        self.note(client, entry);
                    }
                }
                _ => {}
            }
        }
    }

    /// What an event of a client says here.
    fn told(&self, at: i64, kind: &EventKind) -> Vec<Entry> {
        let number = |partition| {
            let name = self.timeline.world().partition_name(partition);
            name.rsplit('/').next().unwrap_or_default().to_owned()
        };
        match kind {
            EventKind::RequestTimedOut { broker } => {
                vec![Entry::new(at, "timed-out", broker, "")]
            }
            EventKind::RecordsRead { partition, first, last } => {
                let of = number(*partition);
                (*first..=*last).map(|offset| Entry::new(at, "read", &of, offset)).collect()
            }
            EventKind::ConsumerFailed { error, .. } => {
                vec![Entry::new(at, "error", "", error.exception())]
            }
            _ => Vec::new(),
        }
    }

    fn look_at_records(&mut self) {
        let world = self.timeline.world();
        let audit = world.audit();
        for index in self.records..audit.len() {
            let id = RecordId(u32::try_from(index).unwrap_or(u32::MAX));
            let Some(record) = audit.record(id) else { continue };
            let name = world.node_name(Node::Client(record.producer));
            let number = self.sent.entry(name.clone()).or_default();
            *number += 1;
            self.pending.push((id, name, *number));
        }
        self.records = audit.len();
        let at = ms(world.now());
        let log = &mut self.log;
        self.pending.retain(|(id, producer, number)| {
            let answer = audit.record(*id).map(|r| r.answer).unwrap_or_default();
            let entry = match answer {
                Answer::Pending => return true,
                Answer::Acked(offset) => Entry::new(at, "acked", number, offset),
                Answer::Failed(error) => Entry::new(at, "failed", number, error.exception()),
            };
            log.entry(producer.clone()).or_default().push(entry);
            false
        });
    }
}

/// Connections are made by `ApiVersions`; what a connection costs is compared by what goes over it.
fn counts(flight: &Flight<'_>) -> bool {
    !matches!(flight.body, Body::ApiVersions(())) && !flight.body.kind().is_response()
}

fn ms(at: Micros) -> i64 {
    i64::try_from(at.0 / 1000).unwrap_or(i64::MAX)
}

/// The errors of a response, or `ok`.
fn outcome(body: &Body) -> String {
    let one = |error: ErrorCode| vec![error];
    let errors = match body {
        Body::ProduceResponse(parts) => parts.iter().map(|p| p.error).collect(),
        Body::FetchResponse(parts) => parts.iter().map(|p| p.error).collect(),
        Body::ListOffsetsResponse(listed) => one(listed.error),
        Body::OffsetsForLeaderEpochResponse(answer) => one(answer.error),
        Body::FindCoordinatorResponse(found) => one(found.error),
        Body::JoinGroupResponse(joined) => one(joined.error),
        Body::SyncGroupResponse(synced) => one(synced.error),
        Body::OffsetFetchResponse(fetched) => one(fetched.error),
        Body::OffsetCommitResponse(error)
        | Body::HeartbeatResponse(error)
        | Body::LeaveGroupResponse(error) => one(*error),
        _ => Vec::new(),
    };
    let mut names: Vec<&str> =
        errors.into_iter().filter(|e| *e != ErrorCode::None).map(ErrorCode::constant).collect();
    names.sort_unstable();
    names.dedup();
    if names.is_empty() { "ok".into() } else { names.join(" ") }
}
