//! Whether anything can still change.
//!
//! *Settled*: no event can still change ISR, leader, HW or a log through the failure detector, lag
//! checks, fetches or retries in progress. It waits neither for a client's time-out nor for a task
//! with a period of minutes, and a producer's own rhythm goes on whatever happens.

use super::client::Client;
use super::queue::Item;
use super::world::{ProcessState, World};
use crate::broker::{Broker, Phase};
use crate::partition::FollowingState;
use crate::replica::{Leading, Replica};
use crate::settings::rules::Coordination;
use crate::wire::Body;
use crate::words::{BrokerId, Node, PartitionId};

impl World {
    /// See the module.
    pub fn is_settled(&self) -> bool {
        !self.has_news_in_flight()
            && self.clients.iter().all(|c| self.is_client_quiet(c))
            && self.brokers.iter().all(|b| self.is_broker_settled(b))
    }

    /// A message that will change something, or a process that is about to come up.
    fn has_news_in_flight(&self) -> bool {
        self.queue.iter().any(|(_, _, item)| match item {
            Item::Deliver(t) => {
                let read = matches!(t.to, Node::Client(_))
                    && matches!(t.message.body, Body::FetchResponse(_));
                t.message.body.is_significant() && !read
            }
            Item::Disconnect { .. } => true,
            Item::Controller(_, crate::controller::ControllerTimer::Activate) => true,
            _ => false,
        })
    }

    /// An operator's command is under way only while the controller can answer it; a producer may
    /// wait for a leader or for its time-out.
    fn is_client_quiet(&self, client: &Client) -> bool {
        match client {
            Client::Operator(_) => client.is_idle() || !self.controller.is_active(),
            Client::Producer(sender) => {
                sender.producer.is_idle() || !sender.producer.can_progress(&|p| self.accepts(p))
            }
            Client::Consumer(_) => true,
        }
    }

    /// Whether the partition's leader would take a write with acks=all.
    fn accepts(&self, partition: PartitionId) -> bool {
        let state = self.controller.image().partition(partition);
        let leader = state.and_then(|s| s.leader).and_then(|b| self.broker(b));
        let leading = leader
            .filter(|b| self.runs(b.id))
            .and_then(|b| b.replicas.get(&partition))
            .and_then(|r| r.leading());
        leading.is_some_and(|l| l.isr.len() >= l.min_isr)
    }

    fn runs(&self, id: BrokerId) -> bool {
        self.process_state(Node::Broker(id)).0 == ProcessState::Up
    }

    fn can_talk(&self, a: Node, b: Node) -> bool {
        !self.network.is_cut(a, b) && !self.network.is_cut(b, a)
    }

    fn reaches_controller(&self, id: BrokerId) -> bool {
        self.controller.is_active()
            && self.process_state(Node::Controller).0 == ProcessState::Up
            && self.can_talk(Node::Broker(id), Node::Controller)
    }

    fn is_broker_settled(&self, broker: &Broker) -> bool {
        let id = broker.id;
        let image = self.controller.image();
        let fenced = image.brokers.get(&id).is_none_or(|b| b.fenced);
        let kraft = self.controller.rules().coordination == Coordination::KRaft;
        let watched = self.controller.is_active()
            && self.process_state(Node::Controller).0 == ProcessState::Up;
        let Some(process) = broker.process.as_ref().filter(|_| self.runs(id)) else {
            // Its session will run out, unless nobody looks.
            return fenced || !watched;
        };
        if !self.reaches_controller(id) {
            return (fenced || !watched) && self.are_replicas_settled(broker, false);
        }
        process.phase == Phase::Running
            && !fenced
            && (!kraft || process.image.offset == image.offset)
            && broker.is_controller_idle()
            && self.are_replicas_settled(broker, true)
    }

    fn are_replicas_settled(&self, broker: &Broker, can_alter: bool) -> bool {
        broker.replicas.iter().all(|(partition, replica)| match replica.leading() {
            Some(leading) => self.is_leader_settled(*partition, replica, leading, can_alter),
            None => self.is_follower_settled(broker.id, *partition, replica),
        })
    }

    fn is_leader_settled(
        &self,
        partition: PartitionId,
        replica: &Replica,
        leading: &Leading,
        can_alter: bool,
    ) -> bool {
        let pending = leading.pending.is_some() && can_alter;
        !pending
            && leading.followers.iter().all(|f| {
                let in_isr = leading.isr.contains(&f.broker);
                let caught_up = f.state.end == replica.log.end();
                if self.fetches(f.broker, partition) {
                    let eligible = self.controller.image().is_active(f.broker);
                    caught_up && (in_isr || !eligible || !can_alter)
                } else {
                    // It cannot fetch: the lag check takes it out, if it is behind.
                    !in_isr || caught_up || !can_alter || leading.isr.len() == 1
                }
            })
    }

    /// Whether `broker` runs and can fetch the partition from whom it follows.
    fn fetches(&self, broker: BrokerId, partition: PartitionId) -> bool {
        let following = self
            .broker(broker)
            .filter(|b| self.runs(b.id))
            .and_then(|b| b.replicas.get(&partition))
            .and_then(|r| r.following());
        following.is_some_and(|f| {
            f.state != FollowingState::Failed
                && self.runs(f.leader)
                && self.can_talk(Node::Broker(broker), Node::Broker(f.leader))
        })
    }

    fn is_follower_settled(&self, id: BrokerId, partition: PartitionId, replica: &Replica) -> bool {
        let Some(following) = replica.following() else { return true };
        if !self.fetches(id, partition) {
            return true;
        }
        let leader = self.broker(following.leader).and_then(|b| b.replicas.get(&partition));
        let Some(leader) = leader.filter(|l| l.leading().is_some()) else {
            return !self.reaches_controller(id);
        };
        replica.log.end() == leader.log.end()
            && replica.hw == leader.hw.min(replica.log.end())
            && following.state == FollowingState::Fetching
    }
}
