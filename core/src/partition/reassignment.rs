//! Moving a partition, in KRaft (R5.37) and where ZooKeeper keeps the state (R5.36).

use super::stored::Stored;
use crate::settings::rules::{ReassignmentCompletion, ReassignmentStart};
use crate::words::{BrokerId, Brokers, ErrorCode};

/// The lists of a reassignment under way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    /// The target, followed by the replicas to be removed.
    pub replicas: Brokers,
    /// Replicas to be added.
    pub adding: Brokers,
    /// Replicas to be removed.
    pub removing: Brokers,
}

impl Plan {
    /// No reassignment: `replicas` are all.
    pub fn settled(replicas: Brokers) -> Plan {
        Plan { replicas, adding: Brokers::EMPTY, removing: Brokers::EMPTY }
    }

    /// A move from `current` to `target` in KRaft: the replicas to be removed follow the target in
    /// order of id. `None` if the list would be longer than [`Brokers::CAPACITY`].
    pub fn to(current: &Brokers, target: &Brokers) -> Option<Plan> {
        let removing = current.filtered(|b| !target.contains(&b)).sorted();
        let replicas = Brokers::checked(target.iter().chain(&removing).copied())?;
        Some(Plan { replicas, adding: target.filtered(|b| !current.contains(&b)), removing })
    }

    /// A move while `under` is still under way: the lists of added and removed replicas are written
    /// anew only where this move adds or removes somebody (R5.37).
    #[must_use]
    pub fn over(self, under: &Plan) -> Plan {
        let or = |own: Brokers, old: Brokers| if own.is_empty() { old } else { own };
        Plan {
            replicas: self.replicas,
            adding: or(self.adding, under.adding),
            removing: or(self.removing, under.removing),
        }
    }

    /// Whether anything is under way.
    pub fn is_under_way(&self) -> bool {
        !self.adding.is_empty() || !self.removing.is_empty()
    }

    /// Where it leads to.
    pub fn target(&self) -> Brokers {
        self.replicas.filtered(|b| !self.removing.contains(&b))
    }

    /// Where it came from.
    pub fn origin(&self) -> Brokers {
        self.replicas.filtered(|b| !self.adding.contains(&b))
    }
}

/// Replicas and ISR after completion, if `isr` allows it (R5.37).
pub fn completed(
    plan: &Plan,
    isr: &Brokers,
    rule: ReassignmentCompletion,
) -> Option<(Brokers, Brokers)> {
    if !plan.is_under_way() {
        return None;
    }
    let target = plan.target();
    let left = isr.filtered(|b| !plan.removing.contains(&b));
    let whole = left.contains_all(&target);
    let complete = match rule {
        ReassignmentCompletion::WholeTarget => whole,
        ReassignmentCompletion::Added => {
            let shrinks = plan.adding.len() < plan.removing.len();
            left.contains_all(&plan.adding) && !left.is_empty() && (!shrinks || whole)
        }
    };
    complete.then_some((target, left))
}

/// What a cancelled reassignment goes back to (R5.37): replicas, ISR, and whether that takes an
/// unclean election, because nobody else is left in sync.
pub fn reverted(plan: &Plan, isr: &Brokers) -> (Brokers, Brokers, bool) {
    let replicas = plan.origin();
    let left = isr.filtered(|b| !plan.adding.contains(&b));
    if !left.is_empty() {
        return (replicas, left, false);
    }
    let first = replicas.first().copied();
    (replicas, first.into_iter().collect(), true)
}

/// Whether a reassignment to `target` may start where ZooKeeper keeps the state: taken up, ignored
/// or refused (R5.36). Old releases ignore one to what is there already, unless it goes on with a
/// move; later it begins a leader epoch. `live`: whether a broker is up.
pub fn zk_start(
    rule: ReassignmentStart,
    state: &Stored,
    target: &Brokers,
    live: &dyn Fn(BrokerId) -> bool,
) -> Result<bool, ErrorCode> {
    let is_there = !state.is_reassigning() && state.replicas == *target;
    let dead_added = target.iter().any(|b| !live(*b) && !state.replicas.contains(b));
    match rule {
        ReassignmentStart::Dropped => Ok(!is_there && target.iter().all(|b| live(*b))),
        ReassignmentStart::Waits => Ok(!is_there),
        ReassignmentStart::RefusesDead if dead_added => Err(ErrorCode::InvalidReplicaAssignment),
        ReassignmentStart::RefusesDead => Ok(true),
    }
}

/// Whether every replica of the target is in sync: what the controller of a ZooKeeper cluster waits
/// for before it moves the leader and drops the others (R5.36).
pub fn zk_caught_up(state: &Stored) -> bool {
    state.is_reassigning() && state.isr.contains_all(&state.target())
}
