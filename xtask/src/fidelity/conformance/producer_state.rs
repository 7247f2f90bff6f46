//! What a log knows of producers and their transactions (R6.15–R6.17, section 8).

use super::fields::{Fields, NO_LIMITS, restart_log};
use super::{Bench, Era, Outcome, common_op, unknown_field};
use highwater_core::log::{
    Batch, BatchKind, Log, LogRules, ProducerSnapshots, ProducerStamp, ProducerStates,
};
use highwater_core::words::{ErrorCode, Micros, RecordId};
use serde_json::{Map, Value, json};

/// The sequence check alone, or a whole log.
enum Level {
    State { states: ProducerStates, snapshots: ProducerSnapshots },
    Log(Box<Log>),
}

pub struct Producers {
    rules: LogRules,
    level: Level,
    idle: Micros,
    /// How often a log looks for idle producers, if it does so by itself.
    check_period: Option<Micros>,
    now: Micros,
    hw: i64,
    /// Whom the last input was about.
    producer: i64,
}

impl Producers {
    pub fn new(era: &Era, given: &Fields<'_>) -> Result<Producers, String> {
        let rules = LogRules::of(&era.rules);
        let level = match given.text("level")? {
            None | Some("state") => {
                let (states, snapshots) = (ProducerStates::new(0), ProducerSnapshots::new(0));
                Level::State { states, snapshots }
            }
            Some("log") => Level::Log(Box::new(Log::new(0, rules, Micros::ZERO))),
            Some(other) => return Err(format!("unknown level {other}")),
        };
        let check_period = given.ms("expireCheckMs")?;
        let idle = given.ms("expireMs")?.unwrap_or(Micros::NEVER);
        let mut producers =
            Producers { rules, level, idle, check_period, now: Micros::ZERO, hw: 0, producer: -1 };
        let end = given.int_or("logEnd", 0)?;
        if let Level::Log(log) = &mut producers.level {
            super::fields::append_run(log, 0, 0, end)?;
        }
        Ok(producers)
    }

    fn states(&self) -> &ProducerStates {
        match &self.level {
            Level::State { states, .. } => states,
            Level::Log(log) => log.producers(),
        }
    }

    fn states_mut(&mut self) -> &mut ProducerStates {
        match &mut self.level {
            Level::State { states, .. } => states,
            Level::Log(log) => log.producers_mut(),
        }
    }

    fn snapshots(&self) -> Vec<i64> {
        match &self.level {
            Level::State { snapshots, .. } => snapshots.offsets().collect(),
            Level::Log(log) => log.snapshots().collect(),
        }
    }

    /// Puts a batch that has its offset.
    fn put(
        &mut self,
        batch: Batch,
    ) -> Result<Option<highwater_core::log::EndedTransaction>, String> {
        let now = self.now;
        match &mut self.level {
            Level::State { states, .. } => Ok(states.append(&self.rules, &batch, now)),
            Level::Log(log) => {
                let before = log.aborted().len();
                let appended = log.append_as_follower(batch, NO_LIMITS, now);
                appended.map_err(|e| format!("{e:?}"))?;
                Ok(log.aborted().get(before).copied())
            }
        }
    }

    fn append(&mut self, input: &Fields<'_>) -> Result<Outcome, String> {
        let from = input.text("from")?.unwrap_or("client");
        if let Some(at) = input.ms("at")? {
            self.now = at;
        }
        let (first_sequence, last) = (input.need("firstSeq")? as i32, input.need("lastSeq")?);
        let stamp = ProducerStamp {
            id: input.need("pid")?,
            epoch: input.need("epoch")? as i16,
            first_sequence,
        };
        self.producer = stamp.id;
        let end = self.states().end();
        let offset = input.int_or("offset", end)?;
        // Sequences wrap within 31 bits.
        let span = (last - i64::from(first_sequence)) & i64::from(i32::MAX);
        let span = if first_sequence < 0 { 0 } else { span };
        let count = input.int_or("lastOffset", offset + span)? - offset + 1;
        let transactional = input.flag("txn", false)?;
        let kind = if transactional { BatchKind::Transactional } else { BatchKind::Plain };
        let checked = match from {
            "client" => self.check(&stamp, count as usize),
            "coordinator" | "leader" => Ok(None),
            other => return Err(format!("unknown origin {other}")),
        };
        let replicated = from == "leader";
        let checked = match checked {
            Ok(None) if !replicated => self.states().validate_kind(stamp.id, &kind).map(|()| None),
            other => other,
        };
        let mut outcome = Outcome::new();
        let (result, first, last) = match checked {
            Err(error) => (error.constant(), -1, -1),
            Ok(Some((first, last))) => ("duplicate", first, last),
            Ok(None) => {
                let records = (0..count).map(|i| RecordId((offset + i) as u32)).collect();
                let batch = Batch {
                    base: offset,
                    epoch: 0,
                    bytes: 1,
                    producer: Some(stamp),
                    kind,
                    records,
                    appended: self.now,
                };
                self.put(batch)?;
                ("ok", offset, offset + count - 1)
            }
        };
        outcome.insert("result".into(), result.into());
        outcome.insert("first".into(), first.into());
        outcome.insert("last".into(), last.into());
        Ok(outcome)
    }

    /// A repeat is found in the log; the state alone knows only what fits.
    fn check(&self, stamp: &ProducerStamp, count: usize) -> Result<Option<(i64, i64)>, ErrorCode> {
        if let Level::Log(log) = &self.level {
            let window = self.rules.remembered_batches;
            if let Some(known) = log.producers().repeated(window, stamp, count) {
                return Ok(Some(known));
            }
        }
        self.states().validate(&self.rules, stamp, count).map(|()| None)
    }

    fn marker(&mut self, input: &Fields<'_>) -> Result<Outcome, String> {
        let (id, epoch) = (input.need("pid")?, input.need("epoch")? as i16);
        self.producer = id;
        let aborted = match input.text("kind")?.ok_or("no kind")? {
            "abort" => true,
            "commit" => false,
            other => return Err(format!("unknown kind {other}")),
        };
        let coordinator_epoch = input.int_or("coordinatorEpoch", 0)? as i32;
        let end = self.states().end();
        let base = input.int_or("offset", end)?;
        let replicated = match input.text("from")? {
            None | Some("coordinator") => false,
            Some("leader") => true,
            Some(other) => return Err(format!("unknown origin {other}")),
        };
        if let Some(at) = input.ms("at")? {
            self.now = at;
        }
        let mut outcome = Outcome::new();
        let checked = self.states().validate_marker(id, epoch, coordinator_epoch);
        if let (Err(error), false) = (checked, replicated) {
            outcome.insert("result".into(), error.constant().into());
            return Ok(outcome);
        }
        let open = self.states().view(id).and_then(|v| v.transaction);
        let ended = self.put(marker(id, epoch, base, aborted, coordinator_epoch))?;
        outcome.insert("result".into(), "ok".into());
        let completed = ended.map(|t| t.first).or(open).map_or(Value::Null, |first| {
            let last = base;
            json!({"first": first, "last": last, "aborted": aborted, "pid": id})
        });
        outcome.insert("completed".into(), completed);
        let stable = self.states().first_undecided().unwrap_or(base + 1);
        outcome.insert("lsoIfStable".into(), stable.into());
        Ok(outcome)
    }

    fn reload(&mut self, input: &Fields<'_>) -> Result<(), String> {
        let (start, end) = (input.need("start")?, input.need("end")?);
        if let Some(now) = input.ms("now")? {
            self.now = now;
        }
        let (now, idle) = (self.now, self.idle);
        let fresh = input.flag("fresh", false)?;
        let Level::State { states, snapshots } = &mut self.level else {
            return Err("a log reloads by itself".into());
        };
        if fresh {
            // A new process knows nothing but the files.
            *states = ProducerStates::new(0);
        }
        snapshots.reload(&self.rules, states, start, end, now, idle);
        Ok(())
    }

    fn snapshot(&mut self) {
        match &mut self.level {
            Level::State { states, snapshots } => snapshots.take(states),
            Level::Log(log) => log.take_snapshot(),
        }
    }

    fn keep_snapshots(&mut self, keep: impl Fn(i64) -> bool) {
        match &mut self.level {
            Level::State { snapshots, .. } => snapshots.retain(keep),
            Level::Log(log) => log.retain_snapshots(keep),
        }
    }

    fn expire(&mut self) {
        let (now, idle) = (self.now, self.idle);
        self.states_mut().expire(now, idle);
    }

    /// Time passes, and with it the checks that are due.
    fn pass(&mut self, time: Micros) {
        let until = self.now + time;
        if let Some(period) = self.check_period.filter(|period| *period > Micros::ZERO) {
            let mut next = Micros((self.now.0 / period.0 + 1) * period.0);
            while next <= until {
                self.now = next;
                self.expire();
                next += period;
            }
        }
        self.now = until;
    }

    fn restart(&mut self, input: &Fields<'_>) -> Result<(), String> {
        match &mut self.level {
            Level::State { states, snapshots } => {
                let start = input.need("offset")?;
                *states = ProducerStates::new(start);
                *snapshots = ProducerSnapshots::new(start);
            }
            Level::Log(log) => drop(restart_log(log, input, self.now)?),
        }
        Ok(())
    }
}

/// The end of a transaction, as a batch.
pub fn marker(id: i64, epoch: i16, base: i64, aborted: bool, coordinator_epoch: i32) -> Batch {
    let stamp = ProducerStamp { id, epoch, first_sequence: -1 };
    Batch {
        base,
        epoch: 0,
        bytes: 1,
        producer: Some(stamp),
        kind: BatchKind::Marker { aborted, coordinator_epoch },
        records: [RecordId(base as u32)].into(),
        appended: Micros::ZERO,
    }
}

/// Batches of `[producer, first, end)`: a producer's id, `abortN` or `commitN` for the end of its
/// transaction, or null for a producer without one.
pub fn batches_of(runs: &[Value]) -> Result<Vec<Batch>, String> {
    let mut sequences: std::collections::BTreeMap<i64, i32> = Default::default();
    let mut batches = Vec::new();
    for run in runs {
        let part = |i: usize| run[i].as_i64().ok_or_else(|| format!("a run, not {run}"));
        let (first, end) = (part(1)?, part(2)?);
        let producer = match &run[0] {
            Value::Null => None,
            Value::Number(id) => id.as_i64(),
            Value::String(text) => {
                let kinds = [("abort", true), ("commit", false)];
                let known = kinds.iter().find_map(|(k, a)| Some((text.strip_prefix(k)?, *a)));
                let (id, aborted) = known.ok_or_else(|| format!("unknown marker {text}"))?;
                let id = id.parse().map_err(|_| format!("unknown marker {text}"))?;
                batches.push(marker(id, 0, first, aborted, 0));
                continue;
            }
            other => return Err(format!("unknown producer {other}")),
        };
        let records = (first..end).map(|o| RecordId(o as u32)).collect();
        let (stamp, kind) = match producer {
            None => (None, BatchKind::Plain),
            Some(id) => {
                let next = sequences.entry(id).or_insert(0);
                let first_sequence = core::mem::replace(next, *next + (end - first) as i32);
                let stamp = ProducerStamp { id, epoch: 0, first_sequence };
                (Some(stamp), BatchKind::Transactional)
            }
        };
        batches.push(Batch {
            base: first,
            epoch: 0,
            bytes: 1,
            producer: stamp,
            kind,
            records,
            appended: Micros::ZERO,
        });
    }
    Ok(batches)
}

/// Aborted transactions.
pub fn aborted(log: &Log) -> Value {
    let all = log.aborted().iter();
    all.map(|t| json!({"pid": t.producer, "first": t.first, "last": t.last, "lso": t.stable}))
        .collect()
}

/// What is known of a producer.
pub fn known(states: &ProducerStates, id: i64) -> Value {
    states.view(id).map_or(Value::Null, |v| {
        json!({
            "epoch": v.epoch,
            "firstSeq": v.first_sequence,
            "lastSeq": v.last_sequence,
            "firstOffset": v.first,
            "lastOffset": v.last,
            "txnStart": v.transaction,
            "coordinatorEpoch": v.coordinator_epoch,
        })
    })
}

impl Bench for Producers {
    fn act(&mut self, op: &str, input: &Fields<'_>) -> Result<Outcome, String> {
        match op {
            "append" => return self.append(input),
            "marker" => return self.marker(input),
            "appendPlain" => {
                let end = self.states().end();
                for offset in end..end + input.need("n")? {
                    self.put(super::fields::record(0, offset))?;
                }
            }
            "appendRuns" => {
                input.skip(&["from"]);
                for batch in batches_of(input.list("runs")?.ok_or("no runs")?)? {
                    self.put(batch)?;
                }
            }
            "verify" => {
                self.producer = input.need("pid")?;
                let (sequence, epoch) = (input.need("seq")? as i32, input.need("epoch")? as i16);
                let producer = self.producer;
                let now = self.now;
                match &mut self.level {
                    Level::State { states, .. } => {
                        states.begin_verification(producer, sequence, epoch, now);
                    }
                    Level::Log(log) => log.begin_verification(producer, sequence, epoch, now),
                }
            }
            "expire" => self.expire(),
            "advance" => self.pass(input.ms("ms")?.ok_or("no ms")?),
            "snapshot" => self.snapshot(),
            "reload" => self.reload(input)?,
            "deleteSnapshotsBefore" => {
                let offset = input.need("offset")?;
                self.keep_snapshots(|o| o >= offset);
            }
            "dropSnapshots" => self.keep_snapshots(|_| false),
            "truncateTo" => {
                let to = input.need("offset")?;
                let now = self.now;
                match &mut self.level {
                    Level::Log(log) => drop(log.truncate_to(to, now)),
                    Level::State { states, snapshots } => {
                        snapshots.reload(&self.rules, states, 0, to, now, self.idle);
                    }
                }
            }
            "truncateAllStartAt" => self.restart(input)?,
            "setHw" => {
                self.hw = input.need("to")?;
                let hw = self.hw;
                self.states_mut().take_hw(hw);
            }
            other => return common_op(other, input),
        }
        Ok(Outcome::new())
    }

    fn look(&mut self, name: &str, wanted: &Value) -> Result<Value, String> {
        let states = self.states();
        Ok(match name {
            "producer" => known(states, self.producer),
            "producers" => {
                let ids = states.active().collect::<Vec<_>>().into_iter();
                Value::Object(
                    ids.map(|id| (id.to_string(), known(states, id))).collect::<Map<_, _>>(),
                )
            }
            "active" => json!(states.active().collect::<Vec<_>>()),
            "mapEnd" => json!(states.end()),
            "snapshots" => json!(self.snapshots()),
            "latestSnapshot" => json!(self.snapshots().last()),
            "undecided" => json!(states.first_undecided()),
            "unstable" => json!(states.first_unstable()),
            "verification" => match states.verification(self.producer) {
                Some(v) => json!({"lowestSeq": v.lowest_sequence, "epoch": v.epoch}),
                None => Value::Null,
            },
            "aborted" => match &self.level {
                Level::Log(log) => aborted(log),
                Level::State { .. } => return Err("a log has aborted transactions".into()),
            },
            "logEnd" | "logStart" => match &self.level {
                Level::Log(log) if name == "logEnd" => json!(log.end()),
                Level::Log(log) => json!(log.start()),
                Level::State { .. } => return Err("there is no log".into()),
            },
            "completed" if wanted.is_null() => Value::Null,
            _ => return unknown_field(name),
        })
    }
}
