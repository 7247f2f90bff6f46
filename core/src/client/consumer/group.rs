//! A consumer's group: how it is joined, what is committed, when, and where reading goes on
//! (R7.2–R7.5, R7.9–R7.12).

use super::{Consumer, Position};
use crate::client::ClientEffects;
use crate::client::connections::{Choice, Ended, Lane, Policy};
use crate::log::{Committed, GroupOffsets};
use crate::settings::Key;
use crate::settings::rules::OffsetStorage;
use crate::wire::message::{Body, GroupMember, JoinGroup, MemberId, OffsetCommit};
use crate::words::{BrokerId, CommitMode, Map, Micros, Node, PartitionId};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

/// Where a member stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Standing {
    /// It has not joined the present generation.
    Out,
    /// It has; the leader of the group also knows who else, and of which topics.
    Joined(Vec<(MemberId, String)>),
    /// It has its partitions.
    In,
}

/// What a consumer knows of its group.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub name: String,
    pub mode: CommitMode,
    pub storage: OffsetStorage,
    /// Who coordinates it, once known.
    pub coordinator: Option<BrokerId>,
    /// The request under way to find it, to join, to read or to write; ZooKeeper's has a limit of
    /// its own.
    pub asked: Option<(u32, Micros)>,
    pub not_before: Micros,
    pub member: Option<MemberId>,
    pub generation: i32,
    pub standing: Standing,
    /// A rebalance is under way: it joins again as soon as the application polls.
    pub rejoins: bool,
    /// The leader: how many partitions it gave out.
    pub gave_out: Option<usize>,
    /// The heartbeat under way, and when the next is due.
    pub heartbeat: Option<u32>,
    pub heartbeat_at: Micros,
    /// Whether its committed offsets were read.
    pub is_read: bool,
    /// What was committed last, as far as it knows.
    pub committed: Map<PartitionId, Committed>,
    /// What the request under way commits.
    pub committing: Map<PartitionId, Committed>,
    /// A commit that is to be sent whatever the interval says.
    pub wanted: bool,
    /// Until when `commitSync` goes on trying.
    pub gives_up: Option<Micros>,
    /// When it begins to count intervals: when its committed offsets were read.
    pub since: Micros,
    /// When it commits by itself next; never, where it does not.
    pub next_commit: Micros,
    /// Its session, and when it last heard of its coordinator.
    pub session: Micros,
    pub heard_at: Micros,
    correlations: u32,
}

impl Group {
    pub fn new(name: String, mode: CommitMode, storage: OffsetStorage) -> Group {
        Group {
            name,
            mode,
            storage,
            coordinator: None,
            asked: None,
            not_before: Micros::ZERO,
            member: None,
            generation: -1,
            standing: Standing::Out,
            rejoins: false,
            gave_out: None,
            heartbeat: None,
            heartbeat_at: Micros::NEVER,
            is_read: false,
            committed: Map::new(),
            committing: Map::new(),
            wanted: false,
            gives_up: None,
            since: Micros::ZERO,
            next_commit: Micros::NEVER,
            session: Micros::ZERO,
            heard_at: Micros::ZERO,
            correlations: 0,
        }
    }

    /// Whether `commitSync` holds the application (R7.4).
    pub fn holds_caller(&self) -> bool {
        matches!(self.mode, CommitMode::Before | CommitMode::After)
            && (self.wanted || !self.committing.is_empty())
    }

    /// The id of the next request to ZooKeeper.
    pub fn next_correlation(&mut self) -> u32 {
        self.correlations += 1;
        self.correlations
    }

    /// How it presents itself to its coordinator.
    pub fn membership(&self) -> GroupMember {
        GroupMember {
            group: self.name.clone(),
            member: self.member,
            generation: self.generation,
            session: self.session,
        }
    }

    fn commits_first(&self, offsets: &Map<PartitionId, Committed>) -> bool {
        self.is_read && *offsets != self.committed && self.standing == Standing::In
    }

    /// What the group has to do next, at `now`, where no request of its own is under way.
    fn next(&self, offsets: &Map<PartitionId, Committed>, at: Occasion) -> Errand {
        let changed = *offsets != self.committed;
        if self.not_before > at.now {
            return Errand::Wait(self.not_before);
        }
        if self.storage == OffsetStorage::Topic && self.coordinator.is_none() {
            return Errand::Find;
        }
        match &self.standing {
            Standing::Joined(_) => return Errand::Sync,
            Standing::Out if at.polls => return Errand::Join,
            Standing::Out => return Errand::Wait(Micros::NEVER),
            // What was read is committed before the partitions are given back (R7.11).
            Standing::In if self.rejoins && at.polls => {
                let first = at.by_itself && self.commits_first(offsets);
                return if first { Errand::Commit } else { Errand::Join };
            }
            Standing::In => {}
        }
        if !self.is_read {
            Errand::Read
        } else if !changed {
            Errand::Nothing
        } else if self.wanted || self.next_commit <= at.now {
            Errand::Commit
        } else {
            Errand::Wait(self.next_commit)
        }
    }

    /// The coordinator is not where it was: it is looked for again, after a while.
    pub fn lose_coordinator(&mut self, again: Micros) {
        self.coordinator = None;
        self.heartbeat = None;
        self.not_before = self.not_before.max(again);
        self.drop_asked();
    }

    /// The request under way comes to nothing. A commit is tried again, but for `commitAsync`.
    pub fn drop_asked(&mut self) {
        self.asked = None;
        self.wanted |= !self.committing.is_empty() && self.mode != CommitMode::Async;
        self.committing = Map::new();
    }
}

/// The circumstances under which a group looks for what to do.
#[derive(Clone, Copy)]
struct Occasion {
    now: Micros,
    /// The application polls.
    polls: bool,
    /// It commits by itself.
    by_itself: bool,
}

/// See [`Group::next`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Errand {
    /// Nothing before that time.
    Wait(Micros),
    /// Nothing at all; a commit that was wanted is not needed.
    Nothing,
    /// Find the coordinator.
    Find,
    /// Join, or join again.
    Join,
    /// Get the assignment; the leader makes it.
    Sync,
    /// Read the committed offsets.
    Read,
    /// Commit the positions.
    Commit,
}

impl Consumer {
    /// Where it stands, as it would commit it.
    pub(super) fn offsets(&self) -> Map<PartitionId, Committed> {
        let known = |(p, at): (&PartitionId, &Position)| Some((*p, (at.offset?, at.epoch)));
        self.positions.iter().filter_map(known).collect()
    }

    /// What was under way on a connection that is gone (R7.3). When it was the coordinator's, that is
    /// looked for anew.
    pub(super) fn drop_errand(&mut self, ended: &Ended, fx: &ClientEffects) {
        let again = fx.now + self.values.ms(Key::ConsumerRetryBackoffMs);
        let Some(group) = &mut self.group else { return };
        if ended.lane == Lane::Coordinator && group.coordinator == Some(ended.broker) {
            group.lose_coordinator(again);
        } else if group.asked.is_some_and(|(c, _)| ended.had(c)) {
            group.drop_asked();
            group.not_before = again;
        }
    }

    pub(super) fn lose_coordinator(&mut self, fx: &ClientEffects) {
        let again = fx.now + self.values.ms(Key::ConsumerRetryBackoffMs);
        if let Some(group) = &mut self.group {
            group.lose_coordinator(again);
        }
    }

    /// Finds the coordinator, joins, reads the committed offsets, commits; says when to look again.
    pub(super) fn keep_group(&mut self, policy: &Policy, fx: &mut ClientEffects) -> Micros {
        if self.group.is_none() {
            return Micros::NEVER;
        }
        self.watch_partitions();
        let beat = self.send_heartbeat(policy, fx);
        let mut next = self.run_errand(policy, fx).min(beat);
        if let Some(until) = self.group.as_ref().and_then(|g| g.gives_up) {
            next = next.min(until);
        }
        next
    }

    fn run_errand(&mut self, policy: &Policy, fx: &mut ClientEffects) -> Micros {
        self.give_up_commit(fx);
        let offsets = self.offsets();
        let polls = self.polls();
        // What is not processed is not committed by itself (R7.4).
        let by_itself = self.values.is(Key::EnableAutoCommit) && polls;
        let every = self.values.ms(Key::AutoCommitIntervalMs).max(Micros(1));
        let patience = self.values.known_ms(Key::DefaultApiTimeoutMs).unwrap_or(Micros::NEVER);
        let Some(group) = &mut self.group else { return Micros::NEVER };
        if let Some((_, deadline)) = group.asked {
            if fx.now < deadline {
                return deadline;
            }
            group.lose_coordinator(fx.now + self.values.ms(Key::ConsumerRetryBackoffMs));
        }
        let by_itself = by_itself && group.mode == CommitMode::Auto;
        if !by_itself || offsets == group.committed {
            group.next_commit = Micros::NEVER;
        } else if group.next_commit == Micros::NEVER {
            // Its clock ticks whether there is something to commit or not.
            let ticks = fx.now.since(group.since).0 / every.0 + 1;
            group.next_commit = group.since + Micros(ticks * every.0);
        }
        if group.wanted && group.holds_caller() {
            group.gives_up.get_or_insert(fx.now + patience);
        }
        match group.next(&offsets, Occasion { now: fx.now, polls, by_itself }) {
            Errand::Wait(until) => until,
            Errand::Nothing => {
                group.wanted = false;
                group.gives_up = None;
                self.go_on(fx);
                Micros::NEVER
            }
            errand => self.send_errand(errand, offsets, policy, fx),
        }
    }

    fn send_errand(
        &mut self,
        errand: Errand,
        offsets: Map<PartitionId, Committed>,
        policy: &Policy,
        fx: &mut ClientEffects,
    ) -> Micros {
        let body = match errand {
            Errand::Find => {
                let name = self.group.as_ref().map(|g| g.name.clone()).unwrap_or_default();
                return self.find_coordinator(Body::FindCoordinator(name), policy, fx);
            }
            Errand::Join => self.join_request(),
            Errand::Sync => self.sync_request(),
            Errand::Read => self.group.as_ref().map(|g| Body::OffsetFetch(g.name.clone())),
            _ => self.commit_request(offsets),
        };
        let Some(body) = body else { return Micros::NEVER };
        let mut policy = *policy;
        if errand == Errand::Join {
            // The answer may take as long as the others need to come.
            policy.request = policy.request.max(self.rebalance_timeout() + Micros::from_secs(5));
        }
        let Some(group) = &mut self.group else { return Micros::NEVER };
        match (group.storage, group.coordinator) {
            (OffsetStorage::ZooKeeper, _) => {
                let correlation = group.next_correlation();
                let deadline = fx.now + policy.request;
                group.asked = Some((correlation, deadline));
                fx.send(Node::Controller, correlation, body, fx.last_event());
                deadline
            }
            (OffsetStorage::Topic, Some(broker)) => {
                let peer = (Lane::Coordinator, broker);
                if let Some(until) = self.connections.backs_off(peer, fx.now) {
                    // A commit that cannot leave is none yet.
                    group.drop_asked();
                    return until;
                }
                let why = fx.last_event();
                let asked = self.connections.request(peer, body, why, &policy, fx);
                group.asked = Some((asked, Micros::NEVER));
                Micros::NEVER
            }
            (OffsetStorage::Topic, None) => Micros::NEVER,
        }
    }

    fn find_coordinator(&mut self, body: Body, policy: &Policy, fx: &mut ClientEffects) -> Micros {
        match self.bootstrap.any_broker(&self.connections, fx.now) {
            (lane, Choice::Ask(broker)) => {
                let (peer, why) = ((lane, broker), fx.last_event());
                let asked = self.connections.request(peer, body, why, policy, fx);
                if let Some(group) = &mut self.group {
                    group.asked = Some((asked, Micros::NEVER));
                }
                Micros::NEVER
            }
            (_, Choice::BacksOff(until)) => until,
        }
    }

    fn rebalance_timeout(&self) -> Micros {
        self.values.known_ms(Key::MaxPollIntervalMs).unwrap_or(Micros::ZERO)
    }

    /// It gives its partitions back and joins (R7.11).
    fn join_request(&mut self) -> Option<Body> {
        let session = self.values.ms(Key::SessionTimeoutMs);
        let rebalance = self.rebalance_timeout();
        self.positions = Map::new();
        self.fetched.clear();
        let group = self.group.as_mut()?;
        group.standing = Standing::Out;
        (group.rejoins, group.gave_out, group.is_read) = (false, None, false);
        (group.heartbeat, group.heartbeat_at) = (None, Micros::NEVER);
        group.committed = Map::new();
        group.session = session;
        let as_member = group.membership();
        let topic = self.topic.clone();
        Some(Body::JoinGroup(Box::new(JoinGroup { as_member, topic, rebalance })))
    }

    pub(super) fn commit_request(&mut self, offsets: Map<PartitionId, Committed>) -> Option<Body> {
        let group = self.group.as_mut()?;
        group.committing = offsets;
        group.wanted = false;
        group.next_commit = Micros::NEVER;
        let offsets = group.committing.iter().map(|(p, at)| (*p, *at)).collect();
        let offsets = GroupOffsets { group: group.name.clone(), offsets };
        let as_member = group.membership();
        Some(Body::OffsetCommit(Box::new(OffsetCommit { as_member, offsets })))
    }
}
