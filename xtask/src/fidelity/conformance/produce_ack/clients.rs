//! What clients make of it: the requests of a case, sent by real producers to a whole cluster.

use highwater_core::audit::Answer;
use highwater_core::partition::Stored;
use highwater_core::script;
use highwater_core::settings::Release;
use highwater_core::sim::Timeline;
use highwater_core::words::{BrokerId, ErrorCode, Micros, RecordId};
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// The cluster has been up for so long when the first request comes.
const START: Micros = Micros::from_secs(6);
/// For an answer to be there.
const MOMENT: Micros = Micros::from_ms(100);

/// A producer, which sends one request.
struct Sender {
    id: String,
    acks: i32,
    records: i64,
    large: bool,
    /// How long the application waits for an answer.
    wait: Option<Micros>,
    /// When it sends, from the start on.
    at: Micros,
}

pub struct Clients {
    release: Release,
    brokers: Vec<BrokerId>,
    broker: BrokerId,
    /// The broker takes requests and does nothing.
    pub silent: bool,
    senders: Vec<Sender>,
    elapsed: Micros,
}

/// How the requests have ended by now.
pub struct Ended(Vec<(String, Option<Value>, bool)>);

impl Clients {
    pub fn new(release: Release, broker: BrokerId, state: &Stored, silent: bool) -> Clients {
        let brokers = state.replicas.sorted().to_vec();
        Clients { release, brokers, broker, silent, senders: Vec::new(), elapsed: Micros::ZERO }
    }

    pub fn send(&mut self, id: &str, acks: i32, records: i64, large: bool, wait: Option<Micros>) {
        let id = id.to_string();
        self.senders.push(Sender { id, acks, records, large, wait, at: self.elapsed });
    }

    pub fn pass(&mut self, time: Micros) {
        self.elapsed += time;
    }

    /// Plays the requests so far. Each producer knows the leader before: it has sent a record.
    pub fn play(&self) -> Result<Ended, String> {
        let parsed = script::parse(&self.script()).map_err(|errors| errors[0].to_string())?;
        let mut timeline = Timeline::new(parsed).map_err(|e| format!("{:?}", e.0))?;
        timeline.run_until(START + self.elapsed + MOMENT);
        let audit = timeline.world().audit();
        let mut first = self.senders.len() as u32;
        let mut ended = Vec::new();
        for sender in &self.senders {
            let answer = audit.record(RecordId(first)).map(|r| r.answer);
            first += sender.records.max(1) as u32;
            let answer = match answer.ok_or("a record that was not sent")? {
                Answer::Acked(offset) => {
                    Some(json!({"error": ErrorCode::None.constant(), "offset": offset}))
                }
                Answer::Failed(error) => Some(json!({"error": error.constant(), "offset": -1})),
                _ => None,
            };
            let is_late = sender.wait.is_some_and(|wait| self.elapsed >= sender.at + wait);
            ended.push((sender.id.clone(), answer, is_late));
        }
        Ok(Ended(ended))
    }

    fn script(&self) -> String {
        let list: Vec<String> = self.brokers.iter().map(|b| b.to_string()).collect();
        let comma = if list.len() == 1 { "," } else { "" };
        let (release, list) = (self.release, list.join(","));
        let mut text = format!("highwater 1\nkafka {release}\nbrokers {list}{comma}\n");
        let _ = writeln!(text, "topic t assignment={list}");
        // Every record of this topic is too large.
        let _ = writeln!(text, "topic large assignment={list} max.message.bytes=10");
        for (i, sender) in self.senders.iter().enumerate() {
            let topic = if sender.large { "large" } else { "t" };
            let acks = if sender.acks == -1 { "all".into() } else { sender.acks.to_string() };
            let _ = write!(text, "producer p{i} topic={topic} acks={acks} retries=0 linger.ms=0");
            let modern = self.release > Release::V0_8_2;
            text.push_str(if modern { " enable.idempotence=false\n" } else { "\n" });
        }
        for i in 0..self.senders.len() {
            let _ = writeln!(text, "at 2s send p{i} \"first\"");
        }
        if self.silent {
            let _ = writeln!(text, "at 5s pause {}", self.broker);
        }
        for (i, sender) in self.senders.iter().enumerate() {
            let at = (START + sender.at).0 / 1000;
            let values = vec!["\"x\""; sender.records.max(1) as usize].join(" ");
            let _ = writeln!(text, "at {at}ms send p{i} {values}");
        }
        text
    }
}

impl Ended {
    /// Ids of requests that no answer has come to.
    pub fn pending(&self) -> Value {
        self.0.iter().filter(|(_, answer, _)| answer.is_none()).map(|(id, ..)| json!(id)).collect()
    }

    /// What each application has been told, or that it has waited long enough.
    pub fn seen(&self) -> Value {
        let seen = |(id, answer, is_late): &(String, Option<Value>, bool)| {
            let seen = answer.clone().or(is_late.then(|| json!("timeout")));
            seen.map(|seen| (id.clone(), seen))
        };
        Value::Object(self.0.iter().filter_map(seen).collect::<Map<_, _>>())
    }
}
