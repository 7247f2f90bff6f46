use super::ClientEffects;
use super::backoff::Backoff;
use crate::wire::event::EventKind;
use crate::wire::message::{Body, ClientMetadata};
use crate::wire::metadata::Topic;
use crate::words::{BrokerId, BrokerList, LeaderEpoch, Micros, Node, PartitionId};
use alloc::rc::Rc;

/// How a client finds leaders: it asks one broker after another for metadata (R6.9).
#[derive(Clone, Debug)]
pub(super) struct Bootstrap {
    brokers: BrokerList,
    next: usize,
    metadata: Option<ClientMetadata>,
    refreshed_at: Micros,
    wanted: bool,
    asked: Option<(u32, BrokerId, Micros)>,
    not_before: Micros,
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
            not_before: Micros::ZERO,
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

    /// A broker to send a request to that any broker answers.
    pub fn any_broker(&self) -> Option<BrokerId> {
        self.brokers.get(self.next % self.brokers.len().max(1)).copied()
    }

    /// Asks if something is wanted or too old; says when to look again.
    pub fn poll(
        &mut self,
        max_age: Micros,
        backoff: Micros,
        timeout: Micros,
        correlation: &mut u32,
        fx: &mut ClientEffects,
    ) -> Micros {
        if let Some((_, broker, deadline)) = self.asked {
            if fx.now < deadline {
                return deadline;
            }
            self.lost(broker, fx.now);
        }
        let due = if self.wanted {
            let after =
                self.metadata.as_ref().map_or(Micros::ZERO, |_| self.refreshed_at + backoff);
            after.max(self.not_before)
        } else {
            self.refreshed_at + max_age
        };
        if fx.now < due {
            return due;
        }
        let Some(broker) = self.any_broker() else { return Micros::NEVER };
        *correlation += 1;
        self.asked = Some((*correlation, broker, fx.now + timeout));
        fx.send(Node::Broker(broker), *correlation, Body::Metadata(()), fx.cause);
        fx.now + timeout
    }

    /// Takes an answer over, if it is awaited, and tells which leaders of `topic` are others now.
    pub fn take(
        &mut self,
        correlation: u32,
        metadata: ClientMetadata,
        topic: &str,
        fx: &mut ClientEffects,
    ) -> bool {
        if self.asked.take_if(|(c, _, _)| *c == correlation).is_none() {
            return false;
        }
        self.refreshed_at = fx.now;
        self.wanted = false;
        let former = self.metadata.replace(metadata);
        let former = former.map(|m| m.leaders).unwrap_or_default();
        for partition in self.partitions(topic).iter().copied() {
            let leader = self.leader(partition);
            if former.get(partition.0 as usize) == Some(&leader) {
                continue;
            }
            fx.event(match leader {
                Some((leader, _)) => EventKind::MetadataLearnt { partition, leader },
                None => EventKind::MetadataLeaderless { partition },
            });
        }
        true
    }

    /// A connection is gone: another broker is asked.
    pub fn lost(&mut self, broker: BrokerId, now: Micros) {
        let asked = self.asked.take_if(|(_, b, _)| *b == broker).is_some();
        if asked || self.any_broker() == Some(broker) {
            self.next = (self.next + 1) % self.brokers.len().max(1);
        }
        if asked {
            self.not_before = now + Backoff::RECONNECT.first;
        }
        self.wanted = true;
    }
}
