use super::ClientEffects;
use super::backoff::Backoff;
use super::connections::{Choice, Connections, Ended, Lane, Policy};
use crate::wire::event::EventKind;
use crate::wire::message::{Body, ClientMetadata};
use crate::wire::metadata::Topic;
use crate::words::{BrokerId, BrokerList, LeaderEpoch, Micros, PartitionId};
use alloc::rc::Rc;

/// How a client finds leaders: it asks one broker or another for metadata (R6.9).
#[derive(Clone, Debug)]
pub(super) struct Bootstrap {
    brokers: BrokerList,
    next: usize,
    metadata: Option<ClientMetadata>,
    /// When it last heard an answer, or that there will be none.
    refreshed_at: Micros,
    wanted: bool,
    asked: Option<u32>,
    /// How many requests in a row had no answer, and how many answers said nothing new.
    attempts: u32,
    equivalent: u32,
}

/// When a client asks for metadata.
#[derive(Clone, Copy, Debug)]
pub(super) struct Refresh {
    /// At the latest (`metadata.max.age.ms`).
    pub max_age: Micros,
    /// Between two requests (`retry.backoff.ms`).
    pub backoff: Backoff,
    /// Whether answers that say nothing new make it wait longer (KIP-580).
    pub slows_down: bool,
    /// See [`Rules::metadata_errors`](crate::settings::Rules::metadata_errors).
    pub asks_on_errors: bool,
    /// See [`Rules::rebootstrap`](crate::settings::Rules::rebootstrap).
    pub rebootstraps: bool,
}

impl Bootstrap {
    /// A client that knows these brokers. Kafka's picks one by chance; here it is the last.
    pub fn new(brokers: BrokerList) -> Bootstrap {
        Bootstrap {
            next: brokers.len().saturating_sub(1),
            brokers,
            metadata: None,
            refreshed_at: Micros::ZERO,
            wanted: true,
            asked: None,
            attempts: 0,
            equivalent: 0,
        }
    }

    /// The brokers that it knows.
    pub fn brokers(&self) -> &BrokerList {
        &self.brokers
    }

    /// The partitions of a topic, once known.
    pub fn partitions(&self, topic: &str) -> &[PartitionId] {
        self.topic(topic).map_or(&[], |t| &t.partitions)
    }

    fn topic(&self, name: &str) -> Option<&Rc<Topic>> {
        self.metadata.as_ref()?.topics.iter().find(|t| t.name == name)
    }

    /// Who leads, as far as the client knows.
    pub fn leader(&self, partition: PartitionId) -> Option<(BrokerId, LeaderEpoch)> {
        self.metadata.as_ref()?.leaders.get(partition.0 as usize).copied().flatten()
    }

    /// A response said who leads instead (KIP-951).
    pub fn learn(&mut self, partition: PartitionId, leader: (BrokerId, LeaderEpoch)) {
        let known = self.metadata.as_mut().and_then(|m| m.leaders.get_mut(partition.0 as usize));
        let Some(known) = known else { return };
        if known.is_none_or(|(_, epoch)| leader.1 > epoch) {
            *known = Some(leader);
        }
    }

    /// What is known is wrong, or not enough.
    pub fn want(&mut self) {
        self.wanted = true;
    }

    /// A topic is new to the client: it asks at once (`Metadata.requestUpdateForNewTopics`).
    pub fn want_now(&mut self) {
        self.wanted = true;
        self.refreshed_at = Micros::ZERO;
        self.equivalent = 0;
    }

    /// The connections that requests go over which any broker answers.
    fn lane(&self) -> Lane {
        if self.metadata.is_some() { Lane::Data } else { Lane::Bootstrap }
    }

    /// Whether what is known is wrong, or not enough.
    pub fn is_wanted(&self) -> bool {
        self.wanted
    }

    /// Whether it waits for an answer.
    pub fn is_asking(&self) -> bool {
        self.asked.is_some()
    }

    /// A broker to send a request to that any broker answers.
    pub fn any_broker(&self, connections: &Connections, now: Micros) -> (Lane, Choice) {
        let lane = self.lane();
        let known = self.metadata.as_ref().map(|m| &m.brokers).filter(|known| !known.is_empty());
        let brokers = known.unwrap_or(&self.brokers);
        let count = brokers.len().max(1);
        let from = |i: usize| brokers.get((self.next + i) % count).copied();
        let choice = connections.least_loaded(lane, (0..brokers.len()).filter_map(from), now);
        (lane, choice)
    }

    /// Asks if something is wanted or too old; says when to look again.
    pub fn poll(
        &mut self,
        refresh: &Refresh,
        policy: &Policy,
        connections: &mut Connections,
        fx: &mut ClientEffects,
    ) -> Micros {
        if self.asked.is_some() {
            return Micros::NEVER;
        }
        let due = self.due(refresh);
        if fx.now < due {
            return due;
        }
        match self.any_broker(connections, fx.now) {
            (lane, Choice::Ask(broker)) => {
                let peer = (lane, broker);
                let body = Body::Metadata(());
                self.asked = Some(connections.request(peer, body, fx.cause(), policy, fx));
                Micros::NEVER
            }
            (Lane::Data, Choice::BacksOff(_)) if refresh.rebootstraps => {
                self.metadata = None;
                self.poll(refresh, policy, connections, fx)
            }
            (_, Choice::BacksOff(until)) => until,
        }
    }

    /// When it asks next (`Metadata.timeToNextUpdate`).
    fn due(&self, refresh: &Refresh) -> Micros {
        let wait = |failures: u32| match failures {
            0 => Micros::ZERO,
            n => refresh.backoff.after(n),
        };
        let equivalent = if refresh.slows_down { wait(self.equivalent) } else { Micros::ZERO };
        let backoff = wait(self.attempts.max(1)).max(equivalent);
        let soonest = match self.refreshed_at {
            Micros::ZERO => Micros::ZERO,
            at => at + backoff,
        };
        if self.wanted { soonest } else { soonest.max(self.refreshed_at + refresh.max_age) }
    }

    /// Takes an answer over, if it is awaited, and tells which leaders of `topic` are others now.
    pub fn take(
        &mut self,
        correlation: u32,
        metadata: ClientMetadata,
        topic: &str,
        refresh: &Refresh,
        fx: &mut ClientEffects,
    ) -> bool {
        if self.asked.take_if(|c| *c == correlation).is_none() {
            return false;
        }
        self.refreshed_at = fx.now;
        self.attempts = 0;
        self.equivalent += 1;
        let former = self.metadata.replace(metadata);
        let former = former.map(|m| m.leaders).unwrap_or_default();
        let mut lacks = self.partitions(topic).is_empty();
        let mut changed = false;
        for partition in self.partitions(topic).iter().copied() {
            let leader = self.leader(partition);
            lacks |= leader.is_none();
            if former.get(partition.0 as usize) == Some(&leader) {
                continue;
            }
            changed = true;
            fx.event(match leader {
                Some((leader, _)) => EventKind::MetadataLearnt { partition, leader },
                None => EventKind::MetadataLeaderless { partition },
            });
        }
        if changed {
            self.equivalent = 0;
        }
        self.wanted = lacks && refresh.asks_on_errors;
        true
    }

    /// Whether a connection that is gone took a request for metadata along.
    pub fn was_asking(&self, ended: &Ended) -> bool {
        self.asked.is_some_and(|c| ended.had(c))
    }

    /// A connection is gone: what is known may be wrong, and another broker is asked.
    pub fn lost(&mut self, ended: &Ended, refresh: &Refresh, now: Micros) {
        let asked = self.asked.take_if(|c| ended.had(*c)).is_some();
        // A connection that breaks while an update is due counts as one that failed.
        if asked || (self.wanted && self.due(refresh) <= now) {
            self.attempts += 1;
            self.equivalent = 0;
            self.refreshed_at = now;
        }
        if asked {
            self.next = (self.next + 1) % self.brokers.len().max(1);
        }
        self.wanted = true;
    }
}
