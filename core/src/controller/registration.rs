//! Brokers come, live and go (R5.5, R5.6, R5.28, R5.29).

use super::liveness::{self, BrokerControlState, HeartbeatTest};
use super::{Controller, ControllerEffects};
use crate::partition::change::{Change, Changed};
use crate::settings::rules::DuplicateRegistration;
use crate::wire::event::EventKind;
use crate::wire::message::{
    AssignReplicasToDirs, BrokerHeartbeat, BrokerRegistrationRequest, HeartbeatAnswer,
    RegistrationAnswer,
};
use crate::wire::metadata::{BrokerState, MetadataRecord, PartitionState};
use crate::words::{BrokerId, ErrorCode, PartitionId};
use alloc::vec::Vec;

impl Controller {
    /// A process registers (R5.5, R5.29).
    pub(super) fn register(
        &mut self,
        r: BrokerRegistrationRequest,
        fx: &mut ControllerEffects,
    ) -> RegistrationAnswer {
        let broker = r.broker;
        let known = self.log.image.brokers.get(&broker).copied();
        if let Some(known) = known
            && known.incarnation == r.incarnation
        {
            // The answer was lost; the registration stands.
            return RegistrationAnswer { error: ErrorCode::None, broker_epoch: known.epoch };
        }
        let clean = known.is_none_or(|k| k.epoch == r.previous_broker_epoch);
        let leaving = match known {
            Some(known) if self.holds_session(broker, &known, fx) => {
                Err(ErrorCode::DuplicateBrokerRegistration)
            }
            _ => self.left_by_registration(broker, clean),
        };
        let leaving = match leaving {
            Ok(leaving) => leaving,
            Err(error) => {
                fx.event(EventKind::RegistrationRefused { broker, error });
                return RegistrationAnswer { error, broker_epoch: -1 };
            }
        };
        let broker_epoch = self.log.image.offset;
        let shutdown = if clean { "clean" } else { "unclean" };
        fx.chain(EventKind::Registered { broker, broker_epoch, shutdown });
        let state = BrokerState {
            epoch: broker_epoch,
            incarnation: r.incarnation,
            fenced: true,
            shutting_down: false,
            directory: r.directory,
        };
        self.append(MetadataRecord::Broker(broker, state), fx.cause());
        self.heartbeats.touch(broker, broker_epoch, -1, fx.now);
        self.make_all(leaving, fx);
        RegistrationAnswer { error: ErrorCode::None, broker_epoch }
    }

    /// Whether the former process may still live (R5.5).
    fn holds_session(&self, broker: BrokerId, known: &BrokerState, fx: &ControllerEffects) -> bool {
        let timeout = self.session_timeout();
        let heard = self.heartbeats.has_session(broker, known.epoch, fx.now, timeout);
        match self.rules.duplicate_registration {
            DuplicateRegistration::Unfenced => heard && !known.fenced,
            DuplicateRegistration::HeardOf => heard,
        }
    }

    /// What a new incarnation takes from its partitions (R5.29).
    fn left_by_registration(
        &self,
        broker: BrokerId,
        clean: bool,
    ) -> Result<Vec<(PartitionId, Changed)>, ErrorCode> {
        self.left_by(broker, &|id, s, election| {
            let stop = (clean, self.cleared_elrs.contains(id, broker));
            Change::registered(&self.rules, s, broker, stop, election)
        })
    }

    /// A broker lives, and wants to be what it says (R5.6).
    pub(super) fn heartbeat(
        &mut self,
        r: BrokerHeartbeat,
        fx: &mut ControllerEffects,
    ) -> HeartbeatAnswer {
        let refused = |error| HeartbeatAnswer {
            error,
            caught_up: false,
            fenced: true,
            should_shutdown: false,
        };
        let Some(known) = self.log.image.brokers.get(&r.broker).copied() else {
            return refused(ErrorCode::BrokerIdNotRegistered);
        };
        if known.epoch != r.broker_epoch {
            return refused(ErrorCode::StaleBrokerEpoch);
        }
        self.heartbeats.touch(r.broker, r.broker_epoch, r.metadata_offset, fx.now);
        let caught_up = r.metadata_offset >= known.epoch;
        let next = liveness::next_state(HeartbeatTest {
            current: control_state(&known),
            want_fence: r.want_fence,
            want_shutdown: r.want_shutdown,
            caught_up,
            leads: self.log.image.partitions.iter().any(|s| s.leader == Some(r.broker)),
            shutdown_known: self.is_shutdown_known(r.broker),
        });
        match next {
            BrokerControlState::Fenced => self.fence(r.broker, fx),
            BrokerControlState::Unfenced => self.unfence(r.broker, fx),
            BrokerControlState::ControlledShutdown => self.begin_shutdown(r.broker, fx),
            BrokerControlState::ShutdownNow => self.fence(r.broker, fx),
        }
        let fenced = self.log.image.brokers.get(&r.broker).is_none_or(|b| b.fenced);
        let should_shutdown = next == BrokerControlState::ShutdownNow;
        HeartbeatAnswer { error: ErrorCode::None, caught_up, fenced, should_shutdown }
    }

    /// Whether every active broker has followed the log up to the broker's shutdown (R5.6).
    fn is_shutdown_known(&self, broker: BrokerId) -> bool {
        let contact = self.heartbeats.contact(broker);
        let Some(offset) = contact.and_then(|c| c.shutdown_offset) else { return true };
        let active =
            self.log.image.brokers.iter().filter(|(_, b)| b.is_active()).map(|(id, _)| *id);
        self.heartbeats.lowest_offset(active).is_none_or(|lowest| offset <= lowest)
    }

    /// Nobody may count on `broker` any more (R5.28).
    pub(super) fn fence(&mut self, broker: BrokerId, fx: &mut ControllerEffects) {
        let Some(state) = self.log.image.brokers.get(&broker).copied().filter(|b| !b.fenced) else {
            return;
        };
        fx.chain(EventKind::Fenced { broker });
        let state = BrokerState { fenced: true, shutting_down: false, ..state };
        self.append(MetadataRecord::Broker(broker, state), fx.cause());
        self.remove_from_isrs(broker, fx);
    }

    fn unfence(&mut self, broker: BrokerId, fx: &mut ControllerEffects) {
        let Some(state) = self.log.image.brokers.get(&broker).copied().filter(|b| b.fenced) else {
            return;
        };
        fx.chain(EventKind::Unfenced { broker });
        let state = BrokerState { fenced: false, ..state };
        self.append(MetadataRecord::Broker(broker, state), fx.cause());
        self.elect_leaderless(fx);
    }

    /// Leaderships move while the broker still serves (R5.28).
    fn begin_shutdown(&mut self, broker: BrokerId, fx: &mut ControllerEffects) {
        let known = self.log.image.brokers.get(&broker).copied();
        let Some(state) = known.filter(|b| !b.shutting_down) else { return };
        fx.chain(EventKind::ControlledShutdown { broker });
        let state = BrokerState { shutting_down: true, ..state };
        self.append(MetadataRecord::Broker(broker, state), fx.cause());
        self.remove_from_isrs(broker, fx);
        // The last record of the shutdown; heartbeats carry the last record that was applied.
        let end = self.log.image.offset - 1;
        if let Some(contact) = self.heartbeats.contact_mut(broker) {
            contact.shutdown_offset = Some(end);
        }
    }

    /// A broker says where its replicas are; that runs no election (R5.39).
    pub(super) fn assign_directories(&mut self, r: AssignReplicasToDirs) -> ErrorCode {
        let known = self.log.image.brokers.get(&r.broker);
        if known.is_none_or(|b| b.epoch != r.broker_epoch) {
            return ErrorCode::StaleBrokerEpoch;
        }
        let elsewhere =
            |s: &PartitionState| s.directory_of(r.broker).is_some_and(|d| d != r.directory);
        for id in self.partitions_where(&elsewhere) {
            let mut state = PartitionState::clone(self.log.image.partition(id).expect("listed"));
            let at = state.replicas.iter().position(|b| *b == r.broker).expect("a replica");
            state.directories[at] = r.directory;
            state.stored = state.recorded(false);
            self.store(id, state);
        }
        ErrorCode::None
    }
}

fn control_state(broker: &BrokerState) -> BrokerControlState {
    if broker.fenced {
        BrokerControlState::Fenced
    } else if broker.shutting_down {
        BrokerControlState::ControlledShutdown
    } else {
        BrokerControlState::Unfenced
    }
}
