//! What a producer is answered, and when (R2.6–R2.13).

use super::fields::Fields;
use super::leader::Seat;
use super::{Bench, Era, Outcome, common_op, unknown_field};
use highwater_core::log::{Batch, BatchKind, ProducerStamp, SequenceCheck};
use highwater_core::partition::acks;
use highwater_core::replica::purgatory::Purgatory;
use highwater_core::settings::rules::DeposedLeader;
use highwater_core::settings::{Key, Owner, Release};
use highwater_core::words::{BrokerId, Brokers, ErrorCode, Micros, RecordId};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

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
    let hosts = given.list("hosts")?;
    let topics = hosts.map(|h| h.iter().filter_map(|t| t.as_str().map(String::from)).collect());
    let silent = match given.text("broker")? {
        None => false,
        Some("accepts requests, handles none") => true,
        Some(other) => return Err(format!("unknown condition {other}")),
    };
    let seat = Seat::new(era, given)?;
    let ends = seat.replicas.iter().map(|b| (*b, seat.log.end())).collect();
    Ok(Box::new(Produced {
        seat,
        topics,
        topic_ends: BTreeMap::new(),
        silent,
        hosted: true,
        purgatory: Purgatory::default(),
        names: Vec::new(),
        replies: Map::new(),
        client: Map::new(),
        client_deadlines: Vec::new(),
        elapsed: Micros::ZERO,
        ends,
        acked_end: 0,
        closed: false,
    }))
}

/// A request that waits.
struct Parked {
    acks: i32,
    first: i64,
    required: i64,
}

struct Produced {
    seat: Seat,
    /// Topics that the broker hosts, if it matters.
    topics: Option<Vec<String>>,
    topic_ends: BTreeMap<String, i64>,
    /// The broker takes requests and does nothing.
    silent: bool,
    hosted: bool,
    purgatory: Purgatory<Parked>,
    /// Ids of requests, by number.
    names: Vec<String>,
    replies: Map<String, Value>,
    client: Map<String, Value>,
    client_deadlines: Vec<(String, Micros)>,
    elapsed: Micros,
    /// How far each replica's log is known to reach.
    ends: BTreeMap<BrokerId, i64>,
    acked_end: i64,
    closed: bool,
}

impl Produced {
    fn number(&mut self, id: &str) -> u32 {
        self.names.push(id.to_string());
        self.names.len() as u32 - 1
    }

    fn reply(&mut self, id: &str, error: ErrorCode, offset: i64) {
        let reply = json!({"error": error.constant(), "offset": offset});
        self.replies.insert(id.to_string(), reply.clone());
        self.client.insert(id.to_string(), reply);
    }

    /// Who waits for no answer learns of an error by the end of the connection.
    fn refuse(&mut self, id: &str, acks: i32, error: ErrorCode) {
        match acks {
            0 => self.closed = true,
            _ => self.reply(id, error, -1),
        }
    }

    /// Appends, or says why not (R2.6–R2.8).
    fn append(
        &mut self,
        acks: i32,
        n: i64,
        large: bool,
        stamp: Option<ProducerStamp>,
    ) -> Result<i64, ErrorCode> {
        if !acks::is_valid(self.seat.rules.acks, acks) {
            return Err(ErrorCode::InvalidRequiredAcks);
        }
        if !self.hosted {
            return Err(self.gone());
        }
        let leading = self.seat.leading.as_ref().ok_or(ErrorCode::NotLeaderOrFollower)?;
        acks::before_append(acks, leading.isr.len(), leading.min_isr)?;
        if large {
            return Err(ErrorCode::MessageTooLarge);
        }
        let first = self.seat.log.end();
        if n == 0 {
            return Ok(first);
        }
        if let Some(stamp) = &stamp {
            match self.seat.log.producers().check(self.seat.log.rules(), stamp, n as usize) {
                SequenceCheck::Next => {}
                SequenceCheck::Duplicate { first, .. } => return Ok(first),
                SequenceCheck::Refused(error) => return Err(error),
            }
        }
        let (epoch, now) = (self.seat.leader_epoch, self.seat.now);
        let records = (0..n).map(|i| RecordId((first + i) as u32)).collect();
        let kind = BatchKind::Plain;
        let batch = Batch {
            base: first,
            epoch,
            bytes: 1,
            producer: stamp,
            kind,
            records,
            appended: Micros::ZERO,
        };
        let limits = super::fields::NO_LIMITS;
        let appended = self.seat.log.append_as_leader(batch, epoch, limits, now);
        appended.map_err(|_| ErrorCode::Unknown)?;
        self.seat.advance_hw();
        Ok(first)
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
        let topic = input.text("topic")?;
        let stamp = match input.int("pid")? {
            None => None,
            Some(id) => Some(ProducerStamp {
                id,
                epoch: input.int_or("epoch", 0)? as i16,
                first_sequence: input.int_or("firstSeq", 0)? as i32,
            }),
        };
        let client_timeout = input.ms("clientTimeoutMs")?;
        let number = self.number(&id);
        if acks == 0 {
            // The client takes it for written once it is sent.
            self.client.insert(id.clone(), json!({"error": "NONE", "offset": -1}));
        } else if let Some(timeout) = client_timeout {
            self.client_deadlines.push((id.clone(), self.seat.now + timeout));
        }
        if self.silent {
            if acks != 0 {
                let parked = Parked { acks, first: -1, required: 0 };
                self.purgatory.park(number, Micros::NEVER, parked);
            }
            return Ok(());
        }
        if let (Some(topics), Some(topic)) = (&self.topics, topic) {
            // Topics of the same broker, each with a log of its own.
            let is_hosted = topics.iter().any(|t| t == topic);
            if !is_hosted {
                self.refuse(&id, acks, ErrorCode::UnknownTopicOrPartition);
                return Ok(());
            }
            let end = self.topic_ends.entry(topic.to_string()).or_insert(0);
            let first = core::mem::replace(end, *end + n);
            if acks != 0 {
                self.reply(&id, ErrorCode::None, first);
            }
            return Ok(());
        }
        match self.append(acks, n, large, stamp) {
            Err(error) => self.refuse(&id, acks, error),
            Ok(_) if acks == 0 => {}
            Ok(first) if !acks::waits(acks) => {
                self.acked_end = self.acked_end.max(first + n);
                self.reply(&id, ErrorCode::None, first);
            }
            Ok(first) => {
                let parked = Parked { acks, first, required: first + n };
                self.purgatory.park(number, self.seat.now + timeout, parked);
                self.check();
                self.expire();
            }
        }
        Ok(())
    }

    /// The partition exists, and not on this broker any more (R2.6, R2.10, R2.13).
    fn gone(&self) -> ErrorCode {
        match self.seat.rules.deposed_leader {
            DeposedLeader::LeavesWaiting => ErrorCode::UnknownTopicOrPartition,
            DeposedLeader::Answers => ErrorCode::NotLeaderOrFollower,
        }
    }

    /// Requests that can be answered now are (R2.10).
    fn check(&mut self) {
        if self.silent {
            return;
        }
        let decided = |parked: &Parked| -> Option<ErrorCode> {
            if !self.hosted {
                return Some(self.gone());
            }
            let Some(leading) = &self.seat.leading else {
                return Some(ErrorCode::NotLeaderOrFollower);
            };
            let standing = acks::Standing {
                hw: self.seat.hw,
                required: parked.required,
                isr_size: leading.maximal_isr().len(),
                min_isr: leading.min_isr,
                reached: leading.reached(parked.required),
            };
            acks::after_append(parked.acks, standing)
        };
        let done: Vec<(u32, ErrorCode)> =
            self.purgatory.iter().filter_map(|(n, parked)| Some((n, decided(parked)?))).collect();
        for (number, error) in done {
            self.answer(number, error);
        }
    }

    fn answer(&mut self, number: u32, error: ErrorCode) {
        let Some((_, parked)) = self.purgatory.leave(number) else { return };
        if error == ErrorCode::None {
            self.acked_end = self.acked_end.max(parked.required);
        }
        let name = self.names[number as usize].clone();
        self.reply(&name, error, parked.first);
    }

    fn advance(&mut self, time: Micros) {
        self.seat.pass(time);
        self.elapsed += time;
        self.expire();
        let now = self.seat.now;
        let late = self.client_deadlines.iter().filter(|(_, at)| *at <= now);
        let late: Vec<String> = late.map(|(id, _)| id.clone()).collect();
        for id in late {
            self.client.entry(id).or_insert(json!("timeout"));
        }
    }

    fn expire(&mut self) {
        for number in self.purgatory.late(self.seat.now) {
            self.answer(number, ErrorCode::RequestTimedOut);
        }
    }

    /// Another replica leads from now on, with the log that it has.
    fn elect(&mut self, leader: BrokerId) {
        let end = self.ends.get(&leader).copied().unwrap_or(0);
        self.seat.own = leader;
        self.seat.leading = None;
        self.seat.log.truncate_to(end, self.seat.now);
        self.seat.keep_hw(self.seat.hw);
        let epoch = self.seat.leader_epoch + 1;
        self.seat.begin(epoch, epoch, &Brokers::from_iter([leader]));
        self.seat.advance_hw();
    }

    fn is_safe_without(&self, broker: BrokerId) -> bool {
        let Some(leading) = &self.seat.leading else { return true };
        let others = leading.isr.iter().filter(|b| **b != broker);
        let has = |b: &&BrokerId| {
            let end = if **b == self.seat.own { self.seat.log.end() } else { self.ends[b] };
            end >= self.acked_end
        };
        others.filter(has).count() > 0
    }
}

impl Bench for Produced {
    fn act(&mut self, op: &str, input: &Fields<'_>) -> Result<Outcome, String> {
        self.replies.clear();
        self.closed = false;
        self.seat.begin_input();
        match op {
            "produce" => self.produce(input)?,
            "fetch" => {
                let from = input.need_broker("from")?;
                let outcome = self.seat.fetch(input)?;
                self.ends.insert(from, input.need("offset")?);
                self.check();
                return Ok(outcome);
            }
            "isr" => {
                let isr = input.brokers("isr")?.ok_or("no isr")?;
                self.seat.confirm_isr(&isr);
                self.check();
            }
            "leaderState" => {
                let led = self.seat.leading.is_some();
                self.seat.leader_state(input)?;
                let deposed = led && self.seat.leading.is_none();
                if !deposed || self.seat.rules.deposed_leader == DeposedLeader::Answers {
                    self.check();
                }
            }
            "deleteReplica" => {
                input.skip(&["broker"]);
                self.hosted = false;
                self.seat.leading = None;
                self.check();
            }
            "stop" | "kill" => {
                input.skip(&["clean"]);
                let broker = input.need_broker("broker")?;
                if op == "stop" && broker != self.seat.own {
                    self.seat.stops(broker);
                    self.check();
                }
            }
            "elect" => self.elect(input.need_broker("leader")?),
            "append" => {
                let epoch = input.int_or("epoch", self.seat.leader_epoch.into())? as i32;
                self.seat.append(input.int_or("n", 1)?, epoch)?;
                self.check();
            }
            "setHw" => {
                self.seat.keep_hw(input.need("to")?);
                self.check();
            }
            "advance" => self.advance(input.ms("ms")?.ok_or("no ms")?),
            other => return common_op(other, input),
        }
        Ok(Outcome::new())
    }

    fn look(&mut self, name: &str, wanted: &Value) -> Result<Value, String> {
        Ok(match name {
            "replies" => Value::Object(self.replies.clone()),
            "pending" => {
                self.purgatory.iter().map(|(n, _)| json!(self.names[n as usize])).collect()
            }
            "client" => Value::Object(self.client.clone()),
            // What was waited for has happened; it did not happen sooner.
            "notBeforeMs" => {
                let elapsed = self.elapsed.0 / 1000;
                match wanted.as_u64() {
                    Some(least) if least <= elapsed => wanted.clone(),
                    _ => json!(elapsed),
                }
            }
            "connection" => json!(if self.closed { "closed" } else { "open" }),
            other => match safe_without(other) {
                Some(broker) => json!(self.is_safe_without(broker)),
                None => return self.seat.look(other).map_or_else(|| unknown_field(other), Ok),
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
