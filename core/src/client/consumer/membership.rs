//! What a consumer hears of its group: a generation, its partitions, whether it is still a member, and
//! what came of its commits (R7.9–R7.12).

use super::group::Standing;
use super::{Consumer, Position};
use crate::client::ClientEffects;
use crate::client::connections::{Lane, Policy};
use crate::settings::Key;
use crate::settings::rules::OffsetStorage;
use crate::wire::event::EventKind;
use crate::wire::message::{Body, FetchedOffsets, Joined, MemberId, SyncGroup, Synced};
use crate::words::{CommitMode, ErrorCode, Map, Micros, Node, PartitionId};
use alloc::boxed::Box;
use alloc::vec::Vec;

impl Consumer {
    /// An answer to what the group asked for.
    pub(super) fn hear_coordinator(
        &mut self,
        correlation: u32,
        body: Body,
        fx: &mut ClientEffects,
    ) {
        let Some(group) = &mut self.group else { return };
        if let Body::HeartbeatResponse(error) = body {
            if group.heartbeat.take_if(|c| *c == correlation).is_some() {
                self.hear_heartbeat(error, fx);
            }
            return;
        }
        if group.asked.take_if(|(c, _)| *c == correlation).is_none() {
            return;
        }
        match body {
            Body::FindCoordinatorResponse(r) if r.error == ErrorCode::None => {
                group.coordinator = r.broker;
            }
            Body::FindCoordinatorResponse(r) => {
                // It waits for new metadata before it looks again (R7.3).
                self.bootstrap.want();
                self.group_failed(r.error, fx);
            }
            Body::JoinGroupResponse(joined) => self.joined(*joined, fx),
            Body::SyncGroupResponse(synced) => self.synced(*synced, fx),
            Body::OffsetFetchResponse(r) => self.read_offsets(*r, fx),
            Body::OffsetCommitResponse(error) => self.commit_answered(error, fx),
            _ => {}
        }
    }

    fn hear_heartbeat(&mut self, error: ErrorCode, fx: &mut ClientEffects) {
        let Some(group) = &mut self.group else { return };
        match error {
            ErrorCode::None => group.heard_at = fx.now,
            ErrorCode::RebalanceInProgress => {
                group.heard_at = fx.now;
                group.rejoins = true;
            }
            error => self.group_failed(error, fx),
        }
    }

    fn joined(&mut self, joined: Joined, fx: &mut ClientEffects) {
        let again = fx.now + self.values.ms(Key::ConsumerRetryBackoffMs);
        let Some(group) = &mut self.group else { return };
        match joined.error {
            ErrorCode::None => {}
            // Another process of the group has a node in ZooKeeper still.
            ErrorCode::RebalanceInProgress => {
                group.not_before = again;
                return;
            }
            error => {
                self.group_failed(error, fx);
                return;
            }
        }
        group.member = Some(joined.member);
        group.generation = joined.generation;
        group.standing = Standing::Joined(joined.members);
        if group.storage == OffsetStorage::ZooKeeper {
            let partitions = self.bootstrap.partitions(&self.topic).to_vec();
            self.synced(Synced { error: ErrorCode::None, partitions }, fx);
        }
    }

    fn synced(&mut self, synced: Synced, fx: &mut ClientEffects) {
        let interval = self.heartbeat_interval();
        let Some(group) = &mut self.group else { return };
        if synced.error != ErrorCode::None {
            group.standing = Standing::Out;
            if synced.error != ErrorCode::RebalanceInProgress {
                self.group_failed(synced.error, fx);
            }
            return;
        }
        group.standing = Standing::In;
        (group.heartbeat_at, group.heard_at) = (fx.now + interval, fx.now);
        let partitions = synced.partitions.len() as u32;
        let (name, generation) = (group.name.clone(), group.generation);
        fx.event(EventKind::GroupAssigned { group: name, generation, partitions });
        let assigned = synced.partitions.into_iter();
        self.positions = assigned.map(|partition| (partition, Position::unknown())).collect();
    }

    fn read_offsets(&mut self, r: FetchedOffsets, fx: &mut ClientEffects) {
        let Some(group) = &mut self.group else { return };
        if r.error != ErrorCode::None {
            self.group_failed(r.error, fx);
            return;
        }
        group.is_read = true;
        group.since = fx.now;
        let all = group.storage == OffsetStorage::ZooKeeper;
        let positions = &mut self.positions;
        let own = |p: &PartitionId| all || positions.contains_key(p);
        group.committed = r.offsets.into_iter().filter(|(p, _)| own(p)).collect();
        for (partition, (offset, epoch)) in group.committed.iter() {
            let (partition, offset) = (*partition, *offset);
            let position = positions.entry(partition).or_insert_with(Position::unknown);
            position.offset = Some(offset);
            // It is validated before anything is fetched (R7.7).
            position.epoch = if self.rules.truncation_detection { *epoch } else { -1 };
            let (from, to, policy) = (-1, offset, "committed");
            fx.event(EventKind::PositionReset { partition, from, to, policy });
        }
    }

    fn commit_answered(&mut self, error: ErrorCode, fx: &mut ClientEffects) {
        let Some(group) = &mut self.group else { return };
        let committing = core::mem::take(&mut group.committing);
        if error != ErrorCode::None {
            let lost = matches!(
                error,
                ErrorCode::UnknownMemberId
                    | ErrorCode::IllegalGeneration
                    | ErrorCode::RebalanceInProgress
            );
            // Somebody else owns the partitions: the application is told, and goes on.
            group.wanted |= !lost && group.mode != CommitMode::Async;
            group.rejoins |= error == ErrorCode::RebalanceInProgress;
            if lost {
                group.gives_up = None;
            }
            self.group_failed(error, fx);
            if lost {
                self.go_on(fx);
            }
            return;
        }
        for (partition, at) in committing.iter() {
            if group.committed.get(partition) != Some(at) {
                let (partition, offset) = (*partition, at.0);
                fx.event(EventKind::OffsetCommitted { partition, offset });
            }
        }
        group.committed = committing;
        group.gives_up = None;
        self.go_on(fx);
    }

    /// `commitSync` has tried for as long as it may: the application hears of it, and goes on (R7.4).
    pub(super) fn give_up_commit(&mut self, fx: &mut ClientEffects) {
        let Some(group) = &mut self.group else { return };
        if group.gives_up.take_if(|until| *until <= fx.now).is_none() {
            return;
        }
        if !group.committing.is_empty() {
            group.asked = None;
            group.committing = Map::new();
        }
        group.wanted = false;
        let (group, error) = (group.name.clone(), ErrorCode::Timeout);
        fx.event(EventKind::GroupFailed { group, error });
        self.last_error = error;
        self.go_on(fx);
    }

    /// The coordinator refused. When it is none, it is looked for; a member that it does not know
    /// joins as a new one.
    fn group_failed(&mut self, error: ErrorCode, fx: &mut ClientEffects) {
        let again = fx.now + self.values.ms(Key::ConsumerRetryBackoffMs);
        let Some(group) = &mut self.group else { return };
        match error {
            ErrorCode::UnknownMemberId => {
                group.member = None;
                group.generation = -1;
                group.standing = Standing::Out;
            }
            ErrorCode::IllegalGeneration => group.standing = Standing::Out,
            ErrorCode::RebalanceInProgress => {}
            _ => group.lose_coordinator(again),
        }
        fx.event(EventKind::GroupFailed { group: group.name.clone(), error });
        self.last_error = error;
    }

    /// A member that has its partitions tells the coordinator that it lives, whatever the application
    /// does (KIP-62). Says when the next heartbeat is due.
    pub(super) fn send_heartbeat(&mut self, policy: &Policy, fx: &mut ClientEffects) -> Micros {
        let interval = self.heartbeat_interval();
        let Some(group) = &mut self.group else { return Micros::NEVER };
        if group.storage == OffsetStorage::ZooKeeper {
            return self.ping_zookeeper(interval, fx);
        }
        let Some(broker) = group.coordinator.filter(|_| group.standing == Standing::In) else {
            return Micros::NEVER;
        };
        let peer = (Lane::Coordinator, broker);
        let session_ends = group.heard_at + group.session;
        if session_ends <= fx.now {
            // It has not heard of its coordinator for a session, and looks for another.
            group.heard_at = fx.now;
            if let Some(ended) = self.connections.hang_up(peer, policy, fx) {
                self.ended(&ended, fx);
            }
            self.lose_coordinator(fx);
            return Micros::NEVER;
        }
        if group.heartbeat.is_some() || group.heartbeat_at > fx.now {
            let due = if group.heartbeat.is_some() { Micros::NEVER } else { group.heartbeat_at };
            return due.min(session_ends);
        }
        if let Some(until) = self.connections.backs_off(peer, fx.now) {
            return until;
        }
        group.heartbeat_at = fx.now + interval;
        let body = Body::Heartbeat(Box::new(group.membership()));
        group.heartbeat = Some(self.connections.request(peer, body, fx.cause(), policy, fx));
        session_ends
    }

    /// ZooKeeper's clients show that they live three times in a session.
    fn heartbeat_interval(&self) -> Micros {
        let third = Micros(self.values.ms(Key::SessionTimeoutMs).0 / 3);
        self.values.known_ms(Key::HeartbeatIntervalMs).unwrap_or(third).max(Micros(1000))
    }

    fn ping_zookeeper(&mut self, interval: Micros, fx: &mut ClientEffects) -> Micros {
        let Some(group) = self.group.as_mut().filter(|g| g.standing == Standing::In) else {
            return Micros::NEVER;
        };
        if group.heartbeat_at <= fx.now {
            group.heartbeat_at = fx.now + interval;
            let correlation = group.next_correlation();
            group.heartbeat = Some(correlation);
            let body = Body::Heartbeat(Box::new(group.membership()));
            fx.send(Node::Controller, correlation, body, fx.cause());
        }
        group.heartbeat_at
    }

    /// The group's leader has the partitions given out anew when there are others (R7.11).
    pub(super) fn watch_partitions(&mut self) {
        let Some(group) = &mut self.group else { return };
        let Some(gave_out) = group.gave_out.filter(|_| group.standing == Standing::In) else {
            return;
        };
        let count = self.bootstrap.partitions(&self.topic).len();
        group.rejoins |= count > 0 && count != gave_out;
    }

    /// The leader gives out the partitions of each topic, in ranges.
    pub(super) fn sync_request(&mut self) -> Option<Body> {
        let group = self.group.as_mut()?;
        let Standing::Joined(members) = &group.standing else { return None };
        let mut assignment: Vec<(MemberId, Vec<PartitionId>)> = Vec::new();
        for (member, topic) in members {
            let own: Vec<MemberId> =
                members.iter().filter(|(_, t)| t == topic).map(|(m, _)| *m).collect();
            let place = own.iter().position(|m| m == member).unwrap_or(0);
            let partitions = self.bootstrap.partitions(topic);
            assignment.push((*member, range(partitions, place, own.len())));
        }
        if !members.is_empty() {
            group.gave_out = Some(self.bootstrap.partitions(&self.topic).len());
        }
        let as_member = group.membership();
        Some(Body::SyncGroup(Box::new(SyncGroup { as_member, assignment })))
    }

    /// The application closes the consumer: it commits what it has processed if it does so by itself,
    /// and leaves its group at once (R7.9).
    pub fn close(&mut self, fx: &mut ClientEffects) {
        let policy = self.policy();
        let offsets = self.offsets();
        let auto = self.values.is(Key::EnableAutoCommit) && self.work.is_none();
        let Some(group) = &mut self.group else { return };
        let commits =
            auto && group.mode == CommitMode::Auto && group.is_read && group.committed != offsets;
        let (storage, coordinator) = (group.storage, group.coordinator);
        let as_member = group.membership();
        if commits && let Some(body) = self.commit_request(offsets) {
            self.send_last(body, storage, coordinator, &policy, fx);
        }
        if as_member.member.is_some() {
            let body = Body::LeaveGroup(Box::new(as_member));
            self.send_last(body, storage, coordinator, &policy, fx);
        }
    }

    fn send_last(
        &mut self,
        body: Body,
        storage: OffsetStorage,
        coordinator: Option<crate::words::BrokerId>,
        policy: &Policy,
        fx: &mut ClientEffects,
    ) {
        match (storage, coordinator) {
            (OffsetStorage::ZooKeeper, _) => fx.send(Node::Controller, 0, body, fx.cause()),
            (OffsetStorage::Topic, Some(broker)) => {
                self.connections.post((Lane::Coordinator, broker), body, fx.cause(), policy, fx);
            }
            (OffsetStorage::Topic, None) => {}
        }
    }
}

/// The `place`-th of `count` ranges, the first of which are one longer where it does not divide
/// (`RangeAssignor`).
fn range(partitions: &[PartitionId], place: usize, count: usize) -> Vec<PartitionId> {
    let (each, more) = (partitions.len() / count.max(1), partitions.len() % count.max(1));
    let first = place * each + place.min(more);
    let length = each + usize::from(place < more);
    partitions.iter().skip(first).take(length).copied().collect()
}
