//! What a task of the controller wants written.

use super::{Task, ZkController};
use crate::broker::node::BrokerEffects;
use crate::partition::reassignment::Plan;
use crate::partition::zk_change::{self, Written};
use crate::partition::zk_election::Elected;
use crate::settings::Rules;
use crate::wire::event::EventKind;
use crate::wire::message::{AlterPartitionPart, StateWrite};
use crate::wire::metadata::PartitionState;
use crate::words::{BrokerList, Brokers, ErrorCode, EventId, PartitionId};
use alloc::vec::Vec;

impl ZkController {
    /// The states that `task` wants, of all partitions or of those in `only`.
    pub(super) fn plan(
        &self,
        task: &Task,
        only: Option<&[PartitionId]>,
        rules: &Rules,
        fx: &mut BrokerEffects,
    ) -> Result<Vec<StateWrite>, ErrorCode> {
        if task.names().is_some_and(|id| self.image.partition(id).is_none()) {
            return Err(ErrorCode::UnknownTopicOrPartition);
        }
        let concerned = task.only();
        let wanted = |id: PartitionId| {
            only.is_none_or(|o| o.contains(&id))
                && concerned.is_none_or(|concerned| concerned == id)
        };
        let mut writes = Vec::new();
        for (id, state) in self.partitions().filter(|(id, _)| wanted(*id)) {
            writes.extend(fx.caused_by(fx.cause(), |fx| self.want(task, id, state, rules, fx))?);
        }
        Ok(writes)
    }

    /// What `task` wants written of one partition.
    fn want(
        &self,
        task: &Task,
        id: PartitionId,
        state: &PartitionState,
        rules: &Rules,
        fx: &mut BrokerEffects,
    ) -> Result<Option<StateWrite>, ErrorCode> {
        let live = self.image.live();
        let is_live = |b| live.contains(&b);
        let written = match task {
            Task::TellAll
            | Task::MarkOffline(_)
            | Task::TellStarted(_)
            | Task::TellIsrs(_)
            | Task::StopFollowing(..)
            | Task::AnswerShutdown(..)
            | Task::Delete { .. } => None,
            Task::Elect { without } => {
                let live = live.filtered(|b| !without.contains(&b));
                return Ok(self.elect(id, state, &live, fx));
            }
            Task::RemoveReplicas { broker, lives, .. } => {
                let stays = *lives && state.leader == Some(*broker);
                let unclean = self.is_unclean(state);
                (!stays).then(|| zk_change::remove(rules, state, *broker, unclean)).flatten()
            }
            Task::HandOver { broker, .. } => {
                let stopping = |b| self.shutting_down.contains(&b);
                zk_change::hand_over(rules, state, *broker, &is_live, &stopping)
            }
            Task::Preferred(..) => Some(zk_change::prefer(state, &is_live)?),
            Task::Unclean(..) => Some(zk_change::elect_unclean(state, &is_live)?),
            Task::Move(r, _) => return self.start_move(id, state, r.target, &live, rules, fx),
            Task::ResumeMove(_) => zk_change::resume_move(state),
            Task::SubmitMove(_) => {
                zk_change::forget_move(state, &is_live).or_else(|| zk_change::resume_move(state))
            }
            Task::MoveLeader(_) => zk_change::complete_move(state, &is_live),
            Task::AlterIsr(request, _) => {
                let part = request.parts.iter().find(|p| p.partition == id);
                return Ok(part.and_then(|p| alter_isr(state, p).ok().flatten()));
            }
        };
        Ok(written.map(|written| tell(id, state, written, fx)))
    }

    /// R5.9, R5.11, R5.14.
    fn elect(
        &self,
        id: PartitionId,
        state: &PartitionState,
        live: &BrokerList,
        fx: &mut BrokerEffects,
    ) -> Option<StateWrite> {
        let offline = self.offline.contains_key(&id);
        let unclean = self.is_unclean(state);
        let written = zk_change::elect(state, offline, unclean, &|b| live.contains(&b))?;
        if state.leader_epoch < 0
            && let Some(leader) = written.state.leader
        {
            let replicas = state.replicas.into();
            let why = fx.chain(EventKind::PartitionCreated { partition: id, replicas, leader });
            return Some(write(id, state, written, why));
        }
        Some(tell(id, state, written, fx))
    }

    /// R5.36 (1).
    fn start_move(
        &self,
        id: PartitionId,
        state: &PartitionState,
        target: Option<Brokers>,
        live: &BrokerList,
        rules: &Rules,
        fx: &mut BrokerEffects,
    ) -> Result<Option<StateWrite>, ErrorCode> {
        let known = |b| self.image.brokers.contains_key(&b);
        let written = zk_change::start_move(rules, state, target, &known, &|b| live.contains(&b))?;
        let Some(written) = written else { return Ok(None) };
        if let Some(Plan { adding, removing, .. }) = written.plan {
            let (adding, removing) = (adding.into(), removing.into());
            let event = EventKind::ReassignmentStarted { partition: id, adding, removing };
            fx.chain_because(event, [fx.cause(), state.why]);
        }
        Ok(Some(write(id, state, written, fx.cause())))
    }
}

/// The write of a new state, and the event that made it so.
fn write(
    partition: PartitionId,
    old: &PartitionState,
    written: Written,
    why: EventId,
) -> StateWrite {
    let Written { state, plan, .. } = written;
    StateWrite {
        partition,
        expected: old.partition_epoch,
        leader: state.leader,
        leader_epoch: state.leader_epoch,
        isr: state.isr,
        plan,
        why,
    }
}

/// The story of a change, and its write.
fn tell(
    partition: PartitionId,
    old: &PartitionState,
    written: Written,
    fx: &mut BrokerEffects,
) -> StateWrite {
    let (new, epoch) = (written.state, written.state.leader_epoch);
    let mut note = |kind| fx.chain_because(kind, [fx.cause(), old.why]);
    if let Some(Elected { leader, isr, unclean }) = written.elected {
        note(if unclean {
            EventKind::LeaderUnclean { partition, leader, epoch }
        } else {
            EventKind::LeaderElected { partition, leader, epoch, isr: isr.into() }
        });
        return write(partition, old, written, fx.cause());
    }
    if !new.isr.same_set(&old.isr) {
        note(EventKind::IsrShrunk { partition, was: old.isr.into(), isr: new.isr.into() });
    }
    match (old.leader, new.leader) {
        (Some(_), None) => {
            let (isr, elr) = (new.isr.into(), BrokerList::new());
            note(EventKind::LeaderNone { partition, epoch, isr, elr });
        }
        (_, Some(leader)) if new.isr == old.isr && epoch > old.leader_epoch => {
            note(EventKind::LeaderEpochRaised { partition, leader, epoch });
        }
        _ => {}
    }
    write(partition, old, written, fx.cause())
}

/// The controller's tests of a leader's request (R2.23); nothing is written where it is so already.
pub(super) fn alter_isr(
    stored: &PartitionState,
    part: &AlterPartitionPart,
) -> Result<Option<StateWrite>, ErrorCode> {
    let written = zk_change::alter_isr(stored, &part.proposed())?;
    Ok(written.map(|w| write(part.partition, stored, w, part.why)))
}
