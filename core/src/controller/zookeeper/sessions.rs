//! Sessions, and the nodes that live as long as one: each broker's own, and the controller's (R5.1,
//! R5.2).

use super::ZooKeeper;
use crate::controller::{ControllerEffects, ControllerTimer};
use crate::settings::Key;
use crate::wire::event::EventKind;
use crate::wire::message::{
    BrokerHeartbeat, BrokerRegistrationRequest, ControllerElection, HeartbeatAnswer,
    RegistrationAnswer,
};
use crate::wire::metadata::{BrokerState, MetadataRecord};
use crate::words::{BrokerId, ErrorCode, EventId, Micros};

/// Sessions end in ticks: those that run out within one end together (R5.10).
const TICK: Micros = Micros::from_ms(100);

impl ZooKeeper {
    fn session_timeout(&self) -> Micros {
        self.values.ms(Key::ZookeeperSessionTimeoutMs)
    }

    pub(super) fn arm_session_look(&self, fx: &mut ControllerEffects) {
        let timeout = self.session_timeout();
        let next = self
            .sessions
            .next_expiry(self.log.image.unfenced(), timeout)
            .unwrap_or(fx.now + timeout);
        let tick = Micros(next.max(fx.now).0 / TICK.0 * TICK.0) + TICK;
        fx.timer(tick, ControllerTimer::SessionLook);
    }

    pub(super) fn look_at_sessions(&mut self, fx: &mut ControllerEffects) {
        let timeout = self.session_timeout();
        while let Some((broker, at)) =
            self.sessions.expired(self.log.image.unfenced(), fx.now, timeout)
        {
            let silent = fx.now.since(at);
            fx.chain(EventKind::SessionExpired { broker, silent });
            self.end_session(broker, fx);
        }
        self.arm_session_look(fx);
    }

    /// The session's nodes go: the broker's own, and the controller's if it is that.
    pub(super) fn end_session(&mut self, broker: BrokerId, fx: &mut ControllerEffects) {
        let Some(state) = self.log.image.brokers.get(&broker).filter(|b| !b.fenced) else { return };
        let state = BrokerState { fenced: true, ..*state };
        let why = fx.event(EventKind::Fenced { broker });
        self.log.append(MetadataRecord::Broker(broker, state), why);
        if self.log.image.controller == Some(broker) {
            let epoch = self.log.image.controller_epoch;
            let why = fx.event_because(EventKind::ControllerGone { broker }, [why, EventId::NONE]);
            self.log.append(MetadataRecord::Controller(None, epoch), why);
            for command in &mut self.commands {
                command.sent_to = None;
            }
        }
    }

    /// Creates the broker's node, unless that of an earlier session is there (R5.1).
    pub(super) fn register(
        &mut self,
        r: BrokerRegistrationRequest,
        fx: &mut ControllerEffects,
    ) -> RegistrationAnswer {
        let broker = r.broker;
        let known = self.log.image.brokers.get(&broker).filter(|b| !b.fenced);
        if let Some(known) = known {
            if known.incarnation == r.incarnation {
                return RegistrationAnswer { error: ErrorCode::None, broker_epoch: known.epoch };
            }
            let error = ErrorCode::DuplicateBrokerRegistration;
            fx.event(EventKind::RegistrationRefused { broker, error });
            return RegistrationAnswer { error, broker_epoch: -1 };
        }
        let broker_epoch = self.log.image.offset;
        let shutdown = if r.previous_broker_epoch >= 0 { "clean" } else { "unclean" };
        let why = fx.event(EventKind::Registered { broker, broker_epoch, shutdown });
        let state = BrokerState::up(broker_epoch, r.incarnation, r.directory);
        self.log.append(MetadataRecord::Broker(broker, state), why);
        self.sessions.touch(broker, broker_epoch, -1, fx.now);
        RegistrationAnswer { error: ErrorCode::None, broker_epoch }
    }

    pub(super) fn has_session(&self, broker: BrokerId, epoch: i64) -> bool {
        self.log.image.brokers.get(&broker).is_some_and(|b| !b.fenced && b.epoch == epoch)
    }

    /// A session lives, or is closed.
    pub(super) fn ping(
        &mut self,
        r: BrokerHeartbeat,
        fx: &mut ControllerEffects,
    ) -> HeartbeatAnswer {
        let known = self.has_session(r.broker, r.broker_epoch);
        if known && r.want_shutdown {
            self.end_session(r.broker, fx);
        } else if known {
            self.sessions.touch(r.broker, r.broker_epoch, r.metadata_offset, fx.now);
        }
        HeartbeatAnswer {
            error: if known { ErrorCode::None } else { ErrorCode::StaleBrokerEpoch },
            caught_up: true,
            fenced: !known,
            should_shutdown: false,
        }
    }

    /// Creates the controller's node; the first one to ask does (R5.2).
    pub(super) fn elect(&mut self, r: ControllerElection, fx: &mut ControllerEffects) -> ErrorCode {
        if !self.has_session(r.broker, r.broker_epoch) {
            return ErrorCode::StaleBrokerEpoch;
        }
        if self.log.image.controller.is_none() {
            let (broker, epoch) = (r.broker, self.log.image.controller_epoch + 1);
            let why = fx.event(EventKind::ControllerElected { broker, epoch });
            self.log.append(MetadataRecord::Controller(Some(broker), epoch), why);
            self.send_commands(fx);
        }
        ErrorCode::None
    }
}
