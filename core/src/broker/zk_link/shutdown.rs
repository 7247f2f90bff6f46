//! Controlled shutdown: the broker asks the controller to move its leaderships (R5.13).

use crate::broker::controller_link::Asked;
use crate::broker::lifecycle::Phase;
use crate::broker::node::{BrokerEffects, BrokerTimer};
use crate::broker::running::Running;
use crate::settings::Key;
use crate::wire::message::Body;
use crate::words::{Micros, Node};

/// From the controller's permission to stop until the broker stops fetching: it closes its sockets
/// and ends its request handlers first. A real broker takes some tens of milliseconds.
const WINDING_UP: Micros = Micros::from_ms(20);

impl Running<'_> {
    /// Asks the controller to move the leaderships; without controller, later again. After so many
    /// tries as `controlled.shutdown.max.retries` says the broker stops anyway.
    pub(in crate::broker) fn ask_for_shutdown(&mut self, fx: &mut BrokerEffects) {
        let (id, process) = (self.id, &mut *self.process);
        if i64::from(process.zk.shutdown_tries)
            >= process.values.get(Key::ControlledShutdownMaxRetries)
        {
            self.finish_stop(fx);
            return;
        }
        process.zk.shutdown_tries += 1;
        match process.image.controller {
            Some(controller) => {
                let body = Body::ControlledShutdown(id);
                self.ask(Asked::Shutdown, Node::Broker(controller), body, fx);
            }
            None => self.shutdown_waits(fx),
        }
    }

    /// So many partitions are still led by this broker.
    pub(in crate::broker) fn heard_shutdown(&mut self, left: u32, fx: &mut BrokerEffects) {
        if left == 0 {
            fx.timer(fx.now + WINDING_UP, BrokerTimer::LetGo);
        } else {
            self.shutdown_waits(fx);
        }
    }

    /// Before it is asked again, and before the broker gives up.
    pub(in crate::broker) fn shutdown_waits(&mut self, fx: &mut BrokerEffects) {
        let backoff = self.process.values.ms(Key::ControlledShutdownRetryBackoffMs);
        fx.timer(fx.now + backoff, BrokerTimer::ShutdownAgain);
    }

    /// See [`Running::shutdown_waits`].
    pub(in crate::broker) fn shutdown_again(&mut self, fx: &mut BrokerEffects) {
        if self.process.phase == Phase::Stopping {
            self.ask_for_shutdown(fx);
        }
    }
}
