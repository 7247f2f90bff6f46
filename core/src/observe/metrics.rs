//! The JMX names that operators know (R2.26, R5.8).

use crate::sim::World;
use crate::words::{BrokerId, Node};
use alloc::vec::Vec;

/// One metric of one process.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Metric {
    /// Its JMX name.
    pub name: &'static str,
    /// Whose it is.
    pub node: Node,
    /// Its value: a gauge, or a meter's count.
    pub value: i64,
}

/// All metrics that the model has, broker by broker, then the controller's.
pub fn all(world: &World) -> Vec<Metric> {
    let mut metrics = Vec::new();
    for broker in world.brokers().iter().filter(|b| b.is_up()) {
        of_broker(world, broker.id, &mut metrics);
    }
    of_controller(world, &mut metrics);
    metrics
}

fn of_broker(world: &World, id: BrokerId, metrics: &mut Vec<Metric>) {
    let node = Node::Broker(id);
    let Some(broker) = world.broker(id) else { return };
    let led = || broker.replicas.values().filter_map(|r| r.leading());
    let count = |wanted: &dyn Fn(&crate::replica::Leading) -> bool| {
        led().filter(|l| wanted(l)).count() as i64
    };
    let total = |code: &'static str| i64::from(world.audit().total(node, code));
    let mut add = |name, value| metrics.push(Metric { name, node, value });
    add("kafka.server:type=ReplicaManager,name=PartitionCount", broker.replicas.len() as i64);
    add("kafka.server:type=ReplicaManager,name=LeaderCount", led().count() as i64);
    add(
        "kafka.server:type=ReplicaManager,name=UnderReplicatedPartitions",
        count(&|l| l.followers.len() + 1 > l.isr.len()),
    );
    add(
        "kafka.server:type=ReplicaManager,name=UnderMinIsrPartitionCount",
        count(&|l| l.isr.len() < l.min_isr),
    );
    add(
        "kafka.server:type=ReplicaManager,name=AtMinIsrPartitionCount",
        count(&|l| l.isr.len() == l.min_isr),
    );
    add("kafka.server:type=ReplicaManager,name=IsrShrinksPerSec", total("isr.shrinkProposed"));
    add("kafka.server:type=ReplicaManager,name=IsrExpandsPerSec", total("isr.expandProposed"));
    add("kafka.server:type=ReplicaManager,name=FailedIsrUpdatesPerSec", total("isr.rejected"));
    add(
        "kafka.server:type=DelayedOperationPurgatory,name=ExpiresPerSec",
        total("produce.timedOut"),
    );
}

fn of_controller(world: &World, metrics: &mut Vec<Metric>) {
    let node = Node::Controller;
    let controller = world.controller();
    let image = controller.image();
    let fenced = image.brokers.values().filter(|b| b.fenced).count() as i64;
    let total = |code: &'static str| i64::from(world.audit().total(node, code));
    let offline = image.partitions.iter().filter(|s| s.leader.is_none()).count() as i64;
    let imbalanced = image
        .partitions
        .iter()
        .filter(|s| s.leader.is_some() && s.leader != s.replicas.first().copied())
        .count() as i64;
    let mut add = |name, value| metrics.push(Metric { name, node, value });
    let active = i64::from(controller.is_active());
    add("kafka.controller:type=KafkaController,name=ActiveControllerCount", active);
    add("kafka.controller:type=KafkaController,name=OfflinePartitionsCount", offline);
    add("kafka.controller:type=KafkaController,name=PreferredReplicaImbalanceCount", imbalanced);
    add("kafka.controller:type=KafkaController,name=GlobalTopicCount", image.topics.len() as i64);
    add(
        "kafka.controller:type=KafkaController,name=GlobalPartitionCount",
        image.partitions.len() as i64,
    );
    add("kafka.controller:type=KafkaController,name=FencedBrokerCount", fenced);
    add(
        "kafka.controller:type=KafkaController,name=ActiveBrokerCount",
        image.brokers.len() as i64 - fenced,
    );
    add(
        "kafka.controller:type=ControllerStats,name=UncleanLeaderElectionsPerSec",
        total("leader.unclean") + total("leader.lastKnown"),
    );
}
