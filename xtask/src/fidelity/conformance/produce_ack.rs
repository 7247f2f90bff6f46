//! What a producer is answered, and when (R2.6–R2.13).
//!
//! A real broker is asked by messages; what a client makes of its answers, a whole cluster says that
//! is played with the same requests.

mod clients;

use super::fields::{Fields, of_brokers};
use super::node::{Hosted, RealBroker};
use super::{Bench, Era, Outcome, common_op, unknown_field};
use clients::Clients;
use highwater_core::log::{BatchKind, ProducerStamp};
use highwater_core::partition::change::{Change, ChangeContext};
use highwater_core::partition::election::Election;
use highwater_core::partition::high_watermark::effective_min_isr;
use highwater_core::partition::{Stored, zk_change};
use highwater_core::replica::purgatory::Purgatory;
use highwater_core::settings::rules::Coordination;
use highwater_core::settings::{Key, Owner, Release};
use highwater_core::wire::message::{Body, FetchPart, FetchRequest, ProduceRequest, ProducerBatch};
use highwater_core::words::{
    BrokerId, Brokers, ClientId, ErrorCode, Micros, Node, PartitionId, RecordId,
};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

pub fn bench(era: &Era, given: &Fields<'_>) -> Result<Box<dyn Bench>, String> {
    if given.has("purgatory") {
        given.skip(&["purgatory"]);
        return Ok(Box::new(WaitingRoom::default()));
    }
    if let Some(client) = given.object("client")? {
        let acks = client.int("requiredAcks")?.or(client.int("acks")?).ok_or("no acks")?;
        client.finish()?;
        return Ok(Box::new(NewClient { release: era.release, acks }));
    }
    Ok(Box::new(Produced::new(era, given)?))
}

/// Size of a record that a broker takes.
const SMALL: u32 = 100;

struct Produced {
    era: Era,
    broker: RealBroker,
    topics: Vec<String>,
    min_isr: Option<i64>,
    /// Ids of requests, by number.
    names: Vec<String>,
    /// Numbers of requests that an answer is due to.
    waiting: BTreeSet<u16>,
    replies: Map<String, Value>,
    closed: bool,
    clients: Clients,
    elapsed: Micros,
    /// How far each follower's log is known to reach.
    ends: BTreeMap<BrokerId, i64>,
    required: BTreeMap<u16, i64>,
    acked_end: i64,
}

impl Produced {
    fn new(era: &Era, given: &Fields<'_>) -> Result<Produced, String> {
        let hosts = given.list("hosts")?;
        let topics = hosts.map(|h| h.iter().filter_map(|t| t.as_str().map(String::from)).collect());
        let topics: Vec<String> = topics.unwrap_or_else(|| vec!["t".into()]);
        let silent = match given.text("broker")? {
            None => false,
            Some("accepts requests, handles none") => true,
            Some(other) => return Err(format!("unknown condition {other}")),
        };
        let leader = given.need_broker("leader")?;
        let own = given.broker("self")?.unwrap_or(leader);
        let replicas = given.brokers("replicas")?.ok_or("no replicas")?;
        let isr = given.brokers("isr")?.unwrap_or(replicas);
        let leader_epoch = given.int_or("leaderEpoch", 0)? as i32;
        let partition_epoch = given.int_or("partitionEpoch", 0)? as i32;
        let leader = Some(leader);
        let stored = Stored { leader, leader_epoch, partition_epoch, ..Stored::new(replicas, isr) };
        let log = given.object_or_empty("log")?;
        let (hw, end) = (log.int_or("hw", 0)?, log.int_or("end", 0)?);
        log.finish()?;
        let min_isr = given.int("minIsr")?;
        let runs = vec![(leader_epoch, 0, end)];
        let hosted =
            |topic: &String| Hosted { topic: topic.clone(), stored, runs: runs.clone(), hw };
        let hosted: Vec<Hosted> = topics.iter().map(hosted).collect();
        let era = Era { ..*era };
        Ok(Produced {
            broker: RealBroker::new(&era, own, min_isr, &hosted)?,
            clients: Clients::new(era.release, own, &stored, silent),
            era,
            topics,
            min_isr,
            names: Vec::new(),
            waiting: BTreeSet::new(),
            replies: Map::new(),
            closed: false,
            elapsed: Micros::ZERO,
            ends: replicas.iter().map(|b| (*b, end)).collect(),
            required: BTreeMap::new(),
            acked_end: 0,
        })
    }

    /// What left the broker is heard by those whom it is for.
    fn hear(&mut self) {
        let left = self.broker.take_left();
        for (to, _, body) in left.sent {
            let (Node::Client(ClientId(number)), Body::ProduceResponse(parts)) = (to, body) else {
                continue;
            };
            self.waiting.remove(&number);
            let part = parts.first().map_or((ErrorCode::None, -1), |p| (p.error, p.first));
            if part.0 == ErrorCode::None {
                let end = self.required.get(&number).map_or(0, |n| part.1 + n);
                self.acked_end = self.acked_end.max(end);
            }
            let reply = json!({"error": part.0.constant(), "offset": part.1});
            self.replies.insert(self.names[usize::from(number)].clone(), reply);
        }
        self.closed |= left.closed.iter().any(|node| matches!(node, Node::Client(_)));
    }

    fn produce(&mut self, input: &Fields<'_>) -> Result<(), String> {
        let id = input.text("id")?.unwrap_or("a").to_string();
        let acks = input.int_or("acks", -1)? as i32;
        let n = input.int_or("n", 1)?;
        let timeout = input.ms("timeoutMs")?.unwrap_or(Micros::from_secs(30));
        let large = match input.text("size")? {
            None => false,
            Some("tooLarge") => true,
            Some(other) => return Err(format!("unknown size {other}")),
        };
        let producer = match input.int("pid")? {
            None => None,
            Some(id) => Some(ProducerStamp {
                id,
                epoch: input.int_or("epoch", 0)? as i16,
                first_sequence: input.int_or("firstSeq", 0)? as i32,
            }),
        };
        let wait = input.ms("clientTimeoutMs")?;
        self.clients.send(&id, acks, n, large, wait);
        let number = self.names.len() as u16;
        self.names.push(id);
        self.required.insert(number, n);
        if acks != 0 {
            self.waiting.insert(number);
        }
        if self.clients.silent {
            return Ok(());
        }
        // A topic that nobody hosts has the next number.
        let place = match input.text("topic")? {
            Some(name) => self.topics.iter().position(|t| t == name).unwrap_or(self.topics.len()),
            None => 0,
        };
        let partition = PartitionId(place as u32);
        let bytes = match large {
            true => self.largest(partition) + 1,
            false => SMALL,
        };
        let first = 1000 * u32::from(number);
        let records: Rc<[RecordId]> = (0..n as u32).map(|i| RecordId(first + i)).collect();
        let kind = BatchKind::Plain;
        let batch = ProducerBatch { partition, records, bytes, producer, kind };
        let batches = if n == 0 { Vec::new() } else { vec![batch] };
        let request = Body::Produce(Box::new(ProduceRequest { acks, timeout, batches }));
        self.broker.receive(Node::Client(ClientId(number)), u32::from(number), request);
        Ok(())
    }

    fn largest(&self, partition: PartitionId) -> u32 {
        let replica = self.broker.broker.replicas.get(&partition);
        replica.map_or(0, |r| r.settings.max_message_bytes) as u32
    }

    /// A follower's fetch. What it asks for it has.
    fn fetch(&mut self, from: BrokerId, offset: i64) {
        let part = FetchPart {
            partition: PartitionId(0),
            offset,
            leader_epoch: self.stored().leader_epoch,
            last_fetched_epoch: -1,
        };
        let request = FetchRequest {
            replica: Some((from, 1)),
            max_wait: Micros::ZERO,
            min_bytes: 1,
            max_bytes: i64::MAX,
            rack: 0,
            parts: vec![part],
        };
        self.ends.insert(from, offset);
        self.broker.receive(Node::Broker(from), 1, Body::Fetch(Box::new(request)));
    }

    fn stored(&self) -> Stored {
        self.broker.stored(PartitionId(0))
    }

    /// The controller stores something else. With ZooKeeper only a new leader epoch is heeded.
    fn store(&mut self, mut state: Stored) {
        let old = self.stored();
        state.partition_epoch = state.partition_epoch.max(old.partition_epoch + 1);
        if self.era.rules.coordination == Coordination::ZooKeeper {
            state.leader_epoch = state.leader_epoch.max(old.leader_epoch + 1);
        }
        self.broker.tell(PartitionId(0), state);
    }

    fn leader_state(&mut self, input: &Fields<'_>) -> Result<(), String> {
        let old = self.stored();
        let epoch = input.int_or("leaderEpoch", i64::from(old.leader_epoch) + 1)? as i32;
        let version = input.int_or("partitionEpoch", i64::from(old.partition_epoch) + 1)? as i32;
        self.store(Stored {
            leader: input.broker("leader")?,
            leader_epoch: epoch,
            partition_epoch: version,
            isr: input.brokers("isr")?.unwrap_or(old.isr),
            replicas: input.brokers("replicas")?.unwrap_or(old.replicas),
            ..old
        });
        Ok(())
    }

    /// A broker has stopped, and its controller takes it out of the ISR (R5.13, R5.28).
    fn stop(&mut self, broker: BrokerId) -> Result<(), String> {
        let old = self.stored();
        if old.leader == Some(broker) {
            return Err("the leader stops, and who is asked then?".into());
        }
        let rules = &self.era.rules;
        if rules.coordination == Coordination::ZooKeeper {
            if let Some(written) = zk_change::remove(rules, &old, broker, false) {
                self.store(written.state);
            }
            return Ok(());
        }
        let live = |b: BrokerId| b != broker;
        let min_isr = effective_min_isr(rules.min_isr, 1, old.replicas.len());
        let world = ChangeContext { rules, min_isr, acceptable: &live };
        let change = Change::fenced(&old, broker, Election::Online);
        let changed = change.map(|c| c.build(&old, &world)).transpose();
        let changed = changed.map_err(|error| error.constant().to_string())?.flatten();
        self.broker.shut_down(broker);
        if let Some(changed) = changed {
            self.store(changed.state);
        }
        Ok(())
    }

    /// Another replica leads from now on, with the log that it has.
    fn elect(&mut self, leader: BrokerId) -> Result<(), String> {
        let old = self.stored();
        let end = self.ends.get(&leader).copied().unwrap_or(0);
        let isr = Brokers::from_iter([leader]);
        let leader_epoch = old.leader_epoch + 1;
        let stored = Stored { leader: Some(leader), leader_epoch, isr, ..old };
        let runs = vec![(old.leader_epoch, 0, end)];
        let hosted = Hosted { topic: self.topics[0].clone(), stored, runs, hw: 0 };
        self.broker = RealBroker::new(&self.era, leader, self.min_isr, &[hosted])?;
        Ok(())
    }

    fn is_safe_without(&self, broker: BrokerId) -> bool {
        let stored = self.stored();
        let own = self.broker.broker.id;
        let own_end = self.broker.log(PartitionId(0)).map_or(0, |(log, _)| log.end());
        let end = |b: BrokerId| if b == own { own_end } else { self.ends[&b] };
        stored.isr.iter().any(|b| *b != broker && end(*b) >= self.acked_end)
    }
}

impl Bench for Produced {
    fn act(&mut self, op: &str, input: &Fields<'_>) -> Result<Outcome, String> {
        self.replies.clear();
        self.closed = false;
        match op {
            "produce" => self.produce(input)?,
            "fetch" => self.fetch(input.need_broker("from")?, input.need("offset")?),
            "isr" => {
                let isr = input.brokers("isr")?.ok_or("no isr")?;
                self.store(Stored { isr, ..self.stored() });
            }
            "leaderState" => self.leader_state(input)?,
            "deleteReplica" => {
                let old = self.stored();
                let own = input.broker("broker")?.unwrap_or(self.broker.broker.id);
                let (replicas, isr) = (old.replicas.without(own), old.isr.without(own));
                let (leader, leader_epoch) = (isr.first().copied(), old.leader_epoch + 1);
                self.store(Stored { replicas, isr, leader, leader_epoch, ..old });
            }
            "stop" | "kill" => {
                input.skip(&["clean"]);
                let broker = input.need_broker("broker")?;
                if op == "stop" {
                    self.stop(broker)?;
                }
            }
            "elect" => self.elect(input.need_broker("leader")?)?,
            "advance" => {
                let time = input.ms("ms")?.ok_or("no ms")?;
                self.elapsed += time;
                self.clients.pass(time);
                self.broker.pass(time);
            }
            other => return common_op(other, input),
        }
        self.hear();
        Ok(Outcome::new())
    }

    fn look(&mut self, name: &str, wanted: &Value) -> Result<Value, String> {
        Ok(match name {
            "replies" => Value::Object(self.replies.clone()),
            "pending" if self.clients.silent => self.clients.play()?.pending(),
            "pending" => self.waiting.iter().map(|n| json!(self.names[usize::from(*n)])).collect(),
            "client" => self.clients.play()?.seen(),
            // What was waited for has happened; it did not happen sooner.
            "notBeforeMs" => {
                let elapsed = self.elapsed.0 / 1000;
                match wanted.as_u64() {
                    Some(least) if least <= elapsed => wanted.clone(),
                    _ => json!(elapsed),
                }
            }
            "connection" => json!(if self.closed { "closed" } else { "open" }),
            "isr" => of_brokers(&self.stored().isr),
            "log" => self.broker.log(PartitionId(0)).map_or(
                Value::Null,
                |(log, hw)| json!({"start": log.start(), "end": log.end(), "hw": hw}),
            ),
            other => match safe_without(other) {
                Some(broker) => json!(self.is_safe_without(broker)),
                None => return unknown_field(other),
            },
        })
    }
}

/// `safeIf0Dies`.
fn safe_without(name: &str) -> Option<BrokerId> {
    name.strip_prefix("safeIf")?.strip_suffix("Dies")?.parse().ok().map(BrokerId)
}

/// The purgatory itself; requests wait for keys.
#[derive(Default)]
struct WaitingRoom {
    purgatory: Purgatory<Vec<u32>>,
    now: Micros,
    names: Vec<String>,
    keys: Vec<String>,
    satisfied: Vec<u32>,
}

impl WaitingRoom {
    fn place(list: &mut Vec<String>, name: &str) -> u32 {
        if let Some(known) = list.iter().position(|n| n == name) {
            return known as u32;
        }
        list.push(name.to_string());
        list.len() as u32 - 1
    }

    fn is_done(&self, id: u32) -> bool {
        self.purgatory.get(id).is_none()
    }
}

impl Bench for WaitingRoom {
    fn act(&mut self, op: &str, input: &Fields<'_>) -> Result<Outcome, String> {
        let mut outcome = Outcome::new();
        match op {
            "watch" => {
                let id = input.text("id")?.ok_or("no id")?;
                let key = input.text("key")?.ok_or("no key")?;
                let id = WaitingRoom::place(&mut self.names, id);
                let key = WaitingRoom::place(&mut self.keys, key);
                let done = self.satisfied.contains(&id);
                if !done {
                    let timeout = input.ms("timeoutMs")?.unwrap_or(Micros::NEVER);
                    match self.purgatory.get_mut(id) {
                        Some(keys) => keys.push(key),
                        None => self.purgatory.park(id, self.now + timeout, vec![key]),
                    }
                }
                input.skip(&["timeoutMs"]);
                outcome.insert("completed".into(), done.into());
            }
            "check" => {
                let key = input.text("key")?.ok_or("no key")?;
                let key = WaitingRoom::place(&mut self.keys, key);
                let done = |(id, keys): &(u32, &Vec<u32>)| {
                    keys.contains(&key) && self.satisfied.contains(id)
                };
                let done: Vec<u32> = self.purgatory.iter().filter(done).map(|(id, _)| id).collect();
                done.iter().for_each(|id| drop(self.purgatory.leave(*id)));
                outcome.insert("count".into(), done.len().into());
            }
            "satisfy" => {
                let id = input.text("id")?.ok_or("no id")?;
                let id = WaitingRoom::place(&mut self.names, id);
                self.satisfied.push(id);
            }
            "advance" => {
                self.now += input.ms("ms")?.ok_or("no ms")?;
                let expired = self.purgatory.late(self.now);
                expired.iter().for_each(|id| drop(self.purgatory.leave(*id)));
                outcome.insert("count".into(), expired.len().into());
            }
            other => return common_op(other, input),
        }
        Ok(outcome)
    }

    fn look(&mut self, name: &str, wanted: &Value) -> Result<Value, String> {
        match name {
            "completed" => {
                let all = self.names.iter().enumerate();
                Ok(Value::Object(
                    all.map(|(i, n)| (n.clone(), json!(self.is_done(i as u32)))).collect(),
                ))
            }
            "pending" => {
                let waiting = self.purgatory.iter();
                Ok(waiting.map(|(n, _)| json!(self.names[n as usize])).collect())
            }
            "notBeforeMs" => {
                let elapsed = self.now.0 / 1000;
                let held = wanted.as_u64().is_some_and(|least| least <= elapsed);
                Ok(if held { wanted.clone() } else { json!(elapsed) })
            }
            _ => unknown_field(name),
        }
    }
}

/// A producer that is made.
struct NewClient {
    release: Release,
    acks: i64,
}

impl Bench for NewClient {
    fn act(&mut self, op: &str, input: &Fields<'_>) -> Result<Outcome, String> {
        if op != "newProducer" {
            return common_op(op, input);
        }
        let (name, owner) = match self.release {
            Release::V0_8_2 => ("request.required.acks", Owner::ScalaProducer),
            _ => ("acks", Owner::Producer),
        };
        let acks = self.acks.to_string();
        let refused = Key::assign(name, &acks, owner, self.release).is_err();
        let error = if refused { "ILLEGAL_ARGUMENT" } else { "NONE" };
        Ok([("error".to_string(), json!(error))].into_iter().collect())
    }

    fn look(&mut self, name: &str, _: &Value) -> Result<Value, String> {
        unknown_field(name)
    }
}
