//! What the controller of a ZooKeeper cluster writes of a partition (R5.9–R5.16, R5.36).

use super::alter_partition::{Proposed, validate_alter_isr};
use super::reassignment::{self, Plan};
use super::stored::Stored;
use super::zk_election::{self, Elected, Live};
use crate::settings::Rules;
use crate::settings::rules::{DroppedOrder, OfflinePartitions};
use crate::words::{BrokerId, Brokers, ErrorCode};

/// A state to be written, under the version that was read. The lists of a reassignment are stored
/// apart: where nothing else changes, the version stays (R0.4).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Written {
    /// The state as it will be stored.
    pub state: Stored,
    /// How the leader was chosen, if by an election.
    pub elected: Option<Elected>,
    /// The lists of a reassignment, if they are written too: they are stored apart.
    pub plan: Option<Plan>,
}

impl Written {
    /// A state with that leader and ISR, under a new leader epoch or the same.
    fn with(old: &Stored, leader: Option<BrokerId>, isr: Brokers, bump: bool) -> Written {
        let state = Stored { leader, isr, ..*old }.recorded(bump);
        Written { state, elected: None, plan: None }
    }

    /// Somebody else leads from now on.
    fn reign(old: &Stored, elected: Elected) -> Written {
        let written = Written::with(old, Some(elected.leader), elected.isr, true);
        Written { elected: Some(elected), ..written }
    }

    fn placed(mut self, plan: Plan) -> Written {
        self.state.set_plan(plan);
        Written { plan: Some(plan), ..self }
    }
}

/// A leader for a partition that is new or offline; `None` if nobody can lead, or it is neither
/// (R5.9, R5.11). `offline`: the controller's own state of it, which the death of a leader changes;
/// the leader that is stored does not count (R5.14).
pub fn elect(state: &Stored, offline: bool, unclean: bool, live: Live<'_>) -> Option<Written> {
    let elected = if state.leader_epoch < 0 {
        zk_election::new_partition(&state.replicas, live)?
    } else if offline {
        zk_election::offline(&state.replicas, &state.isr, unclean, live)?
    } else {
        return None;
    };
    Some(Written::reign(state, elected))
}

/// Whether a partition becomes offline for the controller when the brokers that `died` names have
/// just died (R5.11).
pub fn is_offline(rule: OfflinePartitions, state: &Stored, live: Live<'_>, died: Live<'_>) -> bool {
    state.leader_epoch >= 0
        && match rule {
            OfflinePartitions::OfTheDead => state.leader.is_some_and(died),
            OfflinePartitions::AllLeaderless => !state.leader.is_some_and(live),
        }
}

/// Bits of a hash that one level of a hash map's tree looks at, and how many levels there are.
const LEVEL_BITS: u32 = 5;
const LEVELS: usize = 7;

/// A place in an order; see [`drop_rank`].
pub type DropRank = [(bool, u32); LEVELS];

/// Where `broker` stands among `all` that leave ISRs together (R5.12, R5.36): lower ranks leave first,
/// equal ones in the order of their list. Scala 2.13's immutable hash map is a tree: at each level
/// come first the keys that stand there alone and then the subtrees, both by the next five bits of
/// their hash.
pub fn drop_rank(rule: DroppedOrder, broker: BrokerId, all: &[BrokerId]) -> DropRank {
    if rule == DroppedOrder::List {
        return DropRank::default();
    }
    let hash = improved_hash(u32::from(broker.0));
    core::array::from_fn(|level| {
        let below = LEVEL_BITS * level as u32;
        let seen = (below + LEVEL_BITS).min(u32::BITS);
        let mask = u32::MAX >> (u32::BITS - seen);
        let shares = |b: &BrokerId| (improved_hash(u32::from(b.0)) ^ hash) & mask == 0;
        let has_company = all.iter().any(|b| *b != broker && shares(b));
        (has_company, (hash >> below) & ((1 << LEVEL_BITS) - 1))
    })
}

/// The hash of an integer key, as Scala's collections mix it.
fn improved_hash(key: u32) -> u32 {
    let mut hash = key.wrapping_add(!(key << 9));
    hash ^= hash >> 14;
    hash = hash.wrapping_add(hash << 4);
    hash ^ (hash >> 10)
}

/// `broker`'s replica leaves the ISR, and its leadership if it has it; `None` if it is not in the
/// ISR (R5.12). `unclean`: whether unclean election is enabled for the topic.
pub fn remove(rules: &Rules, state: &Stored, broker: BrokerId, unclean: bool) -> Option<Written> {
    let rule = rules.last_isr_member;
    let (leader, isr) =
        zk_election::without_replica(rule, state.leader, &state.isr, broker, unclean)?;
    let bump = rules.shrink_bumps_epoch || leader != state.leader;
    Some(Written::with(state, leader, isr, bump))
}

/// All that the controller writes of a partition when the brokers `died` are gone: a new leader if
/// it becomes offline by that, or was so before (R5.11), then their replicas leave the ISR one after
/// the other, in that order (R5.12). `None` if nothing changes. Each write counts as one in the
/// epochs of the state that is returned.
pub fn lose(
    rules: &Rules,
    state: &Stored,
    died: &[BrokerId],
    unclean: bool,
    live: Live<'_>,
) -> Option<Written> {
    let is_dead = |b| died.contains(&b);
    let rule = rules.offline_partitions;
    let offline = state.leader.is_none() || is_offline(rule, state, live, &is_dead);
    let first = elect(state, offline, unclean, live);
    let elected = first.and_then(|written| written.elected);
    let mut now = first.map_or(*state, |written| written.state);
    for broker in died {
        now = remove(rules, &now, *broker, unclean).map_or(now, |written| written.state);
    }
    (now != *state).then_some(Written { state: now, elected, plan: None })
}

/// The leadership of a broker that stops cleanly moves; `None` if it does not lead, or nobody can
/// take over (R5.13).
pub fn hand_over(
    rules: &Rules,
    state: &Stored,
    broker: BrokerId,
    live: Live<'_>,
    stopping: Live<'_>,
) -> Option<Written> {
    if state.leader != Some(broker) || state.replicas.len() < 2 {
        return None;
    }
    let (rule, replicas) = (rules.shutdown_handover, &state.replicas);
    let elected = zk_election::controlled_shutdown(rule, replicas, &state.isr, live, stopping)?;
    Some(Written::reign(state, elected))
}

/// The preferred replica leads (R5.15).
///
/// # Errors
/// [`ErrorCode::ElectionNotNeeded`], [`ErrorCode::PreferredLeaderNotAvailable`].
pub fn prefer(state: &Stored, live: Live<'_>) -> Result<Written, ErrorCode> {
    if state.preferred_leads() {
        return Err(ErrorCode::ElectionNotNeeded);
    }
    let elected = zk_election::preferred(&state.replicas, &state.isr, live);
    let elected = elected.ok_or(ErrorCode::PreferredLeaderNotAvailable)?;
    Ok(Written::reign(state, elected))
}

/// Any live replica leads a partition that nobody leads (R5.15).
///
/// # Errors
/// [`ErrorCode::ElectionNotNeeded`], [`ErrorCode::EligibleLeadersNotAvailable`].
pub fn elect_unclean(state: &Stored, live: Live<'_>) -> Result<Written, ErrorCode> {
    if state.leader.is_some_and(live) {
        return Err(ErrorCode::ElectionNotNeeded);
    }
    let elected = zk_election::offline(&state.replicas, &state.isr, true, live);
    let elected = elected.ok_or(ErrorCode::EligibleLeadersNotAvailable)?;
    Ok(Written::reign(state, elected))
}

/// The ISR that a leader asks for, under its leader epoch (R2.23); `Ok(None)` if it is stored already.
///
/// # Errors
/// Those of [`validate_alter_isr`].
pub fn alter_isr(state: &Stored, proposed: &Proposed<'_>) -> Result<Option<Written>, ErrorCode> {
    let changes = validate_alter_isr(proposed, state)?;
    let written = || Written::with(state, state.leader, proposed.brokers(), false);
    Ok(changes.then(written))
}

/// R5.36 (1): the target's replicas join the list, under a new leader epoch unless all of them are
/// in sync already. `target` is `None` for a cancel. `Ok(None)`: the release ignores the request.
///
/// # Errors
/// [`ErrorCode::NoReassignmentInProgress`]: nothing to cancel;
/// [`ErrorCode::InvalidReplicaAssignment`]: an empty target, an unknown broker, a dead one that the
/// release refuses, or lists longer than [`Brokers::CAPACITY`].
pub fn start_move(
    rules: &Rules,
    state: &Stored,
    target: Option<Brokers>,
    known: Live<'_>,
    live: Live<'_>,
) -> Result<Option<Written>, ErrorCode> {
    let origin = state.origin();
    let target = match target {
        Some(target) => target,
        None if state.is_reassigning() => origin,
        None => return Err(ErrorCode::NoReassignmentInProgress),
    };
    let all = Brokers::checked(target.iter().chain(&origin).copied());
    let replicas = all.ok_or(ErrorCode::InvalidReplicaAssignment)?;
    if target.is_empty() || !target.iter().all(|b| known(*b)) {
        return Err(ErrorCode::InvalidReplicaAssignment);
    }
    if !reassignment::zk_start(rules.reassignment_start, state, &target, live)? {
        return Ok(None);
    }
    // What an unfinished move was to add is no part of the list any more (R5.36).
    let plan = Plan {
        replicas,
        adding: replicas.filtered(|b| !origin.contains(&b)),
        removing: replicas.filtered(|b| !target.contains(&b)),
    };
    let is_done = !plan.is_under_way() || state.isr.contains_all(&target);
    let written = match is_done {
        true => Written { state: *state, elected: None, plan: None },
        false => Written::with(state, state.leader, state.isr, true),
    };
    Ok(Some(written.placed(plan)))
}

/// A new controller, or a returned target replica, makes a move begin again: a new leader epoch, so
/// that every replica hears of it; `None` if there is no move, or all of its target is in sync
/// already (R5.14, R5.36).
pub fn resume_move(state: &Stored) -> Option<Written> {
    let waits = state.is_reassigning() && !reassignment::zk_caught_up(state);
    waits.then(|| Written::with(state, state.leader, state.isr, true))
}

/// A new controller of 0.8 submits a move again, which fails if a target replica is dead: then it is
/// off the list of moves, and what it has added stays (R5.36, until KAFKA-4214).
pub fn forget_move(state: &Stored, live: Live<'_>) -> Option<Written> {
    let fails = state.is_reassigning() && !state.target().iter().all(|b| live(*b));
    let plan = Plan::settled(state.replicas);
    fails.then(|| Written { state: *state, elected: None, plan: None }.placed(plan))
}

/// R5.36 (3): the list is the target's from now on, and a member of it leads under a new epoch;
/// `None` if nobody can.
pub fn complete_move(state: &Stored, live: Live<'_>) -> Option<Written> {
    let target = state.target();
    let stays = state.leader.filter(|l| target.contains(l) && live(*l));
    let written = match stays {
        Some(leader) => Written::with(state, Some(leader), state.isr, true),
        None => Written::reign(state, zk_election::reassigned(&target, &state.isr, live)?),
    };
    Some(written.placed(Plan::settled(target)))
}
