//! What brokers and askers hear once a task's states are written (R5.14).

use super::plan::alter_isr;
use super::{Asker, RunningTask, Task, ZkController};
use crate::broker::node::BrokerEffects;
use crate::settings::rules::OfflinePartitions;
use crate::wire::event::EventKind;
use crate::wire::message::{
    AlterPartition, AlterPartitionAnswer, AlterPartitionPart, AlterResult, Body, CommandAnswer,
    LeaderAndIsr, StopReplica, UpdateMetadata,
};
use crate::wire::metadata::PartitionState;
use crate::words::{BrokerId, BrokerList, ErrorCode, EventId, LeaderEpoch, PartitionId};
use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::vec::Vec;

impl ZkController {
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
            self.leader_and_isr(own, *to, parts, why);
        }
    }

    fn leader_and_isr(
        &mut self,
        own: BrokerId,
        to: BrokerId,
        parts: Vec<(PartitionId, Rc<PartitionState>)>,
        why: EventId,
    ) {
        let request = LeaderAndIsr {
            controller: own,
            controller_epoch: self.epoch,
            topics: self.image.topics.clone(),
            parts,
            live: self.image.live(),
        };
        self.queue(to, Body::LeaderAndIsr(Box::new(request)), why);
    }

    fn tell_metadata(&mut self, own: BrokerId, to: &BrokerList, ids: &[PartitionId], why: EventId) {
        let parts = self.states(ids);
        for to in to.iter() {
            let request = UpdateMetadata {
                controller: own,
                controller_epoch: self.epoch,
                topics: self.image.topics.clone(),
                brokers: self.image.brokers.clone(),
                parts: parts.clone(),
            };
            self.queue(*to, Body::UpdateMetadata(Box::new(request)), why);
        }
    }

    fn stop_replicas(
        &mut self,
        to: BrokerId,
        partitions: Vec<(PartitionId, LeaderEpoch)>,
        delete: bool,
        why: EventId,
    ) {
        if !partitions.is_empty() && self.image.live().contains(&to) {
            let request = StopReplica { controller_epoch: self.epoch, delete, partitions };
            self.queue(to, Body::StopReplica(Box::new(request)), why);
        }
    }

    /// A partition with the leader epoch that StopReplica carries for it; −1 if it has none.
    fn with_epoch(&self, id: PartitionId) -> (PartitionId, LeaderEpoch) {
        (id, self.image.partition(id).map_or(-1, |s| s.leader_epoch))
    }

    /// The task's states are written: tells the brokers, and says what the asker hears.
    pub(super) fn conclude(
        &mut self,
        own: BrokerId,
        running: RunningTask,
        rule: OfflinePartitions,
        fx: &mut BrokerEffects,
    ) {
        let (live, why, changed) = (self.image.live(), fx.cause(), running.changed);
        match running.task {
            Task::MarkOffline(died) => return self.hold_offline(rule, &died),
            Task::TellAll => {
                let all: Vec<PartitionId> = self.partitions().map(|(id, _)| id).collect();
                self.tell_replicas(own, &all, None, why);
                return self.tell_metadata(own, &live, &all, why);
            }
            Task::TellIsrs(ids) => return self.tell_metadata(own, &live, &ids, why),
            Task::TellStarted(started) => return self.tell_started(own, &started, why),
            Task::StopFollowing(broker, partitions) => {
                let followed = partitions.into_iter().map(|id| self.with_epoch(id)).collect();
                return self.stop_replicas(broker, followed, false, why);
            }
            Task::AnswerShutdown(broker, asker) => return self.answer_shutdown(broker, asker, fx),
            Task::Delete { partition, replicas, ends } => {
                self.delete_replicas(partition, &replicas, ends, fx);
                return self.tell_metadata(own, &live, &[partition], why);
            }
            Task::AlterIsr(request, asker) => {
                self.answer_alter_isr(&request, asker, &changed, fx);
                changed.iter().for_each(|id| self.check_move(*id));
            }
            Task::RemoveReplicas { broker, .. } => {
                self.tell_replicas(own, &changed, Some(broker), why);
                self.stop_replicas(broker, running.stopped.into_iter().collect(), false, why);
            }
            task => {
                self.tell_replicas(own, &changed, None, why);
                self.answer_operator(task, &changed, running.error, fx);
            }
        }
        if !changed.is_empty() {
            self.tell_metadata(own, &live, &changed, why);
        }
    }

    /// Brokers that have started hear of all their replicas and of the whole cluster, the others
    /// that they are there (R5.14).
    fn tell_started(&mut self, own: BrokerId, started: &BrokerList, why: EventId) {
        let all: Vec<PartitionId> = self.partitions().map(|(id, _)| id).collect();
        let others = self.image.live().filtered(|b| !started.contains(&b));
        self.tell_metadata(own, &others, &[], why);
        for to in started.iter() {
            let mut parts = self.states(&all);
            parts.retain(|(_, s)| s.replicas.contains(to) && s.leader_epoch >= 0);
            self.leader_and_isr(own, *to, parts, why);
            self.tell_metadata(own, &BrokerList::from_iter([*to]), &all, why);
        }
    }

    /// How many partitions a broker that wants to stop still leads alone (R5.13).
    fn answer_shutdown(&self, broker: BrokerId, (to, correlation): Asker, fx: &mut BrokerEffects) {
        let left = self.partitions();
        let left = left.filter(|(_, s)| s.leader == Some(broker) && s.replicas.len() > 1);
        let answer = Body::ControlledShutdownResponse(left.count() as u32);
        fx.send(to, correlation, answer, fx.cause());
    }

    /// Replicas that a move has left behind are deleted; `ends` if the move ends with it (R5.36).
    fn delete_replicas(
        &mut self,
        partition: PartitionId,
        replicas: &BrokerList,
        ends: bool,
        fx: &mut BrokerEffects,
    ) {
        for replica in replicas.iter() {
            let stopped = alloc::vec![self.with_epoch(partition)];
            self.stop_replicas(*replica, stopped, true, fx.cause());
        }
        if ends {
            let replicas = self.image.partition(partition).map(|s| s.replicas.into());
            let replicas = replicas.unwrap_or_default();
            fx.event(EventKind::ReassignmentCompleted { partition, replicas });
        }
    }

    /// What an operator hears of an election or a move, and how a move goes on.
    fn answer_operator(
        &mut self,
        task: Task,
        changed: &[PartitionId],
        error: ErrorCode,
        fx: &mut BrokerEffects,
    ) {
        match task {
            Task::Preferred(_, Some(asker)) | Task::Unclean(_, asker) => {
                answer_command("elect", asker, error, fx);
            }
            Task::Move(r, asker) => {
                if asker.1 > 0 {
                    answer_command("reassign", asker, error, fx);
                }
                if changed.contains(&r.partition) && !self.is_moving(r.partition) {
                    // Nobody is to be added or removed.
                    self.tasks.push_back(Task::MoveLeader(r.partition));
                }
                self.check_move(r.partition);
            }
            Task::ResumeMove(id) | Task::SubmitMove(id) => self.check_move(id),
            _ => {}
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
        fx.send(to, correlation, Body::AlterPartitionResponse(Box::new(answer)), fx.cause());
    }
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
