use super::bootstrap::{Bootstrap, ReconnectBackoff};
use super::partitioner::partition_for;
use super::producer_batch::{PendingBatch, Queue};
use super::{ClientEffects, ClientTimer};
use crate::log::ProducerStamp;
use crate::settings::rules::{OversizeBatch, RetryBackoff};
use crate::settings::{Key, Rules, Values};
use crate::wire::Report;
use crate::wire::event::EventKind;
use crate::wire::message::{Body, Message, ProduceRequest, Produced, ProducerBatch};
use crate::words::{
    BrokerId, BrokerList, ErrorCode, EventId, LeaderEpoch, Map, Micros, Node, PartitionId, RecordId,
};
use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::string::String;
use alloc::vec::Vec;

/// How long a send waits for metadata in releases without `max.block.ms`
/// (`metadata.fetch.timeout.ms`).
const METADATA_FETCH_TIMEOUT: Micros = Micros::from_secs(60);

/// A record that the application hands over.
#[derive(Clone, Debug)]
pub struct NewRecord {
    /// Its identity.
    pub id: RecordId,
    /// Its key.
    pub key: Option<String>,
    /// Its size, in bytes.
    pub bytes: u32,
    /// The partition that the application chose.
    pub partition: Option<u32>,
}

/// The Java producer: batches, retries and keeps order as its settings allow (R6.5–R6.18).
#[derive(Clone, Debug)]
pub struct Producer {
    topic: String,
    values: Values,
    rules: Rules,
    bootstrap: Bootstrap,
    next_correlation: u32,
    /// Records that wait for the first metadata (`max.block.ms`).
    blocked: VecDeque<(NewRecord, Micros, EventId)>,
    queues: Map<PartitionId, Queue>,
    /// The queues that hold batches.
    waiting: Map<PartitionId, ()>,
    requests: Vec<InFlight>,
    /// Connections to leaders: batches leave only on those that are open.
    connections: Map<BrokerId, Connection>,
    /// Id and epoch of an idempotent producer.
    identity: Option<(i64, i16)>,
    asked_identity: Option<(u32, Micros)>,
    /// The partition of records without key (KIP-794), and what it got so far.
    sticky: (u32, u32),
    poll_at: Micros,
    /// The last error that the application was told.
    pub last_error: ErrorCode,
}

/// A connection to a broker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Connection {
    /// Its first request is under way; given up at that time, after as many failures.
    Opening(u32, Micros, u32),
    /// Requests may be sent.
    Open,
    /// It broke; the next try is at that time, after as many failures.
    Broken(Micros, u32),
}

#[derive(Clone, Debug)]
struct InFlight {
    correlation: u32,
    broker: BrokerId,
    deadline: Micros,
    batches: Vec<(PartitionId, PendingBatch)>,
}

impl Producer {
    /// A producer for one topic, with its settings resolved.
    pub fn new(topic: String, values: Values, brokers: BrokerList, rules: Rules) -> Producer {
        Producer {
            topic,
            values,
            rules,
            bootstrap: Bootstrap::new(brokers),
            next_correlation: 0,
            blocked: VecDeque::new(),
            queues: Map::new(),
            waiting: Map::new(),
            requests: Vec::new(),
            connections: Map::new(),
            identity: None,
            asked_identity: None,
            sticky: (0, 0),
            poll_at: Micros::NEVER,
            last_error: ErrorCode::None,
        }
    }

    /// Its settings.
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// Changes its settings; what is under way goes on.
    pub fn set_values(&mut self, values: Values) {
        self.values = values;
    }

    /// Takes records over, in order.
    pub fn send(&mut self, records: Vec<NewRecord>, fx: &mut ClientEffects) {
        let patience = self.values.known_ms(Key::MaxBlockMs).unwrap_or(METADATA_FETCH_TIMEOUT);
        let deadline = fx.now + patience;
        self.blocked.extend(records.into_iter().map(|record| (record, deadline, fx.cause)));
        self.poll(fx);
    }

    /// Whether anything waits to be sent, answered or tried again.
    pub fn is_idle(&self) -> bool {
        self.blocked.is_empty() && self.requests.is_empty() && self.waiting.is_empty()
    }

    /// Whether a batch that waits or is under way can still be appended, where `accepts` says that
    /// a partition's leader would take a write.
    pub fn can_progress(&self, accepts: &dyn Fn(PartitionId) -> bool) -> bool {
        let waiting = self.waiting.keys().copied();
        let under_way = self.requests.iter().flat_map(|r| r.batches.iter().map(|(p, _)| *p));
        let blocked =
            !self.blocked.is_empty() && !self.bootstrap.partitions(&self.topic).is_empty();
        blocked || waiting.chain(under_way).any(accepts)
    }

    /// A response came.
    pub fn receive(&mut self, from: BrokerId, message: Message, fx: &mut ClientEffects) {
        let correlation = message.correlation;
        match message.body {
            Body::MetadataResponse(metadata) => {
                self.bootstrap.take(correlation, *metadata, &self.topic, fx);
            }
            Body::InitProducerIdResponse(id)
                if self.asked_identity.is_some_and(|(c, _)| c == correlation) =>
            {
                self.asked_identity = None;
                self.identity = Some((id, 0));
                fx.event(EventKind::ProducerIdAssigned { producer_id: id, epoch: 0 });
            }
            Body::ApiVersionsResponse(()) => {
                if let Some(connection) = self.connections.get_mut(&from)
                    && matches!(connection, Connection::Opening(n, ..) if *n == correlation)
                {
                    *connection = Connection::Open;
                }
            }
            Body::ProduceResponse(results) => self.answered(from, correlation, &results, fx),
            _ => {}
        }
        self.poll(fx);
    }

    fn answered(
        &mut self,
        from: BrokerId,
        correlation: u32,
        results: &[Produced],
        fx: &mut ClientEffects,
    ) {
        let at = self.requests.iter().position(|r| r.correlation == correlation);
        let Some(request) = at.map(|at| self.requests.remove(at)) else { return };
        debug_assert_eq!(request.broker, from);
        let arrival = fx.cause;
        for (partition, batch) in request.batches {
            fx.cause = arrival;
            let result = results.iter().find(|r| r.partition == partition);
            match result {
                Some(r) if r.error == ErrorCode::None => {
                    self.succeed(partition, batch, r.first, fx)
                }
                Some(r) => {
                    if let Some(leader) = r.leader {
                        self.bootstrap.learn(partition, leader);
                    }
                    match self.piece_size(&batch).filter(|_| r.error == ErrorCode::MessageTooLarge)
                    {
                        Some(limit) => self.split(partition, batch, limit, fx),
                        None => self.fail(partition, batch, r.error, fx),
                    }
                }
                None => self.fail(partition, batch, ErrorCode::Unknown, fx),
            }
        }
    }

    fn succeed(
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
        let records = batch.len() as u32;
        let causes = [fx.cause, batch.why];
        fx.event_because(EventKind::BatchAcked { partition, records, first }, causes);
        fx.report(Report::Acked(batch.close(), first));
    }

    /// How large the pieces of a batch are that is too large; none: it cannot be split (R6.8).
    fn piece_size(&self, batch: &PendingBatch) -> Option<u32> {
        match self.rules.oversize_batch {
            _ if batch.len() == 1 => None,
            OversizeBatch::Fails => None,
            OversizeBatch::Halves if batch.is_piece => Some(batch.half()),
            OversizeBatch::ToBatchSize | OversizeBatch::Halves => Some(self.batch_size()),
        }
    }

    /// A batch is too large for the topic: its records go again in pieces, which is no retry (R6.8).
    fn split(
        &mut self,
        partition: PartitionId,
        batch: PendingBatch,
        limit: u32,
        fx: &mut ClientEffects,
    ) {
        let (records, causes) = (batch.len() as u32, [fx.cause, batch.why]);
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
    fn fail(
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
            let (records, attempt) = (batch.len() as u32, batch.attempts);
            let causes = [fx.cause, batch.why];
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

    /// How long a batch may take in all; older releases know no such limit (R6.7).
    fn delivery_timeout(&self) -> Micros {
        self.values.known_ms(Key::DeliveryTimeoutMs).unwrap_or(Micros::NEVER)
    }

    /// How long a batch waits after that many attempts (R6.7).
    fn backoff(&self, attempts: u32) -> Micros {
        let first = self.values.ms(Key::ProducerRetryBackoffMs);
        match self.rules.retry_backoff {
            RetryBackoff::Fixed => first,
            RetryBackoff::Exponential => {
                let grown = first.0.saturating_mul(1 << (attempts - 1).min(20));
                Micros(grown).min(self.values.ms(Key::ProducerRetryBackoffMaxMs).max(first))
            }
        }
    }

    fn give_up(
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
        let records = batch.len() as u32;
        let causes = [fx.cause, batch.why];
        fx.event_because(EventKind::BatchFailed { partition, records, error }, causes);
        fx.report(Report::Failed(batch.close(), error));
    }

    fn queue(&mut self, partition: PartitionId) -> &mut Queue {
        self.queues.entry(partition).or_default()
    }

    /// The connection to a broker is gone.
    pub fn disconnected(&mut self, broker: BrokerId, fx: &mut ClientEffects) {
        self.bootstrap.lost(broker, fx.now);
        self.asked_identity = None;
        self.broke(broker, fx.now);
        let lost: Vec<InFlight> = self.requests.extract_if(.., |r| r.broker == broker).collect();
        if !lost.is_empty() {
            fx.cause = fx.event(EventKind::ConnectionLost { broker });
        }
        let arrival = fx.cause;
        for (partition, batch) in lost.into_iter().flat_map(|r| r.batches) {
            fx.cause = arrival;
            self.fail(partition, batch, ErrorCode::NetworkException, fx);
        }
        self.poll(fx);
    }

    /// Looks at everything that waits for a time.
    pub fn poll(&mut self, fx: &mut ClientEffects) {
        if self.poll_at <= fx.now {
            self.poll_at = Micros::NEVER;
        }
        let mut next = self.time_out_requests(fx);
        next = next.min(self.expire(fx));
        next = next.min(self.accept(fx));
        next = next.min(self.drain(fx));
        next = next.min(self.refresh(fx));
        if next < self.poll_at {
            self.poll_at = next;
            fx.timer(next.max(fx.now), ClientTimer::Poll);
        }
    }

    fn refresh(&mut self, fx: &mut ClientEffects) -> Micros {
        let timeout = self.values.ms(Key::ProducerRequestTimeoutMs);
        let backoff = self.values.ms(Key::ProducerRetryBackoffMs);
        let max_age = self.values.ms(Key::ProducerMetadataMaxAgeMs);
        let correlation = &mut self.next_correlation;
        let mut next = self.bootstrap.poll(max_age, backoff, timeout, correlation, fx);
        let wanted = self.values.is(Key::EnableIdempotence) && self.identity.is_none();
        if wanted
            && self.asked_identity.is_none_or(|(_, deadline)| deadline <= fx.now)
            && let Some(broker) = self.bootstrap.any_broker()
        {
            *correlation += 1;
            self.asked_identity = Some((*correlation, fx.now + timeout));
            fx.send(Node::Broker(broker), *correlation, Body::InitProducerId(()), fx.cause);
        }
        if let Some((_, deadline)) = self.asked_identity {
            next = next.min(deadline);
        }
        next
    }

    /// Records enter the accumulator once their partition can be chosen.
    fn accept(&mut self, fx: &mut ClientEffects) -> Micros {
        let cause = fx.cause;
        let count = self.bootstrap.partitions(&self.topic).len() as u32;
        while let Some((record, deadline, why)) = self.blocked.front() {
            if count > 0 {
                let (record, _, why) = self.blocked.pop_front().expect("just seen");
                fx.cause = why;
                self.accumulate(record, count, fx);
            } else if *deadline <= fx.now {
                let (id, why) = (record.id, *why);
                self.blocked.pop_front();
                fx.cause = why;
                let (partition, error) = (PartitionId(0), ErrorCode::Timeout);
                self.last_error = error;
                fx.event(EventKind::BatchFailed { partition, records: 1, error });
                fx.report(Report::Failed([id].into(), error));
            } else {
                fx.cause = cause;
                return *deadline;
            }
        }
        fx.cause = cause;
        Micros::NEVER
    }

    fn batch_size(&self) -> u32 {
        self.values.get(Key::BatchSize).clamp(0, i64::from(u32::MAX)) as u32
    }

    fn accumulate(&mut self, record: NewRecord, count: u32, fx: &mut ClientEffects) {
        let limit = self.batch_size();
        let number = match (&record.key, record.partition) {
            (_, Some(chosen)) => chosen.min(count - 1),
            (Some(key), None) => partition_for(key.as_bytes(), count),
            (None, None) => self.sticky_partition(record.bytes, count, limit),
        };
        let partition = self.bootstrap.partitions(&self.topic)[number as usize];
        let why = fx.event(EventKind::RecordQueued { record: record.id, partition });
        let queue = self.queue(partition);
        let added =
            queue.batches.back_mut().is_some_and(|b| b.try_add(record.id, record.bytes, limit));
        if !added {
            queue.batches.push_back(PendingBatch::new(record.id, record.bytes, fx.now, why));
            self.waiting.insert(partition, ());
        }
    }

    /// Records without key stay with one partition until it got a batch's worth (KIP-794).
    fn sticky_partition(&mut self, bytes: u32, count: u32, limit: u32) -> u32 {
        let (partition, got) = self.sticky;
        let partition = partition % count;
        let got = got.saturating_add(bytes);
        self.sticky = if got >= limit { ((partition + 1) % count, 0) } else { (partition, got) };
        partition
    }

    /// Requests without answer: the connection is dropped (R6.6).
    fn time_out_requests(&mut self, fx: &mut ClientEffects) -> Micros {
        let now = fx.now;
        while let Some(late) = self.requests.iter().find(|r| r.deadline <= now) {
            let broker = late.broker;
            self.bootstrap.lost(broker, now);
            self.broke(broker, now);
            let lost: Vec<InFlight> =
                self.requests.extract_if(.., |r| r.broker == broker).collect();
            let why = fx.event(EventKind::RequestTimedOut { broker });
            for request in lost {
                let error = if request.deadline <= now {
                    ErrorCode::RequestTimedOut
                } else {
                    ErrorCode::NetworkException
                };
                for (partition, batch) in request.batches {
                    fx.cause = why;
                    self.fail(partition, batch, error, fx);
                }
            }
        }
        self.requests.iter().map(|r| r.deadline).min().unwrap_or(Micros::NEVER)
    }

    /// Batches that took longer than `delivery.timeout.ms`, sent or not (R6.7). Older releases give
    /// up only what was never sent within `request.timeout.ms`.
    fn expire(&mut self, fx: &mut ClientEffects) -> Micros {
        let limit = self.delivery_timeout();
        let unsent = match self.values.known_ms(Key::DeliveryTimeoutMs) {
            Some(limit) => limit,
            None => self.values.ms(Key::ProducerRequestTimeoutMs),
        };
        let now = fx.now;
        let mut next = Micros::NEVER;
        let mut expired = Vec::new();
        for partition in self.waiting.keys() {
            let Some(queue) = self.queues.get_mut(partition) else { continue };
            let limit = |b: &PendingBatch| if b.attempts == 0 { unsent } else { limit };
            while queue.batches.front().is_some_and(|b| b.created + limit(b) <= now) {
                let batch = queue.batches.pop_front().expect("just seen");
                expired.push((*partition, batch));
            }
            let first = queue.batches.front().map(|b| b.created + limit(b));
            next = next.min(first.unwrap_or(Micros::NEVER));
        }
        for request in &mut self.requests {
            while let Some(at) = request.batches.iter().position(|(_, b)| b.created + limit <= now)
            {
                let (partition, batch) = request.batches.remove(at);
                let queue = self.queues.entry(partition).or_default();
                queue.in_flight -= 1;
                expired.push((partition, batch));
            }
            let first = request.batches.iter().map(|(_, b)| b.created + limit).min();
            next = next.min(first.unwrap_or(Micros::NEVER));
        }
        let queues = &self.queues;
        self.waiting.retain(|p, ()| queues.get(p).is_some_and(|q| !q.batches.is_empty()));
        let cause = fx.cause;
        for (partition, batch) in expired {
            fx.cause = batch.why;
            self.give_up(partition, batch, ErrorCode::Timeout, fx);
        }
        fx.cause = cause;
        next
    }

    /// A connection is gone; the next try waits, longer each time (`reconnect.backoff.ms`).
    fn broke(&mut self, broker: BrokerId, now: Micros) {
        let first = self.values.ms(Key::ProducerReconnectBackoffMs);
        let max = self.values.known_ms(Key::ProducerReconnectBackoffMaxMs).unwrap_or(first);
        let backoff = ReconnectBackoff { first, max };
        if let Some(connection) = self.connections.get_mut(&broker) {
            let failures = match connection {
                Connection::Broken(_, failures) | Connection::Opening(_, _, failures) => *failures,
                Connection::Open => 0,
            } + 1;
            let wait = backoff.after(failures);
            *connection = Connection::Broken(now + wait, failures);
        }
    }

    /// Whether requests may be sent to a broker; opens the connection if not. An error is when to
    /// look again.
    fn connected(&mut self, broker: BrokerId, fx: &mut ClientEffects) -> Result<(), Micros> {
        let timeout = self.values.ms(Key::ProducerRequestTimeoutMs);
        let known = self.connections.get(&broker);
        let failures = match known {
            Some(Connection::Broken(_, failures)) => *failures,
            _ => 0,
        };
        match known {
            Some(Connection::Open) => return Ok(()),
            Some(Connection::Opening(_, until, _)) if *until > fx.now => return Err(*until),
            Some(Connection::Broken(until, _)) if *until > fx.now => return Err(*until),
            _ => {}
        }
        self.next_correlation += 1;
        let (correlation, until) = (self.next_correlation, fx.now + timeout);
        self.connections.insert(broker, Connection::Opening(correlation, until, failures));
        fx.send(Node::Broker(broker), correlation, Body::ApiVersions(()), fx.cause);
        Err(until)
    }

    /// Sends what is ready: a request for each leader with a batch for each partition (R6.5).
    fn drain(&mut self, fx: &mut ClientEffects) -> Micros {
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
                let under_way = self.requests.iter().filter(|r| r.broker == leader).count();
                if (under_way as i64) >= most {
                    continue;
                }
                match self.connected(leader, fx) {
                    Ok(()) => {
                        self.send_batches(leader, &partitions, fx);
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

    /// A number's fate is unknown and the epoch cannot be raised: another id is asked for, and every
    /// partition begins at 0 (R6.18).
    fn forget_identity(&mut self) {
        self.identity = None;
        for queue in self.queues.values_mut() {
            queue.batches.iter_mut().for_each(|b| b.stamp = None);
            let batches = core::mem::take(&mut queue.batches);
            *queue = Queue { batches, ..Queue::default() };
        }
    }

    /// Partitions with a batch to send now, by leader, and when the next one will have one.
    fn ready(&mut self, now: Micros) -> (Map<BrokerId, Vec<PartitionId>>, Micros) {
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
    fn ready_at(&self, queue: &Queue, leader_epoch: LeaderEpoch) -> Option<Micros> {
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
            || i64::from(first.bytes) >= self.values.get(Key::BatchSize);
        let linger = if full { Micros::ZERO } else { self.values.ms(Key::LingerMs) };
        // With exponential back-off it is skipped when the leader changed since (R6.7).
        let leader_changed = self.rules.retry_backoff == RetryBackoff::Exponential
            && first.sent_under >= 0
            && leader_epoch > first.sent_under;
        let not_before = if leader_changed { Micros::ZERO } else { first.not_before };
        Some((first.created + linger).max(not_before))
    }

    fn send_batches(
        &mut self,
        leader: BrokerId,
        partitions: &[PartitionId],
        fx: &mut ClientEffects,
    ) {
        let acks = self.values.get(Key::Acks) as i32;
        let mut batches: Vec<(PartitionId, PendingBatch)> = Vec::new();
        let mut wire: Vec<ProducerBatch> = Vec::new();
        let mut why = fx.cause;
        for partition in partitions {
            let epoch = self.bootstrap.leader(*partition).map_or(-1, |(_, epoch)| epoch);
            self.stamp_first(*partition);
            let queue = self.queue(*partition);
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
        self.next_correlation += 1;
        let correlation = self.next_correlation;
        let timeout = self.values.ms(Key::ProducerRequestTimeoutMs);
        let request = ProduceRequest { acks, timeout, batches: wire };
        fx.send(Node::Broker(leader), correlation, Body::Produce(Box::new(request)), why);
        if acks == 0 {
            self.assume_written(batches, fx);
        } else {
            let deadline = fx.now + timeout;
            self.requests.push(InFlight { correlation, broker: leader, deadline, batches });
        }
    }

    /// acks=0: written as soon as it has left (R6.10).
    fn assume_written(
        &mut self,
        batches: Vec<(PartitionId, PendingBatch)>,
        fx: &mut ClientEffects,
    ) {
        for (partition, mut batch) in batches {
            self.queue(partition).in_flight -= 1;
            let records = batch.len() as u32;
            let event = EventKind::BatchAssumed { partition, records };
            fx.event_because(event, [batch.why, EventId::NONE]);
            fx.report(Report::Acked(batch.close(), -1));
        }
    }

    /// Gives the first batch its sequence number, raising the epoch first if a number's fate is
    /// unknown (R6.15, R6.18).
    fn stamp_first(&mut self, partition: PartitionId) {
        if !self.values.is(Key::EnableIdempotence) {
            return;
        }
        let Some((id, mut epoch)) = self.identity else { return };
        let queue = self.queues.entry(partition).or_default();
        if queue.unresolved && queue.in_flight == 0 {
            epoch += 1;
            self.identity = Some((id, epoch));
            queue.unresolved = false;
            queue.next_sequence = 0;
            queue.last_acked = -1;
            queue.batches.iter_mut().for_each(|b| b.stamp = None);
        }
        let Some(first) = queue.batches.front_mut() else { return };
        if first.stamp.is_none() {
            let stamp = ProducerStamp { id, epoch, first_sequence: queue.next_sequence };
            queue.next_sequence = stamp.last_sequence(first.len() + 1);
            first.stamp = Some(stamp);
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
