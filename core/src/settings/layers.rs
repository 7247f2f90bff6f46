//! Which value is in force where.

use super::catalog::{Key, Owner};
use super::parse::{SettingError, Value};
use super::refusals::least_delivery_timeout;
use super::release::Release;
use super::rules::{MinIsr, Rules};
use super::values::Values;
use crate::words::{BrokerId, Map};
use alloc::borrow::ToOwned;
use alloc::string::String;

/// Where a setting is given: Kafka's precedence is topic, broker, cluster, default.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Scope {
    /// Every broker.
    Cluster,
    /// One broker.
    Broker(BrokerId),
    /// One topic.
    Topic(String),
    /// One producer or consumer.
    Client(String),
}

/// Where the value in force comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Source {
    /// The release's default.
    Default,
    /// Given for every broker.
    Cluster,
    /// Given for the broker.
    Broker,
    /// Given for the topic.
    Topic,
    /// Given for the client.
    Client,
}

type Given = Map<Key, Value>;

/// What is given where, over the defaults of a release.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layers {
    release: Release,
    min_isr: MinIsr,
    pub(super) given: Map<Scope, Given>,
}

impl Layers {
    /// Nothing but the defaults of `release`.
    pub fn new(release: Release) -> Layers {
        Layers::under(release, &Rules::of(release, false))
    }

    /// Nothing but the defaults of `release`, resolved as `rules` have it: where only a topic's own
    /// `min.insync.replicas` counts, a broker's is read by nobody (R2.7).
    pub fn under(release: Release, rules: &Rules) -> Layers {
        Layers { release, min_isr: rules.min_isr, given: Map::new() }
    }

    /// The release whose defaults these are.
    pub fn release(&self) -> Release {
        self.release
    }

    /// What `scope` itself gives for `key`.
    pub fn given(&self, scope: &Scope, key: Key) -> Option<Value> {
        self.given.get(scope)?.get(&key).copied()
    }

    /// Gives `key` a value, or takes it back. Nothing changes where the result is refused.
    pub fn set(
        &mut self,
        scope: &Scope,
        key: Key,
        value: Option<Value>,
    ) -> Result<(), SettingError> {
        self.set_all(scope, &[(key, value)])
    }

    /// Gives or takes back several values at once: only the outcome has to be possible, so that
    /// two settings which bound each other can be moved together.
    pub fn set_all(
        &mut self,
        scope: &Scope,
        changes: &[(Key, Option<Value>)],
    ) -> Result<(), SettingError> {
        for (key, value) in changes {
            self.check_one(scope, *key, *value)?;
        }
        let before = self.given.get(scope).cloned();
        let given = self.given.entry(scope.clone()).or_default();
        for (key, value) in changes {
            match value {
                Some(value) => given.insert(*key, *value),
                None => given.remove(key),
            };
        }
        let outcome = self.check_scope(scope);
        if outcome.is_err() {
            match before {
                Some(before) => self.given.insert(scope.clone(), before),
                None => self.given.remove(scope),
            };
        }
        outcome
    }

    /// The cluster's values: what the controller goes by.
    pub fn cluster(&self) -> Values {
        self.resolved(&[&Scope::Cluster])
    }

    /// The values of a broker.
    pub fn broker(&self, broker: BrokerId) -> Values {
        self.resolved(&[&Scope::Cluster, &Scope::Broker(broker)])
    }

    /// The values that a broker, or without one the controller, has for a topic. A topic's
    /// override under another name (`flush.ms`) is found under the broker's name for it
    /// (`log.flush.interval.ms`) as well, and the other way round.
    pub fn topic(&self, topic: &str, broker: Option<BrokerId>) -> Values {
        let topic = Scope::Topic(topic.to_owned());
        match broker {
            Some(id) => self.resolved(&[&Scope::Cluster, &Scope::Broker(id), &topic]),
            None => self.resolved(&[&Scope::Cluster, &topic]),
        }
    }

    /// The values of a client. For [`Owner::Producer`] those that idempotence changes are as the
    /// producer itself works them out (R6.14).
    pub fn client(&self, client: &str, owner: Owner) -> Values {
        let scope = Scope::Client(client.to_owned());
        let mut values = self.resolved(&[&scope]);
        if owner == Owner::Producer {
            self.resolve_producer(&scope, &mut values);
        }
        values
    }

    /// Where the value of `key` comes from that `scope` has. A topic is asked as the controller
    /// sees it; `broker` makes it that broker's view.
    pub fn source(&self, key: Key, scope: &Scope, broker: Option<BrokerId>) -> Source {
        let has =
            |scope: &Scope, key: Key| self.counts(scope, key) && self.given(scope, key).is_some();
        let broker = match scope {
            Scope::Broker(id) => Some(*id),
            _ => broker,
        };
        let spec = key.spec();
        match scope {
            Scope::Client(_) if has(scope, key) => return Source::Client,
            Scope::Client(_) => return Source::Default,
            Scope::Topic(_) if has(scope, key) => return Source::Topic,
            Scope::Topic(_) if override_of(key).is_some_and(|k| has(scope, k)) => {
                return Source::Topic;
            }
            _ => {}
        }
        let key = spec.synonym.unwrap_or(key);
        if broker.is_some_and(|id| has(&Scope::Broker(id), key)) {
            Source::Broker
        } else if has(&Scope::Cluster, key) {
            Source::Cluster
        } else {
            Source::Default
        }
    }

    /// Whether a value given in that place does anything (R2.7).
    fn counts(&self, scope: &Scope, key: Key) -> bool {
        let of_brokers = matches!(scope, Scope::Cluster | Scope::Broker(_));
        !(self.min_isr == MinIsr::TopicOnly && key == Key::MinInsyncReplicas && of_brokers)
    }

    /// The defaults under what `scopes` give, the last of which wins.
    pub(super) fn resolved(&self, scopes: &[&Scope]) -> Values {
        let mut values = Values::defaults(self.release);
        let mut flush_given = false;
        let mut roll_given = false;
        for scope in scopes {
            let given = self.given.get(*scope).into_iter().flat_map(Map::iter);
            for (key, value) in given.filter(|(key, _)| self.counts(scope, **key)) {
                let key = key.spec().synonym.unwrap_or(*key);
                flush_given |= key == Key::LogFlushIntervalMs;
                roll_given |= key == Key::LogRollMs;
                values.put(key, value.0);
            }
        }
        if !flush_given {
            values.put(Key::LogFlushIntervalMs, values.get(Key::LogFlushSchedulerIntervalMs));
        }
        if !roll_given {
            values.put(Key::LogRollMs, values.get(Key::LogRollHours).saturating_mul(3_600_000));
        }
        for key in Key::ALL {
            if let Some(broker_key) = key.spec().synonym {
                values.put(*key, values.get(broker_key));
            }
        }
        values
    }

    /// What the Java producer makes of its settings: idempotence that is on only by default gives
    /// way to what the user said; idempotence that the user asked for changes the defaults of
    /// what it needs (R6.14). The default delivery time is raised to what it must hold (R6.7).
    pub(super) fn resolve_producer(&self, scope: &Scope, values: &mut Values) {
        let asked = self.given(scope, Key::EnableIdempotence).is_some();
        if values.is(Key::EnableIdempotence) && asked {
            let needs = [
                (Key::Acks, -1),
                (Key::Retries, i64::from(i32::MAX)),
                (Key::MaxInFlightRequestsPerConnection, self.max_in_flight()),
            ];
            for (key, value) in needs {
                if self.given(scope, key).is_none() {
                    values.put(key, value);
                }
            }
        } else if self.against_idempotence(values).is_some() {
            values.put(Key::EnableIdempotence, 0);
        }
        if self.given(scope, Key::DeliveryTimeoutMs).is_none()
            && Key::DeliveryTimeoutMs.spec().default(self.release).is_some()
        {
            let least = least_delivery_timeout(values).max(values.get(Key::DeliveryTimeoutMs));
            values.put(Key::DeliveryTimeoutMs, least);
        }
    }
}

/// The topic's name for a broker's setting, where that differs.
fn override_of(key: Key) -> Option<Key> {
    Key::ALL.iter().copied().find(|k| k.spec().synonym == Some(key))
}
