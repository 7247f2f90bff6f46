//! Whole clusters, played by the simulation: inputs become script lines.

mod look;
mod setup;

use super::controller::fenced;
use super::fields::Fields;
use super::{Bench, Outcome, common_op};
use highwater_core::audit::Answer;
use highwater_core::replica::Replica;
use highwater_core::sim::{ProcessState, Timeline};
use highwater_core::wire::metadata::PartitionState;
use highwater_core::words::{BrokerId, ErrorCode, Micros, Node, PartitionId, RecordId};
use serde_json::{Value, json};
use setup::PRODUCERS;

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
        // Each is a client of its own, which begins now and knows nothing from before.
        self.perform(&format!("crash {producer}"))?;
        self.perform(&format!("start {producer}"))?;
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
        self.seen(name, wanted)
    }
}
