//! Clients' writes, and the wait for acks (R2.6–R2.13).

use super::groups::commit_error;
use super::node::{BrokerEffects, BrokerTimer};
use super::running::{Running, because};
use crate::log::{AppendError, Batch, BatchKind, SequenceCheck};
use crate::partition::acks;
use crate::wire::Report;
use crate::wire::event::EventKind;
use crate::wire::message::{Body, ProduceRequest, Produced, ProducerBatch, connection_of};
use crate::words::{ErrorCode, EventId, Micros, Node, Offset, PartitionId};
use alloc::vec::Vec;

/// A produce request in the purgatory (R2.10).
#[derive(Clone, Debug)]
pub(super) struct ParkedProduce {
    client: Node,
    correlation: u32,
    acks: i32,
    /// It is a group's commit, and answered as such (R7.3).
    commits: bool,
    parts: Vec<ParkedPart>,
}

#[derive(Clone, Copy, Debug)]
struct ParkedPart {
    result: Produced,
    /// The HW that it needs; none: it is decided.
    required: Option<Offset>,
    why: EventId,
}

impl ParkedProduce {
    fn is_done(&self) -> bool {
        self.parts.iter().all(|p| p.required.is_none())
    }
}

impl Running<'_> {
    pub(super) fn handle_produce(
        &mut self,
        from: Node,
        correlation: u32,
        r: ProduceRequest,
        fx: &mut BrokerEffects,
    ) {
        let mut parts: Vec<ParkedPart> = Vec::new();
        for batch in &r.batches {
            let part = fx.caused_by(fx.cause(), |fx| self.write(batch, r.acks, fx));
            if r.acks == 0 && part.result.error != ErrorCode::None {
                fx.report(Report::Vanished(batch.records.clone()));
            }
            parts.push(part);
        }
        if r.acks == 0 {
            self.settle_unanswered(from, correlation, &parts, fx);
            return;
        }
        let deadline = fx.now + r.timeout;
        let commits = r.batches.iter().any(|b| matches!(b.kind, BatchKind::Offsets(_)));
        let parked = ParkedProduce { client: from, correlation, acks: r.acks, commits, parts };
        if acks::waits(r.acks) && !parked.is_done() {
            self.park(parked, deadline, fx);
        } else {
            self.answer(&parked, fx);
        }
    }

    /// Appends one batch, or says why not (R2.6–R2.8).
    fn write(&mut self, batch: &ProducerBatch, acks: i32, fx: &mut BrokerEffects) -> ParkedPart {
        let partition = batch.partition;
        match self.append(batch, acks, fx) {
            Ok((first, last)) => ParkedPart {
                result: Produced { partition, error: ErrorCode::None, first, leader: None },
                required: acks::waits(acks).then_some(last + 1),
                why: fx.last_event(),
            },
            Err(error) => {
                let why = self.refuse(partition, error, fx);
                let leader = self.named_leader(partition);
                let result = Produced { partition, error, first: -1, leader };
                ParkedPart { result, required: None, why }
            }
        }
    }

    fn append(
        &mut self,
        batch: &ProducerBatch,
        acks: i32,
        fx: &mut BrokerEffects,
    ) -> Result<(Offset, Offset), ErrorCode> {
        if !acks::is_valid(self.rules.acks, acks) {
            return Err(ErrorCode::InvalidRequiredAcks);
        }
        let partition = batch.partition;
        let absent = self.no_replica(partition);
        let replica = self.replicas.get_mut(&partition).ok_or(absent)?;
        let limits = replica.settings.segments;
        let leading = replica.leading().ok_or(ErrorCode::NotLeaderOrFollower)?;
        acks::before_append(acks, leading.isr.len(), leading.min_isr)?;
        let unit = replica.log.unit_bytes(batch.bytes, batch.records.len());
        if i64::from(unit) > replica.settings.max_message_bytes {
            return Err(ErrorCode::MessageTooLarge);
        }
        let epoch = leading.epoch;
        if let Some(stamp) = &batch.producer {
            match replica.log.producers().check(replica.log.rules(), stamp, batch.records.len()) {
                SequenceCheck::Next => {}
                SequenceCheck::Duplicate { first, last } => {
                    fx.event(EventKind::ProduceDuplicate { partition, first });
                    return Ok((first, last));
                }
                SequenceCheck::Refused(error) => return Err(error),
            }
        }
        let batch = Batch {
            base: 0,
            epoch,
            bytes: batch.bytes,
            producer: batch.producer,
            kind: batch.kind.clone(),
            records: batch.records.clone(),
            appended: fx.now,
        };
        let appended = replica.log.append_as_leader(batch, epoch, limits, fx.now);
        let appended = appended.map_err(|error| match error {
            AppendError::Refused(error) => error,
            AppendError::NotContiguous | AppendError::OutOfOrder => ErrorCode::Unknown,
        })?;
        let (first, last) = (appended.first, appended.last);
        replica.end_why = fx.chain(EventKind::Appended { partition, first, last, epoch });
        self.after_append(partition, appended.rolled, fx);
        self.maybe_increment_leader_hw(partition, fx);
        self.wake_followers(partition, fx);
        Ok((first, last))
    }

    fn refuse(&self, partition: PartitionId, error: ErrorCode, fx: &mut BrokerEffects) -> EventId {
        let leading = self.replicas.get(&partition).and_then(|r| r.leading());
        let isr = leading.map(|l| l.isr.into()).unwrap_or_default();
        let min_isr = leading.map_or(0, |l| l.min_isr as u32);
        let known = self.process.image.partition(partition);
        let state_why = leading.map(|l| l.isr_why).or_else(|| known.map(|s| s.why));
        let causes = because(state_why.unwrap_or_default(), fx.cause());
        fx.event_because(EventKind::ProduceRefused { partition, error, isr, min_isr }, causes)
    }

    fn named_leader(&self, partition: PartitionId) -> Option<(crate::words::BrokerId, i32)> {
        if !self.rules.leader_hint {
            return None;
        }
        let state = self.process.image.partition(partition)?;
        state.leader.map(|l| (l, state.leader_epoch))
    }

    /// acks=0: no answer, but a failed append closes the connection (R2.9).
    fn settle_unanswered(
        &mut self,
        from: Node,
        correlation: u32,
        parts: &[ParkedPart],
        fx: &mut BrokerEffects,
    ) {
        let failed = parts.iter().find(|p| p.result.error != ErrorCode::None);
        if let (Some(failed), Node::Client(client)) = (failed, from) {
            fx.event_because(EventKind::ConnectionClosed { client }, [failed.why, fx.cause()]);
            fx.closes.push((from, connection_of(correlation)));
        }
    }

    fn park(&mut self, parked: ParkedProduce, deadline: Micros, fx: &mut BrokerEffects) {
        let process = &mut *self.process;
        process.next_parked += 1;
        let id = process.next_parked;
        for part in &parked.parts {
            let partition = part.result.partition;
            let Some(required) = part.required else { continue };
            fx.event_because(
                EventKind::ProduceWaits { partition, required },
                [part.why, EventId::NONE],
            );
            let leading = self.replicas.get_mut(&partition).and_then(|r| r.leading_mut());
            if let Some(leading) = leading {
                leading.waiting_produces.push((id, required));
            }
        }
        if let Node::Client(client) = parked.client {
            process.busy.entry((client, connection_of(parked.correlation))).or_default();
        }
        let partitions: Vec<PartitionId> =
            parked.parts.iter().map(|p| p.result.partition).collect();
        process.parked_produces.park(id, deadline, parked);
        fx.wake_by(deadline, BrokerTimer::Parked);
        // The HW may have passed it already: by the append itself, or for a recognized repeat.
        for partition in partitions {
            self.answer_waiting(partition, fx);
        }
    }

    /// Decides the waiting requests of a partition whose HW or ISR changed (R2.10).
    pub(super) fn answer_waiting(&mut self, partition: PartitionId, fx: &mut BrokerEffects) {
        let Some(replica) = self.replicas.get_mut(&partition) else { return };
        let (hw, hw_why) = (replica.hw, replica.hw_why);
        let Some(leading) = replica.leading_mut() else { return };
        if self.process.ended {
            return;
        }
        let process = &*self.process;
        let (isr_size, min_isr) = (leading.maximal_isr().len(), leading.min_isr);
        let mut waiting = core::mem::take(&mut leading.waiting_produces);
        let mut done: Vec<(u32, ErrorCode)> = Vec::new();
        waiting.retain(|(id, required)| {
            let Some(parked) = process.parked_produces.get(*id) else { return false };
            let (required, reached) = (*required, leading.reached(*required));
            let at = acks::Standing { hw, required, isr_size, min_isr, reached };
            let decided = acks::after_append(parked.acks, at);
            done.extend(decided.map(|error| (*id, error)));
            decided.is_none()
        });
        leading.waiting_produces = waiting;
        for (id, error) in done {
            self.decide(id, partition, error, hw_why, fx);
        }
    }

    /// Every waiting request of a partition gets this answer (R2.13).
    pub(super) fn fail_waiting(
        &mut self,
        partition: PartitionId,
        waiting: &[(u32, Offset)],
        error: ErrorCode,
        fx: &mut BrokerEffects,
    ) {
        for (id, _) in waiting {
            self.decide(*id, partition, error, fx.cause(), fx);
        }
    }

    fn decide(
        &mut self,
        id: u32,
        partition: PartitionId,
        error: ErrorCode,
        why: EventId,
        fx: &mut BrokerEffects,
    ) {
        let moved = error == ErrorCode::NotLeaderOrFollower;
        let leader = moved.then(|| self.named_leader(partition)).flatten();
        let Some(parked) = self.process.parked_produces.get_mut(id) else { return };
        for part in parked.parts.iter_mut().filter(|p| p.result.partition == partition) {
            part.required = None;
            part.result.error = error;
            part.result.leader = leader;
            part.why = why;
        }
        if parked.is_done() {
            let Some((_, parked)) = self.process.parked_produces.leave(id) else { return };
            self.answer(&parked, fx);
            self.resume_client(&parked, fx);
        }
    }

    fn answer(&mut self, parked: &ParkedProduce, fx: &mut BrokerEffects) {
        let mut why = fx.cause();
        for part in &parked.parts {
            let Produced { partition, error, first, .. } = part.result;
            let causes = because(part.why, fx.cause());
            why = match error {
                ErrorCode::None => fx.event_because(
                    EventKind::ProduceAnswered { partition, first, acks: parked.acks },
                    causes,
                ),
                // Refused before the append: the story has said so.
                _ if first < 0 => part.why,
                ErrorCode::RequestTimedOut => part.why,
                _ => fx.event_because(EventKind::ProduceFailed { partition, error }, causes),
            };
        }
        if parked.commits {
            let error = parked.parts.first().map_or(ErrorCode::None, |p| p.result.error);
            let body = Body::OffsetCommitResponse(commit_error(error));
            fx.send(parked.client, parked.correlation, body, why);
            return;
        }
        let results = parked.parts.iter().map(|p| p.result).collect();
        fx.send(parked.client, parked.correlation, Body::ProduceResponse(results), why);
    }

    /// Works on what came over a client's connection while its request was parked.
    fn resume_client(&mut self, parked: &ParkedProduce, fx: &mut BrokerEffects) {
        let Node::Client(id) = parked.client else { return };
        let connection = (id, connection_of(parked.correlation));
        let mut queue = self.process.busy.remove(&connection).unwrap_or_default();
        while let Some(message) = queue.pop_front() {
            fx.caused_by(message.why, |fx| self.receive(parked.client, message, fx));
            if let Some(busy) = self.process.busy.get_mut(&connection) {
                busy.extend(queue);
                return;
            }
        }
    }

    /// Answers parked requests whose time is over (R2.11, R2.28).
    pub(super) fn expire_parked(&mut self, fx: &mut BrokerEffects) {
        let now = fx.now;
        let process = &mut *self.process;
        for id in process.parked_produces.late(now) {
            self.time_out_produce(id, fx);
        }
        for id in self.process.parked_fetches.late(now) {
            self.retry_fetch(id, true, fx);
        }
        let process = &mut *self.process;
        let produces = process.parked_produces.next_deadline();
        let fetches = process.parked_fetches.next_deadline();
        if let Some(next) = produces.into_iter().chain(fetches).min() {
            fx.wake_by(next, BrokerTimer::Parked);
        }
    }

    fn time_out_produce(&mut self, id: u32, fx: &mut BrokerEffects) {
        let Some((_, mut parked)) = self.process.parked_produces.leave(id) else { return };
        for part in parked.parts.iter_mut() {
            let Some(required) = part.required.take() else { continue };
            self.process.meters.expired_produces += 1;
            let partition = part.result.partition;
            part.result.error = ErrorCode::RequestTimedOut;
            let limit = self.replicas.get(&partition).and_then(|r| r.leading());
            let causes = because(limit.map_or(part.why, |l| l.hw_limit()), part.why);
            part.why = fx.event_because(EventKind::ProduceTimedOut { partition, required }, causes);
            let leading = self.replicas.get_mut(&partition).and_then(|r| r.leading_mut());
            if let Some(leading) = leading {
                leading.waiting_produces.retain(|(waiting, _)| *waiting != id);
            }
        }
        self.answer(&parked, fx);
        self.resume_client(&parked, fx);
    }
}
