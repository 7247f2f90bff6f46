//! Requests to the controller: registration, heartbeats, ISR changes, metadata.

use super::lifecycle::Phase;
use super::node::{BrokerEffects, BrokerTimer};
use super::running::Running;
use crate::settings::Key;
use crate::settings::rules::{Coordination, DirectoryReport};
use crate::wire::event::EventKind;
use crate::wire::message::{
    AssignReplicasToDirs, Body, BrokerHeartbeat, BrokerRegistrationRequest, HeartbeatAnswer,
    MetadataAnswer, MetadataFetch, RegistrationAnswer,
};
use crate::wire::metadata::PartitionState;
use crate::words::{ErrorCode, Micros, Node};
use alloc::rc::Rc;
use alloc::vec::Vec;

/// While a broker catches up, its next heartbeat follows so soon (R5.6).
const STARTING_PACE: Micros = Micros::from_ms(10);
/// After the first "not yet" to a controlled shutdown (R5.6).
const SHUTDOWN_PACE: Micros = Micros::from_ms(50);
/// Before metadata is asked for again.
const METADATA_BACKOFF: Micros = Micros::from_ms(50);

/// What is under way between a broker and the controller.
#[derive(Clone, Debug, Default)]
pub(super) struct ControllerLink {
    /// Requests without answer.
    outstanding: Vec<Outstanding>,
    /// How often the controller has said "not yet" to a shutdown.
    shutdown_waits: u32,
    next_heartbeat: Micros,
}

#[derive(Clone, Copy, Debug)]
struct Outstanding {
    correlation: u32,
    asked: Asked,
    to: Node,
    deadline: Micros,
}

/// What a broker asks of the controller, or of ZooKeeper.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Asked {
    Registration,
    Heartbeat,
    AlterPartition,
    Metadata,
    Directories,
    /// With ZooKeeper: to become the controller.
    Election,
    /// With ZooKeeper: of the controller, to be shut down.
    Shutdown,
    /// With ZooKeeper: to hold a notification for the controller.
    IsrNotice,
}

impl ControllerLink {
    pub(super) fn waits_for(&self, asked: Asked) -> bool {
        self.outstanding.iter().any(|o| o.asked == asked)
    }

    fn take(&mut self, correlation: u32) -> bool {
        let before = self.outstanding.len();
        self.outstanding.retain(|o| o.correlation != correlation);
        self.outstanding.len() < before
    }
}

impl Running<'_> {
    pub(super) fn ask(&mut self, asked: Asked, to: Node, body: Body, fx: &mut BrokerEffects) {
        let coordination = self.rules.coordination;
        let process = &mut *self.process;
        let correlation = process.correlation();
        let patience = match (coordination, to) {
            (Coordination::KRaft, _) => process.values.ms(Key::ControllerQuorumRequestTimeoutMs),
            // ZooKeeper's client gives a connection up after two thirds of the session's time.
            (Coordination::ZooKeeper, Node::Controller) => {
                Micros(process.values.ms(Key::ZookeeperSessionTimeoutMs).0 * 2 / 3)
            }
            (Coordination::ZooKeeper, _) => process.values.ms(Key::ReplicaSocketTimeoutMs),
        };
        let deadline = fx.now + patience;
        process.controller.outstanding.push(Outstanding { correlation, asked, to, deadline });
        fx.send(to, correlation, body, fx.cause());
        fx.wake_by(deadline, BrokerTimer::RequestTimeouts);
    }

    /// Gives up requests whose answer is overdue.
    pub(super) fn time_out_requests(&mut self, fx: &mut BrokerEffects) {
        let now = fx.now;
        let (late, next_fetch) = self.overdue_fetches(now);
        for leader in late {
            self.fetcher_disconnected(leader, fx);
        }
        let late = |o: &&Outstanding| o.deadline <= now;
        while let Some(to) = self.process.controller.outstanding.iter().find(late).map(|o| o.to) {
            self.controller_disconnected(to, fx);
            if self.process.ended {
                // It had asked to be shut down, and stops without an answer (R5.13).
                return;
            }
        }
        let controller = self.process.controller.outstanding.iter().map(|o| o.deadline).min();
        if let Some(next) = [next_fetch, controller].into_iter().flatten().min() {
            fx.wake_by(next, BrokerTimer::RequestTimeouts);
        }
    }

    /// Who was asked is not there: everything is asked again in its own time (R5.3).
    pub(super) fn controller_disconnected(&mut self, peer: Node, fx: &mut BrokerEffects) {
        let interval = match self.rules.coordination {
            Coordination::KRaft => self.process.values.ms(Key::BrokerHeartbeatIntervalMs),
            Coordination::ZooKeeper => self.ping_interval(),
        };
        let outstanding = &mut self.process.controller.outstanding;
        let lost: Vec<Outstanding> = outstanding.iter().filter(|o| o.to == peer).copied().collect();
        outstanding.retain(|o| o.to != peer);
        for Outstanding { asked, .. } in lost {
            if self.process.ended {
                return;
            }
            match asked {
                Asked::Registration | Asked::Heartbeat => {
                    self.wait_for_heartbeat(fx.now + interval, fx);
                }
                Asked::AlterPartition => self.alter_again(fx),
                Asked::Metadata => {
                    fx.timer(fx.now + METADATA_BACKOFF, BrokerTimer::MetadataAgain);
                }
                Asked::Shutdown => self.shutdown_waits(fx),
                Asked::Directories | Asked::Election | Asked::IsrNotice => {}
            }
        }
    }

    /// Any answer of the controller.
    pub(super) fn on_controller_response(
        &mut self,
        correlation: u32,
        body: Body,
        fx: &mut BrokerEffects,
    ) {
        if let Body::SetDataResponse(r) = &body
            && self.on_states_written(correlation, r, fx)
        {
            return;
        }
        if !self.process.controller.take(correlation) {
            return;
        }
        let kraft = self.rules.coordination == Coordination::KRaft;
        match body {
            Body::BrokerRegistrationResponse(r) if kraft => self.registered(r, fx),
            Body::BrokerRegistrationResponse(r) => self.registered_in_zookeeper(r, fx),
            Body::BrokerHeartbeatResponse(r) if kraft => self.heard_heartbeat(r, fx),
            Body::BrokerHeartbeatResponse(r) => self.heard_ping(r, fx),
            Body::AlterPartitionResponse(r) => self.on_alter_partition_response(&r, fx),
            Body::SetDataResponse(r) => self.on_isrs_written(&r, fx),
            Body::MetadataFetchResponse(r) => self.on_metadata_fetch_response(&r, fx),
            Body::ControlledShutdownResponse(left) => self.heard_shutdown(left, fx),
            _ => {}
        }
    }

    // Registration and heartbeats (R5.5, R5.6).

    pub(super) fn register(&mut self, fx: &mut BrokerEffects) {
        if self.process.controller.waits_for(Asked::Registration) {
            return;
        }
        let body = Body::BrokerRegistration(BrokerRegistrationRequest {
            broker: self.id,
            incarnation: self.process.session_id(),
            previous_broker_epoch: self.disk.clean_mark.map_or(-1, |m| m.0),
            directory: self.disk.directory,
        });
        self.ask(Asked::Registration, Node::Controller, body, fx);
    }

    fn registered(&mut self, r: RegistrationAnswer, fx: &mut BrokerEffects) {
        if r.error != ErrorCode::None {
            let interval = self.process.values.ms(Key::BrokerHeartbeatIntervalMs);
            self.next_heartbeat_in(interval, fx);
            return;
        }
        self.process.broker_epoch = r.broker_epoch;
        self.send_heartbeat(fx);
    }

    fn next_heartbeat_in(&mut self, wait: Micros, fx: &mut BrokerEffects) {
        self.wait_for_heartbeat(fx.now + wait, fx);
    }

    pub(super) fn wait_for_heartbeat(&mut self, at: Micros, fx: &mut BrokerEffects) {
        self.process.controller.next_heartbeat = at;
        fx.timer(at, BrokerTimer::Heartbeat);
    }

    /// Time to register, or to say that it lives.
    pub(super) fn send_heartbeat(&mut self, fx: &mut BrokerEffects) {
        let process = &mut *self.process;
        if process.phase == Phase::Booting || process.controller.next_heartbeat > fx.now {
            return;
        }
        if process.broker_epoch < 0 {
            self.register(fx);
            return;
        }
        if process.controller.waits_for(Asked::Heartbeat) {
            return;
        }
        if self.rules.coordination == Coordination::ZooKeeper {
            self.ping(fx);
            return;
        }
        let body = Body::BrokerHeartbeat(BrokerHeartbeat {
            broker: self.id,
            broker_epoch: process.broker_epoch,
            metadata_offset: process.image.offset - 1,
            want_fence: !process.phase.serves(),
            want_shutdown: process.phase == Phase::Stopping,
        });
        self.ask(Asked::Heartbeat, Node::Controller, body, fx);
    }

    /// Sends a heartbeat now, whenever the next one was due.
    pub(super) fn send_heartbeat_now(&mut self, fx: &mut BrokerEffects) {
        self.process.controller.next_heartbeat = Micros::ZERO;
        self.send_heartbeat(fx);
    }

    fn heard_heartbeat(&mut self, r: HeartbeatAnswer, fx: &mut BrokerEffects) {
        let interval = self.process.values.ms(Key::BrokerHeartbeatIntervalMs);
        if r.error != ErrorCode::None {
            self.next_heartbeat_in(interval, fx);
            return;
        }
        match self.process.phase {
            Phase::Starting if r.caught_up => {
                self.next_heartbeat_in(interval, fx);
                self.recover(fx);
            }
            Phase::Starting => self.next_heartbeat_in(STARTING_PACE, fx),
            Phase::Ready if !r.fenced => {
                self.process.phase = Phase::Running;
                fx.event(EventKind::Running {});
                self.next_heartbeat_in(interval, fx);
            }
            Phase::Stopping if r.should_shutdown => self.finish_stop(fx),
            Phase::Stopping => {
                let link = &mut self.process.controller;
                link.shutdown_waits += 1;
                let pace = if link.shutdown_waits == 1 { SHUTDOWN_PACE } else { interval };
                self.next_heartbeat_in(pace, fx);
            }
            _ => self.next_heartbeat_in(interval, fx),
        }
    }

    /// The logs are loaded: asks to be unfenced, and reports a new disk before or after that
    /// (R5.39).
    pub(super) fn ask_to_unfence(&mut self, fx: &mut BrokerEffects) {
        if self.rules.directory_report == DirectoryReport::BeforeUnfence {
            self.report_directories(fx);
        }
        self.send_heartbeat_now(fx);
        if self.rules.directory_report == DirectoryReport::AfterUnfence {
            self.report_directories(fx);
        }
    }

    fn report_directories(&mut self, fx: &mut BrokerEffects) {
        let (id, directory) = (self.id, self.disk.directory);
        let process = &mut *self.process;
        let elsewhere = |s: &Rc<PartitionState>| s.directory_of(id).is_some_and(|d| d != directory);
        if process.image.partitions.iter().any(elsewhere) {
            let broker_epoch = process.broker_epoch;
            let report = AssignReplicasToDirs { broker: id, broker_epoch, directory };
            let body = Body::AssignReplicasToDirs(report);
            self.ask(Asked::Directories, Node::Controller, body, fx);
        }
    }

    // Metadata.

    pub(super) fn fetch_metadata(&mut self, fx: &mut BrokerEffects) {
        let coordination = self.rules.coordination;
        let process = &mut *self.process;
        if process.controller.waits_for(Asked::Metadata) {
            return;
        }
        let (offset, all) = match coordination {
            Coordination::KRaft => (process.image.offset, true),
            Coordination::ZooKeeper => (process.zk.watched, process.zk.controller.is_some()),
        };
        let body = Body::MetadataFetch(MetadataFetch { broker: self.id, offset, all });
        self.ask(Asked::Metadata, Node::Controller, body, fx);
    }

    fn on_metadata_fetch_response(&mut self, r: &MetadataAnswer, fx: &mut BrokerEffects) {
        if self.rules.coordination == Coordination::ZooKeeper {
            self.take_watched(r, fx);
            if !self.process.ended {
                self.fetch_metadata(fx);
            }
            return;
        }
        if r.offset == self.process.image.offset && !r.records.is_empty() {
            fx.caused_by(fx.cause(), |fx| self.apply_metadata(&r.records, fx));
        }
        // A heartbeat waits for metadata while the broker catches up (R5.6).
        self.fetch_metadata(fx);
    }
}
