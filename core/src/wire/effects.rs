use super::event::EventKind;
use super::message::{Body, Message, Send};
use crate::log::Batch;
use crate::words::{ErrorCode, EventId, Micros, Node, Offset, PartitionId, RecordId};
use alloc::rc::Rc;
use alloc::vec::Vec;

/// What a node does in answer to one input: plain data, for a driver to carry out.
///
/// A node is a function from an input to effects. It has no clock, no network, no console and no
/// random source; it is told the time and says what it wants.
#[derive(Debug)]
pub struct Effects<T> {
    /// The time of the input.
    pub now: Micros,
    /// See [`Effects::cause`].
    cause: EventId,
    /// Messages to send, in order.
    pub sends: Vec<Send>,
    /// Connections to close: with whom, and which of the client's (see
    /// [`connection_of`](super::message::connection_of)).
    pub closes: Vec<(Node, u32)>,
    /// Timers to set, in order.
    pub timers: Vec<SetTimer<T>>,
    /// What clients did with which records, for the audit.
    pub reports: Vec<(EventId, Report)>,
    /// What happened, in order, with causes.
    pub events: Vec<(EventKind, [EventId; 2])>,
    /// The id of the next event.
    next_event: u32,
}

/// A timer that a node asks for.
#[derive(Clone, Copy, Debug)]
pub struct SetTimer<T> {
    /// When it fires.
    pub at: Micros,
    /// What the node is then told.
    pub what: T,
    /// Whether at most one of its kind may be pending: see [`Effects::wake_by`].
    pub only: bool,
}

/// What a client did with records.
#[derive(Clone, Debug)]
pub enum Report {
    /// They left the producer.
    Sent(Rc<[RecordId]>),
    /// The producer took them for written, from that offset on (−1: not told).
    Acked(Rc<[RecordId]>, Offset),
    /// They were taken for written (acks=0), and no broker appended them.
    Vanished(Rc<[RecordId]>),
    /// The producer gave them up.
    Failed(Rc<[RecordId]>, ErrorCode),
    /// A consumer read them.
    Read(PartitionId, Vec<Batch>),
}

/// A clone is empty: effects are carried out at once, and what is kept is only the room for them.
impl<T> Clone for Effects<T> {
    fn clone(&self) -> Self {
        Effects::new(0)
    }
}

impl<T> Effects<T> {
    /// Nothing yet; the next event of the history is `next_event`.
    pub fn new(next_event: u32) -> Effects<T> {
        Effects {
            now: Micros::ZERO,
            cause: EventId::NONE,
            sends: Vec::new(),
            closes: Vec::new(),
            timers: Vec::new(),
            reports: Vec::new(),
            events: Vec::new(),
            next_event,
        }
    }

    /// Begins the answer to an input; what was in here has been carried out.
    pub fn begin(&mut self, now: Micros, cause: EventId, next_event: u32) {
        debug_assert!(self.sends.is_empty() && self.timers.is_empty() && self.events.is_empty());
        self.now = now;
        self.cause = cause;
        self.next_event = next_event;
    }

    /// The first cause of what happens next: the event that the input came from, or what has
    /// followed from it since.
    pub fn cause(&self) -> EventId {
        self.cause
    }

    /// Runs `then` with `cause` as the first cause. Afterwards the cause is what it was before,
    /// whatever `then` has chained.
    pub fn caused_by<R>(&mut self, cause: EventId, then: impl FnOnce(&mut Self) -> R) -> R {
        let before = core::mem::replace(&mut self.cause, cause);
        let result = then(self);
        self.cause = before;
        result
    }

    /// Notes what happened because of the cause, and makes it the cause of what happens next.
    pub fn chain(&mut self, kind: EventKind) -> EventId {
        self.cause = self.event(kind);
        self.cause
    }

    /// Notes what happened because of `causes`, and makes it the cause of what happens next.
    pub fn chain_because(&mut self, kind: EventKind, causes: [EventId; 2]) -> EventId {
        self.cause = self.event_because(kind, causes);
        self.cause
    }

    /// Notes what happened, because of the cause.
    pub fn event(&mut self, kind: EventKind) -> EventId {
        self.event_because(kind, [self.cause, EventId::NONE])
    }

    /// Notes what happened, because of `causes`.
    pub fn event_because(&mut self, kind: EventKind, causes: [EventId; 2]) -> EventId {
        let id = EventId(self.next_event);
        self.next_event += 1;
        self.events.push((kind, causes));
        id
    }

    /// The newest event, or the input's if nothing happened yet.
    pub fn last_event(&self) -> EventId {
        if self.events.is_empty() { self.cause } else { EventId(self.next_event - 1) }
    }

    /// Sends a message because of `why`.
    pub fn send(&mut self, to: Node, correlation: u32, body: Body, why: EventId) {
        self.sends.push(Send { to, message: Message { correlation, body, why } });
    }

    /// Tells the audit what the newest event did with which records.
    pub fn report(&mut self, report: Report) {
        self.reports.push((self.last_event(), report));
    }

    /// Sets a timer. It fires, whatever other timers are pending.
    pub fn timer(&mut self, at: Micros, what: T) {
        self.timers.push(SetTimer { at, what, only: false });
    }

    /// Makes sure that the node is woken for `what` by `at`. At most one such wake-up is pending
    /// at a time: an earlier one stays, a later one is dropped. For nodes that look at everything
    /// that waits for a time, and then ask to be woken for the next.
    pub fn wake_by(&mut self, at: Micros, what: T) {
        self.timers.push(SetTimer { at, what, only: true });
    }
}
