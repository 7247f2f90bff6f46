//! Where logs part, and where they are cut (R1.26, R1.27, R3.1–R3.16).

use super::fields::{Fields, NO_LIMITS, append_run, broker, log, record, runs};
use super::{Bench, Era, Outcome, cluster, result, unknown_field, unknown_op};
use highwater_core::log::{AppendError, Batch, EpochEnd, Log, LogRules};
use highwater_core::replica::divergence::{self, Beginning, Cut, FollowerLog, OutOfRange};
use highwater_core::replica::{high_watermark, readers};
use highwater_core::settings::Rules;
use highwater_core::settings::rules::Truncation;
use highwater_core::words::{BrokerId, ErrorCode, Micros, RecordId};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

pub fn bench(era: &Era, given: &Fields<'_>, ops: &[&str]) -> Result<Box<dyn Bench>, String> {
    let rules = era.truncating(given.text("protocol")?)?;
    if let Some(log_given) = given.object("log")? {
        let hw = log_given.int_or("hw", 0)?;
        let log = log(&log_given, LogRules::of(&rules), 0)?;
        log_given.finish()?;
        return Ok(Box::new(LogAlone { log, hw }));
    }
    if given.has("logs") {
        return Ok(Box::new(Scene::new(rules, given)?));
    }
    if given.has("replicas") || ops.contains(&"produce") {
        let settings = cluster::Settings {
            min_isr: given.int("minIsr")?,
            unclean: given.has("unclean").then(|| given.flag("unclean", false)).transpose()?,
            acks: cluster::acks_of(given)?,
            rules: cluster::truncation_switch(given)?,
            ..cluster::Settings::default()
        };
        return Ok(Box::new(cluster::Played::of_replicas(era, &settings, given)?));
    }
    if let Some(partitions) = given.object("partitions")? {
        return Ok(Box::new(Pairs::new(rules, &partitions, given)?));
    }
    Ok(Box::new(Pair::new(rules, given)?))
}

/// A log by itself.
struct LogAlone {
    log: Log,
    hw: i64,
}

impl LogAlone {
    fn append_follower(&mut self, input: &Fields<'_>) -> Result<Outcome, String> {
        if let Some(offsets) = input.list("offsets")? {
            let batches: Vec<Batch> =
                offsets.iter().filter_map(Value::as_i64).map(|o| record(0, o)).collect();
            let mut appended = Log::check_order(&batches);
            for batch in batches {
                appended = appended.and_then(|()| {
                    self.log.append_as_follower(batch, NO_LIMITS, Micros::ZERO).map(drop)
                });
            }
            return Ok(append_result(appended));
        }
        let (base, n) = (input.need("offset")?, input.int_or("n", 1)?);
        let one = record(input.int_or("epoch", 0)? as i32, base);
        let records = (base..base + n).map(|o| record(0, o).records[0]).collect();
        let batch = Batch { records, ..one };
        let appended = self.log.append_as_follower(batch, NO_LIMITS, Micros::ZERO);
        Ok(append_result(appended.map(drop)))
    }
}

fn append_result(appended: Result<(), AppendError>) -> Outcome {
    let error = match appended {
        Ok(()) => "NONE",
        Err(AppendError::NotContiguous) => "UNEXPECTED_APPEND_OFFSET",
        Err(AppendError::OutOfOrder) => "OFFSETS_OUT_OF_ORDER",
        Err(AppendError::Refused(error)) => error.constant(),
    };
    [("error".to_string(), json!(error))].into_iter().collect()
}

impl Bench for LogAlone {
    fn act(&mut self, op: &str, input: &Fields<'_>) -> Result<Outcome, String> {
        match op {
            "truncateTo" => drop(self.log.truncate_to(input.need("offset")?, Micros::ZERO)),
            "truncateAllStartAt" => {
                let end = input.need("offset")?;
                self.log.truncate_fully(end, input.int_or("logStart", end)?, Micros::ZERO);
            }
            "append" => {
                let (end, n) = (self.log.end(), input.need("n")?);
                let epoch = self.log.epochs().latest_epoch().max(0);
                let epoch = input.int_or("epoch", epoch.into())? as i32;
                append_run(&mut self.log, epoch, end, end + n)?;
            }
            "appendFollower" => return self.append_follower(input),
            "setHw" => self.hw = input.need("to")?,
            "status" => {}
            other => return unknown_op(other),
        }
        self.hw = high_watermark::followed(self.hw, self.log.start(), self.log.end());
        Ok(Outcome::new())
    }

    fn look(&mut self, name: &str, _: &Value) -> Result<Value, String> {
        match name {
            "log" => Ok(seen(&self.log, self.hw)),
            "error" => Ok(json!("NONE")),
            _ => unknown_field(name),
        }
    }
}

fn seen(log: &Log, hw: i64) -> Value {
    json!({
        "start": log.start(),
        "end": log.end(),
        "hw": hw,
        "runs": runs(log),
        "epochEntries": super::fields::entries(log),
    })
}

/// One side: a log, and what it believes of the leader epoch.
struct Side {
    log: Log,
    hw: i64,
    leader_epoch: i32,
}

impl Side {
    fn new(given: &Fields<'_>, rules: &Rules) -> Result<Side, String> {
        let latest = given.int("latestEpoch")?.or(given.int("lastEpoch")?);
        let mut log = log(given, LogRules::of(rules), latest.unwrap_or(0) as i32)?;
        let known = i64::from(log.epochs().latest_epoch().max(0));
        let leader_epoch = given.int_or("leaderEpoch", latest.unwrap_or(known))? as i32;
        // A newest epoch without records is one that its leader has begun.
        if let Some(latest) = latest {
            log.put_epoch(latest as i32);
        }
        Ok(Side { hw: given.int_or("hw", 0)?, log, leader_epoch })
    }
}

/// How the fetcher stands with the follower's partition.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Stage {
    Truncating,
    Fetching,
    Failed,
    Gone,
}

/// What the controller says while a request is under way.
enum News {
    Follow { epoch: i32, force: bool },
    Unfollow,
}

/// A follower and its leader, between whom requests are carried one by one.
struct Pair {
    rules: Rules,
    follower: Side,
    /// Where its log ends, where that is not what the log says.
    follower_end: Option<i64>,
    fetch_offset: Option<i64>,
    /// Epochs end there in the follower's log, whatever that holds.
    lookups: BTreeMap<i32, Option<EpochEnd>>,
    leader: Option<Side>,
    leader_lookups: BTreeMap<i32, Option<EpochEnd>>,
    leader_gone: bool,
    per_fetch: usize,
    stage: Stage,
    forced: bool,
    news: Option<News>,
    truncations: usize,
    epoch_requests: usize,
    fetches: usize,
}

fn lookups(given: Option<Fields<'_>>) -> Result<BTreeMap<i32, Option<EpochEnd>>, String> {
    let mut lookups = BTreeMap::new();
    for (epoch, end) in given.iter().flat_map(Fields::all) {
        let epoch = epoch.parse().map_err(|_| format!("an epoch, not {epoch}"))?;
        let part = |i: usize| end[i].as_i64().ok_or_else(|| format!("an epoch's end, not {end}"));
        let end = match end {
            Value::Null => None,
            _ => Some(EpochEnd { epoch: part(0)? as i32, end: part(1)? }),
        };
        lookups.insert(epoch, end);
    }
    Ok(lookups)
}

impl Pair {
    fn new(rules: Rules, given: &Fields<'_>) -> Result<Pair, String> {
        let leads_alone = !given.has("follower");
        let fields = given.object_or_empty("follower")?;
        // A log of which only the HW is given reaches that far.
        let hw = fields.int_or("hw", 0)?;
        let follower_end = (!fields.has("end") && !fields.has("runs")).then_some(hw);
        let fetch_offset = fields.int("fetchOffset")?;
        let no_epoch = fields.has("latestEpoch") && fields.given("latestEpoch").is_none();
        let mut side = Side::new(&fields, &rules)?;
        if no_epoch {
            side.log.truncate_epochs(0);
        }
        fields.finish()?;
        let mut leader_gone = false;
        let mut leader_lookups = BTreeMap::new();
        let leader = match given.object("leader")? {
            None => None,
            Some(fields) => {
                leader_gone = fields.text("leaderEpochOf")?.is_some();
                leader_lookups = lookups(fields.object("endOfEpoch")?)?;
                let mut side = Side::new(&fields, &rules)?;
                side.log.begin_epoch(side.leader_epoch);
                fields.finish()?;
                Some(side)
            }
        };
        if leader.is_none() && leads_alone {
            return Err("neither a leader nor a follower".into());
        }
        let mut pair = Pair {
            rules,
            follower: side,
            follower_end,
            fetch_offset,
            lookups: lookups(given.object("lookups")?)?,
            leader,
            leader_lookups,
            leader_gone,
            per_fetch: given.count("recordsPerFetch", usize::MAX)?,
            stage: Stage::Fetching,
            forced: false,
            news: None,
            truncations: 0,
            epoch_requests: 0,
            fetches: 0,
        };
        pair.begin();
        Ok(pair)
    }

    /// The follower begins to follow.
    fn begin(&mut self) {
        self.stage = match self.beginning() {
            Beginning::Fetch => Stage::Fetching,
            Beginning::TruncateTo(_) | Beginning::AskEnd(_) => Stage::Truncating,
        };
    }

    fn beginning(&self) -> Beginning {
        let latest = self.follower.log.epochs().latest_epoch();
        if self.forced {
            return Beginning::AskEnd(latest);
        }
        divergence::beginning(self.rules.truncation, self.follower.hw, latest)
    }

    fn end(&self) -> i64 {
        self.follower_end.unwrap_or(self.follower.log.end())
    }

    fn end_of(&self, epoch: i32) -> Option<EpochEnd> {
        match self.lookups.get(&epoch) {
            Some(known) => *known,
            None => self.follower.log.end_offset_for(epoch),
        }
    }

    fn cut(&mut self, cut: Cut) -> Outcome {
        self.truncations += 1;
        self.follower.log.truncate_to(cut.to, Micros::ZERO);
        self.follower_end = self.follower_end.map(|end| end.min(cut.to));
        let log = &self.follower.log;
        self.follower.hw = high_watermark::followed(self.follower.hw, log.start(), log.end());
        self.fetch_offset = None;
        if cut.complete {
            self.stage = Stage::Fetching;
            self.forced = false;
        }
        let mut outcome = result(Ok(()));
        outcome.insert("truncatedTo".into(), cut.to.into());
        outcome.insert("complete".into(), cut.complete.into());
        outcome
    }

    fn is_followed(&self) -> bool {
        !matches!(self.stage, Stage::Gone)
    }

    fn epoch_reply(&mut self, epoch: i32, end: i64, error: ErrorCode) -> Outcome {
        if error != ErrorCode::None {
            let mut outcome = result(Ok(()));
            outcome.insert("truncatedTo".into(), Value::Null);
            outcome.insert("complete".into(), false.into());
            return outcome;
        }
        let end_of = |epoch| self.end_of(epoch);
        let log = FollowerLog { hw: self.follower.hw, end: self.end(), end_of: &end_of };
        let cut = divergence::after_epoch_answer(self.rules.truncation, &log, epoch, end);
        self.cut(cut)
    }

    fn diverging_reply(&mut self, leader: EpochEnd) -> Outcome {
        let local = self.end_of(leader.epoch);
        let end_of = |epoch| self.end_of(epoch);
        let log = FollowerLog { hw: self.follower.hw, end: self.end(), end_of: &end_of };
        let cut = divergence::after_divergence(&log, leader);
        // One round: if that is not enough, the next fetch says so.
        let mut outcome = self.cut(Cut { complete: true, ..cut });
        outcome.insert("localEnd".into(), local.map_or(-1, |e| e.end).into());
        outcome
    }

    /// What the leader says to a fetch before it reads.
    fn check_fetch(
        &self,
        offset: i64,
        last_epoch: i32,
        leader_epoch: i32,
    ) -> Result<Option<EpochEnd>, ErrorCode> {
        let Some(leader) = &self.leader else { return Ok(None) };
        if self.leader_gone {
            return Err(ErrorCode::NotLeaderOrFollower);
        }
        if self.leader_lookups.is_empty() {
            let fencing = self.rules.fetch_fencing;
            readers::check_leader_epoch(fencing, leader_epoch, leader.leader_epoch)?;
            return divergence::check_fetch(&leader.log, offset, last_epoch);
        }
        let known = match self.leader_lookups.get(&last_epoch) {
            Some(known) => *known,
            None => leader.log.end_offset_for(last_epoch),
        };
        divergence::check_epoch(leader.log.start(), known, offset, last_epoch)
    }

    fn fetch(&self, input: &Fields<'_>) -> Result<Outcome, String> {
        let offset = input.need("offset")?;
        let last_epoch = input.int_or("lastEpoch", -1)? as i32;
        let leader_epoch = input.int_or("leaderEpoch", -1)? as i32;
        let parked = input.flag("parked", false)?;
        let checked = self.check_fetch(offset, last_epoch, leader_epoch);
        let mut outcome = result(checked.map(drop));
        let diverging = checked.ok().flatten();
        outcome
            .insert("diverging".into(), diverging.map_or(Value::Null, |d| json!([d.epoch, d.end])));
        let more = self.leader.as_ref().is_some_and(|l| l.log.end() > offset);
        let completes = checked.is_err() || diverging.is_some() || more || !parked;
        outcome.insert("completes".into(), completes.into());
        Ok(outcome)
    }

    /// One round of the fetcher: truncation, then a fetch.
    fn step(&mut self) -> Outcome {
        let mut outcome = Outcome::new();
        if self.stage == Stage::Truncating {
            let protocol = self.rules.truncation;
            match self.beginning() {
                Beginning::Fetch => self.stage = Stage::Fetching,
                Beginning::TruncateTo(to) => outcome = self.cut(Cut { to, complete: true }),
                Beginning::AskEnd(epoch) => {
                    self.epoch_requests += 1;
                    let answer = self.leader_end_of(epoch);
                    if self.take_news() {
                        // The answer is to a request of an older leader epoch.
                        return outcome;
                    }
                    match answer {
                        Ok(end) if protocol == Truncation::Kip101 => {
                            let end = end.map_or(-1, |e| e.end);
                            outcome = self.epoch_reply(-1, end, ErrorCode::None);
                        }
                        Ok(end) => {
                            let (epoch, end) = end.map_or((-1, -1), |e| (e.epoch, e.end));
                            outcome = self.epoch_reply(epoch, end, ErrorCode::None);
                        }
                        Err(error) => self.refused(error),
                    }
                }
            }
        }
        if self.stage == Stage::Fetching {
            self.fetch_once();
        }
        outcome
    }

    /// The leader's answer to a follower that asks where its epoch ends. A leader of which nothing
    /// is given agrees with the follower.
    fn leader_end_of(&self, epoch: i32) -> Result<Option<EpochEnd>, ErrorCode> {
        let Some(leader) = &self.leader else {
            return Ok(self.end_of(epoch).or(Some(EpochEnd { epoch, end: self.end() })));
        };
        let (request, own) = (self.follower.leader_epoch, leader.leader_epoch);
        readers::check_leader_epoch(self.rules.fetch_fencing, request, own)?;
        Ok(leader.log.end_offset_for(epoch))
    }

    /// Whether the controller said something while a request was under way.
    fn take_news(&mut self) -> bool {
        match self.news.take() {
            None => return false,
            Some(News::Unfollow) => self.stage = Stage::Gone,
            Some(News::Follow { epoch, force }) => self.follow(epoch, force),
        }
        true
    }

    fn follow(&mut self, epoch: i32, force: bool) {
        let same = self.follower.leader_epoch == epoch && self.is_followed();
        if same && !force && self.stage != Stage::Failed {
            return;
        }
        self.follower.leader_epoch = epoch;
        self.forced = force;
        self.begin();
    }

    /// An error of the leader, as the follower takes it (R3.5).
    fn refused(&mut self, error: ErrorCode) {
        if error == ErrorCode::FencedLeaderEpoch {
            self.stage = Stage::Failed;
        }
    }

    fn fetch_once(&mut self) {
        self.fetches += 1;
        let offset = self.end();
        let last_epoch = match self.rules.truncation {
            Truncation::Fetch => self.follower.log.epochs().latest_epoch(),
            _ => -1,
        };
        let checked = self.check_fetch(offset, last_epoch, self.follower.leader_epoch);
        if self.take_news() {
            return;
        }
        match checked {
            Ok(None) => self.take_records(offset),
            Ok(Some(end)) => drop(self.diverging_reply(end)),
            Err(ErrorCode::OffsetOutOfRange) => self.out_of_range(),
            Err(error) => self.refused(error),
        }
    }

    fn take_records(&mut self, offset: i64) {
        let Some(leader) = &self.leader else { return };
        let batches: Vec<Batch> = leader
            .log
            .read(offset, leader.log.end(), i64::MAX)
            .into_iter()
            .take(self.per_fetch)
            .collect();
        for batch in batches {
            if self.follower.log.append_as_follower(batch, NO_LIMITS, Micros::ZERO).is_err() {
                self.stage = Stage::Failed;
            }
        }
        let log = &self.follower.log;
        self.follower.hw = high_watermark::followed(leader.hw, log.start(), log.end());
        self.fetch_offset = None;
    }

    fn out_of_range(&mut self) {
        let Some(leader) = &self.leader else { return };
        let (start, end, own) = (leader.log.start(), leader.log.end(), self.end());
        let next = if end < own {
            divergence::ahead(self.rules.follower_ahead, end, true)
        } else {
            divergence::behind(self.rules.out_of_range_restart, own, start)
        };
        match next {
            OutOfRange::TruncateTo(to) => drop(self.cut(Cut { to, complete: true })),
            OutOfRange::RestartAt(start) => {
                self.follower.log.truncate_fully(start, start, Micros::ZERO);
                self.follower.hw = start;
            }
            OutOfRange::Halt => self.stage = Stage::Failed,
            OutOfRange::Continue => {}
        }
    }

    fn settle(&mut self) -> Outcome {
        let mut outcome = Outcome::new();
        for _ in 0..10_000 {
            let state =
                |p: &Pair| (runs(&p.follower.log), p.follower.hw, p.stage, p.follower.log.start());
            let before = state(self);
            let stepped = self.step();
            outcome = if stepped.is_empty() { outcome } else { stepped };
            if state(self) == before {
                break;
            }
        }
        outcome
    }

    fn is_equal(&self) -> bool {
        self.leader.as_ref().is_some_and(|l| {
            let (own, other) = (&self.follower.log, &l.log);
            runs(own) == runs(other) && own.start() == other.start()
        })
    }
}

impl Bench for Pair {
    fn act(&mut self, op: &str, input: &Fields<'_>) -> Result<Outcome, String> {
        match op {
            "fetch" => return self.fetch(input),
            "divergingReply" => {
                let end =
                    EpochEnd { epoch: input.need("epoch")? as i32, end: input.need("offset")? };
                input.skip(&["partition"]);
                if self.is_followed() {
                    return Ok(self.diverging_reply(end));
                }
            }
            "epochReply" => {
                input.skip(&["partition"]);
                let epoch = input.int_or("epoch", -1)? as i32;
                let end = input.need("offset")?;
                let error =
                    input.text("error")?.map_or(Ok(ErrorCode::None), super::leader::error_named)?;
                if self.is_followed() {
                    return Ok(self.epoch_reply(epoch, end, error));
                }
            }
            "step" => return Ok(self.step()),
            "settle" => return Ok(self.settle()),
            "follow" => {
                let epoch = input.int_or("leaderEpoch", self.follower.leader_epoch.into())? as i32;
                let force = input.flag("forceTruncate", false)?;
                match input.text("during")? {
                    None => self.follow(epoch, force),
                    Some(_) => self.news = Some(News::Follow { epoch, force }),
                }
            }
            "unfollow" => match input.text("during")? {
                None => self.stage = Stage::Gone,
                Some(_) => self.news = Some(News::Unfollow),
            },
            "leaderEpochAtLeader" => {
                let epoch = input.need("leaderEpoch")? as i32;
                self.leader.as_mut().ok_or("no leader")?.leader_epoch = epoch;
            }
            "emptyLeader" => {
                let leader = self.leader.as_mut().ok_or("no leader")?;
                leader.log.truncate_fully(0, 0, Micros::ZERO);
                leader.hw = 0;
            }
            "becomeLeader" => {
                input.skip(&["partition"]);
                self.stage = Stage::Gone;
            }
            "setHw" => self.follower.hw = input.need("to")?,
            "status" => {}
            other => return unknown_op(other),
        }
        Ok(Outcome::new())
    }

    fn look(&mut self, name: &str, _: &Value) -> Result<Value, String> {
        Ok(match name {
            "follower" => {
                let mut seen = seen(&self.follower.log, self.follower.hw);
                seen["end"] = json!(self.end());
                seen["fetchOffset"] = json!(self.fetch_offset.unwrap_or(self.end()));
                seen["leaderEpoch"] = json!(self.follower.leader_epoch);
                let latest = self.follower.log.epochs().latest_epoch();
                seen["lastEpoch"] = json!(latest);
                seen["latestEpoch"] = json!(latest);
                seen
            }
            "fetcher" => json!(match self.stage {
                Stage::Truncating => "truncating",
                Stage::Fetching => "fetching",
                Stage::Failed => "failed",
                Stage::Gone => "gone",
            }),
            "equal" | "logsEqual" => json!(self.is_equal()),
            "truncations" => json!(self.truncations),
            "epochRequests" => json!(self.epoch_requests),
            "fetches" => json!(self.fetches),
            "truncatedTo" => Value::Null,
            "complete" => json!(self.stage == Stage::Fetching),
            "error" => json!("NONE"),
            _ => return unknown_field(name),
        })
    }
}

/// Several partitions of one fetcher. An input that names none is for all of them.
struct Pairs {
    pairs: BTreeMap<String, Pair>,
    touched: Option<String>,
}

impl Pairs {
    /// Partitions by name: each a follower, or a follower and a leader.
    fn new(rules: Rules, partitions: &Fields<'_>, given: &Fields<'_>) -> Result<Pairs, String> {
        given.skip(&["follower", "leader", "lookups", "recordsPerFetch"]);
        let mut pairs = BTreeMap::new();
        for (name, partition) in partitions.all() {
            let fields = Fields::new(partition)?;
            let pair = match fields.has("follower") || fields.has("leader") {
                true => Pair::new(rules, &fields)?,
                false => {
                    let alone = json!({"follower": partition});
                    Pair::new(rules, &Fields::new(&alone)?)?
                }
            };
            if fields.has("follower") || fields.has("leader") {
                fields.finish()?;
            }
            pairs.insert(name.to_string(), pair);
        }
        Ok(Pairs { pairs, touched: None })
    }
}

impl Bench for Pairs {
    fn act(&mut self, op: &str, input: &Fields<'_>) -> Result<Outcome, String> {
        self.touched = input.text("partition")?.map(String::from);
        if let Some(name) = &self.touched {
            let pair = self.pairs.get_mut(name).ok_or_else(|| format!("no partition {name}"))?;
            return pair.act(op, input);
        }
        let mut outcome = Outcome::new();
        for (name, pair) in &mut self.pairs {
            for (field, value) in pair.act(op, input)? {
                outcome.entry(field).or_insert_with(|| json!({}))[name] = value;
            }
        }
        Ok(outcome)
    }

    fn look(&mut self, name: &str, wanted: &Value) -> Result<Value, String> {
        if let Some(touched) = self.touched.as_ref().and_then(|t| self.pairs.get_mut(t)) {
            return touched.look(name, wanted);
        }
        let all = self.pairs.iter_mut();
        let all = all.map(|(partition, pair)| Ok((partition.clone(), pair.look(name, wanted)?)));
        Ok(Value::Object(all.collect::<Result<Map<_, _>, String>>()?))
    }
}

/// Replicas whose logs and HWs are given, without clock or network.
struct Scene {
    rules: Rules,
    leader: Option<BrokerId>,
    replicas: BTreeMap<BrokerId, Side>,
    names: BTreeMap<BrokerId, String>,
    dead: BTreeSet<BrokerId>,
    /// What the leaders have had.
    written: BTreeMap<i64, Vec<RecordId>>,
    records: u32,
}

impl Scene {
    fn new(rules: Rules, given: &Fields<'_>) -> Result<Scene, String> {
        given.skip(&["replicas", "isr", "acks", "minIsr", "unclean"]);
        let mut names = BTreeMap::new();
        let mut replicas = BTreeMap::new();
        for (name, side) in given.object("logs")?.iter().flat_map(Fields::all) {
            let id = broker(&json!(name))?.ok_or("a broker")?;
            let fields = Fields::new(side)?;
            replicas.insert(id, Side::new(&fields, &rules)?);
            fields.finish()?;
            names.insert(id, name.to_string());
        }
        let leader = given.broker("leader")?;
        let (dead, written) = (BTreeSet::new(), BTreeMap::new());
        let mut scene = Scene { rules, leader, replicas, names, dead, written, records: 1_000_000 };
        scene.note_written();
        Ok(scene)
    }

    fn leading(&self) -> Result<&Side, String> {
        let leader = self.leader.filter(|l| !self.dead.contains(l)).ok_or("no leader")?;
        self.replicas.get(&leader).ok_or("no such leader".into())
    }

    fn note_written(&mut self) {
        let Ok(side) = self.leading() else { return };
        let all: Vec<(i64, Vec<RecordId>)> =
            side.log.batches().map(|b| (b.base, b.records.to_vec())).collect();
        self.written.extend(all);
    }

    /// One fetch: records, then the HW that the leader had before this fetch counted (R2.29).
    fn fetch_round(&mut self, follower: BrokerId) -> Result<(), String> {
        let side = self.leading()?;
        let (hw, log) = (side.hw, side.log.clone());
        let own = self.replicas.get_mut(&follower).ok_or("no such follower")?;
        if self.rules.truncation == Truncation::Fetch {
            let latest = own.log.epochs().latest_epoch();
            if let Ok(Some(end)) = divergence::check_fetch(&log, own.log.end(), latest) {
                own.log.truncate_to(divergence::truncation_point(&own.log, end), Micros::ZERO);
                own.hw = high_watermark::followed(own.hw, own.log.start(), own.log.end());
                return Ok(());
            }
        }
        for batch in log.read(own.log.end(), log.end(), i64::MAX) {
            let appended = own.log.append_as_follower(batch, NO_LIMITS, Micros::ZERO);
            appended.map_err(|e| format!("{e:?}"))?;
        }
        own.hw = high_watermark::followed(hw, own.log.start(), own.log.end());
        let end = own.log.end();
        // The next fetch tells the leader; with two replicas that moves its HW.
        let both = self.replicas.len() == 2;
        let leader = self.leader.and_then(|l| self.replicas.get_mut(&l));
        if let Some(leader) = leader.filter(|_| both) {
            leader.hw = leader.hw.max(end.min(leader.log.end()));
        }
        Ok(())
    }

    /// A replica begins to follow, with the HW that it had, and truncates as its release does.
    fn follow(&mut self, id: BrokerId) -> Result<(), String> {
        if self.leader == Some(id) {
            return Ok(());
        }
        let own = self.replicas.get(&id).ok_or("no such replica")?;
        let rule = self.rules.truncation;
        let end_of = |epoch| own.log.end_offset_for(epoch);
        let log = FollowerLog { hw: own.hw, end: own.log.end(), end_of: &end_of };
        let to = match divergence::beginning(rule, own.hw, own.log.epochs().latest_epoch()) {
            Beginning::TruncateTo(to) => Some(to),
            Beginning::Fetch => None,
            Beginning::AskEnd(epoch) => self.leading().ok().map(|leader| {
                let end = leader.log.end_offset_for(epoch);
                let (epoch, end) = end.map_or((-1, -1), |e| (e.epoch, e.end));
                divergence::after_epoch_answer(rule, &log, epoch, end).to
            }),
        };
        let own = self.replicas.get_mut(&id).ok_or("no such replica")?;
        if let Some(to) = to {
            own.log.truncate_to(to, Micros::ZERO);
        }
        own.hw = high_watermark::followed(own.hw, own.log.start(), own.log.end());
        Ok(())
    }

    /// Another replica leads, under a new epoch; the others that are up follow it.
    fn elect(&mut self, leader: BrokerId) -> Result<(), String> {
        let epoch = self.replicas.values().map(|s| s.leader_epoch).max().unwrap_or(0) + 1;
        let side = self.replicas.get_mut(&leader).ok_or("no such replica")?;
        side.leader_epoch = epoch;
        side.log.begin_epoch(epoch);
        self.leader = Some(leader);
        let up: Vec<BrokerId> =
            self.replicas.keys().copied().filter(|b| !self.dead.contains(b)).collect();
        up.into_iter().try_for_each(|b| self.follow(b))
    }

    fn produce(&mut self, n: i64) -> Result<(), String> {
        self.leading()?;
        for _ in 0..n {
            self.records += 1;
            let records = [RecordId(self.records)].into();
            let leader = self.leader.and_then(|l| self.replicas.get_mut(&l)).ok_or("no leader")?;
            let epoch = leader.leader_epoch;
            let batch = Batch { records, ..record(epoch, leader.log.end()) };
            let appended = leader.log.append_as_leader(batch, epoch, NO_LIMITS, Micros::ZERO);
            appended.map_err(|e| format!("{e:?}"))?;
        }
        self.note_written();
        Ok(())
    }

    /// Offsets that a leader has had and the present one has not, or has something else at.
    fn lost(&self) -> Value {
        let kept = |offset: i64, records: &[RecordId]| {
            let log = self.leading().ok().map(|s| &s.log);
            log.and_then(|l| l.batch_at(offset)).is_some_and(|b| *b.records == *records)
        };
        let lost = self.written.iter().filter(|(offset, records)| !kept(**offset, records));
        json!(lost.map(|(offset, _)| offset).collect::<Vec<_>>())
    }

    fn logs_equal(&self) -> bool {
        let contents = |s: &Side| -> Vec<(i64, i32, Vec<RecordId>)> {
            s.log.batches().map(|b| (b.base, b.epoch, b.records.to_vec())).collect()
        };
        let mut all = self.replicas.values().map(contents);
        let first = all.next();
        all.all(|c| Some(&c) == first.as_ref())
    }
}

impl Bench for Scene {
    fn act(&mut self, op: &str, input: &Fields<'_>) -> Result<Outcome, String> {
        match op {
            "fetchRound" => self.fetch_round(input.need_broker("follower")?)?,
            "restart" => self.follow(input.need_broker("broker")?)?,
            "kill" | "stop" => {
                input.skip(&["crash", "clean"]);
                let id = input.need_broker("broker")?;
                self.note_written();
                self.dead.insert(id);
                if let Some(lost) = input.int("loses")? {
                    let side = self.replicas.get_mut(&id).ok_or("no such replica")?;
                    side.log.lose_from((side.log.end() - lost).max(0));
                    side.log.load(false, 0, Micros::ZERO);
                }
            }
            "start" => {
                let id = input.need_broker("broker")?;
                self.dead.remove(&id);
                self.follow(id)?;
            }
            "elect" => self.elect(input.need_broker("leader")?)?,
            "produce" => {
                input.skip(&["asOneBatch", "acks"]);
                self.produce(input.int_or("n", 1)?)?;
            }
            "settle" => {
                let followers: Vec<BrokerId> =
                    self.replicas.keys().copied().filter(|b| Some(*b) != self.leader).collect();
                for _ in 0..100 {
                    for id in followers
                        .iter()
                        .filter(|b| !self.dead.contains(b))
                        .copied()
                        .collect::<Vec<_>>()
                    {
                        self.fetch_round(id)?;
                    }
                }
            }
            "status" | "readAll" => {}
            other => return unknown_op(other),
        }
        Ok(Outcome::new())
    }

    fn look(&mut self, name: &str, wanted: &Value) -> Result<Value, String> {
        Ok(match name {
            "logs" => {
                let all = self.replicas.iter();
                let all = all.map(|(id, s)| (self.names[id].clone(), seen(&s.log, s.hw)));
                Value::Object(all.collect::<Map<_, _>>())
            }
            "log" => {
                let side = self.leading()?;
                seen(&side.log, side.hw)
            }
            "lost" => self.lost(),
            "ends" => {
                let all = self.replicas.iter();
                let all = all.map(|(id, s)| (self.names[id].clone(), json!(s.log.end())));
                Value::Object(all.collect())
            }
            "logsEqual" | "equal" => json!(self.logs_equal()),
            "offsetsStrictlyIncrease" => {
                let bases: Vec<i64> = self.leading()?.log.batches().map(|b| b.base).collect();
                json!(bases.windows(2).all(|w| w[0] < w[1]))
            }
            "atLeast" => {
                let log = &self.leading()?.log;
                let read = log.end() - log.start();
                let enough = wanted.as_i64().is_some_and(|least| least <= read);
                if enough { wanted.clone() } else { json!(read) }
            }
            _ => return unknown_field(name),
        })
    }
}
