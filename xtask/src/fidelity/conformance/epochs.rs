//! Leader epochs in a log (R1.5, R1.18, R3.11, R4.3).

use super::fields::{Fields, run};
use super::node::{Hosted, RealBroker};
use super::{Bench, Era, Outcome, cluster, common_op, unknown_field};
use highwater_core::log::{EpochCache, LogRules};
use highwater_core::partition::{Stored, epochs};
use highwater_core::words::{BrokerId, Brokers, PartitionId};
use serde_json::{Value, json};

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
    let mut partitions = Vec::new();
    if let Some(all) = given.object("partitions")? {
        for (name, partition) in all.all() {
            let partition = Fields::new(partition)?;
            let leader = partition.broker("leader")?;
            let runs = partition.list("runs")?.into_iter().flatten().map(run);
            let runs = runs.collect::<Result<Vec<_>, _>>()?;
            partition.finish()?;
            partitions.push(hosted(name, leader, runs));
        }
    }
    let has_log = given.has("logEnd");
    let end = given.int_or("logEnd", 0)?;
    let era = Era { ..*era };
    Ok(Box::new(History { era, cache, has_log, end, leader_epoch: -1, partitions }))
}

/// A partition whose leader is its only replica.
fn hosted(name: &str, leader: Option<BrokerId>, runs: Vec<(i32, i64, i64)>) -> Hosted {
    let replicas: Brokers = leader.into_iter().collect();
    let leader_epoch = runs.last().map_or(0, |(epoch, _, _)| *epoch);
    let hw = runs.last().map_or(0, |(_, _, end)| *end);
    let stored = Stored { leader, leader_epoch, ..Stored::new(replicas, replicas) };
    Hosted { topic: name.into(), stored, runs, hw }
}

struct History {
    era: Era,
    cache: EpochCache,
    /// The entries are those of a log, and not a cache by itself.
    has_log: bool,
    end: i64,
    leader_epoch: i32,
    /// Those of brokers that are asked.
    partitions: Vec<Hosted>,
}

impl History {
    fn end_of(&self, epoch: i32, end: i64) -> Outcome {
        let entries = self.cache.entries();
        let known = epochs::end_of(self.era.rules.epoch_before_first, entries, epoch, end);
        let (epoch, offset) = known.map_or((-1, -1), |e| (e.epoch, e.end));
        let mut outcome = Outcome::new();
        outcome.insert("epoch".into(), epoch.into());
        outcome.insert("offset".into(), offset.into());
        outcome
    }

    /// The request that another broker makes: a real broker answers it.
    fn request(&self, input: &Fields<'_>) -> Result<Outcome, String> {
        let epoch = input.need("epoch")? as i32;
        let to = input.broker("to")?.unwrap_or(ASKED);
        if let Some(end) = input.list("localAnswer")? {
            // The log of a leader in which the epoch ends so.
            let part = |i: usize| end[i].as_i64().ok_or("localAnswer: an epoch and its end");
            let runs = vec![(part(0)? as i32, 0, part(1)?)];
            return self.ask(to, &[hosted("t", Some(to), runs)], 0, epoch);
        }
        if let Some(hosts) = input.given("hosts") {
            let elsewhere = hosts.as_str().is_some_and(|h| h.contains("without replica"));
            let other = hosted("t", Some(BrokerId(to.0 + 1)), Vec::new());
            return self.ask(
                to,
                if elsewhere { std::slice::from_ref(&other) } else { &[] },
                0,
                epoch,
            );
        }
        let name = input.text("partition")?.ok_or("no partition")?;
        let place = self.partitions.iter().position(|p| p.topic == name);
        self.ask(to, &self.partitions, place.unwrap_or(self.partitions.len()), epoch)
    }

    fn ask(
        &self,
        to: BrokerId,
        all: &[Hosted],
        place: usize,
        epoch: i32,
    ) -> Result<Outcome, String> {
        let mut broker = RealBroker::new(&self.era, to, None, all)?;
        broker.end_of_epoch(PartitionId(place as u32), epoch)
    }
}

/// Who is asked, where a case does not say.
const ASKED: BrokerId = BrokerId(0);

impl Bench for History {
    fn act(&mut self, op: &str, input: &Fields<'_>) -> Result<Outcome, String> {
        let rule = self.era.rules.epoch_assignment;
        let value = |epoch: i32| Ok([("value".to_string(), json!(epoch))].into_iter().collect());
        let epoch = || input.need("epoch").map(|e| e as i32);
        match op {
            "assign" => self.cache.assign(rule, epoch()?, input.need("offset")?),
            "endOffset" => {
                let end = input.int_or("logEnd", self.end)?;
                return Ok(self.end_of(epoch()?, end));
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
                let rules = LogRules::of(&self.era.rules);
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
