//! This log line: lines as they stand in logs of brokers, controllers and clients.

use expect_test::{Expect, expect};
use highwater_ask::log_lines::read;
use highwater_core::script;
use highwater_core::settings::Release;
use highwater_core::sim::Timeline;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

const TABLE: &str = include_str!("../src/log_lines/table.txt");

/// Codes with their patterns, as the table has them.
fn table() -> BTreeMap<&'static str, Vec<&'static str>> {
    let mut all: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut code = "";
    for line in TABLE.lines().filter(|l| !l.starts_with('#')) {
        match line.strip_prefix('\t') {
            Some(pattern) => all.get_mut(code).expect("a row").push(pattern),
            None => {
                code = line.split(' ').next().expect("a code");
                assert!(all.insert(code, Vec::new()).is_none(), "{code} twice");
            }
        }
    }
    all
}

fn check(text: &str, expect: Expect) {
    let log = read(text, Release::V3_9);
    let mut seen = String::new();
    for told in &log.told {
        let fields: Vec<String> = told.fields.iter().map(|(n, v)| format!("{n}={v}")).collect();
        let _ =
            writeln!(seen, "{:?} {} {} | {}", told.lines, told.code, told.rule, fields.join(" | "));
    }
    for story in &log.stories {
        let _ = writeln!(seen, "story {}: {}", story.code, story.by.join(", "));
    }
    if !log.unknown.is_empty() {
        let _ = writeln!(seen, "unknown: {:?}", log.unknown);
    }
    expect.assert_eq(&seen);
}

#[test]
fn there_are_more_than_eighty_kinds_and_each_pattern_finds_its_own() {
    let table = table();
    assert!(table.len() >= 80, "{}", table.len());
    for (code, patterns) in &table {
        for pattern in patterns {
            // Fields are filled with what cannot be taken for fixed text.
            let mut line = String::from("[2025-03-01 10:00:00,123] INFO ");
            let mut rest = *pattern;
            while let Some((before, after)) = rest.split_once('{') {
                match after.split_once('}') {
                    Some((name, behind))
                        if name.chars().all(|c| c.is_ascii_alphanumeric()) && !name.is_empty() =>
                    {
                        line += before;
                        line += "7";
                        rest = behind;
                    }
                    _ => {
                        line += before;
                        line.push('{');
                        rest = after;
                    }
                }
            }
            line += rest;
            let log = read(&line, Release::V4_1);
            let codes: Vec<&str> = log.told.iter().map(|t| t.code).collect();
            assert_eq!(codes, [*code], "{line}");
        }
    }
}

#[test]
fn each_scene_makes_what_its_line_tells_of() {
    let mut made = BTreeSet::new();
    let mut played: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut wrong = BTreeSet::new();
    for release in Release::ALL {
        for (code, patterns) in table() {
            let log = read(&format!("INFO {}", patterns[0].replace(['{', '}'], "")), release);
            let Some(told) = log.told.iter().find(|t| t.code == code) else { continue };
            let Some((text, event)) = &told.scene else { continue };
            let events = played.entry(text.clone()).or_insert_with(|| {
                let script = script::parse(text).unwrap_or_else(|e| panic!("{}\n{text}", e[0]));
                let mut timeline = Timeline::new(script).expect("a cluster");
                timeline.run_until(timeline.end());
                timeline.tape().events().iter().map(|e| e.kind.code().to_owned()).collect()
            });
            if events.contains(*event) {
                made.insert(code);
            } else {
                wrong.insert(format!("{release} {code}: no {event} in\n{text}"));
            }
        }
    }
    assert_eq!(wrong.len(), 0, "{}", wrong.into_iter().collect::<Vec<_>>().join("\n"));
    assert!(made.len() >= 40, "{}", made.len());
}

#[test]
fn lines_of_six_releases() {
    check(
        "[2015-09-01 12:00:00,001] INFO Partition [orders,3] on broker 2: Shrinking ISR for partition [orders,3] from 2,3 to 2 (kafka.cluster.Partition)\n\
         [2021-09-01 12:00:00,001] INFO [Partition orders-3 broker=2] Shrinking ISR from 2,3,4 to 2,4. Leader: (highWatermark: 100, endOffset: 140). Out of sync replicas: (brokerId: 3, endOffset: 100). (kafka.cluster.Partition)\n\
         [2025-09-01 12:00:01,001] INFO [Partition orders-3 broker=2] ISR updated to 2 (under-min-isr) and version updated to 17 (kafka.cluster.Partition)\n\
         kafka-1  | [2025-09-01 12:00:02,001] ERROR [ReplicaManager broker=2] Error processing append operation on partition orders-3 (kafka.server.ReplicaManager)\n\
         org.apache.kafka.common.errors.NotEnoughReplicasException: The size of the current ISR : 1 is insufficient to satisfy the min.isr requirement of 2 for partition orders-3, live replica(s) broker.id are : Set(2)\n\
         \tat kafka.cluster.Partition.appendRecordsToLeader(Partition.scala:1372)\n",
        expect![[r#"
            [1, 2] isr.shrinking R2.15 | topic=orders | number=3 | from=2,3 | to=2 | partition=orders-3 | broker=2
            [3] isr.updated R2.25 | isr=2 | version=17 | partition=orders-3 | broker=2
            [4] produce.appendError R2.7 | partition=orders-3 | broker=2
            [5] produce.notEnough R2.7 | isr=1 | minIsr=2 | partition=orders-3
            story belowMinIsr: isr.shrinking, produce.notEnough
        "#]],
    );
}

#[test]
fn lines_that_were_wrapped_quoted_and_coloured() {
    check(
        "> \u{1b}[33mWARN\u{1b}[0m [Producer clientId=p] Got error produce response with correlation id 12 on topic-partition orde\n\
         > rs-0, retrying (2147483646 attempts left). Error: NOT_LEADER_OR_FOLLOWER (org.apache.kafka.clients.producer.internals.Sender)\n\
         pod/kafka-0 kafka 2025-01-01T00:00:00Z INFO [Controller 3001] Fencing broker 2 at epoch 41 because its session has timed out.\n",
        expect![[r#"
            [1] produce.notLeader R2.6 | correlation=12 | partition=orders-0 | left=2147483646 | client=p
            [3] broker.fenced R5.28 | broker=2 | epoch=41
        "#]],
    );
}

#[test]
fn several_lines_make_a_story() {
    check(
        "[2025-01-01 10:00:09,000] INFO [QuorumController id=3000] Fencing broker 1 at epoch 12 because its session has timed out. (org.apache.kafka.controller.ReplicationControlManager)\n\
         [2025-01-01 10:00:09,100] INFO [QuorumController id=3000] UNCLEAN partition change for orders-0 with topic ID abc: isr: [1] -> [3], leader: 1 -> 3 (org.apache.kafka.controller.ReplicationControlManager)\n\
         [2025-01-01 10:01:00,000] WARN [ReplicaFetcher replicaId=1, leaderId=3, fetcherId=0] Truncating orders-0 to offset 90 below high watermark 100 (kafka.server.ReplicaFetcherThread)\n\
         [2025-01-01 10:01:00,500] INFO something that nobody knows (a.b.C)\n",
        expect![[r#"
            [1] broker.fenced R5.28 | broker=1 | epoch=12
            [2] election.unclean R4.8 | partition=orders-0 | change=isr: [1] -> [3], leader: 1 -> 3
            [3] truncate.belowHw R3.15 | partition=orders-0 | offset=90 | hw=100 | broker=1 | leader=3
            story lossAfterUnclean: election.unclean, truncate.belowHw
            unknown: [4]
        "#]],
    );
}
