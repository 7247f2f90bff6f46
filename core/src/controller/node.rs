use super::elr_index::ClearedElrs;
use super::liveness::Heartbeats;
use super::metadata_log::MetadataLog;
use super::{ControllerEffects, ControllerTimer};
use crate::settings::rules::ControllerTasks;
use crate::settings::{Layers, Rules, Values};
use crate::wire::Message;
use crate::wire::event::EventKind;
use crate::wire::message::Body;
use crate::wire::metadata::{MetadataImage, MetadataRecord, PartitionState};
use crate::words::{BrokerId, EventId, Map, Node, Rng};
use alloc::rc::Rc;
use alloc::string::String;

/// The active controller of a KRaft quorum, which keeps the cluster's one truth as a log (R5.17).
/// The quorum itself is not modelled: its majority is up or it is not.
#[derive(Clone, Debug)]
pub struct Controller {
    /// The metadata log, which survives the process.
    pub(super) log: MetadataLog,
    pub(super) rules: Rules,
    /// Settings at cluster level, as the controller reads them.
    pub(super) values: Values,
    pub(super) heartbeats: Heartbeats,
    pub(super) active: bool,
    pub(super) rng: Rng,
    pub(super) racks: Map<BrokerId, String>,
    pub(super) cleared_elrs: ClearedElrs,
    /// Whether the task of [`ControllerTasks::Armed`] is armed.
    pub(super) rebalance_armed: bool,
    pub(super) unclean_armed: bool,
}

impl Controller {
    /// A controller over an empty log. `seed` decides automatic placement.
    pub fn new(
        settings: Rc<Layers>,
        rules: Rules,
        seed: u64,
        racks: Map<BrokerId, String>,
    ) -> Controller {
        Controller::over(MetadataImage::new(settings), rules, seed, racks)
    }

    /// A controller that goes on from a snapshot of the log.
    pub fn over(
        image: MetadataImage,
        rules: Rules,
        seed: u64,
        racks: Map<BrokerId, String>,
    ) -> Controller {
        Controller {
            values: image.settings.cluster(),
            log: MetadataLog::over(image),
            rules,
            heartbeats: Heartbeats::default(),
            active: false,
            rng: Rng::new(seed),
            racks,
            cleared_elrs: ClearedElrs::default(),
            rebalance_armed: false,
            unclean_armed: false,
        }
    }

    /// The cluster's truth.
    pub fn image(&self) -> &MetadataImage {
        &self.log.image
    }

    /// The release's switches.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The `min.insync.replicas` that a partition's leader goes by (R2.7, R5.22).
    pub fn min_isr(&self, state: &PartitionState) -> usize {
        self.log.min_isr(state, self.rules.min_isr)
    }

    /// Whether it answers.
    pub fn is_active(&self) -> bool {
        self.active
    }

    /// The process becomes active: every clock starts again (R5.4).
    pub fn activate(&mut self, fx: &mut ControllerEffects) {
        self.active = true;
        self.heartbeats = Heartbeats::restarted(&self.log.image, fx.now);
        self.arm_session_look(fx);
        if self.rules.controller_tasks == ControllerTasks::Periodic {
            fx.timer(fx.now + self.rebalance_interval(), ControllerTimer::Rebalance);
            fx.timer(fx.now + self.unclean_interval(), ControllerTimer::UncleanRetry);
        } else {
            self.arm_tasks(fx);
        }
    }

    /// The process is gone; the log stays.
    pub fn crash(&mut self) {
        self.active = false;
        self.log.forget_parked();
        self.cleared_elrs = ClearedElrs::default();
        self.rebalance_armed = false;
        self.unclean_armed = false;
    }

    /// Answers a request.
    pub fn receive(&mut self, from: Node, message: Message, fx: &mut ControllerEffects) {
        if !self.active {
            return;
        }
        let correlation = message.correlation;
        let why = message.why;
        let answer = match message.body {
            Body::BrokerRegistration(r) => Body::BrokerRegistrationResponse(self.register(r, fx)),
            Body::BrokerHeartbeat(r) => Body::BrokerHeartbeatResponse(self.heartbeat(r, fx)),
            Body::AlterPartition(r) => {
                Body::AlterPartitionResponse(alloc::boxed::Box::new(self.alter_partition(&r, fx)))
            }
            Body::AssignReplicasToDirs(r) => {
                Body::AssignReplicasToDirsResponse(self.assign_directories(r))
            }
            Body::CreateTopics(r) => Body::CreateTopicsResponse(self.create_topics(&r, fx)),
            Body::AlterConfigs(r) => Body::AlterConfigsResponse(self.alter_configs(&r, fx)),
            Body::ElectLeaders(r) => Body::ElectLeadersResponse(self.elect_leaders(r, fx)),
            Body::AlterPartitionReassignments(r) => {
                Body::AlterPartitionReassignmentsResponse(self.reassign(&r, fx))
            }
            Body::MetadataFetch(r) => {
                self.log.fetch(r, correlation, fx);
                return;
            }
            // Everything else is for brokers; a controller does not answer it.
            _ => return,
        };
        let why = if fx.events.is_empty() { why } else { fx.last_event() };
        fx.send(from, correlation, answer, why);
        self.log.publish(fx);
    }

    /// A timer fired.
    pub fn wake(&mut self, timer: ControllerTimer, fx: &mut ControllerEffects) {
        match timer {
            ControllerTimer::Activate => {
                fx.chain(EventKind::ControllerActivated {});
                self.activate(fx);
            }
            ControllerTimer::SessionLook => self.look_at_sessions(fx),
            ControllerTimer::Rebalance => self.rebalance(fx),
            ControllerTimer::UncleanRetry => self.retry_leaderless(fx),
            ControllerTimer::ParkedFetch(broker, correlation) => {
                self.log.expire(broker, correlation, fx);
            }
        }
        self.log.publish(fx);
    }

    // The metadata log.

    pub(super) fn append(&mut self, record: MetadataRecord, why: EventId) {
        self.log.append(record, why);
    }
}
