use super::Leading;
use crate::log::{Log, LogRules, SegmentLimits};
use crate::partition::Following;
use crate::partition::heard::Standing;
use crate::settings::{Key, Layers, Rules};
use crate::words::{BrokerId, EventId, LeaderEpoch, Micros, Offset};
use alloc::boxed::Box;
use alloc::vec::Vec;

/// What a replica is to its partition, in its own view.
#[derive(Clone, PartialEq, Debug)]
pub enum Role {
    /// It leads.
    Leader(Box<Leading>),
    /// It follows.
    Follower(Following),
    /// Nobody leads, or its process is down.
    Idle,
}

impl Role {
    /// The role without what the process keeps beside it.
    pub fn standing(&self) -> Standing {
        match self {
            Role::Leader(l) => {
                Standing::Leader { epoch: l.epoch, partition_epoch: l.partition_epoch }
            }
            Role::Follower(f) => Standing::Follower { leader: f.leader },
            Role::Idle => Standing::Idle,
        }
    }
}

/// What a replica goes by of its topic's settings.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ReplicaSettings {
    /// `unclean.leader.election.enable`.
    pub unclean: bool,
    /// `min.insync.replicas`.
    pub min_insync_replicas: i64,
    /// `max.message.bytes`: the largest batch that a client may send (R6.8).
    pub max_message_bytes: i64,
    /// `segment.bytes`, `segment.ms`.
    pub segments: SegmentLimits,
    /// `flush.messages`.
    pub flush_messages: i64,
    /// `flush.ms`.
    pub flush_after: Micros,
}

impl ReplicaSettings {
    /// As a broker resolves them for the topic.
    pub fn of(settings: &Layers, topic: &str, broker: Option<BrokerId>) -> ReplicaSettings {
        let topic = settings.topic(topic, broker);
        ReplicaSettings {
            unclean: topic.is(Key::UncleanLeaderElectionEnable),
            min_insync_replicas: topic.get(Key::MinInsyncReplicas),
            max_message_bytes: topic.get(Key::MaxMessageBytes),
            segments: SegmentLimits {
                bytes: topic.get(Key::LogSegmentBytes).max(1) as u64,
                age: topic.ms(Key::LogRollMs),
            },
            flush_messages: topic.get(Key::LogFlushIntervalMessages),
            flush_after: topic.ms(Key::LogFlushIntervalMs),
        }
    }
}

/// One replica: its log, which survives the process, and what its process knows.
#[derive(Clone, Debug)]
pub struct Replica {
    /// The log.
    pub log: Log,
    /// Its own high watermark (R0.2); that of the checkpoint after a start (R1.11).
    pub hw: Offset,
    /// The event that set it.
    pub hw_why: EventId,
    /// The event that set the log end.
    pub end_why: EventId,
    /// Whether its process has it in memory: only then it is in the HW file (R1.10).
    pub hosted: bool,
    /// Newest leader epoch that its process knows; −1 before any.
    pub leader_epoch: LeaderEpoch,
    /// Its role.
    pub role: Role,
    /// Parked fetches of followers, by id (R2.28).
    pub follower_fetches: Vec<u32>,
    /// Parked fetches of consumers, who may read from a follower, too (R7.8).
    pub consumer_fetches: Vec<u32>,
    /// Settings of its topic.
    pub settings: ReplicaSettings,
}

impl Replica {
    /// A new, empty replica.
    pub fn new(settings: ReplicaSettings, rules: &Rules, now: Micros) -> Replica {
        Replica {
            log: Log::new(0, LogRules::of(rules), now),
            hw: 0,
            hw_why: EventId::NONE,
            end_why: EventId::NONE,
            hosted: false,
            leader_epoch: -1,
            role: Role::Idle,
            follower_fetches: Vec::new(),
            consumer_fetches: Vec::new(),
            settings,
        }
    }

    /// The process is gone: only the log is left.
    pub fn forget(&mut self) {
        self.hosted = false;
        self.leader_epoch = -1;
        self.role = Role::Idle;
        self.follower_fetches.clear();
        self.consumer_fetches.clear();
    }

    /// The parked fetches that read it.
    pub fn parked_fetches(&self) -> Vec<u32> {
        self.follower_fetches.iter().chain(&self.consumer_fetches).copied().collect()
    }

    /// Its leader state, if it leads.
    pub fn leading(&self) -> Option<&Leading> {
        match &self.role {
            Role::Leader(leading) => Some(leading),
            _ => None,
        }
    }

    /// See [`Replica::leading`].
    pub fn leading_mut(&mut self) -> Option<&mut Leading> {
        match &mut self.role {
            Role::Leader(leading) => Some(leading),
            _ => None,
        }
    }

    /// Its follower state, if it follows.
    pub fn following(&self) -> Option<&Following> {
        match &self.role {
            Role::Follower(following) => Some(following),
            _ => None,
        }
    }

    /// See [`Replica::following`].
    pub fn following_mut(&mut self) -> Option<&mut Following> {
        match &mut self.role {
            Role::Follower(following) => Some(following),
            _ => None,
        }
    }
}
