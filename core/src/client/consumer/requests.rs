//! What a consumer asks brokers for (R7.5, R7.7).

use super::{Consumer, State};
use crate::client::ClientEffects;
use crate::client::connections::{Ended, Lane, Policy};
use crate::settings::Key;
use crate::wire::message::{Body, EpochQuery, FetchPart, FetchRequest, ListOffsets};
use crate::words::{BrokerId, ErrorCode, Map, Micros, PartitionId};
use alloc::boxed::Box;
use alloc::vec::Vec;

/// What is to be asked, of whom, and when to look again.
struct Wanted {
    fetches: Map<BrokerId, Vec<FetchPart>>,
    others: Vec<(BrokerId, PartitionId, Body)>,
    without_policy: Vec<PartitionId>,
    next: Micros,
}

impl Consumer {
    /// What each partition needs: a reset, a validation, or a fetch (R7.5, R7.7).
    fn wanted(&mut self, fx: &ClientEffects) -> Wanted {
        let mut wanted = Wanted {
            fetches: Map::new(),
            others: Vec::new(),
            without_policy: Vec::new(),
            next: Micros::NEVER,
        };
        let (_, reset) = self.reset_policy();
        for (partition, position) in self.positions.iter_mut() {
            if position.state != State::Free {
                continue;
            }
            if position.not_before > fx.now {
                wanted.next = wanted.next.min(position.not_before);
                continue;
            }
            let Some((leader, leader_epoch)) = self.bootstrap.leader(*partition) else {
                self.bootstrap.want();
                position.not_before = fx.now + self.values.ms(Key::ConsumerRetryBackoffMs);
                wanted.next = wanted.next.min(position.not_before);
                continue;
            };
            let partition = *partition;
            let leader_epoch = if self.rules.fetch_fencing { leader_epoch } else { -1 };
            // A position without an epoch has nothing that a new leader could deny (R7.7).
            if position.epoch < 0 {
                position.validated = leader_epoch;
            }
            match (position.offset, reset) {
                (None, None) => wanted.without_policy.push(partition),
                (None, Some(end)) => {
                    let ask = ListOffsets { partition, end, from_replica: false, leader_epoch };
                    wanted.others.push((leader, partition, Body::ListOffsets(ask)));
                }
                (Some(_), _)
                    if self.rules.truncation_detection
                        && position.epoch >= 0
                        && leader_epoch > position.validated =>
                {
                    let ask = EpochQuery { partition, leader_epoch, epoch: position.epoch };
                    wanted.others.push((leader, partition, Body::OffsetsForLeaderEpoch(ask)));
                }
                (Some(offset), _) => {
                    position.preferred.take_if(|(_, until)| *until <= fx.now);
                    let from = position.preferred.map_or(leader, |(broker, _)| broker);
                    // The wait belongs to the broker that could not be reached (R7.8).
                    if let Some(until) = self.connections.backs_off((Lane::Data, from), fx.now) {
                        wanted.next = wanted.next.min(until);
                        continue;
                    }
                    let part =
                        FetchPart { partition, offset, leader_epoch, last_fetched_epoch: -1 };
                    wanted.fetches.entry(from).or_default().push(part);
                }
            }
        }
        wanted
    }

    /// Resets, validates and fetches whatever is free; says when to look again.
    pub(super) fn ask(&mut self, policy: &Policy, fx: &mut ClientEffects) -> Micros {
        let Wanted { fetches, others, without_policy, mut next } = self.wanted(fx);
        for partition in without_policy {
            self.stop_at(partition, ErrorCode::NoOffsetForPartition, fx);
        }
        for (leader, partition, body) in others {
            match self.connections.backs_off((Lane::Data, leader), fx.now) {
                Some(until) => next = next.min(until),
                None => {
                    self.request(leader, &[partition], body, policy, fx);
                }
            }
        }
        for (leader, parts) in fetches {
            if self.fetches.iter().any(|(_, broker)| *broker == leader) {
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
            let body = Body::Fetch(Box::new(request));
            let correlation = self.request(leader, &partitions, body, policy, fx);
            self.fetches.push((correlation, leader));
        }
        next
    }

    fn request(
        &mut self,
        broker: BrokerId,
        partitions: &[PartitionId],
        body: Body,
        policy: &Policy,
        fx: &mut ClientEffects,
    ) -> u32 {
        let peer = (Lane::Data, broker);
        let correlation = self.connections.request(peer, body, fx.last_event(), policy, fx);
        for partition in partitions {
            if let Some(position) = self.positions.get_mut(partition) {
                position.state = State::Asked(correlation);
            }
        }
        correlation
    }

    /// What was asked over a connection that is gone is asked again: fetches as soon as their broker
    /// may be tried, the rest after `retry.backoff.ms`.
    pub(super) fn drop_requests(&mut self, ended: &Ended, fx: &mut ClientEffects) {
        let again = fx.now + self.values.ms(Key::ConsumerRetryBackoffMs);
        let fetches = &self.fetches;
        for position in self.positions.values_mut() {
            position.preferred.take_if(|(preferred, _)| *preferred == ended.broker);
            if let State::Asked(correlation) = position.state
                && ended.had(correlation)
            {
                position.state = State::Free;
                if !fetches.iter().any(|(c, _)| *c == correlation) {
                    position.not_before = again;
                }
            }
        }
        self.fetches.retain(|(c, _)| !ended.had(*c));
    }
}
