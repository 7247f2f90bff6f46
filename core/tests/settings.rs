//! The catalogue of settings, their values as text, and which value is in force where.

use expect_test::{Expect, expect};
use highwater_core::settings::rules::SWITCHES;
use highwater_core::settings::{
    Key, Kind, Layers, Owner, Release, Rules, Scope, Source, Value, parse_paste,
};
use highwater_core::words::{BrokerId, Micros};
use std::fmt::Write as _;

fn assigned(name: &str, value: &str, owner: Owner, release: Release) -> String {
    match Key::assign(name, value, owner, release) {
        Ok((key, value)) => {
            format!("{key:?} = {} ({})", value.0, key.spec().print_in(value, release))
        }
        Err(e) => e.to_string(),
    }
}

fn check(cases: &[(&str, &str, Owner, Release)], expected: Expect) {
    let mut all = String::new();
    for (name, value, owner, release) in cases {
        writeln!(all, "{}", assigned(name, value, *owner, *release)).unwrap();
    }
    expected.assert_eq(&all);
}

#[test]
fn a_release_is_known_by_its_name() {
    for release in Release::ALL {
        assert_eq!(Release::parse(release.name()), Some(release));
        assert_eq!(Release::ALL[release.index()], release);
    }
    assert_eq!(Release::parse("4.2"), None);
    assert_eq!(Release::NAMES, Release::ALL.map(Release::name).join(", "));
}

#[test]
fn every_row_of_the_table_is_sound() {
    for (index, key) in Key::ALL.iter().enumerate() {
        let spec = key.spec();
        assert_eq!((spec.key, key.index()), (*key, index));
        assert!(spec.owners.iter().count() > 0 && !spec.key.doc().is_empty());
        for release in Release::ALL {
            let Some(default) = spec.default(release) else {
                continue;
            };
            let (min, max) = spec.range(release);
            assert!((min..=max).contains(&default), "{key:?} on {release}");
            let text = spec.print_in(Value(default), release);
            assert_eq!(spec.parse(&text, release), Ok(Value(default)), "{key:?} on {release}");
            for owner in spec.owners.iter() {
                assert_eq!(Key::find(spec.name_in(release), owner, release), Ok(*key));
            }
            if let Some(broker) = spec.synonym {
                assert_eq!(broker.spec().default(release), Some(default), "{key:?}");
            }
        }
    }
}

#[test]
fn values_are_read_as_kafka_writes_them() {
    use Owner::{Broker, Consumer, Producer, ScalaProducer, Topic};
    use Release::{V0_8_2, V0_11, V3_9, V4_1, V4_4};
    let rack_aware = "org.apache.kafka.common.replica.RackAwareReplicaSelector";
    check(
        &[
            ("acks", "all", Producer, V4_4),
            ("acks", "-1", Producer, V4_4),
            ("acks", "2", Producer, V0_8_2),
            ("request.required.acks", "-1", ScalaProducer, V0_8_2),
            ("auto.offset.reset", "smallest", Consumer, V0_8_2),
            ("auto.offset.reset", "earliest", Consumer, V4_4),
            ("unclean.leader.election.enable", "TRUE", Topic, V4_4),
            ("log.flush.interval.messages", "9223372036854775807", Broker, V4_4),
            ("log.segment.bytes", "14", Broker, V3_9),
            ("replica.selector.class", rack_aware, Broker, V4_1),
            ("timeout.ms", "5", Producer, V0_8_2),
            ("request.timeout.ms", "5", Producer, V0_11),
            ("request.timeout.ms", "5", ScalaProducer, V0_11),
            ("cordoned.log.dirs", "*", Broker, V4_4),
        ],
        expect![[r#"
            Acks = -1 (all)
            Acks = -1 (all)
            Acks = 2 (2)
            RequestRequiredAcks = -1 (-1)
            AutoOffsetReset = 1 (smallest)
            AutoOffsetReset = 1 (earliest)
            UncleanLeaderElectionEnable = 1 (true)
            LogFlushIntervalMessages = 9223372036854775807 (9223372036854775807)
            LogSegmentBytes = 14 (14)
            ReplicaSelectorClass = 1 (RackAwareReplicaSelector)
            ProducerRequestTimeoutMs = 5 (5)
            ProducerRequestTimeoutMs = 5 (5)
            ScalaRequestTimeoutMs = 5 (5)
            CordonedLogDirs = 1 (*)
        "#]],
    );
}

#[test]
fn a_refusal_says_why_and_what_would_do() {
    use Owner::{Broker, Consumer, Producer, Topic};
    use Release::{V0_8_2, V0_11, V2_8, V4_4};
    check(
        &[
            ("acks", "2", Producer, V0_11),
            ("acks", "some", Producer, V4_4),
            ("linger.ms", "99999999999999999999", Producer, V4_4),
            ("replica.lag.time.max.ms", "0", Broker, V4_4),
            ("replica.lag.max.messages", "5", Broker, V2_8),
            ("broker.session.timeout.ms", "5", Broker, V2_8),
            ("replica.lag.time.ms", "5", Broker, V4_4),
            ("acks", "1", Broker, V4_4),
            ("isolation.level", "snapshot", Consumer, V4_4),
            ("auto.offset.reset", "largest", Consumer, V4_4),
            ("enable.auto.commit", "true", Consumer, V0_8_2),
            ("min.insync.replicas", "two", Topic, V4_4),
            ("unclean.leader.election.enable", "yes", Topic, V4_4),
            ("cordoned.log.dirs", "/data", Broker, V4_4),
            ("nonsense", "1", Topic, V4_4),
            ("log.segment.bytes", "14", Broker, V4_4),
        ],
        expect![[r#"
            acks=2 is out of range in Kafka 0.11; accepted: -1 … 1, or all
            acks=some is not an integer; accepted: -1 … 1, or all
            linger.ms=99999999999999999999 is not an integer; accepted: 0 … 9223372036854775807 ms
            replica.lag.time.max.ms=0 is out of range in Kafka 4.4; accepted: 1 … 9223372036854775807 ms
            replica.lag.max.messages is no broker setting of Kafka 2.8: it exists up to 0.8.2; accepted: a release that has it, or another setting
            broker.session.timeout.ms is no broker setting of Kafka 2.8: it exists from 3.9 on; accepted: a release that has it, or another setting
            replica.lag.time.ms is no broker setting that the model has; accepted: replica.lag.time.max.ms?
            acks is a producer setting, not a broker one; accepted: the broker settings of docs/scenario-format.md
            isolation.level=snapshot is not one of its words; accepted: read_uncommitted, read_committed
            auto.offset.reset=largest is not one of its words; accepted: latest, earliest, none
            enable.auto.commit is not what Kafka 0.8.2 calls it; accepted: auto.commit.enable
            min.insync.replicas=two is not an integer; accepted: 1 … 2147483647
            unclean.leader.election.enable=yes is neither true nor false; accepted: true, false
            cordoned.log.dirs=/data is not one of its words; accepted: "", *
            nonsense is no topic setting that the model has; accepted: the topic settings of docs/scenario-format.md
            log.segment.bytes=14 is out of range in Kafka 4.4; accepted: 1048576 … 2147483647 bytes
        "#]],
    );
}

fn set(layers: &mut Layers, scope: &Scope, line: &str) -> Result<(), String> {
    let owner = match scope {
        Scope::Topic(_) => Owner::Topic,
        Scope::Client(_) => Owner::Producer,
        _ => Owner::Broker,
    };
    let release = layers.release();
    let changes: Vec<_> = line
        .split(' ')
        .map(|word| {
            let (name, value) = word.split_once('=').unwrap();
            match value {
                "default" => (Key::find(name, owner, release).unwrap(), None),
                _ => {
                    let (key, value) = Key::assign(name, value, owner, release).unwrap();
                    (key, Some(value))
                }
            }
        })
        .collect();
    layers.set_all(scope, &changes).map_err(|e| e.to_string())
}

fn topic() -> Scope {
    Scope::Topic("orders".to_owned())
}

fn client() -> Scope {
    Scope::Client("p1".to_owned())
}

#[test]
fn topic_wins_over_broker_over_cluster_over_default() {
    let key = Key::UncleanLeaderElectionEnable;
    let (one, two) = (BrokerId(1), BrokerId(2));
    let mut layers = Layers::new(Release::V4_4);
    let seen = |layers: &Layers| {
        let values = [layers.topic("orders", Some(one)), layers.topic("orders", None)];
        (values.map(|v| v.is(key)), layers.source(key, &topic(), Some(one)))
    };
    assert_eq!(seen(&layers), ([false, false], Source::Default));
    set(&mut layers, &Scope::Cluster, "unclean.leader.election.enable=true").unwrap();
    assert_eq!(seen(&layers), ([true, true], Source::Cluster));
    set(&mut layers, &Scope::Broker(one), "unclean.leader.election.enable=false").unwrap();
    assert_eq!(seen(&layers), ([false, true], Source::Broker));
    assert!(layers.broker(two).is(key));
    set(&mut layers, &topic(), "unclean.leader.election.enable=true").unwrap();
    assert_eq!(seen(&layers), ([true, true], Source::Topic));
    set(&mut layers, &topic(), "unclean.leader.election.enable=default").unwrap();
    assert_eq!(seen(&layers), ([false, true], Source::Broker));
}

#[test]
fn a_topics_own_name_is_found_under_the_brokers_name_too() {
    let mut layers = Layers::new(Release::V4_4);
    set(&mut layers, &Scope::Cluster, "log.flush.scheduler.interval.ms=3000").unwrap();
    set(&mut layers, &Scope::Broker(BrokerId(1)), "log.roll.hours=1").unwrap();
    set(&mut layers, &topic(), "flush.messages=1").unwrap();
    let values = layers.topic("orders", Some(BrokerId(1)));
    assert_eq!(values.get(Key::LogFlushIntervalMessages), 1);
    assert_eq!(values.get(Key::FlushMessages), 1);
    assert_eq!(values.ms(Key::FlushMs), Micros::from_secs(3));
    assert_eq!(values.ms(Key::SegmentMs), Micros::from_secs(3600));
    for key in [Key::FlushMessages, Key::LogFlushIntervalMessages] {
        assert_eq!(layers.source(key, &topic(), None), Source::Topic);
    }
    assert_eq!(values.get(Key::ZookeeperSessionTimeoutMs), 0);
    let never = Layers::new(Release::V4_4).cluster().ms(Key::LogFlushIntervalMs);
    assert_eq!(never, Micros::NEVER);
}

/// R2.7: the brokers' value is read by nobody in 0.8.2.
#[test]
fn min_insync_replicas_of_0_8_2_is_the_topics_alone() {
    let mut layers = Layers::new(Release::V0_8_2);
    set(&mut layers, &Scope::Cluster, "min.insync.replicas=2").unwrap();
    assert_eq!(layers.topic("orders", None).get(Key::MinInsyncReplicas), 1);
    assert_eq!(layers.source(Key::MinInsyncReplicas, &topic(), None), Source::Default);
    set(&mut layers, &topic(), "min.insync.replicas=3").unwrap();
    assert_eq!(layers.topic("orders", None).get(Key::MinInsyncReplicas), 3);
}

#[test]
fn what_excludes_each_other_is_refused_and_changes_nothing() {
    let broker = Scope::Broker(BrokerId(1));
    let producer = client();
    let cases: &[(Release, &Scope, &str)] = &[
        (Release::V4_4, &broker, "min.insync.replicas=2"),
        (Release::V4_4, &Scope::Cluster, "min.insync.replicas=default"),
        (Release::V3_9, &broker, "min.insync.replicas=2"),
        (Release::V4_4, &broker, "eligible.leader.replicas.version=0"),
        (Release::V4_4, &Scope::Cluster, "broker.heartbeat.interval.ms=9000"),
        (Release::V4_4, &Scope::Cluster, "replica.lag.time.max.ms=499"),
        (Release::V4_4, &Scope::Cluster, "replica.lag.time.max.ms=50 replica.fetch.wait.max.ms=50"),
        (Release::V4_4, &producer, "delivery.timeout.ms=30004"),
        (Release::V4_4, &producer, "delivery.timeout.ms=1005 request.timeout.ms=1000"),
        (Release::V4_4, &producer, "enable.idempotence=true acks=1"),
        (Release::V4_4, &producer, "enable.idempotence=true retries=0"),
        (
            Release::V0_11,
            &producer,
            "enable.idempotence=true max.in.flight.requests.per.connection=2",
        ),
        (Release::V0_11, &producer, "enable.idempotence=true"),
        (Release::V4_4, &Scope::Cluster, "replica.fetch.wait.max.ms=30001"),
    ];
    let mut all = String::new();
    for (release, scope, line) in cases {
        let mut layers = Layers::new(*release);
        let before = layers.clone();
        match set(&mut layers, scope, line) {
            Ok(()) => writeln!(all, "{release} {line}: fine").unwrap(),
            Err(e) => {
                assert_eq!(before, layers, "{line}");
                writeln!(all, "{release} {e}").unwrap();
            }
        }
    }
    expect![[r#"
        4.4 min.insync.replicas=2 is refused on one broker while ELR is on; accepted: set it for the cluster or the topic (R5.24)
        4.4 min.insync.replicas=default cannot be taken back while ELR is on; accepted: a number (R5.24)
        3.9 min.insync.replicas=2: fine
        4.4 eligible.leader.replicas.version=0 is a feature of the whole cluster; accepted: set it for the cluster
        4.4 broker.heartbeat.interval.ms=9000 does not go with broker.session.timeout.ms=9000; accepted: broker.heartbeat.interval.ms less than broker.session.timeout.ms
        4.4 replica.fetch.wait.max.ms=500 does not go with replica.lag.time.max.ms=499; accepted: replica.fetch.wait.max.ms at most replica.lag.time.max.ms
        4.4 replica.lag.time.max.ms=50 replica.fetch.wait.max.ms=50: fine
        4.4 delivery.timeout.ms=30004 is less than linger.ms + request.timeout.ms (R6.7); accepted: 30005 ms or more
        4.4 delivery.timeout.ms=1005 request.timeout.ms=1000: fine
        4.4 acks=1 contradicts enable.idempotence=true (R6.14); accepted: acks=all
        4.4 retries=0 contradicts enable.idempotence=true (R6.14); accepted: retries=1 or more
        0.11 max.in.flight.requests.per.connection=2 contradicts enable.idempotence=true (R6.14); accepted: max.in.flight.requests.per.connection=1
        0.11 enable.idempotence=true: fine
        4.4 replica.fetch.wait.max.ms=30001 does not go with replica.socket.timeout.ms=30000; accepted: replica.fetch.wait.max.ms at most replica.socket.timeout.ms
    "#]].assert_eq(&all);
}

#[test]
fn elr_and_a_brokers_own_min_insync_replicas_exclude_each_other() {
    let mut layers = Layers::new(Release::V4_4);
    let broker = Scope::Broker(BrokerId(1));
    set(&mut layers, &Scope::Cluster, "eligible.leader.replicas.version=0").unwrap();
    set(&mut layers, &broker, "min.insync.replicas=2").unwrap();
    let on = "eligible.leader.replicas.version=default";
    expect!["eligible.leader.replicas.version=1 is refused while broker 1 has min.insync.replicas; accepted: take that value back first (R5.24)"]
        .assert_eq(&set(&mut layers, &Scope::Cluster, on).unwrap_err());
    set(&mut layers, &broker, "min.insync.replicas=default").unwrap();
    set(&mut layers, &Scope::Cluster, on).unwrap();
}

/// R6.14, R6.7: what the producer makes of its own settings.
#[test]
fn the_producer_resolves_idempotence_and_delivery_time() {
    let mut all = String::new();
    for (release, line) in [
        (Release::V4_4, "linger.ms=5"),
        (Release::V4_4, "acks=1"),
        (Release::V4_4, "retries=0"),
        (Release::V4_4, "max.in.flight.requests.per.connection=6"),
        (Release::V4_4, "acks=1 enable.idempotence=false"),
        (Release::V2_8, "acks=all"),
        (Release::V2_8, "enable.idempotence=true"),
        (Release::V0_11, "enable.idempotence=true"),
        (Release::V0_8_2, "acks=-1"),
        (Release::V4_4, "request.timeout.ms=200000"),
    ] {
        let mut layers = Layers::new(release);
        set(&mut layers, &client(), line).unwrap();
        let values = layers.client("p1", Owner::Producer);
        writeln!(
            all,
            "{release} {line}: idempotence {} acks {} retries {} in flight {} delivery {}",
            values.is(Key::EnableIdempotence),
            values.get(Key::Acks),
            values.get(Key::Retries),
            values.get(Key::MaxInFlightRequestsPerConnection),
            values.get(Key::DeliveryTimeoutMs),
        )
        .unwrap();
    }
    expect![[r#"
        4.4 linger.ms=5: idempotence true acks -1 retries 2147483647 in flight 5 delivery 120000
        4.4 acks=1: idempotence false acks 1 retries 2147483647 in flight 5 delivery 120000
        4.4 retries=0: idempotence false acks -1 retries 0 in flight 5 delivery 120000
        4.4 max.in.flight.requests.per.connection=6: idempotence false acks -1 retries 2147483647 in flight 6 delivery 120000
        4.4 acks=1 enable.idempotence=false: idempotence false acks 1 retries 2147483647 in flight 5 delivery 120000
        2.8 acks=all: idempotence false acks -1 retries 2147483647 in flight 5 delivery 120000
        2.8 enable.idempotence=true: idempotence true acks -1 retries 2147483647 in flight 5 delivery 120000
        0.11 enable.idempotence=true: idempotence true acks -1 retries 2147483647 in flight 1 delivery 0
        0.8.2 acks=-1: idempotence false acks -1 retries 0 in flight 5 delivery 0
        4.4 request.timeout.ms=200000: idempotence true acks -1 retries 2147483647 in flight 5 delivery 200005
    "#]].assert_eq(&all);
}

#[test]
fn a_pasted_file_loses_nothing_in_silence() {
    let text = "# server.properties\n\
                broker.id=1\n\
                \x20 num.partitions : 3\n\
                min.insync.replicas = \\\n    2\n\
                num.partitions=4\n\
                ! another comment\n\
                log.retention.hours=168\n\
                default.replication.factor three\n\
                unclean.leader.election\\u002Eenable=true\n\
                replica.lag.time.max.ms\n";
    let (taken, skipped) = parse_paste(text, Owner::Broker, Release::V4_4);
    let mut all = String::new();
    for (key, value) in taken {
        writeln!(all, "{key:?} = {}", value.0).unwrap();
    }
    for s in skipped {
        write!(all, "line {} ({}): {}", s.line, s.name, s.reason).unwrap();
        let accepted = s.accepted.map_or_else(String::new, |a| format!("; accepted: {a}"));
        writeln!(all, "{accepted}").unwrap();
    }
    expect![[r#"
        MinInsyncReplicas = 2
        NumPartitions = 4
        UncleanLeaderElectionEnable = 1
        line 2 (broker.id): broker.id is no broker setting that the model has; accepted: the broker settings of docs/scenario-format.md
        line 3 (num.partitions): given again on line 6, which counts
        line 8 (log.retention.hours): log.retention.hours is no broker setting that the model has; accepted: the broker settings of docs/scenario-format.md
        line 9 (default.replication.factor): default.replication.factor=three is not an integer; accepted: 1 … 16
        line 11 (replica.lag.time.max.ms): replica.lag.time.max.ms= is not an integer; accepted: 1 … 9223372036854775807 ms
    "#]].assert_eq(&all);
}

fn table() -> String {
    let mut out =
        String::from("| setting | of | values | default | | |\n|---|---|---|---|---|---|\n");
    for key in Key::ALL {
        let spec = key.spec();
        let owners: Vec<&str> = spec.owners.iter().map(Owner::name).collect();
        let values = match spec.kind {
            Kind::Int { unit, .. } => unit.name().to_owned(),
            _ => spec.accepted(Release::V4_4).to_string(),
        };
        let mut defaults: Vec<String> = Vec::new();
        let mut last = None;
        for release in Release::ALL {
            let default = spec.default(release);
            if default != last {
                let text = match default.map(|d| spec.print_in(Value(d), release)) {
                    None => "–".to_owned(),
                    Some(text) if text.is_empty() => "\"\"".to_owned(),
                    Some(text) if text == i64::MAX.to_string() => "2⁶³−1".to_owned(),
                    Some(text) => text,
                };
                defaults.push(match release {
                    Release::V0_8_2 => text,
                    _ => format!("{release}: {text}"),
                });
            }
            last = default;
        }
        let old = spec.old_name.map_or(String::new(), |(n, r)| format!(" (`{n}` up to {r})"));
        let over = spec.synonym.map_or(String::new(), |k| format!(" Over `{}`.", k.spec().name));
        let change = match (spec.inert, spec.dynamic) {
            (true, _) => "no effect here",
            (_, true) => "dynamic",
            _ => "fixed",
        };
        writeln!(
            out,
            "| `{}`{old} | {} | {values} | {} | {change} | {}{over} |",
            spec.name,
            owners.join(", "),
            defaults.join("; "),
            spec.key.doc()
        )
        .unwrap();
    }
    out
}

/// The rules of each release, by switch.
fn rules() -> String {
    let mut out = String::from("| rule | about | words |");
    for release in Release::ALL {
        write!(out, " {release} |").unwrap();
    }
    out += "\n|---|---|---|---|---|---|---|---|---|\n";
    for (index, switch) in SWITCHES.iter().enumerate().filter(|(_, s)| s.name != "coordination") {
        let anchor = switch.rule.to_lowercase().replace('.', "-");
        let (name, words) = (switch.name, switch.values.join(", "));
        write!(out, "| `{name}` | [{}](protocol.md#{anchor}) | {words} |", switch.rule).unwrap();
        for release in Release::ALL {
            let value = Rules::of(release, true).get(index).unwrap();
            write!(out, " {} |", switch.values[value]).unwrap();
        }
        out.push('\n');
    }
    out
}

#[test]
fn the_page_lists_every_setting_and_every_rule() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/scenario-format.md");
    let mut page = std::fs::read_to_string(path).unwrap();
    let mut old = false;
    for (marker, table) in [("<!-- settings:", table()), ("<!-- rules:", rules())] {
        let start = page.find(marker).unwrap();
        let start = start + page[start..].find('\n').unwrap() + 1;
        let end = start + page[start..].find("<!-- end -->").unwrap();
        old |= page[start..end] != table;
        page.replace_range(start..end, &table);
    }
    if old {
        assert!(std::env::var_os("UPDATE_EXPECT").is_some(), "a table of the page is old");
        std::fs::write(path, page).unwrap();
    }
}

/// The page's words for settings; `UPDATE_EXPECT=1` writes them.
#[test]
fn the_page_says_what_each_setting_does() {
    let quoted: Vec<String> = Key::ALL.iter().map(|key| format!("  {:?}", key.doc())).collect();
    let text = format!("[\n{}\n]\n", quoted.join(",\n"));
    expect_test::expect_file!["../../www/strings/settings.json"].assert_eq(&text);
}
