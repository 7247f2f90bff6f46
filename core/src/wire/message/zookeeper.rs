//! What goes to ZooKeeper, and what a controller with ZooKeeper tells the brokers.

use crate::partition::reassignment::Plan;
use crate::wire::metadata::{BrokerState, PartitionState, Topic};
use crate::words::{
    BrokerEpoch, BrokerId, BrokerList, Brokers, ErrorCode, EventId, LeaderEpoch, Map,
    PartitionEpoch, PartitionId,
};
use alloc::rc::Rc;
use alloc::vec::Vec;
/// See [`Body::ControllerElection`](super::Body::ControllerElection).
#[derive(Clone, Copy, Debug)]
pub struct ControllerElection {
    /// Who wants to be it.
    pub broker: BrokerId,
    /// Its session.
    pub broker_epoch: BrokerEpoch,
}

/// See [`Body::SetData`](super::Body::SetData).
#[derive(Clone, Debug)]
pub struct SetData {
    /// Who writes.
    pub broker: BrokerId,
    /// Its session.
    pub broker_epoch: BrokerEpoch,
    /// What.
    pub writes: Vec<StateWrite>,
}

/// A partition's state as it is to be, if nobody has written it meanwhile.
#[derive(Clone, Debug)]
pub struct StateWrite {
    /// The partition.
    pub partition: PartitionId,
    /// The version that the writer knows (zkVersion, R0.4).
    pub expected: PartitionEpoch,
    /// The leader.
    pub leader: Option<BrokerId>,
    /// Its epoch.
    pub leader_epoch: LeaderEpoch,
    /// The ISR, in the order of its list.
    pub isr: Brokers,
    /// Replicas, and those that are added and removed, if they change with it.
    pub plan: Option<Plan>,
    /// The event that made it so.
    pub why: EventId,
}

/// See [`Body::SetDataResponse`](super::Body::SetDataResponse).
#[derive(Clone, Debug)]
pub struct SetDataAnswer {
    /// What is wrong with the session.
    pub error: ErrorCode,
    /// For each write whether it was made, and the state that is stored now.
    pub results: Vec<(PartitionId, bool, Rc<PartitionState>)>,
}

/// See [`Body::LeaderAndIsr`](super::Body::LeaderAndIsr).
#[derive(Clone, Debug)]
pub struct LeaderAndIsr {
    /// Who says so.
    pub controller: BrokerId,
    /// Its epoch: brokers refuse lower ones (R3.7).
    pub controller_epoch: i32,
    /// All topics.
    pub topics: Vec<Rc<Topic>>,
    /// Partitions and their states.
    pub parts: Vec<(PartitionId, Rc<PartitionState>)>,
    /// Brokers that are alive (R3.8).
    pub live: BrokerList,
}

/// See [`Body::UpdateMetadata`](super::Body::UpdateMetadata).
#[derive(Clone, Debug)]
pub struct UpdateMetadata {
    /// Who says so.
    pub controller: BrokerId,
    /// Its epoch.
    pub controller_epoch: i32,
    /// All topics.
    pub topics: Vec<Rc<Topic>>,
    /// Brokers, those that are gone being fenced.
    pub brokers: Map<BrokerId, BrokerState>,
    /// Partitions and their states.
    pub parts: Vec<(PartitionId, Rc<PartitionState>)>,
}

/// See [`Body::StopReplica`](super::Body::StopReplica).
#[derive(Clone, Debug)]
pub struct StopReplica {
    /// The controller's epoch.
    pub controller_epoch: i32,
    /// Whether their logs are deleted (R5.36).
    pub delete: bool,
    /// Which replicas, and the leader epoch that the controller knows of each (KIP-570).
    pub partitions: Vec<(PartitionId, LeaderEpoch)>,
}
