//! ZooKeeper, as far as Kafka sees it (R5.1, R5.2, R2.22): sessions, the nodes that hold the
//! cluster's truth, and watches. The ensemble itself is not modelled: its majority is up or it is
//! not.

use super::commands::{self, answer};
use super::liveness::Heartbeats;
use super::metadata_log::MetadataLog;
use super::{ControllerEffects, ControllerTimer, placement, zk_topics};
use crate::settings::{Key, Layers, Rules, Values};
use crate::wire::Message;
use crate::wire::event::EventKind;
use crate::wire::message::{
    Body, BrokerHeartbeat, BrokerRegistrationRequest, ControllerElection, CreateTopic,
    FetchedOffsets, HeartbeatAnswer, RegistrationAnswer, SetData, SetDataAnswer, StateWrite,
};
use crate::wire::metadata::{BrokerState, MetadataImage, MetadataRecord, PartitionState, Topic};
use crate::words::{BrokerId, ErrorCode, EventId, Map, Micros, Node, Offset, PartitionId, Rng};
use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

/// Sessions end in ticks: those that run out within one end together (R5.10).
const TICK: Micros = Micros::from_ms(100);

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
    commands: Vec<Command>,
    next_command: u32,
    /// What the consumers of old releases commit (R7.3).
    offsets: Map<String, Map<PartitionId, Offset>>,
}

#[derive(Clone, Debug)]
struct Command {
    number: u32,
    from: Node,
    correlation: u32,
    body: Body,
    /// The controller that has it.
    sent_to: Option<BrokerId>,
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
            state.leader = state.replicas.first().copied();
            state.isr = state.replicas.clone();
            (state.leader_epoch, state.partition_epoch) = (0, 0);
            self.log.append(MetadataRecord::Partition(id, Rc::new(state)), EventId::NONE);
        }
        Ok(())
    }

    /// The ensemble is there (again): every session's clock starts anew.
    pub fn activate(&mut self, fx: &mut ControllerEffects) {
        self.active = true;
        self.sessions = Heartbeats::restarted(&self.log.image, fx.now);
        self.arm_session_look(fx);
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
                let changed = commands::changed_settings(&self.log.image.settings, &r, fx);
                let result = changed.map(|settings| self.set_settings(settings, fx.cause));
                Body::AlterConfigsResponse(answer("config", result, fx))
            }
            Body::OffsetCommit(r) => {
                let known = self.offsets.entry(r.group).or_default();
                for (partition, offset) in r.offsets {
                    known.insert(partition, offset);
                }
                Body::OffsetCommitResponse(ErrorCode::None)
            }
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
                fx.cause = fx.event(EventKind::ControllerActivated {});
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

    // Sessions (R5.1).

    fn session_timeout(&self) -> Micros {
        self.values.ms(Key::ZookeeperSessionTimeoutMs)
    }

    fn arm_session_look(&self, fx: &mut ControllerEffects) {
        let timeout = self.session_timeout();
        let next = self
            .sessions
            .next_expiry(self.log.image.unfenced(), timeout)
            .unwrap_or(fx.now + timeout);
        let tick = Micros(next.max(fx.now).0 / TICK.0 * TICK.0) + TICK;
        fx.timer(tick, ControllerTimer::SessionLook);
    }

    fn look_at_sessions(&mut self, fx: &mut ControllerEffects) {
        let timeout = self.session_timeout();
        while let Some((broker, at)) =
            self.sessions.expired(self.log.image.unfenced(), fx.now, timeout)
        {
            let silent = fx.now.since(at);
            fx.cause = fx.event(EventKind::SessionExpired { broker, silent });
            self.end_session(broker, fx);
        }
        self.arm_session_look(fx);
    }

    /// The session's nodes go: the broker's own, and the controller's if it is that.
    fn end_session(&mut self, broker: BrokerId, fx: &mut ControllerEffects) {
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
    fn register(
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

    fn has_session(&self, broker: BrokerId, epoch: i64) -> bool {
        self.log.image.brokers.get(&broker).is_some_and(|b| !b.fenced && b.epoch == epoch)
    }

    /// A session lives, or is closed.
    fn ping(&mut self, r: BrokerHeartbeat, fx: &mut ControllerEffects) -> HeartbeatAnswer {
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
    fn elect(&mut self, r: ControllerElection, fx: &mut ControllerEffects) -> ErrorCode {
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

    // Partitions.

    /// Writes states, each if its version is the expected one (R2.22).
    fn set_data(&mut self, r: &SetData, fx: &mut ControllerEffects) -> SetDataAnswer {
        if !self.has_session(r.broker, r.broker_epoch) {
            return SetDataAnswer { error: ErrorCode::StaleBrokerEpoch, results: Vec::new() };
        }
        let results = r.writes.iter().filter_map(|write| {
            let stored = self.log.image.partition(write.partition)?.clone();
            let made = stored.partition_epoch == write.expected;
            let state = if made { self.write(write, &stored, fx) } else { stored };
            Some((write.partition, made, state))
        });
        SetDataAnswer { error: ErrorCode::None, results: results.collect() }
    }

    fn write(
        &mut self,
        write: &StateWrite,
        stored: &PartitionState,
        fx: &mut ControllerEffects,
    ) -> Rc<PartitionState> {
        let mut state = PartitionState {
            leader: write.leader,
            leader_epoch: write.leader_epoch,
            isr: write.isr.clone(),
            partition_epoch: stored.partition_epoch + 1,
            ..stored.clone()
        };
        if let Some(placed) = &write.placed {
            state.directories = placed.replicas.iter().map(|_| 0).collect();
            state.replicas = placed.replicas.clone();
            state.adding = placed.adding.clone();
            state.removing = placed.removing.clone();
        }
        state.why = tell_isr(write, stored, fx);
        let state = Rc::new(state);
        let record = MetadataRecord::Partition(write.partition, state.clone());
        self.log.append(record, state.why);
        state
    }

    /// Creates a topic's node: where its replicas are. The controller does the rest (R5.9). Returns
    /// the first partition.
    fn create(
        &mut self,
        r: &CreateTopic,
        fx: &mut ControllerEffects,
    ) -> Result<PartitionId, ErrorCode> {
        let rule = self.rules.placement;
        let (values, racks, rng) = (&self.values, &self.racks, &mut self.rng);
        let placed = zk_topics::place(r, &self.log.image, values, racks, rng, rule)
            .map_err(|error| placement::tool_error(rule, error))?;
        let settings = commands::topic_settings(&self.log.image.settings, r)?;
        let partitions = placed.len() as u32;
        let why = fx.event(EventKind::TopicCreated { topic: r.name.clone(), partitions });
        fx.cause = why;
        let first = PartitionId(self.log.image.partitions.len() as u32);
        let topic = self.log.image.topics.len() as u32;
        if let Some(settings) = settings {
            self.set_settings(settings, why);
        }
        let ids = (first.0..first.0 + partitions).map(PartitionId).collect();
        let topic_record =
            MetadataRecord::Topic(Rc::new(Topic { name: r.name.clone(), partitions: ids }));
        self.log.append(topic_record, why);
        for (i, replicas) in placed.into_iter().enumerate() {
            let state = PartitionState {
                topic,
                directories: replicas.iter().map(|_| 0).collect(),
                replicas,
                leader_epoch: -1,
                partition_epoch: -1,
                why,
                ..PartitionState::default()
            };
            let id = PartitionId(first.0 + i as u32);
            self.log.append(MetadataRecord::Partition(id, Rc::new(state)), why);
        }
        Ok(first)
    }

    fn set_settings(&mut self, settings: Layers, why: EventId) {
        self.values = settings.cluster();
        self.log.append(MetadataRecord::Settings(Rc::new(settings)), why);
    }

    // Commands that the controller carries out: their nodes wait for it.

    fn hand_on(&mut self, from: Node, correlation: u32, body: Body, fx: &mut ControllerEffects) {
        self.next_command += 1;
        let number = self.next_command;
        self.commands.push(Command { number, from, correlation, body, sent_to: None });
        self.send_commands(fx);
    }

    fn send_commands(&mut self, fx: &mut ControllerEffects) {
        let Some(controller) = self.log.image.controller else { return };
        for command in self.commands.iter_mut().filter(|c| c.sent_to.is_none()) {
            command.sent_to = Some(controller);
            fx.send(Node::Broker(controller), command.number, command.body.clone(), fx.cause);
        }
    }

    fn hand_back(&mut self, number: u32, body: Body, fx: &mut ControllerEffects) {
        let Some(at) = self.commands.iter().position(|c| c.number == number) else { return };
        let command = self.commands.remove(at);
        fx.send(command.from, command.correlation, body, fx.cause);
    }
}

/// The story of a write by which a leader changes its ISR; elections are told by the controller.
fn tell_isr(write: &StateWrite, stored: &PartitionState, fx: &mut ControllerEffects) -> EventId {
    let partition = write.partition;
    let (was, isr) = (stored.isr.clone(), write.isr.clone());
    let causes = [write.why, stored.why];
    let same_reign = write.leader_epoch == stored.leader_epoch;
    if !same_reign || write.isr.same_set(&stored.isr) {
        write.why
    } else if write.isr.contains_all(&stored.isr) {
        fx.event_because(EventKind::IsrExpanded { partition, was, isr }, causes)
    } else {
        fx.event_because(EventKind::IsrShrunk { partition, was, isr }, causes)
    }
}
