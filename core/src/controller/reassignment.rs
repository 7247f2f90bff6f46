//! Moving a partition, in KRaft (R5.37) and where ZooKeeper keeps the state (R5.36).

use crate::settings::rules::{ReassignmentCompletion, ReassignmentStart};
use crate::wire::metadata::PartitionState;
use crate::words::{BrokerId, BrokerList, ErrorCode};

/// The lists of a reassignment under way.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    /// The target, and behind it the replicas to be removed.
    pub replicas: BrokerList,
    /// Replicas to be added.
    pub adding: BrokerList,
    /// Replicas to be removed.
    pub removing: BrokerList,
}

/// A move from `current` to `target` in KRaft: replicas to be removed stand behind the target in
/// order of id.
pub fn plan(current: &BrokerList, target: &BrokerList) -> Plan {
    let removing = current.filtered(|b| !target.contains(&b)).sorted();
    Plan {
        replicas: target.union(&removing),
        adding: target.filtered(|b| !current.contains(&b)),
        removing,
    }
}

impl Plan {
    /// A move while `under` is still under way: who is added or removed is written anew only where
    /// this move adds or removes somebody (R5.37).
    pub fn over(self, under: &PartitionState) -> Plan {
        let or = |own: BrokerList, old: &BrokerList| match own.is_empty() {
            true => old.clone(),
            false => own,
        };
        Plan {
            replicas: self.replicas,
            adding: or(self.adding, &under.adding),
            removing: or(self.removing, &under.removing),
        }
    }
}

/// Replicas and ISR after completion, if `isr` allows it (R5.37).
pub fn completed(
    plan: &Plan,
    isr: &BrokerList,
    rule: ReassignmentCompletion,
) -> Option<(BrokerList, BrokerList)> {
    if plan.adding.is_empty() && plan.removing.is_empty() {
        return None;
    }
    let target = plan.replicas.filtered(|b| !plan.removing.contains(&b));
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
pub fn reverted(plan: &Plan, isr: &BrokerList) -> (BrokerList, BrokerList, bool) {
    let replicas = plan.replicas.filtered(|b| !plan.adding.contains(&b));
    let left = isr.filtered(|b| !plan.adding.contains(&b));
    if !left.is_empty() {
        return (replicas, left, false);
    }
    let first = replicas.first().copied();
    let isr = first.into_iter().collect();
    (replicas, isr, true)
}

/// Whether a reassignment to `target` may start where ZooKeeper keeps the state: whether it is
/// taken up at all, or refused (R5.36). Old releases ignore one to what is there already, unless it
/// goes on with a move; later it begins a leader epoch. `live`: whether a broker is up.
pub fn zk_start(
    rule: ReassignmentStart,
    state: &PartitionState,
    target: &BrokerList,
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
pub fn zk_caught_up(target: &BrokerList, isr: &BrokerList) -> bool {
    isr.contains_all(target)
}
