//! What a consumer asks brokers for (R7.5, R7.7).

use super::{Consumer, InFlight, State};
use crate::client::ClientEffects;
use crate::client::backoff::Backoff;
use crate::settings::Key;
use crate::wire::event::EventKind;
use crate::wire::message::{Body, EpochQuery, FetchPart, FetchRequest, ListOffsets};
use crate::words::{BrokerId, ErrorCode, Map, Micros, Node, PartitionId};
use alloc::boxed::Box;
use alloc::vec::Vec;

impl Consumer {
    /// Resets, validates and fetches whatever is free (R7.5, R7.7).
    pub(super) fn ask(&mut self, fx: &mut ClientEffects) -> Micros {
        let mut next = Micros::NEVER;
        let mut fetches: Map<BrokerId, Vec<FetchPart>> = Map::new();
        let mut others: Vec<(BrokerId, PartitionId, Body)> = Vec::new();
        let (_, reset) = self.reset_policy();
        let mut without_policy: Vec<PartitionId> = Vec::new();
        for (partition, position) in self.positions.iter_mut() {
            if position.state != State::Free {
                continue;
            }
            if position.not_before > fx.now {
                next = next.min(position.not_before);
                continue;
            }
            let Some((leader, leader_epoch)) = self.bootstrap.leader(*partition) else {
                self.bootstrap.want();
                position.not_before = fx.now + self.values.ms(Key::ConsumerRetryBackoffMs);
                next = next.min(position.not_before);
                continue;
            };
            let partition = *partition;
            let leader_epoch = if self.rules.fetch_fencing { leader_epoch } else { -1 };
            match (position.offset, reset) {
                (None, None) => without_policy.push(partition),
                (None, Some(end)) => {
                    let ask = ListOffsets { partition, end, from_replica: false, leader_epoch };
                    others.push((leader, partition, Body::ListOffsets(ask)));
                }
                (Some(_), _)
                    if self.rules.truncation_detection
                        && position.epoch >= 0
                        && leader_epoch > position.validated =>
                {
                    let ask = EpochQuery { partition, leader_epoch, epoch: position.epoch };
                    others.push((leader, partition, Body::OffsetsForLeaderEpoch(ask)));
                }
                (Some(offset), _) => {
                    position.preferred.take_if(|(_, until)| *until <= fx.now);
                    let from = position.preferred.map_or(leader, |(broker, _)| broker);
                    let part =
                        FetchPart { partition, offset, leader_epoch, last_fetched_epoch: -1 };
                    fetches.entry(from).or_default().push(part);
                }
            }
        }
        for partition in without_policy {
            self.stop_at(partition, ErrorCode::NoOffsetForPartition, fx);
        }
        for (leader, partition, body) in others {
            self.request(leader, &[partition], body, false, fx);
        }
        for (leader, parts) in fetches {
            if self.requests.iter().any(|r| r.is_fetch && r.broker == leader) {
                continue;
            }
            let partitions: Vec<PartitionId> = parts.iter().map(|p| p.partition).collect();
            let request = FetchRequest {
                replica: None,
                max_wait: self.values.ms(Key::FetchMaxWaitMs),
                min_bytes: self.values.get(Key::FetchMinBytes),
                max_bytes: self.values.get(Key::MaxPartitionFetchBytes),
                rack: self.rack,
                parts,
            };
            self.request(leader, &partitions, Body::Fetch(Box::new(request)), true, fx);
        }
        next
    }

    pub(super) fn request(
        &mut self,
        broker: BrokerId,
        partitions: &[PartitionId],
        body: Body,
        is_fetch: bool,
        fx: &mut ClientEffects,
    ) {
        self.next_correlation += 1;
        let correlation = self.next_correlation;
        let deadline = fx.now + self.values.ms(Key::ConsumerRequestTimeoutMs);
        self.requests.push(InFlight { correlation, broker, deadline, is_fetch });
        for partition in partitions {
            if let Some(position) = self.positions.get_mut(partition) {
                position.state = State::Asked(correlation);
            }
        }
        fx.send(Node::Broker(broker), correlation, body, fx.last_event());
    }

    pub(super) fn drop_requests(&mut self, broker: BrokerId, fx: &mut ClientEffects) {
        let lost: Vec<u32> =
            self.requests.iter().filter(|r| r.broker == broker).map(|r| r.correlation).collect();
        self.requests.retain(|r| r.broker != broker);
        if lost.is_empty() {
            return;
        }
        fx.event(EventKind::ConnectionLost { broker });
        let failures = self.failures.entry(broker).or_default();
        *failures += 1;
        let wait = Backoff::RECONNECT.after(*failures);
        let wait = wait.max(self.values.ms(Key::ConsumerRetryBackoffMs));
        let again = fx.now + wait;
        for position in self.positions.iter_mut().map(|(_, v)| v) {
            position.preferred.take_if(|(preferred, _)| *preferred == broker);
            if let State::Asked(correlation) = position.state
                && lost.contains(&correlation)
            {
                position.state = State::Free;
                position.not_before = again;
            }
        }
    }
}
