//! This broker's own fetches, as a follower (R3.1–R3.5, R3.14–R3.16).

use super::node::{Broker, BrokerEffects, BrokerTimer, because};
use crate::log::{self, Batch};
use crate::replica::divergence::{self, Beginning, FollowerLog, OutOfRange};
use crate::replica::high_watermark;
use crate::replica::{Following, FollowingState, Replica, Role};
use crate::settings::Key;
use crate::settings::rules::{Coordination, LateEpochBatches, Truncation};
use crate::wire::event::EventKind;
use crate::wire::message::{
    Body, EpochAnswer, EpochQuery, FetchPart, FetchRequest, Fetched, ListOffsets, ListedOffset,
    LogEnd,
};
use crate::words::{BrokerId, ErrorCode, EventId, LeaderEpoch, Micros, Node, Offset, PartitionId};
use alloc::boxed::Box;
use alloc::vec::Vec;

/// The shortest wait before a partition is fetched again, in releases without back-off (R3.5).
const SOON: Micros = Micros::from_ms(100);

/// The fetcher of one leader: at most one fetch is outstanding, for all partitions that follow that
/// leader (R3.1).
#[derive(Clone, Debug, Default)]
pub(super) struct Fetcher {
    /// The partitions that it owns, ascending.
    pub(super) partitions: Vec<PartitionId>,
    in_flight: Option<InFlight>,
    /// The event that will make it fetch next.
    why: EventId,
    again_at: Option<Micros>,
}

#[derive(Clone, Debug)]
struct InFlight {
    correlation: u32,
    deadline: Micros,
    /// Leader epoch of each partition in the request.
    epochs: Vec<(PartitionId, LeaderEpoch)>,
}

impl Broker {
    /// The leaders whose fetchers own a partition: at most one (R3.1).
    pub fn fetchers_of(&self, partition: PartitionId) -> impl Iterator<Item = BrokerId> {
        let fetchers = self.process.iter().flat_map(|p| p.fetchers.iter());
        fetchers.filter(move |(_, f)| f.partitions.contains(&partition)).map(|(leader, _)| *leader)
    }

    /// A partition begins to follow `leader`.
    pub(super) fn add_to_fetcher(
        &mut self,
        partition: PartitionId,
        leader: BrokerId,
        fx: &mut BrokerEffects,
    ) {
        let fetcher = self.up().fetchers.entry(leader).or_default();
        if let Err(at) = fetcher.partitions.binary_search(&partition) {
            fetcher.partitions.insert(at, partition);
        }
        fetcher.why = fx.cause;
        self.fetch_from(leader, fx);
    }

    /// A partition follows nobody any more, or somebody else.
    pub(super) fn remove_from_fetchers(&mut self, partition: PartitionId) {
        for fetcher in self.up().fetchers.iter_mut().map(|(_, fetcher)| fetcher) {
            fetcher.partitions.retain(|p| *p != partition);
        }
    }

    /// What a follower does before it fetches (R3.10–R3.14).
    pub(super) fn begin_following(&mut self, partition: PartitionId, fx: &mut BrokerEffects) {
        let rule = self.rules.truncation;
        let Some(replica) = self.replicas.get_mut(&partition) else { return };
        let latest = replica.log.epochs().latest_epoch();
        match divergence::beginning(rule, replica.hw, latest) {
            Beginning::TruncateTo(to) => self.truncate(partition, to, fx),
            Beginning::AskEnd(_) => {
                if let Some(following) = replica.following_mut() {
                    following.asks_epoch = true;
                }
            }
            Beginning::Fetch => {}
        }
    }

    /// Asks the leader where the newest epoch ends (R3.12, R3.13).
    fn ask_epoch_ends(&mut self, leader: BrokerId, fx: &mut BrokerEffects) {
        let fenced = self.rules.fetch_fencing;
        let process = self.process.as_deref_mut().expect("the process is up");
        let Some(fetcher) = process.fetchers.get(&leader) else { return };
        for partition in &fetcher.partitions {
            let Some(replica) = self.replicas.get_mut(partition) else { continue };
            let epoch = replica.log.epochs().latest_epoch();
            let leader_epoch = if fenced { replica.leader_epoch } else { -1 };
            let Some(following) = replica.following_mut() else { continue };
            if !following.asks_epoch || !following.is_ready(fx.now) {
                continue;
            }
            let until = fx.now + process.values.ms(Key::ReplicaSocketTimeoutMs);
            following.state = FollowingState::Asking(until);
            process.next_correlation += 1;
            let query = EpochQuery { partition: *partition, leader_epoch, epoch };
            let body = Body::OffsetsForLeaderEpoch(query);
            fx.send(Node::Broker(leader), process.next_correlation, body, fetcher.why);
        }
    }

    /// The leader said where an epoch ends: the follower cuts, and fetches or asks again.
    pub(super) fn take_epoch_end(
        &mut self,
        leader: BrokerId,
        answer: EpochAnswer,
        fx: &mut BrokerEffects,
    ) {
        let (partition, rule) = (answer.partition, self.rules.truncation);
        let backoff = self.up().values.ms(Key::ReplicaFetchBackoffMs);
        let Some(replica) = self.replicas.get_mut(&partition) else { return };
        let Replica { role: Role::Follower(following), log, hw, .. } = replica else { return };
        if !following.asks_epoch || !following.awaits(leader) {
            return;
        }
        if answer.error != ErrorCode::None {
            following.state = FollowingState::Delayed(fx.now + backoff.max(SOON));
        } else {
            let (epoch, end) = answer.end.map_or((-1, -1), |e| (e.epoch, e.end));
            let end_of = |epoch| log.end_offset_for(epoch);
            let own = FollowerLog { hw: *hw, end: log.end(), end_of: &end_of };
            let cut = divergence::after_epoch_answer(rule, &own, epoch, end);
            following.state = FollowingState::Fetching;
            following.asks_epoch = !cut.complete;
            self.truncate(partition, cut.to, fx);
        }
        self.fetch_from(leader, fx);
    }

    /// Sends the next fetch, if none is outstanding and some partition is ready.
    pub(super) fn fetch_from(&mut self, leader: BrokerId, fx: &mut BrokerEffects) {
        if self.process.is_none() {
            return;
        }
        self.ask_epoch_ends(leader, fx);
        let (fenced, by_fetch) =
            (self.rules.fetch_fencing, self.rules.truncation == Truncation::Fetch);
        let kraft = self.rules.coordination == Coordination::KRaft;
        let Some(process) = self.process.as_deref_mut() else { return };
        let broker_epoch = if kraft { process.broker_epoch } else { -1 };
        let Some(fetcher) = process.fetchers.get_mut(&leader) else { return };
        if fetcher.in_flight.is_some() {
            return;
        }
        let mut parts: Vec<FetchPart> = Vec::new();
        let mut next_ready: Option<Micros> = None;
        for partition in &fetcher.partitions {
            let Some(replica) = self.replicas.get_mut(partition) else { continue };
            let Some(following) = replica.following_mut() else { continue };
            if following.is_ready(fx.now) && !following.asks_epoch {
                following.state = FollowingState::Fetching;
                parts.push(FetchPart {
                    partition: *partition,
                    offset: replica.log.end(),
                    leader_epoch: if fenced { replica.leader_epoch } else { -1 },
                    last_fetched_epoch: if by_fetch {
                        replica.log.epochs().latest_epoch()
                    } else {
                        -1
                    },
                });
            } else if let FollowingState::Delayed(until) | FollowingState::Asking(until) =
                following.state
            {
                next_ready = Some(next_ready.map_or(until, |n| n.min(until)));
            }
        }
        if parts.is_empty() {
            if let Some(at) =
                next_ready.filter(|at| fetcher.again_at.is_none_or(|a| *at < a || a <= fx.now))
            {
                fetcher.again_at = Some(at);
                fx.timer(at, BrokerTimer::FetchAgain(leader));
            }
            return;
        }
        process.next_correlation += 1;
        let correlation = process.next_correlation;
        let deadline = fx.now + process.values.ms(Key::ReplicaSocketTimeoutMs);
        let epochs = parts.iter().map(|p| (p.partition, p.leader_epoch)).collect();
        fetcher.in_flight = Some(InFlight { correlation, deadline, epochs });
        let request = FetchRequest {
            replica: Some((self.id, broker_epoch)),
            max_wait: process.values.ms(Key::ReplicaFetchWaitMaxMs),
            min_bytes: process.values.get(Key::ReplicaFetchMinBytes),
            max_bytes: process.values.get(Key::ReplicaFetchMaxBytes),
            rack: 0,
            parts,
        };
        let why = fetcher.why;
        fx.send(Node::Broker(leader), correlation, Body::Fetch(Box::new(request)), why);
        self.arm_request_timeout(deadline, fx);
    }

    /// A fetch was answered.
    pub(super) fn take_fetched(
        &mut self,
        leader: BrokerId,
        correlation: u32,
        parts: Vec<Fetched>,
        fx: &mut BrokerEffects,
    ) {
        let Some(fetcher) = self.up().fetchers.get_mut(&leader) else { return };
        let answered = fetcher.in_flight.take_if(|f| f.correlation == correlation);
        let Some(answered) = answered else { return };
        let arrival = fx.cause;
        let mut news = arrival;
        for part in parts {
            fx.cause = arrival;
            let asked = answered.epochs.iter().find(|(p, _)| *p == part.partition);
            let epoch = asked.map_or(-1, |(_, epoch)| *epoch);
            self.take_part(leader, part, epoch, fx);
            if fx.cause != arrival {
                news = fx.cause;
            }
        }
        if let Some(fetcher) = self.up().fetchers.get_mut(&leader) {
            fetcher.why = news;
        }
        self.fetch_from(leader, fx);
    }

    /// One partition of an answer; ignored unless it is still wanted as it was asked for (R3.2).
    fn take_part(
        &mut self,
        leader: BrokerId,
        part: Fetched,
        epoch: LeaderEpoch,
        fx: &mut BrokerEffects,
    ) {
        let partition = part.partition;
        let patience = self.up().values.ms(Key::ReplicaSocketTimeoutMs);
        let backoff = self.up().values.ms(Key::ReplicaFetchBackoffMs);
        let Some(replica) = self.replicas.get_mut(&partition) else { return };
        let end = replica.log.end();
        let own_epoch = replica.leader_epoch;
        let Some(following) = replica.following_mut() else { return };
        let wanted = following.leader == leader
            && following.state == FollowingState::Fetching
            && end == part.offset;
        if !wanted {
            return;
        }
        match part.error {
            ErrorCode::None => self.take_data(leader, part, fx),
            ErrorCode::OffsetOutOfRange => {
                following.state = FollowingState::Asking(fx.now + patience);
                self.ask_log_end(partition, leader, LogEnd::Latest, fx);
            }
            error => {
                let current = error == ErrorCode::FencedLeaderEpoch && epoch == own_epoch;
                following.state = if current {
                    FollowingState::Failed
                } else {
                    FollowingState::Delayed(fx.now + backoff.max(SOON))
                };
                fx.cause = fx.event(EventKind::FetchFailed { partition, leader, error });
            }
        }
    }

    fn take_data(&mut self, leader: BrokerId, part: Fetched, fx: &mut BrokerEffects) {
        let partition = part.partition;
        if let Some(end) = part.diverging {
            let Some(replica) = self.replicas.get(&partition) else { return };
            let to = divergence::truncation_point(&replica.log, end);
            self.truncate(partition, to, fx);
            return;
        }
        let late = self.rules.late_epoch_batches;
        let Some(replica) = self.replicas.get_mut(&partition) else { return };
        let epoch = replica.leader_epoch;
        let fits = |b: &Batch| late == LateEpochBatches::Appended || b.epoch <= epoch;
        let first = replica.log.end();
        let mut rolled = None;
        for batch in part.batches.into_iter().take_while(fits) {
            match replica.log.append_as_follower(batch, replica.settings.segments, fx.now) {
                Ok(appended) => rolled = appended.rolled.or(rolled),
                Err(_) => {
                    if let Some(following) = replica.following_mut() {
                        following.state = FollowingState::Failed;
                    }
                    let error = ErrorCode::Unknown;
                    fx.event(EventKind::FetchFailed { partition, leader, error });
                    return;
                }
            }
        }
        let end = replica.log.end();
        if end > first {
            let last = end - 1;
            fx.cause = fx.event(EventKind::Replicated { partition, first, last, leader });
            replica.end_why = fx.cause;
        }
        if let Some(following) = replica.following_mut() {
            following.lag = (part.hw - end).max(0);
        }
        follow_hw(partition, replica, part.hw, part.hw_why, fx);
        if end > first {
            self.after_append(partition, rolled, fx);
        }
    }

    /// Cuts a follower's log, and its HW with it (R3.14, R3.15).
    fn truncate(&mut self, partition: PartitionId, to: Offset, fx: &mut BrokerEffects) {
        let Some(replica) = self.replicas.get_mut(&partition) else { return };
        let cut = replica.log.truncate_to(to, fx.now);
        self.told_truncation(partition, cut, fx);
    }

    fn told_truncation(
        &mut self,
        partition: PartitionId,
        cut: Option<log::Truncation>,
        fx: &mut BrokerEffects,
    ) {
        let Some(replica) = self.replicas.get_mut(&partition) else { return };
        if let Some(log::Truncation { from, to }) = cut {
            let count = (from - to) as u32;
            fx.cause = fx.event(EventKind::Truncated { partition, from, to, count });
            replica.end_why = fx.cause;
            if replica.hw > to {
                replica.hw = to;
                replica.hw_why = fx.cause;
            }
        }
        self.write_recovery_points();
    }

    // Out of range (R3.16).

    fn ask_log_end(
        &mut self,
        partition: PartitionId,
        leader: BrokerId,
        end: LogEnd,
        fx: &mut BrokerEffects,
    ) {
        let known = self.replicas.get(&partition).map_or(-1, |r| r.leader_epoch);
        let leader_epoch = if self.rules.fetch_fencing { known } else { -1 };
        let correlation = self.up().correlation();
        let body = ListOffsets { partition, end, from_replica: true, leader_epoch };
        fx.send(Node::Broker(leader), correlation, Body::ListOffsets(body), fx.cause);
    }

    pub(super) fn take_listed(
        &mut self,
        leader: BrokerId,
        listed: ListedOffset,
        fx: &mut BrokerEffects,
    ) {
        let partition = listed.partition;
        let backoff = self.up().values.ms(Key::ReplicaFetchBackoffMs);
        let Some(replica) = self.replicas.get_mut(&partition) else { return };
        let own_end = replica.log.end();
        let Some(following) = replica.following_mut() else { return };
        if !following.awaits(leader) {
            return;
        }
        if listed.error != ErrorCode::None {
            following.state = FollowingState::Delayed(fx.now + backoff);
            self.fetch_from(leader, fx);
            return;
        }
        if listed.end == LogEnd::Latest && listed.offset >= own_end {
            self.ask_log_end(partition, leader, LogEnd::Earliest, fx);
            return;
        }
        following.state = FollowingState::Fetching;
        let rules = &self.rules;
        let unclean = replica.settings.unclean;
        let next = match listed.end {
            LogEnd::Latest => divergence::ahead(rules.follower_ahead, listed.offset, unclean),
            LogEnd::Earliest => {
                divergence::behind(rules.out_of_range_restart, own_end, listed.offset)
            }
        };
        match next {
            OutOfRange::Halt => {
                self.halt(partition, fx);
                return;
            }
            OutOfRange::TruncateTo(to) => self.truncate(partition, to, fx),
            OutOfRange::RestartAt(start) => {
                let log::Truncation { from, to } = replica.log.truncate_fully(start, fx.now);
                let count = (from - to).max(0) as u32;
                fx.cause = fx.event(EventKind::TruncatedFully { partition, start, count });
                replica.end_why = fx.cause;
                replica.hw = start;
                replica.hw_why = fx.cause;
                self.write_recovery_points();
            }
            OutOfRange::Continue => {}
        }
        self.fetch_from(leader, fx);
    }

    // Lost answers (R3.5).

    /// The connection to a leader is gone.
    pub(super) fn fetcher_disconnected(&mut self, leader: BrokerId, fx: &mut BrokerEffects) {
        let process = self.up();
        let backoff = process.values.ms(Key::ReplicaFetchBackoffMs);
        let Some(fetcher) = process.fetchers.get_mut(&leader) else { return };
        let waiting = fetcher.in_flight.take().is_some();
        let partitions = fetcher.partitions.clone();
        if partitions.is_empty() {
            return;
        }
        let until = fx.now + backoff.max(SOON);
        let asking = |f: &Following| f.awaits(leader);
        for partition in &partitions {
            let Some(replica) = self.replicas.get_mut(partition) else { continue };
            let Some(following) = replica.following_mut() else { continue };
            if asking(following) || (waiting && following.state == FollowingState::Fetching) {
                following.state = FollowingState::Delayed(until);
            }
        }
        let why = fx.event(EventKind::FetcherDisconnected { leader });
        if let Some(fetcher) = self.up().fetchers.get_mut(&leader) {
            fetcher.why = why;
        }
        self.fetch_from(leader, fx);
    }

    /// Leaders whose answer is overdue, and when the next one is.
    pub(super) fn overdue_fetches(&self, now: Micros) -> (Vec<BrokerId>, Option<Micros>) {
        let Some(process) = &self.process else { return (Vec::new(), None) };
        let waiting = || {
            let all = process.fetchers.iter();
            all.filter_map(|(l, f)| Some((*l, f.in_flight.as_ref()?.deadline)))
        };
        let late = waiting().filter(|(_, at)| *at <= now).map(|(l, _)| l).collect();
        (late, waiting().map(|(_, at)| at).filter(|at| *at > now).min())
    }
}

/// A follower takes over its leader's HW, as far as its log reaches: a plain assignment, which may
/// go back after a failover (R3.3).
fn follow_hw(
    partition: PartitionId,
    replica: &mut Replica,
    leader_hw: Offset,
    why: EventId,
    fx: &mut BrokerEffects,
) {
    let to = high_watermark::followed(leader_hw, replica.log.start(), replica.log.end());
    if to != replica.hw {
        let from = core::mem::replace(&mut replica.hw, to);
        let causes = because(fx.cause, why);
        replica.hw_why = fx.event_because(EventKind::HwFollowed { partition, from, to }, causes);
    }
}
