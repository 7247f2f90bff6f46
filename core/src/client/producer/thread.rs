//! The producer's two threads: the application's, which `send` holds while a record waits for metadata
//! or memory, and the sender's, which sleeps until something is due and never longer than a request
//! may take (R6.6, R6.21).

use super::Producer;
use crate::client::backoff::Backoff;
use crate::client::bootstrap::Refresh;
use crate::client::connections::{Choice, Policy};
use crate::client::{ClientEffects, ClientTimer};
use crate::settings::Key;
use crate::settings::rules::{RequestTimeout, RetryBackoff};
use crate::wire::message::Body;
use crate::words::{BrokerId, Micros};

/// After how long the operating system gives up a connection on which nothing is acknowledged (Linux:
/// `tcp_retries2` 15), where the client does not look itself.
const SYSTEM_TIMEOUT: Micros = Micros::from_secs(924);

impl Producer {
    /// What its connections go by.
    pub(super) fn policy(&self) -> Policy {
        let values = &self.values;
        let first = values.ms(Key::ProducerReconnectBackoffMs);
        let max = values.known_ms(Key::ProducerReconnectBackoffMaxMs).unwrap_or(first);
        let setup = values.known_ms(Key::SocketConnectionSetupTimeoutMs).map(|first| {
            let max = values.known_ms(Key::SocketConnectionSetupTimeoutMaxMs).unwrap_or(first);
            Backoff { first, max }
        });
        let request = match self.rules.request_timeout {
            RequestTimeout::None => SYSTEM_TIMEOUT,
            _ => values.ms(Key::ProducerRequestTimeoutMs),
        };
        Policy { request, reconnect: Backoff { first, max }, setup }
    }

    /// When it asks for metadata.
    pub(super) fn refresh_policy(&self) -> Refresh {
        Refresh {
            max_age: self.values.ms(Key::ProducerMetadataMaxAgeMs),
            backoff: self.retry_backoff(),
            slows_down: self.rules.retry_backoff == RetryBackoff::Exponential,
            asks_on_errors: self.rules.metadata_errors && self.knows_topic,
            rebootstraps: self.rules.rebootstrap,
        }
    }

    /// How long it waits before it tries something again.
    pub(super) fn retry_backoff(&self) -> Backoff {
        let first = self.values.ms(Key::ProducerRetryBackoffMs);
        match self.rules.retry_backoff {
            RetryBackoff::Fixed => Backoff::fixed(first),
            RetryBackoff::Exponential => {
                Backoff { first, max: self.values.ms(Key::ProducerRetryBackoffMaxMs) }
            }
        }
    }

    /// The application goes on. The sender's thread is woken by what is new to it: a batch, or a
    /// caller that waits for metadata.
    pub(super) fn call(&mut self, fx: &mut ClientEffects) {
        let before = self.caller_at;
        if self.accept(fx) || (self.caller_at != before && self.lacks_metadata()) {
            self.poll(fx);
        } else {
            self.set_timer(fx);
        }
    }

    /// Whether nothing can be sent before the topic is known.
    pub(super) fn lacks_metadata(&self) -> bool {
        self.bootstrap.partitions(&self.topic).is_empty()
    }

    /// A timer fired: whose thread is it for?
    pub fn wake(&mut self, fx: &mut ClientEffects) {
        if self.sender_at <= fx.now {
            self.poll(fx);
        } else if self.caller_at <= fx.now {
            self.call(fx);
        } else {
            self.set_timer(fx);
        }
    }

    fn set_timer(&mut self, fx: &mut ClientEffects) {
        fx.wake_by(self.sender_at.min(self.caller_at), ClientTimer::Poll);
    }

    /// One round of the sender's thread: it looks at everything that waits for a time, sends what
    /// can be sent, and sleeps until something of its own is due (`Sender.runOnce`).
    pub fn poll(&mut self, fx: &mut ClientEffects) {
        let policy = self.policy();
        while let Some(ended) = self.connections.overdue(&policy, fx) {
            self.ended(&ended, fx);
        }
        let mut next = self.expire(fx);
        self.accept(fx);
        // Metadata comes first (`NetworkClient.isReady`).
        let refresh = self.refresh_policy();
        next = next.min(self.bootstrap.poll(&refresh, &policy, &mut self.connections, fx));
        next = next.min(self.drain(&policy, fx));
        if self.bootstrap.is_wanted() {
            next = next.min(self.bootstrap.poll(&refresh, &policy, &mut self.connections, fx));
        }
        next = next.min(self.ask_identity(&policy, fx));
        let setup = self.connections.setup_deadline();
        if self.asked_identity.is_some() {
            // It looks around each `retry.backoff.ms` meanwhile.
            next = next.min(self.connections.deadline());
        } else if self.bootstrap.is_asking() {
            next = next.min(setup);
        }
        if !self.is_idle() || self.connections.deadline() < Micros::NEVER {
            next = next.min(fx.now + policy.request);
        }
        self.sender_at = next;
        self.set_timer(fx);
    }

    /// An idempotent producer needs an id before it sends (R6.15).
    fn ask_identity(&mut self, policy: &Policy, fx: &mut ClientEffects) -> Micros {
        let wanted = self.values.is(Key::EnableIdempotence) && self.identity.is_none();
        if !wanted || self.asked_identity.is_some() {
            return Micros::NEVER;
        }
        if fx.now < self.identity_not_before {
            return self.identity_not_before;
        }
        match self.bootstrap.any_broker(&self.connections, fx.now) {
            (lane, Choice::Ask(broker)) => {
                let body = Body::InitProducerId(());
                let asked = self.connections.request((lane, broker), body, fx.cause(), policy, fx);
                self.asked_identity = Some(asked);
                Micros::NEVER
            }
            (_, Choice::BacksOff(_)) => {
                self.identity_not_before =
                    fx.now + self.values.ms(Key::ProducerRetryBackoffMs).max(Micros(1000));
                self.identity_not_before
            }
        }
    }

    /// A broker's machine has accepted a connection.
    pub fn accepted(&mut self, broker: BrokerId, connection: u32, fx: &mut ClientEffects) {
        self.connections.accepted(broker, connection, fx.now);
        self.poll(fx);
    }
}
