use super::alter_partition::Proposals;
use super::controller_link::ControllerLink;
use super::fetcher::Fetcher;
use super::groups::Coordinated;
use super::lifecycle::Phase;
use super::meters::Meters;
use super::produce::ParkedProduce;
use super::serve_fetch::ParkedFetch;
use super::zk_link::ZkLink;
use crate::partition::{Eligibility, LeaderContext};
use crate::replica::purgatory::Purgatory;
use crate::settings::{Key, Rules, Values};
use crate::wire::message::Message;
use crate::wire::metadata::MetadataImage;
use crate::words::{BrokerEpoch, BrokerId, ClientId, Map, Micros, Node};
use alloc::collections::VecDeque;
use alloc::string::String;

/// What is gone when the process is.
#[derive(Clone, Debug)]
pub struct Process {
    /// Whether it has ended by itself, and is gone once the input is handled.
    pub(super) ended: bool,
    /// How far it has come.
    pub phase: Phase,
    /// What it knows of the cluster.
    pub image: MetadataImage,
    /// Its registration, or −1.
    pub broker_epoch: BrokerEpoch,
    /// Its settings.
    pub values: Values,
    pub(super) incarnation: u32,
    pub(super) next_correlation: u32,
    pub(super) producer_ids: i64,
    pub(super) controller: ControllerLink,
    pub(super) proposals: Proposals,
    /// What only a cluster with ZooKeeper needs.
    pub(super) zk: ZkLink,
    /// One for each leader that it follows (R3.1).
    pub(super) fetchers: Map<BrokerId, Fetcher>,
    pub(super) next_parked: u32,
    pub(super) parked_produces: Purgatory<ParkedProduce>,
    pub(super) parked_fetches: Purgatory<ParkedFetch>,
    /// Connections of clients whose produce request is parked, with what came over them since: a
    /// broker works on one request of a connection at a time.
    pub(super) busy: Map<(ClientId, u32), VecDeque<Message>>,
    /// The groups that it coordinates.
    pub(super) groups: Map<String, Coordinated>,
    /// What its JMX meters count.
    pub meters: Meters,
    /// What waits for a slow disk.
    pub(super) disk_queue: VecDeque<(Micros, Node, Message)>,
}

impl Process {
    /// The id for the next request of its own.
    pub(super) fn correlation(&mut self) -> u32 {
        self.next_correlation += 1;
        self.next_correlation
    }

    /// How many produce requests wait in the purgatory (R2.10).
    pub fn waiting_produces(&self) -> usize {
        self.parked_produces.iter().count()
    }

    /// What tells this process's sessions from one another, and from those of earlier processes.
    pub(super) fn session_id(&self) -> u32 {
        (self.incarnation << 12) + self.zk.sessions
    }

    /// `replica.lag.time.max.ms`.
    pub(super) fn lag_max(&self) -> Micros {
        self.values.ms(Key::ReplicaLagTimeMaxMs)
    }
}

/// Runs `with` over a leader's rules as this process sees the world.
pub(super) fn with_world<T>(
    process: &Process,
    rules: &Rules,
    now: Micros,
    with: impl FnOnce(&LeaderContext<'_>) -> T,
) -> T {
    let eligibility = |b: BrokerId| {
        let known = process.image.brokers.get(&b);
        Eligibility {
            active: known.is_some_and(|b| b.is_active()),
            broker_epoch: known.map_or(-1, |b| b.epoch),
        }
    };
    with(&LeaderContext {
        now,
        lag_max: process.lag_max(),
        lag_max_messages: process.values.get(Key::ReplicaLagMaxMessages),
        rules,
        eligibility: &eligibility,
    })
}
