//! The Scala producer of the old releases (R6.1–R6.4).
//!
//! | file | what it does |
//! |---|---|
//! | `queue` | what the application hands over, and what of it is sent together |
//! | `dispatch` | one request after the other, and again what failed |

mod dispatch;
mod queue;

use self::dispatch::{Dispatch, InFlight};
use self::queue::{Queued, Waiting};
use crate::client::bootstrap::Bootstrap;
use crate::client::{ClientEffects, ClientTimer, NewRecord};
use crate::settings::{Key, Values};
use crate::wire::event::EventKind;
use crate::wire::message::{Body, Message};
use crate::words::{BrokerId, BrokerList, ErrorCode, Micros, PartitionId, java_hash};
use alloc::collections::VecDeque;
use alloc::string::String;

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

    /// The connection to a broker is gone.
    pub fn disconnected(&mut self, broker: BrokerId, fx: &mut ClientEffects) {
        self.bootstrap.lost(broker, fx.now);
        self.cannot_ask(broker);
        self.request_lost(broker, ErrorCode::NetworkException, fx);
        self.poll(fx);
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
}
