//! Messages that are sent together: one request after the other, and again what failed (R6.2, R6.3).

use super::ScalaProducer;
use super::queue::Queued;
use crate::client::ClientEffects;
use crate::client::connections::{Ended, Lane};
use crate::log::BatchKind;
use crate::settings::Key;
use crate::wire::Report;
use crate::wire::event::EventKind;
use crate::wire::message::{Body, ProduceRequest, Produced, ProducerBatch};
use crate::words::{BrokerId, BrokerList, ErrorCode, EventId, Map, Micros, PartitionId, RecordId};
use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::vec::Vec;

/// Bytes that a message set's message has beside key and value.
const MESSAGE_OVERHEAD: u32 = 26;

/// Messages that are sent together, until all are written or given up (R6.3).
#[derive(Clone, Debug)]
pub(super) struct Dispatch {
    /// What has not been sent in this round.
    pub unsent: Vec<Queued>,
    /// What failed in this round.
    pub failed: Vec<Queued>,
    pub retries_left: i64,
    pub error: ErrorCode,
    pub not_before: Micros,
    /// The round waits for fresh metadata, until then.
    pub refreshes: Option<Micros>,
    /// Brokers that could not be asked for it.
    pub silent: BrokerList,
}

impl Dispatch {
    /// The first round.
    pub fn of(messages: Vec<Queued>, retries_left: i64) -> Dispatch {
        Dispatch {
            unsent: messages,
            failed: Vec::new(),
            retries_left,
            error: ErrorCode::None,
            not_before: Micros::ZERO,
            refreshes: None,
            silent: BrokerList::new(),
        }
    }
}

/// A request under way: one at a time.
#[derive(Clone, Debug)]
pub(super) struct InFlight {
    pub correlation: u32,
    pub broker: BrokerId,
    /// Whether an answer comes; without one it has left as soon as there is a connection.
    pub is_answered: bool,
    pub why: EventId,
    pub parts: Vec<(PartitionId, Vec<Queued>)>,
}

impl ScalaProducer {
    /// Sends to one broker after the other; then tries again what failed (R6.3).
    pub(super) fn go_on(&mut self, fx: &mut ClientEffects) -> Micros {
        loop {
            self.let_go(fx);
            if self.in_flight.is_some() {
                return Micros::NEVER;
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
        let mut why = fx.cause();
        for (partition, messages) in &parts {
            let (partition, records) = (*partition, messages.len() as u32);
            let event = EventKind::BatchSent { partition, records, attempt };
            why = fx.event_because(event, [messages[0].why, fx.cause()]);
            fx.report(Report::Sent(ids(messages)));
            batches.push(ProducerBatch {
                partition,
                records: ids(messages),
                bytes: messages.iter().map(|m| m.record.bytes + MESSAGE_OVERHEAD).sum(),
                producer: None,
                kind: BatchKind::Plain,
            });
        }
        let body = Body::Produce(Box::new(ProduceRequest { acks, timeout, batches }));
        let (peer, policy) = ((Lane::Data, broker), self.policy());
        let is_answered = acks != 0;
        let correlation = match is_answered {
            true => self.connections.request(peer, body, why, &policy, fx),
            false => self.connections.post(peer, body, why, &policy, fx),
        };
        self.in_flight = Some(InFlight { correlation, broker, is_answered, why, parts });
    }

    /// Fire and forget: what gets no answer counts as written once there is a connection (R6.2).
    fn let_go(&mut self, fx: &mut ClientEffects) {
        let connections = &self.connections;
        let has_left =
            |r: &mut InFlight| !r.is_answered && connections.is_made((Lane::Data, r.broker));
        let Some(request) = self.in_flight.take_if(has_left) else { return };
        for (partition, messages) in request.parts {
            let records = messages.len() as u32;
            let causes = [request.why, fx.cause()];
            fx.event_because(EventKind::BatchAssumed { partition, records }, causes);
            fx.report(Report::Acked(ids(&messages), -1));
        }
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
        fx.event_because(event, [fx.cause(), first.why]);
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

    pub(super) fn request_lost(&mut self, ended: &Ended, error: ErrorCode, fx: &mut ClientEffects) {
        let broker = ended.broker;
        let own = |r: &mut InFlight| {
            let unanswered = !r.is_answered && r.broker == broker && ended.lane == Lane::Data;
            ended.had(r.correlation) || unanswered
        };
        if let Some(request) = self.in_flight.take_if(own) {
            fx.chain(EventKind::ConnectionLost { broker });
            for (_, messages) in request.parts {
                self.failed(messages, error);
            }
        }
    }

    pub(super) fn answered(
        &mut self,
        correlation: u32,
        results: &[Produced],
        fx: &mut ClientEffects,
    ) {
        let request = self.in_flight.take_if(|r| r.correlation == correlation);
        let Some(request) = request else { return };
        for (partition, messages) in request.parts {
            let result = results.iter().find(|r| r.partition == partition);
            match result.map_or(ErrorCode::Unknown, |r| r.error) {
                ErrorCode::None => {
                    let first = result.map_or(-1, |r| r.first);
                    let causes = [fx.cause(), messages[0].why];
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

    pub(super) fn give_up(
        &mut self,
        messages: Vec<Queued>,
        error: ErrorCode,
        fx: &mut ClientEffects,
    ) {
        let Some(first) = messages.first() else { return };
        self.last_error = error;
        let partition = self.partition_of(&first.record).unwrap_or(PartitionId(0));
        let records = messages.len() as u32;
        let causes = [fx.cause(), first.why];
        fx.event_because(EventKind::BatchFailed { partition, records, error }, causes);
        fx.report(Report::Failed(ids(&messages), error));
    }
}

fn ids(messages: &[Queued]) -> Rc<[RecordId]> {
    messages.iter().map(|m| m.record.id).collect()
}
