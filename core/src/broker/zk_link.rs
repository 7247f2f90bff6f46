//! A broker of a cluster with ZooKeeper: its session, and what the controller tells it (R5.1,
//! R5.13, R3.7–R3.9).

use super::controller_link::Asked;
use super::fetcher::Fetcher;
use super::lifecycle::Phase;
use super::node::{Broker, BrokerEffects, BrokerTimer};
use crate::partition::heard::{Checked, checked, checked_controller, stops, told};
use crate::replica::{Replica, Role};
use crate::settings::Key;
use crate::settings::rules::{FetcherShutdown, IsrStore};
use crate::wire::event::EventKind;
use crate::wire::message::{
    Body, BrokerHeartbeat, ControllerElection, HeartbeatAnswer, LeaderAndIsr, MetadataAnswer,
    RegistrationAnswer, SetData, SetDataAnswer, StateWrite, StopReplica, UpdateMetadata,
};
use crate::wire::metadata::{MetadataRecord, PartitionState};
use crate::words::{BrokerList, ErrorCode, Micros, Node, PartitionId};
use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::vec::Vec;

/// A session is kept alive three times within its time.
const PINGS: u64 = 3;
/// Before a client of ZooKeeper connects again that has lost its connection: it draws up to a second.
const RECONNECT: Micros = Micros::from_ms(500);
/// Before a registration is tried again that an earlier session stands in the way of (R5.1).
const REGISTER_AGAIN: Micros = Micros::from_ms(500);

/// What a broker takes from the controller's leave to stop until it fetches no more: it closes its
/// sockets and ends its handlers first. The real one takes some tens of milliseconds.
const WINDING_UP: Micros = Micros::from_ms(20);

impl Broker {
    // The session (R5.1).

    pub(super) fn ping_interval(&mut self) -> Micros {
        Micros(self.up().values.ms(Key::ZookeeperSessionTimeoutMs).0 / PINGS)
    }

    /// Sessions are kept alive in step, so that those of machines that die together end together.
    fn next_ping(&mut self, fx: &mut BrokerEffects) {
        let every = self.ping_interval().0.max(1);
        self.wait_for_heartbeat(Micros((fx.now.0 / every + 1) * every), fx);
    }

    /// ZooKeeper took the broker's node, or the earlier session still stands.
    pub(super) fn registered_in_zookeeper(
        &mut self,
        r: RegistrationAnswer,
        fx: &mut BrokerEffects,
    ) {
        if r.error != ErrorCode::None {
            self.wait_for_heartbeat(fx.now + REGISTER_AGAIN, fx);
            return;
        }
        let process = self.up();
        process.broker_epoch = r.broker_epoch;
        if process.phase == Phase::Ready {
            process.phase = Phase::Running;
            fx.event(EventKind::Running {});
        }
        self.next_ping(fx);
        self.fetch_metadata(fx);
    }

    /// Says to ZooKeeper that the session lives.
    pub(super) fn ping(&mut self, fx: &mut BrokerEffects) {
        let body = self.session(false);
        self.ask(Asked::Heartbeat, Node::Controller, body, fx);
    }

    fn session(&mut self, closes: bool) -> Body {
        let broker = self.id;
        let process = self.up();
        Body::BrokerHeartbeat(BrokerHeartbeat {
            broker,
            broker_epoch: process.broker_epoch,
            metadata_offset: process.watched,
            want_fence: false,
            want_shutdown: closes,
        })
    }

    /// The session goes on; or it ended, and with it what the broker held.
    pub(super) fn heard_ping(&mut self, r: HeartbeatAnswer, fx: &mut BrokerEffects) {
        if r.error == ErrorCode::None {
            self.next_ping(fx);
            return;
        }
        let process = self.up();
        process.broker_epoch = -1;
        process.zk_controller = None;
        process.sessions += 1;
        self.wait_for_heartbeat(fx.now + RECONNECT, fx);
    }

    /// A stopping broker closes its session: its node goes at once.
    pub(super) fn close_session(&mut self, fx: &mut BrokerEffects) {
        let body = self.session(true);
        fx.send(Node::Controller, 0, body, fx.cause());
    }

    // Watches.

    /// What the broker's watches say.
    pub(super) fn take_watched(&mut self, r: &MetadataAnswer, fx: &mut BrokerEffects) {
        let own = self.id;
        let process = self.up();
        if r.offset != process.watched {
            return;
        }
        process.watched = r.next;
        let mut vacant = None;
        let mut settings_changed = false;
        for (record, why) in r.records.iter() {
            match record {
                MetadataRecord::Settings(settings) => {
                    process.image.settings = settings.clone();
                    settings_changed = true;
                }
                MetadataRecord::Controller(broker, epoch) => {
                    process.image.controller = *broker;
                    process.controller_epoch = process.controller_epoch.max(*epoch);
                    vacant = broker.is_none().then_some(*why);
                }
                _ => {}
            }
        }
        if process.image.controller != Some(own) {
            process.zk_controller = None;
        }
        if settings_changed {
            self.take_settings();
        }
        if let Some(why) = vacant {
            fx.caused_by(why, |fx| self.run_for_controller(fx));
        }
        let process = self.up();
        let elected = process.image.controller == Some(own) && process.zk_controller.is_none();
        if elected && process.broker_epoch >= 0 {
            // It reads everything, from the beginning.
            process.watched = 0;
            let epoch = process.controller_epoch;
            self.become_controller(epoch, fx);
        } else {
            let why = r.records.last().map_or(fx.cause(), |(_, why)| *why);
            fx.caused_by(why, |fx| self.controller_learns(&r.records, fx));
        }
        self.send_alter_partition(fx);
    }

    /// The controller's node is gone: everybody tries to create it (R5.2).
    fn run_for_controller(&mut self, fx: &mut BrokerEffects) {
        let (broker, process) = (self.id, self.up());
        let broker_epoch = process.broker_epoch;
        if broker_epoch >= 0 {
            let body = Body::ControllerElection(ControllerElection { broker, broker_epoch });
            self.ask(Asked::Election, Node::Controller, body, fx);
        }
    }

    // ISR changes in ZooKeeper (R2.22).

    /// Writes the pending ISR of each partition that waits, under the version that this leader
    /// knows.
    pub(super) fn write_isrs(&mut self, fx: &mut BrokerEffects) {
        let mut writes = Vec::new();
        for partition in self.proposals() {
            let leading = self.replicas.get(&partition).and_then(|r| r.leading());
            let Some(leading) = leading else { continue };
            let Some(pending) = &leading.pending else { continue };
            writes.push(StateWrite {
                partition,
                expected: leading.partition_epoch,
                leader: Some(self.id),
                leader_epoch: leading.epoch,
                isr: *pending.proposed(),
                plan: None,
                why: leading.pending_why,
            });
        }
        let Some(last) = writes.last() else { return };
        let why = last.why;
        let (broker, broker_epoch) = (self.id, self.up().broker_epoch);
        let body = Body::SetData(Box::new(SetData { broker, broker_epoch, writes }));
        fx.caused_by(why, |fx| self.ask(Asked::AlterPartition, Node::Controller, body, fx));
    }

    /// ZooKeeper's answer. Where a write was not made the version is another: then the old ISR
    /// stays, and nobody tries again before the next test (R2.22).
    pub(super) fn isrs_written(&mut self, r: &SetDataAnswer, fx: &mut BrokerEffects) {
        for (partition, made, state) in &r.results {
            let leading = self.replicas.get_mut(partition).and_then(|r| r.leading_mut());
            let Some(leading) = leading.filter(|l| l.pending.is_some()) else { continue };
            let stands = *made && state.leader_epoch == leading.epoch;
            fx.caused_by(fx.cause(), |fx| {
                if !stands {
                    self.give_up_proposal(*partition, ErrorCode::InvalidUpdateVersion, fx);
                    return;
                }
                if self.commit_isr(*partition, state, fx) {
                    self.look_at_hw(*partition, fx);
                }
                self.isr_written(*partition, fx);
            });
        }
        if r.error != ErrorCode::None {
            // The session is over: nothing was written.
            for partition in self.proposals() {
                self.give_up_proposal(partition, ErrorCode::InvalidUpdateVersion, fx);
            }
        }
        self.send_alter_partition(fx);
        self.release_held(fx);
    }

    /// Whether a request has to wait: a leader that writes its ISR to ZooKeeper holds the partition
    /// until it has an answer, and lets nobody read or write (R2.22).
    pub(super) fn is_held(&mut self, from: Node, body: &Body) -> bool {
        if self.rules.isr_store != IsrStore::ZooKeeper {
            return false;
        }
        let replicas = &self.replicas;
        let locked = |partition: &PartitionId| {
            let leading = replicas.get(partition).and_then(|r| r.leading());
            leading.is_some_and(|l| l.pending.is_some())
        };
        let is_of_client = matches!(from, Node::Client(_));
        let waits_already = is_of_client && {
            let process = self.process.as_deref();
            process.is_some_and(|p| p.held.iter().any(|(node, _)| *node == from))
        };
        waits_already
            || match body {
                Body::Produce(r) => r.batches.iter().any(|b| locked(&b.partition)),
                Body::Fetch(r) => r.parts.iter().any(|p| locked(&p.partition)),
                Body::ListOffsets(r) => locked(&r.partition),
                _ => false,
            }
    }

    /// What waited is done, in order, unless its partition is held again.
    pub(super) fn release_held(&mut self, fx: &mut BrokerEffects) {
        for (from, message) in core::mem::take(&mut self.up().held) {
            fx.caused_by(message.why, |fx| self.handle(from, message, fx));
            if self.process.is_none() {
                return;
            }
        }
    }

    // What the controller tells (R3.7).

    /// Nothing is taken from a former controller.
    fn follow_controller(&mut self, epoch: i32, fx: &mut BrokerEffects) -> Result<(), ErrorCode> {
        let process = self.up();
        match checked_controller(process.controller_epoch, epoch) {
            Ok(epoch) => process.controller_epoch = epoch,
            Err(error) => {
                fx.event(EventKind::ControllerRefused { epoch, error });
                return Err(error);
            }
        }
        Ok(())
    }

    /// Does what the controller says, and answers, where fetchers that have nothing left are waited
    /// for not before those are gone (R3.9).
    pub(super) fn heed(
        &mut self,
        from: Node,
        correlation: u32,
        r: &LeaderAndIsr,
        fx: &mut BrokerEffects,
    ) {
        let error = self.take_leader_and_isr(r, fx);
        self.answer_later(from, correlation, Body::LeaderAndIsrResponse(error), fx);
        self.release_held(fx);
    }

    /// Answers the controller; where idle fetchers are waited for, not before they have ended (R3.9).
    /// After StopReplica the real broker answers first and waits then, before it takes the next
    /// request: the controller sends one at a time.
    pub(super) fn answer_later(
        &mut self,
        to: Node,
        correlation: u32,
        answer: Body,
        fx: &mut BrokerEffects,
    ) {
        self.up().unanswered.push((to, correlation, answer, fx.cause()));
        self.answer_controller(fx);
    }

    /// See [`Broker::heed`].
    pub(super) fn answer_controller(&mut self, fx: &mut BrokerEffects) {
        let awaits = self.rules.fetcher_shutdown == FetcherShutdown::Awaits;
        let Some(process) = self.process.as_deref_mut() else { return };
        let is_silent = process.unanswered.is_empty();
        if is_silent || (awaits && process.fetchers.values().any(Fetcher::is_ending)) {
            return;
        }
        for (to, correlation, answer, why) in core::mem::take(&mut process.unanswered) {
            fx.send(to, correlation, answer, why);
        }
    }

    fn take_leader_and_isr(&mut self, r: &LeaderAndIsr, fx: &mut BrokerEffects) -> ErrorCode {
        if let Err(error) = self.follow_controller(r.controller_epoch, fx) {
            return error;
        }
        let process = self.up();
        process.image.topics = r.topics.clone();
        for (id, state) in &r.parts {
            process.image.put_partition(*id, state.clone());
        }
        let first = !core::mem::replace(&mut process.hears_controller, true);
        let mut result = ErrorCode::None;
        for (id, state) in &r.parts {
            let applied =
                fx.caused_by(state.why, |fx| self.apply_leader_and_isr(*id, state, &r.live, fx));
            if let Err(error) = applied {
                let (partition, epoch) = (*id, state.leader_epoch);
                let event = EventKind::StateRefused { partition, epoch, error };
                fx.event_because(event, [fx.cause(), state.why]);
                result = error;
            }
        }
        if first {
            self.checkpoint_hw(fx);
        }
        result
    }

    /// An error: the leader epoch is no newer than the one that the replica knows (R3.7).
    fn apply_leader_and_isr(
        &mut self,
        partition: PartitionId,
        state: &Rc<PartitionState>,
        live: &BrokerList,
        fx: &mut BrokerEffects,
    ) -> Result<(), ErrorCode> {
        let hosted = self.replicas.get(&partition).filter(|r| r.hosted);
        let known = hosted.map_or(-1, |r| r.leader_epoch);
        let checked = checked(&self.rules, self.id, known, state, &|b| live.contains(&b))?;
        if checked == Checked::Unknown {
            return Ok(());
        }
        if !self.replicas.contains_key(&partition) {
            let Some(settings) = self.replica_settings(partition) else { return Ok(()) };
            self.replicas.insert(partition, Replica::new(settings, &self.rules, fx.now));
        }
        let settings = self.replica_settings(partition);
        let Some(replica) = self.replicas.get_mut(&partition) else { return Ok(()) };
        if !core::mem::replace(&mut replica.hosted, true) {
            // Now it is in memory, with the HW of the checkpoint (R1.11).
            replica.hw = self.disk.loaded_hw(partition, &replica.log);
        }
        replica.settings = settings.unwrap_or(replica.settings);
        if checked == Checked::Taken {
            let told = told(&self.rules, self.id, self.known(partition), state);
            self.become_told(partition, state, told, fx);
        }
        Ok(())
    }

    pub(super) fn take_update_metadata(
        &mut self,
        r: &UpdateMetadata,
        fx: &mut BrokerEffects,
    ) -> ErrorCode {
        if let Err(error) = self.follow_controller(r.controller_epoch, fx) {
            return error;
        }
        let process = self.up();
        process.image.topics = r.topics.clone();
        process.image.brokers = r.brokers.clone();
        for (id, state) in &r.parts {
            process.image.put_partition(*id, state.clone());
        }
        ErrorCode::None
    }

    pub(super) fn take_stop_replica(
        &mut self,
        r: &StopReplica,
        fx: &mut BrokerEffects,
    ) -> ErrorCode {
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

    // Controlled shutdown (R5.13).

    /// Asks the controller to move the leaderships; without controller, later again. After so many
    /// tries as `controlled.shutdown.max.retries` says the broker stops anyway.
    pub(super) fn ask_for_shutdown(&mut self, fx: &mut BrokerEffects) {
        let (id, process) = (self.id, self.up());
        if i64::from(process.shutdown_tries)
            >= process.values.get(Key::ControlledShutdownMaxRetries)
        {
            self.finish_stop(fx);
            return;
        }
        process.shutdown_tries += 1;
        match process.image.controller {
            Some(controller) => {
                let body = Body::ControlledShutdown(id);
                self.ask(Asked::Shutdown, Node::Broker(controller), body, fx);
            }
            None => self.shutdown_waits(fx),
        }
    }

    /// So many partitions are still led by this broker.
    pub(super) fn heard_shutdown(&mut self, left: u32, fx: &mut BrokerEffects) {
        if left == 0 {
            fx.timer(fx.now + WINDING_UP, BrokerTimer::LetGo);
        } else {
            self.shutdown_waits(fx);
        }
    }

    /// Before it is asked again, and before the broker gives up.
    pub(super) fn shutdown_waits(&mut self, fx: &mut BrokerEffects) {
        let backoff = self.up().values.ms(Key::ControlledShutdownRetryBackoffMs);
        fx.timer(fx.now + backoff, BrokerTimer::ShutdownAgain);
    }

    /// See [`Broker::shutdown_waits`].
    pub(super) fn shutdown_again(&mut self, fx: &mut BrokerEffects) {
        if self.up().phase == Phase::Stopping {
            self.ask_for_shutdown(fx);
        }
    }
}
