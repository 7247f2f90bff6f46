//! Whole clusters, played by the simulation: inputs become script lines.

use super::controller::{fenced, look_at};
use super::fields::{Fields, entries, of_broker, runs};
use super::{Bench, Era, Outcome, common_op, unknown_field};
use highwater_core::audit::Answer;
use highwater_core::log::Disk;
use highwater_core::replica::Replica;
use highwater_core::script;
use highwater_core::settings::Release;
use highwater_core::sim::{ProcessState, Timeline};
use highwater_core::wire::event::EventKind;
use highwater_core::wire::metadata::PartitionState;
use highwater_core::words::{BrokerId, BrokerList, ErrorCode, Micros, Node, PartitionId, RecordId};
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// The cluster has been up for so long when the first input comes.
const START: Micros = Micros::from_secs(6);
/// A look follows after so long.
const LOOK: Micros = Micros::from_ms(100);
/// The state must not change for so long before it is looked at.
const QUIET: Micros = Micros::from_secs(3);
/// Longer than any session, lag or retry.
const LONG: Micros = Micros::from_secs(60);
/// A record that is not written by then is given up, with its producer.
const PRODUCE_WAIT: Micros = Micros::from_secs(12);
/// A broker that is not heard of is down after this.
const SESSION: Micros = Micros::from_secs(20);
/// An operator's command is answered within this.
const COMMAND_WAIT: Micros = Micros::from_secs(10);
/// A leadership is handed over at once, or not at the first try.
const HANDOVER: Micros = Micros::from_secs(2);
/// Longer than between two checkpoints of the HW.
const CHECKPOINT: Micros = Micros::from_secs(6);
/// Producers, a fresh one for each produce.
const PRODUCERS: usize = 40;

/// What only whole brokers do.
const OF_BROKERS: [&str; 15] = [
    "produce",
    "stop",
    "start",
    "crash",
    "kill",
    "bounce",
    "restart",
    "waitIsr",
    "awaitIsr",
    "awaitHw",
    "waitDone",
    "loseCleanShutdownMark",
    "readAll",
    "settle",
    "checkpointHw",
];

/// Whether an input asks for whole brokers, or waits for what they do by themselves.
pub fn is_needed(inputs: &[Value]) -> bool {
    inputs.iter().any(|input| {
        let op = input["op"].as_str().unwrap_or_default();
        let waits = ["waitIsr", "waitDone"].iter().any(|flag| input[flag] == json!(true));
        OF_BROKERS.contains(&op) || waits
    })
}

/// What a case sets of a cluster.
#[derive(Default)]
pub struct Settings {
    pub min_isr: Option<i64>,
    pub unclean: Option<bool>,
    pub elr: bool,
    pub rebalance: bool,
    pub acks: &'static str,
    /// A switch that is set against the release.
    pub rules: Option<String>,
}

pub fn acks_of(given: &Fields<'_>) -> Result<&'static str, String> {
    match given.given("acks") {
        None => Ok(""),
        Some(value) => acks(value),
    }
}

fn acks(value: &Value) -> Result<&'static str, String> {
    match (value.as_str(), value.as_i64()) {
        (Some("all"), _) | (_, Some(-1)) => Ok("all"),
        (_, Some(1)) => Ok("1"),
        (_, Some(0)) => Ok("0"),
        _ => Err(format!("unknown acks {value}")),
    }
}

/// The switch for `given.protocol`.
pub fn truncation_switch(given: &Fields<'_>) -> Result<Option<String>, String> {
    let word = match given.text("protocol")? {
        None => return Ok(None),
        Some("fetch") => "fetch",
        Some("epochRequest") => "kip-279",
        Some("kip101") => "kip-101",
        Some("highWatermark") => "high-watermark",
        Some(other) => return Err(format!("unknown protocol {other}")),
    };
    Ok(Some(format!("truncation={word}")))
}

pub struct Played {
    timeline: Timeline,
    topic: &'static str,
    acks: &'static str,
    sent: usize,
    produces: usize,
    /// Whom the last input was about.
    touched: Option<BrokerId>,
    accepted: bool,
    /// How far the epochs that the case begins with are from the cluster's.
    first_epochs: (i32, i32),
}

impl Played {
    pub fn of_election(
        era: &Era,
        settings: &Settings,
        given: &Fields<'_>,
    ) -> Result<Played, String> {
        let partition = given.object("partition")?.ok_or("no partition")?;
        let state = super::controller::partition(&partition)?;
        let (mut brokers, mut down) = (state.replicas.clone(), BrokerList::new());
        if let Some(cluster) = given.object("cluster")? {
            brokers = brokers.union(&cluster.brokers_or_none("brokers")?);
            down = cluster.brokers_or_none("fenced")?;
            down = down.union(&cluster.brokers_or_none("shuttingDown")?);
            cluster.finish()?;
        }
        let mut played = Played::new(era, settings, &brokers, &state)?;
        played.bring_to(&state, &down)?;
        Ok(played)
    }

    pub fn of_replicas(
        era: &Era,
        settings: &Settings,
        given: &Fields<'_>,
    ) -> Result<Played, String> {
        let replicas = given.brokers("replicas")?.ok_or("no replicas")?;
        let leader = given.broker("leader")?.or(replicas.first().copied());
        let isr = given.brokers("isr")?.unwrap_or_else(|| replicas.clone());
        let mut records = 0;
        if let Some(log) = given.object("log")? {
            records = log.int_or("end", 0)?;
            if log.int_or("start", 0)? != 0 || log.int_or("hw", records)? != records {
                return Err("a cluster that starts with records that are not committed".into());
            }
            log.finish()?;
        }
        given.skip(&["entries", "logEnd", "minIsr", "elr", "unclean", "acks", "protocol"]);
        // The first replica leads a new partition.
        let first = leader.into_iter().collect::<BrokerList>();
        let ordered = first.union(&replicas);
        let state = PartitionState { leader, isr, replicas: ordered, ..PartitionState::default() };
        let mut played = Played::new(era, settings, &replicas.sorted(), &state)?;
        played.bring_to(&state, &BrokerList::new())?;
        if records > 0 {
            let input = json!({"n": records, "acks": "all", "asOneBatch": true});
            played.produce(&Fields::new(&input)?)?;
            played.settle();
        }
        Ok(played)
    }

    fn new(
        era: &Era,
        settings: &Settings,
        brokers: &[BrokerId],
        state: &PartitionState,
    ) -> Result<Played, String> {
        let release = era.release;
        let list = |ids: &[BrokerId]| {
            let ids: Vec<String> = ids.iter().map(|b| b.0.to_string()).collect();
            ids.join(",")
        };
        let mut text = format!("highwater 1\nkafka {release}\nbrokers {},\n", list(brokers));
        if brokers.len() > 1 {
            text = format!("highwater 1\nkafka {release}\nbrokers {}\n", list(brokers));
        }
        let mut rules: Vec<&str> = settings.rules.as_deref().into_iter().collect();
        if release == Release::V2_8 {
            // Kafka's tests write a move into ZooKeeper, as kafka-reassign-partitions --zookeeper
            // does: past the check of the admin API (R5.36).
            rules.push("reassignment-start=waits");
        }
        if !rules.is_empty() {
            let _ = writeln!(text, "rules {}", rules.join(" "));
        }
        let _ = writeln!(text, "set auto.leader.rebalance.enable={}", settings.rebalance);
        if settings.rebalance {
            text.push_str("set leader.imbalance.check.interval.seconds=2\n");
        }
        if release >= Release::V4_1 && !settings.elr {
            text.push_str("set eligible.leader.replicas.version=0\n");
        }
        let _ = write!(text, "topic t assignment={}", list(&state.replicas));
        if let Some(min) = settings.min_isr {
            let _ = write!(text, " min.insync.replicas={min}");
        }
        if let Some(unclean) = settings.unclean {
            let _ = write!(text, " unclean.leader.election.enable={unclean}");
        }
        text.push('\n');
        for i in 0..PRODUCERS {
            let _ = write!(text, "producer p{i} topic=t acks=1 retries=0 linger.ms=0");
            if release > Release::V0_8_2 {
                text.push_str(" enable.idempotence=false max.block.ms=10000");
            }
            text.push('\n');
        }
        let parsed = script::parse(&era.against.written_into(&text))
            .map_err(|errors| errors[0].to_string())?;
        let mut timeline = Timeline::new(parsed).map_err(|e| format!("{:?}", e.0))?;
        timeline.run_until(START);
        let acks = if settings.acks.is_empty() { "1" } else { settings.acks };
        let topic = "t";
        let accepted = false;
        let first_epochs = (0, 0);
        let (sent, produces, touched) = (0, 0, None);
        Ok(Played { timeline, topic, acks, sent, produces, touched, accepted, first_epochs })
    }

    /// From a new partition, which its first replica leads with all in sync, to the state that is
    /// given: with another leader, and with brokers down.
    fn bring_to(&mut self, given: &PartitionState, down: &BrokerList) -> Result<(), String> {
        let other = given.leader.filter(|l| given.replicas.first() != Some(l));
        if let Some(leader) = other {
            // It leads when all others are gone, and still does when they are back.
            let others = given.replicas.filtered(|b| b != leader);
            others.iter().try_for_each(|b| self.stop_cleanly(*b))?;
            others.iter().try_for_each(|b| self.start(*b))?;
        }
        down.iter().try_for_each(|b| self.stop_cleanly(*b))?;
        self.touched = None;
        let state = self.state()?;
        if state.leader != given.leader || !state.isr.same_set(&given.isr) {
            return Err("a cluster that does not come to such a leader and ISR".into());
        }
        let began = (state.leader_epoch, state.partition_epoch);
        self.first_epochs = (given.leader_epoch - began.0, given.partition_epoch - began.1);
        Ok(())
    }

    fn id(&self) -> Option<PartitionId> {
        self.timeline.world().partition_named(self.topic, 0)
    }

    fn state(&self) -> Result<&PartitionState, String> {
        let image = self.timeline.world().controller().image();
        self.id().and_then(|id| image.partition(id)).map(|s| &**s).ok_or("no partition".into())
    }

    fn replica(&self, broker: BrokerId) -> Option<&Replica> {
        self.timeline.world().broker(broker)?.replicas.get(&self.id()?)
    }

    fn leader(&self) -> Option<&Replica> {
        self.replica(self.state().ok()?.leader?)
    }

    /// The replica that "the log" means: the leader's, or that of the broker that was touched.
    fn log_of(&self) -> Option<&Replica> {
        let touched = self.touched.filter(|b| !self.is_up(*b));
        touched.and_then(|b| self.replica(b)).or_else(|| self.leader())
    }

    fn is_up(&self, broker: BrokerId) -> bool {
        let state = self.timeline.world().process_state(Node::Broker(broker)).0;
        matches!(state, ProcessState::Up | ProcessState::Paused)
    }

    fn perform(&mut self, line: &str) -> Result<u32, String> {
        let inserted = self.timeline.perform(line);
        let inserted = inserted.map_err(|e| format!("{line}: {}", e.0[0]))?;
        let now = self.timeline.world().now();
        self.timeline.run_until(now + Micros(1));
        Ok(inserted.line)
    }

    fn pass(&mut self, time: Micros) {
        let until = self.timeline.world().now() + time;
        self.timeline.run_until(until);
    }

    /// What changes when something happens.
    fn print(&self) -> String {
        let state = self.state().map(|s| format!("{s:?}")).unwrap_or_default();
        let logs = self.timeline.world().brokers().iter().map(|b| {
            let replica = self.id().and_then(|id| b.replicas.get(&id));
            replica.map(|r| (r.log.end(), r.hw, r.leader_epoch))
        });
        format!("{state} {:?}", logs.collect::<Vec<_>>())
    }

    /// Until nothing has changed for a while, or much time has passed.
    fn rest(&mut self) {
        let began = self.timeline.world().now();
        let (mut last, mut since) = (self.print(), began);
        while self.timeline.world().now() - since < QUIET {
            self.pass(LOOK);
            let (now, print) = (self.timeline.world().now(), self.print());
            if print != last {
                (last, since) = (print, now);
            }
            if now - began > LONG {
                return;
            }
        }
    }

    /// Until it comes to rest with everybody where it belongs.
    fn settle(&mut self) {
        self.rest();
        self.timeline.settle();
        self.rest();
    }

    fn command(&mut self, line: &str) -> Result<Outcome, String> {
        let number = self.perform(line)?;
        let began = self.timeline.world().now();
        loop {
            if let Some(error) = self.timeline.world().command_result(number) {
                self.rest();
                return Ok(super::result(match error {
                    ErrorCode::None => Ok(()),
                    error => Err(error),
                }));
            }
            if self.timeline.world().now() - began > COMMAND_WAIT {
                return Err(format!("{line}: no answer"));
            }
            self.pass(Micros::from_ms(5));
        }
    }

    fn produce(&mut self, input: &Fields<'_>) -> Result<(), String> {
        let values: Vec<String> = match input.text("value")? {
            Some(value) => vec![value.to_string()],
            None => {
                (0..input.int_or("n", 1)?).map(|i| format!("v{}", self.sent as i64 + i)).collect()
            }
        };
        let acks = input.given("acks").map_or(Ok(self.acks), acks)?;
        let one_batch = input.flag("asOneBatch", false)?;
        if self.produces == PRODUCERS {
            return Err("too many produces".into());
        }
        let producer = format!("p{}", self.produces);
        self.produces += 1;
        self.perform(&format!("set client {producer} acks={acks}"))?;
        let groups: Vec<&[String]> = match one_batch {
            true => vec![&values],
            false => values.chunks(1).collect(),
        };
        self.accepted = true;
        for group in groups {
            let quoted: Vec<String> = group.iter().map(|v| format!("\"{v}\"")).collect();
            let first = self.timeline.world().audit().len() as u32;
            self.perform(&format!("send {producer} {}", quoted.join(" ")))?;
            let began = self.timeline.world().now();
            let answer =
                |p: &Played| p.timeline.world().audit().record(RecordId(first)).map(|r| r.answer);
            while self.timeline.world().now() - began < PRODUCE_WAIT
                && !matches!(answer(self), Some(Answer::Acked(_) | Answer::Failed(_)))
            {
                self.pass(Micros::from_ms(10));
            }
            match answer(self) {
                Some(Answer::Acked(_)) => {}
                Some(Answer::Failed(_)) => self.accepted = false,
                _ => {
                    self.accepted = false;
                    self.perform(&format!("crash {producer}"))?;
                    break;
                }
            }
        }
        self.sent += values.len();
        Ok(())
    }

    fn stop(&mut self, input: &Fields<'_>, how: &str) -> Result<(), String> {
        let id = input.need_broker("broker")?;
        self.touched = Some(id);
        let crash = how != "stop" || input.flag("crash", false)?;
        input.skip(&["clean"]);
        self.perform(&format!("{} {id}", if crash { "crash" } else { "stop" }))?;
        if crash {
            self.pass(SESSION);
        }
        self.rest();
        self.pass_until_down(id);
        if let Some(lost) = input.int("loses")? {
            let end = self.replica(id).map_or(0, |r| r.log.end());
            self.perform(&format!("lose {id} t/0 from={}", (end - lost).max(0)))?;
        }
        Ok(())
    }

    fn stop_cleanly(&mut self, id: BrokerId) -> Result<(), String> {
        self.perform(&format!("stop {id}"))?;
        self.pass_until_down(id);
        Ok(())
    }

    fn pass_until_down(&mut self, id: BrokerId) {
        let began = self.timeline.world().now();
        while self.is_up(id) && self.timeline.world().now() - began < LONG {
            self.pass(LOOK);
        }
        self.rest();
    }

    fn start(&mut self, id: BrokerId) -> Result<(), String> {
        self.touched = Some(id);
        self.perform(&format!("start {id}"))?;
        // It may have to wait for the end of its former session.
        self.pass(Micros::from_secs(12));
        self.settle();
        Ok(())
    }

    fn bounce(&mut self, who: &str) -> Result<(), String> {
        let state = self.state()?;
        let leader = state.leader.ok_or("no leader")?;
        let id = match who {
            "leader" => leader,
            "follower" => state.replicas.iter().copied().find(|b| *b != leader).ok_or("alone")?,
            other => return Err(format!("unknown broker {other}")),
        };
        self.stop_cleanly(id)?;
        self.start(id)?;
        self.touched = None;
        Ok(())
    }

    fn await_hw(&mut self, id: BrokerId) {
        let began = self.timeline.world().now();
        let reached = |p: &Played| {
            let end = p.leader().map_or(-1, |l| l.log.end());
            p.replica(id).is_some_and(|r| r.hw == end)
        };
        while !reached(self) && self.timeline.world().now() - began < LONG {
            self.pass(LOOK);
        }
    }

    fn unclean_elections(&self) -> usize {
        let unclean = |e: &&highwater_core::wire::event::Event| {
            matches!(e.kind, EventKind::LeaderUnclean { .. } | EventKind::LeaderLastKnown { .. })
        };
        self.timeline.tape().events().iter().filter(unclean).count()
    }

    /// Offsets of records that no leader will ever have again.
    fn lost(&self) -> Vec<i64> {
        let audit = self.timeline.world().audit();
        let records = (0..audit.len()).filter_map(|i| audit.record(RecordId(i as u32)));
        records.filter(|r| r.flags.lost).filter_map(|r| r.offset).collect()
    }

    /// Values that a consumer gets from the leader.
    fn readable(&self) -> Vec<String> {
        let Some(leader) = self.state().ok().and_then(|s| s.leader).filter(|l| self.is_up(*l))
        else {
            return Vec::new();
        };
        let Some(replica) = self.replica(leader) else { return Vec::new() };
        let below = replica.log.batches().filter(|b| b.end() <= replica.hw);
        let records = below.flat_map(|b| b.records.iter());
        records.map(|r| self.timeline.tape().record(*r).value.to_string()).collect()
    }

    fn logs_equal(&self) -> bool {
        let contents = |b: &BrokerId| -> Option<Vec<(i64, i32, Vec<RecordId>)>> {
            let log = &self.replica(*b)?.log;
            Some(log.batches().map(|b| (b.base, b.epoch, b.records.to_vec())).collect())
        };
        let Ok(state) = self.state() else { return false };
        let mut all = state.replicas.iter().map(contents);
        let first = all.next().flatten();
        first.is_some() && all.all(|c| c == first)
    }

    fn seen(replica: &Replica) -> Value {
        json!({
            "start": replica.log.start(),
            "end": replica.log.end(),
            "hw": replica.hw,
            "runs": runs(&replica.log),
        })
    }

    /// An offset that a file of each broker names; a partition that no file names starts at 0.
    fn on_disk(
        &self,
        file: impl Fn(&Disk) -> &highwater_core::words::Map<PartitionId, i64>,
    ) -> Value {
        self.by_broker(|p, b| {
            let disk = p.timeline.world().broker(b).map(|b| &b.disk);
            let offset = disk.zip(p.id()).and_then(|(d, id)| file(d).get(&id).copied());
            json!(offset.unwrap_or(0))
        })
    }

    fn by_broker(&self, of: impl Fn(&Self, BrokerId) -> Value) -> Value {
        let brokers = self.timeline.world().brokers().iter();
        Value::Object(brokers.map(|b| (b.id.to_string(), of(self, b.id))).collect::<Map<_, _>>())
    }
}

impl Bench for Played {
    fn act(&mut self, op: &str, input: &Fields<'_>) -> Result<Outcome, String> {
        input.skip(&["wait", "waitIsr", "waitDone"]);
        match op {
            "produce" => {
                self.touched = None;
                self.produce(input)?;
                self.rest();
            }
            "stop" | "kill" | "crash" => self.stop(input, op)?,
            "start" => self.start(input.need_broker("broker")?)?,
            "restart" => {
                let id = input.need_broker("broker")?;
                let how = if input.flag("clean", true)? { "stop" } else { "crash" };
                self.perform(&format!("{how} {id}"))?;
                self.pass_until_down(id);
                self.start(id)?;
            }
            "bounce" => self.bounce(input.text("who")?.ok_or("no who")?)?,
            "controlledShutdown" => {
                let id = input.need_broker("broker")?;
                self.perform(&format!("stop {id}"))?;
                self.pass(HANDOVER);
                let leads = self.state()?.leader == Some(id);
                let remaining = json!(usize::from(leads));
                return Ok([("remaining".to_string(), remaining)].into_iter().collect());
            }
            "loseCleanShutdownMark" => {
                let id = input.need_broker("broker")?;
                let end = self.replica(id).map_or(0, |r| r.log.end());
                self.perform(&format!("lose {id} t/0 from={end}"))?;
            }
            // It is cut off until its session ends, and back.
            "fence" | "unfence" => {
                let line = if op == "fence" { "pause" } else { "resume" };
                for broker in &fenced(input)? {
                    self.perform(&format!("{line} {broker}"))?;
                    self.pass(SESSION);
                    self.rest();
                }
            }
            "effectiveMinIsr" => {
                let value = self.timeline.world().min_isr(self.state()?);
                return Ok([("value".to_string(), json!(value))].into_iter().collect());
            }
            "setUnclean" => {
                let value = input.flag("value", true)?;
                let line = format!("set topic t unclean.leader.election.enable={value}");
                let outcome = self.command(&line)?;
                self.settle();
                return Ok(outcome);
            }
            "setMinIsr" => {
                let value = input.need("value")?;
                return self.command(&format!("set topic t min.insync.replicas={value}"));
            }
            "electRequest" => {
                let kind = input.text("kind")?.ok_or("no kind")?;
                return self.command(&format!("elect {kind} t/0"));
            }
            "reassign" => {
                let target = input.brokers("target")?.ok_or("no target")?;
                let outcome = self.command(&format!("reassign t/0 {target}"))?;
                self.settle();
                return Ok(outcome);
            }
            "cancelReassign" => return self.command("reassign t/0 cancel"),
            "awaitHw" => self.await_hw(input.need_broker("broker")?),
            "checkpointHw" => self.pass(CHECKPOINT),
            "checkpointRecoveryPoints" => self.pass(LONG),
            "advance" => self.pass(input.ms("ms")?.ok_or("no ms")?),
            "waitIsr" | "awaitIsr" | "waitDone" | "settle" | "readAll" => {
                input.skip(&["broker"]);
                self.touched = None;
                self.settle();
            }
            other => return common_op(other, input),
        }
        Ok(Outcome::new())
    }

    fn look(&mut self, name: &str, wanted: &Value) -> Result<Value, String> {
        let state = self.state()?;
        if name == "leader" {
            // A stored leader that is down leads nobody (R5.2).
            return Ok(of_broker(state.leader.filter(|l| self.is_up(*l))));
        }
        match name {
            "leaderEpoch" => return Ok(json!(state.leader_epoch + self.first_epochs.0)),
            "partitionEpoch" => return Ok(json!(state.partition_epoch + self.first_epochs.1)),
            _ => {}
        }
        if let Some(value) = look_at(state, name) {
            return Ok(value);
        }
        let log = self.log_of();
        Ok(match name {
            "uncleanElections" => json!(self.unclean_elections()),
            "accepted" => json!(self.accepted),
            "readable" if wanted.is_number() => json!(self.readable().len()),
            "readable" => json!(self.readable()),
            "log" => log.map_or(Value::Null, Played::seen),
            "logs" => self.by_broker(|p, b| p.replica(b).map_or(Value::Null, Played::seen)),
            "ends" => self.by_broker(|p, b| json!(p.replica(b).map_or(-1, |r| r.log.end()))),
            "logsEqual" | "equal" => json!(self.logs_equal()),
            "hw" => log.map_or(Value::Null, |r| json!(r.hw)),
            "logEnd" => log.map_or(Value::Null, |r| json!(r.log.end())),
            "lastRecordEpoch" => {
                let last = log.and_then(|r| r.log.batches().next_back());
                json!(last.map_or(-1, |b| b.epoch))
            }
            "caches" => {
                let leader = self.state()?.leader;
                let followers = self.state()?.replicas.filtered(|b| Some(b) != leader);
                let of = |b: Option<BrokerId>| {
                    b.and_then(|b| self.replica(b)).map_or(Value::Null, |r| entries(&r.log))
                };
                json!({"leader": of(leader), "follower": of(followers.first().copied())})
            }
            "hwCheckpoint" => self.on_disk(|disk| &disk.hw),
            "checkpoint" => self.on_disk(|disk| &disk.recovery_point),
            "offsetsStrictlyIncrease" => {
                let bases: Vec<i64> =
                    log.iter().flat_map(|r| r.log.batches()).map(|b| b.base).collect();
                json!(bases.windows(2).all(|w| w[0] < w[1]))
            }
            "atLeast" => {
                let read = self.readable().len() as u64;
                match wanted.as_u64() {
                    Some(least) if read >= least => wanted.clone(),
                    _ => json!(read),
                }
            }
            "lost" if wanted.is_number() => json!(self.lost().len()),
            "lost" => json!(self.lost()),
            "error" => json!("NONE"),
            _ => return unknown_field(name),
        })
    }
}
