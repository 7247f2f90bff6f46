//! Pasted `kafka-topics --describe` outputs are read whatever they went through, and become
//! scenarios.

use expect_test::{Expect, expect};
use highwater_ask::describe::{DescribedPartition, read, scenario};
use highwater_core::observe::describe::topic;
use highwater_core::script;
use highwater_core::settings::Release;
use highwater_core::sim::Timeline;
use highwater_core::words::Micros;
use std::fmt::Write;

fn check(text: &str, expect: Expect) {
    let described = read(text);
    let mut seen = String::new();
    for partition in &described.partitions {
        let DescribedPartition { topic, partition: number, leader, replicas, line, .. } = partition;
        let _ = write!(seen, "{line}: {topic}/{number} leader={leader:?} replicas={replicas:?}");
        let lists = [
            ("isr", &partition.isr),
            ("elr", &partition.elr),
            ("known", &partition.last_known_elr),
            ("adding", &partition.adding),
            ("removing", &partition.removing),
            ("offline", &partition.offline),
            ("observers", &partition.observers),
        ];
        for (name, list) in lists {
            if let Some(list) = list {
                let _ = write!(seen, " {name}={list:?}");
            }
        }
        seen.push('\n');
    }
    for setting in &described.settings {
        let _ = writeln!(
            seen,
            "{}: {} {}={}",
            setting.line, setting.topic, setting.name, setting.value
        );
    }
    for missing in &described.missing {
        let (counted, listed) = (missing.counted, missing.listed);
        let _ =
            writeln!(seen, "{}: {} has {counted}, {listed} listed", missing.line, missing.topic);
    }
    for unread in &described.unread {
        let _ = writeln!(seen, "{}: unread {:?}", unread.line, unread.text);
    }
    expect.assert_eq(&seen);
}

#[test]
fn partitions_that_a_header_counts_and_no_line_lists_are_named() {
    check(
        "Topic: a\tPartitionCount: 3\tReplicationFactor: 1\tConfigs: \n\
         \tTopic: a\tPartition: 0\tLeader: 1\tReplicas: 1\tIsr: 1\n\
         \tTopic: a\tPartition: 2\tLeader: 1\tReplicas: 1\tIsr: 1\n\
         Topic: b\tPartitionCount: 2\tReplicationFactor: 1\tConfigs: \n\
         Topic: c\tPartitionCount: 1\tReplicationFactor: 1\tConfigs: \n\
         \tTopic: c\tPartition: 0\tLeader: 1\tReplicas: 1\tIsr: 1\n",
        expect![[r#"
            2: a/0 leader=Some(1) replicas=[1] isr=[1]
            3: a/2 leader=Some(1) replicas=[1] isr=[1]
            6: c/0 leader=Some(1) replicas=[1] isr=[1]
            1: a has 3, 2 listed
            4: b has 2, 0 listed
        "#]],
    );
}

#[test]
fn lines_that_a_terminal_wrapped_are_read() {
    check(
        "Topic: orders\tTopicId: hT2pVnQ4S1mE0bXcK7w9Zg\tPartitionCount: 2\tReplicationFac\n\
         tor: 3\tConfigs: cleanup.policy=compact,delete,min.insync.rep\n\
         licas=2,unclean.leader.election.enable=false\n\
         \tTopic: orders\tPartition: 0\tLeader: 1\tReplicas: 1,\n\
         2,3\tIsr: 1,2,3\n\
         \tTopic: orders\tPartition: 1\tLeader: 2\tReplicas: 2,3,1\n\
         \tIsr: 2\tElr: N/A\tLastKnownElr: N/A\n",
        expect![[r#"
            4: orders/0 leader=Some(1) replicas=[1, 2, 3] isr=[1, 2, 3]
            6: orders/1 leader=Some(2) replicas=[2, 3, 1] isr=[2]
            1: orders min.insync.replicas=2
            1: orders unclean.leader.election.enable=false
        "#]],
    );
}

#[test]
fn old_and_quoted_texts_are_read() {
    check(
        "> topic: orders\tpartition: 0\tleader: 0\treplicas: 0,1\tisr: 0,\n\
         1\n\
         Topic: a-name-that-is-too-long-for-the-termi\n\
         nal\tPartition: 1\n\
         2\tLeader: none\tReplicas: 1,2\tIsr: \n\
         I have no name!@kafka-0:/$ \n\
         \tat kafka.admin.TopicCommand.main(TopicCommand.scala)\n\
         \t... 12 more\n",
        expect![[r#"
            1: orders/0 leader=Some(0) replicas=[0, 1] isr=[0, 1]
            3: a-name-that-is-too-long-for-the-terminal/12 leader=None replicas=[1, 2] isr=[]
        "#]],
    );
}

#[test]
fn what_tools_put_around_a_text_is_taken_off() {
    check(
        "\u{1b}[0mTopic: red\tPartition: 0\tLeader: \u{1b}[31m1\u{1b}[0m\tReplicas: 1,2\tIsr: 1\n\
         {\"stdout\": \"Topic: json\\tPartition: 0\\tLeader: 2\\tReplicas: 2\\tIsr: 2\\n\"}\n\
         `Topic: ticks Partition: 0 Leader: none Replicas: 1,2 Isr: 2`\n\
         4:\tTopic: numbered\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1\n\
         5:\tTopic: numbered\tPartition: 1\tLeader: 2\tReplicas: 2,1\tIsr: 2\n\
         +\tTopic: diff\tPartition: 0\tLeader: 2\tReplicas: 1,2\tIsr: 2\n",
        expect![[r#"
            1: red/0 leader=Some(1) replicas=[1, 2] isr=[1]
            2: json/0 leader=Some(2) replicas=[2] isr=[2]
            3: ticks/0 leader=None replicas=[1, 2] isr=[2]
            4: numbered/0 leader=Some(1) replicas=[1, 2] isr=[1]
            5: numbered/1 leader=Some(2) replicas=[2, 1] isr=[2]
            6: diff/0 leader=Some(2) replicas=[1, 2] isr=[2]
            2: unread "{\"stdout\": \""
            2: unread "\"}"
        "#]],
    );
}

#[test]
fn half_a_list_and_a_name_that_is_none_are_not_read() {
    check(
        "Topic: orders\tPartition: 0\tLeader: 1\tReplicas: 1,two\tIsr: 1\n\
         Topic: orders&nbsp;Partition: 0 Leader: 1 Replicas: 1 Isr: 1\n\
         Topic: orders\tPartition: 1\tLeader: 1\tReplicas: 1,2\tIsr: 1\n",
        expect![[r#"
            3: orders/1 leader=Some(1) replicas=[1, 2] isr=[1]
            1: unread "Topic: orders Partition: 0 Leader: 1 Replicas: 1,two Isr: 1"
            2: unread "Topic: orders&nbsp;Partition: 0 Leader: 1 Replicas: 1 Isr: 1"
        "#]],
    );
}

#[test]
fn prompts_commands_and_log_lines_are_passed_over() {
    check(
        "[root@broker-1 kafka]# ./bin/kafka-topics.sh --bootstrap-server localhost:9092 \\\n\
         \t--describe --topic orders\n\
         [2024-05-06 07:08:09,123] WARN [AdminClient clientId=adminclient-1] Connection to node 3 \
         (Topic: x) could not be established. (org.apache.kafka.clients.NetworkClient)\n\
         OpenJDK 64-Bit Server VM warning: Option UseConcMarkSweepGC was deprecated\n\
         Topic: orders\tPartitionCount: 1\tReplicationFactor: 3\tConfigs: \n\
         \tTopic: orders\tPartition: 0\tLeader: none\tReplicas: 1001,1002,1003\tIsr: \n\
         PS C:\\kafka> \n\
         $ \n",
        expect![[r#"
            6: orders/0 leader=None replicas=[1001, 1002, 1003] isr=[]
        "#]],
    );
}

#[test]
fn what_cannot_be_read_is_named_with_its_line() {
    check(
        "Hello all, this is what we see:\n\
         \tTopic: orders\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1,2\tLiveObservers: 2\n\
         \tTopic: orders\tPartition: 1\tLeader: x\tReplicas: 1,2\tIsr: 1\n\
         \tPartition: 2\tLeader: 2\tReplicas: 2,1\tIsr: 2\tAdding Replicas: 3\tRemoving Replicas: \n",
        expect![[r#"
            2: orders/0 leader=Some(1) replicas=[1, 2] isr=[1, 2]
            4: orders/2 leader=Some(2) replicas=[2, 1] isr=[2] adding=[3] removing=[]
            1: unread "Hello all, this is what we see:"
            2: unread "LiveObservers: 2"
            3: unread "Topic: orders Partition: 1 Leader: x Replicas: 1,2 Isr: 1"
        "#]],
    );
}

#[test]
fn what_was_read_becomes_a_scenario_that_looks_like_it() {
    let text = "Topic: orders\tPartitionCount: 2\tReplicationFactor: 2\tConfigs: min.insync.replicas=1\n\
                \tTopic: orders\tPartition: 0\tLeader: 2\tReplicas: 1,2\tIsr: 2\n\
                \tTopic: orders\tPartition: 1\tLeader: none\tReplicas: 3,1\tIsr: 3\n";
    let script = scenario(&read(text), Release::V3_9).expect("brokers that a script can have");
    expect![[r#"
        highwater 1
        kafka 3.9
        brokers 1,2,3
        topic orders assignment=1,2;3,1 min.insync.replicas=1
        producer p1 topic=orders
        at 2s crash 1
        at 62s crash 3
        until 120s
    "#]]
    .assert_eq(&script);
    let mut timeline = Timeline::new(script::parse(&script).expect("a script")).expect("a world");
    timeline.run_until(Micros::from_secs(120));
    let printed = topic(timeline.world(), "orders").expect("the topic");
    let again = read(&printed);
    assert_eq!(again.unread, []);
    let view = |p: &DescribedPartition| (p.partition, p.leader, p.replicas.clone(), p.isr.clone());
    let (seen, own) = (read(text).partitions, again.partitions);
    assert_eq!(seen.iter().map(view).collect::<Vec<_>>(), own.iter().map(view).collect::<Vec<_>>());
}

#[test]
fn every_release_prints_what_can_be_read() {
    for release in Release::ALL {
        let text =
            format!("highwater 1\nkafka {release}\nbrokers 2\ntopic t replicas=2\nuntil 9s\n");
        let script = script::parse(&text).expect("a script");
        let mut timeline = Timeline::new(script).expect("a world");
        timeline.run_until(Micros::from_secs(9));
        let described = read(&topic(timeline.world(), "t").expect("the topic"));
        assert_eq!(described.unread, [], "{release}");
        let isr = described.partitions.first().and_then(|p| p.isr.clone()).unwrap_or_default();
        assert_eq!(isr.len(), 2, "{release}");
    }
}

#[test]
fn no_text_makes_the_reader_panic() {
    use proptest::prelude::*;
    let piece = prop_oneof![
        "[ -~\\n\\t]{0,20}",
        Just("Topic: ".to_string()),
        Just("Partition: 1".to_string()),
        Just("Leader: \u{4e2d}".to_string()),
        Just("\n\tReplicas: 1,,2".to_string()),
        Just("Configs:".to_string()),
        Just("\u{2026}".to_string()),
    ];
    proptest!(|(parts in prop::collection::vec(piece, 0..20))| {
        read(&parts.concat());
    });
}
