use super::alter_partition::Proposals;
use super::controller_link::ControllerLink;
use super::fetcher::Fetcher;
use super::groups::Coordinated;
use super::lifecycle::Phase;
use super::meters::Meters;
use super::produce::ParkedProduce;
use super::serve_fetch::ParkedFetch;
use super::zk_link::ZkLink;
use crate::log::Disk;
use crate::partition::{Eligibility, LeaderContext};
use crate::replica::purgatory::Purgatory;
use crate::replica::{Replica, ReplicaSettings};
use crate::settings::rules::Coordination;
use crate::settings::{Key, Layers, Rules, Values};
use crate::wire::Effects;
use crate::wire::message::{Body, Message, connection_of};
use crate::wire::metadata::MetadataImage;
use crate::words::{BrokerEpoch, BrokerId, ClientId, EventId, Map, Micros, Node, PartitionId};
use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::rc::Rc;
use alloc::string::String;

/// What a broker wakes up for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum BrokerTimer {
    /// The process has come up far enough to register.
    Booted,
    /// Its logs are loaded.
    Recovered,
    /// Time to register again, or to send a heartbeat (R5.3).
    Heartbeat,
    /// Look for requests without answer.
    RequestTimeouts,
    /// Ask for metadata again.
    MetadataAgain,
    /// Send ISR changes again (R2.23).
    AlterPartitionAgain,
    /// Look for replicas that lag (R2.14).
    IsrExpiration,
    /// Write the HW file (R1.10).
    HwCheckpoint,
    /// Write the recovery-point file (R1.9).
    RecoveryPointCheckpoint,
    /// Flush what is old (R1.7).
    LogFlush,
    /// Partitions that follow this leader may fetch again (R3.5).
    FetchAgain(BrokerId),
    /// Look for producers that were idle for too long (R6.17).
    ProducerExpiration,
    /// A parked request has waited long enough.
    Parked,
    /// The disk is done with a write.
    DiskDone,
    /// With ZooKeeper: the controller asks for controlled shutdown again (R5.13).
    ShutdownAgain,
    /// With ZooKeeper: the controller has let the broker stop, and it has wound up (R5.13).
    LetGo,
    /// With ZooKeeper: the controller looks for imbalances (R5.16).
    Rebalance,
    /// With ZooKeeper: the controller begins a task again.
    ControllerWork,
    /// With ZooKeeper: the controller sends again what was not answered.
    SendToBrokers,
    /// With ZooKeeper: look for changed ISRs that the controller was not told of (R2.22).
    IsrNotice,
    /// Look for members of groups that were silent for too long (R7.9).
    Groups,
}

/// Effects of a broker.
pub type BrokerEffects = Effects<BrokerTimer>;

/// A broker.
#[derive(Clone, Debug)]
pub struct Broker {
    /// Its id.
    pub id: BrokerId,
    pub(super) rules: Rules,
    /// What survives the process, beside the logs.
    pub disk: Disk,
    /// Its replicas; their logs survive the process.
    pub replicas: Map<PartitionId, Replica>,
    /// Its process, while it is up.
    pub process: Option<Box<Process>>,
    /// How much longer each append takes (a slow disk).
    pub disk_delay: Micros,
    /// The same for single replicas, on top of it.
    pub replica_delays: Map<PartitionId, Micros>,
    /// The racks of all brokers, each name as a number (R7.8).
    pub racks: Rc<Map<BrokerId, u16>>,
    /// How many processes it has had.
    pub(super) incarnations: u32,
    /// `server.properties`: what the next start reads.
    pub(super) config: Rc<Layers>,
}

/// A broker whose process runs: what every handler of an input works on. [`Broker::run`] makes it
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

impl Broker {
    /// A broker that is down, with an empty disk.
    pub fn new(id: BrokerId, directory: u32, rules: Rules, config: Rc<Layers>) -> Broker {
        Broker {
            id,
            rules,
            disk: Disk { directory, ..Disk::default() },
            replicas: Map::new(),
            process: None,
            disk_delay: Micros::ZERO,
            replica_delays: Map::new(),
            racks: Rc::default(),
            incarnations: 0,
            config,
        }
    }

    /// Whether its process is up.
    pub fn is_up(&self) -> bool {
        self.process.is_some()
    }

    /// The incarnation of its latest process.
    pub fn incarnation(&self) -> u32 {
        self.incarnations
    }

    /// Changes what the next start reads; a running process hears of it by metadata.
    pub fn set_config(&mut self, config: Rc<Layers>) {
        self.config = config;
    }

    /// Whether it has nothing under way as the controller.
    pub fn is_controller_idle(&self) -> bool {
        let controller = self.process.as_ref().and_then(|p| p.zk.controller.as_ref());
        controller.is_none_or(|c| c.is_idle())
    }

    /// The leaders whose fetchers own a partition: at most one (R3.1).
    pub fn fetchers_of(&self, partition: PartitionId) -> impl Iterator<Item = BrokerId> {
        let fetchers = self.process.iter().flat_map(|p| p.fetchers.iter());
        fetchers.filter(move |(_, f)| f.partitions.contains(&partition)).map(|(leader, _)| *leader)
    }

    /// From now on each append of a replica takes so much longer; zero ends that. It holds for a
    /// replica that the broker does not have yet, and outlives its process.
    pub fn slow_replica(&mut self, partition: PartitionId, delay: Micros) {
        match delay {
            Micros::ZERO => self.replica_delays.remove(&partition),
            delay => self.replica_delays.insert(partition, delay),
        };
    }

    /// Handles a message.
    pub fn receive(&mut self, from: Node, message: Message, fx: &mut BrokerEffects) {
        self.run(|running| running.receive(from, message, fx));
    }

    /// A connection to `peer` is gone, and with it the answers that were awaited.
    pub fn disconnected(&mut self, peer: Node, fx: &mut BrokerEffects) {
        self.run(|running| running.disconnected(peer, fx));
    }

    /// A timer fired.
    pub fn wake(&mut self, timer: BrokerTimer, fx: &mut BrokerEffects) {
        self.run(|running| running.wake(timer, fx));
    }

    /// Lets the process act, if there is one; it may end by that.
    pub(super) fn run(&mut self, act: impl FnOnce(&mut Running<'_>)) {
        let Some(process) = self.process.as_deref_mut() else { return };
        act(&mut Running {
            id: self.id,
            rules: &self.rules,
            disk: &mut self.disk,
            replicas: &mut self.replicas,
            disk_delay: self.disk_delay,
            replica_delays: &self.replica_delays,
            racks: &self.racks,
            config: &self.config,
            process,
        });
        if process.ended {
            self.process = None;
        }
    }
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

    fn disconnected(&mut self, peer: Node, fx: &mut BrokerEffects) {
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

    fn wake(&mut self, timer: BrokerTimer, fx: &mut BrokerEffects) {
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

/// The nearest cause and, behind it, another.
pub(super) fn because(first: EventId, second: EventId) -> [EventId; 2] {
    if first == second { [first, EventId::NONE] } else { [first, second] }
}
