//! What brokers answer: records, ends of logs, ends of epochs (R7.5, R7.7, R7.8).

use super::work::Waiting;
use super::{Consumer, Position, RESET, State};
use crate::client::ClientEffects;
use crate::partition::epochs::EpochEnd;
use crate::settings::Key;
use crate::wire::event::EventKind;
use crate::wire::message::{EpochAnswer, Fetched, ListedOffset, LogEnd};
use crate::words::{BrokerId, ErrorCode, PartitionId};

impl Consumer {
    /// The position that a request was about, if it is still awaited.
    pub(super) fn awaited(
        &mut self,
        correlation: u32,
        partition: PartitionId,
    ) -> Option<&mut Position> {
        let position = self.positions.get_mut(&partition)?;
        if position.state != State::Asked(correlation) {
            return None;
        }
        position.state = State::Free;
        Some(position)
    }

    pub(super) fn take_part(&mut self, correlation: u32, part: Fetched, fx: &mut ClientEffects) {
        let partition = part.partition;
        let backoff = self.values.ms(Key::ConsumerRetryBackoffMs);
        let max_age = self.values.ms(Key::ConsumerMetadataMaxAgeMs);
        if part.error == ErrorCode::None && !part.batches.is_empty() && part.preferred.is_none() {
            // Its position moves when the application asks for it.
            self.fetched.push_back(Waiting { correlation, part, why: fx.cause() });
            return;
        }
        let Some(position) = self.awaited(correlation, partition) else { return };
        if position.offset != Some(part.offset) {
            return;
        }
        match part.error {
            ErrorCode::None if part.preferred.is_some() => {
                position.preferred = part.preferred.map(|b| (b, fx.now + max_age));
                let replica = part.preferred.unwrap_or(BrokerId(0));
                fx.event(EventKind::ReadsFromFollower { partition, replica });
            }
            // The follower is behind or gone: the leader is asked (R7.8).
            error if error != ErrorCode::None && position.preferred.take().is_some() => {}
            ErrorCode::None => {}
            ErrorCode::OffsetOutOfRange => self.out_of_range(partition, fx),
            _ => {
                position.not_before = fx.now + backoff;
                self.bootstrap.want();
            }
        }
    }

    pub(super) fn reset_policy(&self) -> (&'static str, Option<LogEnd>) {
        let choice = usize::try_from(self.values.get(Key::AutoOffsetReset)).unwrap_or(0);
        RESET.get(choice).copied().unwrap_or(RESET[0])
    }

    /// The position is beyond the log: reset it, or tell the application (R7.5).
    pub(super) fn out_of_range(&mut self, partition: PartitionId, fx: &mut ClientEffects) {
        let error = ErrorCode::OffsetOutOfRange;
        match self.reset_policy() {
            (_, Some(_)) => {
                fx.event(EventKind::ConsumerFailed { partition, error });
                self.last_error = error;
                if let Some(position) = self.positions.get_mut(&partition) {
                    position.offset = None;
                }
            }
            (_, None) => self.stop_at(partition, error, fx),
        }
    }

    pub(super) fn stop_at(
        &mut self,
        partition: PartitionId,
        error: ErrorCode,
        fx: &mut ClientEffects,
    ) {
        self.last_error = error;
        fx.event(EventKind::ConsumerFailed { partition, error });
        if let Some(position) = self.positions.get_mut(&partition) {
            position.state = State::Failed;
        }
    }

    pub(super) fn take_listed(
        &mut self,
        correlation: u32,
        listed: ListedOffset,
        fx: &mut ClientEffects,
    ) {
        let partition = listed.partition;
        let backoff = self.values.ms(Key::ConsumerRetryBackoffMs);
        let (policy, _) = self.reset_policy();
        let Some(position) = self.awaited(correlation, partition) else { return };
        if listed.error != ErrorCode::None {
            position.not_before = fx.now + backoff;
            self.bootstrap.want();
            return;
        }
        (position.offset, position.epoch) = (Some(listed.offset), -1);
        let (from, to) = (-1, listed.offset);
        fx.event(EventKind::PositionReset { partition, from, to, policy });
    }

    /// The new leader said where the position's epoch ends (R7.7).
    pub(super) fn validated(
        &mut self,
        correlation: u32,
        answer: EpochAnswer,
        fx: &mut ClientEffects,
    ) {
        let partition = answer.partition;
        let backoff = self.values.ms(Key::ConsumerRetryBackoffMs);
        let leader_epoch = self.bootstrap.leader(partition).map_or(-1, |(_, epoch)| epoch);
        let (policy, reset) = self.reset_policy();
        let Some(position) = self.awaited(correlation, partition) else { return };
        if answer.error != ErrorCode::None {
            position.not_before = fx.now + backoff;
            self.bootstrap.want();
            return;
        }
        position.validated = leader_epoch;
        let at = position.offset.unwrap_or(0);
        match answer.end {
            Some(end) if end.end >= at => {}
            Some(EpochEnd { end, epoch }) => {
                let event = EventKind::TruncationDetected { partition, position: at, end };
                fx.chain(event);
                if reset.is_none() {
                    self.stop_at(partition, ErrorCode::LogTruncation, fx);
                } else {
                    position.offset = Some(end);
                    position.epoch = epoch;
                    fx.event(EventKind::PositionReset { partition, from: at, to: end, policy });
                }
            }
            None if reset.is_none() => self.stop_at(partition, ErrorCode::LogTruncation, fx),
            None => position.offset = None,
        }
    }
}
