//! Placement by hand (R5.35).

use crate::words::{BrokerId, BrokerList, ErrorCode};

/// Checks a placement by hand: no repeats, known brokers, the same number of replicas everywhere
/// (R5.35).
pub fn check_manual(
    assignment: &[BrokerList],
    known: &dyn Fn(BrokerId) -> bool,
) -> Result<(), ErrorCode> {
    let factor = assignment.first().map_or(0, |r| r.len());
    let good = |r: &BrokerList| !r.is_empty() && r.len() == factor && r.iter().all(|b| known(*b));
    if assignment.iter().all(good) && factor > 0 {
        Ok(())
    } else {
        Err(ErrorCode::InvalidReplicaAssignment)
    }
}
