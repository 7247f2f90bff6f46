//! The JMX names that operators know (R2.11, R2.26, R3.6, R4.8, R5.8), as the release has them.

use crate::broker::{Broker, Process};
use crate::replica::Leading;
use crate::settings::rules::Coordination;
use crate::settings::{Ability, Release};
use crate::sim::World;
use crate::wire::metadata::PartitionState;
use crate::words::{BrokerId, Node, PartitionId};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// One metric of one process.
#[derive(Clone, PartialEq, Debug)]
pub struct Metric {
    /// Its JMX name.
    pub name: String,
    /// Whose it is.
    pub node: Node,
    /// Its value: a gauge, or a meter's count since the process started.
    pub value: i64,
}

/// All metrics that the model has, broker by broker, then the controller's; and for the `chosen`
/// partition those that each replica has.
pub fn all(world: &World, chosen: Option<PartitionId>) -> Vec<Metric> {
    let mut metrics = Metrics { world, release: world.release(), found: Vec::new() };
    for broker in world.brokers() {
        let Some(process) = &broker.process else { continue };
        metrics.of_broker(broker, process);
        if let Some(partition) = chosen {
            metrics.of_replica(broker, partition);
        }
    }
    if world.controller().rules().coordination == Coordination::KRaft {
        metrics.of_controller(Node::Controller, world.controller().is_active());
    }
    metrics.found
}

struct Metrics<'a> {
    world: &'a World,
    release: Release,
    found: Vec<Metric>,
}

impl Metrics<'_> {
    fn add(&mut self, node: Node, kind: &str, rows: &[(&str, i64)]) {
        for (name, value) in rows {
            let name = format!("kafka.{kind},name={name}");
            self.found.push(Metric { name, node, value: *value });
        }
    }

    fn of_broker(&mut self, broker: &Broker, process: &Process) {
        let node = Node::Broker(broker.id);
        let led = || broker.replicas.iter().filter_map(|(p, r)| Some((*p, r.leading()?)));
        let count = |wanted: &dyn Fn(PartitionId, &Leading) -> bool| {
            led().filter(|(p, leading)| wanted(*p, leading)).count() as i64
        };
        let meters = process.meters;
        let lags = broker.replicas.values().filter_map(|r| Some(r.following()?.lag));
        let lag = lags.max().unwrap_or(0);
        let under = count(&|p, l| self.is_under_replicated(process, p, l));
        let manager = "server:type=ReplicaManager";
        let rows = [
            ("PartitionCount", broker.replicas.len() as i64),
            ("LeaderCount", count(&|_, _| true)),
            ("UnderReplicatedPartitions", under),
            ("IsrShrinksPerSec", meters.isr_shrinks.into()),
            ("IsrExpandsPerSec", meters.isr_expands.into()),
        ];
        self.add(node, manager, &rows);
        if self.release.has(Ability::MinIsrMetrics) {
            let rows = [
                ("UnderMinIsrPartitionCount", count(&|_, l| l.isr.len() < l.min_isr)),
                ("AtMinIsrPartitionCount", count(&|_, l| l.isr.len() == l.min_isr)),
                ("FailedIsrUpdatesPerSec", meters.failed_isr_updates.into()),
            ];
            self.add(node, manager, &rows);
        }
        self.add(node, "server:type=ReplicaFetcherManager", &[("MaxLag,clientId=Replica", lag)]);
        let waiting = process.waiting_produces() as i64;
        let purgatory = "server:type=DelayedOperationPurgatory";
        self.add(node, purgatory, &[("PurgatorySize,delayedOperation=Produce", waiting)]);
        let expired = meters.expired_produces.into();
        self.add(node, "server:type=DelayedProduceMetrics", &[("ExpiresPerSec", expired)]);
        // With ZooKeeper every broker can be the controller, and shows nothing while it is not.
        if self.world.controller().rules().coordination == Coordination::ZooKeeper {
            let office = self.world.controller().image().controller == Some(broker.id);
            self.of_controller(node, office);
        }
    }

    /// A leader whose ISR has not all replicas; what a reassignment adds does not count, where it
    /// has columns of its own (KIP-455).
    fn is_under_replicated(
        &self,
        process: &Process,
        partition: PartitionId,
        leading: &Leading,
    ) -> bool {
        let state = process.image.partition(partition);
        let adding = state.filter(|_| self.release.has(Ability::CancelledReassignment));
        let adding = adding.map_or(0, |s| s.adding.len());
        leading.followers.len() + 1 > leading.isr.len() + adding
    }

    fn of_controller(&mut self, node: Node, in_office: bool) {
        let controller = self.world.controller();
        let image = controller.image();
        let known = |value: usize| if in_office { value as i64 } else { 0 };
        let lives = |b: BrokerId| image.brokers.get(&b).is_some_and(|state| !state.fenced);
        let led = |s: &PartitionState| s.leader.is_some_and(lives);
        let leaderless = image.partitions.iter().filter(|s| !led(s)).count();
        let preferred = image
            .partitions
            .iter()
            .filter(|s| s.leader.is_some() && s.leader != s.replicas.first().copied());
        let imbalanced = preferred.count();
        let fenced = image.brokers.values().filter(|b| b.fenced).count();
        let (topics, partitions) = (image.topics.len(), image.partitions.len());
        let kind = "controller:type=KafkaController";
        let rows = [
            ("ActiveControllerCount", in_office.into()),
            ("OfflinePartitionsCount", known(leaderless)),
            ("PreferredReplicaImbalanceCount", known(imbalanced)),
            ("GlobalTopicCount", known(topics)),
            ("GlobalPartitionCount", known(partitions)),
        ];
        self.add(node, kind, &rows);
        let elections = self.world.audit().elections();
        let stats = "controller:type=ControllerStats";
        if controller.rules().coordination == Coordination::KRaft {
            let live = image.brokers.len() - fenced;
            let rows = [("FencedBrokerCount", known(fenced)), ("ActiveBrokerCount", known(live))];
            self.add(node, kind, &rows);
        } else {
            let held = known(elections.held as usize);
            self.add(node, stats, &[("LeaderElectionRateAndTimeMs", held)]);
        }
        let unclean = known(elections.unclean as usize);
        self.add(node, stats, &[("UncleanLeaderElectionsPerSec", unclean)]);
    }

    fn of_replica(&mut self, broker: &Broker, partition: PartitionId) {
        let Some(replica) = broker.replicas.get(&partition) else { return };
        let node = Node::Broker(broker.id);
        let name = self.world.partition_name(partition);
        let (topic, number) = name.rsplit_once('/').unwrap_or((&name, "0"));
        let tag = format!("topic={topic},partition={number}");
        let (mut rows, log) = (Vec::new(), &replica.log);
        if let Some(leading) = replica.leading() {
            rows.push(("cluster:type=Partition", "InSyncReplicasCount", leading.isr.len() as i64));
            let all = leading.followers.len() as i64 + 1;
            rows.push(("cluster:type=Partition", "ReplicasCount", all));
        }
        rows.push(("log:type=Log", "LogStartOffset", log.start()));
        rows.push(("log:type=Log", "LogEndOffset", log.end()));
        rows.push(("log:type=Log", "NumLogSegments", log.segments().count() as i64));
        for (kind, metric, value) in rows {
            self.add(node, kind, &[(&format!("{metric},{tag}"), value)]);
        }
        if let Some(following) = replica.following() {
            let leader = following.leader;
            let lag = format!("ConsumerLag,clientId=ReplicaFetcherThread-0-{leader},{tag}");
            self.add(node, "server:type=FetcherLagMetrics", &[(&lag, following.lag)]);
        }
    }
}
