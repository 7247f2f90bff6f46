//! Moving a partition, in KRaft (R5.37).

use crate::settings::rules::ReassignmentCompletion;
use crate::words::BrokerList;

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

/// A move from `current` to `target`.
pub fn plan(current: &BrokerList, target: &BrokerList) -> Plan {
    Plan {
        replicas: target.union(current),
        adding: target.filtered(|b| !current.contains(&b)),
        removing: current.filtered(|b| !target.contains(&b)),
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
            isr.contains_all(&plan.adding) && !left.is_empty() && (!shrinks || whole)
        }
    };
    complete.then_some((target, left))
}
