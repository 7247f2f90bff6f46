//! Members of a group, as the classic protocol keeps them: all join, the leader among them gives the
//! partitions out, and each shows by heartbeats that it lives (R7.9–R7.11).

use crate::broker::node::{BrokerEffects, BrokerTimer};
use crate::broker::running::Running;
use crate::wire::event::EventKind;
use crate::wire::message::{Body, GroupMember, JoinGroup, Joined, MemberId, SyncGroup, Synced};
use crate::words::{ErrorCode, EventId, Map, Micros, Node, PartitionId};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

/// How far a group is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    /// Every member has its partitions.
    Stable,
    /// Members are to join again; those that have not by then are out.
    Joining(Micros),
    /// The leader is to give the partitions out.
    Syncing,
}

#[derive(Clone, Debug)]
struct Member {
    topic: String,
    session: Micros,
    rebalance: Micros,
    /// Until when it has to be heard of.
    deadline: Micros,
    /// Its request to join, or to get its partitions, that waits for an answer.
    joins: Option<(Node, u32)>,
    syncs: Option<(Node, u32)>,
    partitions: Vec<PartitionId>,
}

/// A group, as its coordinator knows it.
#[derive(Clone, Debug)]
pub(in crate::broker) struct Coordinated {
    generation: i32,
    phase: Phase,
    leader: Option<MemberId>,
    /// It was another coordinator's: its members are not all known yet (R7.12).
    adopted: bool,
    members: Map<MemberId, Member>,
}

impl Coordinated {
    fn new(generation: i32) -> Coordinated {
        Coordinated {
            generation,
            phase: Phase::Stable,
            leader: None,
            adopted: false,
            members: Map::new(),
        }
    }

    /// Whether a member belongs to the present generation; that it is heard of is noted.
    fn check(&mut self, as_member: &GroupMember, now: Micros) -> ErrorCode {
        let Some(member) = as_member.member.and_then(|m| self.members.get_mut(&m)) else {
            return ErrorCode::UnknownMemberId;
        };
        if as_member.generation != self.generation {
            return ErrorCode::IllegalGeneration;
        }
        member.deadline = now + member.session;
        ErrorCode::None
    }

    /// When the next member may have been silent for too long, or those that join are late.
    fn next_look(&self) -> Micros {
        let silent = self.members.values().filter(|m| m.joins.is_none()).map(|m| m.deadline);
        let joining = match self.phase {
            Phase::Joining(until) => until,
            _ => Micros::NEVER,
        };
        silent.chain([joining]).min().unwrap_or(Micros::NEVER)
    }
}

impl Running<'_> {
    /// The partition of the offsets topic that a group belongs to, if this broker leads it. A group
    /// that it does not know was another coordinator's: the member that asks was one of its members,
    /// as the offsets topic would tell (R7.12).
    pub(super) fn coordinated(
        &mut self,
        as_member: &GroupMember,
        fx: &mut BrokerEffects,
    ) -> Result<PartitionId, ErrorCode> {
        let partition = self.offsets_partition(&as_member.group).filter(|p| self.leads(*p));
        let partition = partition.ok_or(ErrorCode::NotCoordinator)?;
        if let Some(member) = as_member.member {
            let groups = &mut self.process.groups;
            let group = groups.entry(as_member.group.clone()).or_insert_with(|| {
                let adopted = true;
                Coordinated { adopted, ..Coordinated::new(as_member.generation) }
            });
            if group.adopted && group.generation == as_member.generation {
                let session = as_member.session;
                group.leader.get_or_insert(member);
                group.members.entry(member).or_insert_with(|| Member {
                    topic: String::new(),
                    session,
                    rebalance: session,
                    deadline: fx.now + session,
                    joins: None,
                    syncs: None,
                    partitions: Vec::new(),
                });
            }
        }
        Ok(partition)
    }

    /// Whether a commit comes from a member; one that never joined commits to a group without
    /// members.
    pub(super) fn check_commit(&mut self, as_member: &GroupMember, now: Micros) -> ErrorCode {
        match self.process.groups.get_mut(&as_member.group) {
            None => ErrorCode::None,
            Some(group) if as_member.member.is_none() && group.members.is_empty() => {
                ErrorCode::None
            }
            Some(group) => match group.check(as_member, now) {
                ErrorCode::None if group.phase == Phase::Syncing => ErrorCode::RebalanceInProgress,
                outcome => outcome,
            },
        }
    }

    pub(in crate::broker) fn handle_join_group(
        &mut self,
        from: Node,
        correlation: u32,
        r: JoinGroup,
        fx: &mut BrokerEffects,
    ) {
        let Node::Client(client) = from else { return };
        let fresh = MemberId(client, fx.now);
        let member = r.as_member.member.unwrap_or(fresh);
        let mut refused = self.coordinated(&r.as_member, fx).err();
        let name = r.as_member.group.clone();
        if refused.is_none() {
            let group = self.process.groups.entry(name.clone()).or_insert(Coordinated::new(0));
            let known = group.members.contains_key(&member);
            if r.as_member.member.is_some() && !known {
                refused = Some(ErrorCode::UnknownMemberId);
            }
        }
        if let Some(error) = refused {
            let joined = Joined { error, member, generation: -1, members: Vec::new() };
            let body = Body::JoinGroupResponse(Box::new(joined));
            fx.send(from, correlation, body, fx.cause());
            return;
        }
        let Some(group) = self.process.groups.get_mut(&name) else { return };
        let partitions = Vec::new();
        let session = r.as_member.session;
        let rebalance = r.rebalance.max(session);
        let deadline = fx.now + session;
        let joins = Some((from, correlation));
        let joining =
            Member { topic: r.topic, session, rebalance, deadline, joins, syncs: None, partitions };
        group.members.insert(member, joining);
        self.rebalance_group(&name, fx);
    }

    /// A group's members join anew; those that wait for their partitions do so as well.
    fn rebalance_group(&mut self, name: &str, fx: &mut BrokerEffects) {
        let Some(group) = self.process.groups.get_mut(name) else { return };
        if !matches!(group.phase, Phase::Joining(_)) {
            let longest = group.members.values().map(|m| m.rebalance).max();
            group.phase = Phase::Joining(fx.now + longest.unwrap_or_default());
            group.adopted = false;
            let waiting = group.members.values_mut().filter_map(|m| m.syncs.take());
            for (to, correlation) in waiting.collect::<Vec<_>>() {
                let error = ErrorCode::RebalanceInProgress;
                answer_sync(to, correlation, error, Vec::new(), fx);
            }
        }
        self.complete_join(name, fx);
    }

    /// When all members have joined, the next generation begins (R7.11).
    fn complete_join(&mut self, name: &str, fx: &mut BrokerEffects) {
        let Some(group) = self.process.groups.get_mut(name) else { return };
        let Phase::Joining(until) = group.phase else { return };
        if until <= fx.now {
            group.members.retain(|_, m| m.joins.is_some());
        }
        if group.members.values().any(|m| m.joins.is_none()) {
            self.arm_groups(fx);
            return;
        }
        group.generation += 1;
        group.adopted = false;
        if group.members.is_empty() {
            group.phase = Phase::Stable;
            group.leader = None;
            return;
        }
        group.phase = Phase::Syncing;
        let first = group.members.keys().next().copied();
        let leader = group.leader.filter(|l| group.members.contains_key(l)).or(first);
        group.leader = leader;
        let topics = group.members.iter().map(|(id, m)| (*id, m.topic.clone()));
        let all: Vec<(MemberId, String)> = topics.collect();
        let generation = group.generation;
        for (id, member) in group.members.iter_mut() {
            member.deadline = fx.now + member.session;
            let Some((to, correlation)) = member.joins.take() else { continue };
            let members = if Some(*id) == leader { all.clone() } else { Vec::new() };
            let joined = Joined { error: ErrorCode::None, member: *id, generation, members };
            fx.send(to, correlation, Body::JoinGroupResponse(Box::new(joined)), fx.cause());
        }
        self.arm_groups(fx);
    }

    pub(in crate::broker) fn handle_sync_group(
        &mut self,
        from: Node,
        correlation: u32,
        r: SyncGroup,
        fx: &mut BrokerEffects,
    ) {
        let outcome = self.coordinated(&r.as_member, fx).map(|_| ());
        let name = r.as_member.group.clone();
        let group = self.process.groups.get_mut(&name);
        let error = match (outcome, group) {
            (Err(error), _) => error,
            (Ok(()), None) => ErrorCode::UnknownMemberId,
            (Ok(()), Some(group)) => {
                let outcome = group.check(&r.as_member, fx.now);
                let own = r.as_member.member.and_then(|m| group.members.get_mut(&m));
                match (outcome, group.phase, own) {
                    (ErrorCode::None, Phase::Joining(_), _) => ErrorCode::RebalanceInProgress,
                    (ErrorCode::None, Phase::Stable, Some(own)) => {
                        let partitions = own.partitions.clone();
                        answer_sync(from, correlation, ErrorCode::None, partitions, fx);
                        return;
                    }
                    (ErrorCode::None, Phase::Syncing, Some(own)) => {
                        own.syncs = Some((from, correlation));
                        if group.leader == r.as_member.member {
                            give_out(group, r.assignment, fx);
                        }
                        self.arm_groups(fx);
                        return;
                    }
                    (error, ..) => error,
                }
            }
        };
        answer_sync(from, correlation, error, Vec::new(), fx);
    }

    pub(in crate::broker) fn handle_group_heartbeat(
        &mut self,
        from: Node,
        correlation: u32,
        r: &GroupMember,
        fx: &mut BrokerEffects,
    ) {
        let error = match self.coordinated(r, fx) {
            Err(error) => error,
            Ok(_) => match self.process.groups.get_mut(&r.group) {
                None => ErrorCode::UnknownMemberId,
                Some(group) => match group.check(r, fx.now) {
                    ErrorCode::None if matches!(group.phase, Phase::Joining(_)) => {
                        ErrorCode::RebalanceInProgress
                    }
                    outcome => outcome,
                },
            },
        };
        self.arm_groups(fx);
        fx.send(from, correlation, Body::HeartbeatResponse(error), fx.cause());
    }

    /// A member that closes leaves at once (R7.9).
    pub(in crate::broker) fn handle_leave_group(
        &mut self,
        from: Node,
        correlation: u32,
        r: &GroupMember,
        fx: &mut BrokerEffects,
    ) {
        let outcome = self.coordinated(r, fx);
        let error = outcome.err().unwrap_or(ErrorCode::None);
        fx.send(from, correlation, Body::LeaveGroupResponse(error), fx.cause());
        let group = self.process.groups.get_mut(&r.group);
        let left = r.member.and_then(|m| group.and_then(|g| g.members.remove(&m)));
        if left.is_some() {
            self.rebalance_group(&r.group, fx);
        }
    }

    /// Members that were silent for too long are out, and with them those that are late to join.
    pub(in crate::broker) fn expire_group_members(&mut self, fx: &mut BrokerEffects) {
        let names: Vec<String> = self.process.groups.keys().cloned().collect();
        for name in names {
            let led = self.offsets_partition(&name).is_some_and(|p| self.leads(p));
            let Some(group) = self.process.groups.get_mut(&name) else { continue };
            if !led {
                let waiting: Vec<(Node, u32)> =
                    group.members.values_mut().filter_map(|m| m.joins.take()).collect();
                self.process.groups.remove(&name);
                refuse_joins(waiting, fx);
                continue;
            }
            let late = |m: &Member| m.joins.is_none() && m.deadline <= fx.now;
            let silent: Vec<MemberId> =
                group.members.iter().filter(|(_, m)| late(m)).map(|(id, _)| *id).collect();
            for id in &silent {
                group.members.remove(id);
                let group = name.clone();
                let event = EventKind::MemberExpired { group, client: id.0 };
                fx.chain_because(event, [EventId::NONE; 2]);
            }
            if silent.is_empty() {
                self.complete_join(&name, fx);
            } else {
                self.rebalance_group(&name, fx);
            }
        }
        self.arm_groups(fx);
    }

    fn arm_groups(&mut self, fx: &mut BrokerEffects) {
        let process = &mut *self.process;
        let next = process.groups.values().map(Coordinated::next_look).min();
        let next = next.unwrap_or(Micros::NEVER);
        fx.wake_by(next, BrokerTimer::Groups);
    }
}

/// The leader has given the partitions out: who waits for them gets them.
fn give_out(
    group: &mut Coordinated,
    assignment: Vec<(MemberId, Vec<PartitionId>)>,
    fx: &mut BrokerEffects,
) {
    for (member, partitions) in assignment {
        if let Some(member) = group.members.get_mut(&member) {
            member.partitions = partitions;
        }
    }
    group.phase = Phase::Stable;
    for member in group.members.values_mut() {
        member.deadline = fx.now + member.session;
        if let Some((to, correlation)) = member.syncs.take() {
            answer_sync(to, correlation, ErrorCode::None, member.partitions.clone(), fx);
        }
    }
}

fn answer_sync(
    to: Node,
    correlation: u32,
    error: ErrorCode,
    partitions: Vec<PartitionId>,
    fx: &mut BrokerEffects,
) {
    let body = Body::SyncGroupResponse(Box::new(Synced { error, partitions }));
    fx.send(to, correlation, body, fx.cause());
}

fn refuse_joins(waiting: Vec<(Node, u32)>, fx: &mut BrokerEffects) {
    for (to, correlation) in waiting {
        let Node::Client(client) = to else { continue };
        let (error, member) = (ErrorCode::NotCoordinator, MemberId(client, fx.now));
        let joined = Joined { error, member, generation: -1, members: Vec::new() };
        fx.send(to, correlation, Body::JoinGroupResponse(Box::new(joined)), fx.cause());
    }
}
