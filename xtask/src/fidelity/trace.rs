//! A recording of a real cluster, replayed as a scenario.
//!
//! Actions become script lines and each step lasts as long as the recorder waited; nothing is read
//! from a recording but its actions and settings. The format is fidelity/traces/README.md.

use super::against::Against;
use highwater_core::audit::Answer;
use highwater_core::script::{self, Statement};
use highwater_core::settings::{Key, Owner, Release};
use highwater_core::sim::{Client, Timeline};
use highwater_core::wire::metadata::MetadataImage;
use highwater_core::words::{BrokerId, Brokers, ErrorCode, Micros, Node, PartitionId, RecordId};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The cluster has been up for so long when the recorder begins.
const START: Micros = Micros::from_secs(5);
/// A produce that is waited for is given up after so long.
const PRODUCE_WAIT: Micros = Micros::from_secs(9);
/// The recorder's client looks the leader up before each request, for so long (`max.block.ms`).
const LEADER_WAIT: Micros = Micros::from_secs(4);
/// The state must not change for so long before it is taken down.
const QUIET: Micros = Micros::from_ms(1300);
/// How finely the state is looked at.
const LOOK: Micros = Micros::from_ms(100);
/// A step that never comes to rest is an error.
const MOST: Micros = Micros::from_secs(120);
/// A broker that stops is gone within this.
const STOP_WAIT: Micros = Micros::from_secs(30);
/// An operator's command is answered within this.
const COMMAND_WAIT: Micros = Micros::from_secs(10);

/// In recordings with ZooKeeper this broker is the controller from the start.
const ZOOKEEPER_CONTROLLER: u16 = 4;

/// What the recorder's clients are set to.
const PRODUCER: [(&str, &str); 8] = [
    ("retries", "0"),
    ("enable.idempotence", "false"),
    ("linger.ms", "0"),
    ("max.in.flight.requests.per.connection", "1"),
    ("request.timeout.ms", "15000"),
    ("delivery.timeout.ms", "16000"),
    ("max.block.ms", "4000"),
    ("metadata.max.age.ms", "1000"),
];

/// Replays a recording; an error is the first difference, or what cannot be read.
pub fn check(trace: &Value, against: Against) -> Result<(), String> {
    only(trace, &["name", "about", "kafka", "mode", "elr", "brokers", "settings", "steps"])?;
    let mut replay = Replay::new(trace, against)?;
    let steps = trace["steps"].as_array().ok_or("no steps")?;
    for (index, step) in steps.iter().enumerate() {
        let at = |error| format!("step {}: {error}", index + 1);
        replay.step(step).map_err(at)?;
    }
    replay.check_late()
}

/// Refuses fields that nobody knows: what they say would be left out.
fn only(value: &Value, known: &[&str]) -> Result<(), String> {
    let unknown = value.as_object().into_iter().flat_map(Map::keys);
    match unknown.into_iter().find(|key| !known.contains(&key.as_str())) {
        Some(key) => Err(format!("unknown field {key}")),
        None => Ok(()),
    }
}

/// Whether an exact version, such as `4.4.0`, is one of a release.
pub fn is_of(version: &str, release: Release) -> bool {
    version == release.name() || version.starts_with(&format!("{}.", release.name()))
}

struct Replay {
    timeline: Timeline,
    /// Producers by acks and settings.
    producers: BTreeMap<String, String>,
    /// The record of each value that was sent.
    sent: BTreeMap<String, RecordId>,
    late: Vec<Value>,
    /// Ids of idempotent producers, as recorded, by those of the model.
    producer_ids: BTreeMap<i64, i64>,
}

impl Replay {
    fn new(trace: &Value, against: Against) -> Result<Replay, String> {
        let (text, producers) = header(trace)?;
        let text = against.written_into(&text);
        let parsed = script::parse(&text).map_err(|errors| errors[0].to_string())?;
        let mut timeline = Timeline::new(parsed).map_err(|e| format!("{:?}", e.0))?;
        timeline.run_until(START - Micros(1));
        Ok(Replay {
            timeline,
            producers,
            sent: BTreeMap::new(),
            late: Vec::new(),
            producer_ids: BTreeMap::new(),
        })
    }

    fn partition(&self) -> Option<PartitionId> {
        self.timeline.world().partition_named("t", 0)
    }

    /// Node 100 is the controller, or ZooKeeper.
    fn place(&self, value: &Value) -> Result<String, String> {
        Ok(match number(value)? {
            100 => self.timeline.world().coordinator_name().into(),
            id => id.to_string(),
        })
    }

    fn now(&self) -> Micros {
        self.timeline.world().now()
    }

    fn pass(&mut self, time: Micros) {
        let until = self.now() + time;
        self.timeline.run_until(until);
    }

    fn perform(&mut self, line: &str) -> Result<u32, String> {
        let inserted = self.timeline.perform(line);
        let inserted = inserted.map_err(|e| format!("{line}: {}", e.0[0]))?;
        // The line happens before anything else is asked.
        let now = self.now();
        self.timeline.run_until(now + Micros(1));
        Ok(inserted.line)
    }

    fn step(&mut self, step: &Value) -> Result<(), String> {
        only(step, &["do", "then", "late"])?;
        let actions = step["do"].as_array().ok_or("no actions")?;
        let mut after = Micros::ZERO;
        for action in actions {
            after = after.max(self.act(action)?);
        }
        self.pass(after);
        self.come_to_rest()?;
        if let Some(late) = step.get("late").and_then(Value::as_array) {
            self.late.extend(late.iter().cloned());
        }
        self.compare(step["then"].as_object().ok_or("no state")?)
    }

    /// Until the state has not changed for a while.
    fn come_to_rest(&mut self) -> Result<(), String> {
        let began = self.now();
        let mut last = self.state();
        let mut since = self.now();
        while self.now() - since < QUIET {
            self.pass(LOOK);
            let state = self.state();
            if state != last {
                last = state;
                since = self.now();
            }
            if self.now() - began > MOST {
                return Err("it does not come to rest".into());
            }
        }
        Ok(())
    }

    /// Does one action, and says how long the recorder waits after it.
    fn act(&mut self, action: &Value) -> Result<Micros, String> {
        let object = action.as_object().ok_or("an action is an object")?;
        let outcome = ["result", "results", "got"];
        let mut names = object.iter().filter(|(k, _)| !outcome.contains(&k.as_str()));
        let (name, value) = names.next().ok_or("an empty action")?;
        if let Some((other, _)) = names.next() {
            return Err(format!("two actions in one: {name} and {other}"));
        }
        match name.as_str() {
            "create" => only(value, &["replicas", "configs"])?,
            "produce" => only(value, &["acks", "values", "client", "config", "wait"])?,
            "cut" => only(value, &["broker", "keep"])?,
            "consume" => only(value, &["from"])?,
            _ => {}
        }
        match name.as_str() {
            "create" => self.create(),
            "produce" => self.produce(value, &action["results"]),
            "crash" | "stop" | "pause" | "resume" => {
                self.perform(&format!("{name} {}", self.place(value)?))?;
                if name == "stop" {
                    self.await_exit(value);
                }
                Ok(match name.as_str() {
                    "crash" => Micros::from_ms(6500),
                    "stop" => Micros::from_ms(2500),
                    "pause" => Micros::from_secs(8),
                    _ => Micros::from_secs(6),
                })
            }
            "start" => self.start(value),
            "cut" => {
                let (broker, keep) = (number(&value["broker"])?, number(&value["keep"])?);
                self.perform(&format!("lose {broker} t/0 from={keep}"))?;
                Ok(Micros::from_ms(200))
            }
            "wipe" => {
                self.perform(&format!("wipe {}", number(value)?))?;
                Ok(Micros::from_ms(200))
            }
            "wait" => {
                let ms = number(value)?;
                self.pass(Micros::from_setting_ms(ms));
                Ok(Micros::ZERO)
            }
            "elect" => {
                let kind = value.as_str().ok_or("elect: a word")?;
                self.command(&format!("elect {kind} t/0"), &action["result"])?;
                Ok(Micros::from_secs(3))
            }
            "config" => {
                let settings = assignments(value.as_object().ok_or("config: an object")?)?;
                self.command(&format!("set topic t {settings}"), &action["result"])?;
                Ok(Micros::from_secs(3))
            }
            "reassign" => {
                let target = match value {
                    Value::Null => "cancel".to_string(),
                    list => ids(list)?,
                };
                self.command(&format!("reassign t/0 {target}"), &action["result"])?;
                Ok(Micros::from_secs(5))
            }
            "consume" => self.consume(number(&value["from"])?, &action["got"]),
            other => Err(format!("unknown action {other}")),
        }
    }

    /// The topic's line stands in the script's head, since clients name the topic there.
    fn create(&mut self) -> Result<Micros, String> {
        self.pass(LOOK);
        self.partition().ok_or("the topic was not created")?;
        Ok(Micros::from_ms(2500))
    }

    /// A clean stop may take its time: the recorder's wait begins when the process is gone.
    fn await_exit(&mut self, value: &Value) {
        let began = self.now();
        let id = BrokerId(value.as_u64().unwrap_or_default() as u16);
        let runs = |r: &Replay| r.timeline.world().broker(id).is_some_and(|b| b.is_up());
        while runs(self) && self.now() - began < STOP_WAIT {
            self.pass(LOOK);
        }
    }

    /// A broker's wait counts from its registration.
    fn start(&mut self, value: &Value) -> Result<Micros, String> {
        let place = self.place(value)?;
        self.perform(&format!("start {place}"))?;
        let Ok(id) = place.parse::<u16>() else { return Ok(Micros::from_secs(16)) };
        let began = self.now();
        while self.now() - began < MOST {
            let process = self.timeline.world().broker(BrokerId(id));
            let process = process.and_then(|b| b.process.as_ref());
            if process.is_some_and(|p| p.broker_epoch >= 0) {
                break;
            }
            self.pass(LOOK);
        }
        Ok(Micros::from_ms(4500))
    }

    fn produce(&mut self, value: &Value, results: &Value) -> Result<Micros, String> {
        let producer = self.producers.get(&producer_key(value)).ok_or("an undeclared producer")?;
        let producer = producer.clone();
        let waits = value["wait"] != json!(false);
        for (i, text) in value["values"].as_array().ok_or("no values")?.iter().enumerate() {
            let text = text.as_str().ok_or("a value is text")?;
            let result = self.send(&producer, text, waits)?;
            if waits && result != results[i] {
                return Err(format!("produce {text}: {result}, recorded {}", results[i]));
            }
        }
        Ok(Micros::from_ms(1200))
    }

    fn send(&mut self, producer: &str, text: &str, waits: bool) -> Result<Value, String> {
        let began = self.now();
        while waits && !self.client_sees_leader() {
            if self.now() - began >= LEADER_WAIT {
                // The client of the recordings with ZooKeeper looks on, and nothing was sent.
                let timeout = ErrorCode::Timeout.exception();
                let result = if self.asks_zookeeper() { "pending" } else { timeout };
                return Ok(json!([text, result]));
            }
            self.pass(LOOK);
        }
        let waiting = self.sent.keys().any(|text| self.outcome(text)[1] == "pending");
        if waits && self.asks_zookeeper() && !waiting && !self.is_idempotent(producer) {
            // That client keeps no connection, and knows the leader from ZooKeeper each time.
            self.perform(&format!("crash {producer}"))?;
            self.perform(&format!("start {producer}"))?;
        }
        let id = RecordId(self.timeline.world().audit().len() as u32);
        self.perform(&format!("send {producer} {}", quoted(text)))?;
        self.sent.insert(text.to_string(), id);
        let began = self.now();
        while waits && self.now() - began < PRODUCE_WAIT && self.outcome(text)[1] == "pending" {
            self.pass(Micros::from_ms(10));
        }
        Ok(self.outcome(text))
    }

    /// Whether the recorder's client finds a leader that is up: in what ZooKeeper says, or said last,
    /// if it asks that; else in what some running broker does.
    fn client_sees_leader(&self) -> bool {
        let Some(id) = self.partition() else { return false };
        let world = self.timeline.world();
        let names_leader = |image: &MetadataImage| {
            let leader = image.partition(id).and_then(|state| state.leader);
            leader.is_some_and(|l| image.brokers.get(&l).is_some_and(|b| !b.fenced))
        };
        if self.asks_zookeeper() {
            return names_leader(world.controller().image());
        }
        let processes = world.brokers().iter().filter_map(|b| b.process.as_ref());
        processes.filter(|p| p.phase.serves()).any(|p| names_leader(&p.image))
    }

    fn is_idempotent(&self, producer: &str) -> bool {
        let script = self.timeline.script();
        let named = |s: &&Statement| matches!(s, Statement::Producer(p) if p.name == producer);
        let Some(Statement::Producer(p)) = script.statements().map(|(_, s)| s).find(named) else {
            return false;
        };
        p.config.iter().any(|(key, value)| *key == Key::EnableIdempotence && value.0 != 0)
    }

    fn asks_zookeeper(&self) -> bool {
        self.timeline.world().coordinator_name() == "zookeeper"
    }

    fn outcome(&self, text: &str) -> Value {
        let record = self.sent.get(text).and_then(|id| self.timeline.world().audit().record(*id));
        match record.map(|r| r.answer) {
            Some(Answer::Acked(offset)) => json!([text, "ok", offset]),
            Some(Answer::Failed(error)) => json!([text, error.exception()]),
            _ => json!([text, "pending"]),
        }
    }

    fn check_late(&mut self) -> Result<(), String> {
        for late in core::mem::take(&mut self.late) {
            let text = late[0].as_str().ok_or("a late result names its value")?;
            let outcome = self.outcome(text);
            if outcome != late {
                return Err(format!("late: {outcome}, recorded {late}"));
            }
        }
        Ok(())
    }

    /// Gives an operator's command and compares its answer.
    fn command(&mut self, line: &str, recorded: &Value) -> Result<(), String> {
        let number = self.perform(line)?;
        let began = self.now();
        let result = loop {
            if let Some(result) = self.timeline.world().command_result(number) {
                break result;
            }
            if self.now() - began > COMMAND_WAIT {
                return Err(format!("{line}: no answer"));
            }
            self.pass(Micros::from_ms(5));
        };
        let result = match result {
            ErrorCode::None => "ok",
            error => error.exception(),
        };
        match recorded.as_str() {
            Some(recorded) if recorded != result => {
                Err(format!("{line}: {result}, recorded {recorded}"))
            }
            _ => Ok(()),
        }
    }

    fn consume(&mut self, from: i64, recorded: &Value) -> Result<Micros, String> {
        self.perform(&format!("seek c1 t/0 {from}"))?;
        self.pass(Micros::from_secs(2));
        let clients = self.timeline.world().clients().iter();
        let reader = clients.filter_map(|c| match c {
            Client::Consumer(reader) => Some(reader),
            _ => None,
        });
        let mut got = Vec::new();
        for (_, batch) in reader.flat_map(|r| r.account.batches()) {
            for (i, record) in batch.records.iter().enumerate() {
                let value = &*self.timeline.tape().record(*record).value;
                got.push(json!([batch.base + i as i64, value]));
            }
        }
        let got = Value::from(got);
        if got != *recorded {
            return Err(format!("consume: {got}, recorded {recorded}"));
        }
        Ok(Micros::from_ms(200))
    }

    /// The state in the recorder's terms.
    fn state(&self) -> Map<String, Value> {
        let world = self.timeline.world();
        let mut state = Map::new();
        let image = world.controller().image();
        let Some((id, stored)) = self.partition().and_then(|p| Some((p, image.partition(p)?)))
        else {
            return state;
        };
        let list = |b: &Brokers| json!(b.iter().map(|b| b.0).collect::<Vec<_>>());
        let set = |b: &Brokers| list(&b.sorted());
        state.insert("leaderEpoch".into(), json!(stored.leader_epoch));
        state.insert("leader".into(), stored.leader.map_or(json!(-1), |b| json!(b.0)));
        state.insert("replicas".into(), list(&stored.replicas));
        state.insert("isr".into(), set(&stored.isr));
        state.insert("elr".into(), set(&stored.elr));
        state.insert("lastKnownElr".into(), set(&stored.last_known_elr));
        state.insert("adding".into(), set(&stored.adding));
        state.insert("removing".into(), set(&stored.removing));
        let leader = stored.leader.and_then(|b| world.broker(b)?.replicas.get(&id));
        if let Some((replica, leading)) = leader.and_then(|r| Some((r, r.leading()?))) {
            // Clients are not told an HW below the leader's epoch (R4.5): the recorder gave up.
            let known = replica.hw >= leading.epoch_start;
            let hw = if known { json!(replica.hw) } else { json!(ErrorCode::Timeout.exception()) };
            state.insert("hw".into(), hw);
        }
        let (mut logs, mut epochs, mut checkpoints) = (Map::new(), Map::new(), Map::new());
        for broker in world.brokers() {
            let name = broker.id.to_string();
            let replica = broker.replicas.get(&id);
            let entries = replica.map(|r| r.log.epochs().entries());
            let entries =
                entries.map(|all| all.iter().map(|e| json!([e.epoch, e.start])).collect());
            epochs.insert(name.clone(), entries.map_or(Value::Null, Value::Array));
            logs.insert(name.clone(), replica.map_or(Value::Null, |r| self.log_of(r)));
            if world.process_state(Node::Broker(broker.id)).0
                == highwater_core::sim::ProcessState::Up
                && let Some(hw) = broker.disk.hw.get(&id)
            {
                checkpoints.insert(name, json!(hw));
            }
        }
        state.insert("logs".into(), Value::Object(logs));
        state.insert("epochs".into(), Value::Object(epochs));
        state.insert("hwCheckpoint".into(), Value::Object(checkpoints));
        state
    }

    fn log_of(&self, replica: &highwater_core::replica::Replica) -> Value {
        let mut rows = Vec::new();
        for batch in replica.log.batches() {
            for (i, record) in batch.records.iter().enumerate() {
                let value = &*self.timeline.tape().record(*record).value;
                let mut row = vec![json!(batch.base + i as i64), json!(batch.epoch), json!(value)];
                if let Some(stamp) = &batch.producer {
                    row.extend([
                        json!(stamp.id),
                        json!(stamp.epoch),
                        json!(stamp.first_sequence + i as i32),
                    ]);
                }
                rows.push(Value::Array(row));
            }
        }
        Value::Array(rows)
    }

    /// The first field of the recorded state that is not so.
    fn compare(&mut self, recorded: &Map<String, Value>) -> Result<(), String> {
        let state = self.state();
        // Why the recorder saw nothing of the topic. It is no state, and then there is no other.
        if recorded.contains_key("error") && recorded.len() > 1 {
            return Err("a topic that could not be described, and its state".into());
        }
        for (field, wanted) in recorded.iter().filter(|(field, _)| *field != "error") {
            let own = state.get(field).unwrap_or(&Value::Null);
            let same = match field.as_str() {
                "isr" | "elr" | "lastKnownElr" | "adding" | "removing" => {
                    as_set(own) == as_set(wanted)
                }
                "leader" | "leaderEpoch" | "replicas" | "hw" => own == wanted,
                "logs" => self.same_logs(own, wanted),
                "epochs" | "hwCheckpoint" => {
                    let wanted = wanted.as_object().ok_or("a map of brokers")?;
                    wanted.iter().all(|(broker, value)| own[broker] == *value)
                }
                unknown => return Err(format!("unknown field {unknown}")),
            };
            if !same {
                return Err(format!("{field} is {own}, recorded {wanted}"));
            }
        }
        Ok(())
    }

    /// Producer ids are arbitrary: they are the same up to renaming.
    fn same_logs(&mut self, own: &Value, wanted: &Value) -> bool {
        let Some(wanted) = wanted.as_object() else { return false };
        wanted.iter().all(|(broker, rows)| match (&own[broker], rows) {
            (Value::Array(own), Value::Array(rows)) => {
                own.len() == rows.len()
                    && own.iter().zip(rows).all(|(a, b)| same_row(a, b, &mut self.producer_ids))
            }
            (own, rows) => own == rows,
        })
    }
}

fn same_row(own: &Value, wanted: &Value, ids: &mut BTreeMap<i64, i64>) -> bool {
    let (Some(own), Some(wanted)) = (own.as_array(), wanted.as_array()) else { return false };
    own.len() == wanted.len()
        && own.iter().zip(wanted).enumerate().all(|(i, (a, b))| match (i, a.as_i64(), b.as_i64()) {
            (3, Some(a), Some(b)) => *ids.entry(a).or_insert(b) == b,
            _ => a == b,
        })
}

fn as_set(value: &Value) -> BTreeSet<i64> {
    value.as_array().into_iter().flatten().filter_map(Value::as_i64).collect()
}

fn number(value: &Value) -> Result<i64, String> {
    value.as_i64().ok_or_else(|| format!("a number, not {value}"))
}

fn ids(value: &Value) -> Result<String, String> {
    let list = value.as_array().ok_or("a list of brokers")?;
    let ids: Result<Vec<String>, String> =
        list.iter().map(|v| number(v).map(|n| n.to_string())).collect();
    Ok(ids?.join(","))
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn plain(value: &Value) -> Result<String, String> {
    match value {
        Value::String(s) => Ok(s.clone()),
        Value::Bool(_) | Value::Number(_) => Ok(value.to_string()),
        other => Err(format!("a setting's value, not {other}")),
    }
}

fn assignments(settings: &Map<String, Value>) -> Result<String, String> {
    let mut text = String::new();
    for (name, value) in settings {
        let _ = write!(text, "{name}={} ", plain(value)?);
    }
    Ok(text.trim_end().to_string())
}

/// What tells one of the recorder's producers from another.
fn producer_key(produce: &Value) -> String {
    format!("{} {} {}", produce["acks"], produce["config"], produce["client"])
}

/// The head of the scenario: release, settings and the clients that the steps use.
fn header(trace: &Value) -> Result<(String, BTreeMap<String, String>), String> {
    let version = trace["kafka"].as_str().ok_or("no release")?;
    let release = Release::ALL
        .into_iter()
        .find(|r| is_of(version, *r))
        .ok_or_else(|| format!("no such release: {version}"))?;
    let mut text = format!("highwater 1\nkafka {release}\nbrokers {}\n", ids(&trace["brokers"])?);
    let settings = trace["settings"].as_object().ok_or("no settings")?;
    let _ = writeln!(text, "set {}", assignments(settings)?);
    if trace["mode"] == json!("zookeeper") {
        let _ = writeln!(text, "controller {ZOOKEEPER_CONTROLLER}");
    }
    if trace["elr"] == json!(false) && release >= Release::V4_1 {
        text.push_str("set eligible.leader.replicas.version=0\n");
    }
    let steps = trace["steps"].as_array().ok_or("no steps")?;
    let actions = || steps.iter().filter_map(|s| s["do"].as_array()).flatten();
    if release == Release::V0_11 {
        let retries = |produce: &Value| produce["config"]["enable.idempotence"] != Value::Null;
        if actions().any(|action| retries(&action["produce"])) {
            // Batches that are tried again go by `delivery.timeout.ms`, as those of later clients.
            text.push_str("rules batch-expiry=none\n");
        }
    }
    let mut producers = BTreeMap::new();
    for action in actions() {
        let produce = &action["produce"];
        if produce.is_null() || producers.contains_key(&producer_key(produce)) {
            continue;
        }
        let name = format!("p{}", producers.len() + 1);
        let mut config: BTreeMap<String, String> =
            PRODUCER.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
        // With ZooKeeper its requests have one record each.
        if trace["mode"] == json!("zookeeper") {
            config.insert("batch.size".into(), "0".into());
        }
        for (key, value) in produce["config"].as_object().into_iter().flatten() {
            config.insert(key.clone(), plain(value)?);
        }
        // The recorder's client is its own: what the release's client does not know has no effect.
        let own = |name: &str| {
            let spec = Key::named(name, Owner::Producer)?.spec();
            spec.default(release).map(|_| spec.name_in(release))
        };
        let config: Vec<String> =
            config.iter().filter_map(|(k, v)| Some(format!("{}={v}", own(k)?))).collect();
        let acks = plain(&produce["acks"])?;
        let _ = writeln!(text, "producer {name} topic=t acks={acks} {}", config.join(" "));
        producers.insert(producer_key(produce), name);
    }
    text.push_str("consumer c1 topic=t auto.offset.reset=none");
    let consumer_ages = Key::ConsumerMetadataMaxAgeMs.spec().default(release).is_some();
    text.push_str(if consumer_ages { " metadata.max.age.ms=1000\n" } else { "\n" });
    let create = actions().map(|a| &a["create"]).find(|c| !c.is_null()).ok_or("no topic")?;
    let empty = Map::new();
    let configs = assignments(create["configs"].as_object().unwrap_or(&empty))?;
    let _ =
        writeln!(text, "at {START} create t assignment={} {configs}", ids(&create["replicas"])?);
    Ok((text, producers))
}
