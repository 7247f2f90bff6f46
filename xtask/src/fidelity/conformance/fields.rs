//! Reading what a case gives, so that nothing that it says is passed over in silence.

use highwater_core::log::{Batch, BatchKind, Log, LogRules, SegmentLimits};
use highwater_core::words::{BrokerId, Brokers, Micros, RecordId};
use serde_json::{Map, Value, json};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// An object of a case. What nobody reads is an unknown field.
pub struct Fields<'a> {
    map: &'a Map<String, Value>,
    read: RefCell<BTreeSet<&'a str>>,
}

impl<'a> Fields<'a> {
    pub fn new(value: &'a Value) -> Result<Fields<'a>, String> {
        let map = value.as_object().ok_or_else(|| format!("an object, not {value}"))?;
        Ok(Fields { map, read: RefCell::default() })
    }

    /// The field, if it is there; it counts as read.
    pub fn get(&self, name: &str) -> Option<&'a Value> {
        let (key, value) = self.map.get_key_value(name)?;
        self.read.borrow_mut().insert(key);
        Some(value)
    }

    /// The field, unless it is absent or null.
    pub fn given(&self, name: &str) -> Option<&'a Value> {
        self.get(name).filter(|v| !v.is_null())
    }

    /// Fields that say nothing which the core could be asked.
    pub fn skip(&self, names: &[&str]) {
        for name in names {
            self.get(name);
        }
    }

    pub fn has(&self, name: &str) -> bool {
        self.map.contains_key(name)
    }

    pub fn all(&self) -> impl Iterator<Item = (&'a str, &'a Value)> {
        self.read.borrow_mut().extend(self.map.keys().map(String::as_str));
        self.map.iter().map(|(k, v)| (k.as_str(), v))
    }

    pub fn object(&self, name: &str) -> Result<Option<Fields<'a>>, String> {
        self.given(name).map(Fields::new).transpose()
    }

    pub fn object_or_empty(&self, name: &str) -> Result<Fields<'a>, String> {
        static EMPTY: LazyLock<Map<String, Value>> = LazyLock::new(Map::new);
        let empty = Fields { map: &EMPTY, read: RefCell::default() };
        Ok(self.object(name)?.unwrap_or(empty))
    }

    pub fn int(&self, name: &str) -> Result<Option<i64>, String> {
        let number = |v: &Value| v.as_i64().ok_or_else(|| format!("{name}: a number, not {v}"));
        self.given(name).map(number).transpose()
    }

    pub fn int_or(&self, name: &str, default: i64) -> Result<i64, String> {
        Ok(self.int(name)?.unwrap_or(default))
    }

    pub fn need(&self, name: &str) -> Result<i64, String> {
        self.int(name)?.ok_or_else(|| format!("{name} is missing"))
    }

    pub fn count(&self, name: &str, default: usize) -> Result<usize, String> {
        let number = self.int(name)?;
        let count = |n| usize::try_from(n).map_err(|_| format!("{name}: not below 0"));
        number.map_or(Ok(default), count)
    }

    /// A count of something to be made, where one below 0 is as good as none.
    pub fn wanted_count(&self, name: &str) -> Result<usize, String> {
        Ok(usize::try_from(self.int_or(name, 0)?).unwrap_or(0))
    }

    pub fn ms(&self, name: &str) -> Result<Option<Micros>, String> {
        Ok(self.int(name)?.map(Micros::from_setting_ms))
    }

    pub fn flag(&self, name: &str, default: bool) -> Result<bool, String> {
        let flag = |v: &Value| v.as_bool().ok_or_else(|| format!("{name}: true or false"));
        self.given(name).map_or(Ok(default), flag)
    }

    pub fn text(&self, name: &str) -> Result<Option<&'a str>, String> {
        let text = |v: &'a Value| v.as_str().ok_or_else(|| format!("{name}: a text, not {v}"));
        self.given(name).map(text).transpose()
    }

    pub fn list(&self, name: &str) -> Result<Option<&'a Vec<Value>>, String> {
        let list = |v: &'a Value| v.as_array().ok_or_else(|| format!("{name}: a list, not {v}"));
        self.given(name).map(list).transpose()
    }

    /// A broker: an id, or a name that stands for one.
    pub fn broker(&self, name: &str) -> Result<Option<BrokerId>, String> {
        Ok(self.given(name).map(broker).transpose()?.flatten())
    }

    pub fn need_broker(&self, name: &str) -> Result<BrokerId, String> {
        self.broker(name)?.ok_or_else(|| format!("{name} is missing"))
    }

    pub fn brokers(&self, name: &str) -> Result<Option<Brokers>, String> {
        self.given(name).map(brokers).transpose()
    }

    pub fn brokers_or_none(&self, name: &str) -> Result<Brokers, String> {
        Ok(self.brokers(name)?.unwrap_or_default())
    }

    /// What nobody has read.
    pub fn finish(&self) -> Result<(), String> {
        let read = self.read.borrow();
        match self.map.keys().find(|k| !read.contains(k.as_str())) {
            Some(unknown) => Err(format!("unknown field {unknown}")),
            None => Ok(()),
        }
    }
}

/// A broker's id; −1 is none. A name has an id beyond those that cases number.
pub fn broker(value: &Value) -> Result<Option<BrokerId>, String> {
    if let Some(name) = value.as_str() {
        if let Ok(id) = name.parse() {
            return Ok(Some(BrokerId(id)));
        }
        let sum = name.bytes().fold(0u16, |sum, b| (sum * 7 + u16::from(b)) % 900);
        return Ok(Some(BrokerId(9000 + sum)));
    }
    let id = value.as_i64().ok_or_else(|| format!("a broker, not {value}"))?;
    if id < 0 {
        return Ok(None);
    }
    u16::try_from(id).map(|id| Some(BrokerId(id))).map_err(|_| format!("broker {id}"))
}

pub fn brokers(value: &Value) -> Result<Brokers, String> {
    let list = value.as_array().ok_or_else(|| format!("a list of brokers, not {value}"))?;
    list.iter().filter_map(|v| broker(v).transpose()).collect()
}

/// What the core has, as cases write it.
pub fn of_broker(broker: Option<BrokerId>) -> Value {
    broker.map_or(json!(-1), |b| json!(b.0))
}

pub fn of_brokers(brokers: &[BrokerId]) -> Value {
    json!(brokers.iter().map(|b| b.0).collect::<Vec<_>>())
}

/// Segments that never fill by themselves.
pub const NO_LIMITS: SegmentLimits = SegmentLimits { bytes: u64::MAX, age: Micros::NEVER };

/// A record, as a batch of its own. The same epoch and offset are the same record.
pub fn record(epoch: i32, offset: i64) -> Batch {
    Batch {
        base: offset,
        epoch,
        bytes: 1,
        producer: None,
        kind: BatchKind::Plain,
        records: [RecordId((offset as u32).wrapping_mul(1000).wrapping_add(epoch as u32))].into(),
        appended: Micros::ZERO,
    }
}

/// A log as `{start, end, runs}` gives it, each record a batch. Without runs its records are of
/// `epoch`.
pub fn log(fields: &Fields<'_>, rules: LogRules, epoch: i32) -> Result<Log, String> {
    let start = fields.int_or("start", 0)?;
    let mut log = Log::new(start, rules, Micros::ZERO);
    let runs = match fields.list("runs")? {
        Some(runs) => runs.iter().map(run).collect::<Result<Vec<_>, _>>()?,
        None => vec![(epoch, start, fields.int_or("end", start)?)],
    };
    for (epoch, first, end) in runs {
        append_run(&mut log, epoch, first, end)?;
    }
    if fields.int("end")?.is_some_and(|end| end != log.end()) {
        return Err(format!("the runs end at {}", log.end()));
    }
    Ok(log)
}

/// `[epoch, first, end)`.
pub fn run(value: &Value) -> Result<(i32, i64, i64), String> {
    let part = |i: usize| value[i].as_i64().ok_or_else(|| format!("a run, not {value}"));
    Ok((part(0)? as i32, part(1)?, part(2)?))
}

pub fn append_run(log: &mut Log, epoch: i32, first: i64, end: i64) -> Result<(), String> {
    for offset in first..end {
        let appended = log.append_as_follower(record(epoch, offset), NO_LIMITS, Micros::ZERO);
        appended.map_err(|e| format!("no log of such runs: {e:?}"))?;
    }
    Ok(())
}

/// Empties a log, which goes on at an offset, and answers with its HW from then on: its end.
pub fn restart_log(log: &mut Log, input: &Fields<'_>, now: Micros) -> Result<i64, String> {
    let end = input.need("offset")?;
    log.truncate_fully(end, input.int_or("logStart", end)?, now);
    Ok(end)
}

/// A log's runs.
pub fn runs(log: &Log) -> Value {
    let mut runs: Vec<(i32, i64, i64)> = Vec::new();
    for batch in log.batches() {
        match runs.last_mut() {
            Some((epoch, _, end)) if *epoch == batch.epoch && *end == batch.base => {
                *end = batch.end();
            }
            _ => runs.push((batch.epoch, batch.base, batch.end())),
        }
    }
    json!(runs)
}

/// A log's epoch entries.
pub fn entries(log: &Log) -> Value {
    json!(log.epochs().entries().iter().map(|e| (e.epoch, e.start)).collect::<Vec<_>>())
}
