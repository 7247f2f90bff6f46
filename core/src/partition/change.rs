//! The one builder of partition changes (R5.18).

use super::election::{Candidates, Election, Source};
use super::reassignment::{self, Plan};
use super::stored::Stored;
use crate::settings::Rules;
use crate::settings::rules::{LastKnownLeader, Registration};
use crate::words::{BrokerId, Brokers, ErrorCode};

/// What is to become of a partition. Start from [`Change::of`] and alter what is wanted.
#[derive(Clone, Copy, Debug)]
pub struct Change {
    /// The ISR that is wanted.
    pub isr: Brokers,
    /// Replicas, and those that a reassignment adds and removes.
    pub plan: Plan,
    /// Which election is held if a leader is needed.
    pub election: Election,
    /// Replicas whose brokers came back from an unclean stop: not in the ELR any more (R5.22).
    pub unclean_shutdown: Brokers,
    /// Whether the leader is still recovering from an unclean election (R4.8).
    pub recovering: bool,
}

/// What the builder needs to know of the world.
pub struct ChangeContext<'a> {
    /// The release's switches.
    pub rules: &'a Rules,
    /// `min.insync.replicas` of the topic, no more than its replication factor (R5.22).
    pub min_isr: usize,
    /// Who may lead (R5.7).
    pub acceptable: &'a dyn Fn(BrokerId) -> bool,
}

/// A change that was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Changed {
    /// The new state.
    pub state: Stored,
    /// How the leader was chosen, if another was.
    pub elected: Option<Source>,
    /// Whether a reassignment completed.
    pub completed: bool,
}

impl Change {
    /// No change at all.
    pub fn of(state: &Stored) -> Change {
        Change {
            isr: state.isr,
            plan: state.plan(),
            election: Election::Online,
            unclean_shutdown: Brokers::EMPTY,
            recovering: state.recovering,
        }
    }

    /// What fencing or the controlled shutdown of `broker` takes from a partition: it leaves the ISR
    /// (R5.28). `None` if it is not in it. The builder is to take `broker` for not acceptable.
    pub fn fenced(state: &Stored, broker: BrokerId, election: Election) -> Option<Change> {
        let isr = state.isr.without(broker);
        state.isr.contains(&broker).then_some(Change { isr, election, ..Change::of(state) })
    }

    /// What the registration of a new process takes from a partition: `broker` leaves the ISR and,
    /// after an unclean stop, the ELR, since its log may be short (R5.29). `None` if it is in
    /// neither, or the release leaves both alone. With `indexed`, the controller's index still holds
    /// it for a member of an ELR that was cleared (R5.24): then the partition is looked at, too.
    pub fn registered(
        rules: &Rules,
        state: &Stored,
        broker: BrokerId,
        (clean, indexed): (bool, bool),
        election: Election,
    ) -> Option<Change> {
        let leaves_elr = !clean && rules.elr;
        let in_elr = leaves_elr && (state.elr.contains(&broker) || indexed);
        let concerned = state.isr.contains(&broker) || in_elr;
        if rules.registration != Registration::LeavesIsr || !concerned {
            return None;
        }
        let unclean_shutdown = if leaves_elr { Brokers::only(broker) } else { Brokers::EMPTY };
        let isr = state.isr.without(broker);
        Some(Change { isr, unclean_shutdown, election, ..Change::of(state) })
    }

    /// A leader's proposal that was accepted (R2.24); `recovering` as the leader says (R4.8).
    pub fn proposed(state: &Stored, isr: Brokers, recovering: bool, election: Election) -> Change {
        Change { isr, recovering, election, ..Change::of(state) }
    }

    /// An election alone (R5.21, R5.28, R5.38).
    pub fn electing(state: &Stored, election: Election) -> Change {
        Change { election, ..Change::of(state) }
    }

    /// A move to `target` (R5.37); `None` if it would make the list of replicas longer than
    /// [`Brokers::CAPACITY`].
    pub fn move_to(state: &Stored, target: &Brokers) -> Option<Change> {
        let plan = Plan::to(&state.replicas, target)?.over(&state.plan());
        Some(Change { plan, ..Change::of(state) })
    }

    /// The move under way is given up (R5.37).
    ///
    /// # Errors
    /// [`ErrorCode::NoReassignmentInProgress`] without one; [`ErrorCode::InvalidReplicaAssignment`]
    /// if nobody is left in sync and `election` may not be unclean.
    pub fn cancel_move(state: &Stored, election: Election) -> Result<Change, ErrorCode> {
        if !state.is_reassigning() {
            return Err(ErrorCode::NoReassignmentInProgress);
        }
        let (replicas, isr, unclean) = reassignment::reverted(&state.plan(), &state.isr);
        if unclean && election != Election::Unclean {
            return Err(ErrorCode::InvalidReplicaAssignment);
        }
        Ok(Change { isr, plan: Plan::settled(replicas), election, ..Change::of(state) })
    }

    /// The new state; `None` if nothing changes.
    ///
    /// # Errors
    /// [`ErrorCode::Unknown`] if a broker would win that is no replica of the old state: an id in the
    /// ELR that is to become one again, or a last known leader that a cancelled move took off the
    /// list (R5.22). Kafka asks it for its replica's directory (R5.39), and fails (seen on 4.1.1 and
    /// 4.4.0).
    pub fn build(
        self,
        state: &Stored,
        world: &ChangeContext<'_>,
    ) -> Result<Option<Changed>, ErrorCode> {
        let mut next = Stored { recovering: self.recovering, ..*state };
        let completed = self.place(&mut next, world);
        self.keep_elr(&mut next, state, world);
        let elected = self.elect(&mut next, state, world)?;
        let leader_set = elected.is_some() || next.leader != state.leader || {
            // The list lost a member: the same leader goes on under a new epoch (R4.1).
            !next.replicas.contains_all(&state.replicas)
        };
        // Without ELR no ISR is left empty.
        if next.isr.is_empty() && !world.rules.elr {
            next.isr = state.isr;
        }
        // Before metadata 3.6 a shrink of the ISR was a new leader epoch too (R5.18 7).
        let shrinks = !next.isr.contains_all(&state.isr);
        let leader_set = leader_set || (world.rules.shrink_bumps_epoch && shrinks);
        keep_last_known(&mut next, state, world.rules);
        if next == *state && !leader_set {
            return Ok(None);
        }
        Ok(Some(Changed { state: next.recorded(leader_set), elected, completed }))
    }

    /// (1) Completes a reassignment if that is possible (R5.37).
    fn place(&self, next: &mut Stored, world: &ChangeContext<'_>) -> bool {
        let done = reassignment::completed(&self.plan, &self.isr, world.rules.reassignment);
        let (plan, isr) = match done {
            Some((replicas, isr)) => (Plan::settled(replicas), isr),
            None => (self.plan, self.isr),
        };
        next.set_plan(plan);
        if !next.isr.same_set(&isr) {
            next.isr = isr;
        }
        done.is_some()
    }

    /// (2) The ELR: who left while the ISR is below min ISR, and did not stop uncleanly (R5.22).
    /// Where the feature is off, what it left is forgotten (R5.24).
    fn keep_elr(&self, next: &mut Stored, old: &Stored, world: &ChangeContext<'_>) {
        if !world.rules.elr {
            next.elr = Brokers::EMPTY;
            if world.rules.last_known_leader == LastKnownLeader::Unused {
                next.last_known_elr = Brokers::EMPTY;
            }
            return;
        }
        if next.isr.len() >= world.min_isr {
            next.elr = Brokers::EMPTY;
            next.last_known_elr = Brokers::EMPTY;
            return;
        }
        let eligible = old.elr.union(&old.isr).filtered(|b| !next.isr.contains(&b));
        next.elr = eligible.filtered(|b| !self.unclean_shutdown.contains(&b)).sorted();
        if world.rules.last_known_leader == LastKnownLeader::Unused {
            let known = old.last_known_elr.union(&eligible);
            let gone = |b: BrokerId| !next.isr.contains(&b) && !next.elr.contains(&b);
            next.last_known_elr = known.filtered(gone).sorted();
        }
    }

    /// (3) The election, and what its outcome does to ISR and ELR (R5.21).
    fn elect(
        &self,
        next: &mut Stored,
        old: &Stored,
        world: &ChangeContext<'_>,
    ) -> Result<Option<Source>, ErrorCode> {
        let winner = Candidates {
            replicas: &next.replicas,
            isr: &next.isr,
            elr: &next.elr,
            last_known: last_known(old, world.rules),
            last_known_must_be_up: world.rules.last_known_leader != LastKnownLeader::Any,
            leader: old.leader,
            acceptable: world.acceptable,
        }
        .elect(self.election);
        let Some((leader, source)) = winner else {
            next.leader = None;
            return Ok(None);
        };
        if old.leader == Some(leader) {
            return Ok(None);
        }
        if !old.replicas.contains(&leader) {
            return Err(ErrorCode::Unknown);
        }
        next.leader = Some(leader);
        match source {
            Source::Isr => {}
            Source::Elr => {
                next.isr = Brokers::only(leader);
                next.elr = next.elr.without(leader);
            }
            Source::LastKnown | Source::Anyone => {
                next.isr = Brokers::only(leader);
                next.recovering |= world.rules.leader_recovery;
                next.elr = Brokers::EMPTY;
                next.last_known_elr = Brokers::EMPTY;
            }
        }
        Ok(Some(source))
    }
}

/// Whom an election may take as the last known leader (R5.26).
pub fn last_known(state: &Stored, rules: &Rules) -> Option<BrokerId> {
    match &*state.last_known_elr {
        [only] if rules.elr && rules.last_known_leader != LastKnownLeader::Unused => Some(*only),
        _ => None,
    }
}

/// (8) The last known leader: noted when the partition becomes leaderless, forgotten when it has a
/// leader (R5.25).
fn keep_last_known(next: &mut Stored, old: &Stored, rules: &Rules) {
    if !rules.elr || rules.last_known_leader == LastKnownLeader::Unused {
        return;
    }
    match (old.leader, next.leader) {
        (_, Some(_)) => next.last_known_elr = Brokers::EMPTY,
        (Some(last), None) if next.last_known_elr.is_empty() => {
            next.last_known_elr = Brokers::only(last);
        }
        _ => {}
    }
}
