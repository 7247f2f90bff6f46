//! The sender: a request for each leader, as connections and their limit allow (R6.5, R6.12).

use super::batch::{PendingBatch, Queue};
use super::{InFlight, Producer};
use crate::client::ClientEffects;
use crate::client::connections::{Lane, Policy};
use crate::settings::Key;
use crate::settings::rules::RetryBackoff;
use crate::wire::Report;
use crate::wire::event::EventKind;
use crate::wire::message::{Body, ProduceRequest, ProducerBatch};
use crate::words::{BrokerId, EventId, LeaderEpoch, Map, Micros, PartitionId};
use alloc::boxed::Box;
use alloc::vec::Vec;

impl Producer {
    /// Sends what is ready: a request for each leader with a batch for each partition (R6.5).
    pub(super) fn drain(&mut self, policy: &Policy, fx: &mut ClientEffects) -> Micros {
        if !self.rules.producer_bumps_epoch && self.queues.values().any(|q| q.unresolved) {
            if !self.requests.is_empty() {
                return Micros::NEVER;
            }
            self.forget_identity();
        }
        if self.values.is(Key::EnableIdempotence) && self.identity.is_none() {
            return Micros::NEVER;
        }
        loop {
            let (ready, mut next) = self.ready(fx.now);
            let most = self.values.get(Key::MaxInFlightRequestsPerConnection);
            let mut sent = false;
            for (leader, partitions) in ready {
                let peer = (Lane::Data, leader);
                if self.connections.in_flight(peer) as i64 >= most {
                    continue;
                }
                match self.connections.ready(peer, policy, fx) {
                    Ok(()) => {
                        self.send_batches(leader, &partitions, policy, fx);
                        sent = true;
                    }
                    Err(again) => next = next.min(again),
                }
            }
            if !sent {
                return next;
            }
        }
    }

    /// Partitions with a batch to send now, by leader, and when the next one will have one.
    pub(super) fn ready(&mut self, now: Micros) -> (Map<BrokerId, Vec<PartitionId>>, Micros) {
        let mut next = Micros::NEVER;
        let mut leaderless = false;
        let mut ready: Map<BrokerId, Vec<PartitionId>> = Map::new();
        for partition in self.waiting.keys() {
            let queue = self.queues.get(partition);
            let leader = self.bootstrap.leader(*partition);
            let epoch = leader.map_or(-1, |(_, epoch)| epoch);
            let Some(at) = queue.and_then(|q| self.ready_at(q, epoch)) else { continue };
            match leader {
                None => leaderless = true,
                Some((leader, _)) if at <= now => {
                    ready.entry(leader).or_default().push(*partition);
                }
                Some(_) => next = next.min(at),
            }
        }
        if leaderless {
            self.bootstrap.want();
        }
        (ready, next)
    }

    /// When the first batch of a queue may be sent; none: not before something under way ends.
    pub(super) fn ready_at(&self, queue: &Queue, leader_epoch: LeaderEpoch) -> Option<Micros> {
        let first = queue.batches.front()?;
        let one_at_a_time = self.values.get(Key::MaxInFlightRequestsPerConnection) == 1;
        // With one request in flight the partition is muted (R6.12); retried batches of an
        // idempotent producer go one at a time in order, and an unresolved sequence waits (R6.18).
        let retried = first.attempts > 0 && first.stamp.is_some();
        if queue.in_flight > 0 && (one_at_a_time || retried || queue.unresolved) {
            return None;
        }
        let full = queue.batches.len() > 1
            || first.is_closed()
            || self.is_exhausted()
            || i64::from(first.bytes) >= self.values.get(Key::BatchSize);
        let linger = if full { Micros::ZERO } else { self.values.ms(Key::LingerMs) };
        // With exponential back-off it is skipped when the leader changed since (R6.7).
        let leader_changed = self.rules.retry_backoff == RetryBackoff::Exponential
            && first.sent_under >= 0
            && leader_epoch > first.sent_under;
        let not_before = if leader_changed { Micros::ZERO } else { first.not_before };
        Some((first.created + linger).max(not_before))
    }

    pub(super) fn send_batches(
        &mut self,
        leader: BrokerId,
        partitions: &[PartitionId],
        policy: &Policy,
        fx: &mut ClientEffects,
    ) {
        let acks = self.values.get(Key::Acks) as i32;
        let most = self.values.get(Key::MaxRequestSize);
        let mut size = 0;
        let mut batches: Vec<(PartitionId, PendingBatch)> = Vec::new();
        let mut wire: Vec<ProducerBatch> = Vec::new();
        let mut why = fx.cause();
        for partition in partitions {
            let epoch = self.bootstrap.leader(*partition).map_or(-1, |(_, epoch)| epoch);
            self.stamp_first(*partition);
            let queue = self.queue(*partition);
            let Some(first) = queue.batches.front() else { continue };
            size += i64::from(first.bytes);
            if size > most && !wire.is_empty() {
                // The rest goes with the next request (R6.8).
                break;
            }
            let Some(mut batch) = queue.batches.pop_front() else { continue };
            queue.in_flight += 1;
            if queue.batches.is_empty() {
                self.waiting.remove(partition);
            }
            let (records, attempt) = (batch.len() as u32, batch.attempts + 1);
            let event = EventKind::BatchSent { partition: *partition, records, attempt };
            why = fx.event_because(event, [batch.why, EventId::NONE]);
            batch.why = why;
            batch.sent_under = epoch;
            wire.push(batch.on_wire(*partition));
            fx.report(Report::Sent(batch.close()));
            batches.push((*partition, batch));
        }
        let timeout = self.values.ms(Key::ProducerRequestTimeoutMs);
        let body = Body::Produce(Box::new(ProduceRequest { acks, timeout, batches: wire }));
        let peer = (Lane::Data, leader);
        if acks == 0 {
            self.connections.post(peer, body, why, policy, fx);
            self.assume_written(batches, fx);
        } else {
            let correlation = self.connections.request(peer, body, why, policy, fx);
            self.requests.push(InFlight { correlation, broker: leader, batches });
        }
    }

    /// acks=0: written as soon as it has left (R6.10).
    pub(super) fn assume_written(
        &mut self,
        batches: Vec<(PartitionId, PendingBatch)>,
        fx: &mut ClientEffects,
    ) {
        for (partition, mut batch) in batches {
            self.queue(partition).in_flight -= 1;
            self.release(&batch);
            let records = batch.len() as u32;
            let event = EventKind::BatchAssumed { partition, records };
            fx.event_because(event, [batch.why, EventId::NONE]);
            fx.report(Report::Acked(batch.close(), -1));
        }
    }
}
