//! A broker whose process runs, and which handler an input goes to.

use super::node::{BrokerEffects, BrokerTimer};
use super::process::Process;
use crate::log::Disk;
use crate::replica::{Replica, ReplicaSettings};
use crate::settings::rules::Coordination;
use crate::settings::{Layers, Rules};
use crate::wire::message::{Body, Message, connection_of};
use crate::words::{BrokerId, EventId, Map, Micros, Node, PartitionId};
use alloc::collections::VecDeque;
use alloc::rc::Rc;

/// A broker whose process runs: what every handler of an input works on. [`Broker::run`](super::Broker::run) makes it
/// where there is a process, so that no handler has to ask.
pub(super) struct Running<'a> {
    pub id: BrokerId,
    pub rules: &'a Rules,
    pub disk: &'a mut Disk,
    pub replicas: &'a mut Map<PartitionId, Replica>,
    pub process: &'a mut Process,
    pub disk_delay: Micros,
    pub replica_delays: &'a Map<PartitionId, Micros>,
    pub racks: &'a Map<BrokerId, u16>,
    pub config: &'a Rc<Layers>,
}

impl Running<'_> {
    pub(super) fn receive(&mut self, from: Node, message: Message, fx: &mut BrokerEffects) {
        let zookeeper = self.rules.coordination == Coordination::ZooKeeper;
        let is_known = !zookeeper || self.process.broker_epoch >= 0;
        let listens = self.process.phase.serves() && is_known;
        if !listens && !message.body.kind().is_response() {
            // Its port is not open yet, with ZooKeeper not before it is registered: the connection
            // is refused.
            fx.closes.push((from, connection_of(message.correlation)));
            return;
        }
        if let Some(queue) = busy_queue(self.process, from, message.correlation) {
            queue.push_back(message);
            return;
        }
        if let Some(delay) = self.disk_wait(&message.body) {
            self.wait_for_disk(from, message, delay, fx);
            return;
        }
        self.handle(from, message, fx);
    }

    /// Hands a message to its handler.
    pub(super) fn handle(&mut self, from: Node, message: Message, fx: &mut BrokerEffects) {
        if self.is_held(from, &message.body) {
            self.process.zk.held.push((from, message));
            return;
        }
        let correlation = message.correlation;
        match message.body {
            Body::Produce(r) => self.handle_produce(from, correlation, *r, fx),
            Body::Fetch(r) => self.handle_fetch(from, correlation, *r, fx),
            body @ (Body::ListOffsets(_)
            | Body::OffsetsForLeaderEpoch(_)
            | Body::ApiVersions(())
            | Body::Metadata(())
            | Body::InitProducerId(())) => {
                if let Some(answer) = self.handle_query(body) {
                    fx.send(from, correlation, answer, fx.cause());
                }
            }
            body @ (Body::FindCoordinator(_)
            | Body::OffsetCommit(_)
            | Body::OffsetFetch(_)
            | Body::JoinGroup(_)
            | Body::SyncGroup(_)
            | Body::Heartbeat(_)
            | Body::LeaveGroup(_)) => self.handle_group_request(from, correlation, body, fx),
            body @ (Body::FetchResponse(_)
            | Body::ListOffsetsResponse(_)
            | Body::OffsetsForLeaderEpochResponse(_)) => {
                if let Node::Broker(leader) = from {
                    self.on_leader_response(leader, correlation, body, fx);
                }
            }
            Body::LeaderAndIsr(r) => self.handle_leader_and_isr(from, correlation, &r, fx),
            Body::UpdateMetadata(r) => self.handle_update_metadata(from, correlation, &r, fx),
            Body::StopReplica(r) => self.handle_stop_replica(from, correlation, &r, fx),
            Body::LeaderAndIsrResponse(_)
            | Body::UpdateMetadataResponse(_)
            | Body::StopReplicaResponse(_) => {
                if let Node::Broker(to) = from {
                    self.on_broker_response(to, correlation, fx);
                }
            }
            body @ (Body::AlterPartition(_)
            | Body::IsrChangeNotification(_)
            | Body::ElectLeaders(_)
            | Body::AlterPartitionReassignments(_)
            | Body::ControlledShutdown(_)) => {
                self.handle_controller_request(from, correlation, body, fx);
            }
            body => self.on_controller_response(correlation, body, fx),
        }
    }

    pub(super) fn disconnected(&mut self, peer: Node, fx: &mut BrokerEffects) {
        match peer {
            Node::Broker(broker) => {
                self.fetcher_disconnected(broker, fx);
                self.channel_broke(broker, fx);
                self.controller_disconnected(peer, fx);
            }
            Node::Controller => {
                self.controller_disconnected(peer, fx);
                self.writes_lost(fx);
            }
            Node::Client(_) => {}
        }
    }

    pub(super) fn wake(&mut self, timer: BrokerTimer, fx: &mut BrokerEffects) {
        match timer {
            BrokerTimer::Booted => self.booted(fx),
            BrokerTimer::Recovered => self.recovered(fx),
            BrokerTimer::Heartbeat => self.send_heartbeat(fx),
            BrokerTimer::RequestTimeouts => self.time_out_requests(fx),
            BrokerTimer::MetadataAgain => self.fetch_metadata(fx),
            BrokerTimer::AlterPartitionAgain => self.send_alter_partition(fx),
            BrokerTimer::IsrExpiration => self.maybe_shrink_isrs(fx),
            BrokerTimer::HwCheckpoint => self.checkpoint_high_watermarks(fx),
            BrokerTimer::RecoveryPointCheckpoint => self.checkpoint_log_recovery_offsets(fx),
            BrokerTimer::LogFlush => self.flush_dirty_logs(fx),
            BrokerTimer::ProducerExpiration => self.remove_expired_producers(fx),
            BrokerTimer::FetchAgain(leader) => self.fetch_from(leader, fx),
            BrokerTimer::Parked => self.expire_parked(fx),
            BrokerTimer::DiskDone => self.disk_done(fx),
            BrokerTimer::ShutdownAgain => self.shutdown_again(fx),
            BrokerTimer::LetGo => self.finish_stop(fx),
            BrokerTimer::Rebalance => self.rebalance(fx),
            BrokerTimer::ControllerWork => self.work_again(fx),
            BrokerTimer::SendToBrokers => self.resend(fx),
            BrokerTimer::IsrNotice => self.tell_isrs(fx),
            BrokerTimer::Groups => self.expire_group_members(fx),
        }
    }

    /// What a replica goes by of its topic's settings.
    pub(super) fn replica_settings(&self, partition: PartitionId) -> Option<ReplicaSettings> {
        let image = &self.process.image;
        let topic = &image.topics.get(image.partition(partition)?.topic as usize)?.name;
        Some(ReplicaSettings::of(&image.settings, topic, Some(self.id)))
    }
}

fn busy_queue(
    process: &mut Process,
    from: Node,
    correlation: u32,
) -> Option<&mut VecDeque<Message>> {
    match from {
        Node::Client(client) => process.busy.get_mut(&(client, connection_of(correlation))),
        _ => None,
    }
}

/// The nearest cause and, behind it, another.
pub(super) fn because(first: EventId, second: EventId) -> [EventId; 2] {
    if first == second { [first, EventId::NONE] } else { [first, second] }
}
