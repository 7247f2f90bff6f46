//! The operator's commands.

use crate::settings::{Key, Scope, Value};
use crate::words::{Brokers, ErrorCode, PartitionId};
use alloc::string::String;
use alloc::vec::Vec;
/// See [`Body::CreateTopics`](super::Body::CreateTopics).
#[derive(Clone, Debug)]
pub struct CreateTopic {
    /// Its name.
    pub name: String,
    /// How many partitions; none: by `num.partitions`.
    pub partitions: Option<u32>,
    /// How many replicas; none: by `default.replication.factor`.
    pub replication_factor: Option<u16>,
    /// Replicas of each partition, placed by hand; empty: by the placer.
    pub assignment: Vec<Brokers>,
    /// Its own settings.
    pub config: Vec<(Key, Value)>,
}

/// See [`Body::AlterConfigs`](super::Body::AlterConfigs).
#[derive(Clone, Debug)]
pub struct AlterConfigs {
    /// Where.
    pub scope: Scope,
    /// What; none takes a value back.
    pub changes: Vec<(Key, Option<Value>)>,
}

/// See [`Body::ElectLeaders`](super::Body::ElectLeaders).
#[derive(Clone, Copy, Debug)]
pub struct ElectLeaders {
    /// Unclean, or else preferred.
    pub unclean: bool,
    /// The partition.
    pub partition: PartitionId,
}

/// See [`Body::AlterPartitionReassignments`](super::Body::AlterPartitionReassignments).
#[derive(Clone, Debug)]
pub struct Reassign {
    /// The partition.
    pub partition: PartitionId,
    /// The target; `None` cancels the reassignment under way.
    pub target: Option<Brokers>,
}

/// The answer to an operator's command.
#[derive(Clone, Debug)]
pub struct CommandAnswer {
    /// The result.
    pub error: ErrorCode,
}
