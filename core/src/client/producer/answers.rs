//! What comes of a batch that was sent: written, sent again, cut in pieces or given up (R6.7, R6.8).

use super::batch::PendingBatch;
use super::{InFlight, Producer};
use crate::client::ClientEffects;
use crate::client::connections::Ended;
use crate::settings::Key;
use crate::settings::rules::{OversizeBatch, RequestTimeout};
use crate::wire::Report;
use crate::wire::event::EventKind;
use crate::wire::message::Produced;
use crate::words::{BrokerId, ErrorCode, Micros, PartitionId};
use alloc::vec::Vec;

impl Producer {
    pub(super) fn answered(
        &mut self,
        from: BrokerId,
        correlation: u32,
        results: &[Produced],
        fx: &mut ClientEffects,
    ) {
        let at = self.requests.iter().position(|r| r.correlation == correlation);
        let Some(request) = at.map(|at| self.requests.remove(at)) else { return };
        debug_assert_eq!(request.broker, from);
        for (partition, batch) in request.batches {
            let result = results.iter().find(|r| r.partition == partition);
            fx.caused_by(fx.cause(), |fx| self.complete(partition, batch, result, fx));
        }
    }

    /// What becomes of a batch that was answered (`Sender.completeBatch`).
    fn complete(
        &mut self,
        partition: PartitionId,
        batch: PendingBatch,
        result: Option<&Produced>,
        fx: &mut ClientEffects,
    ) {
        let Some(result) = result else {
            return self.fail(partition, batch, ErrorCode::Unknown, fx);
        };
        if result.error == ErrorCode::None {
            return self.succeed(partition, batch, result.first, fx);
        }
        if let Some(leader) = result.leader {
            self.bootstrap.learn(partition, leader);
        }
        match self.piece_size(&batch).filter(|_| result.error == ErrorCode::MessageTooLarge) {
            Some(limit) => self.split(partition, batch, limit, fx),
            None => self.fail(partition, batch, result.error, fx),
        }
    }

    pub(super) fn succeed(
        &mut self,
        partition: PartitionId,
        mut batch: PendingBatch,
        first: i64,
        fx: &mut ClientEffects,
    ) {
        let queue = self.queue(partition);
        queue.in_flight -= 1;
        if let Some(stamp) = &batch.stamp {
            queue.last_acked = stamp.last_sequence(batch.len());
        }
        self.release(&batch);
        let records = batch.len() as u32;
        let causes = [fx.cause(), batch.why];
        fx.event_because(EventKind::BatchAcked { partition, records, first }, causes);
        fx.report(Report::Acked(batch.close(), first));
    }

    /// How large the pieces of a batch are that is too large; none: it cannot be split (R6.8).
    pub(super) fn piece_size(&self, batch: &PendingBatch) -> Option<u32> {
        match self.rules.oversize_batch {
            _ if batch.len() == 1 => None,
            OversizeBatch::Fails => None,
            OversizeBatch::Halves if batch.is_piece => Some(batch.half()),
            OversizeBatch::ToBatchSize | OversizeBatch::Halves => Some(self.batch_size()),
        }
    }

    /// A batch is too large for the topic: its records go again in pieces, which is no retry (R6.8).
    pub(super) fn split(
        &mut self,
        partition: PartitionId,
        batch: PendingBatch,
        limit: u32,
        fx: &mut ClientEffects,
    ) {
        let (records, causes) = (batch.len() as u32, [fx.cause(), batch.why]);
        self.release(&batch);
        let mut pieces = batch.split(limit);
        let event = EventKind::BatchSplit { partition, records, pieces: pieces.len() as u32 };
        let why = fx.event_because(event, causes);
        self.last_error = ErrorCode::MessageTooLarge;
        let queue = self.queue(partition);
        queue.in_flight -= 1;
        while let Some(mut piece) = pieces.pop() {
            piece.why = why;
            queue.put_back(piece);
        }
        self.waiting.insert(partition, ());
    }

    /// A batch came back with an error: sent again, or given up (R6.7, R6.8).
    pub(super) fn fail(
        &mut self,
        partition: PartitionId,
        mut batch: PendingBatch,
        error: ErrorCode,
        fx: &mut ClientEffects,
    ) {
        let queue = self.queue(partition);
        queue.in_flight -= 1;
        // What came before is gone: a new epoch begins at 0, or in old releases a new id (R6.18).
        let gap = error == ErrorCode::OutOfOrderSequenceNumber && queue.is_next_expected(&batch);
        queue.unresolved |= gap;
        if invalidates_metadata(error) {
            self.bootstrap.want();
        }
        let retries = self.values.get(Key::Retries);
        let expired = fx.now >= batch.created + self.delivery_timeout();
        let is_final = gap && !self.rules.producer_bumps_epoch;
        let retriable = error.retriable() && !is_final;
        if retriable && i64::from(batch.attempts) < retries && !expired {
            batch.attempts += 1;
            batch.not_before = fx.now + self.backoff(batch.attempts);
            batch.appended = fx.now;
            let (records, attempt) = (batch.len() as u32, batch.attempts);
            let causes = [fx.cause(), batch.why];
            let event = EventKind::BatchRetried { partition, records, error, attempt };
            batch.why = fx.event_because(event, causes);
            batch.close();
            self.last_error = error;
            self.queue(partition).put_back(batch);
            self.waiting.insert(partition, ());
        } else {
            self.give_up(partition, batch, error, fx);
        }
    }

    /// How long a batch waits after that many attempts (R6.7).
    fn backoff(&self, attempts: u32) -> Micros {
        self.retry_backoff().after(attempts)
    }

    pub(super) fn give_up(
        &mut self,
        partition: PartitionId,
        mut batch: PendingBatch,
        error: ErrorCode,
        fx: &mut ClientEffects,
    ) {
        if batch.stamp.is_some() {
            self.queue(partition).unresolved = true;
        }
        self.last_error = error;
        self.release(&batch);
        let records = batch.len() as u32;
        let causes = [fx.cause(), batch.why];
        fx.event_because(EventKind::BatchFailed { partition, records, error }, causes);
        fx.report(Report::Failed(batch.close(), error));
    }

    /// A connection to a broker is gone, or all of them.
    pub fn disconnected(
        &mut self,
        broker: BrokerId,
        connection: Option<u32>,
        fx: &mut ClientEffects,
    ) {
        let policy = self.policy();
        while let Some(ended) = self.connections.broke(broker, connection, &policy, fx.now) {
            self.ended(&ended, fx);
        }
        self.poll(fx);
    }

    /// What was under way on a connection ended with it (R6.6).
    pub(super) fn ended(&mut self, ended: &Ended, fx: &mut ClientEffects) {
        let broker = ended.broker;
        self.bootstrap.lost(ended, &self.refresh_policy(), fx.now);
        if self.asked_identity.take_if(|c| ended.had(*c)).is_some() {
            self.identity_not_before = fx.now + self.values.ms(Key::ProducerRetryBackoffMs);
        }
        let lost: Vec<InFlight> =
            self.requests.extract_if(.., |r| ended.had(r.correlation)).collect();
        let why = if ended.timed_out && ended.was_opening {
            fx.event(EventKind::ConnectionNotMade { broker })
        } else if ended.timed_out {
            fx.event(EventKind::RequestTimedOut { broker })
        } else if !lost.is_empty() {
            fx.event(EventKind::ConnectionLost { broker })
        } else {
            fx.cause()
        };
        let error = match self.rules.request_timeout {
            RequestTimeout::TimesOut if ended.timed_out => ErrorCode::RequestTimedOut,
            _ => ErrorCode::NetworkException,
        };
        for (partition, batch) in lost.into_iter().flat_map(|r| r.batches) {
            fx.caused_by(why, |fx| self.fail(partition, batch, error, fx));
        }
    }
}

/// Errors that say that metadata is wrong (R6.9).
fn invalidates_metadata(error: ErrorCode) -> bool {
    matches!(
        error,
        ErrorCode::NotLeaderOrFollower
            | ErrorCode::LeaderNotAvailable
            | ErrorCode::UnknownTopicOrPartition
            | ErrorCode::NetworkException
            | ErrorCode::KafkaStorageError
            | ErrorCode::FencedLeaderEpoch
    )
}
