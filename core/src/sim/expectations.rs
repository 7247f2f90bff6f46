//! `expect` lines: what a scenario says that should be seen.

use super::client::Client;
use super::outcome::Outcome;
use super::tape::Tape;
use super::world::{ProcessState, World};
use crate::audit::ProducerCounts;
use crate::broker::Phase;
use crate::replica::Role;
use crate::script::{Expectation, PartitionName, Relation, Subject};
use crate::words::{BrokerId, Brokers, ClientId, ErrorCode, Micros, Node, PartitionId};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

impl World {
    /// Judges what was expected at a moment that is over.
    pub(super) fn judge_before(&mut self, at: Micros, tape: &Tape) {
        self.judge(tape, |expected| expected < at);
    }

    /// Judges what is expected up to now.
    pub(super) fn judge_until_now(&mut self, tape: &Tape) {
        let now = self.now;
        self.judge(tape, |expected| expected <= now);
    }

    fn judge(&mut self, tape: &Tape, due: impl Fn(Micros) -> bool) {
        let setup = self.setup.clone();
        let judged = self.judged();
        for line in setup.expectations.iter().skip(judged).take_while(|e| due(e.at)) {
            for (place, expected) in line.expected.iter().enumerate() {
                let actual = self.actual(expected, tape);
                self.outcomes.push(Outcome {
                    at: line.at,
                    line: line.line,
                    place: place as u32,
                    held: holds(expected, &actual),
                    actual,
                });
            }
        }
    }

    /// Whether all of these hold now.
    pub fn meets(&self, expected: &[Expectation], tape: &Tape) -> bool {
        expected.iter().all(|each| holds(each, &self.actual(each, tape)))
    }

    /// How many lines were judged.
    fn judged(&self) -> usize {
        self.outcomes.iter().filter(|o| o.place == 0).count()
    }

    fn actual(&self, expected: &Expectation, tape: &Tape) -> String {
        let field = expected.field.as_str();
        match &expected.subject {
            Subject::Partition(name) => self.partition_field(name, field),
            Subject::Replica(name, broker) => self.replica_field(name, *broker, field, tape),
            Subject::Broker(id) => self.broker_field(*id, field),
            Subject::Client(name) => match self.setup.client(name) {
                Some(id) => self.client_field(id, field, tape),
                None => String::from("?"),
            },
            Subject::Records => self.records_field(field),
        }
    }

    fn named(&self, name: &PartitionName) -> Option<PartitionId> {
        self.partition_named(&name.topic, name.partition)
    }

    fn partition_field(&self, name: &PartitionName, field: &str) -> String {
        let image = self.controller.image();
        let state = self.named(name).and_then(|id| Some((id, image.partition(id)?)));
        let Some((id, state)) = state else { return String::from("?") };
        let leader = state.leader.and_then(|b| self.broker(b)?.replicas.get(&id));
        match field {
            "leader" => state.leader.map_or(String::from("none"), |b| b.to_string()),
            "isr" => list(&state.isr),
            "elr" => list(&state.elr),
            "last-known-elr" => list(&state.last_known_elr),
            "replicas" => list(&state.replicas),
            "adding" => list(&state.adding),
            "removing" => list(&state.removing),
            "hw" => leader.map_or(-1, |r| r.hw).to_string(),
            "leo" => leader.map_or(-1, |r| r.log.end()).to_string(),
            "leader-epoch" => state.leader_epoch.to_string(),
            "partition-epoch" => state.partition_epoch.to_string(),
            "min-isr-met" => yes_no(state.isr.len() >= self.controller.min_isr(state)).to_string(),
            _ => String::from("?"),
        }
    }

    fn replica_field(
        &self,
        name: &PartitionName,
        broker: BrokerId,
        field: &str,
        tape: &Tape,
    ) -> String {
        let broker = self.broker(broker);
        let id = self.named(name);
        let replica = broker.zip(id).and_then(|(b, id)| Some((b, id, b.replicas.get(&id)?)));
        let Some((broker, id, replica)) = replica else { return String::from("none") };
        match field {
            "leo" => replica.log.end().to_string(),
            "hw" if broker.is_up() => replica.hw.to_string(),
            "hw" => broker.disk.loaded_hw(id, &replica.log).to_string(),
            "role" => match replica.role {
                Role::Leader(_) => "leader",
                Role::Follower(_) => "follower",
                Role::Idle => "none",
            }
            .to_string(),
            "epochs" => {
                let entries = replica.log.epochs().entries().iter();
                let all: Vec<String> =
                    entries.map(|e| format!("{}:{}", e.epoch, e.start)).collect();
                if all.is_empty() { String::from("none") } else { all.join(",") }
            }
            "log" => {
                let records = replica.log.batches().flat_map(|b| b.records.iter());
                joined(records.map(|id| &*tape.record(*id).value))
            }
            "flushed" => replica.log.flushed().to_string(),
            "recovery-point" => broker.disk.loaded_recovery_point(id).to_string(),
            _ => String::from("?"),
        }
    }

    fn broker_field(&self, id: BrokerId, field: &str) -> String {
        match field {
            "state" => self.broker_state_name(id).to_string(),
            "fenced" => {
                let known = self.controller.image().brokers.get(&id);
                yes_no(known.is_none_or(|b| b.fenced)).to_string()
            }
            _ => String::from("?"),
        }
    }

    fn broker_state_name(&self, id: BrokerId) -> &'static str {
        let phase = self.broker(id).and_then(|b| b.process.as_ref()).map(|p| p.phase);
        match (self.process_state(Node::Broker(id)).0, phase) {
            (ProcessState::Up, Some(Phase::Running | Phase::Stopping)) => "running",
            (ProcessState::Up, _) => "starting",
            (ProcessState::Paused, _) => "paused",
            (ProcessState::Crashed, _) => "crashed",
            (ProcessState::PoweredOff, _) => "powered-off",
            (ProcessState::Stopped, _) => "stopped",
        }
    }

    /// Counts of one producer's records.
    pub fn producer_counts(&self, id: ClientId) -> ProducerCounts {
        self.audit.of_producer(id)
    }

    fn client_field(&self, id: ClientId, field: &str, tape: &Tape) -> String {
        let error = |e: ErrorCode| match e {
            ErrorCode::None => String::from("none"),
            e => e.constant().to_string(),
        };
        match &self.clients[id.0 as usize] {
            Client::Producer(sender) => {
                let counts = self.producer_counts(id);
                match field {
                    "error" => error(sender.producer.last_error()),
                    "sent" => counts.sent.to_string(),
                    "acked" => counts.acked.to_string(),
                    "failed" => counts.failed.to_string(),
                    "refused" => counts.refused.to_string(),
                    "pending" => counts.pending.to_string(),
                    _ => String::from("?"),
                }
            }
            Client::Consumer(reader) => {
                let account = &reader.account;
                let records = || account.batches().flat_map(|(_, b)| b.records.iter());
                match field {
                    "error" => error(reader.consumer.last_error),
                    "read" => account.count.to_string(),
                    "values" => joined(records().map(|id| &*tape.record(*id).value)),
                    "position" => {
                        let first = reader.consumer.positions().values().next();
                        first.and_then(|p| p.offset).unwrap_or(-1).to_string()
                    }
                    "duplicates" => account.duplicates.to_string(),
                    "skipped" => account.skipped.to_string(),
                    _ => String::from("?"),
                }
            }
            Client::Operator(_) => String::from("?"),
        }
    }

    fn records_field(&self, field: &str) -> String {
        let counts = self.audit.counts();
        let value = match field {
            "sent" => counts.sent,
            "acked" => counts.acked,
            "committed" | "visible" => counts.committed,
            "lost" => counts.lost,
            "acked-lost" => counts.acked_lost,
            "duplicated" => counts.duplicated,
            "reordered" => counts.reordered,
            "refused" => counts.refused,
            "timed-out" => counts.timed_out,
            _ => return String::from("?"),
        };
        value.to_string()
    }
}

fn list(brokers: &Brokers) -> String {
    if brokers.is_empty() { String::from("none") } else { brokers.sorted().to_string() }
}

fn joined<'a>(values: impl Iterator<Item = &'a str>) -> String {
    let all: Vec<&str> = values.collect();
    if all.is_empty() { String::from("none") } else { all.join(" ") }
}

fn yes_no(yes: bool) -> &'static str {
    if yes { "yes" } else { "no" }
}

/// Whether two lists with commas have the same members, in whatever order.
fn same_list(a: &str, b: &str) -> bool {
    let members = |list| str::split(list, ',').map(str::trim);
    let count = |list, member| members(list).filter(|m| *m == member).count();
    members(a).count() == members(b).count()
        && members(a).all(|member| count(a, member) == count(b, member))
}

fn holds(expected: &Expectation, actual: &str) -> bool {
    let number = |s: &str| s.parse::<i64>().ok();
    let same = || {
        let nothing = |s: &str| s.is_empty() || s == "none";
        let value = expected.value.as_str();
        actual == value || same_list(actual, value) || (nothing(actual) && nothing(value))
    };
    match expected.relation {
        Relation::Is => same(),
        Relation::IsNot => !same(),
        Relation::AtLeast => number(actual) >= number(&expected.value) && number(actual).is_some(),
        Relation::AtMost => number(actual) <= number(&expected.value) && number(actual).is_some(),
    }
}
