//! This broker's own fetches, as a follower (R3.1–R3.5).

use super::node::{BrokerEffects, BrokerTimer};
use super::running::{Running, because};
use crate::log::Batch;
use crate::partition::follow::{self, FetchFailure};
use crate::partition::{Following, FollowingState, divergence, high_watermark};
use crate::replica::Replica;
use crate::settings::Key;
use crate::settings::rules::{Coordination, DivergingHw, Truncation};
use crate::wire::event::EventKind;
use crate::wire::message::{Body, FetchPart, FetchRequest, Fetched, LogEnd};
use crate::words::{BrokerId, ErrorCode, EventId, LeaderEpoch, Micros, Node, Offset, PartitionId};
use alloc::boxed::Box;
use alloc::vec::Vec;

/// The shortest wait before a partition is fetched again, in releases without back-off (R3.5).
pub(super) const SOON: Micros = Micros::from_ms(100);

/// The fetcher of one leader: at most one fetch is outstanding, for all partitions that follow that
/// leader (R3.1).
#[derive(Clone, Debug, Default)]
pub(super) struct Fetcher {
    /// The partitions that it owns, ascending.
    pub(super) partitions: Vec<PartitionId>,
    in_flight: Option<InFlight>,
    /// The event that will make it fetch next.
    pub(super) why: EventId,
    again_at: Option<Micros>,
}

#[derive(Clone, Debug)]
struct InFlight {
    correlation: u32,
    deadline: Micros,
    /// Leader epoch of each partition in the request.
    epochs: Vec<(PartitionId, LeaderEpoch)>,
}

impl Fetcher {
    /// Whether it has nothing to fetch any more, and waits for the last answer.
    pub(super) fn is_ending(&self) -> bool {
        self.partitions.is_empty() && self.in_flight.is_some()
    }
}

impl Running<'_> {
    /// A partition begins to follow `leader`.
    pub(super) fn add_to_fetcher(
        &mut self,
        partition: PartitionId,
        leader: BrokerId,
        fx: &mut BrokerEffects,
    ) {
        let fetcher = self.process.fetchers.entry(leader).or_default();
        if let Err(at) = fetcher.partitions.binary_search(&partition) {
            fetcher.partitions.insert(at, partition);
        }
        fetcher.why = fx.cause();
        self.fetch_from(leader, fx);
    }

    /// A partition follows nobody any more, or somebody else.
    pub(super) fn remove_from_fetchers(&mut self, partition: PartitionId) {
        for fetcher in self.process.fetchers.iter_mut().map(|(_, fetcher)| fetcher) {
            fetcher.partitions.retain(|p| *p != partition);
        }
    }

    /// Sends the next fetch, if none is outstanding and some partition is ready.
    pub(super) fn fetch_from(&mut self, leader: BrokerId, fx: &mut BrokerEffects) {
        if self.process.ended {
            return;
        }
        self.ask_epoch_ends(leader, fx);
        let (fenced, by_fetch) =
            (self.rules.fetch_fencing, self.rules.truncation == Truncation::Fetch);
        let kraft = self.rules.coordination == Coordination::KRaft;
        if self.process.ended {
            return;
        }
        let process = &mut *self.process;
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
        fx.wake_by(deadline, BrokerTimer::RequestTimeouts);
    }

    /// A leader answered what this follower asked.
    pub(super) fn on_leader_response(
        &mut self,
        leader: BrokerId,
        correlation: u32,
        body: Body,
        fx: &mut BrokerEffects,
    ) {
        match body {
            Body::FetchResponse(parts) => self.on_fetch_response(leader, correlation, parts, fx),
            Body::ListOffsetsResponse(r) => self.on_list_offsets_response(leader, r, fx),
            Body::OffsetsForLeaderEpochResponse(r) => {
                self.on_offsets_for_leader_epoch_response(leader, r, fx);
            }
            _ => {}
        }
    }

    /// A fetch was answered.
    pub(super) fn on_fetch_response(
        &mut self,
        leader: BrokerId,
        correlation: u32,
        parts: Vec<Fetched>,
        fx: &mut BrokerEffects,
    ) {
        let Some(fetcher) = self.process.fetchers.get_mut(&leader) else { return };
        let answered = fetcher.in_flight.take_if(|f| f.correlation == correlation);
        let Some(answered) = answered else { return };
        self.answer_controller(fx);
        let arrival = fx.cause();
        let mut news = arrival;
        for part in parts {
            let asked = answered.epochs.iter().find(|(p, _)| *p == part.partition);
            let epoch = asked.map_or(-1, |(_, epoch)| *epoch);
            fx.caused_by(arrival, |fx| {
                self.on_partition_fetched(leader, part, epoch, fx);
                if fx.cause() != arrival {
                    news = fx.cause();
                }
            });
        }
        if let Some(fetcher) = self.process.fetchers.get_mut(&leader) {
            fetcher.why = news;
        }
        self.fetch_from(leader, fx);
    }

    /// One partition of an answer; ignored unless it is still wanted as it was asked for (R3.2).
    fn on_partition_fetched(
        &mut self,
        leader: BrokerId,
        part: Fetched,
        epoch: LeaderEpoch,
        fx: &mut BrokerEffects,
    ) {
        let partition = part.partition;
        let patience = self.process.values.ms(Key::ReplicaSocketTimeoutMs);
        let backoff = self.process.values.ms(Key::ReplicaFetchBackoffMs);
        let Some(replica) = self.replicas.get_mut(&partition) else { return };
        let end = replica.log.end();
        let own_epoch = replica.leader_epoch;
        let Some(following) = replica.following_mut() else { return };
        if !following.wants(leader, part.offset, end) {
            return;
        }
        if part.error == ErrorCode::None {
            self.take_data(leader, part, fx);
            return;
        }
        let error = part.error;
        following.state = match follow::after_fetch_error(error, epoch, own_epoch) {
            FetchFailure::AskLogEnd => {
                following.state = FollowingState::Asking(fx.now + patience);
                self.ask_log_end(partition, leader, LogEnd::Latest, fx);
                return;
            }
            FetchFailure::Fail => FollowingState::Failed,
            FetchFailure::Delay => FollowingState::Delayed(fx.now + backoff.max(SOON)),
        };
        fx.chain(EventKind::FetchFailed { partition, leader, error });
    }

    fn take_data(&mut self, leader: BrokerId, part: Fetched, fx: &mut BrokerEffects) {
        let partition = part.partition;
        if let Some(end) = part.diverging {
            let Some(replica) = self.replicas.get(&partition) else { return };
            let to = divergence::after_divergence(replica.log.view(), end).to;
            self.truncate(partition, to, fx);
            if self.rules.diverging_hw == DivergingHw::Taken
                && let Some(replica) = self.replicas.get_mut(&partition)
            {
                // Kafka takes the HW first and cuts then, under one lock: what is left is this.
                follow_hw(partition, replica, part.hw, part.hw_why, fx);
            }
            return;
        }
        let late = self.rules.late_epoch_batches;
        let Some(replica) = self.replicas.get_mut(&partition) else { return };
        let epoch = replica.leader_epoch;
        let fits = |b: &Batch| follow::takes_batch(late, b.epoch, epoch);
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
            fx.chain(EventKind::Replicated { partition, first, last, leader });
            replica.end_why = fx.cause();
        }
        if let Some(following) = replica.following_mut() {
            following.lag = (part.hw - end).max(0);
        }
        let moved = follow_hw(partition, replica, part.hw, part.hw_why, fx);
        if moved {
            self.wake_consumers(partition, fx);
        }
        if end > first {
            self.after_append(partition, rolled, fx);
        }
    }

    /// The connection to a leader is gone.
    pub(super) fn fetcher_disconnected(&mut self, leader: BrokerId, fx: &mut BrokerEffects) {
        let process = &mut *self.process;
        let backoff = process.values.ms(Key::ReplicaFetchBackoffMs);
        let Some(fetcher) = process.fetchers.get_mut(&leader) else { return };
        let waiting = fetcher.in_flight.take().is_some();
        let partitions = fetcher.partitions.clone();
        if partitions.is_empty() {
            self.answer_controller(fx);
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
        if let Some(fetcher) = self.process.fetchers.get_mut(&leader) {
            fetcher.why = why;
        }
        self.fetch_from(leader, fx);
    }

    /// Leaders whose answer is overdue, and when the next one is.
    pub(super) fn overdue_fetches(&self, now: Micros) -> (Vec<BrokerId>, Option<Micros>) {
        let process = &*self.process;
        let waiting = || {
            let all = process.fetchers.iter();
            all.filter_map(|(l, f)| Some((*l, f.in_flight.as_ref()?.deadline)))
        };
        let late = waiting().filter(|(_, at)| *at <= now).map(|(l, _)| l).collect();
        (late, waiting().map(|(_, at)| at).filter(|at| *at > now).min())
    }
}

/// A follower takes over its leader's HW, as far as its log reaches: a plain assignment, which may
/// go back after a failover (R3.3); whether it is another.
fn follow_hw(
    partition: PartitionId,
    replica: &mut Replica,
    leader_hw: Offset,
    why: EventId,
    fx: &mut BrokerEffects,
) -> bool {
    let to = high_watermark::followed(leader_hw, replica.log.start(), replica.log.end());
    let moves = to != replica.hw;
    if moves {
        let from = core::mem::replace(&mut replica.hw, to);
        let causes = because(fx.cause(), why);
        replica.hw_why = fx.event_because(EventKind::HwFollowed { partition, from, to }, causes);
    }
    moves
}
