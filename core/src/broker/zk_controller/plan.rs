//! What a task of the controller wants written.

use super::{Task, ZkController};
use crate::broker::node::BrokerEffects;
use crate::controller::alter_partition::validate_alter_isr;
use crate::controller::zk_election::Elected;
use crate::controller::{reassignment, zk_election};
use crate::settings::Rules;
use crate::wire::event::EventKind;
use crate::wire::message::{AlterPartitionPart, Placed, Reassign, StateWrite};
use crate::wire::metadata::PartitionState;
use crate::words::{BrokerId, BrokerList, ErrorCode, PartitionId};
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
        let live = self.image.live();
        let mut writes = Vec::new();
        let wanted = |id: PartitionId| only.is_none_or(|o| o.contains(&id));
        let cause = fx.cause;
        for (id, state) in self.partitions().filter(|(id, _)| wanted(*id)) {
            fx.cause = cause;
            let write = match task {
                Task::TellAll
                | Task::TellStarted(_)
                | Task::TellIsrs(_)
                | Task::StopFollowing(_)
                | Task::AnswerShutdown(..)
                | Task::Delete { .. } => None,
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
        if !reassignment::zk_start(rule, state, &target, &is_live)? {
            return Ok(None);
        }
        // What an unfinished move was to add is no part of the list any more (R5.36).
        let replicas = target.union(&origin);
        let adding = replicas.filtered(|b| !origin.contains(&b));
        let removing = replicas.filtered(|b| !target.contains(&b));
        let event = EventKind::ReassignmentStarted {
            partition: id,
            adding: adding.clone(),
            removing: removing.clone(),
        };
        fx.cause = fx.event_because(event, [fx.cause, state.why]);
        let is_done = adding.is_empty() && removing.is_empty()
            || reassignment::zk_caught_up(&target, &state.isr);
        let bump = i32::from(!is_done);
        let mut write = write(id, state, state.leader, state.isr.clone(), bump, fx);
        write.placed = Some(Placed { replicas, adding, removing });
        Ok(Some(write))
    }
}

pub(super) fn target_of(state: &PartitionState) -> BrokerList {
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
pub(super) fn alter_isr(
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
