use super::process::Process;
use super::running::Running;
use crate::log::Disk;
use crate::replica::Replica;
use crate::settings::{Layers, Rules};
use crate::wire::Effects;
use crate::wire::message::Message;
use crate::words::{BrokerId, Map, Micros, Node, PartitionId};
use alloc::boxed::Box;
use alloc::rc::Rc;

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
