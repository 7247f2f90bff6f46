//! A follower and its leader, between whom requests are carried one by one.

use super::{Side, seen};
use crate::fidelity::conformance::fields::{Fields, NO_LIMITS, runs};
use crate::fidelity::conformance::leader::error_named;
use crate::fidelity::conformance::{Bench, Outcome, common_op, result, unknown_field};
use highwater_core::log::Batch;
use highwater_core::partition::divergence::{self, Beginning, Cut, OutOfRange};
use highwater_core::partition::epochs::{EpochEnd, EpochEntry, LogView};
use highwater_core::partition::follow::{FetchFailure, after_fetch_error};
use highwater_core::partition::heard::{self, Heard, Known, Standing};
use highwater_core::partition::{Stored, high_watermark, readers};
use highwater_core::settings::Rules;
use highwater_core::settings::rules::Truncation;
use highwater_core::words::{BrokerId, Brokers, ErrorCode, Micros};
use serde_json::{Value, json};
use std::collections::BTreeMap;

const LEADER: BrokerId = BrokerId(1);
const FOLLOWER: BrokerId = BrokerId(2);

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
pub struct Pair {
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
    /// Where the last input has cut the log, if it has.
    truncated_to: Option<i64>,
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
    pub fn new(rules: Rules, given: &Fields<'_>) -> Result<Pair, String> {
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
            truncated_to: None,
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

    /// The follower's epochs; where a case says only how a look-up of `epoch` ends, a history in which
    /// it ends so.
    fn epochs_around(&self, epoch: i32) -> Vec<EpochEntry> {
        match self.lookups.get(&epoch) {
            None => self.follower.log.epochs().entries().to_vec(),
            Some(None) => Vec::new(),
            Some(Some(found)) => vec![
                EpochEntry { epoch: found.epoch, start: 0 },
                EpochEntry { epoch: epoch + 1, start: found.end },
            ],
        }
    }

    fn view<'a>(&self, epochs: &'a [EpochEntry]) -> LogView<'a> {
        let log = self.follower.log.view();
        LogView { start: log.start, end: self.end(), epochs, before_first: log.before_first }
    }

    fn cut(&mut self, cut: Cut) -> Outcome {
        self.truncations += 1;
        self.truncated_to = Some(cut.to);
        self.follower.log.truncate_to(cut.to, Micros::ZERO);
        self.follower_end = self.follower_end.map(|end| end.min(cut.to));
        let log = &self.follower.log;
        self.follower.hw = high_watermark::followed(self.follower.hw, log.start(), log.end());
        self.fetch_offset = None;
        if cut.complete {
            self.stage = Stage::Fetching;
            self.forced = false;
        }
        [("complete".to_string(), json!(cut.complete))].into_iter().collect()
    }

    fn is_followed(&self) -> bool {
        !matches!(self.stage, Stage::Gone)
    }

    fn epoch_reply(&mut self, epoch: i32, end: i64, error: ErrorCode) -> Outcome {
        if error != ErrorCode::None {
            self.refused(error);
            return [("complete".to_string(), json!(false))].into_iter().collect();
        }
        let (rule, hw) = (self.rules.truncation, self.follower.hw);
        let epochs = self.epochs_around(epoch);
        let cut = divergence::after_epoch_answer(rule, self.view(&epochs), hw, (epoch, end));
        self.cut(cut)
    }

    fn diverging_reply(&mut self, leader: EpochEnd) -> Outcome {
        let local = self.end_of(leader.epoch);
        let epochs = self.epochs_around(leader.epoch);
        let cut = divergence::after_divergence(self.view(&epochs), leader);
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
            return divergence::check_fetch(leader.log.view(), offset, last_epoch);
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
                Beginning::TruncateTo(to) => {
                    if self.take_news() {
                        return outcome;
                    }
                    outcome = self.cut(Cut { to, complete: true });
                }
                Beginning::AskEnd(epoch) => {
                    self.epoch_requests += 1;
                    let answer = self.leader_end_of(epoch);
                    if self.take_news() {
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

    /// The controller says something: at once, or while the next request is under way.
    fn hear(&mut self, news: News, input: &Fields<'_>) -> Result<(), String> {
        self.news = Some(news);
        if input.text("during")?.is_none() {
            self.take_news();
        }
        Ok(())
    }

    /// Whether the controller said something while a request was under way: then its answer is of
    /// an older state, and dropped (R3.2).
    fn take_news(&mut self) -> bool {
        match self.news.take() {
            None => return false,
            Some(News::Unfollow) => self.stage = Stage::Gone,
            Some(News::Follow { epoch, force }) => self.follow(epoch, force),
        }
        true
    }

    /// The controller says whom to follow, under which epoch. A case may want it truncated in any
    /// case.
    fn follow(&mut self, epoch: i32, force: bool) {
        let standing = Standing::Follower { leader: LEADER };
        let mut known =
            Known { leader_epoch: self.follower.leader_epoch, standing, stopping: false };
        if !self.is_followed() {
            // Its replica is deleted, and with it what its process knew.
            known = Known { leader_epoch: -1, standing: Standing::Idle, ..known };
        }
        let both = Brokers::from_iter([LEADER, FOLLOWER]);
        let state = Stored { leader: Some(LEADER), leader_epoch: epoch, ..Stored::new(both, both) };
        match heard::told(&self.rules, FOLLOWER, known, &state) {
            Heard::Follow(_) => {}
            Heard::FollowOn => {
                self.follower.leader_epoch = epoch;
                return;
            }
            _ if force => {}
            _ => return,
        }
        self.follower.leader_epoch = epoch;
        self.forced = force;
        self.begin();
    }

    /// An error of the leader, as the follower takes it (R3.5).
    fn refused(&mut self, error: ErrorCode) {
        let epoch = self.follower.leader_epoch;
        match after_fetch_error(error, epoch, epoch) {
            FetchFailure::AskLogEnd => self.out_of_range(),
            FetchFailure::Fail => self.stage = Stage::Failed,
            // Time is not played here: the next step is the next try.
            FetchFailure::Delay => {}
        }
    }

    fn fetch_once(&mut self) {
        self.fetches += 1;
        let offset = self.fetch_offset.unwrap_or(self.end());
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
        self.fetch_offset = None;
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
        // There is no other.
        input.skip(&["partition"]);
        self.truncated_to = None;
        match op {
            "fetch" => return self.fetch(input),
            "divergingReply" => {
                let end =
                    EpochEnd { epoch: input.need("epoch")? as i32, end: input.need("offset")? };
                if !self.take_news() && self.is_followed() {
                    return Ok(self.diverging_reply(end));
                }
            }
            "epochReply" => {
                let epoch = input.int_or("epoch", -1)? as i32;
                let end = input.need("offset")?;
                let error = input.text("error")?.map_or(Ok(ErrorCode::None), error_named)?;
                if !self.take_news() && self.is_followed() {
                    return Ok(self.epoch_reply(epoch, end, error));
                }
            }
            "step" => return Ok(self.step()),
            "settle" => return Ok(self.settle()),
            "follow" => {
                let epoch = input.int_or("leaderEpoch", self.follower.leader_epoch.into())? as i32;
                let force = input.flag("forceTruncate", false)?;
                self.hear(News::Follow { epoch, force }, input)?;
            }
            // Who leads follows no longer.
            "unfollow" | "becomeLeader" => {
                input.skip(&["leaderEpoch"]);
                self.hear(News::Unfollow, input)?;
            }
            "leaderEpochAtLeader" => {
                let epoch = input.need("leaderEpoch")? as i32;
                self.leader.as_mut().ok_or("no leader")?.leader_epoch = epoch;
            }
            "emptyLeader" => {
                let leader = self.leader.as_mut().ok_or("no leader")?;
                leader.log.truncate_fully(0, 0, Micros::ZERO);
                leader.hw = 0;
            }
            "setHw" => self.follower.hw = input.need("to")?,
            other => return common_op(other, input),
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
            "truncatedTo" => json!(self.truncated_to),
            "complete" => json!(self.stage == Stage::Fetching),
            _ => return unknown_field(name),
        })
    }
}
