//! ZooKeeper, as far as Kafka sees it (R5.1, R5.2, R2.22): sessions, the nodes that hold the
//! cluster's truth, and watches. The ensemble itself is not modelled: its majority is up or it is
//! not.

mod commands;
mod consumers;
mod nodes;
mod sessions;

use super::commands::{answer, changed_settings};
use super::liveness::Heartbeats;
use super::metadata_log::MetadataLog;
use super::{ControllerEffects, ControllerTimer};
use crate::log::Committed;
use crate::partition::Stored;
use crate::settings::{Layers, Rules, Values};
use crate::wire::Message;
use crate::wire::event::EventKind;
use crate::wire::message::{Body, CreateTopic, FetchedOffsets};
use crate::wire::metadata::{MetadataImage, MetadataRecord, PartitionState};
use crate::words::{BrokerId, ErrorCode, EventId, Map, Node, PartitionId, Rng};
use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

/// A ZooKeeper ensemble.
#[derive(Clone, Debug)]
pub struct ZooKeeper {
    pub(super) log: MetadataLog,
    rules: Rules,
    values: Values,
    sessions: Heartbeats,
    active: bool,
    rng: Rng,
    racks: Map<BrokerId, String>,
    /// Commands that the controller has not answered, in order; they wait for one.
    commands: Vec<commands::Command>,
    next_command: u32,
    /// What the consumers of old releases commit (R7.3).
    offsets: Map<String, Map<PartitionId, Committed>>,
    /// Their groups' consumers.
    owners: Map<String, consumers::Owner>,
}

impl ZooKeeper {
    /// Empty. `seed` decides automatic placement.
    pub fn new(
        settings: Rc<Layers>,
        rules: Rules,
        seed: u64,
        racks: Map<BrokerId, String>,
    ) -> ZooKeeper {
        ZooKeeper {
            values: settings.cluster(),
            log: MetadataLog::new(settings),
            rules,
            sessions: Heartbeats::default(),
            active: false,
            rng: Rng::new(seed),
            racks,
            commands: Vec::new(),
            next_command: 0,
            offsets: Map::new(),
            owners: Map::new(),
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

    /// Whether it answers.
    pub fn is_active(&self) -> bool {
        self.active
    }

    /// The controller of a cluster that has been running for long.
    pub fn form_controller(&mut self, broker: BrokerId) {
        self.log.append(MetadataRecord::Controller(Some(broker), 1), EventId::NONE);
    }

    /// A topic of that cluster, led by its first replicas.
    pub fn form_topic(
        &mut self,
        r: &CreateTopic,
        fx: &mut ControllerEffects,
    ) -> Result<(), ErrorCode> {
        let first = self.create(r, fx)?;
        for id in first.0..self.log.image.partitions.len() as u32 {
            let id = PartitionId(id);
            let Some(state) = self.log.image.partition(id) else { continue };
            let mut state = PartitionState::clone(state);
            state.stored = Stored::new(state.replicas, state.replicas);
            self.log.append(MetadataRecord::Partition(id, Rc::new(state)), EventId::NONE);
        }
        Ok(())
    }

    /// The ensemble is there (again): every session's clock starts anew.
    pub fn activate(&mut self, fx: &mut ControllerEffects) {
        self.active = true;
        self.sessions = Heartbeats::restarted(&self.log.image, fx.now);
        self.arm_session_look(fx);
        self.renew_consumers(fx.now);
    }

    /// The ensemble is gone; what it holds stays.
    pub fn crash(&mut self) {
        self.active = false;
        self.log.forget_parked();
    }

    /// Answers a request.
    pub fn receive(&mut self, from: Node, message: Message, fx: &mut ControllerEffects) {
        if !self.active {
            return;
        }
        let correlation = message.correlation;
        let answer = match message.body {
            Body::BrokerRegistration(r) => Body::BrokerRegistrationResponse(self.register(r, fx)),
            Body::BrokerHeartbeat(r) => Body::BrokerHeartbeatResponse(self.ping(r, fx)),
            Body::ControllerElection(r) => Body::ControllerElectionResponse(self.elect(r, fx)),
            Body::SetData(r) => Body::SetDataResponse(Box::new(self.set_data(&r, fx))),
            Body::CreateTopics(r) => {
                let result = self.create(&r, fx).map(drop);
                Body::CreateTopicsResponse(answer("create", result, fx))
            }
            Body::AlterConfigs(r) => {
                let changed = changed_settings(&self.log.image.settings, &r, fx);
                let result = changed.map(|settings| self.set_settings(settings, fx.cause()));
                Body::AlterConfigsResponse(answer("config", result, fx))
            }
            Body::OffsetCommit(r) => {
                let known = self.offsets.entry(r.offsets.group).or_default();
                for (partition, offset) in r.offsets.offsets {
                    known.insert(partition, offset);
                }
                Body::OffsetCommitResponse(ErrorCode::None)
            }
            Body::JoinGroup(r) => match self.join_group(from, &r, fx) {
                Some(joined) => Body::JoinGroupResponse(Box::new(joined)),
                None => return,
            },
            Body::Heartbeat(r) => Body::HeartbeatResponse(self.consumer_ping(&r, fx.now)),
            Body::LeaveGroup(r) => Body::LeaveGroupResponse(self.leave_group(&r)),
            Body::OffsetFetch(group) => {
                let offsets = self.offsets.get(&group).cloned().unwrap_or_default();
                let offsets = offsets.into_iter().collect();
                let answer = FetchedOffsets { error: ErrorCode::None, offsets };
                Body::OffsetFetchResponse(Box::new(answer))
            }
            Body::IsrChangeNotification(partitions) => {
                // A controller that is elected later tells everybody everything.
                if let Some(controller) = self.log.image.controller {
                    let body = Body::IsrChangeNotification(partitions);
                    fx.send(Node::Broker(controller), 0, body, message.why);
                }
                Body::IsrChangeNotificationResponse(())
            }
            body @ (Body::ElectLeaders(_) | Body::AlterPartitionReassignments(_)) => {
                self.hand_on(from, correlation, body, fx);
                return;
            }
            body @ (Body::ElectLeadersResponse(_)
            | Body::AlterPartitionReassignmentsResponse(_)) => {
                self.hand_back(correlation, body, fx);
                return;
            }
            Body::MetadataFetch(r) => {
                self.log.fetch(r, correlation, fx);
                return;
            }
            _ => return,
        };
        let why = if fx.events.is_empty() { message.why } else { fx.last_event() };
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
            ControllerTimer::ParkedFetch(broker, correlation) => {
                self.log.expire(broker, correlation, fx);
            }
            ControllerTimer::Rebalance | ControllerTimer::UncleanRetry => {}
        }
        self.log.publish(fx);
    }
}
