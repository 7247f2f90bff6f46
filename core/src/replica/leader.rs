use crate::partition::lead::{self, Follower};
use crate::partition::{FollowerProgress, Lead, LeaderContext, PendingIsr};
use crate::settings::Rules;
use crate::wire::metadata::PartitionState;
use crate::words::{BrokerEpoch, BrokerId, Brokers, EventId, Micros, Offset};
use alloc::vec::Vec;
use core::ops::Deref;

/// A follower as its leader knows it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progress {
    /// Who.
    pub broker: BrokerId,
    /// How far.
    pub state: FollowerProgress,
    /// The event that last changed `state.end`.
    pub why: EventId,
}

/// A leader: the facts that its rules go by, and what its process keeps beside them.
#[derive(Clone, PartialEq, Debug)]
pub struct Leading {
    /// The facts.
    pub lead: Lead,
    /// The event that made the committed ISR so.
    pub isr_why: EventId,
    /// The event that proposed the pending change.
    pub pending_why: EventId,
    /// The other replicas in order of assignment.
    pub followers: Vec<Progress>,
    /// Waiting acks=all requests: `(id, required offset)`, in order of offset (R2.10).
    pub waiting_produces: Vec<(u32, Offset)>,
    /// Whether the story has said that the HW is held (R2.19).
    pub told_held: bool,
}

impl Deref for Leading {
    type Target = Lead;
    fn deref(&self) -> &Lead {
        &self.lead
    }
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
        Leading {
            lead: Lead::begin(state, min_isr, end),
            isr_why: state.why,
            pending_why: EventId::NONE,
            followers,
            waiting_produces: former.map(|l| l.waiting_produces).unwrap_or_default(),
            told_held: false,
        }
    }

    /// The leader takes over a stored state of its own epoch, unless that is older than what it
    /// knows (R2.25): whether the ISR changed, and the change that was granted with it.
    pub fn commit(
        &mut self,
        own: BrokerId,
        state: &PartitionState,
        clock: (&Rules, Micros),
    ) -> (bool, Option<PendingIsr>) {
        let Some(committed) = self.lead.committed(state) else { return (false, None) };
        self.lead = committed.lead;
        self.followers = followers(own, state, Some(self), None, clock);
        self.told_held &= !committed.changed;
        (committed.changed, committed.granted)
    }

    /// The follower on `broker`, if that has a replica.
    pub fn follower(&self, broker: BrokerId) -> Option<&Progress> {
        self.followers.iter().find(|f| f.broker == broker)
    }

    /// See [`Leading::follower`].
    pub fn follower_mut(&mut self, broker: BrokerId) -> Option<&mut Progress> {
        self.followers.iter_mut().find(|f| f.broker == broker)
    }

    fn known(&self) -> impl Iterator<Item = Follower> {
        self.followers.iter().map(|f| (f.broker, f.state))
    }

    /// See [`Lead::advanced_hw`].
    pub fn advanced_hw(
        &self,
        hw: Offset,
        end: Offset,
        world: &LeaderContext<'_>,
    ) -> Option<Offset> {
        self.lead.advanced_hw(hw, end, self.known(), world)
    }

    /// The follower whose log end is the HW's limit, with the event that told it.
    pub fn hw_limit(&self) -> EventId {
        let maximal = self.maximal_isr();
        let limiting = self.followers.iter().filter(|f| maximal.contains(&f.broker));
        limiting.min_by_key(|f| f.state.end).map_or(EventId::NONE, |f| f.why)
    }

    /// See [`Lead::out_of_sync`].
    pub fn out_of_sync(&self, end: Offset, world: &LeaderContext<'_>) -> Brokers {
        self.lead.out_of_sync(end, self.known(), world)
    }

    /// See [`Lead::may_expand`].
    pub fn may_expand(&self, broker: BrokerId, hw: Offset, world: &LeaderContext<'_>) -> bool {
        let follower = self.follower(broker).map(|f| (f.broker, f.state));
        follower.is_some_and(|f| self.lead.may_expand(f, hw, world))
    }

    /// See [`Lead::reached`].
    pub fn reached(&self, offset: Offset) -> usize {
        self.lead.reached(offset, self.known())
    }

    /// The proposed ISR with the broker epoch of each member, as AlterPartition wants it (R2.24).
    pub fn with_epochs(
        &self,
        own: (BrokerId, BrokerEpoch),
        isr: &Brokers,
    ) -> Vec<(BrokerId, BrokerEpoch)> {
        isr.iter()
            .map(|b| match self.follower(*b) {
                _ if *b == own.0 => own,
                follower => (*b, follower.map_or(-1, |f| f.state.broker_epoch)),
            })
            .collect()
    }
}

/// The other replicas as a leader knows them, with the events that told it (R2.4, R2.5).
fn followers(
    own: BrokerId,
    state: &PartitionState,
    former: Option<&Leading>,
    begins: Option<Offset>,
    (rules, now): (&Rules, Micros),
) -> Vec<Progress> {
    let others = state.replicas.iter().copied().filter(|b| *b != own);
    let progress = |broker: BrokerId| {
        let known = former.and_then(|l| l.follower(broker));
        let in_isr = state.isr.contains(&broker);
        let former = known.map(|k| k.state);
        Progress {
            broker,
            state: lead::known_follower(rules, former, in_isr, begins, now),
            why: known.map_or(EventId::NONE, |k| k.why),
        }
    };
    others.map(progress).collect()
}
