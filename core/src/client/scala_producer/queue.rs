//! What the application hands over, and what of it is sent together (R6.1).

use super::ScalaProducer;
use super::dispatch::Dispatch;
use crate::client::{ClientEffects, NewRecord};
use crate::settings::Key;
use crate::words::{ErrorCode, EventId, Micros};
use alloc::vec::Vec;

/// A message on its way through the producer.
#[derive(Clone, Debug)]
pub(super) struct Queued {
    pub record: NewRecord,
    pub why: EventId,
}

/// A message that waits in the queue.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    pub queued: Queued,
    pub since: Micros,
    /// Which call of the application's it came with.
    pub call: u32,
}

impl ScalaProducer {
    /// Takes messages over, in order (R6.1).
    pub fn send(&mut self, records: Vec<NewRecord>, fx: &mut ClientEffects) {
        self.calls += 1;
        let call = self.calls;
        for record in records {
            let queued = Queued { record, why: fx.cause() };
            self.callers.push_back(Waiting { queued, since: fx.now, call });
        }
        self.poll(fx);
    }

    /// Messages of callers take the places of the queue that are free. One that finds none holds its
    /// caller, and with it what that sends later; when it has waited for too long, the rest of its
    /// call fails with it (`Producer.asyncSend`).
    pub(super) fn let_callers_in(&mut self, fx: &mut ClientEffects) -> Micros {
        let room = match self.is_async() {
            true => self.values.get(Key::QueueBufferingMaxMessages),
            false => i64::MAX,
        };
        loop {
            while (self.queue.len() as i64) < room
                && let Some(waiting) = self.callers.pop_front()
            {
                self.caller_until = None;
                self.queue.push_back(Waiting { since: fx.now, ..waiting });
            }
            let Some(call) = self.callers.front().map(|w| w.call) else { return Micros::NEVER };
            // -1: for ever.
            let patience = match u64::try_from(self.values.get(Key::QueueEnqueueTimeoutMs)) {
                Ok(ms) => fx.now + Micros::from_ms(ms),
                Err(_) => Micros::NEVER,
            };
            let until = *self.caller_until.get_or_insert(patience);
            if until > fx.now {
                return until;
            }
            self.caller_until = None;
            let rest = self.callers.iter().take_while(|w| w.call == call).count();
            let rest = self.callers.drain(..rest).map(|w| w.queued).collect();
            self.give_up(rest, ErrorCode::QueueFull, fx);
        }
    }

    /// How many messages `async` sends at once.
    fn most(&self) -> usize {
        self.values.get(Key::BatchNumMessages).max(1) as usize
    }

    /// When the next messages are to be sent: those of `sync` as they come, those of `async` when
    /// they have waited long enough, or are enough (R6.1). None: there are none.
    pub(super) fn due(&self) -> Option<Micros> {
        let first = self.queue.front()?;
        if !self.is_async() || self.queue.len() >= self.most() {
            return Some(first.since);
        }
        Some(first.since + self.values.ms(Key::QueueBufferingMaxMs))
    }

    /// The next messages that are sent together: of `sync` those of one call (R6.1).
    pub(super) fn begin(&mut self, now: Micros) {
        if self.dispatch.is_some() || self.due().is_none_or(|due| due > now) {
            return;
        }
        let call = self.queue.front().map_or(0, |w| w.call);
        let count = match self.is_async() {
            true => self.queue.len().min(self.most()),
            false => self.queue.iter().take_while(|w| w.call == call).count(),
        };
        let messages = self.queue.drain(..count).map(|w| w.queued).collect();
        let retries = self.values.get(Key::MessageSendMaxRetries);
        self.dispatch = Some(Dispatch::of(messages, retries));
    }
}
