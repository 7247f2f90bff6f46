use super::high_watermark::{self, Candidate};
use super::isr::{self, Eligibility, FollowerProgress, Lag};
use crate::settings::Rules;
use crate::wire::metadata::PartitionState;
use crate::words::{
    BrokerEpoch, BrokerId, BrokerList, EventId, LeaderEpoch, Micros, Offset, PartitionEpoch,
};
use alloc::vec::Vec;

/// A follower as its leader sees it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progress {
    /// Who.
    pub broker: BrokerId,
    /// How far.
    pub state: FollowerProgress,
    /// The event that last changed `state.end`.
    pub why: EventId,
}

/// An ISR change that the controller has not confirmed (R2.16, R2.21).
#[derive(Clone, PartialEq, Debug)]
pub enum PendingIsr {
    /// A replica is to join: it counts already.
    Expand {
        /// The proposed ISR.
        isr: BrokerList,
    },
    /// Replicas are to leave: they still count.
    Shrink {
        /// The proposed ISR.
        isr: BrokerList,
    },
}

impl PendingIsr {
    /// The ISR that was proposed.
    pub fn proposed(&self) -> &BrokerList {
        match self {
            PendingIsr::Expand { isr } | PendingIsr::Shrink { isr } => isr,
        }
    }
}

/// What a leader keeps beside its log (section 2.1).
#[derive(Clone, PartialEq, Debug)]
pub struct Leading {
    /// Its epoch.
    pub epoch: LeaderEpoch,
    /// Where that began in its log (R4.3).
    pub epoch_start: Offset,
    /// Version of the stored state that it knows.
    pub partition_epoch: PartitionEpoch,
    /// The committed ISR.
    pub isr: BrokerList,
    /// The event that made it so.
    pub isr_why: EventId,
    /// Effective min ISR (R2.7).
    pub min_isr: usize,
    /// A change under way.
    pub pending: Option<PendingIsr>,
    /// The event that proposed it.
    pub pending_why: EventId,
    /// It came by an unclean election and has not told the controller that it recovered (R4.8).
    pub recovering: bool,
    /// The other replicas in order of assignment.
    pub followers: Vec<Progress>,
    /// Waiting acks=all requests: `(id, required offset)`, in order of offset (R2.10).
    pub waiting_produces: Vec<(u32, Offset)>,
    /// Whether the story has said that the HW is held (R2.19).
    pub told_held: bool,
}

/// What the leader's rules need to know of the world at one moment.
pub struct LeaderContext<'a> {
    /// Now.
    pub now: Micros,
    /// `replica.lag.time.max.ms`.
    pub lag_max: Micros,
    /// `replica.lag.max.messages` (0.8).
    pub lag_max_messages: Offset,
    /// The release's switches.
    pub rules: &'a Rules,
    /// Who may join an ISR, by the leader's metadata (R2.17.5).
    pub eligibility: &'a dyn Fn(BrokerId) -> Eligibility,
}

impl Leading {
    /// A replica begins to lead, or goes on under a new epoch if it led as `former`: who waits then
    /// still does (R2.4, R2.5, R4.3).
    pub fn begin(
        own: BrokerId,
        state: &PartitionState,
        min_isr: usize,
        end: Offset,
        former: Option<Leading>,
        clock: (&Rules, Micros),
    ) -> Leading {
        let followers = followers(own, state, former.as_ref(), Some(end), clock);
        let waiting_produces = former.map(|l| l.waiting_produces).unwrap_or_default();
        Leading {
            epoch: state.leader_epoch,
            epoch_start: end,
            partition_epoch: state.partition_epoch,
            isr: state.isr.clone(),
            isr_why: state.why,
            min_isr,
            pending: None,
            pending_why: EventId::NONE,
            recovering: state.recovering,
            followers,
            waiting_produces,
            told_held: false,
        }
    }

    /// The leader takes over a stored state of its own epoch, unless that is older than what it
    /// knows (R2.25); true if the ISR changed.
    pub fn commit(
        &mut self,
        own: BrokerId,
        state: &PartitionState,
        clock: (&Rules, Micros),
    ) -> bool {
        if state.partition_epoch < self.partition_epoch {
            return false;
        }
        let news = state.partition_epoch > self.partition_epoch;
        let granted = |p: &PendingIsr| p.proposed().same_set(&state.isr);
        if news || self.pending.as_ref().is_some_and(granted) {
            self.pending = None;
        }
        self.followers = followers(own, state, Some(self), None, clock);
        self.partition_epoch = state.partition_epoch;
        self.recovering = state.recovering;
        let changed = !self.isr.same_set(&state.isr);
        if changed {
            self.isr = state.isr.clone();
            self.told_held = false;
        }
        changed
    }

    /// The replica set used for the HW and for answering producers (R2.21).
    pub fn maximal_isr(&self) -> &BrokerList {
        match &self.pending {
            Some(PendingIsr::Expand { isr }) => isr,
            Some(PendingIsr::Shrink { .. }) | None => &self.isr,
        }
    }

    /// The follower on `broker`, if that has a replica.
    pub fn follower(&self, broker: BrokerId) -> Option<&Progress> {
        self.followers.iter().find(|f| f.broker == broker)
    }

    /// See [`Leading::follower`].
    pub fn follower_mut(&mut self, broker: BrokerId) -> Option<&mut Progress> {
        self.followers.iter_mut().find(|f| f.broker == broker)
    }

    /// The new HW, if it moves (R2.18, R2.19).
    pub fn advanced_hw(
        &self,
        hw: Offset,
        end: Offset,
        world: &LeaderContext<'_>,
    ) -> Option<Offset> {
        if self.is_hw_held(world) {
            return None;
        }
        let maximal = self.maximal_isr();
        let candidates = self.followers.iter().map(|f| Candidate {
            progress: f.state,
            in_maximal_isr: maximal.contains(&f.broker),
            eligibility: (world.eligibility)(f.broker),
        });
        high_watermark::advanced(world.rules.hw_set, hw, end, candidates, world.now, world.lag_max)
    }

    /// Whether R2.19 holds the HW.
    pub fn is_hw_held(&self, world: &LeaderContext<'_>) -> bool {
        high_watermark::is_held(world.rules.hw_gate, self.isr.len(), self.min_isr)
    }

    /// The follower whose log end is the HW's limit, with the event that told it.
    pub fn hw_limit(&self) -> EventId {
        let maximal = self.maximal_isr();
        let limiting = self.followers.iter().filter(|f| maximal.contains(&f.broker));
        limiting.min_by_key(|f| f.state.end).map_or(EventId::NONE, |f| f.why)
    }

    /// The ISR members that must leave (R2.14, R2.15); none while a change is pending (R2.16).
    pub fn out_of_sync(&self, end: Offset, world: &LeaderContext<'_>) -> BrokerList {
        if self.pending.is_some() {
            return BrokerList::new();
        }
        let rule = world.rules.isr_lag;
        let lag = Lag { rule, max: world.lag_max, max_messages: world.lag_max_messages };
        let behind = |f: &&Progress| f.state.is_out_of_sync(end, world.now, lag);
        let late = self.followers.iter().filter(behind).map(|f| f.broker);
        late.filter(|b| self.isr.contains(b)).collect()
    }

    /// Whether `broker` may be proposed for the ISR (R2.17).
    pub fn may_expand(&self, broker: BrokerId, hw: Offset, world: &LeaderContext<'_>) -> bool {
        self.pending.is_none()
            && !self.isr.contains(&broker)
            && self.follower(broker).is_some_and(|f| {
                let eligibility = (world.eligibility)(broker);
                isr::may_join(world.rules.isr_join, &f.state, hw, self.epoch_start, eligibility)
            })
    }

    /// `broker` is to join the ISR, and counts already (R2.21).
    pub fn begin_expand(&mut self, broker: BrokerId) {
        let isr = self.isr.union(&[broker]);
        self.pending = Some(PendingIsr::Expand { isr });
    }

    /// The brokers of `out` are to leave the ISR, and still count (R2.21).
    pub fn begin_shrink(&mut self, out: &[BrokerId]) {
        let isr = self.isr.filtered(|b| !out.contains(&b));
        self.pending = Some(PendingIsr::Shrink { isr });
    }

    /// How many members of the ISR, the leader included, have everything below `offset` (R2.10).
    pub fn reached(&self, offset: Offset) -> usize {
        let members = self.followers.iter().filter(|f| self.isr.contains(&f.broker));
        1 + members.filter(|f| f.state.end >= offset).count()
    }

    /// The proposed ISR with the broker epoch of each member, as AlterPartition wants it (R2.24).
    pub fn with_epochs(
        &self,
        own: (BrokerId, BrokerEpoch),
        isr: &BrokerList,
    ) -> Vec<(BrokerId, BrokerEpoch)> {
        isr.iter()
            .map(|b| match self.follower(*b) {
                _ if *b == own.0 => own,
                follower => (*b, follower.map_or(-1, |f| f.state.broker_epoch)),
            })
            .collect()
    }
}

/// The other replicas as a leader sees them: those that it knew keep their log end (R2.4, R2.5).
/// `begins`: where a leader epoch begins, if one does.
fn followers(
    own: BrokerId,
    state: &PartitionState,
    former: Option<&Leading>,
    begins: Option<Offset>,
    (rules, now): (&Rules, Micros),
) -> Vec<Progress> {
    let others = state.replicas.iter().filter(|b| **b != own);
    let progress = |broker: &BrokerId| {
        let in_isr = state.isr.contains(broker);
        match (former.and_then(|l| l.follower(*broker)), begins) {
            (Some(known), None) => *known,
            (Some(known), Some(end)) => {
                let state = known.state.at_new_epoch(rules, in_isr, end, now);
                Progress { state, ..*known }
            }
            (None, _) => Progress {
                broker: *broker,
                state: FollowerProgress::at_new_leader(rules, in_isr, now),
                why: EventId::NONE,
            },
        }
    };
    others.map(progress).collect()
}
