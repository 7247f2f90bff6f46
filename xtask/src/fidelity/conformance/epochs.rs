//! Leader epochs in a log (R1.5, R1.18, R3.11, R4.3).

use super::fields::{Fields, run};
use super::{Bench, Era, Outcome, cluster, common_op, result, unknown_field};
use highwater_core::log::{EpochCache, LogRules};
use highwater_core::partition::epochs;
use highwater_core::settings::Rules;
use highwater_core::words::{BrokerId, ErrorCode};
use serde_json::{Value, json};
use std::collections::BTreeMap;

pub fn bench(era: &Era, given: &Fields<'_>, inputs: &[Value]) -> Result<Box<dyn Bench>, String> {
    if given.has("replicas") && cluster::is_needed(inputs) {
        let settings = cluster::Settings { acks: "all", ..cluster::Settings::default() };
        return Ok(Box::new(cluster::Played::of_replicas(era, &settings, given)?));
    }
    given.skip(&["replicas"]);
    let rule = era.rules.epoch_assignment;
    let mut cache = EpochCache::default();
    for entry in given.list("entries")?.into_iter().flatten() {
        let part = |i: usize| entry[i].as_i64().ok_or_else(|| format!("an entry, not {entry}"));
        cache.assign(rule, part(0)? as i32, part(1)?);
    }
    let mut partitions = BTreeMap::new();
    if let Some(all) = given.object("partitions")? {
        for (name, partition) in all.all() {
            let partition = Fields::new(partition)?;
            let leader = partition.broker("leader")?;
            let mut cache = EpochCache::default();
            let mut end = 0;
            for value in partition.list("runs")?.into_iter().flatten() {
                let (epoch, first, behind) = run(value)?;
                cache.assign(rule, epoch, first);
                end = behind;
            }
            partition.finish()?;
            partitions.insert(name.to_string(), (leader, cache, end));
        }
    }
    let has_log = given.has("logEnd");
    let end = given.int_or("logEnd", 0)?;
    let rules = era.rules;
    Ok(Box::new(History { rules, cache, has_log, end, leader_epoch: -1, partitions }))
}

struct History {
    rules: Rules,
    cache: EpochCache,
    /// The entries are those of a log, and not a cache by itself.
    has_log: bool,
    end: i64,
    leader_epoch: i32,
    partitions: BTreeMap<String, (Option<BrokerId>, EpochCache, i64)>,
}

impl History {
    fn end_of(&self, cache: &EpochCache, epoch: i32, end: i64) -> Outcome {
        let known = epochs::end_of(self.rules.epoch_before_first, cache.entries(), epoch, end);
        let (epoch, offset) = known.map_or((-1, -1), |e| (e.epoch, e.end));
        let mut outcome = result(Ok(()));
        outcome.insert("epoch".into(), epoch.into());
        outcome.insert("offset".into(), offset.into());
        outcome
    }

    /// The request that another broker makes.
    fn request(&self, input: &Fields<'_>) -> Result<Outcome, String> {
        let epoch = input.need("epoch")? as i32;
        let refused = |error| {
            let mut outcome = result(Err(error));
            outcome.insert("epoch".into(), json!(-1));
            outcome.insert("offset".into(), json!(-1));
            outcome
        };
        if let Some(answer) = input.list("localAnswer")? {
            let mut outcome = result(Ok(()));
            outcome.insert("epoch".into(), answer[0].clone());
            outcome.insert("offset".into(), answer[1].clone());
            return Ok(outcome);
        }
        // A broker that knows the partition and has no replica leads it not; else it knows nothing.
        if let Some(hosts) = input.given("hosts") {
            let without_replica = hosts.as_str().is_some_and(|h| h.contains("without replica"));
            return Ok(refused(match without_replica {
                true => ErrorCode::NotLeaderOrFollower,
                false => ErrorCode::UnknownTopicOrPartition,
            }));
        }
        let (to, partition) = (input.broker("to")?, input.text("partition")?);
        Ok(match partition.map(|p| self.partitions.get(p)) {
            None => self.end_of(&self.cache, epoch, self.end),
            Some(None) => refused(ErrorCode::UnknownTopicOrPartition),
            Some(Some((leader, _, _))) if to.is_some() && to != *leader => {
                refused(ErrorCode::NotLeaderOrFollower)
            }
            Some(Some((_, cache, end))) => self.end_of(cache, epoch, *end),
        })
    }
}

impl Bench for History {
    fn act(&mut self, op: &str, input: &Fields<'_>) -> Result<Outcome, String> {
        let rule = self.rules.epoch_assignment;
        let value = |epoch: i32| Ok([("value".to_string(), json!(epoch))].into_iter().collect());
        let epoch = || input.need("epoch").map(|e| e as i32);
        match op {
            "assign" => self.cache.assign(rule, epoch()?, input.need("offset")?),
            "endOffset" => {
                let end = input.int_or("logEnd", self.end)?;
                return Ok(self.end_of(&self.cache, epoch()?, end));
            }
            "truncateEnd" | "truncateTo" => {
                let to = input.need("offset")?;
                // A log that is cut at its end or beyond loses the epochs without records there.
                let cut = if self.has_log { to.min(self.end) } else { to };
                self.cache.truncate_from_end(cut);
                self.end = if to >= 0 { self.end.min(to) } else { self.end };
            }
            "truncateAllStartAt" => {
                // The log's start is not looked at here.
                input.skip(&["logStart"]);
                self.cache.clear();
                self.end = input.need("offset")?;
            }
            "truncateStart" => self.cache.truncate_from_start(input.need("offset")?),
            "clear" => self.cache.clear(),
            "latest" => return value(self.cache.latest_epoch()),
            "previous" => {
                let of = input.int("epoch")?.map_or(self.cache.latest_epoch(), |e| e as i32);
                return value(self.cache.previous_epoch(of));
            }
            "next" => return value(self.cache.next_epoch(epoch()?)),
            "epochAt" => return value(self.cache.epoch_at(input.need("offset")?)),
            // Every change is written to the file at once.
            "reopen" => {}
            "becomeLeader" => {
                self.leader_epoch = input.need("leaderEpoch")? as i32;
                let rules = LogRules::of(&self.rules);
                self.cache.begin(&rules, self.leader_epoch, self.end);
            }
            "append" | "appendFollower" => {
                let epoch = input.int_or("epoch", self.leader_epoch.into())? as i32;
                let first = input.int_or("offset", self.end)?;
                self.cache.assign(rule, epoch, first);
                self.end = first + input.int_or("n", 1)?;
            }
            "request" => return self.request(input),
            other => return common_op(other, input),
        }
        Ok(Outcome::new())
    }

    fn look(&mut self, name: &str, _: &Value) -> Result<Value, String> {
        let entry = |e: &epochs::EpochEntry| json!([e.epoch, e.start]);
        Ok(match name {
            "entries" => self.cache.entries().iter().map(entry).collect(),
            "latestEntry" => self.cache.latest().as_ref().map_or(Value::Null, entry),
            "value" => json!(self.cache.latest_epoch()),
            "logEnd" => json!(self.end),
            "leaderEpoch" => json!(self.leader_epoch),
            "lastRecordEpoch" => json!(self.cache.epoch_at(self.end - 1)),
            _ => return unknown_field(name),
        })
    }
}
