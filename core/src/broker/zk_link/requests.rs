//! The controller's requests: LeaderAndIsr, UpdateMetadata and StopReplica (R3.7–R3.9, R5.36).

use crate::broker::fetcher::Fetcher;
use crate::broker::node::BrokerEffects;
use crate::broker::running::Running;
use crate::partition::heard::{Checked, checked, checked_controller, stops, told};
use crate::replica::{Replica, Role};
use crate::settings::rules::FetcherShutdown;
use crate::wire::event::EventKind;
use crate::wire::message::{Body, LeaderAndIsr, StopReplica, UpdateMetadata};
use crate::wire::metadata::PartitionState;
use crate::words::{BrokerList, ErrorCode, Node, PartitionId};
use alloc::rc::Rc;

impl Running<'_> {
    /// Nothing is taken from a former controller.
    fn follow_controller(&mut self, epoch: i32, fx: &mut BrokerEffects) -> Result<(), ErrorCode> {
        let process = &mut *self.process;
        match checked_controller(process.zk.controller_epoch, epoch) {
            Ok(epoch) => process.zk.controller_epoch = epoch,
            Err(error) => {
                fx.event(EventKind::ControllerRefused { epoch, error });
                return Err(error);
            }
        }
        Ok(())
    }

    /// Applies a LeaderAndIsr request and answers it. In releases that wait for idle fetcher threads
    /// to end, the answer is held back until they have (R3.9).
    pub(in crate::broker) fn handle_leader_and_isr(
        &mut self,
        from: Node,
        correlation: u32,
        r: &LeaderAndIsr,
        fx: &mut BrokerEffects,
    ) {
        let error = self.become_leader_or_follower(r, fx);
        self.answer_later(from, correlation, Body::LeaderAndIsrResponse(error), fx);
        self.release_held(fx);
    }

    /// Answers the controller; where idle fetchers are waited for, not before they have ended (R3.9).
    /// After StopReplica the real broker answers first and waits then, before it takes the next
    /// request: the controller sends one at a time.
    pub(in crate::broker) fn answer_later(
        &mut self,
        to: Node,
        correlation: u32,
        answer: Body,
        fx: &mut BrokerEffects,
    ) {
        self.process.zk.unanswered.push((to, correlation, answer, fx.cause()));
        self.answer_controller(fx);
    }

    /// See [`Broker::handle_leader_and_isr`].
    pub(in crate::broker) fn answer_controller(&mut self, fx: &mut BrokerEffects) {
        let awaits = self.rules.fetcher_shutdown == FetcherShutdown::Awaits;
        if self.process.ended {
            return;
        }
        let process = &mut *self.process;
        let is_silent = process.zk.unanswered.is_empty();
        if is_silent || (awaits && process.fetchers.values().any(Fetcher::is_ending)) {
            return;
        }
        for (to, correlation, answer, why) in core::mem::take(&mut process.zk.unanswered) {
            fx.send(to, correlation, answer, why);
        }
    }

    fn become_leader_or_follower(&mut self, r: &LeaderAndIsr, fx: &mut BrokerEffects) -> ErrorCode {
        if let Err(error) = self.follow_controller(r.controller_epoch, fx) {
            return error;
        }
        let process = &mut *self.process;
        process.image.topics = r.topics.clone();
        for (id, state) in &r.parts {
            process.image.put_partition(*id, state.clone());
        }
        let first = !core::mem::replace(&mut process.zk.hears_controller, true);
        let mut result = ErrorCode::None;
        for (id, state) in &r.parts {
            let applied =
                fx.caused_by(state.why, |fx| self.take_partition_state(*id, state, &r.live, fx));
            if let Err(error) = applied {
                let (partition, epoch) = (*id, state.leader_epoch);
                let event = EventKind::StateRefused { partition, epoch, error };
                fx.event_because(event, [fx.cause(), state.why]);
                result = error;
            }
        }
        if first {
            self.checkpoint_high_watermarks(fx);
        }
        result
    }

    /// An error: the leader epoch is no newer than the one that the replica knows (R3.7).
    fn take_partition_state(
        &mut self,
        partition: PartitionId,
        state: &Rc<PartitionState>,
        live: &BrokerList,
        fx: &mut BrokerEffects,
    ) -> Result<(), ErrorCode> {
        let hosted = self.replicas.get(&partition).filter(|r| r.hosted);
        let known = hosted.map_or(-1, |r| r.leader_epoch);
        let checked = checked(self.rules, self.id, known, state, &|b| live.contains(&b))?;
        if checked == Checked::Unknown {
            return Ok(());
        }
        if !self.replicas.contains_key(&partition) {
            let Some(settings) = self.replica_settings(partition) else { return Ok(()) };
            self.replicas.insert(partition, Replica::new(settings, self.rules, fx.now));
        }
        let settings = self.replica_settings(partition);
        let Some(replica) = self.replicas.get_mut(&partition) else { return Ok(()) };
        if !core::mem::replace(&mut replica.hosted, true) {
            // Now it is in memory, with the HW of the checkpoint (R1.11).
            replica.hw = self.disk.loaded_hw(partition, &replica.log);
        }
        replica.settings = settings.unwrap_or(replica.settings);
        if checked == Checked::Taken {
            let told = told(self.rules, self.id, self.known(partition), state);
            self.become_told(partition, state, told, fx);
        }
        Ok(())
    }

    /// Applies an UpdateMetadata request and answers it.
    pub(in crate::broker) fn handle_update_metadata(
        &mut self,
        from: Node,
        correlation: u32,
        r: &UpdateMetadata,
        fx: &mut BrokerEffects,
    ) {
        let error = self.update_metadata(r, fx);
        fx.send(from, correlation, Body::UpdateMetadataResponse(error), fx.cause());
    }

    fn update_metadata(&mut self, r: &UpdateMetadata, fx: &mut BrokerEffects) -> ErrorCode {
        if let Err(error) = self.follow_controller(r.controller_epoch, fx) {
            return error;
        }
        let process = &mut *self.process;
        process.image.topics = r.topics.clone();
        process.image.brokers = r.brokers.clone();
        for (id, state) in &r.parts {
            process.image.put_partition(*id, state.clone());
        }
        ErrorCode::None
    }

    /// Applies a StopReplica request and answers it. What waited for a partition that is gone is
    /// refused now.
    pub(in crate::broker) fn handle_stop_replica(
        &mut self,
        from: Node,
        correlation: u32,
        r: &StopReplica,
        fx: &mut BrokerEffects,
    ) {
        let error = self.stop_replicas(r, fx);
        self.answer_later(from, correlation, Body::StopReplicaResponse(error), fx);
        self.release_held(fx);
    }

    fn stop_replicas(&mut self, r: &StopReplica, fx: &mut BrokerEffects) -> ErrorCode {
        if let Err(error) = self.follow_controller(r.controller_epoch, fx) {
            return error;
        }
        for (partition, epoch) in &r.partitions {
            let hosted = self.replicas.get(partition).filter(|r| r.hosted);
            if !stops(self.rules.stop_replica, hosted.map(|r| r.leader_epoch), *epoch) {
                let (partition, epoch, error) = (*partition, *epoch, ErrorCode::FencedLeaderEpoch);
                fx.event(EventKind::StateRefused { partition, epoch, error });
                continue;
            }
            if r.delete {
                self.stop_and_delete(*partition, fx);
                continue;
            }
            self.remove_from_fetchers(*partition);
            if let Some(replica) = self.replicas.get_mut(partition)
                && let Role::Follower(_) = replica.role
            {
                replica.role = Role::Idle;
            }
        }
        ErrorCode::None
    }
}
