//! Connections to leaders: opened before batches leave, and again after a while (R6.6).

use super::Producer;
use crate::client::ClientEffects;
use crate::client::backoff::Backoff;
use crate::settings::Key;
use crate::wire::message::Body;
use crate::words::{BrokerId, Micros, Node};

/// A connection to a broker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Connection {
    /// Its first request is under way; given up at that time, after as many failures.
    Opening(u32, Micros, u32),
    /// Requests may be sent.
    Open,
    /// It broke; the next try is at that time, after as many failures.
    Broken(Micros, u32),
}

impl Producer {
    /// A connection is gone; the next try waits, longer each time (`reconnect.backoff.ms`).
    pub(super) fn broke(&mut self, broker: BrokerId, now: Micros) {
        let first = self.values.ms(Key::ProducerReconnectBackoffMs);
        let max = self.values.known_ms(Key::ProducerReconnectBackoffMaxMs).unwrap_or(first);
        let backoff = Backoff { first, max };
        if let Some(connection) = self.connections.get_mut(&broker) {
            let failures = match connection {
                Connection::Broken(_, failures) | Connection::Opening(_, _, failures) => *failures,
                Connection::Open => 0,
            } + 1;
            let wait = backoff.after(failures);
            *connection = Connection::Broken(now + wait, failures);
        }
    }

    /// Whether requests may be sent to a broker; opens the connection if not. An error is when to
    /// look again.
    pub(super) fn connected(
        &mut self,
        broker: BrokerId,
        fx: &mut ClientEffects,
    ) -> Result<(), Micros> {
        let timeout = self.values.ms(Key::ProducerRequestTimeoutMs);
        let known = self.connections.get(&broker);
        let failures = match known {
            Some(Connection::Broken(_, failures)) => *failures,
            _ => 0,
        };
        match known {
            Some(Connection::Open) => return Ok(()),
            Some(Connection::Opening(_, until, _)) if *until > fx.now => return Err(*until),
            Some(Connection::Broken(until, _)) if *until > fx.now => return Err(*until),
            _ => {}
        }
        self.next_correlation += 1;
        let (correlation, until) = (self.next_correlation, fx.now + timeout);
        self.connections.insert(broker, Connection::Opening(correlation, until, failures));
        fx.send(Node::Broker(broker), correlation, Body::ApiVersions(()), fx.cause);
        Err(until)
    }
}
