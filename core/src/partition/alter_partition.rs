//! A controller's tests of the ISR that a leader asks for (R2.23, R2.24).

use super::stored::Stored;
use crate::words::{BrokerEpoch, BrokerId, Brokers, ErrorCode, LeaderEpoch, PartitionEpoch};

/// What a leader asks for.
#[derive(Clone, Copy, Debug)]
pub struct Proposed<'a> {
    /// The leader's epoch.
    pub leader_epoch: LeaderEpoch,
    /// Version of the stored state that it knows.
    pub partition_epoch: PartitionEpoch,
    /// The ISR that it wants, with the broker epoch of each member; −1 is not checked.
    pub isr: &'a [(BrokerId, BrokerEpoch)],
    /// It is still recovering from an unclean election (R4.8).
    pub recovering: bool,
}

impl Proposed<'_> {
    /// The brokers of the ISR that it wants.
    pub fn brokers(&self) -> Brokers {
        self.isr.iter().map(|(b, _)| *b).collect()
    }
}

/// KRaft's tests, in Kafka's order (R2.24). `active_epoch`: the broker epoch of a registered broker
/// that is neither fenced nor shutting down.
///
/// # Errors
/// The first test that fails.
pub fn validate(
    proposed: &Proposed<'_>,
    sender: BrokerId,
    stored: &Stored,
    active_epoch: &dyn Fn(BrokerId) -> Option<BrokerEpoch>,
) -> Result<(), ErrorCode> {
    let brokers = || proposed.isr.iter().map(|(b, _)| *b);
    let repeats = || proposed.brokers().len() != proposed.isr.len();
    let eligible = |(b, epoch): &(BrokerId, BrokerEpoch)| {
        active_epoch(*b).is_some_and(|e| [-1, e].contains(epoch))
    };
    if proposed.leader_epoch > stored.leader_epoch
        || proposed.partition_epoch > stored.partition_epoch
    {
        Err(ErrorCode::NotController)
    } else if proposed.leader_epoch < stored.leader_epoch {
        Err(ErrorCode::FencedLeaderEpoch)
    } else if stored.leader != Some(sender) {
        Err(ErrorCode::InvalidRequest)
    } else if proposed.partition_epoch < stored.partition_epoch {
        Err(ErrorCode::InvalidUpdateVersion)
    } else if !brokers().all(|b| stored.replicas.contains(&b))
        || repeats()
        || !brokers().any(|b| b == sender)
        || (proposed.recovering && proposed.isr.len() > 1)
        || (proposed.recovering && !stored.recovering)
    {
        Err(ErrorCode::InvalidRequest)
    } else if !proposed.isr.iter().all(eligible) {
        Err(ErrorCode::IneligibleReplica)
    } else {
        Ok(())
    }
}

/// The tests of a controller that ZooKeeper keeps in office (R2.23): whether there is anything to
/// store.
///
/// # Errors
/// The first test that fails.
pub fn validate_alter_isr(proposed: &Proposed<'_>, stored: &Stored) -> Result<bool, ErrorCode> {
    if proposed.leader_epoch < stored.leader_epoch {
        Err(ErrorCode::FencedLeaderEpoch)
    } else if proposed.leader_epoch == stored.leader_epoch
        && stored.isr.same_set(&proposed.brokers())
    {
        Ok(false)
    } else if proposed.partition_epoch != stored.partition_epoch {
        Err(ErrorCode::InvalidUpdateVersion)
    } else {
        Ok(true)
    }
}
