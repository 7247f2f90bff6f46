//! What brokers do: append, fetch, hear, ask for another ISR.

use super::super::action::Step;
use super::super::question::{Fault, Frame, Property};
use super::super::world::{self, Broker, Leading, Pending, World};
use super::{Each, Successors};
use highwater_core::partition::acks::{self, Standing as Waiting};
use highwater_core::partition::divergence::{self, Beginning, OutOfRange};
use highwater_core::partition::epochs::{self, EpochEntry};
use highwater_core::partition::heard::{Heard, Known, Standing, heard};
use highwater_core::partition::isr::{AfterAnswer, Eligibility, after_answer};
use highwater_core::partition::{
    Lead, LeaderContext, Stored, follow, high_watermark, lead, readers,
};
use highwater_core::settings::rules::Truncation;
use highwater_core::words::{BrokerId, ErrorCode, Micros};

/// So late that every lag has become too long.
const LATE: Micros = Micros::from_secs(1);

impl Successors<'_> {
    pub fn broker_steps(&self, own: usize, each: &mut Each<'_>) {
        let broker = &self.world.brokers[own];
        if broker.leads(own) {
            self.produce(own, each);
            self.shrink(own, each);
        }
        if let Some(leader) = broker.follows(own)
            && self.world.brokers[leader].leads(leader)
        {
            match broker.asks {
                true => self.ask_end(own, leader, each),
                false => self.fetch(own, leader, each),
            }
        }
        if broker.up && broker.checkpoint != broker.hw && self.question.checkpoints_matter() {
            let mut next = *self.world;
            next.broker_mut(own).checkpoint = broker.hw;
            each(Step::Checkpoint(own), &next);
        }
        // With ZooKeeper the controller tells those that have a session.
        let is_told = !self.question.has_zookeeper() || !self.world.is_fenced(own);
        if broker.up && broker.behind && is_told {
            let mut next = *self.world;
            next.hear(self.question, own);
            each(Step::Hear(own), &next);
        }
    }

    /// A producer's request arrives at a presumed leader, is let in and appended (R2.7).
    fn produce(&self, own: usize, each: &mut Each<'_>) {
        let acks = self.question.acks;
        let leading = &self.world.brokers[own].leading;
        let isr = leading.isr.count_ones() as usize;
        let let_in = acks::before_append(acks, isr, self.question.effective_min_isr());
        if self.world.rest.sent == self.question.records || let_in.is_err() {
            return;
        }
        let mut next = *self.world;
        let record = next.rest.sent;
        next.rest.sent += 1;
        let epoch = next.brokers[own].epoch();
        next.broker_mut(own).append(self.question, record, epoch);
        next.advance_hw(self.question, own);
        if acks == 1 {
            next.rest.acked |= 1 << record;
        }
        each(Step::Produce(own), &next);
    }

    /// A follower fetches (R2.2, R3.14); its answer arrives or is lost.
    fn fetch(&self, own: usize, leader: usize, each: &mut Each<'_>) {
        let (follower, from) = (&self.world.brokers[own], &self.world.brokers[leader]);
        let rules = &self.question.rules;
        let fenced = rules.fetch_fencing;
        if readers::check_leader_epoch(fenced, follower.epoch(), from.epoch()).is_err() {
            return;
        }
        let (history, leaders) = (follower.history(), from.history());
        let last = match rules.truncation {
            Truncation::Fetch => epochs::latest_epoch(history.entries()),
            _ => -1,
        };
        let checked = divergence::check_fetch(leaders.view(rules), follower.end.into(), last);
        let mut next = *self.world;
        match checked {
            Err(_) => {
                next.note_failed_fetch(self.question, own, leader);
                next.out_of_range(self.question, own, leader);
            }
            Ok(Some(end)) => {
                let cut = divergence::after_divergence(history.view(rules), end);
                next.broker_mut(own).cut(cut.to as u8);
            }
            Ok(None) => {
                next.note_fetch(self.question, own, leader);
                if next.is_touched(leader) {
                    each(Step::FetchUnanswered(own, leader), &next);
                }
                next.replicate(self.question, own, from);
            }
        }
        if next.is_touched(own) {
            each(Step::Fetch(own, leader), &next);
        }
    }

    /// A follower asks where its newest epoch ends, and cuts its log (R3.12, R3.13).
    fn ask_end(&self, own: usize, leader: usize, each: &mut Each<'_>) {
        let (follower, from) = (&self.world.brokers[own], &self.world.brokers[leader]);
        let rules = &self.question.rules;
        if readers::check_leader_epoch(rules.fetch_fencing, follower.epoch(), from.epoch()).is_err()
        {
            return;
        }
        let history = follower.history();
        let end = from.history().view(rules).end_of(epochs::latest_epoch(history.entries()));
        let answer = end.map_or((-1, -1), |end| (end.epoch, end.end));
        let (rule, hw) = (rules.truncation, follower.hw.into());
        let cut = divergence::after_epoch_answer(rule, history.view(rules), hw, answer);
        let mut next = *self.world;
        let follower = next.broker_mut(own);
        follower.cut(cut.to as u8);
        follower.asks = !cut.complete;
        each(Step::AskEnd(own, leader), &next);
    }

    /// The leader finds that members of its ISR lag (R2.14). Which of those that do not have all it
    /// has have lagged long enough is left open.
    fn shrink(&self, own: usize, each: &mut Each<'_>) {
        let broker = &self.world.brokers[own];
        let lead = broker.leading.lead(self.world, own, self.question);
        let late = self.world.with_context(self.question, |context| {
            let followers = broker.leading.followers(self.question, own);
            lead.out_of_sync(broker.end.into(), followers, context)
        });
        let late = late.iter().fold(0, |set, b| set | (1 << (b.0 - 1)));
        for out in (1..=late).filter(|out| out & !late == 0) {
            let mut next = *self.world;
            // Who is down lags for nothing.
            let live = world::members(out).filter(|f| self.world.broker(*f).up).count();
            if !(0..live).all(|_| next.spend(Fault::Lag)) {
                continue;
            }
            let shrinking = lead.shrinking(&self.question.brokers(out));
            next.broker_mut(own).leading.take(&shrinking);
            each(Step::Shrink(own, out), &next);
        }
    }
}

impl Leading {
    fn followers(
        &self,
        question: &Frame,
        own: usize,
    ) -> impl Iterator<Item = lead::Follower> + use<> {
        let (leading, all) = (*self, usize::from(question.brokers));
        (0..all).filter(move |f| *f != own).map(move |f| (world::id(f), leading.progress(f)))
    }
}

impl Broker {
    /// Appends a record of an epoch (R1.2, R1.5).
    fn append(&mut self, question: &Frame, record: u8, epoch: i32) {
        let start = i64::from(self.end);
        self.log[usize::from(self.end)] = record;
        self.end += 1;
        self.assign(&question.rules, EpochEntry { epoch, start });
        if question.flush_every_record {
            self.flushed = self.end;
        }
    }
}

impl World {
    /// Calls `with` with what a leader's rules need to know. Nobody's lag is short, and who is
    /// active is known everywhere at once.
    fn with_context<T>(&self, question: &Frame, with: impl FnOnce(&LeaderContext<'_>) -> T) -> T {
        let eligibility = |b: BrokerId| Eligibility {
            active: self.active_epoch(b).is_some(),
            broker_epoch: self.active_epoch(b).unwrap_or_default(),
        };
        with(&LeaderContext {
            now: LATE,
            lag_max: Micros::ZERO,
            lag_max_messages: 0,
            rules: &question.rules,
            eligibility: &eligibility,
        })
    }

    /// Moves a leader's HW if it may move, and answers who waited for it (R2.10, R2.18–R2.20).
    pub fn advance_hw(&mut self, question: &Frame, own: usize) {
        let broker = self.brokers[own];
        let lead = broker.leading.lead(self, own, question);
        let moved = self.with_context(question, |context| {
            let followers = broker.leading.followers(question, own);
            lead.advanced_hw(broker.hw.into(), broker.end.into(), followers, context)
        });
        let Some(to) = moved else { return };
        let waiting = broker.hw.max(broker.leading.waits_from)..to as u8;
        for offset in waiting {
            let required = i64::from(offset) + 1;
            let standing = Waiting {
                hw: to,
                required,
                isr_size: lead.maximal_isr().len(),
                min_isr: lead.min_isr,
                reached: lead.reached(required, broker.leading.followers(question, own)),
            };
            let answer = acks::after_append(question.acks, standing);
            if acks::waits(question.acks) && answer == Some(ErrorCode::None) {
                self.rest.acked |= 1 << broker.log[usize::from(offset)];
            }
        }
        self.broker_mut(own).hw = to as u8;
        if question.property == Property::SeenStays {
            self.rest.seen |= self.brokers[own].records_below(to as u8);
        }
    }

    /// The leader learns how far a follower is (R2.2), and what follows from it.
    fn note_fetch(&mut self, question: &Frame, follower: usize, leader: usize) {
        let offset = self.brokers[follower].end;
        let end = self.brokers[leader].end;
        let leading = &self.broker(leader).leading;
        let progress = leading.progress(follower).after_fetch(offset.into(), end.into(), LATE);
        let moved = leading.ends_1[follower] != progress.end as u8 + 1;
        if moved || leading.current & (1 << follower) == 0 {
            let leading = &mut self.broker_mut(leader).leading;
            leading.ends_1[follower] = progress.end as u8 + 1;
            leading.current |= 1 << follower;
        }
        let broker = self.brokers[leader];
        let lead = broker.leading.lead(self, leader, question);
        let known = (world::id(follower), broker.leading.progress(follower));
        let joins = self
            .with_context(question, |context| lead.may_expand(known, broker.hw.into(), context));
        if joins {
            self.broker_mut(leader).leading.take(&lead.expanding(world::id(follower)));
        }
        if moved {
            self.advance_hw(question, leader);
        }
    }

    /// A follower's fetch that could not be read (R2.1).
    fn note_failed_fetch(&mut self, question: &Frame, follower: usize, leader: usize) {
        let rule = question.rules.follower_clock;
        let known = self.broker(leader).leading.progress(follower);
        let end_1 = (known.after_failed_fetch(rule, LATE).end + 1) as u8;
        if self.broker(leader).leading.ends_1[follower] != end_1 {
            self.broker_mut(leader).leading.ends_1[follower] = end_1;
        }
    }

    /// The follower appends what the leader had when it read, and takes over the HW of then (R3.3).
    fn replicate(&mut self, question: &Frame, own: usize, from: &Broker) {
        let rules = &question.rules;
        let history = from.history();
        let (end, hw) = (self.broker(own).end, self.broker(own).hw);
        let leader_hw = if question.keeps_hw { from.hw } else { 0 };
        let followed = |end: u8| high_watermark::followed(leader_hw.into(), 0, end.into()) as u8;
        if end == from.end && hw == followed(end) {
            return;
        }
        let follower = self.broker_mut(own);
        for offset in end..from.end {
            let epoch = epochs::epoch_at(history.entries(), offset.into());
            if !follow::takes_batch(rules.late_epoch_batches, epoch, follower.epoch()) {
                break;
            }
            follower.append(question, from.log[usize::from(offset)], epoch);
        }
        follower.hw = followed(follower.end);
    }

    /// A fetch was out of range: the follower asks where its leader's log ends (R3.16).
    fn out_of_range(&mut self, question: &Frame, own: usize, leader: usize) {
        let rules = &question.rules;
        let (end, own_end) = (self.brokers[leader].end, self.brokers[own].end);
        let next = if end < own_end {
            divergence::ahead(rules.follower_ahead, end.into(), question.unclean)
        } else {
            divergence::behind(rules.out_of_range_restart, own_end.into(), 0)
        };
        match next {
            OutOfRange::Halt => self.broker_mut(own).exit(),
            OutOfRange::TruncateTo(to) | OutOfRange::RestartAt(to) => {
                self.broker_mut(own).cut(to as u8);
            }
            OutOfRange::Continue => {}
        }
    }

    /// A broker hears of the newest stored state (R3.7–R3.9, R4.2–R4.4).
    pub fn hear(&mut self, question: &Frame, own: usize) {
        let broker = &self.brokers[own];
        let standing = match broker.leader_1.checked_sub(1).map(usize::from) {
            None => Standing::Idle,
            Some(leader) if leader == own => {
                Standing::Leader { epoch: broker.epoch(), partition_epoch: self.known_version(own) }
            }
            Some(leader) => Standing::Follower { leader: world::id(leader) },
        };
        let known = Known { leader_epoch: broker.epoch(), standing, stopping: false };
        let stored = self.stored(question);
        let heard = match question.has_zookeeper() {
            true => self.told(question, own, known, &stored),
            false => heard(&question.rules, world::id(own), known, &stored),
        };
        match heard {
            Heard::Lead => self.begin_to_lead(question, own),
            Heard::Commit => {
                self.commit(question, own, &stored);
                self.advance_hw(question, own);
            }
            Heard::Follow(leader) => {
                self.broker_mut(own).begin_to_follow(question, &stored, leader)
            }
            Heard::FollowOn => self.broker_mut(own).epoch_1 = stored.leader_epoch as u8 + 1,
            Heard::Leaderless | Heard::Rest => {
                let broker = self.broker_mut(own);
                broker.epoch_1 = stored.leader_epoch as u8 + 1;
                (broker.leader_1, broker.leading, broker.asks) = (0, Leading::default(), false);
                broker.hw = if question.keeps_hw { broker.hw } else { 0 };
            }
            Heard::Nothing | Heard::Remove => {}
        }
        self.broker_mut(own).behind = false;
    }

    /// The change of an ISR that a leader asked for was refused: whether the committed ISR stands
    /// again (R2.25). If not, nothing changes now.
    pub fn fall_back(&mut self, leader: usize, error: ErrorCode) -> bool {
        let falls_back = after_answer(error) == AfterAnswer::FallBack;
        if falls_back {
            let leading = &mut self.broker_mut(leader).leading;
            (leading.pending, leading.proposed) = (Pending::None, 0);
        }
        falls_back
    }

    /// The leader takes over a stored state of its own epoch (R2.25).
    pub fn commit(&mut self, question: &Frame, own: usize, stored: &Stored) {
        let lead = self.broker(own).leading.lead(self, own, question);
        if let Some(committed) = lead.committed(stored) {
            self.broker_mut(own).leading.take(&committed.lead);
        }
    }

    fn begin_to_lead(&mut self, question: &Frame, own: usize) {
        let (stored, rules) = (self.stored(question), &question.rules);
        let broker = self.brokers[own];
        let former = broker.leads(own).then_some(broker.leading);
        let end = i64::from(broker.end);
        let lead = Lead::begin(&stored, question.effective_min_isr(), end);
        let mut leading = Leading {
            waits_from: former.map_or(broker.end, |l| l.waits_from),
            current: former.map_or(0, |l| l.current),
            pending: Pending::None,
            ..Leading::default()
        };
        leading.take(&lead);
        for follower in (0..usize::from(question.brokers)).filter(|f| *f != own) {
            let known = former.map(|l| l.progress(follower));
            let in_isr = stored.isr.contains(&world::id(follower));
            let progress = lead::known_follower(rules, known, in_isr, Some(end), LATE);
            leading.ends_1[follower] = (progress.end + 1) as u8;
        }
        let begun = epochs::begun(rules.epoch_entries, stored.leader_epoch, end);
        let broker = self.broker_mut(own);
        broker.epoch_1 = stored.leader_epoch as u8 + 1;
        broker.leader_1 = own as u8 + 1;
        broker.leading = leading;
        broker.asks = false;
        if let Some(entry) = begun {
            broker.assign(rules, entry);
        }
        broker.behind = false;
        self.advance_hw(question, own);
    }
}

impl Broker {
    fn begin_to_follow(&mut self, question: &Frame, stored: &Stored, leader: BrokerId) {
        self.epoch_1 = stored.leader_epoch as u8 + 1;
        self.leader_1 = leader.0 as u8;
        self.leading = Leading::default();
        self.hw = if question.keeps_hw { self.hw } else { 0 };
        let latest = epochs::latest_epoch(self.history().entries());
        self.asks = false;
        match divergence::beginning(question.rules.truncation, self.hw.into(), latest) {
            Beginning::TruncateTo(to) => self.cut(to as u8),
            Beginning::AskEnd(_) => self.asks = true,
            Beginning::Fetch => {}
        }
    }
}
