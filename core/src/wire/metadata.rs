//! What the controller knows and brokers hear: the metadata log's records and their image.

use crate::partition::Stored;
use crate::settings::Layers;
use crate::words::{BrokerEpoch, BrokerId, BrokerList, EventId, Map, Offset, PartitionId};
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Deref;

/// A partition's stored state: the facts, to which topic and directories they belong, and the event
/// that made them so.
#[derive(Clone, Debug, Default)]
pub struct PartitionState {
    /// The facts.
    pub stored: Stored,
    /// Its topic: index into [`MetadataImage::topics`].
    pub topic: u32,
    /// Log directory of each replica, in their order (R5.39).
    pub directories: Vec<u32>,
    /// The event that made it so.
    pub why: EventId,
}

impl Deref for PartitionState {
    type Target = Stored;
    fn deref(&self) -> &Stored {
        &self.stored
    }
}

/// What made a state so is no part of it.
impl PartialEq for PartitionState {
    fn eq(&self, other: &PartitionState) -> bool {
        self.stored == other.stored
            && self.topic == other.topic
            && self.directories == other.directories
    }
}

impl PartitionState {
    /// The same partition with other facts, which `why` made so; a replica that stays keeps its
    /// directory.
    pub fn with(&self, stored: Stored, why: EventId) -> PartitionState {
        let directory = |b: &BrokerId| self.directory_of(*b).unwrap_or(0);
        let directories = stored.replicas.iter().map(directory).collect();
        PartitionState { stored, topic: self.topic, directories, why }
    }

    /// Log directory of `broker`'s replica.
    pub fn directory_of(&self, broker: BrokerId) -> Option<u32> {
        let at = self.replicas.iter().position(|r| *r == broker)?;
        self.directories.get(at).copied()
    }
}

/// A broker's registration (R5.5).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BrokerState {
    /// Version of the registration.
    pub epoch: BrokerEpoch,
    /// The process that registered.
    pub incarnation: u32,
    /// It may neither lead nor be in an ISR.
    pub fenced: bool,
    /// It is in controlled shutdown.
    pub shutting_down: bool,
    /// Its log directory.
    pub directory: u32,
}

impl BrokerState {
    /// One that just registered, and serves.
    pub fn up(epoch: BrokerEpoch, incarnation: u32, directory: u32) -> BrokerState {
        BrokerState { epoch, incarnation, fenced: false, shutting_down: false, directory }
    }

    /// Neither fenced nor shutting down (R5.7).
    pub fn is_active(&self) -> bool {
        !self.fenced && !self.shutting_down
    }
}

/// A topic.
#[derive(Clone, PartialEq, Debug)]
pub struct Topic {
    /// Its name.
    pub name: String,
    /// Its partitions by number.
    pub partitions: Vec<PartitionId>,
}

/// One record of the metadata log.
#[derive(Clone, Debug)]
pub enum MetadataRecord {
    /// A broker registered or changed.
    Broker(BrokerId, BrokerState),
    /// A topic was created; its index is the next.
    Topic(Rc<Topic>),
    /// A partition was created (its id is the next) or changed.
    Partition(PartitionId, Rc<PartitionState>),
    /// Settings changed: all of them, as they are now.
    Settings(Rc<Layers>),
    /// With ZooKeeper: which broker is the controller, and its epoch (R5.2).
    Controller(Option<BrokerId>, i32),
}

impl MetadataRecord {
    /// Whether every broker watches it in ZooKeeper; the rest is for the controller.
    pub fn is_for_all(&self) -> bool {
        matches!(self, MetadataRecord::Settings(_) | MetadataRecord::Controller(..))
    }
}

/// The sum of all records up to an offset.
#[derive(Clone, Debug)]
pub struct MetadataImage {
    /// The next offset to apply.
    pub offset: Offset,
    /// Registered brokers.
    pub brokers: Map<BrokerId, BrokerState>,
    /// Topics in order of creation.
    pub topics: Vec<Rc<Topic>>,
    /// Partitions by id.
    pub partitions: Vec<Rc<PartitionState>>,
    /// Settings.
    pub settings: Rc<Layers>,
    /// With ZooKeeper: the broker that is the controller.
    pub controller: Option<BrokerId>,
    /// With ZooKeeper: the controller's epoch; the first is 1 (R5.2).
    pub controller_epoch: i32,
}

impl MetadataImage {
    /// Nothing but settings.
    pub fn new(settings: Rc<Layers>) -> MetadataImage {
        MetadataImage {
            offset: 0,
            brokers: Map::new(),
            topics: Vec::new(),
            partitions: Vec::new(),
            settings,
            controller: None,
            controller_epoch: 0,
        }
    }

    /// Takes over the next record.
    pub fn apply(&mut self, record: &MetadataRecord) {
        self.offset += 1;
        match record {
            MetadataRecord::Broker(id, state) => {
                self.brokers.insert(*id, *state);
            }
            MetadataRecord::Topic(topic) => self.topics.push(topic.clone()),
            MetadataRecord::Partition(id, state) => match self.partitions.get_mut(id.0 as usize) {
                Some(known) => *known = state.clone(),
                None => self.partitions.push(state.clone()),
            },
            MetadataRecord::Settings(settings) => self.settings = settings.clone(),
            MetadataRecord::Controller(broker, epoch) => {
                self.controller = *broker;
                self.controller_epoch = *epoch;
            }
        }
    }

    /// Takes over a partition's state that came beside the log; what is missing before it is
    /// unknown.
    pub fn put_partition(&mut self, id: PartitionId, state: Rc<PartitionState>) {
        let at = id.0 as usize;
        if self.partitions.len() <= at {
            self.partitions.resize_with(at + 1, Rc::default);
        }
        self.partitions[at] = state;
    }

    /// Brokers that are registered and not fenced, ascending.
    pub fn live(&self) -> BrokerList {
        self.unfenced().collect()
    }

    /// The same, one by one.
    pub fn unfenced(&self) -> impl Iterator<Item = BrokerId> {
        self.brokers.iter().filter(|(_, b)| !b.fenced).map(|(id, _)| *id)
    }

    /// A partition's state, if it is known.
    pub fn partition(&self, id: PartitionId) -> Option<&Rc<PartitionState>> {
        self.partitions.get(id.0 as usize)
    }

    /// The name of a partition's topic.
    pub fn topic_of(&self, state: &PartitionState) -> &Topic {
        &self.topics[state.topic as usize]
    }

    /// Whether `broker` is neither fenced nor shutting down (R5.7).
    pub fn is_active(&self, broker: BrokerId) -> bool {
        self.brokers.get(&broker).is_some_and(BrokerState::is_active)
    }

    /// The epoch of a broker that is neither fenced nor shutting down (R5.7).
    pub fn active_epoch(&self, broker: BrokerId) -> Option<BrokerEpoch> {
        self.brokers.get(&broker).filter(|b| b.is_active()).map(|b| b.epoch)
    }

    /// A broker's epoch, or −1.
    pub fn broker_epoch(&self, broker: BrokerId) -> BrokerEpoch {
        self.brokers.get(&broker).map_or(-1, |b| b.epoch)
    }
}
