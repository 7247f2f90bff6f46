//! Placement by hand (R5.35).

use crate::words::{BrokerId, Brokers, ErrorCode};

/// Checks a placement by hand of a new topic: known brokers, the same number of replicas everywhere.
pub fn check_manual(
    assignment: &[Brokers],
    known: &dyn Fn(BrokerId) -> bool,
) -> Result<(), ErrorCode> {
    let factor = assignment.first().map(|r| r.len());
    factor.ok_or(ErrorCode::InvalidReplicaAssignment)?;
    assignment.iter().try_for_each(|replicas| check_replicas(replicas, factor, known))
}

/// Checks the replicas of one partition: at least one, no repeats, known brokers, and as many as
/// wanted.
pub fn check_replicas(
    replicas: &[BrokerId],
    factor: Option<usize>,
    known: &dyn Fn(BrokerId) -> bool,
) -> Result<(), ErrorCode> {
    let distinct = replicas.iter().copied().collect::<Brokers>().len();
    let good = !replicas.is_empty()
        && distinct == replicas.len()
        && replicas.iter().all(|b| known(*b))
        && factor.is_none_or(|f| f == replicas.len());
    if good { Ok(()) } else { Err(ErrorCode::InvalidReplicaAssignment) }
}

/// Partitions are numbered from `first` on, without gaps.
pub fn check_numbers(numbers: &[i64], first: i64) -> Result<(), ErrorCode> {
    let numbered = (first..).zip(numbers).all(|(wanted, number)| wanted == *number);
    if numbered { Ok(()) } else { Err(ErrorCode::InvalidReplicaAssignment) }
}

/// Partitions can only be added to a topic that has its first: that one says how many replicas.
pub fn check_first_exists(numbers: &[i64]) -> Result<(), ErrorCode> {
    if numbers.is_empty() || numbers.contains(&0) { Ok(()) } else { Err(ErrorCode::AdminOperation) }
}

/// A topic of `existing` partitions, if it exists, is to have `total`: only more is possible.
pub fn check_more_partitions(existing: Option<usize>, total: usize) -> Result<(), ErrorCode> {
    let existing = existing.ok_or(ErrorCode::UnknownTopicOrPartition)?;
    if total > existing { Ok(()) } else { Err(ErrorCode::InvalidPartitions) }
}
