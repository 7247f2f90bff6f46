//! Names of other clients in Kafka's words, and where they behave otherwise.

use super::entry::Dialect;
use super::names;
use super::place::Place;
use super::statement::Statement;
use crate::text::Line;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use highwater_core::settings::{Owner, Release};

/// Whose names a text uses: told by what only they write.
pub(super) fn dialect(lines: &[Line]) -> Dialect {
    const SIGNS: [(&str, Dialect); 22] = [
        ("sarama.", Dialect::Sarama),
        ("Producer.RequiredAcks", Dialect::Sarama),
        ("kafkajs", Dialect::KafkaJs),
        ("maxInFlightRequests", Dialect::KafkaJs),
        ("fromBeginning", Dialect::KafkaJs),
        ("allowAutoTopicCreation", Dialect::KafkaJs),
        ("KafkaProducer(", Dialect::KafkaPython),
        ("KafkaConsumer(", Dialect::KafkaPython),
        ("confluent_kafka", Dialect::Librdkafka),
        ("Confluent.Kafka", Dialect::Librdkafka),
        ("ConfigMap", Dialect::Librdkafka),
        ("node-rdkafka", Dialect::Librdkafka),
        ("librdkafka", Dialect::Librdkafka),
        ("rdkafka", Dialect::Librdkafka),
        ("message.timeout.ms", Dialect::Librdkafka),
        ("enable.auto.offset.store", Dialect::Librdkafka),
        ("socket.keepalive.enable", Dialect::Librdkafka),
        ("enable.gapless.guarantee", Dialect::Librdkafka),
        ("broker.address.family", Dialect::Librdkafka),
        ("statistics.interval.ms", Dialect::Librdkafka),
        ("Acks.", Dialect::Librdkafka),
        ("MessageTimeoutMs", Dialect::Librdkafka),
    ];
    // `new KafkaProducer(props)` is Java's.
    let is_java = lines
        .iter()
        .any(|l| l.text.contains("new KafkaProducer") || l.text.contains("Properties()"));
    let has = |sign: &str| lines.iter().any(|l| l.text.contains(sign));
    let found =
        SIGNS.iter().find(|(sign, d)| has(sign) && !(is_java && *d == Dialect::KafkaPython));
    found.map_or(Dialect::Kafka, |(_, dialect)| *dialect)
}

/// Names that mean a setting of Kafka's, by client.
static TABLE: &[(Dialect, &str, &str)] = &[
    (Dialect::Librdkafka, "request.required.acks", "acks"),
    (Dialect::Librdkafka, "message.send.max.retries", "retries"),
    (Dialect::Librdkafka, "message.timeout.ms", "delivery.timeout.ms"),
    (Dialect::Librdkafka, "max.in.flight", "max.in.flight.requests.per.connection"),
    (Dialect::Librdkafka, "queue.buffering.max.ms", "linger.ms"),
    (Dialect::Librdkafka, "compression.codec", "compression.type"),
    (Dialect::Librdkafka, "metadata.broker.list", "bootstrap.servers"),
    (Dialect::Librdkafka, "topic.metadata.refresh.interval.ms", "metadata.max.age.ms"),
    (Dialect::Librdkafka, "fetch.wait.max.ms", "fetch.max.wait.ms"),
    (Dialect::Librdkafka, "fetch.message.max.bytes", "max.partition.fetch.bytes"),
    (Dialect::Librdkafka, "message.max.bytes", "max.request.size"),
    (Dialect::KafkaPython, "api.version.auto.timeout.ms", ""),
    (Dialect::KafkaPython, "max.request.size", "max.request.size"),
    (Dialect::KafkaJs, "idempotent", "enable.idempotence"),
    (Dialect::KafkaJs, "maxInFlightRequests", "max.in.flight.requests.per.connection"),
    (Dialect::KafkaJs, "transactionalId", "transactional.id"),
    (Dialect::KafkaJs, "acks", "acks"),
    (Dialect::KafkaJs, "retries", "retries"),
    (Dialect::KafkaJs, "sessionTimeout", "session.timeout.ms"),
    (Dialect::KafkaJs, "heartbeatInterval", "heartbeat.interval.ms"),
    (Dialect::KafkaJs, "autoCommit", "enable.auto.commit"),
    (Dialect::KafkaJs, "autoCommitInterval", "auto.commit.interval.ms"),
    (Dialect::KafkaJs, "fromBeginning", "auto.offset.reset"),
    (Dialect::KafkaJs, "groupId", "group.id"),
    (Dialect::KafkaJs, "requestTimeout", "request.timeout.ms"),
    (Dialect::Sarama, "Producer.RequiredAcks", "acks"),
    (Dialect::Sarama, "Producer.Idempotent", "enable.idempotence"),
    (Dialect::Sarama, "Producer.Retry.Max", "retries"),
    (Dialect::Sarama, "Producer.Retry.Backoff", "retry.backoff.ms"),
    (Dialect::Sarama, "Producer.Timeout", "request.timeout.ms"),
    (Dialect::Sarama, "Producer.Transaction.ID", "transactional.id"),
    (Dialect::Sarama, "Producer.MaxMessageBytes", "max.request.size"),
    (Dialect::Sarama, "Producer.Flush.Frequency", "linger.ms"),
    (Dialect::Sarama, "Net.MaxOpenRequests", "max.in.flight.requests.per.connection"),
    (Dialect::Sarama, "Consumer.Offsets.Initial", "auto.offset.reset"),
    (Dialect::Sarama, "Consumer.Offsets.AutoCommit.Enable", "enable.auto.commit"),
    (Dialect::Sarama, "Consumer.Offsets.AutoCommit.Interval", "auto.commit.interval.ms"),
    (Dialect::Sarama, "Consumer.Group.Session.Timeout", "session.timeout.ms"),
    (Dialect::Sarama, "Consumer.Group.Heartbeat.Interval", "heartbeat.interval.ms"),
    (Dialect::Sarama, "Consumer.IsolationLevel", "isolation.level"),
];

/// Spring's own names that are not Kafka's with hyphens for dots.
static SPRING: &[(&str, &str)] = &[
    ("transaction.id.prefix", "transactional.id"),
    ("fetch.max.wait", "fetch.max.wait.ms"),
    ("fetch.min.size", "fetch.min.bytes"),
    ("auto.commit.interval", "auto.commit.interval.ms"),
    ("heartbeat.interval", "heartbeat.interval.ms"),
    ("max.poll.interval", "max.poll.interval.ms"),
    ("key.serializer", "key.serializer"),
];

/// Variables of images that are no settings of a broker.
const IMAGES: [&str; 14] = [
    "heap.opts",
    "opts",
    "jmx",
    "log4j",
    "gc.log",
    "jvm",
    "create.topics",
    "kraft.cluster.id",
    "cluster.id",
    "version",
    "home",
    "enable.kraft",
    "client.users",
    "client.passwords",
];

/// Kafka's name for a setting; `None` for what is none of Kafka's.
pub(super) fn kafka_name(
    statement: &Statement,
    place: Option<Place>,
    dialect: Dialect,
) -> Option<String> {
    let written = statement.name.as_str();
    if statement.is_environment {
        return environment(written);
    }
    let full = if dialect == Dialect::Sarama { sarama(written) } else { written.to_owned() };
    let row = |name: &str| {
        TABLE.iter().find(|(d, theirs, _)| *d == dialect && *theirs == name).map(|(.., ours)| *ours)
    };
    if let Some(ours) = row(&full).or_else(|| row(written)) {
        return (!ours.is_empty()).then(|| ours.to_owned());
    }
    if matches!(dialect, Dialect::KafkaJs | Dialect::Sarama) {
        return names::is_known(written).then(|| written.to_owned()).filter(|n| n.contains('.'));
    }
    let spring = statement.path.iter().any(|p| p == "spring");
    let written = written.strip_prefix("spring.kafka.").unwrap_or(written);
    let from_spring = spring || written.len() != statement.name.len();
    let written = ["producer.", "consumer.", "properties.", "template.", "listener."].iter().fold(
        written,
        |name, prefix| if from_spring { name.strip_prefix(prefix).unwrap_or(name) } else { name },
    );
    if written.starts_with("spring.") {
        return None;
    }
    let dotted = dotted(written, dialect);
    if let Some(ours) = row(&dotted) {
        return (!ours.is_empty()).then(|| ours.to_owned());
    }
    if from_spring {
        if let Some((_, ours)) = SPRING.iter().find(|(theirs, _)| *theirs == dotted) {
            return Some((*ours).to_owned());
        }
        // Spring has keys of its own.
        let own = names::is_known(&dotted) || written.contains('.');
        return own.then_some(dotted);
    }
    // What has no dot is a key of YAML or of the program, unless Kafka has it.
    let is_setting = dotted.contains('.') || names::is_known(&dotted);
    let is_own = !["api.version", "image", "container.name"].contains(&dotted.as_str());
    // One word of a file that is nearly a setting's is looked at as one.
    let is_near = || statement.path.is_empty() && dotted.len() >= 4 && is_near_word(&dotted);
    let is_setting = is_setting || is_near();
    let is_in_place =
        place.is_some() || statement.path.is_empty() || statement.in_code || dotted.contains('.');
    (is_setting && is_own && is_in_place).then_some(dotted)
}

/// Whether a word without dots is nearly a setting of a client's.
fn is_near_word(word: &str) -> bool {
    let owners = [Owner::Producer, Owner::Consumer];
    owners.into_iter().any(|owner| names::meant(word, owner, Release::V4_4).is_some())
}

/// `EnableIdempotence`, `enable_idempotence`, `enable-idempotence`: `enable.idempotence`.
fn dotted(name: &str, dialect: Dialect) -> String {
    let name = name.rsplit_once("Config.").map_or(name, |(_, name)| name);
    let is_pascal = name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.chars().all(|c| c.is_ascii_alphanumeric());
    if is_pascal && dialect == Dialect::Librdkafka {
        let mut out = String::new();
        for c in name.chars() {
            if c.is_ascii_uppercase() && !out.is_empty() {
                out.push('.');
            }
            out.push(c.to_ascii_lowercase());
        }
        return out;
    }
    if name.contains('.') {
        return name.to_owned();
    }
    name.replace(['_', '-'], ".")
}

/// `config.Producer.RequiredAcks`, `cfg.Net.MaxOpenRequests`: without the variable.
fn sarama(name: &str) -> String {
    let starts = ["Producer.", "Consumer.", "Net."];
    let at = starts.iter().filter_map(|s| name.find(s)).min();
    at.map_or_else(|| name.to_owned(), |at| name[at..].to_owned())
}

/// `KAFKA_MIN_INSYNC_REPLICAS`, Bitnami's `KAFKA_CFG_…`: `__` is `_`, `___` is `-`.
fn environment(name: &str) -> Option<String> {
    let bare = name.strip_prefix("KAFKA_CFG_").or(name.strip_prefix("KAFKA_"))?;
    let lower = bare.to_ascii_lowercase().replace("___", "-").replace("__", "\u{1}");
    let dotted = lower.replace('_', ".").replace('\u{1}', "_");
    let of_image = |sign: &&str| dotted == **sign || dotted.starts_with(&format!("{sign}."));
    let is_image = IMAGES.iter().any(of_image) && !names::is_known(&dotted);
    (!is_image).then_some(dotted)
}

/// A value as Kafka writes it.
pub(super) fn kafka_value(name: &str, value: &str, dialect: Dialect) -> String {
    let word = value.rsplit(['.', '(']).next().unwrap_or(value).trim_end_matches(')');
    let is_number = value.chars().all(|c| c.is_ascii_digit() || matches!(c, '-' | '.' | '_'));
    let word = if is_number { value } else { word };
    let plain = match (name, word) {
        ("acks", "All" | "WaitForAll" | "-1") => "all",
        ("acks", "Leader" | "WaitForLocal") => "1",
        ("acks", "None" | "NoResponse") => "0",
        ("auto.offset.reset", "true") if dialect == Dialect::KafkaJs => "earliest",
        ("auto.offset.reset", "false") if dialect == Dialect::KafkaJs => "latest",
        ("auto.offset.reset", "OffsetNewest" | "largest" | "end" | "Latest") => "latest",
        ("auto.offset.reset", "OffsetOldest" | "smallest" | "beginning" | "Earliest") => "earliest",
        ("isolation.level", "ReadCommitted") => "read_committed",
        (_, "True") => "true",
        (_, "False") => "false",
        _ => {
            return span(value)
                .unwrap_or_else(|| value.replace('_', if is_number { "" } else { "_" }));
        }
    };
    plain.to_string()
}

/// Go's `30 * time.Second`, `500 * time.Millisecond`; Spring's `30s`, `500ms`: in milliseconds.
fn span(value: &str) -> Option<String> {
    let scale = |unit: &str| match unit {
        "time.Millisecond" | "ms" => Some(1i64),
        "time.Second" | "s" => Some(1000),
        "time.Minute" | "m" => Some(60_000),
        _ => None,
    };
    if let Some((count, unit)) = value.split_once('*') {
        let (count, unit) = (count.trim(), unit.trim());
        return Some((count.parse::<i64>().ok()?.checked_mul(scale(unit)?)?).to_string());
    }
    if let Some(scale) = scale(value) {
        return Some(scale.to_string());
    }
    let end = value.find(|c: char| !c.is_ascii_digit())?;
    let (count, unit) = value.split_at(end);
    Some(count.parse::<i64>().ok()?.checked_mul(scale(unit)?)?.to_string())
}

/// What a client does where nothing is said, if it is not what Java's does.
pub(super) fn default(name: &str, dialect: Dialect) -> Option<&'static str> {
    match (dialect, name) {
        (Dialect::Librdkafka | Dialect::KafkaJs, "acks") => Some("all"),
        (Dialect::KafkaPython | Dialect::Sarama, "acks") => Some("1"),
        (Dialect::Kafka, _) => None,
        (_, "enable.idempotence") => Some("false"),
        (Dialect::Librdkafka, "retries") => Some("2147483647"),
        (Dialect::KafkaPython, "retries") => Some("0"),
        (Dialect::Sarama, "retries") => Some("3"),
        (Dialect::KafkaJs, "retries") => Some("5"),
        (Dialect::Librdkafka, "max.in.flight.requests.per.connection") => Some("1000000"),
        (Dialect::KafkaJs, "max.in.flight.requests.per.connection") => Some("2147483647"),
        (Dialect::Librdkafka, "delivery.timeout.ms") => Some("300000"),
        _ => None,
    }
}
