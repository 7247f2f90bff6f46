//! The cluster of a proof: small, with the settings that were given.

use super::check::Context;
use super::entry::{Dialect, Unit};
use super::finding::Change;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use highwater_core::settings::{Key, Layers, Owner, Release, Scope, Value, Values};

/// Settings by owner, as a script has them.
#[derive(Clone, Debug)]
pub(super) struct Setup {
    pub release: Release,
    /// How many replicas its topic has: on brokers 2, 3, 4.
    pub replicas: u32,
    broker: Vec<(Key, Value)>,
    topic: Vec<(Key, Value)>,
    producer: Vec<(Key, Value)>,
    consumer: Vec<(Key, Value)>,
}

/// What a proof leaves out: it would slow it down or change what it shows without need.
const LEFT_OUT: [Key; 9] = [
    Key::NumPartitions,
    Key::DefaultReplicationFactor,
    Key::OffsetsTopicNumPartitions,
    Key::OffsetsTopicReplicationFactor,
    Key::MaxRequestSize,
    Key::MaxMessageBytes,
    Key::MessageMaxBytes,
    Key::BatchSize,
    Key::BufferMemory,
];

impl Setup {
    /// With nothing given, on as many replicas as are known, or three.
    pub fn of(release: Release, replicas: Option<u32>) -> Setup {
        let replicas = replicas.map_or(3, |r| r.clamp(1, 3));
        let (broker, topic) = (Vec::new(), Vec::new());
        let (producer, consumer) = (Vec::new(), Vec::new());
        Setup { release, replicas, broker, topic, producer, consumer }
    }

    /// With what brokers and topics are given.
    pub fn new(context: &Context<'_>) -> Setup {
        let mut setup = Setup::of(context.release, context.replicas());
        // A proof has one topic: what all of them get is given to it.
        for owner in [Owner::Broker, Owner::Topic] {
            for unit in context.of(owner) {
                setup.take(unit);
            }
        }
        setup
    }

    /// With a client's settings.
    pub fn with(mut self, unit: &Unit) -> Setup {
        self.take(unit);
        self
    }

    /// Takes what is given there.
    pub fn take(&mut self, unit: &Unit) {
        for entry in &unit.entries {
            self.give(unit.owner, &entry.name, &entry.value);
        }
        // Others cut a request short where a delivery ends; Java's producer does not start so.
        let delivery = unit.given("delivery.timeout.ms").and_then(|d| d.parse::<i64>().ok());
        if unit.dialect != Dialect::Kafka
            && let Some(delivery) = delivery.filter(|d| *d < 30_000)
            && unit.entry("request.timeout.ms").is_none()
        {
            self.give(unit.owner, "request.timeout.ms", &(delivery / 2).to_string());
        }
        for name in ["acks", "enable.idempotence", "retries", "delivery.timeout.ms"] {
            if let Some(value) = super::foreign::default(name, unit.dialect)
                && unit.entry(name).is_none()
                && unit.owner == Owner::Producer
            {
                self.give(unit.owner, name, value);
            }
        }
    }

    /// Gives a setting, if the model has it.
    fn give(&mut self, owner: Owner, name: &str, value: &str) {
        let for_all = [Key::MinInsyncReplicas, Key::UncleanLeaderElectionEnable];
        let Ok((key, value)) = Key::assign(name, value, owner, self.release) else { return };
        if LEFT_OUT.contains(&key) || key.spec().inert {
            return;
        }
        let owner = if for_all.contains(&key) { Owner::Topic } else { owner };
        let list = self.list(owner);
        list.retain(|(k, _)| *k != key);
        list.push((key, value));
    }

    fn list(&mut self, owner: Owner) -> &mut Vec<(Key, Value)> {
        match owner {
            Owner::Broker => &mut self.broker,
            Owner::Topic => &mut self.topic,
            Owner::Producer | Owner::ScalaProducer => &mut self.producer,
            Owner::Consumer => &mut self.consumer,
        }
    }

    /// The same with changes made.
    pub fn changed(&self, changes: &[Change]) -> Setup {
        let mut changed = self.clone();
        for change in changes {
            if change.name == "replicas" || change.name == "default.replication.factor" {
                let count = change.value.as_deref().and_then(|v| v.parse().ok());
                changed.replicas = count.unwrap_or(3).min(3);
                continue;
            }
            match &change.value {
                Some(value) => changed.give(change.owner, &change.name, value),
                None => {
                    let key = Key::find(&change.name, change.owner, self.release);
                    let list = changed.list(change.owner);
                    list.retain(|(k, _)| key.as_ref() != Ok(k));
                }
            }
        }
        changed
    }

    /// One setting more, whatever was given.
    pub fn and(mut self, owner: Owner, name: &str, value: &str) -> Setup {
        self.give(owner, name, value);
        self
    }

    /// One more, if it was not given.
    pub fn or(self, owner: Owner, name: &str, value: &str) -> Setup {
        let given = match owner {
            Owner::Broker => &self.broker,
            Owner::Topic => &self.topic,
            Owner::Consumer => &self.consumer,
            _ => &self.producer,
        };
        let has = given.iter().any(|(k, _)| k.spec().name_in(self.release) == name);
        if has { self } else { self.and(owner, name, value) }
    }

    /// What holds for its producer.
    pub fn producer_values(&self) -> Values {
        self.values(Owner::Producer, &self.producer)
    }

    /// What holds for its brokers.
    pub fn broker_values(&self) -> Values {
        self.values(Owner::Broker, &self.broker)
    }

    fn values(&self, owner: Owner, given: &[(Key, Value)]) -> Values {
        let mut layers = Layers::new(self.release);
        let scope = match owner {
            Owner::Broker => Scope::Cluster,
            _ => Scope::Client("p1".to_string()),
        };
        for (key, value) in given {
            // What is refused is a finding of its own.
            let _ = layers.set(&scope, *key, Some(*value));
        }
        if owner == Owner::Broker { layers.cluster() } else { layers.client("p1", owner) }
    }

    /// How long until a broker that is silent counts as dead.
    pub fn session_ms(&self) -> i64 {
        let values = self.broker_values();
        let zookeeper = values.known_ms(Key::ZookeeperSessionTimeoutMs);
        let session = zookeeper.unwrap_or_else(|| values.ms(Key::BrokerSessionTimeoutMs));
        (session.0 / 1000) as i64
    }

    /// How long a consumer that was killed keeps its place.
    pub fn consumer_session_ms(&self) -> i64 {
        let given = self.consumer.iter().find(|(key, _)| *key == Key::SessionTimeoutMs);
        given.map_or(45_000, |(_, session)| session.0.min(MOST_MS))
    }

    /// How long until a follower that is gone is out of the ISR, on the safe side.
    pub fn shrunk_ms(&self) -> i64 {
        let lag = self.broker_values().get(Key::ReplicaLagTimeMaxMs);
        self.session_ms()
            .saturating_add(lag.saturating_mul(3) / 2)
            .saturating_add(2_000)
            .min(MOST_MS)
    }

    /// Whether acks=all is always refused, since there are fewer replicas than the minimum.
    pub fn is_never_met(&self) -> bool {
        let min = self.topic.iter().find(|(key, _)| *key == Key::MinInsyncReplicas);
        self.release < Release::V3_9 && min.is_some_and(|(_, m)| m.0 > i64::from(self.replicas))
    }

    /// Whether acks=all needs every replica: then only other acks write while one is down.
    pub fn is_strict(&self) -> bool {
        let min = self.topic.iter().find(|(key, _)| *key == Key::MinInsyncReplicas);
        min.is_some_and(|(_, min)| min.0 >= i64::from(self.replicas))
    }

    fn printed(&self, list: &[(Key, Value)]) -> String {
        let each = list.iter().map(|(key, value)| {
            let spec = key.spec();
            format!(" {}={}", spec.name_in(self.release), spec.print_in(*value, self.release))
        });
        each.collect()
    }

    /// The lines before anything happens; `more` stands behind the producer's name.
    pub fn head(&self, more: &str) -> String {
        let release = self.release;
        let replicas: Vec<String> = (2..2 + self.replicas).map(|id| id.to_string()).collect();
        let mut text = format!("highwater 1\nkafka {release}\nbrokers 4\n");
        if !self.broker.is_empty() {
            text += &format!("set{}\n", self.printed(&self.broker));
        }
        text += &format!(
            "topic orders assignment={}{}\n",
            replicas.join(","),
            self.printed(&self.topic)
        );
        text + &format!("producer p1 topic=orders{more}{}\n", self.printed(&self.producer))
    }

    /// A consumer's line.
    pub fn consumer(&self, more: &str) -> String {
        format!("consumer c1 topic=orders{more}{}\n", self.printed(&self.consumer))
    }
}

/// No proof waits longer for one thing.
const MOST_MS: i64 = 3_600_000;
