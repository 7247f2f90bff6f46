//! What is refused of the settings that a scenario gives: by itself, and together.

use super::catalog::{Key, Owner};
use super::layers::{Layers, Scope};
use super::parse::{SettingError, Value};
use super::release::Release;
use super::values::Values;
use crate::words::{BrokerId, Phrase, Said};
use alloc::format;

impl Layers {
    /// How many requests in flight idempotence allows: 5, in 0.11 one (R6.14).
    pub(super) fn max_in_flight(&self) -> i64 {
        if self.release() == Release::V0_11 { 1 } else { 5 }
    }

    /// The setting that idempotence cannot live with, and what it would need.
    pub(super) fn against_idempotence(&self, values: &Values) -> Option<(Key, Said)> {
        if values.get(Key::Acks) != -1 {
            Some((Key::Acks, Said::verbatim("acks=all")))
        } else if values.get(Key::Retries) == 0 {
            Some((Key::Retries, Phrase::RetriesForIdempotence.into()))
        } else if values.get(Key::MaxInFlightRequestsPerConnection) > self.max_in_flight() {
            let needed = match self.max_in_flight() {
                1 => Said::verbatim("max.in.flight.requests.per.connection=1"),
                _ => Phrase::InFlightForIdempotence.into(),
            };
            Some((Key::MaxInFlightRequestsPerConnection, needed))
        } else {
            None
        }
    }

    /// What is refused by itself: a setting where it does not belong, one that the release does
    /// not have, and what ELR forbids (R5.24).
    pub(super) fn check_one(
        &self,
        scope: &Scope,
        key: Key,
        value: Option<Value>,
    ) -> Result<(), SettingError> {
        let spec = key.spec();
        let given = match value {
            Some(value) => {
                format!("{}={}", spec.name_in(self.release()), spec.print_in(value, self.release()))
            }
            None => format!("{}=default", spec.name_in(self.release())),
        };
        let refused = |reason: Phrase, accepted: Phrase| {
            Err(SettingError { reason: reason.of(&[&given]), accepted: accepted.into() })
        };
        let here = |reason: Phrase| reason.of(&[&given, &self.release()]);
        let belongs = match scope {
            Scope::Cluster | Scope::Broker(_) => spec.owners.contains(Owner::Broker),
            Scope::Topic(_) => spec.owners.contains(Owner::Topic),
            Scope::Client(_) => [Owner::Producer, Owner::ScalaProducer, Owner::Consumer]
                .into_iter()
                .any(|o| spec.owners.contains(o)),
        };
        if !belongs {
            return refused(Phrase::WrongPlace, Phrase::AnotherPlace);
        }
        if spec.default(self.release()).is_none() {
            let accepted = Phrase::AnotherRelease.into();
            return Err(SettingError { reason: here(Phrase::NotInRelease), accepted });
        }
        let (min, max) = spec.range(self.release());
        if value.is_some_and(|v| v.0 < min || v.0 > max) {
            let reason = here(Phrase::OutOfRangeInRelease);
            return Err(SettingError { reason, accepted: spec.accepted(self.release()) });
        }
        let feature = key == Key::EligibleLeaderReplicasVersion;
        if feature && matches!(scope, Scope::Broker(_)) {
            return refused(Phrase::ClusterFeature, Phrase::SetForCluster);
        }
        if key == Key::MinInsyncReplicas && self.elr() {
            match (scope, value) {
                (Scope::Broker(_), Some(_)) => {
                    let accepted = Phrase::SetForClusterOrTopic;
                    return refused(Phrase::NotOnOneBroker, accepted);
                }
                (Scope::Cluster, None) => {
                    return refused(Phrase::NotTakenBack, Phrase::NumberForElr);
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Whether eligible leader replicas are on.
    fn elr(&self) -> bool {
        self.cluster().is(Key::EligibleLeaderReplicasVersion)
    }

    /// What is refused together.
    pub(super) fn check_scope(&self, scope: &Scope) -> Result<(), SettingError> {
        match scope {
            Scope::Topic(_) => Ok(()),
            Scope::Client(_) => self.check_client(scope),
            Scope::Broker(id) => self.check_broker(Some(*id)),
            Scope::Cluster => {
                let brokers = self.given.keys().filter_map(|s| match s {
                    Scope::Broker(id) => Some(Some(*id)),
                    _ => None,
                });
                core::iter::once(None).chain(brokers).try_for_each(|b| self.check_broker(b))
            }
        }
    }

    fn check_broker(&self, broker: Option<BrokerId>) -> Result<(), SettingError> {
        use Key::{BrokerHeartbeatIntervalMs, BrokerSessionTimeoutMs};
        use Key::{ReplicaFetchWaitMaxMs, ReplicaLagTimeMaxMs, ReplicaSocketTimeoutMs};
        let (values, whose) = match broker {
            Some(id) => (self.broker(id), Scope::Broker(id)),
            None => (self.cluster(), Scope::Cluster),
        };
        if let Some(id) = broker
            && self.elr()
            && self.given(&whose, Key::MinInsyncReplicas).is_some()
        {
            return Err(SettingError {
                reason: Phrase::BrokerHasMinIsr.of(&[&"eligible.leader.replicas.version=1", &id]),
                accepted: Phrase::TakeBackFirst.into(),
            });
        }
        if self.release() >= Release::V3_9 {
            self.below(&values, BrokerHeartbeatIntervalMs, BrokerSessionTimeoutMs, true)?;
        }
        self.below(&values, ReplicaFetchWaitMaxMs, ReplicaSocketTimeoutMs, false)?;
        if self.release() >= Release::V0_11 {
            self.below(&values, ReplicaFetchWaitMaxMs, ReplicaLagTimeMaxMs, false)?;
        }
        Ok(())
    }

    fn check_client(&self, scope: &Scope) -> Result<(), SettingError> {
        let mut values = self.resolved(&[scope]);
        if self.release() > Release::V0_8_2 {
            self.below(&values, Key::HeartbeatIntervalMs, Key::SessionTimeoutMs, true)?;
        }
        if self.given(scope, Key::DeliveryTimeoutMs).is_some() {
            let least = least_delivery_timeout(&values);
            let delivery = values.get(Key::DeliveryTimeoutMs);
            if delivery < least {
                let given = format!("delivery.timeout.ms={delivery}");
                return Err(SettingError {
                    reason: Phrase::DeliveryTooShort.of(&[&given]),
                    accepted: Phrase::MillisecondsOrMore.of(&[&least]),
                });
            }
        }
        if self.given(scope, Key::EnableIdempotence) == Some(Value(1)) {
            self.resolve_producer(scope, &mut values);
            if let Some((key, needed)) = self.against_idempotence(&values) {
                let value = key.spec().print_in(Value(values.get(key)), self.release());
                let given = format!("{}={value}", key.spec().name);
                let reason = Phrase::AgainstIdempotence.of(&[&given]);
                return Err(SettingError { reason, accepted: needed });
            }
        }
        Ok(())
    }

    /// Refuses `low` where it is above `high`, or `strict`ly not below it.
    fn below(
        &self,
        values: &Values,
        low: Key,
        high: Key,
        strict: bool,
    ) -> Result<(), SettingError> {
        let (a, b) = (values.get(low), values.get(high));
        if a < b || (a == b && !strict) {
            return Ok(());
        }
        let (low, high) = (low.spec().name_in(self.release()), high.spec().name_in(self.release()));
        let than = if strict { Phrase::LessThan } else { Phrase::NotMoreThan };
        Err(SettingError {
            reason: Phrase::DoesNotGoWith.of(&[&format!("{low}={a}"), &high, &b]),
            accepted: than.of(&[&low, &high]),
        })
    }
}

/// What `delivery.timeout.ms` has to hold, in milliseconds (R6.7).
pub(super) fn least_delivery_timeout(values: &Values) -> i64 {
    values.get(Key::LingerMs).saturating_add(values.get(Key::ProducerRequestTimeoutMs))
}
