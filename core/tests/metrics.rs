//! The JMX names that operators know, as each release has them (R2.11, R2.26, R3.6, R4.8, R5.8).

use expect_test::{Expect, expect};
use highwater_core::observe::metrics;
use highwater_core::script;
use highwater_core::sim::Timeline;
use highwater_core::words::{Micros, Node, PartitionId};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Plays until `ms` and writes down the metrics whose names hold one of `parts`, a line each with
/// a value for each node that has it.
fn check(text: &str, ms: u64, parts: &[&str], expect: Expect) {
    let script = script::parse(text).expect("a good script");
    let mut timeline = Timeline::new(script).expect("a cluster");
    timeline.run_until(Micros::from_ms(ms));
    let mut rows: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for metric in metrics::all(timeline.world(), Some(PartitionId(0))) {
        if parts.iter().any(|part| metric.name.contains(part)) {
            let node = match metric.node {
                Node::Broker(id) => id.to_string(),
                node => timeline.world().node_name(node),
            };
            rows.entry(metric.name).or_default().push(format!("{node}:{}", metric.value));
        }
    }
    let mut seen = String::new();
    for (name, values) in rows {
        let _ = writeln!(seen, "{name} {}", values.join(" "));
    }
    expect.assert_eq(&seen);
}

const ISR: &[&str] = &["Isr", "UnderReplicated", "InSync", "MaxLag"];

/// A follower that is paused falls out and comes back: its leader counts a shrink and an expansion,
/// once each has been confirmed (R2.26). The follower's lag is what it saw at its last fetch (R3.6).
#[test]
fn an_isr_change_counts_when_it_is_made() {
    let script = "highwater 1\nkafka 4.4\nbrokers 3\n\
                  topic orders assignment=1,2,3 min.insync.replicas=2\n\
                  producer p1 topic=orders every=100ms\n\
                  at 5s cut 1-3\nat 60s heal 1-3\nuntil 90s\n";
    check(
        script,
        50_000,
        ISR,
        expect![[r#"
            kafka.cluster:type=Partition,name=InSyncReplicasCount,topic=orders,partition=0 1:2
            kafka.server:type=ReplicaFetcherManager,name=MaxLag,clientId=Replica 1:0 2:0 3:0
            kafka.server:type=ReplicaManager,name=AtMinIsrPartitionCount 1:1 2:0 3:0
            kafka.server:type=ReplicaManager,name=FailedIsrUpdatesPerSec 1:0 2:0 3:0
            kafka.server:type=ReplicaManager,name=IsrExpandsPerSec 1:0 2:0 3:0
            kafka.server:type=ReplicaManager,name=IsrShrinksPerSec 1:1 2:0 3:0
            kafka.server:type=ReplicaManager,name=UnderMinIsrPartitionCount 1:0 2:0 3:0
            kafka.server:type=ReplicaManager,name=UnderReplicatedPartitions 1:1 2:0 3:0
        "#]],
    );
    check(
        script,
        80_000,
        ISR,
        expect![[r#"
            kafka.cluster:type=Partition,name=InSyncReplicasCount,topic=orders,partition=0 1:3
            kafka.server:type=ReplicaFetcherManager,name=MaxLag,clientId=Replica 1:0 2:0 3:0
            kafka.server:type=ReplicaManager,name=AtMinIsrPartitionCount 1:0 2:0 3:0
            kafka.server:type=ReplicaManager,name=FailedIsrUpdatesPerSec 1:0 2:0 3:0
            kafka.server:type=ReplicaManager,name=IsrExpandsPerSec 1:1 2:0 3:0
            kafka.server:type=ReplicaManager,name=IsrShrinksPerSec 1:1 2:0 3:0
            kafka.server:type=ReplicaManager,name=UnderMinIsrPartitionCount 1:0 2:0 3:0
            kafka.server:type=ReplicaManager,name=UnderReplicatedPartitions 1:0 2:0 3:0
        "#]],
    );
}

/// What the process counted is gone with it.
#[test]
fn meters_begin_anew_with_the_process() {
    let script = "highwater 1\nkafka 4.4\nbrokers 3\n\
                  topic orders assignment=1,2,3 min.insync.replicas=3\n\
                  producer p1 topic=orders request.timeout.ms=3000 delivery.timeout.ms=10000\n\
                  at 4s pause 3\nat 5s send p1 a\nat 20s resume 3\nat 40s stop 1\nat 50s start 1\nuntil 90s\n";
    let parts = &["ExpiresPerSec", "IsrShrinks", "IsrExpands", "PurgatorySize"];
    check(
        script,
        7_000,
        parts,
        expect![[r#"
            kafka.server:type=DelayedOperationPurgatory,name=PurgatorySize,delayedOperation=Produce 1:1 2:0 3:0
            kafka.server:type=DelayedProduceMetrics,name=ExpiresPerSec 1:0 2:0 3:0
            kafka.server:type=ReplicaManager,name=IsrExpandsPerSec 1:0 2:0 3:0
            kafka.server:type=ReplicaManager,name=IsrShrinksPerSec 1:0 2:0 3:0
        "#]],
    );
    check(
        script,
        39_000,
        parts,
        expect![[r#"
            kafka.server:type=DelayedOperationPurgatory,name=PurgatorySize,delayedOperation=Produce 1:0 2:0 3:0
            kafka.server:type=DelayedProduceMetrics,name=ExpiresPerSec 1:3 2:0 3:0
            kafka.server:type=ReplicaManager,name=IsrExpandsPerSec 1:1 2:0 3:0
            kafka.server:type=ReplicaManager,name=IsrShrinksPerSec 1:0 2:0 3:0
        "#]],
    );
    check(
        script,
        89_000,
        parts,
        expect![[r#"
            kafka.server:type=DelayedOperationPurgatory,name=PurgatorySize,delayedOperation=Produce 1:0 2:0 3:0
            kafka.server:type=DelayedProduceMetrics,name=ExpiresPerSec 1:0 2:0 3:0
            kafka.server:type=ReplicaManager,name=IsrExpandsPerSec 1:0 2:1 3:0
            kafka.server:type=ReplicaManager,name=IsrShrinksPerSec 1:0 2:0 3:0
        "#]],
    );
}

/// Before 2.8 nobody counts partitions under their minimum ISR; with ZooKeeper one of the brokers is
/// the controller and the others show nothing (R5.8).
#[test]
fn each_release_has_its_own() {
    for (release, expect) in [
        (
            "0.8.2",
            expect![[r#"
                kafka.controller:type=ControllerStats,name=LeaderElectionRateAndTimeMs 1:1
                kafka.controller:type=ControllerStats,name=UncleanLeaderElectionsPerSec 1:0
                kafka.controller:type=KafkaController,name=ActiveControllerCount 1:1
                kafka.controller:type=KafkaController,name=GlobalPartitionCount 1:2
                kafka.controller:type=KafkaController,name=GlobalTopicCount 1:1
                kafka.controller:type=KafkaController,name=OfflinePartitionsCount 1:0
                kafka.controller:type=KafkaController,name=PreferredReplicaImbalanceCount 1:1
                kafka.server:type=DelayedOperationPurgatory,name=PurgatorySize,delayedOperation=Produce 1:0
                kafka.server:type=DelayedProduceMetrics,name=ExpiresPerSec 1:0
                kafka.server:type=ReplicaFetcherManager,name=MaxLag,clientId=Replica 1:0
                kafka.server:type=ReplicaManager,name=IsrExpandsPerSec 1:0
                kafka.server:type=ReplicaManager,name=IsrShrinksPerSec 1:0
                kafka.server:type=ReplicaManager,name=LeaderCount 1:2
                kafka.server:type=ReplicaManager,name=PartitionCount 1:2
                kafka.server:type=ReplicaManager,name=UnderReplicatedPartitions 1:2
            "#]],
        ),
        (
            "2.8",
            expect![[r#"
                kafka.controller:type=ControllerStats,name=LeaderElectionRateAndTimeMs 1:1
                kafka.controller:type=ControllerStats,name=UncleanLeaderElectionsPerSec 1:0
                kafka.controller:type=KafkaController,name=ActiveControllerCount 1:1
                kafka.controller:type=KafkaController,name=GlobalPartitionCount 1:2
                kafka.controller:type=KafkaController,name=GlobalTopicCount 1:1
                kafka.controller:type=KafkaController,name=OfflinePartitionsCount 1:0
                kafka.controller:type=KafkaController,name=PreferredReplicaImbalanceCount 1:1
                kafka.server:type=DelayedOperationPurgatory,name=PurgatorySize,delayedOperation=Produce 1:0
                kafka.server:type=DelayedProduceMetrics,name=ExpiresPerSec 1:0
                kafka.server:type=ReplicaFetcherManager,name=MaxLag,clientId=Replica 1:0
                kafka.server:type=ReplicaManager,name=AtMinIsrPartitionCount 1:0
                kafka.server:type=ReplicaManager,name=FailedIsrUpdatesPerSec 1:0
                kafka.server:type=ReplicaManager,name=IsrExpandsPerSec 1:0
                kafka.server:type=ReplicaManager,name=IsrShrinksPerSec 1:0
                kafka.server:type=ReplicaManager,name=LeaderCount 1:2
                kafka.server:type=ReplicaManager,name=PartitionCount 1:2
                kafka.server:type=ReplicaManager,name=UnderMinIsrPartitionCount 1:2
                kafka.server:type=ReplicaManager,name=UnderReplicatedPartitions 1:2
            "#]],
        ),
        (
            "4.4",
            expect![[r#"
            kafka.controller:type=ControllerStats,name=UncleanLeaderElectionsPerSec controller:0
            kafka.controller:type=KafkaController,name=ActiveBrokerCount controller:1
            kafka.controller:type=KafkaController,name=ActiveControllerCount controller:1
            kafka.controller:type=KafkaController,name=FencedBrokerCount controller:1
            kafka.controller:type=KafkaController,name=GlobalPartitionCount controller:2
            kafka.controller:type=KafkaController,name=GlobalTopicCount controller:1
            kafka.controller:type=KafkaController,name=OfflinePartitionsCount controller:0
            kafka.controller:type=KafkaController,name=PreferredReplicaImbalanceCount controller:1
            kafka.server:type=DelayedOperationPurgatory,name=PurgatorySize,delayedOperation=Produce 1:0
            kafka.server:type=DelayedProduceMetrics,name=ExpiresPerSec 1:0
            kafka.server:type=ReplicaFetcherManager,name=MaxLag,clientId=Replica 1:0
            kafka.server:type=ReplicaManager,name=AtMinIsrPartitionCount 1:0
            kafka.server:type=ReplicaManager,name=FailedIsrUpdatesPerSec 1:0
            kafka.server:type=ReplicaManager,name=IsrExpandsPerSec 1:0
            kafka.server:type=ReplicaManager,name=IsrShrinksPerSec 1:0
            kafka.server:type=ReplicaManager,name=LeaderCount 1:2
            kafka.server:type=ReplicaManager,name=PartitionCount 1:2
            kafka.server:type=ReplicaManager,name=UnderMinIsrPartitionCount 1:2
            kafka.server:type=ReplicaManager,name=UnderReplicatedPartitions 1:2
        "#]],
        ),
    ] {
        let script = format!(
            "highwater 1\nkafka {release}\nbrokers 2\n\
             topic orders assignment=1,2;2,1 min.insync.replicas=2\n\
             at 2s crash 2\nuntil 60s\n"
        );
        check(&script, 59_000, &["kafka.server", "kafka.controller"], expect);
    }
}
