//! What a stored state makes of a replica that hears of it (R3.7–R3.9, R4.2–R4.4).

use super::stored::Stored;
use crate::settings::Rules;
use crate::settings::rules::{FollowerRestart, SkippedFollower, StaleState, StopReplicaCheck};
use crate::words::{BrokerId, ErrorCode, LeaderEpoch, PartitionEpoch};

/// What a replica is to its partition, as its process sees it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Standing {
    /// It leads.
    Leader {
        /// Under which epoch.
        epoch: LeaderEpoch,
        /// Version of the stored state that it knows.
        partition_epoch: PartitionEpoch,
    },
    /// It follows.
    Follower {
        /// Whom.
        leader: BrokerId,
    },
    /// Nobody leads, it was told to stop, or it has not heard of the partition yet.
    Idle,
}

/// What a replica knows when it hears of a state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Known {
    /// Newest leader epoch that its process knows; −1 before any.
    pub leader_epoch: LeaderEpoch,
    /// Its role.
    pub standing: Standing,
    /// Its broker is in controlled shutdown.
    pub stopping: bool,
}

/// What it does about the state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Heard {
    /// Nothing: it knows this, or something newer.
    Nothing,
    /// Its broker is no replica any more: it is deleted.
    Remove,
    /// It begins to lead, or to lead under a new epoch (R4.3).
    Lead,
    /// It goes on leading under the same epoch, with what is stored now (R2.25).
    Commit,
    /// It follows that leader anew: it truncates and fetches (R3.9).
    Follow(BrokerId),
    /// It goes on following the same leader under the new epoch (R3.9, before KIP-320).
    FollowOn,
    /// Nobody leads.
    Leaderless,
    /// It neither leads nor follows: a stopping broker does not fetch for a replica that has left
    /// the ISR.
    Rest,
}

/// What replica `own` makes of a state that it finds in the metadata log (R3.7).
pub fn heard(rules: &Rules, own: BrokerId, known: Known, state: &Stored) -> Heard {
    if !state.replicas.contains(&own) {
        return Heard::Remove;
    }
    if known.stopping && !state.isr.contains(&own) {
        return Heard::Rest;
    }
    told(rules, own, known, state)
}

/// What replica `own` makes of a state that a controller sends to it and [`checked`] lets through:
/// with ZooKeeper, only StopReplica ends a replica.
pub fn told(rules: &Rules, own: BrokerId, known: Known, state: &Stored) -> Heard {
    match state.leader {
        Some(leader) if leader == own => leads(known, state),
        leader => follows(rules, known, state, leader),
    }
}

fn leads(known: Known, state: &Stored) -> Heard {
    match known.standing {
        Standing::Leader { epoch, partition_epoch } if epoch == state.leader_epoch => {
            if state.partition_epoch < partition_epoch { Heard::Nothing } else { Heard::Commit }
        }
        _ if state.leader_epoch < known.leader_epoch => Heard::Nothing,
        _ => Heard::Lead,
    }
}

/// "Nothing to do" unless the epoch is newer, or in old releases the leader another (R3.9).
fn follows(rules: &Rules, known: Known, state: &Stored, leader: Option<BrokerId>) -> Heard {
    if state.leader_epoch <= known.leader_epoch {
        return Heard::Nothing;
    }
    match (leader, known.standing) {
        (Some(leader), Standing::Follower { leader: former })
            if former == leader && rules.follower_restart == FollowerRestart::NewLeader =>
        {
            Heard::FollowOn
        }
        (Some(leader), _) => Heard::Follow(leader),
        (None, _) => Heard::Leaderless,
    }
}

/// What a LeaderAndIsr request says of a partition, before [`heard`] (R3.7, R3.8).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Checked {
    /// It is taken over.
    Taken,
    /// Its leader is not alive: the broker has the replica, whose role stays as it is (R3.8).
    Skipped,
    /// The same, where the broker has not even the replica.
    Unknown,
}

/// The tests of a LeaderAndIsr request against the leader epoch of the replica, −1 if the process
/// has none. `live`: whether a broker is among the request's live leaders.
///
/// # Errors
/// A leader epoch that is no newer than the replica's, under the release's name for that (R3.7).
pub fn checked(
    rules: &Rules,
    own: BrokerId,
    known: LeaderEpoch,
    state: &Stored,
    live: &dyn Fn(BrokerId) -> bool,
) -> Result<Checked, ErrorCode> {
    if state.leader_epoch <= known {
        return Err(match rules.stale_state {
            StaleState::LeaderEpoch => ErrorCode::StaleLeaderEpoch,
            StaleState::ControllerEpoch => ErrorCode::StaleControllerEpoch,
        });
    }
    let is_served = state.leader.is_some_and(|l| l == own || live(l));
    Ok(match rules.skipped_follower {
        _ if is_served => Checked::Taken,
        SkippedFollower::Replica => Checked::Skipped,
        SkippedFollower::NoReplica => Checked::Unknown,
    })
}

/// Whether a broker stops a replica that a StopReplica request names under leader epoch `asked`;
/// `known` is the replica's own, `None` if the process has no such replica (R5.36, KIP-570).
pub fn stops(rule: StopReplicaCheck, known: Option<LeaderEpoch>, asked: LeaderEpoch) -> bool {
    rule == StopReplicaCheck::Obeyed || known.is_none_or(|known| asked > known)
}

/// A request of a former controller is refused (R5.2); otherwise the epoch to remember.
///
/// # Errors
/// [`ErrorCode::StaleControllerEpoch`].
pub fn checked_controller(known: i32, epoch: i32) -> Result<i32, ErrorCode> {
    if epoch < known { Err(ErrorCode::StaleControllerEpoch) } else { Ok(epoch) }
}
