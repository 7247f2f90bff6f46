//! The controller of a cluster with ZooKeeper: the broker that holds the controller's node (R5.2,
//! R5.9–R5.16, R5.36).
//!
//! It works on one task at a time. A task plans new states of partitions with the pure rules of
//! [`crate::controller`], has ZooKeeper write them, each under the version that was read, plans
//! again what somebody else wrote meanwhile, and then tells the brokers.

use super::node::{Broker, BrokerEffects, BrokerTimer};
use crate::controller::alter_partition::validate_alter_isr;
use crate::controller::zk_election::Elected;
use crate::controller::{reassignment, zk_election};
use crate::settings::rules::{ControllerFailover, UncleanSwitch};
use crate::settings::{Key, Rules};
use crate::wire::event::EventKind;
use crate::wire::message::{
    AlterPartition, AlterPartitionAnswer, AlterPartitionPart, AlterResult, Body, CommandAnswer,
    LeaderAndIsr, Placed, Reassign, SetData, SetDataAnswer, StateWrite, StopReplica,
    UpdateMetadata,
};
use crate::wire::metadata::{MetadataImage, MetadataRecord, PartitionState};
use crate::words::{
    BrokerId, BrokerList, ErrorCode, EventId, LeaderEpoch, Map, Micros, Node, PartitionId,
};
use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::rc::Rc;
use alloc::vec::Vec;

/// From its election to the first look for imbalances (R5.16).
const FIRST_REBALANCE: Micros = Micros::from_secs(5);
/// A request without answer for so long was lost on a broken link, or met a ZooKeeper that is just
/// starting; it is sent again.
const LOST: Micros = Micros::from_secs(2);
/// Before a broker is tried again whose connection broke.
const RESEND: Micros = Micros::from_ms(300);

/// Where an answer goes: node and correlation.
type Asker = (Node, u32);

/// What the controller works on.
#[derive(Clone, Debug)]
enum Task {
    /// A new controller tells every broker everything (R5.2).
    TellAll,
    /// Brokers came up: they hear of all their replicas, the others of them (R5.14).
    TellStarted(BrokerList),
    /// Leaders for partitions that have none, or a dead one (R5.9, R5.11).
    Elect,
    /// A broker's replicas leave the ISRs (R5.12), those that follow if it `lives` (R5.13).
    RemoveReplicas { broker: BrokerId, only: Option<PartitionId>, lives: bool },
    /// A broker that stops does not fetch any more (R5.13).
    StopFollowing(BrokerId),
    /// Leaderships of a broker that stops move (R5.13).
    HandOver(BrokerId),
    /// A broker that stops is told how many partitions it still leads.
    AnswerShutdown(BrokerId, Asker),
    /// The first replica is to lead again (R5.15).
    Preferred(PartitionId, Option<Asker>),
    /// Any live replica is to lead a partition that nobody leads (R5.15).
    Unclean(PartitionId, Asker),
    /// A partition is to move (R5.36).
    Move(Reassign, Asker),
    /// Every target replica is in sync: the target's member leads, under a new epoch (R5.36).
    MoveLeader(PartitionId),
    /// Replicas that are no more: they are deleted (R5.36).
    Delete(PartitionId, BrokerList),
    /// A leader wants another ISR (R2.23).
    AlterIsr(Box<AlterPartition>, Asker),
}

#[derive(Clone, Debug)]
struct Running {
    task: Task,
    correlation: u32,
    /// When the write counts as lost.
    until: Micros,
    changed: Vec<PartitionId>,
    /// What the task answers with, where it was refused.
    error: ErrorCode,
}

/// What is sent to one broker, one request at a time, in order.
#[derive(Clone, Debug, Default)]
struct Channel {
    queue: VecDeque<(Body, EventId)>,
    /// The request under way, and when it counts as lost.
    outstanding: Option<(u32, Micros)>,
}

/// See the module.
#[derive(Clone, Debug)]
pub(super) struct ZkController {
    epoch: i32,
    /// What it has read of ZooKeeper.
    image: MetadataImage,
    /// It has read everything once.
    loaded: bool,
    /// Partitions whose stored leader was down when it took over, each with its leader epoch then.
    /// Until a leader is elected they have none, even if that broker comes back (R5.14).
    offline: Map<PartitionId, LeaderEpoch>,
    /// Brokers in controlled shutdown.
    shutting_down: BrokerList,
    tasks: VecDeque<Task>,
    running: Option<Running>,
    channels: Map<BrokerId, Channel>,
}

impl ZkController {
    /// Of a cluster that has been running for long.
    pub fn formed(image: MetadataImage) -> ZkController {
        ZkController { loaded: true, ..ZkController::elected(image.controller_epoch, image) }
    }

    /// Just elected: `image` is empty but for the settings.
    pub fn elected(epoch: i32, image: MetadataImage) -> ZkController {
        ZkController {
            epoch,
            image,
            loaded: false,
            offline: Map::new(),
            shutting_down: BrokerList::new(),
            tasks: VecDeque::new(),
            running: None,
            channels: Map::new(),
        }
    }

    /// Whether nothing is under way.
    pub fn is_idle(&self) -> bool {
        self.loaded
            && self.running.is_none()
            && self.tasks.is_empty()
            && self.channels.values().all(|c| c.queue.is_empty() && c.outstanding.is_none())
    }

    /// What is new in ZooKeeper becomes tasks.
    fn learn(&mut self, records: &[(MetadataRecord, EventId)], rules: &Rules) {
        let before = self.image.live();
        let mut restarted = BrokerList::new();
        let mut elect = false;
        let mut moved: Vec<PartitionId> = Vec::new();
        for (record, _) in records {
            match record {
                MetadataRecord::Broker(id, state) => {
                    let known = self.image.brokers.get(id);
                    if known.is_some_and(|k| k.epoch != state.epoch) && before.contains(id) {
                        restarted.insert(*id);
                    }
                }
                MetadataRecord::Partition(id, state) => {
                    elect |= state.leader_epoch < 0;
                    if self.image.partition(*id).is_some_and(|k| {
                        k.partition_epoch >= state.partition_epoch && k.leader_epoch >= 0
                    }) {
                        // It wrote that itself, or something newer.
                        continue;
                    }
                    moved.push(*id);
                }
                MetadataRecord::Settings(_) => {
                    elect |= rules.unclean_switch == UncleanSwitch::AtOnce
                }
                _ => {}
            }
            self.image.apply(record);
        }
        if !self.loaded {
            self.loaded = true;
            self.take_over(rules);
            return;
        }
        let now = self.image.live();
        let died = before.filtered(|b| !now.contains(&b) || restarted.contains(&b));
        let started = now.filtered(|b| !before.contains(&b) || restarted.contains(&b));
        if !died.is_empty() {
            self.bury(&died);
        }
        if !started.is_empty() {
            self.tasks.push_back(Task::TellStarted(started.clone()));
            self.resume_moves(&started);
        }
        if elect || !started.is_empty() {
            self.tasks.push_back(Task::Elect);
        }
        for id in moved {
            self.check_move(id);
        }
    }

    /// R5.2: everybody is told everything; then those who died before are looked after.
    fn take_over(&mut self, rules: &Rules) {
        self.tasks.push_back(Task::TellAll);
        let up = self.image.live();
        let is_down = |s: &PartitionState| s.leader.is_some_and(|l| !up.contains(&l));
        let offline =
            self.partitions().filter(|(_, s)| is_down(s)).map(|(p, s)| (p, s.leader_epoch));
        self.offline = offline.collect();
        if rules.controller_failover == ControllerFailover::ShrinksFirst {
            let live = self.image.live();
            let dead: BrokerList =
                self.image.brokers.keys().copied().filter(|b| !live.contains(b)).collect();
            for broker in dead.iter() {
                self.tasks.push_back(Task::RemoveReplicas {
                    broker: *broker,
                    only: None,
                    lives: false,
                });
            }
        }
        self.tasks.push_back(Task::Elect);
        for id in 0..self.image.partitions.len() as u32 {
            self.check_move(PartitionId(id));
        }
    }

    /// Brokers that vanish together: first elections, then they leave the ISRs one after the other
    /// (R5.10).
    fn bury(&mut self, died: &BrokerList) {
        self.tasks.push_back(Task::Elect);
        for broker in died.iter() {
            self.channels.remove(broker);
            self.shutting_down.remove(*broker);
            self.tasks.push_back(Task::RemoveReplicas {
                broker: *broker,
                only: None,
                lives: false,
            });
        }
    }

    /// A move is complete when every target replica is in the ISR (R5.36).
    fn check_move(&mut self, id: PartitionId) {
        let Some(state) = self.image.partition(id).filter(|s| s.is_reassigning()) else { return };
        let target = target_of(state);
        if reassignment::zk_caught_up(&target, &state.isr) {
            self.tasks.push_back(Task::MoveLeader(id));
        }
    }

    /// A broker that starts makes the moves begin again that wait for it (R5.14, R5.36).
    fn resume_moves(&mut self, started: &BrokerList) {
        for id in 0..self.image.partitions.len() as u32 {
            let id = PartitionId(id);
            let Some(state) = self.image.partition(id).filter(|s| s.is_reassigning()) else {
                continue;
            };
            let target = target_of(state);
            if target.iter().any(|b| started.contains(b)) {
                let again = Reassign { partition: id, target: Some(target) };
                self.tasks.push_back(Task::Move(again, (Node::Controller, 0)));
            }
        }
    }

    fn is_unclean(&self, state: &PartitionState) -> bool {
        let topic = self.image.topic_of(state);
        self.image.settings.topic(&topic.name, None).is(Key::UncleanLeaderElectionEnable)
    }

    fn partitions(&self) -> impl Iterator<Item = (PartitionId, &Rc<PartitionState>)> {
        self.image.partitions.iter().enumerate().map(|(i, s)| (PartitionId(i as u32), s))
    }

    // What a task writes.

    /// The states that `task` wants, of all partitions or of those in `only`.
    fn plan(
        &self,
        task: &Task,
        only: Option<&[PartitionId]>,
        rules: &Rules,
        fx: &mut BrokerEffects,
    ) -> Result<Vec<StateWrite>, ErrorCode> {
        let live = self.image.live();
        let mut writes = Vec::new();
        let wanted = |id: PartitionId| only.is_none_or(|o| o.contains(&id));
        let cause = fx.cause;
        for (id, state) in self.partitions().filter(|(id, _)| wanted(*id)) {
            fx.cause = cause;
            let write = match task {
                Task::TellAll
                | Task::TellStarted(_)
                | Task::StopFollowing(_)
                | Task::AnswerShutdown(..)
                | Task::Delete(..) => None,
                Task::Elect => self.elect(id, state, &live, fx),
                Task::RemoveReplicas { broker, only, lives } => {
                    let concerned =
                        only.is_none_or(|o| o == id) && !(*lives && state.leader == Some(*broker));
                    if concerned { self.remove(id, state, *broker, rules, fx) } else { None }
                }
                Task::HandOver(broker) => self.hand_over(id, state, *broker, &live, rules, fx),
                Task::Preferred(wanted, _) if *wanted == id => Some(prefer(id, state, &live, fx)?),
                Task::Unclean(wanted, _) if *wanted == id => {
                    Some(self.elect_unclean(id, state, &live, fx)?)
                }
                Task::Move(r, _) if r.partition == id => {
                    self.start_move(id, state, r, &live, rules, fx)?
                }
                Task::MoveLeader(wanted) if *wanted == id => move_leader(id, state, &live, fx),
                Task::AlterIsr(request, _) => {
                    let mut parts = request.parts.iter();
                    let part = parts.find(|p| p.partition == id);
                    part.and_then(|p| alter_isr(state, p).ok().flatten())
                }
                _ => None,
            };
            writes.extend(write);
        }
        fx.cause = cause;
        Ok(writes)
    }

    fn elect(
        &self,
        id: PartitionId,
        state: &PartitionState,
        live: &BrokerList,
        fx: &mut BrokerEffects,
    ) -> Option<StateWrite> {
        let offline = self.offline.get(&id) == Some(&state.leader_epoch);
        if !offline && state.leader.is_some_and(|l| live.contains(&l)) {
            return None;
        }
        if state.leader_epoch < 0 {
            let Elected { leader, isr, .. } =
                zk_election::new_partition(&state.replicas, &|b| live.contains(&b))?;
            let replicas = state.replicas.clone();
            fx.cause = fx.event(EventKind::PartitionCreated { partition: id, replicas, leader });
            return Some(write(id, state, Some(leader), isr, 1, fx));
        }
        let unclean = self.is_unclean(state);
        let is_live = |b| live.contains(&b);
        let elected = zk_election::offline(&state.replicas, &state.isr, unclean, &is_live)?;
        Some(reign(id, state, elected, fx))
    }

    /// A replica leaves the ISR (R5.12).
    fn remove(
        &self,
        id: PartitionId,
        state: &PartitionState,
        broker: BrokerId,
        rules: &Rules,
        fx: &mut BrokerEffects,
    ) -> Option<StateWrite> {
        let (rule, unclean) = (rules.last_isr_member, self.is_unclean(state));
        let (leader, isr) =
            zk_election::without_replica(rule, state.leader, &state.isr, broker, unclean)?;
        let (was, left) = (state.isr.clone(), isr.clone());
        if !isr.same_set(&state.isr) {
            let event = EventKind::IsrShrunk { partition: id, was, isr: left };
            fx.cause = fx.event_because(event, [fx.cause, state.why]);
        }
        let bump = i32::from(rules.shrink_bumps_epoch || leader != state.leader);
        if leader.is_none() && state.leader.is_some() {
            let epoch = state.leader_epoch + bump;
            let (isr, elr) = (isr.clone(), BrokerList::new());
            let event = EventKind::LeaderNone { partition: id, epoch, isr, elr };
            fx.cause = fx.event_because(event, [fx.cause, state.why]);
        }
        Some(write(id, state, leader, isr, bump, fx))
    }

    fn hand_over(
        &self,
        id: PartitionId,
        state: &PartitionState,
        broker: BrokerId,
        live: &BrokerList,
        rules: &Rules,
        fx: &mut BrokerEffects,
    ) -> Option<StateWrite> {
        if state.leader != Some(broker) || state.replicas.len() < 2 {
            return None;
        }
        let elected = zk_election::controlled_shutdown(
            rules.shutdown_handover,
            &state.replicas,
            &state.isr,
            &|b| live.contains(&b),
            &|b| self.shutting_down.contains(&b),
        )?;
        Some(reign(id, state, elected, fx))
    }

    fn elect_unclean(
        &self,
        id: PartitionId,
        state: &PartitionState,
        live: &BrokerList,
        fx: &mut BrokerEffects,
    ) -> Result<StateWrite, ErrorCode> {
        if state.leader.is_some_and(|l| live.contains(&l)) {
            return Err(ErrorCode::ElectionNotNeeded);
        }
        let is_live = |b| live.contains(&b);
        let elected = zk_election::offline(&state.replicas, &state.isr, true, &is_live);
        let elected = elected.ok_or(ErrorCode::EligibleLeadersNotAvailable)?;
        Ok(reign(id, state, elected, fx))
    }

    /// R5.36 (1): the target's replicas join the list, under a new epoch. Nothing is written where
    /// all of them are in sync already.
    fn start_move(
        &self,
        id: PartitionId,
        state: &PartitionState,
        r: &Reassign,
        live: &BrokerList,
        rules: &Rules,
        fx: &mut BrokerEffects,
    ) -> Result<Option<StateWrite>, ErrorCode> {
        let origin = state.replicas.filtered(|b| !state.adding.contains(&b));
        let target = match &r.target {
            Some(target) => target.clone(),
            None if state.is_reassigning() => origin.clone(),
            None => return Err(ErrorCode::NoReassignmentInProgress),
        };
        let known = |b: &BrokerId| self.image.brokers.contains_key(b);
        if target.is_empty() || !target.iter().all(known) {
            return Err(ErrorCode::InvalidReplicaAssignment);
        }
        let is_live = |b| live.contains(&b);
        let rule = rules.reassignment_start;
        if !reassignment::zk_start(rule, &state.replicas, &target, &is_live)? {
            return Ok(None);
        }
        let adding = target.filtered(|b| !origin.contains(&b));
        let removing = state.replicas.filtered(|b| !target.contains(&b));
        let event = EventKind::ReassignmentStarted {
            partition: id,
            adding: adding.clone(),
            removing: removing.clone(),
        };
        fx.cause = fx.event_because(event, [fx.cause, state.why]);
        let replicas = target.union(&state.replicas);
        let bump = i32::from(!state.isr.contains_all(&target));
        let mut write = write(id, state, state.leader, state.isr.clone(), bump, fx);
        write.placed = Some(Placed { replicas, adding, removing });
        Ok(Some(write))
    }

    // What follows from a task.

    fn topics(&self) -> Vec<Rc<crate::wire::metadata::Topic>> {
        self.image.topics.clone()
    }

    fn states(&self, ids: &[PartitionId]) -> Vec<(PartitionId, Rc<PartitionState>)> {
        ids.iter().filter_map(|id| Some((*id, self.image.partition(*id)?.clone()))).collect()
    }

    fn queue(&mut self, to: BrokerId, body: Body, why: EventId) {
        self.channels.entry(to).or_default().queue.push_back((body, why));
    }

    /// LeaderAndIsr to those who have replicas of the partitions, except to `except`.
    fn tell_replicas(
        &mut self,
        own: BrokerId,
        ids: &[PartitionId],
        except: Option<BrokerId>,
        why: EventId,
    ) {
        let live = self.image.live();
        let states = self.states(ids);
        for to in live.iter().filter(|b| Some(**b) != except) {
            let parts: Vec<_> =
                states.iter().filter(|(_, s)| s.replicas.contains(to)).cloned().collect();
            if parts.is_empty() {
                continue;
            }
            let request = LeaderAndIsr {
                controller: own,
                controller_epoch: self.epoch,
                topics: self.topics(),
                parts,
                live: live.clone(),
            };
            self.queue(*to, Body::LeaderAndIsr(Box::new(request)), why);
        }
    }

    fn tell_metadata(&mut self, own: BrokerId, to: &BrokerList, ids: &[PartitionId], why: EventId) {
        let parts = self.states(ids);
        for to in to.iter() {
            let request = UpdateMetadata {
                controller: own,
                controller_epoch: self.epoch,
                topics: self.topics(),
                brokers: self.image.brokers.clone(),
                parts: parts.clone(),
            };
            self.queue(*to, Body::UpdateMetadata(Box::new(request)), why);
        }
    }

    fn stop_replicas(
        &mut self,
        to: BrokerId,
        partitions: Vec<PartitionId>,
        delete: bool,
        why: EventId,
    ) {
        if !partitions.is_empty() && self.image.live().contains(&to) {
            let request = StopReplica { controller_epoch: self.epoch, delete, partitions };
            self.queue(to, Body::StopReplica(Box::new(request)), why);
        }
    }

    /// The task's states are written: tells the brokers, and says what the asker hears.
    fn conclude(&mut self, own: BrokerId, running: Running, fx: &mut BrokerEffects) {
        let live = self.image.live();
        let why = fx.cause;
        let all: Vec<PartitionId> = self.partitions().map(|(id, _)| id).collect();
        let changed = running.changed;
        match running.task {
            Task::TellAll => {
                self.tell_replicas(own, &all, None, why);
                self.tell_metadata(own, &live, &all, why);
                return;
            }
            Task::TellStarted(started) => {
                let others = live.filtered(|b| !started.contains(&b));
                self.tell_metadata(own, &others, &[], why);
                for to in started.iter() {
                    let only = BrokerList::from_iter([*to]);
                    let parts = self.states(&all);
                    let hosted: Vec<PartitionId> = parts
                        .iter()
                        .filter(|(_, s)| s.replicas.contains(to) && s.leader_epoch >= 0)
                        .map(|(id, _)| *id)
                        .collect();
                    let parts = self.states(&hosted);
                    let request = LeaderAndIsr {
                        controller: own,
                        controller_epoch: self.epoch,
                        topics: self.topics(),
                        parts,
                        live: live.clone(),
                    };
                    self.queue(*to, Body::LeaderAndIsr(Box::new(request)), why);
                    self.tell_metadata(own, &only, &all, why);
                }
                return;
            }
            Task::RemoveReplicas { broker, .. } => {
                self.tell_replicas(own, &changed, Some(broker), why);
            }
            Task::StopFollowing(broker) => {
                let followed = self.partitions().filter(|(_, s)| {
                    let has_others = s.replicas.len() > 1;
                    has_others && s.replicas.contains(&broker) && s.leader != Some(broker)
                });
                let followed = followed.map(|(id, _)| id).collect();
                self.stop_replicas(broker, followed, false, why);
                return;
            }
            Task::AnswerShutdown(broker, (to, correlation)) => {
                let left = self.partitions();
                let left = left.filter(|(_, s)| s.leader == Some(broker) && s.replicas.len() > 1);
                let left = left.count() as u32;
                fx.send(to, correlation, Body::ControlledShutdownResponse(left), why);
                return;
            }
            Task::Delete(id, replicas) => {
                for replica in replicas.iter() {
                    self.stop_replicas(*replica, alloc::vec![id], true, why);
                }
                let replicas = self.image.partition(id).map(|s| s.replicas.clone());
                let replicas = replicas.unwrap_or_default();
                fx.event(EventKind::ReassignmentCompleted { partition: id, replicas });
                self.tell_metadata(own, &live, &[id], why);
                return;
            }
            Task::Preferred(_, asker) => {
                self.tell_replicas(own, &changed, None, why);
                if let Some(asker) = asker {
                    answer_command("elect", asker, running.error, fx);
                }
            }
            Task::Unclean(_, asker) => {
                self.tell_replicas(own, &changed, None, why);
                answer_command("elect", asker, running.error, fx);
            }
            Task::Move(r, asker) => {
                self.tell_replicas(own, &changed, None, why);
                if asker.1 > 0 {
                    answer_command("reassign", asker, running.error, fx);
                }
                self.check_move(r.partition);
            }
            Task::AlterIsr(request, asker) => {
                self.answer_alter_isr(&request, asker, &changed, fx);
                for id in &changed {
                    self.check_move(*id);
                }
            }
            Task::Elect | Task::HandOver(_) | Task::MoveLeader(_) => {
                self.tell_replicas(own, &changed, None, why);
            }
        }
        if !changed.is_empty() {
            self.tell_metadata(own, &live, &changed, why);
        }
    }

    fn answer_alter_isr(
        &self,
        request: &AlterPartition,
        (to, correlation): Asker,
        changed: &[PartitionId],
        fx: &mut BrokerEffects,
    ) {
        let result = |part: &AlterPartitionPart| -> AlterResult {
            let stored = self.image.partition(part.partition);
            let stored = stored.ok_or(ErrorCode::UnknownTopicOrPartition)?;
            if !changed.contains(&part.partition) {
                alter_isr(stored, part)?;
            }
            Ok(stored.clone())
        };
        let parts = request.parts.iter().map(|p| (p.partition, result(p))).collect();
        let answer = AlterPartitionAnswer { error: ErrorCode::None, parts };
        fx.send(to, correlation, Body::AlterPartitionResponse(Box::new(answer)), fx.cause);
    }
}

fn target_of(state: &PartitionState) -> BrokerList {
    state.replicas.filtered(|b| !state.removing.contains(&b))
}

fn write(
    partition: PartitionId,
    state: &PartitionState,
    leader: Option<BrokerId>,
    isr: BrokerList,
    bump: i32,
    fx: &BrokerEffects,
) -> StateWrite {
    StateWrite {
        partition,
        expected: state.partition_epoch,
        leader,
        leader_epoch: state.leader_epoch + bump,
        isr,
        placed: None,
        why: fx.cause,
    }
}

/// Somebody else leads from now on.
fn reign(
    partition: PartitionId,
    state: &PartitionState,
    elected: Elected,
    fx: &mut BrokerEffects,
) -> StateWrite {
    let Elected { leader, isr, unclean } = elected;
    let epoch = state.leader_epoch + 1;
    let event = if unclean {
        EventKind::LeaderUnclean { partition, leader, epoch }
    } else {
        EventKind::LeaderElected { partition, leader, epoch, isr: isr.clone() }
    };
    fx.cause = fx.event_because(event, [fx.cause, state.why]);
    write(partition, state, Some(leader), isr, 1, fx)
}

/// R5.15.
fn prefer(
    partition: PartitionId,
    state: &PartitionState,
    live: &BrokerList,
    fx: &mut BrokerEffects,
) -> Result<StateWrite, ErrorCode> {
    if state.leader.is_some() && state.leader == state.replicas.first().copied() {
        return Err(ErrorCode::ElectionNotNeeded);
    }
    let elected = zk_election::preferred(&state.replicas, &state.isr, &|b| live.contains(&b));
    let elected = elected.ok_or(ErrorCode::PreferredLeaderNotAvailable)?;
    Ok(reign(partition, state, elected, fx))
}

/// R5.36 (3): the list is the target's from now on; its member leads under a new epoch.
fn move_leader(
    partition: PartitionId,
    state: &PartitionState,
    live: &BrokerList,
    fx: &mut BrokerEffects,
) -> Option<StateWrite> {
    let target = target_of(state);
    let stays = state.leader.filter(|l| target.contains(l) && live.contains(l));
    let mut write = match stays {
        Some(leader) => {
            let epoch = state.leader_epoch + 1;
            let event = EventKind::LeaderEpochRaised { partition, leader, epoch };
            fx.cause = fx.event_because(event, [fx.cause, state.why]);
            write(partition, state, Some(leader), state.isr.clone(), 1, fx)
        }
        None => {
            let is_live = |b| live.contains(&b);
            reign(partition, state, zk_election::reassigned(&target, &state.isr, &is_live)?, fx)
        }
    };
    let none = BrokerList::new();
    write.placed = Some(Placed { replicas: target, adding: none.clone(), removing: none });
    Some(write)
}

/// The controller's tests of a leader's request (R2.23); nothing is written where it is so already.
fn alter_isr(
    stored: &PartitionState,
    part: &AlterPartitionPart,
) -> Result<Option<StateWrite>, ErrorCode> {
    if !validate_alter_isr(part, stored)? {
        return Ok(None);
    }
    Ok(Some(StateWrite {
        partition: part.partition,
        expected: stored.partition_epoch,
        leader: stored.leader,
        leader_epoch: stored.leader_epoch,
        isr: part.isr.iter().map(|(b, _)| *b).collect(),
        placed: None,
        why: part.why,
    }))
}

fn answer_command(
    command: &'static str,
    (to, correlation): Asker,
    error: ErrorCode,
    fx: &mut BrokerEffects,
) {
    let why = fx.event(EventKind::CommandAnswered { command, error });
    let answer = CommandAnswer { error };
    let body = match command {
        "elect" => Body::ElectLeadersResponse(answer),
        _ => Body::AlterPartitionReassignmentsResponse(answer),
    };
    fx.send(to, correlation, body, why);
}

// The controller as a part of its broker.

impl Broker {
    /// Whether it has nothing under way as the controller.
    pub fn is_controller_idle(&self) -> bool {
        let controller = self.process.as_ref().and_then(|p| p.zk_controller.as_ref());
        controller.is_none_or(|c| c.is_idle())
    }

    /// This broker holds the controller's node.
    pub(super) fn become_controller(&mut self, epoch: i32, fx: &mut BrokerEffects) {
        let settings = self.config.clone();
        let process = self.up();
        process.zk_controller =
            Some(Box::new(ZkController::elected(epoch, MetadataImage::new(settings))));
        fx.timer(fx.now + FIRST_REBALANCE, BrokerTimer::Rebalance);
    }

    /// The controller of a cluster that has been running for long.
    pub(super) fn form_controller(&mut self, image: &MetadataImage, fx: &mut BrokerEffects) {
        self.up().zk_controller = Some(Box::new(ZkController::formed(image.clone())));
        fx.timer(fx.now + FIRST_REBALANCE, BrokerTimer::Rebalance);
    }

    /// ZooKeeper has news for the controller.
    pub(super) fn controller_learns(
        &mut self,
        records: &[(MetadataRecord, EventId)],
        fx: &mut BrokerEffects,
    ) {
        let rules = self.rules;
        let Some(controller) = self.up().zk_controller.as_deref_mut() else { return };
        controller.learn(records, &rules);
        self.work(fx);
    }

    /// A request to the controller; nobody answers if this broker is not it.
    pub(super) fn ask_controller(
        &mut self,
        from: Node,
        correlation: u32,
        body: Body,
        fx: &mut BrokerEffects,
    ) {
        let Some(controller) = self.up().zk_controller.as_deref_mut() else {
            if let Body::AlterPartition(_) = body {
                let error = ErrorCode::NotController;
                let answer = AlterPartitionAnswer { error, parts: Vec::new() };
                fx.send(
                    from,
                    correlation,
                    Body::AlterPartitionResponse(Box::new(answer)),
                    fx.cause,
                );
            }
            return;
        };
        let asker = (from, correlation);
        let tasks = &mut controller.tasks;
        match body {
            Body::AlterPartition(request) => tasks.push_back(Task::AlterIsr(request, asker)),
            Body::ElectLeaders(r) if r.unclean => {
                tasks.push_back(Task::Unclean(r.partition, asker))
            }
            Body::ElectLeaders(r) => tasks.push_back(Task::Preferred(r.partition, Some(asker))),
            Body::AlterPartitionReassignments(r) => tasks.push_back(Task::Move(*r, asker)),
            Body::ControlledShutdown(broker) => {
                controller.shutting_down.insert(broker);
                tasks.push_back(Task::HandOver(broker));
                tasks.push_back(Task::StopFollowing(broker));
                tasks.push_back(Task::RemoveReplicas { broker, only: None, lives: true });
                tasks.push_back(Task::AnswerShutdown(broker, asker));
            }
            _ => {}
        }
        self.work(fx);
    }

    /// Gives leadership back to preferred leaders (R5.16).
    pub(super) fn rebalance(&mut self, fx: &mut BrokerEffects) {
        let Some(controller) = self.up().zk_controller.as_deref_mut() else { return };
        let values = controller.image.settings.cluster();
        let percent = values.get(Key::LeaderImbalancePerBrokerPercentage);
        if values.is(Key::AutoLeaderRebalanceEnable)
            && !controller.partitions().any(|(_, s)| s.is_reassigning())
        {
            let states = controller.image.partitions.iter();
            let led = states.map(|s| (s.replicas.first().copied(), s.leader));
            let led: Vec<_> = led.collect();
            for id in zk_election::imbalanced(&led, percent) {
                let id = PartitionId(id as u32);
                controller.tasks.push_back(Task::Preferred(id, None));
            }
        }
        let every = values.get(Key::LeaderImbalanceCheckIntervalSeconds).max(1) as u64;
        fx.timer(fx.now + Micros::from_secs(every), BrokerTimer::Rebalance);
        self.work(fx);
    }

    /// Begins tasks until one has to wait for ZooKeeper; sends what is to be sent.
    fn work(&mut self, fx: &mut BrokerEffects) {
        let (own, rules) = (self.id, self.rules);
        while let Some(controller) = self.up().zk_controller.as_deref_mut() {
            if controller.running.is_some() || !controller.loaded {
                break;
            }
            let Some(task) = controller.tasks.pop_front() else { break };
            let planned = controller.plan(&task, None, &rules, fx);
            let error = planned.as_ref().err().copied().unwrap_or(ErrorCode::None);
            let writes = planned.unwrap_or_default();
            let running =
                Running { task, correlation: 0, until: Micros::ZERO, changed: Vec::new(), error };
            if writes.is_empty() {
                controller.conclude(own, running, fx);
            } else {
                self.write_states(running, writes, fx);
            }
        }
        self.send_to_brokers(fx);
    }

    fn write_states(&mut self, running: Running, writes: Vec<StateWrite>, fx: &mut BrokerEffects) {
        let process = self.process.as_mut().expect("the process is up");
        let correlation = process.correlation();
        let request = SetData { broker: self.id, broker_epoch: process.broker_epoch, writes };
        let why = request.writes.last().map_or(fx.cause, |w| w.why);
        fx.send(Node::Controller, correlation, Body::SetData(Box::new(request)), why);
        if let Some(controller) = process.zk_controller.as_deref_mut() {
            let until = fx.now + LOST;
            controller.running = Some(Running { correlation, until, ..running });
            fx.timer(until, BrokerTimer::ControllerWork);
        }
    }

    /// ZooKeeper wrote, or not; false: that was not the controller's request.
    pub(super) fn states_written(
        &mut self,
        correlation: u32,
        r: &SetDataAnswer,
        fx: &mut BrokerEffects,
    ) -> bool {
        let (own, rules) = (self.id, self.rules);
        let Some(controller) = self.up().zk_controller.as_deref_mut() else { return false };
        let running = controller.running.take_if(|r| r.correlation == correlation);
        let Some(mut running) = running else { return false };
        let mut again = Vec::new();
        for (id, made, state) in &r.results {
            let was = controller.image.partition(*id).cloned();
            controller.image.put_partition(*id, state.clone());
            if !made {
                again.push(*id);
                continue;
            }
            running.changed.push(*id);
            if let (Task::MoveLeader(_), Some(was)) = (&running.task, was) {
                for old in was.removing.iter() {
                    let (broker, only) = (*old, Some(*id));
                    let remove = Task::RemoveReplicas { broker, only, lives: false };
                    controller.tasks.push_front(remove);
                }
                let at = was.removing.len().min(controller.tasks.len());
                controller.tasks.insert(at, Task::Delete(*id, was.removing.clone()));
            }
        }
        fx.cause = r.results.last().map_or(fx.cause, |(_, _, state)| state.why);
        if !again.is_empty() {
            // Somebody wrote in between, or this is asked again because the answer was lost: what is
            // wanted is worked out from what is there now.
            let writes = controller.plan(&running.task, Some(&again), &rules, fx);
            let writes = writes.unwrap_or_default();
            // Where nothing is left to write the brokers hear what is stored.
            let settled = again.iter().filter(|id| !writes.iter().any(|w| w.partition == **id));
            running.changed.extend(settled);
            if !writes.is_empty() {
                self.write_states(running, writes, fx);
                return true;
            }
        }
        controller.conclude(own, running, fx);
        self.work(fx);
        true
    }

    // Requests to brokers, one at a time to each.

    fn send_to_brokers(&mut self, fx: &mut BrokerEffects) {
        let Some(process) = self.process.as_deref_mut() else { return };
        let Some(controller) = process.zk_controller.as_deref_mut() else { return };
        for (to, channel) in controller.channels.iter_mut() {
            channel.outstanding.take_if(|(_, until)| *until <= fx.now);
            if channel.outstanding.is_some() {
                continue;
            }
            let Some((body, why)) = channel.queue.front() else { continue };
            process.next_correlation += 1;
            let until = fx.now + LOST;
            channel.outstanding = Some((process.next_correlation, until));
            fx.timer(until, BrokerTimer::SendToBrokers);
            fx.send(Node::Broker(*to), process.next_correlation, body.clone(), *why);
        }
    }

    /// A broker has done what the controller told it.
    pub(super) fn broker_answered(
        &mut self,
        from: BrokerId,
        correlation: u32,
        fx: &mut BrokerEffects,
    ) {
        let Some(controller) = self.up().zk_controller.as_deref_mut() else { return };
        let Some(channel) = controller.channels.get_mut(&from) else { return };
        if channel.outstanding.take_if(|(c, _)| *c == correlation).is_some() {
            channel.queue.pop_front();
        }
        self.send_to_brokers(fx);
    }

    /// A broker's connection broke: the same is sent again, while it counts as alive.
    pub(super) fn channel_broke(&mut self, to: BrokerId, fx: &mut BrokerEffects) {
        let Some(controller) = self.up().zk_controller.as_deref_mut() else { return };
        let Some(channel) = controller.channels.get_mut(&to) else { return };
        if channel.outstanding.take().is_some() {
            fx.timer(fx.now + RESEND, BrokerTimer::SendToBrokers);
        }
    }

    /// See [`Broker::channel_broke`].
    pub(super) fn resend(&mut self, fx: &mut BrokerEffects) {
        self.send_to_brokers(fx);
    }

    /// ZooKeeper's connection broke while it was to write: the task begins anew.
    pub(super) fn writes_lost(&mut self, fx: &mut BrokerEffects) {
        let Some(controller) = self.up().zk_controller.as_deref_mut() else { return };
        if let Some(running) = controller.running.take() {
            controller.tasks.push_front(running.task);
            fx.timer(fx.now + RESEND, BrokerTimer::ControllerWork);
        }
    }

    /// See [`Broker::writes_lost`].
    pub(super) fn work_again(&mut self, fx: &mut BrokerEffects) {
        let Some(controller) = self.up().zk_controller.as_deref_mut() else { return };
        if let Some(lost) = controller.running.take_if(|r| r.until <= fx.now) {
            controller.tasks.push_front(lost.task);
        }
        self.work(fx);
    }
}
