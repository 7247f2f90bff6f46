//! Consumers of old releases: each has a node that lives as long as its session with ZooKeeper, and while
//! it does, no other process of its group gets the partitions (R7.9). A group has one consumer here.

use super::ZooKeeper;
use crate::controller::ControllerEffects;
use crate::wire::event::EventKind;
use crate::wire::message::{GroupMember, JoinGroup, Joined, MemberId};
use crate::words::{ErrorCode, EventId, Micros, Node};
use alloc::vec::Vec;

/// A group's consumer.
#[derive(Clone, Debug)]
pub(super) struct Owner {
    member: MemberId,
    generation: i32,
    session: Micros,
    deadline: Micros,
}

impl ZooKeeper {
    /// A consumer wants its group's partitions; it tries again while another's node is there.
    pub(super) fn join_group(
        &mut self,
        from: Node,
        r: &JoinGroup,
        fx: &mut ControllerEffects,
    ) -> Option<Joined> {
        let Node::Client(client) = from else { return None };
        let name = &r.as_member.group;
        let member = r.as_member.member.unwrap_or(MemberId(client, fx.now));
        let former = self.owners.get(name);
        let generation = former.map_or(0, |o| o.generation) + 1;
        let joined = |error| Joined { error, member, generation, members: Vec::new() };
        if let Some(other) = former.filter(|o| o.member != member) {
            if other.deadline > fx.now {
                return Some(joined(ErrorCode::RebalanceInProgress));
            }
            let event = EventKind::MemberExpired { group: name.clone(), client: other.member.0 };
            fx.event_because(event, [EventId::NONE; 2]);
        }
        let session = r.as_member.session;
        let owner = Owner { member, generation, session, deadline: fx.now + session };
        self.owners.insert(name.clone(), owner);
        Some(joined(ErrorCode::None))
    }

    /// A consumer's session goes on.
    pub(super) fn consumer_ping(&mut self, r: &GroupMember, now: Micros) -> ErrorCode {
        match self.owners.get_mut(&r.group) {
            Some(owner) if Some(owner.member) == r.member && owner.deadline > now => {
                owner.deadline = now + owner.session;
                ErrorCode::None
            }
            _ => ErrorCode::UnknownMemberId,
        }
    }

    /// A consumer closes its session.
    pub(super) fn leave_group(&mut self, r: &GroupMember) -> ErrorCode {
        if let Some(owner) = self.owners.get_mut(&r.group)
            && Some(owner.member) == r.member
        {
            owner.deadline = Micros::ZERO;
        }
        ErrorCode::None
    }

    /// The ensemble is there again: sessions begin anew.
    pub(super) fn renew_consumers(&mut self, now: Micros) {
        for owner in self.owners.values_mut().filter(|o| o.deadline > Micros::ZERO) {
            owner.deadline = now + owner.session;
        }
    }
}
