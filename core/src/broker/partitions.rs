//! What new metadata makes of a replica (R3.7–R3.9, R4.2–R4.4).

use super::lifecycle::Phase;
use super::node::BrokerEffects;
use super::running::{Running, because};
use crate::partition::heard::{Heard, Known, Standing, heard};
use crate::partition::high_watermark::effective_min_isr;
use crate::partition::{Following, FollowingState};
use crate::replica::{Leading, Replica, ReplicaSettings, Role};
use crate::settings::rules::{Coordination, DeposedLeader, StoppedLeader, Truncation};
use crate::wire::event::EventKind;
use crate::wire::metadata::{MetadataRecord, PartitionState};
use crate::words::{BrokerId, ErrorCode, EventId, Map, PartitionId};
use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::vec::Vec;

impl Running<'_> {
    /// Takes over what is new in the metadata log.
    pub(super) fn apply_metadata(
        &mut self,
        records: &[(MetadataRecord, EventId)],
        fx: &mut BrokerEffects,
    ) {
        let mut changed: Map<PartitionId, ()> = Map::new();
        let mut settings_changed = false;
        let process = &mut *self.process;
        for (record, _) in records {
            process.image.apply(record);
            match record {
                MetadataRecord::Partition(id, _) => {
                    changed.insert(*id, ());
                }
                MetadataRecord::Settings(_) => settings_changed = true,
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
        if settings_changed {
            self.take_settings();
        }
    }

    /// Makes every replica what the image says, after a start.
    pub(super) fn apply_image(&mut self, fx: &mut BrokerEffects) {
        let count = self.process.image.partitions.len() as u32;
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
        let process = &mut *self.process;
        process.values = process.image.settings.broker(self.id);
        for (partition, replica) in self.replicas.iter_mut() {
            let Some(state) = process.image.partition(*partition) else { continue };
            let topic = &process.image.topic_of(state).name;
            replica.settings = ReplicaSettings::of(&process.image.settings, topic, Some(self.id));
            let min = replica.settings.min_insync_replicas;
            if let Some(leading) = replica.leading_mut() {
                leading.lead.min_isr = effective_min_isr(rule, min, leading.followers.len() + 1);
                leading.told_held = false;
            }
        }
    }

    fn apply_partition(&mut self, partition: PartitionId, fx: &mut BrokerEffects) {
        let Some(state) = self.process.image.partition(partition).cloned() else { return };
        let known = self.known(partition);
        let heard = heard(self.rules, self.id, known, &state);
        if heard != Heard::Remove {
            if !self.replicas.contains_key(&partition) {
                let settings = self.replica_settings(partition).expect("the partition is known");
                self.replicas.insert(partition, Replica::new(settings, self.rules, fx.now));
            }
            if let Some(replica) = self.replicas.get_mut(&partition) {
                replica.hosted = true;
            }
        }
        fx.caused_by(state.why, |fx| self.become_told(partition, &state, heard, fx));
    }

    /// What this process knows of a replica when it hears of a state (R3.7).
    pub(super) fn known(&self, partition: PartitionId) -> Known {
        let replica = self.replicas.get(&partition);
        Known {
            leader_epoch: replica.map_or(-1, |r| r.leader_epoch),
            standing: replica.map_or(Standing::Idle, |r| r.role.standing()),
            stopping: self.process.phase == Phase::Stopping,
        }
    }

    /// Becomes what a stored state makes of the replica.
    pub(super) fn become_told(
        &mut self,
        partition: PartitionId,
        state: &Rc<PartitionState>,
        heard: Heard,
        fx: &mut BrokerEffects,
    ) {
        match heard {
            Heard::Nothing => {}
            Heard::Remove => self.delete_replica(partition, fx),
            Heard::Lead => self.make_leader(partition, state, fx),
            Heard::Commit => self.update_leader(partition, state, fx),
            Heard::Follow(leader) => self.make_follower(partition, state, leader, fx),
            Heard::FollowOn => {
                let replica = self.replicas.get_mut(&partition).expect("it hosts the replica");
                replica.leader_epoch = state.leader_epoch;
                if let Some(following) = replica.following_mut() {
                    following.epoch = state.leader_epoch;
                }
            }
            Heard::Leaderless => {
                let epoch = state.leader_epoch;
                let event = EventKind::BecameLeaderless { partition, epoch };
                self.take_role(partition, state, Role::Idle, Some(event), fx);
            }
            Heard::Rest => self.take_role(partition, state, Role::Idle, None, fx),
        }
    }

    /// The replica of a partition that leads now, and its effective min ISR (R2.7).
    fn leader_of(
        &mut self,
        partition: PartitionId,
        state: &PartitionState,
    ) -> (&mut Replica, usize) {
        let replica = self.replicas.get_mut(&partition).expect("it hosts the replica");
        let wanted = replica.settings.min_insync_replicas;
        let min_isr = effective_min_isr(self.rules.min_isr, wanted, state.replicas.len());
        (replica, min_isr)
    }

    /// The replica leads under the same epoch, with what is stored now (R2.25).
    fn update_leader(
        &mut self,
        partition: PartitionId,
        state: &Rc<PartitionState>,
        fx: &mut BrokerEffects,
    ) {
        let (replica, min_isr) = self.leader_of(partition, state);
        if let Some(leading) = replica.leading_mut() {
            leading.lead.min_isr = min_isr;
        }
        if self.commit_isr(partition, state, fx) {
            self.look_at_hw(partition, fx);
        } else {
            self.maybe_increment_leader_hw(partition, fx);
        }
    }

    /// The replica begins to lead, or to lead under a new epoch (R4.2, R4.3).
    fn make_leader(
        &mut self,
        partition: PartitionId,
        state: &Rc<PartitionState>,
        fx: &mut BrokerEffects,
    ) {
        let (own, rules) = (self.id, self.rules);
        let (replica, min_isr) = self.leader_of(partition, state);
        let end = replica.log.end();
        let former = replica.leading().cloned();
        let leading = Leading::begin(own, state, min_isr, end, former, (rules, fx.now));
        assert!(state.leader_epoch >= replica.leader_epoch, "a leader epoch never goes back");
        replica.leader_epoch = state.leader_epoch;
        replica.log.begin_epoch(state.leader_epoch);
        replica.role = Role::Leader(Box::new(leading));
        self.remove_from_fetchers(partition);
        let (epoch, start) = (state.leader_epoch, end);
        fx.chain(EventKind::BecameLeader { partition, epoch, start });
        self.answer_parked_fetches(partition, fx);
        self.maybe_increment_leader_hw(partition, fx);
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
        let (changed, granted) = leading.commit(self.id, state, (self.rules, fx.now));
        if !changed {
            return false;
        }
        if let Some(change) = granted {
            self.process.meters.changed_isr(&change);
        }
        let causes = because(state.why, fx.cause());
        let isr = state.isr.into();
        fx.chain_because(EventKind::IsrCommitted { partition, isr }, causes);
        leading.isr_why = fx.cause();
        self.withdraw_proposal(partition);
        true
    }

    /// With another ISR the HW may move, and those who wait for acks may be answered (R2.20).
    pub(super) fn look_at_hw(&mut self, partition: PartitionId, fx: &mut BrokerEffects) {
        self.maybe_increment_leader_hw(partition, fx);
        self.answer_waiting(partition, fx);
    }

    /// The replica follows `leader` anew (R3.9).
    fn make_follower(
        &mut self,
        partition: PartitionId,
        state: &Rc<PartitionState>,
        leader: BrokerId,
        fx: &mut BrokerEffects,
    ) {
        let epoch = state.leader_epoch;
        let following =
            Following { leader, epoch, asks_epoch: false, state: FollowingState::Fetching, lag: 0 };
        let event = EventKind::BecameFollower { partition, epoch, leader };
        self.take_role(partition, state, Role::Follower(following), Some(event), fx);
        // With ZooKeeper, a broker in its shutdown fetches for no new leader: what it cuts is what a
        // new follower cuts before its fetcher looks (R3.9).
        let stops = self.process.phase == Phase::Stopping
            && self.rules.coordination == Coordination::ZooKeeper;
        if !stops || self.rules.truncation == Truncation::HighWatermark {
            self.begin_following(partition, fx);
        }
        if !stops {
            self.add_to_fetcher(partition, leader, fx);
        }
    }

    /// The replica takes a role other than the leader's: it fetches no more, whoever waited for it
    /// as a leader is answered, and so are parked fetches (R2.13, R2.28).
    fn take_role(
        &mut self,
        partition: PartitionId,
        state: &Rc<PartitionState>,
        role: Role,
        event: Option<EventKind>,
        fx: &mut BrokerEffects,
    ) {
        let replica = self.replicas.get_mut(&partition).expect("it hosts the replica");
        replica.leader_epoch = state.leader_epoch;
        let former = core::mem::replace(&mut replica.role, role);
        self.remove_from_fetchers(partition);
        if let Some(event) = event {
            fx.chain(event);
        }
        if let Role::Leader(former) = former {
            fx.caused_by(fx.cause(), |fx| self.step_down(partition, &former, fx));
        }
        self.answer_parked_fetches(partition, fx);
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

    /// With ZooKeeper, StopReplica deletes a replica; who waits for a leader that goes so is not
    /// always answered (R5.36, KAFKA-9198).
    pub(super) fn stop_and_delete(&mut self, partition: PartitionId, fx: &mut BrokerEffects) {
        if self.rules.stopped_leader == StoppedLeader::LeavesWaiting
            && let Some(replica) = self.replicas.get_mut(&partition)
        {
            replica.role = Role::Idle;
            replica.follower_fetches.clear();
            replica.consumer_fetches.clear();
        }
        self.delete_replica(partition, fx);
    }

    /// The broker is no replica any more; its directory goes (R5.37).
    pub(super) fn delete_replica(&mut self, partition: PartitionId, fx: &mut BrokerEffects) {
        let Some(replica) = self.replicas.remove(&partition) else { return };
        self.remove_from_fetchers(partition);
        self.disk.recovery_point.remove(&partition);
        fx.chain(EventKind::ReplicaDeleted { partition });
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
