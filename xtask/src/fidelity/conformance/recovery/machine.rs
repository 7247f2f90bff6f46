//! What a broker has on its disk: logs, and the files beside them.

use super::given::{ONLY, Offsets, clean_marks, partitions, roll_if_full};
use crate::fidelity::conformance::fields::{Fields, NO_LIMITS, append_run, entries, restart_log};
use crate::fidelity::conformance::producer_state::{aborted, known, marker};
use crate::fidelity::conformance::{Bench, Era, Outcome, common_op, unknown_field};
use highwater_core::log::{
    Batch, BatchKind, CleanMark, Log, LogRules, ProducerStamp, broker_epoch_of, may_mark_clean,
    take_clean_mark,
};
use highwater_core::partition::high_watermark;
use highwater_core::settings::Rules;
use highwater_core::words::{Brokers, Micros, RecordId};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// A log directory of a broker: one log or several that are alike, and the files beside them.
pub struct Machine {
    rules: Rules,
    logs: BTreeMap<String, Log>,
    hws: BTreeMap<String, i64>,
    isr: Brokers,
    per_segment: usize,
    snapshot_works: bool,
    producer: i64,
    marks: Vec<Option<CleanMark>>,
    /// Directories that are offline.
    broken: BTreeSet<usize>,
    loaded: usize,
    partitions: usize,
    was_clean: bool,
    hw_file: BTreeMap<String, i64>,
    /// Since the case began.
    hw_file_written: bool,
    recovery_points: BTreeMap<String, i64>,
}

impl Machine {
    pub fn new(era: &Era, given: &Fields<'_>) -> Result<Machine, String> {
        let rules = LogRules::of(&era.rules);
        let per_segment = given.count("maxRecordsPerSegment", usize::MAX)?;
        given.skip(&["replicas", "minIsr", "broker", "acks", "leader"]);
        let (mut hw, hw_file) = (Offsets::of(given, "hw")?, Offsets::of(given, "hwCheckpoint")?);
        let (logs, partitions) = partitions(given, rules, per_segment, &mut hw)?;
        let mut names: BTreeSet<&str> = logs.keys().map(String::as_str).collect();
        names.extend(hw.names().chain(hw_file.names()));
        if names.is_empty() {
            names.insert(ONLY);
        }
        let hw_of = |n: &str| hw.get(n).or(hw_file.get(n)).unwrap_or(0);
        let marks = clean_marks(given)?;
        let mut machine = Machine {
            rules: era.rules,
            hws: names.iter().map(|n| (n.to_string(), hw_of(n))).collect(),
            hw_file: names.iter().filter_map(|n| Some((n.to_string(), hw_file.get(n)?))).collect(),
            logs,
            isr: given.brokers_or_none("isr")?,
            per_segment,
            snapshot_works: !given.flag("failSnapshotFlush", false)?,
            producer: -1,
            was_clean: marks.iter().all(Option::is_some),
            marks,
            broken: BTreeSet::new(),
            loaded: partitions,
            partitions,
            hw_file_written: false,
            recovery_points: BTreeMap::new(),
        };
        machine.keep_hw();
        Ok(machine)
    }

    fn log(&mut self) -> Result<&mut Log, String> {
        self.logs.values_mut().next().ok_or("no log".into())
    }

    fn hw(&self) -> i64 {
        self.hws.values().next().copied().unwrap_or(0)
    }

    fn only(&self) -> Result<&Log, String> {
        self.logs.values().next().ok_or("no log".into())
    }

    fn keep_hw(&mut self) {
        for (name, log) in &mut self.logs {
            let hw = self.hws.entry(name.clone()).or_insert(0);
            *hw = high_watermark::followed(*hw, log.start(), log.end());
            log.producers_mut().take_hw(*hw);
        }
    }

    fn append(&mut self, input: &Fields<'_>) -> Result<(), String> {
        let n = input.int_or("n", 1)?;
        let per_segment = self.per_segment;
        if let Some(id) = input.int("pid")? {
            self.producer = id;
            let stamp = ProducerStamp {
                id,
                epoch: input.int_or("epoch", 0)? as i16,
                first_sequence: input.int_or("firstSeq", 0)? as i32,
            };
            let transactional = input.flag("txn", false)?;
            let kind = if transactional { BatchKind::Transactional } else { BatchKind::Plain };
            let log = self.log()?;
            let base = log.end();
            let records = (base..base + n).map(|o| RecordId(o as u32)).collect();
            let batch = Batch {
                base,
                epoch: 0,
                bytes: 1,
                producer: Some(stamp),
                kind,
                records,
                appended: Micros::ZERO,
            };
            let appended = log.append_as_follower(batch, NO_LIMITS, Micros::ZERO);
            return appended.map(drop).map_err(|e| format!("{e:?}"));
        }
        let epoch = input.int("epoch")?;
        let only = input.text("partition")?;
        for (_, log) in self.logs.iter_mut().filter(|(n, _)| only.is_none_or(|o| o == *n)) {
            let known = log.epochs().latest_epoch().max(0);
            let epoch = epoch.unwrap_or(known.into()) as i32;
            for offset in log.end()..log.end() + n {
                roll_if_full(log, per_segment);
                append_run(log, epoch, offset, offset + 1)?;
            }
        }
        Ok(())
    }

    fn end_transaction(&mut self, input: &Fields<'_>) -> Result<(), String> {
        let (id, epoch) = (input.need("pid")?, input.int_or("epoch", 0)? as i16);
        let aborted = input.text("kind")? == Some("abort");
        let coordinator = input.int_or("coordinatorEpoch", 0)? as i32;
        self.producer = id;
        let log = self.log()?;
        let batch = marker(id, epoch, log.end(), aborted, coordinator);
        let appended = log.append_as_follower(batch, NO_LIMITS, Micros::ZERO);
        appended.map(drop).map_err(|e| format!("{e:?}"))
    }

    fn open(&mut self, input: &Fields<'_>) -> Result<(), String> {
        let clean = input.flag("clean", false)?;
        let start = input.int("logStart")?;
        let point = input.given("recoveryPoint").cloned();
        for log in self.logs.values_mut() {
            if let Some(start) = start {
                log.raise_start(start);
            }
            let last = log.segments().last().unwrap_or(0);
            let point = match &point {
                None => 0,
                Some(Value::String(text)) if text == "base of the last segment" => last,
                Some(value) => value.as_i64().ok_or("recoveryPoint: a number")?,
            };
            log.load(clean, point, Micros::ZERO);
        }
        self.keep_hw();
        Ok(())
    }

    fn corrupt(&mut self, input: &Fields<'_>) -> Result<(), String> {
        let what = input.text("what")?;
        let record = input.int("fromRecord")?;
        let segment = input.int("segment")?;
        let log = self.log()?;
        let from = match (record, segment, what) {
            (Some(record), _, _) => record,
            (None, Some(segment), _) => {
                // By its base, or its place.
                let bases: Vec<i64> = log.segments().collect();
                let place = usize::try_from(segment).ok().and_then(|i| bases.get(i).copied());
                let known = bases.contains(&segment).then_some(segment);
                known.or(place).ok_or("no such segment")?
            }
            (None, None, Some(text)) if text.contains("after the last") => log.end(),
            // Indexes are not kept: they are built anew from what is in the log.
            (None, None, Some(text)) if text.contains("index") => return Ok(()),
            (None, None, other) => return Err(format!("unknown damage {other:?}")),
        };
        log.damage_from(from);
        Ok(())
    }

    fn load(&mut self, input: &Fields<'_>) -> Result<(), String> {
        let fails = input.flag("fails", false)?;
        let stop_after = input.int("stopAfter")?;
        let rule = self.rules.clean_mark;
        let stopped = fails || stop_after.is_some();
        let found: Vec<Option<CleanMark>> =
            self.marks.iter_mut().map(|m| take_clean_mark(rule, m, stopped)).collect();
        self.was_clean = found.iter().all(Option::is_some);
        if fails {
            self.partitions = self.partitions.max(1);
        }
        self.loaded = match stop_after {
            Some(n) => n.max(0) as usize,
            None if fails => 0,
            None => self.partitions,
        };
        Ok(())
    }

    fn shutdown(&mut self, input: &Fields<'_>) -> Result<(), String> {
        let epoch = input.int_or("brokerEpoch", -1)?;
        if may_mark_clean(self.loaded, self.partitions) {
            for (dir, mark) in self.marks.iter_mut().enumerate() {
                *mark = (!self.broken.contains(&dir)).then_some(CleanMark(epoch));
            }
            for log in self.logs.values_mut() {
                log.close(Micros::ZERO);
            }
        }
        self.checkpoint_hw();
        Ok(())
    }

    fn checkpoint_hw(&mut self) {
        self.hw_file = self.hws.clone();
        self.hw_file_written = true;
    }

    /// The replica begins to lead. Nobody has fetched from it yet.
    fn become_leader(&mut self, epoch: i32) -> Result<(), String> {
        let followers = self.isr.len().saturating_sub(1);
        let hw = self.hw();
        let log = self.log()?;
        log.begin_epoch(epoch);
        if followers == 0 {
            let end = log.end().max(hw);
            self.hws.values_mut().for_each(|hw| *hw = end);
        }
        Ok(())
    }
}

impl Bench for Machine {
    fn act(&mut self, op: &str, input: &Fields<'_>) -> Result<Outcome, String> {
        match op {
            "append" => self.append(input)?,
            "marker" => self.end_transaction(input)?,
            "flush" => {
                for log in self.logs.values_mut() {
                    log.flush(Micros::ZERO);
                }
            }
            "roll" => {
                let works = self.snapshot_works;
                self.log()?.roll(works, Micros::ZERO);
            }
            "close" => {
                for log in self.logs.values_mut() {
                    log.close(Micros::ZERO);
                }
            }
            "open" => self.open(input)?,
            "corrupt" => self.corrupt(input)?,
            "recoverSegment" => {
                let base = input.need("base")?;
                let log = self.log()?;
                let index = log.segments().position(|b| b == base).ok_or("no such segment")?;
                log.recover_segment(index);
                self.keep_hw();
            }
            "truncateEpochEntries" => {
                let offset = input.need("offset")?;
                self.log()?.truncate_epochs(offset);
            }
            "deleteRecordsBefore" => {
                let offset = input.need("offset")?;
                self.log()?.raise_start(offset);
                self.keep_hw();
            }
            "deleteOldSegments" => self.log()?.delete_old_segments(),
            "addSnapshotFile" => {
                let offset = input.need("offset")?;
                self.log()?.put_snapshot(offset);
            }
            "dropSnapshots" => self.log()?.retain_snapshots(|_| false),
            // Indexes are not kept: they say nothing that the log does not.
            "dropIndexes" => input.skip(&["segment"]),
            "setHw" => {
                let to = input.need("to")?;
                match input.text("partition")? {
                    Some(name) => drop(self.hws.insert(name.to_string(), to)),
                    None => self.hws.values_mut().for_each(|hw| *hw = to),
                }
                for (name, log) in &mut self.logs {
                    log.producers_mut().take_hw(self.hws[name]);
                }
            }
            "truncateTo" => {
                let offset = input.need("offset")?;
                self.log()?.truncate_to(offset, Micros::ZERO);
                self.keep_hw();
            }
            "truncateAllStartAt" => {
                for (name, log) in &mut self.logs {
                    self.hws.insert(name.clone(), restart_log(log, input, Micros::ZERO)?);
                }
            }
            "load" => self.load(input)?,
            "shutdown" => self.shutdown(input)?,
            "breakDir" => {
                self.broken.insert(input.count("dir", 0)?);
            }
            "writeMark" => {
                // What a reader does not know in the file means nothing to it.
                input.skip(&["extraFields"]);
                let epoch = input.int_or("brokerEpoch", -1)?;
                self.marks.iter_mut().for_each(|m| *m = Some(CleanMark(epoch)));
            }
            // `look` reads it.
            "readMark" => {}
            "removeMark" => self.marks.iter_mut().for_each(|m| *m = None),
            "checkpointHw" => self.checkpoint_hw(),
            "checkpointRecoveryPoints" => {
                let all = self.logs.iter().map(|(name, log)| (name.clone(), log.flushed()));
                self.recovery_points = all.collect();
            }
            "becomeLeader" => {
                input.skip(&["partition"]);
                self.become_leader(input.int_or("leaderEpoch", 0)? as i32)?;
            }
            other => return common_op(other, input),
        }
        Ok(Outcome::new())
    }

    fn look(&mut self, name: &str, wanted: &Value) -> Result<Value, String> {
        Ok(match name {
            "log" => {
                let log = self.only()?;
                let segments: Vec<i64> = log.segments().collect();
                json!({
                    "start": log.start(),
                    "end": log.end(),
                    "segments": segments,
                    "segmentCount": segments.len(),
                    "hw": self.hw(),
                })
            }
            "recoveryPoint" => json!(self.only()?.flushed()),
            "epochEntries" => entries(self.only()?),
            "active" => json!(self.only()?.producers().active().collect::<Vec<_>>()),
            "producer" => known(self.only()?.producers(), self.producer),
            "producers" => {
                let states = self.only()?.producers();
                let ids: Vec<i64> = states.active().collect();
                Value::Object(ids.iter().map(|id| (id.to_string(), known(states, *id))).collect())
            }
            "snapshots" => json!(self.only()?.snapshots().collect::<Vec<_>>()),
            "unstable" => json!(self.only()?.producers().first_unstable()),
            "undecided" => json!(self.only()?.producers().first_undecided()),
            "aborted" => aborted(self.only()?),
            "clean" => json!(self.was_clean),
            "cleanMark" if wanted.is_array() => {
                json!(self.marks.iter().map(Option::is_some).collect::<Vec<_>>())
            }
            "cleanMark" => json!(self.marks.iter().all(Option::is_some)),
            "brokerEpoch" => match broker_epoch_of(&self.marks, self.broken.is_empty()) {
                -1 if wanted.is_null() => Value::Null,
                epoch => json!(epoch),
            },
            "hw" if wanted.is_object() => json!(self.hws),
            "hw" => json!(self.hw()),
            "hwCheckpoint" if wanted.is_object() => json!(self.hw_file),
            // A partition that no file names starts at 0.
            "hwCheckpoint" => json!(self.hw_file.values().next().unwrap_or(&0)),
            "hwCheckpointWritten" => json!(self.hw_file_written),
            "checkpoint" => json!(self.recovery_points),
            _ => return unknown_field(name),
        })
    }
}
