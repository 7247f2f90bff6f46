//! The one builder of partition changes (R5.18).

use super::election::{Candidates, Election, Source};
use super::reassignment::{self, Plan};
use crate::settings::Rules;
use crate::settings::rules::LastKnownLeader;
use crate::wire::metadata::PartitionState;
use crate::words::{BrokerId, BrokerList, ErrorCode};

/// What is to become of a partition. Start from [`Change::of`] and alter what is wanted.
#[derive(Clone, Debug)]
pub struct Change {
    /// The ISR that is wanted.
    pub isr: BrokerList,
    /// Replicas, and those that a reassignment adds and removes.
    pub plan: Plan,
    /// Which election is held if a leader is needed.
    pub election: Election,
    /// Replicas whose brokers came back from an unclean stop: not in the ELR any more (R5.22).
    pub unclean_shutdown: BrokerList,
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
#[derive(Clone, Debug)]
pub struct Changed {
    /// The new state. Its `why` is still the old one's.
    pub state: PartitionState,
    /// How the leader was chosen, if another was.
    pub elected: Option<Source>,
    /// Whether a reassignment completed.
    pub completed: bool,
}

impl Change {
    /// No change at all.
    pub fn of(state: &PartitionState) -> Change {
        Change {
            isr: state.isr.clone(),
            plan: Plan {
                replicas: state.replicas.clone(),
                adding: state.adding.clone(),
                removing: state.removing.clone(),
            },
            election: Election::Online,
            unclean_shutdown: BrokerList::new(),
            recovering: state.recovering,
        }
    }

    /// The new state; none if nothing changes.
    ///
    /// # Errors
    /// [`ErrorCode::Unknown`] if a broker would win that is no replica of the old state: an id in the
    /// ELR that is to become one again, or a last known leader that a cancelled move took off the
    /// list (R5.22). Kafka asks it for its replica's directory (R5.39), and fails (seen on 4.1.1 and
    /// 4.4.0).
    pub fn build(
        self,
        state: &PartitionState,
        world: &ChangeContext<'_>,
    ) -> Result<Option<Changed>, ErrorCode> {
        let mut next = PartitionState { recovering: self.recovering, ..state.clone() };
        let completed = self.place(&mut next, world);
        self.keep_elr(&mut next, state, world);
        let elected = self.elect(&mut next, state, world)?;
        let leader_set = elected.is_some() || next.leader != state.leader || {
            // The list lost a member: the same leader goes on under a new epoch (R4.1).
            !next.replicas.contains_all(&state.replicas)
        };
        // Without ELR no ISR is left empty.
        if next.isr.is_empty() && !world.rules.elr {
            next.isr = state.isr.clone();
        }
        // Before metadata 3.6 a shrink of the ISR was a new leader epoch too (R5.18 7).
        let shrinks = !next.isr.contains_all(&state.isr);
        let leader_set = leader_set || (world.rules.shrink_bumps_epoch && shrinks);
        keep_last_known(&mut next, state, world.rules);
        if next == *state && !leader_set {
            return Ok(None);
        }
        Ok(Some(Changed { state: recorded(next, leader_set), elected, completed }))
    }

    /// (1) Completes a reassignment if that is possible (R5.37).
    fn place(&self, next: &mut PartitionState, world: &ChangeContext<'_>) -> bool {
        let done = reassignment::completed(&self.plan, &self.isr, world.rules.reassignment);
        let completed = done.is_some();
        let (plan, isr) = match done {
            Some((replicas, isr)) => {
                (Plan { replicas, adding: BrokerList::new(), removing: BrokerList::new() }, isr)
            }
            None => (self.plan.clone(), self.isr.clone()),
        };
        let directories =
            plan.replicas.iter().map(|b| next.directory_of(*b).unwrap_or(0)).collect();
        next.directories = directories;
        next.replicas = plan.replicas;
        next.adding = plan.adding;
        next.removing = plan.removing;
        if !next.isr.same_set(&isr) {
            next.isr = isr;
        }
        completed
    }

    /// (2) The ELR: who left while the ISR is below min ISR, and did not stop uncleanly (R5.22).
    /// Where the feature is off, what it left is forgotten (R5.24).
    fn keep_elr(&self, next: &mut PartitionState, old: &PartitionState, world: &ChangeContext<'_>) {
        if !world.rules.elr {
            next.elr = BrokerList::new();
            if world.rules.last_known_leader == LastKnownLeader::Unused {
                next.last_known_elr = BrokerList::new();
            }
            return;
        }
        if next.isr.len() >= world.min_isr {
            next.elr = BrokerList::new();
            next.last_known_elr = BrokerList::new();
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
        next: &mut PartitionState,
        old: &PartitionState,
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
                next.isr = BrokerList::from_iter([leader]);
                next.elr.remove(leader);
            }
            Source::LastKnown | Source::Anyone => {
                next.isr = BrokerList::from_iter([leader]);
                next.recovering |= world.rules.leader_recovery;
                next.elr = BrokerList::new();
                next.last_known_elr = BrokerList::new();
            }
        }
        Ok(Some(source))
    }
}

/// What a record makes of a partition: a record that names a leader, be it the same, begins a
/// leader epoch, and every record a partition epoch (R4.1).
pub fn recorded(state: PartitionState, names_leader: bool) -> PartitionState {
    PartitionState {
        leader_epoch: state.leader_epoch + i32::from(names_leader),
        partition_epoch: state.partition_epoch + 1,
        ..state
    }
}

/// Whom an election may take as the last known leader (R5.26).
pub fn last_known(state: &PartitionState, rules: &Rules) -> Option<BrokerId> {
    match &*state.last_known_elr {
        [only] if rules.elr && rules.last_known_leader != LastKnownLeader::Unused => Some(*only),
        _ => None,
    }
}

/// (8) The last known leader: noted when the partition becomes leaderless, forgotten when it has a
/// leader (R5.25).
fn keep_last_known(next: &mut PartitionState, old: &PartitionState, rules: &Rules) {
    if !rules.elr || rules.last_known_leader == LastKnownLeader::Unused {
        return;
    }
    match (old.leader, next.leader) {
        (_, Some(_)) => next.last_known_elr = BrokerList::new(),
        (Some(last), None) if next.last_known_elr.is_empty() => {
            next.last_known_elr = BrokerList::from_iter([last]);
        }
        _ => {}
    }
}
