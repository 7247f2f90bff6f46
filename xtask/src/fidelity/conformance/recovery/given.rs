//! What a case gives of a broker's disk.

use crate::fidelity::conformance::fields::{Fields, NO_LIMITS, log};
use crate::fidelity::conformance::producer_state::batches_of;
use highwater_core::log::{Batch, CleanMark, Log, LogRules, ProducerStamp};
use highwater_core::words::Micros;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The only log of a case that gives one.
pub const ONLY: &str = "log";

/// Offsets as a case gives them: one for each partition, or by name.
#[derive(Default)]
pub struct Offsets {
    of_each: Option<i64>,
    by_name: BTreeMap<String, i64>,
}

impl Offsets {
    pub fn of(given: &Fields<'_>, field: &str) -> Result<Offsets, String> {
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

    pub fn get(&self, name: &str) -> Option<i64> {
        self.by_name.get(name).copied().or(self.of_each)
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.by_name.keys().map(String::as_str)
    }
}

/// The clean-shutdown marks of all directories: there or not, in each or by directory.
pub fn clean_marks(given: &Fields<'_>) -> Result<Vec<Option<CleanMark>>, String> {
    let mark = CleanMark(given.int_or("brokerEpoch", -1)?);
    let dirs = given.count("dirs", 1)?;
    let marked = match given.given("cleanMark") {
        Some(Value::Array(each)) => each.iter().map(|m| *m == json!(true)).collect(),
        _ => vec![given.flag("cleanMark", false)?; dirs],
    };
    Ok(marked.into_iter().map(|marked| marked.then_some(mark)).collect())
}

/// The logs that a case gives by name, and how many partitions there are. HWs that it gives with
/// them are noted.
pub fn partitions(
    given: &Fields<'_>,
    rules: LogRules,
    per_segment: usize,
    hw: &mut Offsets,
) -> Result<(BTreeMap<String, Log>, usize), String> {
    let mut logs = BTreeMap::new();
    if let Some(fields) = given.object("log")? {
        hw.of_each = fields.int("hw")?.or(hw.of_each);
        let built = built(&fields, given, rules, per_segment)?;
        fields.finish()?;
        logs.insert(ONLY.to_string(), built);
    }
    let count = match given.given("partitions") {
        None => logs.len(),
        Some(Value::Number(n)) => n.as_u64().unwrap_or(0) as usize,
        Some(Value::Array(names)) => {
            let of_each = hw.of_each.unwrap_or(0);
            let names = names.iter().filter_map(Value::as_str);
            hw.by_name.extend(names.map(|name| (name.to_string(), of_each)));
            hw.by_name.len()
        }
        Some(all) => {
            let all = Fields::new(all)?;
            for (name, value) in all.all() {
                // A number is its HW.
                let hw_alone = json!({"hw": value});
                let fields = Fields::new(if value.is_number() { &hw_alone } else { value })?;
                hw.by_name.extend(fields.int("hw")?.map(|hw| (name.to_string(), hw)));
                // Where nothing is said of a log, the HW is all that there is.
                if !fields.has("hw") || fields.has("end") || fields.has("runs") {
                    logs.insert(name.to_string(), log(&fields, rules, 0)?);
                }
                fields.finish()?;
            }
            all.all().count()
        }
    };
    Ok((logs, count))
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

pub fn roll_if_full(log: &mut Log, per_segment: usize) {
    let base = log.segments().last().unwrap_or(0);
    if usize::try_from(log.end() - base).is_ok_and(|n| n >= per_segment) {
        log.roll(true, Micros::ZERO);
    }
}
