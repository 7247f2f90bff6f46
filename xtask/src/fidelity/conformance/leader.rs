//! One replica as leader or follower, called as a broker calls it.

use super::compare::modern;
use super::fields::{self, Fields, NO_LIMITS, broker, of_brokers, record};
use super::{Era, Outcome, result};
use highwater_core::log::{Log, LogRules};
use highwater_core::partition::heard::{self, Heard, Known, Standing};
use highwater_core::partition::isr::{AfterAnswer, after_answer};
use highwater_core::partition::readers::{self, Isolation};
use highwater_core::partition::{Eligibility, LeaderContext, Stored, divergence, high_watermark};
use highwater_core::replica::{Leading, Progress};
use highwater_core::settings::rules::{AboveHw, Coordination, IsrStore};
use highwater_core::settings::{Key, Rules, Values};
use highwater_core::wire::metadata::PartitionState;
use highwater_core::words::{BrokerId, Brokers, ErrorCode, Micros, Offset};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Time 0 is "never": by default it is long past.
const LONG_AFTER_NEVER: Micros = Micros::from_secs(1_000_000);

pub struct Seat {
    pub rules: Rules,
    pub own: BrokerId,
    pub now: Micros,
    pub log: Log,
    pub hw: Offset,
    pub leading: Option<Leading>,
    /// Whom it follows, while it does not lead.
    following: Option<BrokerId>,
    pub leader_epoch: i32,
    pub replicas: Brokers,
    /// Raw `min.insync.replicas`.
    min_insync_replicas: i64,
    lag_max: Micros,
    lag_max_messages: Offset,
    states: BTreeMap<BrokerId, bool>,
    epochs: BTreeMap<BrokerId, i64>,
    /// Whether the proposed ISR waits to be asked for, or is asked for.
    queued: bool,
    /// A leader epoch began with the last input.
    leader_changed: bool,
    /// Version of the stored state that it knows, while it does not lead.
    version: i32,
    /// Only a log is given, and nobody who leads.
    bare: bool,
}

impl Seat {
    pub fn new(era: &Era, given: &Fields<'_>) -> Result<Seat, String> {
        let mut rules = era.rules;
        match given.text("mode")? {
            None | Some("kraft") => {}
            // A broker of the same release, with the controller that ZooKeeper keeps in office.
            Some("zk") if rules.isr_store == IsrStore::AlterPartition => {
                rules.isr_store = IsrStore::AlterIsr;
            }
            Some("zk") => {}
            Some(other) => return Err(format!("unknown mode {other}")),
        }
        let leader = given.broker("leader")?;
        let own = given.broker("self")?.or(leader).unwrap_or(BrokerId(0));
        let bare = leader.is_none();
        let leader = leader.unwrap_or(own);
        let replicas = given.brokers("replicas")?.unwrap_or_else(|| [own].into_iter().collect());
        let isr = given.brokers("isr")?.unwrap_or(replicas);
        let leader_epoch = given.int_or("leaderEpoch", 0)? as i32;
        let partition_epoch = given.int_or("partitionEpoch", 0)? as i32;
        let defaults = Values::defaults(era.release);
        let now = given.ms("now")?.unwrap_or(LONG_AFTER_NEVER);
        let log_fields = given.object_or_empty("log")?;
        let hw = log_fields.int_or("hw", 0)?;
        let log_rules = LogRules::of(&rules);
        let log = fields::log(&log_fields, log_rules, (leader_epoch - 1).max(0))?;
        log_fields.finish()?;
        let lag_max = given.ms("lagMaxMs")?;
        let mut seat = Seat {
            rules,
            own,
            now,
            hw: high_watermark::followed(hw, log.start(), log.end()),
            log,
            leading: None,
            following: Some(leader).filter(|l| *l != own),
            leader_epoch,
            replicas,
            min_insync_replicas: given.int_or("minIsr", defaults.get(Key::MinInsyncReplicas))?,
            lag_max: lag_max.unwrap_or(defaults.ms(Key::ReplicaLagTimeMaxMs)),
            lag_max_messages: given
                .int_or("lagMaxMessages", defaults.get(Key::ReplicaLagMaxMessages))?,
            states: BTreeMap::new(),
            epochs: BTreeMap::new(),
            queued: false,
            leader_changed: false,
            version: partition_epoch,
            bare,
        };
        if let Some(epochs) = given.object("brokerEpochs")? {
            for (id, epoch) in epochs.all() {
                let id = broker(&json!(id))?.ok_or("a broker")?;
                seat.epochs.insert(id, epoch.as_i64().ok_or("a broker epoch is a number")?);
            }
        }
        if leader == own && !bare {
            seat.begin(leader_epoch, partition_epoch, &isr);
        }
        seat.leader_changed = false;
        if let Some(followers) = given.object("followers")? {
            for (id, state) in followers.all() {
                let id = broker(&json!(id))?.ok_or("a broker")?;
                seat.place_follower(id, &Fields::new(state)?)?;
            }
        }
        Ok(seat)
    }

    fn place_follower(&mut self, id: BrokerId, given: &Fields<'_>) -> Result<(), String> {
        let known = self.leading.as_mut().and_then(|l| l.follower_mut(id));
        let Some(Progress { state, .. }) = known else { return Err(format!("no follower {id}")) };
        state.end = given.int_or("end", -1)?;
        if let Some(at) = given.ms("caughtUpAt")? {
            // 0 is never.
            state.last_caught_up = Some(at).filter(|at| *at > Micros::ZERO);
        }
        if let Some(at) = given.ms("endChangedAt")? {
            state.last_fetch = Some(at);
        }
        given.finish()
    }

    /// What is stored of the partition.
    fn stored(&self, isr: &Brokers, leader_epoch: i32, partition_epoch: i32) -> PartitionState {
        let stored = Stored {
            replicas: self.replicas,
            isr: *isr,
            leader: Some(self.own),
            leader_epoch,
            partition_epoch,
            ..Stored::default()
        };
        PartitionState { stored, ..PartitionState::default() }
    }

    fn min_isr(&self) -> usize {
        let replicas = self.replicas.len();
        high_watermark::effective_min_isr(self.rules.min_isr, self.min_insync_replicas, replicas)
    }

    /// This replica leads under a new epoch.
    pub fn begin(&mut self, epoch: i32, partition_epoch: i32, isr: &Brokers) {
        let state = self.stored(isr, epoch, partition_epoch);
        let (min_isr, end) = (self.min_isr(), self.log.end());
        let clock = (&self.rules, self.now);
        let leading = Leading::begin(self.own, &state, min_isr, end, self.leading.take(), clock);
        self.following = None;
        self.leading = Some(leading);
        self.leader_epoch = epoch;
        self.log.begin_epoch(epoch);
        self.leader_changed = true;
        self.queued = false;
    }

    pub fn with_world<T>(&self, with: impl FnOnce(&LeaderContext<'_>) -> T) -> T {
        let eligibility = |b: BrokerId| Eligibility {
            active: self.states.get(&b).copied().unwrap_or(true),
            broker_epoch: self.epochs.get(&b).copied().unwrap_or(-1),
        };
        with(&LeaderContext {
            now: self.now,
            lag_max: self.lag_max,
            lag_max_messages: self.lag_max_messages,
            rules: &self.rules,
            eligibility: &eligibility,
        })
    }

    /// Moves the HW if it may move; true if it did.
    pub fn advance_hw(&mut self) -> bool {
        let Some(leading) = &self.leading else { return false };
        let to = self.with_world(|w| leading.advanced_hw(self.hw, self.log.end(), w));
        self.hw = to.unwrap_or(self.hw);
        if to.is_some() {
            self.log.producers_mut().take_hw(self.hw);
        }
        to.is_some()
    }

    /// The HW stays within the log.
    pub fn keep_hw(&mut self, hw: Offset) {
        self.hw = high_watermark::followed(hw, self.log.start(), self.log.end());
        self.log.producers_mut().take_hw(self.hw);
    }

    pub fn append(&mut self, n: i64, epoch: i32) -> Result<(), String> {
        for _ in 0..n {
            let batch = record(epoch, self.log.end());
            let appended = self.log.append_as_leader(batch, epoch, NO_LIMITS, self.now);
            appended.map_err(|e| format!("{e:?}"))?;
        }
        self.advance_hw();
        Ok(())
    }

    /// A change of the ISR is proposed. Where ZooKeeper stores it, it holds at once (R2.22).
    fn propose(&mut self) {
        self.queued = true;
        if self.rules.isr_store == IsrStore::ZooKeeper
            && let Some(leading) = &self.leading
            && let Some(pending) = &leading.pending
        {
            let (isr, version) = (*pending.proposed(), leading.partition_epoch + 1);
            self.take_isr(&isr, version);
        }
    }

    /// The stored ISR, in the epoch that this leader knows.
    pub fn take_isr(&mut self, isr: &Brokers, version: i32) {
        let state = self.stored(isr, self.leader_epoch, version);
        let clock = (&self.rules, self.now);
        let Some(leading) = &mut self.leading else { return };
        leading.commit(self.own, &state, clock);
        self.queued = self.queued && leading.pending.is_some();
        self.advance_hw();
    }

    /// The ISR as it is confirmed. Those that left it had fallen behind.
    pub fn confirm_isr(&mut self, isr: &Brokers) {
        let Some(leading) = &mut self.leading else { return };
        let version = leading.partition_epoch + 1;
        let old = leading.isr;
        for follower in &mut leading.followers {
            if old.contains(&follower.broker) && !isr.contains(&follower.broker) {
                follower.state.last_caught_up = None;
            }
        }
        self.take_isr(isr, version);
    }

    pub fn maybe_shrink(&mut self) {
        let Some(leading) = &self.leading else { return };
        let out = self.with_world(|w| leading.out_of_sync(self.log.end(), w));
        if out.is_empty() {
            return;
        }
        if let Some(leading) = &mut self.leading {
            leading.lead = leading.lead.shrinking(&out);
        }
        self.propose();
    }

    /// Whether a fetch of that broker is served at all.
    fn check_reader(
        &self,
        follower: Option<(BrokerId, i64)>,
        leader_epoch: i64,
        follower_may: bool,
    ) -> Result<(), ErrorCode> {
        let fencing = self.rules.fetch_fencing;
        readers::check_leader_epoch(fencing, leader_epoch as i32, self.leader_epoch)?;
        match (&self.leading, follower) {
            (None, _) if follower_may => Ok(()),
            (None, _) => Err(ErrorCode::NotLeaderOrFollower),
            (Some(_), None) => Ok(()),
            (Some(leading), Some((follower, epoch))) => readers::check_follower(
                leading.follower(follower).is_some(),
                leader_epoch as i32,
                epoch,
                self.epochs.get(&follower).copied().unwrap_or(-1),
            ),
        }
    }

    /// A follower's fetch.
    pub fn fetch(&mut self, input: &Fields<'_>) -> Result<Outcome, String> {
        let from = input.need_broker("from")?;
        let offset = input.need("offset")?;
        let leader_epoch = input.int_or("leaderEpoch", -1)?;
        let last_epoch = input.int_or("lastFetchedEpoch", -1)? as i32;
        let epoch = input.int_or("brokerEpoch", -1)?;
        let served = self.check_reader(Some((from, epoch)), leader_epoch, false);
        if let Some(bumped) = input.int("epochBumpDuring")? {
            self.epochs.insert(from, bumped);
        }
        let read =
            served.and_then(|()| divergence::check_fetch(self.log.view(), offset, last_epoch));
        let (before, hw) = (self.log.end(), self.hw);
        match read {
            Ok(None) => self.record_fetch(from, offset, epoch),
            _ if served.is_ok() => {
                let (rule, now) = (self.rules.follower_clock, self.now);
                if let Some(p) = self.leading.as_mut().and_then(|l| l.follower_mut(from)) {
                    p.state = p.state.after_failed_fetch(rule, now);
                }
            }
            _ => {}
        }
        let mut outcome = result(read.map(drop));
        if let Ok(diverging) = read {
            let records = if diverging.is_some() { 0 } else { before - offset };
            outcome.insert("records".into(), records.into());
            // A follower may have all that there is.
            outcome.insert("readUpTo".into(), before.into());
            let end = diverging.map_or(Value::Null, |d| json!([d.epoch, d.end]));
            outcome.insert("diverging".into(), end);
        }
        outcome.insert("changed".into(), (self.hw != hw).into());
        Ok(outcome)
    }

    fn record_fetch(&mut self, from: BrokerId, offset: Offset, epoch: i64) {
        let (end, now) = (self.log.end(), self.now);
        let Some(leading) = &mut self.leading else { return };
        let Some(progress) = leading.follower_mut(from) else { return };
        let moved = progress.state.end != offset;
        progress.state = progress.state.after_fetch(offset, end, now);
        progress.state.broker_epoch = epoch;
        let leading = self.leading.as_ref().expect("it leads");
        if self.with_world(|w| leading.may_expand(from, self.hw, w)) {
            if let Some(leading) = &mut self.leading {
                leading.lead = leading.lead.expanding(from);
            }
            self.propose();
        }
        if moved {
            self.advance_hw();
        }
    }

    /// A consumer's fetch.
    pub fn consumer_fetch(&mut self, input: &Fields<'_>) -> Result<Outcome, String> {
        let offset = input.need("offset")?;
        let leader_epoch = input.int_or("leaderEpoch", -1)?;
        // A client that says where it is may read from a follower (R7.8).
        let from_rack = input.given("clientMetadata").is_some_and(|v| *v != json!(false));
        let follower_may = from_rack && self.rules.follower_fetching;
        let served = self.check_reader(None, leader_epoch, follower_may || self.bare);
        let read = served.and_then(|()| {
            divergence::check_offset(self.log.start(), self.log.end(), offset)?;
            let above = offset > self.hw && self.rules.above_hw == AboveHw::Error;
            if above { Err(ErrorCode::Unknown) } else { Ok(()) }
        });
        let mut outcome = result(read);
        if read.is_ok() {
            let records = (self.hw - offset).max(0);
            outcome.insert("readUpTo".into(), self.hw.into());
            outcome.insert("records".into(), records.into());
            outcome.insert("empty".into(), (records == 0).into());
        }
        Ok(outcome)
    }

    /// Another broker asks where an epoch ends.
    pub fn epoch_end(&self, input: &Fields<'_>) -> Result<Outcome, String> {
        let leader_epoch = input.int_or("leaderEpoch", -1)?;
        let follower_may = !input.flag("leaderOnly", true)?;
        let served = self.check_reader(None, leader_epoch, follower_may);
        let mut outcome = result(served);
        let known = self.log.end_offset_for(input.need("epoch")? as i32);
        if served.is_ok() {
            outcome.insert("epoch".into(), known.map_or(-1, |e| e.epoch).into());
            outcome.insert("offset".into(), known.map_or(-1, |e| e.end).into());
        }
        Ok(outcome)
    }

    pub fn list_latest(&self, input: &Fields<'_>) -> Result<Outcome, String> {
        let reader = match input.text("isolation")? {
            None => Isolation::Replica,
            Some("read_uncommitted") => Isolation::Uncommitted,
            Some("read_committed") => Isolation::Committed,
            Some(other) => return Err(format!("unknown isolation {other}")),
        };
        let leader_epoch = input.int_or("leaderEpoch", -1)?;
        let follower_may = !input.flag("leaderOnly", true)?;
        let offset = self.check_reader(None, leader_epoch, follower_may).and_then(|()| {
            let epoch_start = self.leading.as_ref().map_or(0, |l| l.epoch_start);
            let unstable = self.log.producers().first_unstable();
            let ends = (self.hw, self.log.end());
            let withheld = self.rules.offset_not_available;
            readers::latest_offset(reader, withheld, ends, epoch_start, unstable)
        });
        let mut outcome = result(offset.map(drop));
        outcome.insert("offset".into(), offset.unwrap_or(-1).into());
        Ok(outcome)
    }

    /// The answer to the ISR change under way.
    pub fn reply(&mut self, input: &Fields<'_>) -> Result<(), String> {
        let error = match input.text("error")? {
            None if input.flag("ok", true)? => ErrorCode::None,
            None => return Err("neither ok nor an error".into()),
            Some(name) => error_named(name)?,
        };
        let version = input.int("partitionEpoch")?;
        let Some(leading) = &mut self.leading else { return Ok(()) };
        // An answer to what is not pending any more is ignored.
        let Some(pending) = leading.pending else { return Ok(()) };
        match after_answer(error) {
            AfterAnswer::Commit => {
                let version = version.map_or(leading.partition_epoch + 1, |v| v as i32);
                self.take_isr(pending.proposed(), version);
            }
            AfterAnswer::FallBack => {
                leading.lead.pending = None;
                self.queued = false;
            }
            AfterAnswer::AwaitMetadata => self.queued = false,
            AfterAnswer::Retry => {}
        }
        Ok(())
    }

    /// The controller's word reaches the broker.
    pub fn leader_state(&mut self, input: &Fields<'_>) -> Result<(), String> {
        let leader = input.broker("leader")?;
        let epoch = input.int_or("leaderEpoch", i64::from(self.leader_epoch) + 1)? as i32;
        if let Some(replicas) = input.brokers("replicas")? {
            self.replicas = replicas;
        }
        // Which of them come or go is the controller's matter.
        input.skip(&["adding", "removing"]);
        let leading = self.leading.as_ref();
        let isr = input.brokers("isr")?;
        let isr = isr.or(leading.map(|l| l.isr)).unwrap_or(self.replicas);
        let version = leading.map_or(self.version, |l| l.partition_epoch);
        let version = input.int_or("partitionEpoch", i64::from(version) + 1)? as i32;
        let state = Stored { leader, ..self.stored(&isr, epoch, version).stored };
        let heard = match self.rules.coordination {
            Coordination::KRaft => heard::heard(&self.rules, self.own, self.known(), &state),
            Coordination::ZooKeeper => heard::told(&self.rules, self.own, self.known(), &state),
        };
        match heard {
            Heard::Nothing => {}
            Heard::Commit => self.take_isr(&isr, version),
            Heard::Lead => {
                self.begin(epoch, version, &isr);
                self.advance_hw();
            }
            Heard::Follow(_)
            | Heard::FollowOn
            | Heard::Leaderless
            | Heard::Rest
            | Heard::Remove => {
                self.leader_changed = epoch > self.leader_epoch;
                self.leading = None;
                self.following = leader.filter(|_| heard != Heard::Remove);
                self.leader_epoch = epoch;
                self.version = version;
                self.queued = false;
            }
        }
        Ok(())
    }

    fn known(&self) -> Known {
        let standing = match (&self.leading, self.following) {
            (Some(l), _) => Standing::Leader { epoch: l.epoch, partition_epoch: l.partition_epoch },
            (None, Some(leader)) => Standing::Follower { leader },
            (None, None) => Standing::Idle,
        };
        Known { leader_epoch: self.leader_epoch, standing, stopping: false }
    }

    pub fn set_broker(&mut self, input: &Fields<'_>) -> Result<(), String> {
        let id = input.need_broker("id")?;
        let active = match input.text("state")?.ok_or("no state")? {
            "unfenced" | "active" | "alive" | "up" => true,
            "fenced" | "shuttingDown" | "controlledShutdown" | "inControlledShutdown" => false,
            "shutdown" | "offline" | "dead" | "down" => false,
            other => return Err(format!("unknown state {other}")),
        };
        self.states.insert(id, active);
        if let Some(epoch) = input.int("brokerEpoch")? {
            self.epochs.insert(id, epoch);
        }
        Ok(())
    }

    /// Forgets what only the last input brought about.
    pub fn begin_input(&mut self) {
        self.leader_changed = false;
    }

    pub fn pass(&mut self, time: Micros) {
        self.now += time;
    }

    pub fn check_lag(&self) -> Value {
        let Some(leading) = &self.leading else { return json!([]) };
        of_brokers(&self.with_world(|w| leading.out_of_sync(self.log.end(), w)))
    }

    pub fn look(&self, name: &str) -> Option<Value> {
        let leading = self.leading.as_ref();
        let size = leading.map_or(0, |l| l.isr.len());
        let pending = leading.and_then(|l| l.pending.as_ref());
        let proposed = pending.filter(|_| self.queued);
        Some(match name {
            "isr" => leading.map_or(json!([]), |l| of_brokers(&l.isr)),
            "maximalIsr" => leading.map_or(json!([]), |l| of_brokers(l.maximal_isr())),
            "proposedIsr" => proposed.map_or(Value::Null, |p| of_brokers(p.proposed())),
            "proposedEpochs" => {
                let (Some(l), Some(p)) = (leading, proposed) else { return Some(Value::Null) };
                let own = (self.own, self.epochs.get(&self.own).copied().unwrap_or(-1));
                let epochs = l.with_epochs(own, p.proposed());
                Value::Object(epochs.iter().map(|(b, e)| (b.to_string(), json!(e))).collect())
            }
            "inFlight" => json!(pending.is_some()),
            "queued" => json!(usize::from(proposed.is_some())),
            "outOfSync" => self.check_lag(),
            "followers" => {
                let all = leading.into_iter().flat_map(|l| &l.followers);
                let ms = |at: Option<Micros>| at.map_or(0, |at| at.0 / 1000);
                let state = |p: &Progress| {
                    json!({
                        "end": p.state.end,
                        "caughtUpAt": ms(p.state.last_caught_up),
                        "endChangedAt": ms(p.state.last_fetch),
                    })
                };
                Value::Object(all.map(|p| (p.broker.to_string(), state(p))).collect())
            }
            "hw" => json!(self.hw),
            "start" => json!(self.log.start()),
            "end" => json!(self.log.end()),
            "log" => json!({"start": self.log.start(), "end": self.log.end(), "hw": self.hw}),
            "leaderChanged" => json!(self.leader_changed),
            "epochStart" => json!(leading.map_or(-1, |l| l.epoch_start)),
            "underMinIsr" => json!(leading.is_some_and(|l| size < l.min_isr)),
            "atMinIsr" => json!(leading.is_some_and(|l| size == l.min_isr)),
            "underReplicated" => json!(leading.is_some() && size < self.replicas.len()),
            "partitionEpoch" => json!(leading.map_or(self.version, |l| l.partition_epoch)),
            "leaderEpoch" => json!(self.leader_epoch),
            "readUpTo" => json!(self.hw),
            "readable" => json!(self.hw - self.log.start()),
            _ => return None,
        })
    }
}

/// An error by its constant, under its old name too.
pub fn error_named(name: &str) -> Result<ErrorCode, String> {
    let name = match name {
        // No topic ids here: a topic that is unknown by its id is unknown.
        "UNKNOWN_TOPIC_ID" | "INCONSISTENT_TOPIC_ID" => "UNKNOWN_TOPIC_OR_PARTITION",
        other => modern(other),
    };
    let known = ErrorCode::ALL.iter().find(|e| e.constant() == name);
    known.copied().ok_or_else(|| format!("unknown error {name}"))
}
