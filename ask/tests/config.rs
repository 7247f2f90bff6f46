//! Check my configuration: texts as people have them, and what is found; each proof is played.

use expect_test::{Expect, expect};
use highwater_ask::config::{Finding, check};
use highwater_core::script;
use highwater_core::settings::Release;
use highwater_core::sim::Timeline;
use std::fmt::Write;

/// The findings of a text, a line each: harm, code, line, rule, values, what mends it.
fn found(text: &str, release: Release) -> String {
    let checked = check(text, release);
    let mut seen = String::new();
    for unit in &checked.units {
        let sure = if unit.is_certain { "" } else { "?" };
        let names: Vec<String> =
            unit.entries.iter().map(|e| format!("{}={}", e.name, e.value)).collect();
        let _ =
            writeln!(seen, "{}{sure} {:?}: {}", unit.owner.name(), unit.dialect, names.join(" "));
    }
    for finding in &checked.findings {
        let line = finding.line.map_or("-".to_owned(), |l| l.to_string());
        let accepted = finding.accepted.iter().map(|said| format!("accepted={said}"));
        let params = finding.params.iter().map(|(n, v)| format!("{n}={v}"));
        let params: Vec<String> = params.chain(accepted).collect();
        let changes: Vec<String> = finding
            .changes
            .iter()
            .map(|c| {
                format!("{} {}={}", c.owner.name(), c.name, c.value.as_deref().unwrap_or("(out)"))
            })
            .collect();
        let proof = if finding.proof.is_some() { " proof" } else { "" };
        let _ = writeln!(
            seen,
            "{line}: {} {} {} [{}] -> {}{proof}",
            finding.harm.code(),
            finding.code,
            finding.rule,
            params.join("; "),
            changes.join(", ")
        );
    }
    seen
}

/// Whether all that a script expects has come out.
fn holds(text: &str) -> bool {
    let script = script::parse(text).unwrap_or_else(|e| panic!("{}\n{text}", e[0]));
    let mut timeline = Timeline::new(script).expect("a cluster that can be set up");
    timeline.run_until(timeline.end());
    let outcomes = timeline.world().outcomes();
    assert!(!outcomes.is_empty(), "{text}");
    outcomes.iter().all(|o| o.held)
}

/// Plays what a finding says of itself.
fn play(finding: &Finding, release: Release) -> Result<(), String> {
    let say = |what: &str, text: &str| Err(format!("{release} {} {what}:\n{text}", finding.code));
    if let Some(proof) = &finding.proof
        && !holds(proof)
    {
        return say("does not happen", proof);
    }
    match &finding.mended {
        Some(mended) if holds(mended) => say("still happens", mended),
        _ => Ok(()),
    }
}

fn check_text(text: &str, release: Release, expect: Expect) {
    expect.assert_eq(&found(text, release));
    for finding in check(text, release).findings {
        play(&finding, release).unwrap_or_else(|e| panic!("{e}"));
    }
}

const SERVER: &str = "broker.id=1\nlog.dirs=/var/kafka\nmin.insync.replicas=1\n\
    default.replication.factor=3\nunclean.leader.election.enable=true\n\
    offsets.topic.replication.factor=1\n";

const PRODUCERS: [&str; 7] = [
    "acks=1",
    "acks=0",
    "acks=all\nenable.idempotence=false",
    "acks=all\nenable.idempotence=false\nmax.in.flight.requests.per.connection=3",
    "acks=1\nretries=5",
    "acks=all\nretries=0",
    "delivery.timeout.ms=5000\nrequest.timeout.ms=2000\nlinger.ms=0",
];

const BROKERS: [&str; 7] = [
    SERVER,
    "broker.id=1\nlog.dirs=/d\ndefault.replication.factor=2\nmin.insync.replicas=2",
    "broker.id=1\nlog.dirs=/d\ndefault.replication.factor=1",
    "broker.id=1\nlog.dirs=/d\ndefault.replication.factor=2\nmin.insync.replicas=3",
    "broker.id=1\nlog.dirs=/d\ncontrolled.shutdown.enable=false\nmin.insync.replicas=2",
    "broker.id=1\nlog.dirs=/d\nunclean.leader.election.enable=true\nmin.insync.replicas=2\ndefault.replication.factor=3",
    "# topic settings\nmin.insync.replicas=1\nunclean.leader.election.enable=true",
];

const CONSUMERS: [&str; 2] = [
    "bootstrap.servers=k:9092\ngroup.id=g\nauto.offset.reset=latest",
    "bootstrap.servers=k:9092\ngroup.id=g\nenable.auto.commit=true\nauto.commit.interval.ms=5000",
];

#[test]
fn what_is_said_to_happen_happens_and_is_mended_by_the_change_in_every_release() {
    let mut wrong = Vec::new();
    let mut played = 0;
    for release in Release::ALL {
        let producers = PRODUCERS.map(|p| format!("bootstrap.servers=k:9092\n{p}\n"));
        let all = producers.iter().map(String::as_str).chain(BROKERS).chain(CONSUMERS);
        for text in all {
            for finding in check(text, release).findings {
                played += usize::from(finding.proof.is_some());
                wrong.extend(play(&finding, release).err().map(|e| format!("{text}\n{e}")));
            }
        }
    }
    assert_eq!(wrong.len(), 0, "{} of {played}:\n{}", wrong.len(), wrong.join("\n\n"));
    assert!(played > 80, "{played}");
}

#[test]
fn a_server_and_its_producer() {
    check_text(
        &format!("# server.properties\n{SERVER}\n# producer.properties\nacks=1\nretries=3\n"),
        Release::V3_9,
        expect![[r#"
            broker Kafka: broker.id=1 log.dirs=/var/kafka min.insync.replicas=1 default.replication.factor=3 unclean.leader.election.enable=true offsets.topic.replication.factor=1
            producer Kafka: acks=1 retries=3
            4: loses minIsr.one R2.7 [minIsr=1; replicas=3] -> broker min.insync.replicas=2 proof
            6: loses unclean.on R4.8 [] -> broker unclean.leader.election.enable=false proof
            10: loses acks.leader R2.9 [acks=1; client=Java] -> producer acks=all proof
            10: duplicates idempotence.gaveWay R6.11 [client=Java; setting=acks] -> producer enable.idempotence=true, producer acks=all proof
            11: reorders order.retries R6.12 [inFlight=5] -> producer enable.idempotence=true, producer acks=all proof
            7: stopsWrites offsets.one R7.3 [name=offsets.topic.replication.factor] -> broker offsets.topic.replication.factor=3
        "#]],
    );
}

#[test]
fn an_environment_of_a_compose_file() {
    check_text(
        "services:\n  kafka-1:\n    image: confluentinc/cp-kafka:7.9.0\n    environment:\n      \
         KAFKA_NODE_ID: 1\n      KAFKA_PROCESS_ROLES: 'broker,controller'\n      \
         KAFKA_HEAP_OPTS: -Xmx1g\n      KAFKA_DEFAULT_REPLICATION_FACTOR: 3\n      \
         KAFKA_MIN_INSYNC_REPLICAS: \"3\"\n      KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: 1\n      \
         KAFKA_TRANSACTION_STATE_LOG_MIN_ISR: 1\n      KAFKA_LOG_DIRS: /tmp/kraft-combined-logs\n      \
         KAFKA_UNCLEAN_LEADER_ELECTION_ENABLED: \"true\"\n    ports:\n      - \"9092:9092\"\n",
        Release::V3_9,
        expect![[r#"
            broker Kafka: node.id=1 process.roles=broker,controller default.replication.factor=3 min.insync.replicas=3 offsets.topic.replication.factor=1 transaction.state.log.min.isr=1 log.dirs=/tmp/kraft-combined-logs unclean.leader.election.enabled=true
            11: loses transactions.minIsr R2.7 [name=transaction.state.log.min.isr] -> broker transaction.state.log.min.isr=2
            12: loses disk.temporary R1.21 [folder=/tmp/kraft-combined-logs] -> broker log.dirs=/var/lib/kafka/data
            9: stopsWrites minIsr.all R2.7 [minIsr=3; replicas=3] -> broker min.insync.replicas=2 proof
            10: stopsWrites offsets.one R7.3 [name=offsets.topic.replication.factor] -> broker offsets.topic.replication.factor=3
            13: misspelt name.meant  [name=unclean.leader.election.enabled; owner=broker; release=3.9; meant=unclean.leader.election.enable] -> broker unclean.leader.election.enabled=(out), broker unclean.leader.election.enable=true
        "#]],
    );
}

#[test]
fn yaml_of_spring() {
    check_text(
        "spring:\n  kafka:\n    bootstrap-servers: k:9092\n    producer:\n      acks: 1\n      \
         retries: 3\n      key-serializer: org.apache.kafka.common.serialization.StringSerializer\n      \
         properties:\n        max.in.flight.requests.per.connection: 5\n    consumer:\n      \
         group-id: g\n      auto-offset-reset: latest\n      enable-auto-commit: true\n      \
         properties:\n        session.timeout.ms: 3000\nserver:\n  port: 8080\n",
        Release::V4_1,
        expect![[r#"
            producer Kafka: bootstrap.servers=k:9092 acks=1 retries=3 key.serializer=org.apache.kafka.common.serialization.StringSerializer max.in.flight.requests.per.connection=5
            consumer Kafka: bootstrap.servers=k:9092 group.id=g auto.offset.reset=latest enable.auto.commit=true session.timeout.ms=3000
            15: refused refused R7.9 [says=Heartbeat must be set lower than the session timeout; client=Java] -> consumer heartbeat.interval.ms=1000
            15: refused refused R7.9 [says=The session timeout is not within the range allowed by the broker (as configured by group.min.session.timeout.ms and group.max.session.timeout.ms).; client=Java] -> consumer session.timeout.ms=6000
            5: loses acks.leader R2.9 [acks=1; client=Java] -> producer acks=all proof
            12: loses reset.latest R7.5 [value=latest] -> consumer auto.offset.reset=earliest
            5: duplicates idempotence.gaveWay R6.11 [client=Java; setting=acks] -> producer enable.idempotence=true, producer acks=all proof
            13: duplicates commit.auto R7.4 [] -> consumer enable.auto.commit=false
            9: reorders order.retries R6.12 [inFlight=5] -> producer enable.idempotence=true, producer acks=all proof
        "#]],
    );
    check_text(
        "spring.kafka.producer.acks=all\nspring.kafka.producer.properties.enable.idempotence=false\n\
         spring.kafka.consumer.enable-auto-commit=true\nspring.datasource.url=jdbc:x\n",
        Release::V4_1,
        expect![[r#"
            producer? Kafka: acks=all enable.idempotence=false
            consumer? Kafka: enable.auto.commit=true
            2: duplicates idempotence.off R6.11 [client=Java; setting=enable.idempotence] -> producer enable.idempotence=true proof
            3: duplicates commit.auto R7.4 [] -> consumer enable.auto.commit=false proof
            2: reorders order.retries R6.12 [inFlight=5] -> producer enable.idempotence=true proof
        "#]],
    );
}

#[test]
fn yaml_of_strimzi() {
    check_text(
        "apiVersion: kafka.strimzi.io/v1beta2\nkind: Kafka\nmetadata:\n  name: my-cluster\nspec:\n  \
         kafka:\n    version: 4.1.0\n    replicas: 3\n    config:\n      default.replication.factor: 3\n      \
         min.insync.replicas: 1\n      offsets.topic.replication.factor: 3\n    storage:\n      type: jbod\n---\n\
         apiVersion: kafka.strimzi.io/v1beta2\nkind: KafkaTopic\nmetadata:\n  name: orders\nspec:\n  \
         partitions: 3\n  replicas: 2\n  config:\n    min.insync.replicas: 2\n    \
         unclean.leader.election.enable: true\n",
        Release::V4_1,
        expect![[r#"
            broker Kafka: default.replication.factor=3 min.insync.replicas=1 offsets.topic.replication.factor=3
            topic Kafka: min.insync.replicas=2 unclean.leader.election.enable=true
            11: loses minIsr.one R2.7 [minIsr=1; replicas=3] -> broker min.insync.replicas=2 proof
            25: loses unclean.on R4.8 [] -> topic unclean.leader.election.enable=false proof
            24: stopsWrites minIsr.all R2.7 [minIsr=2; replicas=2] -> topic min.insync.replicas=1 proof
        "#]],
    );
}

#[test]
fn dictionaries_of_programs() {
    let texts = [
        "cfg.Producer.Idempotent = true\ncfg.Producer.RequiredAcks = sarama.WaitForAll\n",
        "from kafka import KafkaProducer\nproducer = KafkaProducer(\n    bootstrap_servers=['a:9092', 'b:9092'],\n    \
         acks=1,\n    retries=5,\n    max_in_flight_requests_per_connection=5)\n",
        "from confluent_kafka import Producer\np = Producer({'bootstrap.servers': 'k', 'acks': 'all',\n  \
         'message.send.max.retries': 0, 'queue.buffering.max.ms': 5})\n",
        "const producer = kafka.producer({\n  idempotent: false,\n  maxInFlightRequests: 5,\n  retry: { retries: 2 },\n})\n\
         // kafkajs\nawait producer.send({ topic: 'orders', acks: 1, messages: [{ value: 'x' }] })\n",
        "config := sarama.NewConfig()\nconfig.Producer.RequiredAcks = sarama.WaitForLocal\n\
         config.Producer.Retry.Max = 5\nconfig.Net.MaxOpenRequests = 5\n\
         config.Producer.Timeout = 10 * time.Second\nconfig.Consumer.Offsets.Initial = sarama.OffsetNewest\n",
        "var config = new ProducerConfig {\n    BootstrapServers = \"k:9092\",\n    Acks = Acks.Leader,\n    \
         EnableIdempotence = false,\n    MessageTimeoutMs = 3000\n};\n",
        "p, err := kafka.NewProducer(&kafka.ConfigMap{\n  \"bootstrap.servers\": \"k\",\n  \"acks\": \"0\"})\n",
        "Properties props = new Properties();\nprops.put(\"bootstrap.servers\", \"k:9092\");\n\
         props.put(ProducerConfig.ACKS_CONFIG, \"1\");\nprops.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);\n\
         KafkaProducer<String, String> p = new KafkaProducer<>(props);\n",
    ];
    let all: Vec<String> = texts.iter().map(|text| found(text, Release::V4_1)).collect();
    expect![[r#"
        producer? Sarama: enable.idempotence=true acks=all
        -: refused refusedByClient R6.14 [says=Idempotent producer requires Net.MaxOpenRequests to be 1; client=Sarama] -> producer max.in.flight.requests.per.connection=1

        producer KafkaPython: bootstrap.servers=['a:9092', 'b:9092'] acks=1 retries=5 max.in.flight.requests.per.connection=5
        4: loses acks.leader R2.9 [acks=1; client=kafka-python] -> producer acks=all proof
        -: duplicates idempotence.default R6.11 [client=kafka-python; setting=enable.idempotence] -> producer enable.idempotence=true, producer acks=all proof
        6: reorders order.retries R6.12 [inFlight=5] -> producer enable.idempotence=true, producer acks=all proof

        producer Librdkafka: bootstrap.servers=k acks=all retries=0 linger.ms=5
        3: failover retries.none R6.7 [client=librdkafka] -> producer retries=2147483647 proof

        producer KafkaJs: enable.idempotence=false max.in.flight.requests.per.connection=5 retries=2 acks=1
        7: loses acks.leader R2.9 [acks=1; client=KafkaJS] -> producer acks=all proof
        2: duplicates idempotence.off R6.11 [client=KafkaJS; setting=enable.idempotence] -> producer enable.idempotence=true, producer acks=all proof
        3: reorders order.retries R6.12 [inFlight=5] -> producer enable.idempotence=true, producer acks=all proof

        producer? Sarama: acks=1 retries=5 max.in.flight.requests.per.connection=5 request.timeout.ms=10000
        consumer? Sarama: auto.offset.reset=latest
        2: loses acks.leader R2.9 [acks=1; client=Sarama] -> producer acks=all proof
        6: loses reset.latest R7.5 [value=latest] -> consumer auto.offset.reset=earliest proof
        -: duplicates idempotence.default R6.11 [client=Sarama; setting=enable.idempotence] -> producer enable.idempotence=true, producer acks=all proof
        4: reorders order.retries R6.12 [inFlight=5] -> producer enable.idempotence=true, producer acks=all proof

        producer Librdkafka: bootstrap.servers=k:9092 acks=1 enable.idempotence=false delivery.timeout.ms=3000
        3: loses acks.leader R2.9 [acks=1; client=librdkafka] -> producer acks=all proof
        4: duplicates idempotence.off R6.11 [client=librdkafka; setting=enable.idempotence] -> producer enable.idempotence=true, producer acks=all, producer max.in.flight.requests.per.connection=5 proof
        4: reorders order.retries R6.12 [inFlight=1000000] -> producer enable.idempotence=true, producer acks=all, producer max.in.flight.requests.per.connection=5 proof
        5: failover delivery.short R6.7 [given=3000; session=9000] -> producer delivery.timeout.ms=120000 proof

        producer Librdkafka: bootstrap.servers=k acks=0
        3: loses acks.none R6.10 [acks=0; client=librdkafka] -> producer acks=all proof

        producer Kafka: bootstrap.servers=k:9092 acks=1 enable.idempotence=true
        3: refused refused R6.14 [says=Must set acks to all in order to use the idempotent producer. Otherwise we cannot guarantee idempotence.; client=Java] -> producer acks=all
    "#]].assert_eq(&all.join("\n"));
    for finding in texts.iter().flat_map(|text| check(text, Release::V4_1).findings) {
        play(&finding, Release::V4_1).unwrap_or_else(|e| panic!("{e}"));
    }
}

#[test]
fn commands_descriptions_and_variables_of_a_container() {
    check_text(
        "$ bin/kafka-topics.sh --create --topic a --replication-factor 1 --config min.insync.replicas=2\n",
        Release::V2_8,
        expect![[r#"
            topic Kafka: min.insync.replicas=2
            1: loses replicas.one R5.35 [name=replicas] -> topic replicas=3 proof
            1: stopsWrites minIsr.more R2.7 [minIsr=2; replicas=1] -> topic min.insync.replicas=1 proof
        "#]],
    );
    check_text(
        "Dynamic configs for topic orders are:\n  min.insync.replicas=1 sensitive=false \
         synonyms={DYNAMIC_TOPIC_CONFIG:min.insync.replicas=1}\n\
         Configs for topic 'pay' are min.insync.replicas=2,unclean.leader.election.enable=true\n",
        Release::V3_9,
        expect![[r#"
            topic Kafka: min.insync.replicas=1
            topic Kafka: min.insync.replicas=2 unclean.leader.election.enable=true
            2: loses minIsr.one R2.7 [minIsr=1; replicas=3] -> topic min.insync.replicas=2 proof
            3: loses unclean.on R4.8 [] -> topic unclean.leader.election.enable=false proof
        "#]],
    );
    check_text(
        "env:\n- name: KAFKA_CFG_UNCLEAN_LEADER_ELECTION_ENABLE\n  value: \"true\"\n\
         - name: KAFKA_HEAP_OPTS\n  value: -Xmx1g\n",
        Release::V3_9,
        expect![[r#"
            broker Kafka: unclean.leader.election.enable=true
            -: loses minIsr.default R2.7 [minIsr=1; replicas=3] -> broker min.insync.replicas=2 proof
            3: loses unclean.on R4.8 [] -> broker unclean.leader.election.enable=false proof
        "#]],
    );
}

#[test]
fn the_old_scala_producer() {
    check_text(
        "metadata.broker.list=k:9092\nproducer.type=async\nmessage.send.max.retries=0\n",
        Release::V0_8_2,
        expect![[r#"
            Scala producer? Kafka: metadata.broker.list=k:9092 producer.type=async message.send.max.retries=0
            -: loses acks.none R6.2 [acks=0; client=Scala] -> Scala producer request.required.acks=-1
            2: loses queue.async R6.1 [] -> Scala producer producer.type=sync
        "#]],
    );
    check_text(
        "metadata.broker.list=k:9092\nrequest.required.acks=1\n",
        Release::V0_11,
        expect![[r#"
            Scala producer? Kafka: metadata.broker.list=k:9092 request.required.acks=1
            2: loses acks.leader R2.9 [acks=1; client=Scala] -> Scala producer request.required.acks=-1 proof
            -: duplicates idempotence.none R6.11 [] -> 
        "#]],
    );
}

#[test]
fn comments_of_kafkas_own_files_are_no_headings() {
    check_text(
        "############################# Internal Topic Settings  #############################\n\
         # The replication factor of the topics of the group coordinator\n\
         broker.id=0\noffsets.topic.replication.factor=1\n# broker heartbeats\n\
         broker.heartbeat.interval.ms=10000\nmin.insync.replicas=2\n",
        Release::V4_1,
        expect![[r#"
            broker Kafka: broker.id=0 offsets.topic.replication.factor=1
            broker Kafka: broker.heartbeat.interval.ms=10000 min.insync.replicas=2
            4: stopsWrites offsets.one R7.3 [name=offsets.topic.replication.factor] -> broker offsets.topic.replication.factor=3
            6: stopsWrites heartbeat.late R5.3 [interval=10000; session=9000] -> broker broker.heartbeat.interval.ms=2250
        "#]],
    );
}

#[test]
fn names_that_are_none() {
    check_text(
        "broker.id=0\nlog.dirs=/d\nreplica.lag.max.messages=4000\nmin.insync.replica=2\n\
         default.replication.factor=3\nzookeeper.connect=z:2181\nmin.insync.replicas=2\n\
         acks=all\nreplication.factor=3\nnum.partitons=3\nfoo.bar.baz=1\nlog.retention.hours=5\nlog.retention.hours=6\n",
        Release::V4_1,
        expect![[r#"
            broker Kafka: broker.id=0 log.dirs=/d replica.lag.max.messages=4000 min.insync.replica=2 default.replication.factor=3 zookeeper.connect=z:2181 min.insync.replicas=2 acks=all replication.factor=3 num.partitons=3 foo.bar.baz=1 log.retention.hours=5 log.retention.hours=6
            8: nothing name.misplaced  [name=acks; owner=broker; release=4.1; other=producer] -> broker acks=(out), producer acks=all
            12: nothing given.twice  [name=log.retention.hours; line=13] -> broker log.retention.hours=(out)
            3: unknown name.removed  [name=replica.lag.max.messages; owner=broker; release=4.1; known=0.8.2] -> broker replica.lag.time.max.ms=30000
            6: unknown name.removed  [name=zookeeper.connect; owner=broker; release=4.1; known=3.9] -> broker zookeeper.connect=(out)
            11: unknown name.unknown  [name=foo.bar.baz; owner=broker; release=4.1] -> broker foo.bar.baz=(out)
            4: misspelt name.meant  [name=min.insync.replica; owner=broker; release=4.1; meant=min.insync.replicas] -> broker min.insync.replica=(out), broker min.insync.replicas=2
            9: misspelt name.meant  [name=replication.factor; owner=broker; release=4.1; meant=default.replication.factor] -> broker replication.factor=(out), broker default.replication.factor=3
            10: misspelt name.meant  [name=num.partitons; owner=broker; release=4.1; meant=num.partitions] -> broker num.partitons=(out), broker num.partitions=3
        "#]],
    );
    check_text(
        "bootstrap.servers=k:9092\nacks=all\nmin.insync.replicas=2\nenable.idempotance=true\n\
         request.required.acks=1\nretires=5\nmetadata.broker.list=k\nschema.registry.url=http://s\n",
        Release::V3_9,
        expect![[r#"
            producer Kafka: bootstrap.servers=k:9092 acks=all min.insync.replicas=2 enable.idempotance=true request.required.acks=1 retires=5 metadata.broker.list=k schema.registry.url=http://s
            3: nothing name.misplaced  [name=min.insync.replicas; owner=producer; release=3.9; other=broker] -> producer min.insync.replicas=(out), broker min.insync.replicas=2
            5: unknown name.removed  [name=request.required.acks; owner=producer; release=3.9; known=0.11] -> producer acks=1
            7: unknown name.removed  [name=metadata.broker.list; owner=producer; release=3.9; known=0.11] -> producer bootstrap.servers=k
            4: misspelt name.meant  [name=enable.idempotance; owner=producer; release=3.9; meant=enable.idempotence] -> producer enable.idempotance=(out), producer enable.idempotence=true
            6: misspelt name.meant  [name=retires; owner=producer; release=3.9; meant=retries] -> producer retires=(out), producer retries=5
        "#]],
    );
}

#[test]
fn what_cannot_start_together_is_said_as_kafka_says_it() {
    check_text(
        "# producer\nenable.idempotence=true\nacks=1\nretries=0\nmax.in.flight.requests.per.connection=10\n\
         delivery.timeout.ms=1000\nlinger.ms=soon\n# consumer\nsession.timeout.ms=10000\n\
         heartbeat.interval.ms=10000\n# server.properties\nreplica.lag.time.max.ms=400\n",
        Release::V4_1,
        expect![[r#"
            producer Kafka: enable.idempotence=true acks=1 retries=0 max.in.flight.requests.per.connection=10 delivery.timeout.ms=1000 linger.ms=soon
            consumer Kafka: session.timeout.ms=10000 heartbeat.interval.ms=10000
            broker Kafka: replica.lag.time.max.ms=400
            3: refused refused R6.14 [says=Must set acks to all in order to use the idempotent producer. Otherwise we cannot guarantee idempotence.; client=Java] -> producer acks=all
            4: refused refused R6.14 [says=Must set retries to non-zero when using the idempotent producer.; client=Java] -> producer retries=2147483647
            5: refused refused R6.14 [says=To use the idempotent producer, max.in.flight.requests.per.connection must be set to at most 5. Current value is 10.; client=Java] -> producer max.in.flight.requests.per.connection=5
            6: refused refused R6.7 [says=delivery.timeout.ms should be equal to or larger than linger.ms + request.timeout.ms; client=Java] -> producer delivery.timeout.ms=120000
            7: refused invalid  [says=Invalid value soon for configuration linger.ms; accepted=0 … 9223372036854775807 ms] -> 
            10: refused refused R7.9 [says=Heartbeat must be set lower than the session timeout; client=Java] -> consumer heartbeat.interval.ms=3333
            12: refused refused R3.1 [says=requirement failed: replica.fetch.wait.max.ms should always be less than or equal to replica.lag.time.max.ms to prevent frequent changes in ISR; client=Java] -> broker replica.lag.time.max.ms=30000
            -: loses minIsr.default R2.7 [minIsr=1; replicas=3] -> broker min.insync.replicas=2
            6: failover delivery.short R6.7 [given=1000; session=9000] -> producer delivery.timeout.ms=120000
        "#]],
    );
}

#[test]
fn a_good_configuration_has_no_finding() {
    for release in Release::ALL {
        let old = release == Release::V0_8_2;
        let broker = "# server.properties\nbroker.id=1\nlog.dirs=/var/lib/kafka\n\
            default.replication.factor=3\nunclean.leader.election.enable=false\n\
            offsets.topic.replication.factor=3\n";
        let topic = "# topic orders\nmin.insync.replicas=2\nunclean.leader.election.enable=false\n";
        let producer = match release {
            Release::V0_8_2 => "",
            Release::V0_11 => {
                "# producer\nacks=all\nenable.idempotence=true\nretries=10\n\
                max.in.flight.requests.per.connection=1\n"
            }
            _ => {
                "# producer\nacks=all\nenable.idempotence=true\ndelivery.timeout.ms=120000\n\
                compression.type=lz4\nlinger.ms=5\n"
            }
        };
        let consumer = match old {
            true => "",
            false => {
                "# consumer\ngroup.id=g\nauto.offset.reset=earliest\nenable.auto.commit=false\n\
                isolation.level=read_committed\n"
            }
        };
        let text = format!("{broker}\n{topic}\n{producer}\n{consumer}");
        let checked = check(&text, release);
        assert_eq!(checked.findings, [], "{release}");
        assert!(checked.units.len() >= if old { 2 } else { 4 }, "{release}");
    }
}

#[test]
fn no_text_makes_the_reader_panic() {
    use proptest::prelude::*;
    let piece = prop_oneof![
        "[ -~\\n\\t]{0,20}",
        Just("acks=".to_string()),
        Just("\n# producer\n".to_string()),
        Just("KAFKA_CFG_".to_string()),
        Just("p.put(\"acks\",".to_string()),
        Just("{ [ (".to_string()),
        Just("\u{4e2d}\u{2026}: \u{ff1d}".to_string()),
        Just("\n```\n---\n".to_string()),
    ];
    proptest!(|(parts in prop::collection::vec(piece, 0..20))| {
        check(&parts.concat(), Release::V4_4);
    });
}
