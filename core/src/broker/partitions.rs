//! What new metadata makes of a replica (R3.7–R3.9, R4.2–R4.4).

use super::lifecycle::Phase;
use super::node::{Broker, BrokerEffects, because};
use crate::replica::high_watermark::effective_min_isr;
use crate::replica::{Following, FollowingState, Leading, Replica, ReplicaSettings, Role};
use crate::settings::rules::{DeposedLeader, FollowerRestart};
use crate::wire::event::EventKind;
use crate::wire::metadata::{MetadataRecord, PartitionState};
use crate::words::{BrokerId, ErrorCode, EventId, Map, PartitionId};
use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::vec::Vec;

impl Broker {
    /// Takes over what is new in the metadata log.
    pub(super) fn apply_metadata(
        &mut self,
        records: &[(MetadataRecord, EventId)],
        fx: &mut BrokerEffects,
    ) {
        let mut changed: Map<PartitionId, ()> = Map::new();
        let mut settings_why = None;
        let process = self.up();
        for (record, why) in records {
            process.image.apply(record);
            match record {
                MetadataRecord::Partition(id, _) => {
                    changed.insert(*id, ());
                }
                MetadataRecord::Settings(_) => settings_why = Some(*why),
                _ => {}
            }
        }
        if !process.phase.has_logs() {
            return;
        }
        for (partition, ()) in changed {
            self.apply_partition(partition, fx);
        }
        // Settings come last: a state that came with them is still judged by the old ones (R2.20).
        if let Some(why) = settings_why {
            fx.cause = why;
            self.take_settings();
        }
    }

    /// Makes every replica what the image says, after a start.
    pub(super) fn apply_image(&mut self, fx: &mut BrokerEffects) {
        let count = self.up().image.partitions.len() as u32;
        let gone: Vec<PartitionId> =
            self.replicas.keys().copied().filter(|p| p.0 >= count).collect();
        for partition in gone {
            self.delete_replica(partition, fx);
        }
        for partition in (0..count).map(PartitionId) {
            self.apply_partition(partition, fx);
        }
    }

    /// Settings changed: replicas go by the new ones. This does not move the HW (R2.20).
    pub(super) fn take_settings(&mut self) {
        let rule = self.rules.min_isr;
        let process = self.process.as_mut().expect("the process is up");
        process.values = process.image.settings.broker(self.id);
        for (partition, replica) in self.replicas.iter_mut() {
            let Some(state) = process.image.partition(*partition) else { continue };
            let topic = &process.image.topic_of(state).name;
            replica.settings =
                ReplicaSettings::of(&process.image.settings, topic, Some(self.id), rule);
            let min = replica.settings.min_insync_replicas;
            if let Some(leading) = replica.leading_mut() {
                leading.min_isr = effective_min_isr(rule, min, leading.followers.len() + 1);
                leading.told_held = false;
            }
        }
    }

    fn apply_partition(&mut self, partition: PartitionId, fx: &mut BrokerEffects) {
        let Some(state) = self.up().image.partition(partition).cloned() else { return };
        fx.cause = state.why;
        if !state.replicas.contains(&self.id) {
            self.delete_replica(partition, fx);
            return;
        }
        if !self.replicas.contains_key(&partition) {
            let settings = self.replica_settings(partition).expect("the partition is known");
            self.replicas.insert(partition, Replica::new(settings, &self.rules, fx.now));
        }
        if let Some(replica) = self.replicas.get_mut(&partition) {
            replica.hosted = true;
        }
        if self.up().phase == Phase::Stopping && !state.isr.contains(&self.id) {
            // In controlled shutdown a replica outside the ISR is not fetched for any more.
            self.rest(partition, &state, fx);
            return;
        }
        match state.leader {
            Some(leader) if leader == self.id => self.lead(partition, &state, fx),
            leader => self.follow(partition, &state, leader, fx),
        }
    }

    /// This broker leads the partition, from now on or still.
    pub(super) fn lead(
        &mut self,
        partition: PartitionId,
        state: &Rc<PartitionState>,
        fx: &mut BrokerEffects,
    ) {
        let own = self.id;
        let replica = self.replicas.get_mut(&partition).expect("it hosts the replica");
        let end = replica.log.end();
        let min = replica.settings.min_insync_replicas;
        let min = effective_min_isr(self.rules.min_isr, min, state.replicas.len());
        if let Some(leading) = replica.leading_mut()
            && leading.epoch == state.leader_epoch
        {
            if state.partition_epoch >= leading.partition_epoch {
                leading.min_isr = min;
                if self.commit_isr(partition, state, fx) {
                    self.look_at_hw(partition, fx);
                } else {
                    self.advance_hw(partition, fx);
                }
            }
            return;
        }
        if state.leader_epoch < replica.leader_epoch {
            return;
        }
        let former = replica.leading().cloned();
        let clock = (&self.rules, fx.now);
        let leading = Leading::begin(own, state, min, end, former, clock);
        replica.leader_epoch = state.leader_epoch;
        replica.log.begin_epoch(state.leader_epoch);
        replica.role = Role::Leader(Box::new(leading));
        self.remove_from_fetchers(partition);
        let (epoch, start) = (state.leader_epoch, end);
        fx.cause = fx.event(EventKind::BecameLeader { partition, epoch, start });
        self.answer_parked_fetches(partition, fx);
        self.advance_hw(partition, fx);
    }

    /// The leader takes over a stored state of its own epoch (R2.25); whether the ISR is another now.
    pub(super) fn commit_isr(
        &mut self,
        partition: PartitionId,
        state: &Rc<PartitionState>,
        fx: &mut BrokerEffects,
    ) -> bool {
        let replica = self.replicas.get_mut(&partition).expect("it hosts the replica");
        let Some(leading) = replica.leading_mut() else { return false };
        let made = leading.pending.clone().filter(|p| p.proposed().same_set(&state.isr));
        if !leading.commit(self.id, state, (&self.rules, fx.now)) {
            return false;
        }
        if let (Some(change), Some(process)) = (made, &mut self.process) {
            process.meters.changed_isr(&change);
        }
        let causes = because(state.why, fx.cause);
        let isr = state.isr.clone();
        fx.cause = fx.event_because(EventKind::IsrCommitted { partition, isr }, causes);
        leading.isr_why = fx.cause;
        self.withdraw_proposal(partition);
        true
    }

    /// With another ISR the HW may move, and those who wait for acks may be answered (R2.20).
    pub(super) fn look_at_hw(&mut self, partition: PartitionId, fx: &mut BrokerEffects) {
        self.advance_hw(partition, fx);
        self.answer_waiting(partition, fx);
    }

    /// The replica neither leads nor follows from now on.
    fn rest(&mut self, partition: PartitionId, state: &Rc<PartitionState>, fx: &mut BrokerEffects) {
        let replica = self.replicas.get_mut(&partition).expect("it hosts the replica");
        replica.leader_epoch = state.leader_epoch;
        let former = core::mem::replace(&mut replica.role, Role::Idle);
        self.remove_from_fetchers(partition);
        if let Role::Leader(former) = former {
            self.step_down(partition, &former, fx);
        }
        self.answer_parked_fetches(partition, fx);
    }

    /// This broker follows `leader`, or nobody leads.
    pub(super) fn follow(
        &mut self,
        partition: PartitionId,
        state: &Rc<PartitionState>,
        leader: Option<BrokerId>,
        fx: &mut BrokerEffects,
    ) {
        let replica = self.replicas.get_mut(&partition).expect("it hosts the replica");
        let epoch = state.leader_epoch;
        // "Nothing to do" unless the epoch is newer, or in old releases the leader another (R3.9).
        if epoch <= replica.leader_epoch {
            return;
        }
        replica.leader_epoch = epoch;
        if self.rules.follower_restart == FollowerRestart::NewLeader
            && let Some(following) = replica.following_mut()
            && Some(following.leader) == leader
        {
            following.epoch = epoch;
            return;
        }
        let next = match leader {
            Some(leader) => {
                let state = FollowingState::Fetching;
                Role::Follower(Following { leader, epoch, asks_epoch: false, state, lag: 0 })
            }
            None => Role::Idle,
        };
        let former = core::mem::replace(&mut replica.role, next);
        self.remove_from_fetchers(partition);
        let event = match leader {
            Some(leader) => EventKind::BecameFollower { partition, epoch, leader },
            None => EventKind::BecameLeaderless { partition, epoch },
        };
        fx.cause = fx.event(event);
        let why = fx.cause;
        if let Role::Leader(former) = former {
            self.step_down(partition, &former, fx);
        }
        fx.cause = why;
        self.answer_parked_fetches(partition, fx);
        if let Some(leader) = leader {
            self.begin_following(partition, fx);
            self.add_to_fetcher(partition, leader, fx);
        }
    }

    /// A leader becomes a follower: nobody waits for it any longer (R2.13).
    fn step_down(&mut self, partition: PartitionId, former: &Leading, fx: &mut BrokerEffects) {
        self.withdraw_proposal(partition);
        if self.rules.deposed_leader == DeposedLeader::LeavesWaiting {
            return;
        }
        let error = ErrorCode::NotLeaderOrFollower;
        self.fail_waiting(partition, &former.waiting_produces, error, fx);
    }

    /// A new leader epoch: parked fetches carry the old one, and are told so (R2.28). Old releases
    /// leave those of a deposed leader until their time is over (R2.13).
    fn answer_parked_fetches(&mut self, partition: PartitionId, fx: &mut BrokerEffects) {
        let Some(replica) = self.replicas.get(&partition) else { return };
        let leads = replica.leading().is_some();
        if !leads && self.rules.deposed_leader == DeposedLeader::LeavesWaiting {
            return;
        }
        for id in replica.parked_fetches() {
            self.retry_fetch(id, true, fx);
        }
    }

    /// The broker is no replica any more; its directory goes (R5.37).
    pub(super) fn delete_replica(&mut self, partition: PartitionId, fx: &mut BrokerEffects) {
        let Some(replica) = self.replicas.remove(&partition) else { return };
        self.remove_from_fetchers(partition);
        self.disk.recovery_point.remove(&partition);
        fx.cause = fx.event(EventKind::ReplicaDeleted { partition });
        let parked = match self.rules.deposed_leader {
            DeposedLeader::LeavesWaiting => Vec::new(),
            DeposedLeader::Answers => replica.parked_fetches(),
        };
        if let Role::Leader(former) = replica.role {
            self.step_down(partition, &former, fx);
        }
        for id in parked {
            self.retry_fetch(id, true, fx);
        }
    }
}
