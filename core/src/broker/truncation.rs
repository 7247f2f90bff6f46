//! What a follower does where its log is not its leader's: it asks where they part, and cuts its own
//! (R3.10–R3.16).

use super::fetcher::SOON;
use super::node::BrokerEffects;
use super::running::Running;
use crate::log;
use crate::partition::FollowingState;
use crate::partition::divergence::{self, Beginning, OutOfRange};
use crate::replica::{Replica, Role};
use crate::settings::Key;
use crate::wire::event::EventKind;
use crate::wire::message::{Body, EpochAnswer, EpochQuery, ListOffsets, ListedOffset, LogEnd};
use crate::words::{BrokerId, ErrorCode, Node, Offset, PartitionId};

impl Running<'_> {
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
    pub(super) fn ask_epoch_ends(&mut self, leader: BrokerId, fx: &mut BrokerEffects) {
        let fenced = self.rules.fetch_fencing;
        let process = &mut *self.process;
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
    pub(super) fn on_offsets_for_leader_epoch_response(
        &mut self,
        leader: BrokerId,
        answer: EpochAnswer,
        fx: &mut BrokerEffects,
    ) {
        let (partition, rule) = (answer.partition, self.rules.truncation);
        let backoff = self.process.values.ms(Key::ReplicaFetchBackoffMs);
        let Some(replica) = self.replicas.get_mut(&partition) else { return };
        let Replica { role: Role::Follower(following), log, hw, .. } = replica else { return };
        if !following.asks_epoch || !following.awaits(leader) {
            return;
        }
        if answer.error != ErrorCode::None {
            following.state = FollowingState::Delayed(fx.now + backoff.max(SOON));
        } else {
            let (epoch, end) = answer.end.map_or((-1, -1), |e| (e.epoch, e.end));
            let cut = divergence::after_epoch_answer(rule, log.view(), *hw, (epoch, end));
            following.state = FollowingState::Fetching;
            following.asks_epoch = !cut.complete;
            self.truncate(partition, cut.to, fx);
        }
        self.fetch_from(leader, fx);
    }

    /// Cuts a follower's log, and its HW with it (R3.14, R3.15).
    pub(super) fn truncate(&mut self, partition: PartitionId, to: Offset, fx: &mut BrokerEffects) {
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
            fx.chain(EventKind::Truncated { partition, from, to, count });
            replica.end_why = fx.cause();
            if replica.hw > to {
                replica.hw = to;
                replica.hw_why = fx.cause();
            }
        }
        self.write_recovery_points();
    }

    pub(super) fn ask_log_end(
        &mut self,
        partition: PartitionId,
        leader: BrokerId,
        end: LogEnd,
        fx: &mut BrokerEffects,
    ) {
        let known = self.replicas.get(&partition).map_or(-1, |r| r.leader_epoch);
        let leader_epoch = if self.rules.fetch_fencing { known } else { -1 };
        let correlation = self.process.correlation();
        let body = ListOffsets { partition, end, from_replica: true, leader_epoch };
        fx.send(Node::Broker(leader), correlation, Body::ListOffsets(body), fx.cause());
    }

    pub(super) fn on_list_offsets_response(
        &mut self,
        leader: BrokerId,
        listed: ListedOffset,
        fx: &mut BrokerEffects,
    ) {
        let partition = listed.partition;
        let backoff = self.process.values.ms(Key::ReplicaFetchBackoffMs);
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
                let log::Truncation { from, to } = replica.log.truncate_fully(start, start, fx.now);
                let count = (from - to).max(0) as u32;
                fx.chain(EventKind::TruncatedFully { partition, start, count });
                replica.end_why = fx.cause();
                replica.hw = start;
                replica.hw_why = fx.cause();
                self.write_recovery_points();
            }
            OutOfRange::Continue => {}
        }
        self.fetch_from(leader, fx);
    }
}
