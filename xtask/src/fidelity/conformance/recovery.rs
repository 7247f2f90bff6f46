//! Starts, stops and what is on disk (R1.7–R1.19).

use super::cluster;
use super::controller::{Cluster, Governed, partition};
use super::fields::{Fields, NO_LIMITS, append_run, entries, log, restart_log};
use super::producer_state::{aborted, batches_of, known, marker};
use super::{Bench, Era, Outcome, common_op, unknown_field};
use highwater_core::log::{
    Batch, BatchKind, CleanMark, Log, LogRules, ProducerStamp, broker_epoch_of, may_mark_clean,
    take_clean_mark,
};
use highwater_core::replica::high_watermark;
use highwater_core::settings::Rules;
use highwater_core::wire::metadata::BrokerState;
use highwater_core::words::{BrokerId, BrokerList, Micros, RecordId};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

pub fn bench(era: &Era, given: &Fields<'_>) -> Result<Box<dyn Bench>, String> {
    // Replicas are of whole brokers, unless it is what one of them has on its disk that is given.
    if given.has("replicas") && !given.has("log") && !given.has("partitions") {
        let settings = cluster::Settings {
            min_isr: given.int("minIsr")?,
            acks: cluster::acks_of(given)?,
            ..cluster::Settings::default()
        };
        return Ok(Box::new(cluster::Played::of_replicas(era, &settings, given)?));
    }
    if let Some(fields) = given.object("partition")? {
        let state = partition(&fields)?;
        given.skip(&["cleanMark"]);
        let (back, known) = (given.broker("broker")?, given.int("brokerEpoch")?);
        // A partition that has an ELR is one of a cluster that keeps it.
        let elr = given.flag("elr", false)? || !state.elr.is_empty();
        let registered: Vec<(BrokerId, BrokerState)> = (100..)
            .zip(&state.replicas)
            .map(|(epoch, id)| {
                let own = known.filter(|_| back == Some(*id));
                let state = BrokerState {
                    epoch: own.unwrap_or(epoch),
                    incarnation: 1,
                    fenced: false,
                    shutting_down: false,
                    directory: 0,
                };
                (*id, state)
            })
            .collect();
        let setting = Cluster {
            release: era.release,
            rules: era.rules(elr),
            min_isr: given.int_or("minIsr", 1)?,
            unclean: false,
        };
        let governed = Governed::new(&setting, &registered, Some(state))?;
        return Ok(Box::new(Registering(governed)));
    }
    Ok(Box::new(Machine::new(era, given)?))
}

/// A broker comes back to its controller.
struct Registering(Governed);

impl Bench for Registering {
    fn act(&mut self, op: &str, input: &Fields<'_>) -> Result<Outcome, String> {
        match op {
            // The controller hears of it by the registration.
            "restart" => {
                input.skip(&["broker", "clean"]);
                Ok(Outcome::new())
            }
            _ => self.0.act(op, input),
        }
    }

    fn look(&mut self, name: &str, wanted: &Value) -> Result<Value, String> {
        self.0.look(name, wanted)
    }
}

/// A log directory of a broker: one log or several that are alike, and the files beside them.
struct Machine {
    rules: Rules,
    logs: BTreeMap<String, Log>,
    hws: BTreeMap<String, i64>,
    isr: BrokerList,
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
    /// By the last input.
    hw_file_written: bool,
    recovery_points: BTreeMap<String, i64>,
}

/// The only log of a case that gives one.
const ONLY: &str = "log";

/// Offsets as a case gives them: one for each partition, or by name.
#[derive(Default)]
struct Offsets {
    of_each: Option<i64>,
    by_name: BTreeMap<String, i64>,
}

impl Offsets {
    fn of(given: &Fields<'_>, field: &str) -> Result<Offsets, String> {
        let mut offsets = Offsets::default();
        match given.given(field) {
            Some(Value::Object(_)) => {
                let named = given.object_or_empty(field)?;
                for (name, _) in named.all() {
                    offsets.by_name.insert(name.to_string(), named.need(name)?);
                }
            }
            _ => offsets.of_each = given.int(field)?,
        }
        Ok(offsets)
    }

    fn get(&self, name: &str) -> Option<i64> {
        self.by_name.get(name).copied().or(self.of_each)
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.by_name.keys().map(String::as_str)
    }
}

/// The clean-shutdown marks of all directories: there or not, in each or by directory.
fn clean_marks(given: &Fields<'_>) -> Result<Vec<Option<CleanMark>>, String> {
    let mark = CleanMark(given.int_or("brokerEpoch", -1)?);
    let dirs = given.count("dirs", 1)?;
    let marked = match given.given("cleanMark") {
        Some(Value::Array(each)) => each.iter().map(|m| *m == json!(true)).collect(),
        _ => vec![given.flag("cleanMark", false)?; dirs],
    };
    Ok(marked.into_iter().map(|marked| marked.then_some(mark)).collect())
}

impl Machine {
    fn new(era: &Era, given: &Fields<'_>) -> Result<Machine, String> {
        let rules = LogRules::of(&era.rules);
        let per_segment = given.count("maxRecordsPerSegment", usize::MAX)?;
        given.skip(&["replicas", "minIsr", "broker", "acks", "leader"]);
        let mut logs = BTreeMap::new();
        let (mut hw, hw_file) = (Offsets::of(given, "hw")?, Offsets::of(given, "hwCheckpoint")?);
        if let Some(fields) = given.object("log")? {
            hw.of_each = fields.int("hw")?.or(hw.of_each);
            let built = built(&fields, given, rules, per_segment)?;
            fields.finish()?;
            logs.insert(ONLY.to_string(), built);
        }
        let mut partitions = logs.len();
        match given.given("partitions") {
            Some(Value::Number(n)) => partitions = n.as_u64().unwrap_or(0) as usize,
            Some(Value::Array(names)) => {
                partitions = names.len();
                let names = names.iter().filter_map(|n| Some((n.as_str()?.to_string(), 0)));
                hw.by_name.extend(names);
            }
            Some(all) => {
                let all = Fields::new(all)?;
                for (name, value) in all.all() {
                    partitions += 1;
                    // A number is its HW.
                    let known = json!({"hw": value});
                    let fields = Fields::new(if value.is_number() { &known } else { value })?;
                    hw.by_name.extend(fields.int("hw")?.map(|hw| (name.to_string(), hw)));
                    // Nothing is said of a log: its HW is all that there is.
                    if !fields.has("hw") || fields.has("end") || fields.has("runs") {
                        logs.insert(name.to_string(), log(&fields, rules, 0)?);
                    }
                    fields.finish()?;
                }
            }
            None => {}
        }
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

fn roll_if_full(log: &mut Log, per_segment: usize) {
    let base = log.segments().last().unwrap_or(0);
    if usize::try_from(log.end() - base).is_ok_and(|n| n >= per_segment) {
        log.roll(true, Micros::ZERO);
    }
}

/// The log that a case gives, with its segments, epochs, producers and snapshots.
fn built(
    fields: &Fields<'_>,
    given: &Fields<'_>,
    rules: LogRules,
    per_segment: usize,
) -> Result<Log, String> {
    let whole = log(fields, rules, 0)?;
    let mut batches: Vec<Batch> = whole.batches().cloned().collect();
    if let Some(runs) = given.list("producerRuns")? {
        batches = batches_of(runs)?;
    }
    for (id, producer) in given.object("producers")?.iter().flat_map(Fields::all) {
        let fields = Fields::new(producer)?;
        let at = fields.need("at")?;
        let stamp = ProducerStamp {
            id: id.parse().map_err(|_| format!("a producer, not {id}"))?,
            epoch: fields.int_or("epoch", 0)? as i16,
            first_sequence: fields.int_or("lastSeq", 0)? as i32,
        };
        fields.finish()?;
        let batch = batches.iter_mut().find(|b| b.base == at).ok_or("no record of a producer")?;
        batch.producer = Some(stamp);
    }
    let entry = |v: &Value| Some((v[0].as_i64()? as i32, v[1].as_i64()?));
    if let Some(wanted) = given.list("epochEntries")? {
        let wanted: Vec<(i32, i64)> = wanted.iter().filter_map(entry).collect();
        if !fields.has("runs") {
            for batch in &mut batches {
                let epoch = wanted.iter().rev().find(|(_, start)| *start <= batch.base);
                batch.epoch = epoch.map_or(batch.epoch, |(epoch, _)| *epoch);
            }
        }
    }
    let segments = fields.list("segments")?;
    let bases: Vec<i64> = segments.into_iter().flatten().filter_map(Value::as_i64).collect();
    let mut log = Log::new(whole.start(), rules, Micros::ZERO);
    for batch in batches {
        if bases.contains(&batch.base) && log.segments().last() != Some(batch.base) {
            log.roll(true, Micros::ZERO);
        }
        roll_if_full(&mut log, per_segment);
        let appended = log.append_as_follower(batch, NO_LIMITS, Micros::ZERO);
        appended.map_err(|e| format!("{e:?}"))?;
    }
    if bases.contains(&log.end()) && log.segments().last() != Some(log.end()) {
        log.roll(true, Micros::ZERO);
    }
    if let Some(snapshots) = given.list("snapshots")? {
        log.retain_snapshots(|_| false);
        snapshots.iter().filter_map(Value::as_i64).for_each(|o| log.put_snapshot(o));
    }
    Ok(log)
}

impl Bench for Machine {
    fn act(&mut self, op: &str, input: &Fields<'_>) -> Result<Outcome, String> {
        self.hw_file_written = false;
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
            "error" => json!("NONE"),
            _ => return unknown_field(name),
        })
    }
}
