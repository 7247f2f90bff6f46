//! The Scala producer of the old releases (R6.1–R6.4).
//!
//! | file | what it does |
//! |---|---|
//! | `queue` | what the application hands over, and what of it is sent together |
//! | `dispatch` | one request after the other, and again what failed |

mod dispatch;
mod queue;

use self::dispatch::{Dispatch, InFlight};
use self::queue::Waiting;
use crate::client::backoff::Backoff;
use crate::client::bootstrap::{Bootstrap, Refresh};
use crate::client::connections::{Connections, Ended, Policy};
use crate::client::{ClientEffects, ClientTimer, NewRecord};
use crate::settings::{Key, Values};
use crate::wire::event::EventKind;
use crate::wire::message::{Body, Message};
use crate::words::{BrokerId, BrokerList, ErrorCode, Micros, PartitionId, java_hash};
use alloc::collections::VecDeque;
use alloc::string::String;

/// How long a request without answer is waited for beyond what the broker may take.
const GRACE: Micros = Micros::from_ms(500);

/// The old Scala producer (R6.1–R6.4): one request at a time, so that nothing overtakes; with
/// `producer.type=async` a queue sends behind the caller's back.
#[derive(Clone, Debug)]
pub struct ScalaProducer {
    topic: String,
    values: Values,
    bootstrap: Bootstrap,
    connections: Connections,
    /// The queue of `async`; what callers of `sync` wait with.
    queue: VecDeque<Waiting>,
    calls: u32,
    /// What callers wait with for a place in the queue, and until when the first of them waits.
    callers: VecDeque<Waiting>,
    caller_until: Option<Micros>,
    dispatch: Option<Dispatch>,
    in_flight: Option<InFlight>,
    /// Where messages without key go until the next refresh (R6.4).
    sticky: u32,
    refreshes: u32,
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
            connections: Connections::default(),
            queue: VecDeque::new(),
            calls: 0,
            callers: VecDeque::new(),
            caller_until: None,
            dispatch: None,
            in_flight: None,
            sticky: 0,
            refreshes: 0,
            last_error: ErrorCode::None,
        }
    }

    pub(in crate::client) fn connections(&self) -> &Connections {
        &self.connections
    }

    pub(in crate::client) fn succeed_process(&mut self, former: &Connections) {
        self.connections = Connections::after(former);
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
        if !self.connections.answered(message.correlation) {
            return;
        }
        match message.body {
            Body::MetadataResponse(metadata) => {
                let (correlation, refresh) = (message.correlation, self.refresh_policy());
                let awaited =
                    self.bootstrap.take(correlation, *metadata, &self.topic, &refresh, fx);
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

    /// What its connections go by: one time-out for making them and for reading (`BlockingChannel`),
    /// and no wait before the next try.
    fn policy(&self) -> Policy {
        let timeout = self.values.ms(Key::ScalaRequestTimeoutMs);
        Policy {
            request: timeout + GRACE,
            reconnect: Backoff::fixed(Micros::ZERO),
            setup: Some(Backoff::fixed(timeout)),
        }
    }

    fn refresh_policy(&self) -> Refresh {
        // A round asks one broker after the other, without a pause (`ClientUtils`).
        let is_round = self.dispatch.as_ref().is_some_and(|d| d.refreshes.is_some());
        let pause = self.values.ms(Key::ScalaRetryBackoffMs);
        Refresh {
            max_age: self.values.ms(Key::TopicMetadataRefreshIntervalMs),
            backoff: Backoff::fixed(if is_round { Micros::ZERO } else { pause }),
            slows_down: false,
            asks_on_errors: false,
            rebootstraps: false,
        }
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

    fn ended(&mut self, ended: &Ended, fx: &mut ClientEffects) {
        let broker = ended.broker;
        let refresh = self.refresh_policy();
        if self.bootstrap.was_asking(ended) {
            self.bootstrap.lost(ended, &refresh, fx.now);
            self.cannot_ask(broker);
        }
        let error = match ended.timed_out {
            true if ended.was_opening => {
                fx.event(EventKind::ConnectionNotMade { broker });
                ErrorCode::NetworkException
            }
            true => {
                fx.event(EventKind::RequestTimedOut { broker });
                ErrorCode::RequestTimedOut
            }
            false => ErrorCode::NetworkException,
        };
        self.request_lost(ended, error, fx);
    }

    /// A broker's machine has accepted a connection: what needs no answer has left.
    pub fn accepted(&mut self, broker: BrokerId, connection: u32, fx: &mut ClientEffects) {
        self.connections.accepted(broker, connection, fx.now);
        self.poll(fx);
    }

    /// A timer fired.
    pub fn wake(&mut self, fx: &mut ClientEffects) {
        self.poll(fx);
    }

    /// Starts, and looks at everything that waits for a time.
    pub fn poll(&mut self, fx: &mut ClientEffects) {
        let policy = self.policy();
        while let Some(ended) = self.connections.overdue(&policy, fx) {
            self.ended(&ended, fx);
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
        let refresh = self.refresh_policy();
        next = next.min(self.bootstrap.poll(&refresh, &policy, &mut self.connections, fx));
        next = next.min(self.connections.deadline());
        fx.wake_by(next, ClientTimer::Poll);
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
