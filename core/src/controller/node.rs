use super::change::{Change, ChangeContext, Changed};
use super::election::{Election, Source};
use super::liveness::Heartbeats;
use super::metadata_log::MetadataLog;
use crate::replica::high_watermark::effective_min_isr;
use crate::settings::rules::{ControllerTasks, SessionLook};
use crate::settings::{Key, Layers, Rules, Values};
use crate::wire::event::EventKind;
use crate::wire::message::Body;
use crate::wire::metadata::{BrokerState, MetadataImage, MetadataRecord, PartitionState, Topic};
use crate::wire::{Effects, Message};
use crate::words::{BrokerId, BrokerList, EventId, Map, Micros, Node, PartitionId, Rng};
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

/// After a fencing, and after a full pass over the partitions, the next look follows so soon
/// (R5.3, R5.31).
const NEXT_LOOK: Micros = Micros::from_ms(10);
/// How many elections one pass of a periodic task makes (R5.21, R5.31).
const ELECTIONS_PER_PASS: usize = 1000;

/// What the controller wakes up for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ControllerTimer {
    /// A started process becomes active.
    Activate,
    /// Look for sessions that ran out (R5.3).
    SessionLook,
    /// Give leadership back to preferred leaders (R5.31).
    Rebalance,
    /// Retry leaderless partitions (R5.21).
    UncleanRetry,
    /// A parked metadata fetch has waited long enough.
    ParkedFetch(BrokerId, u32),
}

/// Effects of the controller.
pub type ControllerEffects = Effects<ControllerTimer>;

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
    active: bool,
    pub(super) rng: Rng,
    pub(super) racks: Map<BrokerId, String>,
    /// Whether the task of [`ControllerTasks::Armed`] is armed.
    rebalance_armed: bool,
    unclean_armed: bool,
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

    /// Whether it answers.
    pub fn is_active(&self) -> bool {
        self.active
    }

    /// Registers a broker of a cluster that has been running for long: up, unfenced, caught up.
    pub fn form_broker(&mut self, broker: BrokerId, incarnation: u32, directory: u32) {
        let state = BrokerState {
            epoch: self.log.image.offset,
            incarnation,
            fenced: false,
            shutting_down: false,
            directory,
        };
        self.append(MetadataRecord::Broker(broker, state), EventId::NONE);
    }

    /// The process becomes active: every clock starts again (R5.4).
    pub fn activate(&mut self, fx: &mut ControllerEffects) {
        self.active = true;
        self.heartbeats = Heartbeats::default();
        for (id, broker) in self.log.image.brokers.iter() {
            if !broker.fenced {
                self.heartbeats.touch(*id, broker.epoch, -1, fx.now);
            }
        }
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
                fx.cause = fx.event(EventKind::ControllerActivated {});
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

    // Partitions.

    /// Whether `broker` may lead or join an ISR of the partition (R5.7): active, and its replica's
    /// directory is the one that it registered with (R5.39).
    pub(super) fn is_acceptable(&self, state: &PartitionState, broker: BrokerId) -> bool {
        let directory = state.directory_of(broker);
        self.log
            .image
            .brokers
            .get(&broker)
            .is_some_and(|b| b.is_active() && directory.is_none_or(|d| d == 0 || d == b.directory))
    }

    /// `min.insync.replicas` of a partition's topic, no more than the replication factor of the
    /// topic's first partition (R5.22).
    pub fn min_isr(&self, state: &PartitionState) -> usize {
        let topic = self.log.image.topic_of(state);
        let values = self.log.image.settings.topic(&topic.name, None);
        let first = topic.partitions.first().and_then(|p| self.log.image.partition(*p));
        let factor = first.map_or(state.replicas.len(), |s| s.replicas.len());
        effective_min_isr(self.rules.min_isr, values.get(Key::MinInsyncReplicas), factor)
    }

    /// The election that events hold: unclean where the topic allows it (R5.21).
    pub(super) fn election_of(&self, state: &PartitionState) -> Election {
        let topic = self.log.image.topic_of(state);
        let values = self.log.image.settings.topic(&topic.name, None);
        if values.is(Key::UncleanLeaderElectionEnable) {
            Election::Unclean
        } else {
            Election::Online
        }
    }

    /// Makes a change of one partition and tells the story of it; true if anything changed.
    /// `acceptable` overrides [`Controller::is_acceptable`] for the broker that an event is about.
    pub(super) fn change(
        &mut self,
        partition: PartitionId,
        change: Change,
        acceptable: &dyn Fn(&Controller, &PartitionState, BrokerId) -> bool,
        fx: &mut ControllerEffects,
    ) -> Option<Changed> {
        let old = self.log.image.partition(partition)?.clone();
        let world = ChangeContext {
            rules: &self.rules,
            min_isr: self.min_isr(&old),
            acceptable: &|b| acceptable(self, &old, b),
        };
        let mut changed = change.build(&old, &world)?;
        changed.state.why = tell(partition, &old, &changed, fx);
        let record = MetadataRecord::Partition(partition, Rc::new(changed.state.clone()));
        self.append(record, changed.state.why);
        self.arm_tasks(fx);
        Some(changed)
    }

    /// [`Controller::change`] with everyone judged by the registrations.
    pub(super) fn change_plainly(
        &mut self,
        partition: PartitionId,
        change: Change,
        fx: &mut ControllerEffects,
    ) -> Option<Changed> {
        self.change(partition, change, &|c, s, b| c.is_acceptable(s, b), fx)
    }

    /// `remove` leaves every ISR that it is in, and its leaderships (R5.28).
    pub(super) fn remove_from_isrs(&mut self, remove: BrokerId, fx: &mut ControllerEffects) {
        self.shrink(remove, &|s| s.isr.contains(&remove), BrokerList::new(), fx);
    }

    /// `remove` leaves ISR and leadership of the partitions that `concerned` names; those in
    /// `unclean` leave the ELR too (R5.29).
    pub(super) fn shrink(
        &mut self,
        remove: BrokerId,
        concerned: &dyn Fn(&PartitionState) -> bool,
        unclean: BrokerList,
        fx: &mut ControllerEffects,
    ) {
        for id in self.partitions_where(concerned) {
            let state = self.log.image.partition(id).expect("listed").clone();
            let mut change = Change::of(&state);
            change.isr.remove(remove);
            change.unclean_shutdown = unclean.clone();
            change.election = self.election_of(&state);
            self.change(id, change, &|c, s, b| b != remove && c.is_acceptable(s, b), fx);
        }
    }

    /// Every partition without leader is tried again (R5.28).
    pub(super) fn elect_leaderless(&mut self, fx: &mut ControllerEffects) {
        for id in self.partitions_where(&|s| s.leader.is_none()) {
            let state = self.log.image.partition(id).expect("listed").clone();
            let election = self.election_of(&state);
            self.change_plainly(id, Change { election, ..Change::of(&state) }, fx);
        }
    }

    pub(super) fn partitions_where(
        &self,
        concerned: &dyn Fn(&PartitionState) -> bool,
    ) -> Vec<PartitionId> {
        let all = self.log.image.partitions.iter().enumerate();
        all.filter(|(_, s)| concerned(s)).map(|(i, _)| PartitionId(i as u32)).collect()
    }

    pub(super) fn add_topic(&mut self, topic: Topic, states: Vec<PartitionState>, why: EventId) {
        let ids = topic.partitions.clone();
        self.append(MetadataRecord::Topic(Rc::new(topic)), why);
        for (id, state) in ids.into_iter().zip(states) {
            let why = state.why;
            self.append(MetadataRecord::Partition(id, Rc::new(state)), why);
        }
    }

    /// Stores a state that was altered beside the builder.
    pub(super) fn store(&mut self, partition: PartitionId, state: PartitionState) {
        let why = state.why;
        self.append(MetadataRecord::Partition(partition, Rc::new(state)), why);
    }

    pub(super) fn set_settings(&mut self, settings: Layers, why: EventId) {
        self.values = settings.cluster();
        self.append(MetadataRecord::Settings(Rc::new(settings)), why);
    }

    // Periodic tasks.

    pub(super) fn session_timeout(&self) -> Micros {
        self.values.ms(Key::BrokerSessionTimeoutMs)
    }

    fn rebalance_interval(&self) -> Micros {
        Micros::from_secs(self.values.get(Key::LeaderImbalanceCheckIntervalSeconds).max(0) as u64)
    }

    fn unclean_interval(&self) -> Micros {
        self.values.ms(Key::UncleanLeaderElectionIntervalMs)
    }

    fn watched(&self) -> impl Iterator<Item = BrokerId> {
        self.log.image.brokers.iter().filter(|(_, b)| !b.fenced).map(|(id, _)| *id)
    }

    fn arm_session_look(&self, fx: &mut ControllerEffects) {
        let next = match self.rules.session_look {
            SessionLook::Periodic => Some(fx.now + Micros(self.session_timeout().0 / 8)),
            // Strictly later than the session's end (R5.3).
            SessionLook::AtExpiry => self
                .heartbeats
                .next_expiry(self.watched(), self.session_timeout())
                .map(|at| at.max(fx.now) + Micros(1)),
        };
        let idle = fx.now + self.session_timeout();
        fx.timer(next.unwrap_or(idle), ControllerTimer::SessionLook);
    }

    /// Fences at most one broker; the next look follows soon after one was (R5.3).
    fn look_at_sessions(&mut self, fx: &mut ControllerEffects) {
        let timeout = self.session_timeout();
        let expired = self.heartbeats.expired(self.watched(), fx.now, timeout);
        let Some((broker, at)) = expired else {
            self.arm_session_look(fx);
            return;
        };
        let silent = fx.now.since(at);
        fx.cause = fx.event(EventKind::SessionExpired { broker, silent });
        self.fence(broker, fx);
        let soon = match self.rules.session_look {
            SessionLook::Periodic => NEXT_LOOK,
            SessionLook::AtExpiry => Micros(1),
        };
        fx.timer(fx.now + soon, ControllerTimer::SessionLook);
    }

    fn is_imbalanced(&self, state: &PartitionState) -> bool {
        let preferred = state.replicas.first().copied();
        state.leader.is_some() && state.leader != preferred
    }

    fn rebalance(&mut self, fx: &mut ControllerEffects) {
        self.rebalance_armed = false;
        let mut made = 0;
        if self.values.is(Key::AutoLeaderRebalanceEnable) {
            for id in self.partitions_where(&|s| self.is_imbalanced(s)) {
                let state = self.log.image.partition(id).expect("listed").clone();
                let change = Change { election: Election::Preferred, ..Change::of(&state) };
                made += usize::from(self.change_plainly(id, change, fx).is_some());
                if made == ELECTIONS_PER_PASS {
                    break;
                }
            }
        }
        let again = made == ELECTIONS_PER_PASS;
        if again || self.rules.controller_tasks == ControllerTasks::Periodic {
            let wait = if again { NEXT_LOOK } else { self.rebalance_interval() };
            fx.timer(fx.now + wait, ControllerTimer::Rebalance);
        } else {
            self.arm_tasks(fx);
        }
    }

    fn retry_leaderless(&mut self, fx: &mut ControllerEffects) {
        self.unclean_armed = false;
        let mut made = 0;
        for id in self.partitions_where(&|s| s.leader.is_none()) {
            let state = self.log.image.partition(id).expect("listed").clone();
            if self.election_of(&state) != Election::Unclean {
                continue;
            }
            let change = Change { election: Election::Unclean, ..Change::of(&state) };
            made += usize::from(self.change_plainly(id, change, fx).is_some());
            if made == ELECTIONS_PER_PASS {
                break;
            }
        }
        if self.rules.controller_tasks == ControllerTasks::Periodic {
            fx.timer(fx.now + self.unclean_interval(), ControllerTimer::UncleanRetry);
        } else {
            self.arm_tasks(fx);
        }
    }

    /// [`ControllerTasks::Armed`]: an interval after there is something to do (R5.21, R5.31).
    fn arm_tasks(&mut self, fx: &mut ControllerEffects) {
        if self.rules.controller_tasks != ControllerTasks::Armed {
            return;
        }
        let partitions = || self.log.image.partitions.iter();
        if !self.rebalance_armed && partitions().any(|s| self.is_imbalanced(s)) {
            self.rebalance_armed = true;
            fx.timer(fx.now + self.rebalance_interval(), ControllerTimer::Rebalance);
        }
        if !self.unclean_armed && partitions().any(|s| s.leader.is_none()) {
            self.unclean_armed = true;
            fx.timer(fx.now + self.unclean_interval(), ControllerTimer::UncleanRetry);
        }
    }
}

/// The story of a change; the last event stands for the new state.
fn tell(
    partition: PartitionId,
    old: &PartitionState,
    changed: &Changed,
    fx: &mut ControllerEffects,
) -> EventId {
    let new = &changed.state;
    let mut why = fx.cause;
    let mut note = |kind| {
        why = fx.event_because(kind, [why, old.why]);
    };
    let (was, isr) = (old.isr.clone(), new.isr.clone());
    if !new.isr.same_set(&old.isr) {
        note(if new.isr.contains_all(&old.isr) {
            EventKind::IsrExpanded { partition, was, isr }
        } else {
            EventKind::IsrShrunk { partition, was, isr }
        });
    }
    if changed.completed {
        let replicas = new.replicas.clone();
        note(EventKind::ReassignmentCompleted { partition, replicas });
    }
    if new.elr != old.elr {
        let (was, elr) = (old.elr.clone(), new.elr.clone());
        note(EventKind::ElrChanged { partition, was, elr });
    }
    if new.leader_epoch != old.leader_epoch {
        note(leader_event(partition, old, changed));
    }
    why
}

fn leader_event(partition: PartitionId, old: &PartitionState, changed: &Changed) -> EventKind {
    let new = &changed.state;
    let epoch = new.leader_epoch;
    match (new.leader, changed.elected) {
        (None, _) => {
            EventKind::LeaderNone { partition, epoch, isr: new.isr.clone(), elr: new.elr.clone() }
        }
        (Some(leader), None) => EventKind::LeaderEpochRaised { partition, leader, epoch },
        (Some(leader), Some(Source::Isr)) => {
            EventKind::LeaderElected { partition, leader, epoch, isr: new.isr.clone() }
        }
        (Some(leader), Some(Source::Elr)) => {
            EventKind::LeaderFromElr { partition, leader, epoch, elr: old.elr.clone() }
        }
        (Some(leader), Some(Source::LastKnown)) => {
            EventKind::LeaderLastKnown { partition, leader, epoch }
        }
        (Some(leader), Some(Source::Anyone)) => {
            EventKind::LeaderUnclean { partition, leader, epoch }
        }
    }
}
