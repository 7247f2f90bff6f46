use super::bootstrap::Bootstrap;
use super::{ClientEffects, ClientTimer, NewRecord};
use crate::log::BatchKind;
use crate::settings::{Key, Values};
use crate::wire::Report;
use crate::wire::event::EventKind;
use crate::wire::message::{Body, Message, ProduceRequest, Produced, ProducerBatch};
use crate::words::{
    BrokerId, BrokerList, ErrorCode, EventId, Map, Micros, Node, PartitionId, RecordId, java_hash,
};
use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

/// Bytes that a message set's message has beside key and value.
const MESSAGE_OVERHEAD: u32 = 26;
/// How long a request without answer is waited for beyond what the broker may take.
const GRACE: Micros = Micros::from_ms(500);

/// A message on its way through the producer.
#[derive(Clone, Debug)]
struct Queued {
    record: NewRecord,
    why: EventId,
}

/// A message that waits in the queue.
#[derive(Clone, Debug)]
struct Waiting {
    queued: Queued,
    since: Micros,
    /// Which call of the application's it came with.
    call: u32,
}

/// Messages that are sent together, until all are written or given up (R6.3).
#[derive(Clone, Debug)]
struct Dispatch {
    /// What has not been sent in this round.
    unsent: Vec<Queued>,
    /// What failed in this round.
    failed: Vec<Queued>,
    retries_left: i64,
    error: ErrorCode,
    not_before: Micros,
    /// The round waits for fresh metadata, until then.
    refreshes: Option<Micros>,
    /// Brokers that could not be asked for it.
    silent: BrokerList,
}

/// A request under way: one at a time.
#[derive(Clone, Debug)]
struct InFlight {
    correlation: u32,
    broker: BrokerId,
    deadline: Micros,
    parts: Vec<(PartitionId, Vec<Queued>)>,
}

/// The old Scala producer (R6.1–R6.4): one request at a time, so that nothing overtakes; with
/// `producer.type=async` a queue sends behind the caller's back.
#[derive(Clone, Debug)]
pub struct ScalaProducer {
    topic: String,
    values: Values,
    bootstrap: Bootstrap,
    next_correlation: u32,
    /// The queue of `async`; what callers of `sync` wait with.
    queue: VecDeque<Waiting>,
    calls: u32,
    /// Callers that wait for a place in the queue, until when.
    callers: VecDeque<(Queued, Micros)>,
    dispatch: Option<Dispatch>,
    in_flight: Option<InFlight>,
    /// Where messages without key go until the next refresh (R6.4).
    sticky: u32,
    refreshes: u32,
    poll_at: Micros,
    /// The last error that the application was told.
    pub last_error: ErrorCode,
}

impl ScalaProducer {
    /// A producer for one topic, with its settings resolved.
    pub fn new(topic: String, values: Values, brokers: BrokerList) -> ScalaProducer {
        ScalaProducer {
            topic,
            values,
            bootstrap: Bootstrap::new(brokers),
            next_correlation: 0,
            queue: VecDeque::new(),
            calls: 0,
            callers: VecDeque::new(),
            dispatch: None,
            in_flight: None,
            sticky: 0,
            refreshes: 0,
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

    /// `request.required.acks`.
    pub fn acks(&self) -> i32 {
        self.values.get(Key::RequestRequiredAcks) as i32
    }

    fn is_async(&self) -> bool {
        self.values.get(Key::ProducerType) == 1
    }

    /// Takes messages over, in order (R6.1).
    pub fn send(&mut self, records: Vec<NewRecord>, fx: &mut ClientEffects) {
        let patience = self.values.get(Key::QueueEnqueueTimeoutMs);
        self.calls += 1;
        for record in records {
            let queued = Queued { record, why: fx.cause };
            let full = self.queue.len() as i64 >= self.values.get(Key::QueueBufferingMaxMessages);
            if !self.is_async() || !full {
                self.enqueue(queued, fx.now);
            } else if patience == 0 {
                self.give_up(alloc::vec![queued], ErrorCode::QueueFull, fx);
            } else {
                let until = match u64::try_from(patience) {
                    Ok(ms) => fx.now + Micros::from_ms(ms),
                    Err(_) => Micros::NEVER,
                };
                self.callers.push_back((queued, until));
            }
        }
        self.poll(fx);
    }

    fn enqueue(&mut self, queued: Queued, since: Micros) {
        self.queue.push_back(Waiting { queued, since, call: self.calls });
    }

    /// Whether nothing waits to be sent, answered or tried again.
    pub fn is_idle(&self) -> bool {
        self.queue.is_empty() && self.callers.is_empty() && self.dispatch.is_none()
    }

    /// A response came.
    pub fn receive(&mut self, message: Message, fx: &mut ClientEffects) {
        match message.body {
            Body::MetadataResponse(metadata) => {
                let correlation = message.correlation;
                let awaited = self.bootstrap.take(correlation, *metadata, &self.topic, fx);
                if awaited {
                    self.refreshed();
                }
            }
            Body::ProduceResponse(results) => self.answered(message.correlation, &results, fx),
            _ => {}
        }
        self.poll(fx);
    }

    /// Messages without key go somewhere else from now on, to a partition that has a leader (R6.4).
    fn refreshed(&mut self) {
        let partitions = self.bootstrap.partitions(&self.topic);
        let led = |i: u32| {
            let id = partitions.get(i as usize);
            id.is_some_and(|p| self.bootstrap.leader(*p).is_some())
        };
        let count = partitions.len() as u32;
        let mut choices = (0..count).map(|i| (self.refreshes + i) % count.max(1));
        self.sticky = choices.find(|i| led(*i)).unwrap_or(0);
        self.refreshes += 1;
        if let Some(dispatch) = &mut self.dispatch {
            dispatch.refreshes = None;
        }
    }

    /// A broker cannot be asked for metadata; when none can, the round goes on with what is known
    /// (R6.3).
    fn cannot_ask(&mut self, broker: BrokerId) {
        let Some(dispatch) = &mut self.dispatch else { return };
        if dispatch.refreshes.is_some() {
            dispatch.silent.insert(broker);
            if self.bootstrap.brokers().iter().all(|b| dispatch.silent.contains(b)) {
                dispatch.refreshes = None;
            }
        }
    }

    fn answered(&mut self, correlation: u32, results: &[Produced], fx: &mut ClientEffects) {
        let request = self.in_flight.take_if(|r| r.correlation == correlation);
        let Some(request) = request else { return };
        let arrival = fx.cause;
        for (partition, messages) in request.parts {
            fx.cause = arrival;
            let result = results.iter().find(|r| r.partition == partition);
            match result.map_or(ErrorCode::Unknown, |r| r.error) {
                ErrorCode::None => {
                    let first = result.map_or(-1, |r| r.first);
                    let causes = [fx.cause, messages[0].why];
                    let records = messages.len() as u32;
                    fx.event_because(EventKind::BatchAcked { partition, records, first }, causes);
                    fx.report(Report::Acked(ids(&messages), first));
                }
                error => self.failed(messages, error),
            }
        }
    }

    fn failed(&mut self, messages: Vec<Queued>, error: ErrorCode) {
        if let Some(dispatch) = &mut self.dispatch {
            dispatch.failed.extend(messages);
            dispatch.error = error;
        }
    }

    fn give_up(&mut self, messages: Vec<Queued>, error: ErrorCode, fx: &mut ClientEffects) {
        let Some(first) = messages.first() else { return };
        self.last_error = error;
        let partition = self.partition_of(&first.record).unwrap_or(PartitionId(0));
        let records = messages.len() as u32;
        let causes = [fx.cause, first.why];
        fx.event_because(EventKind::BatchFailed { partition, records, error }, causes);
        fx.report(Report::Failed(ids(&messages), error));
    }

    /// The connection to a broker is gone.
    pub fn disconnected(&mut self, broker: BrokerId, fx: &mut ClientEffects) {
        self.bootstrap.lost(broker, fx.now);
        self.cannot_ask(broker);
        self.request_lost(broker, ErrorCode::NetworkException, fx);
        self.poll(fx);
    }

    fn request_lost(&mut self, broker: BrokerId, error: ErrorCode, fx: &mut ClientEffects) {
        if let Some(request) = self.in_flight.take_if(|r| r.broker == broker) {
            fx.cause = fx.event(EventKind::ConnectionLost { broker });
            for (_, messages) in request.parts {
                self.failed(messages, error);
            }
        }
    }

    /// Starts, and looks at everything that waits for a time.
    pub fn poll(&mut self, fx: &mut ClientEffects) {
        if self.poll_at <= fx.now {
            self.poll_at = Micros::NEVER;
        }
        if let Some(late) = self.in_flight.as_ref().filter(|r| r.deadline <= fx.now) {
            let broker = late.broker;
            fx.event(EventKind::RequestTimedOut { broker });
            self.request_lost(broker, ErrorCode::RequestTimedOut, fx);
        }
        let mut next = self.let_callers_in(fx);
        loop {
            self.begin(fx.now);
            next = next.min(self.go_on(fx));
            if self.dispatch.is_some() {
                break;
            }
            let Some(due) = self.due() else { break };
            if due > fx.now {
                next = next.min(due);
                break;
            }
        }
        let backoff = self.values.ms(Key::ScalaRetryBackoffMs);
        let timeout = self.values.ms(Key::ScalaRequestTimeoutMs);
        let max_age = self.values.ms(Key::TopicMetadataRefreshIntervalMs);
        let correlation = &mut self.next_correlation;
        next = next.min(self.bootstrap.poll(max_age, backoff, timeout, correlation, fx));
        if next < self.poll_at {
            self.poll_at = next;
            fx.timer(next.max(fx.now), ClientTimer::Poll);
        }
    }

    /// Callers that found the queue full take the places that are free, or give up.
    fn let_callers_in(&mut self, fx: &mut ClientEffects) -> Micros {
        let room = self.values.get(Key::QueueBufferingMaxMessages);
        while (self.queue.len() as i64) < room
            && let Some((queued, _)) = self.callers.pop_front()
        {
            self.enqueue(queued, fx.now);
        }
        while let Some((queued, _)) = self.callers.pop_front_if(|(_, until)| *until <= fx.now) {
            self.give_up(alloc::vec![queued], ErrorCode::QueueFull, fx);
        }
        self.callers.iter().map(|(_, until)| *until).min().unwrap_or(Micros::NEVER)
    }

    /// How many messages `async` sends at once.
    fn most(&self) -> usize {
        self.values.get(Key::BatchNumMessages).max(1) as usize
    }

    /// When the next messages are to be sent: those of `sync` as they come, those of `async` when
    /// they have waited long enough, or are enough (R6.1). None: there are none.
    fn due(&self) -> Option<Micros> {
        let first = self.queue.front()?;
        if !self.is_async() || self.queue.len() >= self.most() {
            return Some(first.since);
        }
        Some(first.since + self.values.ms(Key::QueueBufferingMaxMs))
    }

    /// The next messages that are sent together: of `sync` those of one call (R6.1).
    fn begin(&mut self, now: Micros) {
        if self.dispatch.is_some() || self.due().is_none_or(|due| due > now) {
            return;
        }
        let call = self.queue.front().map_or(0, |w| w.call);
        let count = match self.is_async() {
            true => self.queue.len().min(self.most()),
            false => self.queue.iter().take_while(|w| w.call == call).count(),
        };
        self.dispatch = Some(Dispatch {
            unsent: self.queue.drain(..count).map(|w| w.queued).collect(),
            failed: Vec::new(),
            retries_left: self.values.get(Key::MessageSendMaxRetries),
            error: ErrorCode::None,
            not_before: Micros::ZERO,
            refreshes: None,
            silent: BrokerList::new(),
        });
    }

    fn partition_of(&self, record: &NewRecord) -> Option<PartitionId> {
        let partitions = self.bootstrap.partitions(&self.topic);
        let count = partitions.len() as u32;
        let number = match (record.partition, &record.key) {
            (Some(chosen), _) => chosen,
            (None, Some(key)) => java_hash(key) % count.max(1),
            (None, None) => self.sticky,
        };
        partitions.get(number as usize).copied()
    }

    /// Sends to one broker after the other; then tries again what failed (R6.3).
    fn go_on(&mut self, fx: &mut ClientEffects) -> Micros {
        loop {
            if let Some(request) = &self.in_flight {
                return request.deadline;
            }
            let Some(dispatch) = &mut self.dispatch else { return Micros::NEVER };
            if dispatch.not_before > fx.now {
                return dispatch.not_before;
            }
            if let Some(until) = dispatch.refreshes {
                if fx.now < until {
                    return until;
                }
                dispatch.refreshes = None;
            }
            if dispatch.unsent.is_empty() {
                self.end_round(fx);
            } else {
                self.send_next(fx);
            }
        }
    }

    /// One request, with all that goes to the broker of the first message.
    fn send_next(&mut self, fx: &mut ClientEffects) {
        let Some(dispatch) = &mut self.dispatch else { return };
        let unsent = core::mem::take(&mut dispatch.unsent);
        let mut parts: Map<PartitionId, Vec<Queued>> = Map::new();
        let mut to: Option<BrokerId> = None;
        let (mut later, mut lost) = (Vec::new(), Vec::new());
        for queued in unsent {
            let partition = self.partition_of(&queued.record);
            let leader = partition.and_then(|p| Some((p, self.bootstrap.leader(p)?.0)));
            match leader {
                None => lost.push(queued),
                Some((p, leader)) if *to.get_or_insert(leader) == leader => {
                    parts.entry(p).or_default().push(queued);
                }
                Some(_) => later.push(queued),
            }
        }
        self.failed(lost, ErrorCode::LeaderNotAvailable);
        if let Some(dispatch) = &mut self.dispatch {
            dispatch.unsent = later;
        }
        if let Some(broker) = to {
            self.request(broker, parts.into_iter().collect(), fx);
        }
    }

    fn request(
        &mut self,
        broker: BrokerId,
        parts: Vec<(PartitionId, Vec<Queued>)>,
        fx: &mut ClientEffects,
    ) {
        let acks = self.acks();
        let timeout = self.values.ms(Key::ScalaRequestTimeoutMs);
        let tries = self.dispatch.as_ref().map_or(0, |d| d.retries_left);
        let attempt = (self.values.get(Key::MessageSendMaxRetries) - tries + 1).max(1) as u32;
        let mut batches = Vec::new();
        let mut why = fx.cause;
        for (partition, messages) in &parts {
            let (partition, records) = (*partition, messages.len() as u32);
            let event = EventKind::BatchSent { partition, records, attempt };
            why = fx.event_because(event, [messages[0].why, fx.cause]);
            fx.report(Report::Sent(ids(messages)));
            batches.push(ProducerBatch {
                partition,
                records: ids(messages),
                bytes: messages.iter().map(|m| m.record.bytes + MESSAGE_OVERHEAD).sum(),
                producer: None,
                kind: BatchKind::Plain,
            });
        }
        self.next_correlation += 1;
        let correlation = self.next_correlation;
        let body = Body::Produce(Box::new(ProduceRequest { acks, timeout, batches }));
        fx.send(Node::Broker(broker), correlation, body, why);
        if acks == 0 {
            // Fire and forget: it counts as written (R6.2).
            for (partition, messages) in parts {
                let records = messages.len() as u32;
                fx.event_because(EventKind::BatchAssumed { partition, records }, [why, fx.cause]);
                fx.report(Report::Acked(ids(&messages), -1));
            }
            return;
        }
        let deadline = fx.now + timeout + GRACE;
        self.in_flight = Some(InFlight { correlation, broker, deadline, parts });
    }

    /// Everything of the round was sent: what failed is tried again after a sleep and with fresh
    /// metadata, or given up (R6.3).
    fn end_round(&mut self, fx: &mut ClientEffects) {
        let Some(mut dispatch) = self.dispatch.take() else { return };
        if dispatch.failed.is_empty() {
            return;
        }
        if dispatch.retries_left <= 0 {
            self.give_up(dispatch.failed, ErrorCode::FailedToSendMessage, fx);
            return;
        }
        dispatch.retries_left -= 1;
        let first = &dispatch.failed[0];
        let partition = self.partition_of(&first.record).unwrap_or(PartitionId(0));
        let (records, error) = (dispatch.failed.len() as u32, dispatch.error);
        let attempt = (self.values.get(Key::MessageSendMaxRetries) - dispatch.retries_left) as u32;
        let event = EventKind::BatchRetried { partition, records, error, attempt };
        fx.event_because(event, [fx.cause, first.why]);
        self.last_error = error;
        dispatch.unsent = core::mem::take(&mut dispatch.failed);
        dispatch.not_before = fx.now + self.values.ms(Key::ScalaRetryBackoffMs);
        // It asks when it has slept, for as long as one request may take.
        let patience = self.values.ms(Key::ScalaRequestTimeoutMs);
        dispatch.refreshes = Some(dispatch.not_before + patience);
        dispatch.silent = BrokerList::new();
        self.dispatch = Some(dispatch);
        self.bootstrap.want();
    }
}

fn ids(messages: &[Queued]) -> Rc<[RecordId]> {
    messages.iter().map(|m| m.record.id).collect()
}
