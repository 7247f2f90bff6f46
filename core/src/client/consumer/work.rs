//! The application: it takes what was fetched, works on it, and commits before or after (R7.4). It
//! takes nothing while it works, nor while a commit holds it.

use super::{Consumer, State};
use crate::client::ClientEffects;
use crate::log::Batch;
use crate::wire::Report;
use crate::wire::event::EventKind;
use crate::wire::message::Fetched;
use crate::words::{CommitMode, EventId, Micros, PartitionId};
use alloc::vec::Vec;

/// What a fetch brought, until the application asks for it (`CompletedFetch`).
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    pub correlation: u32,
    pub part: Fetched,
    /// The event that it came with.
    pub why: EventId,
}

/// What the application works on.
#[derive(Clone, Debug)]
pub(super) struct Work {
    parts: Vec<(PartitionId, Vec<Batch>)>,
    /// Until when; none: it begins once the commit is through.
    until: Option<Micros>,
}

impl Consumer {
    /// Whether the application polls: it does not while it works, nor while a commit holds it.
    pub(super) fn polls(&self) -> bool {
        self.work.is_none() && self.group.as_ref().is_none_or(|g| !g.holds_caller())
    }

    /// The application takes what was fetched for it. False: there is nothing, or it does not poll.
    pub(super) fn take_waiting(&mut self, fx: &mut ClientEffects) -> bool {
        if self.fetched.is_empty() || !self.polls() {
            return false;
        }
        let mut parts = Vec::new();
        let mut last_why = fx.cause();
        while let Some(Waiting { correlation, part, why }) = self.fetched.pop_front() {
            let Some(position) = self.positions.get_mut(&part.partition) else { continue };
            if position.state != State::Asked(correlation) || position.offset != Some(part.offset) {
                continue;
            }
            position.state = State::Free;
            let Some(last) = part.batches.last() else { continue };
            let (partition, first) = (part.partition, part.offset);
            position.offset = Some(last.end());
            position.epoch = last.epoch;
            last_why = why;
            let event = EventKind::RecordsRead { partition, first, last: last.last() };
            fx.event_because(event, [why, part.hw_why]);
            let batches = part.batches.into_iter().map(|b| b.from(first)).collect();
            parts.push((partition, batches));
        }
        if !parts.is_empty() {
            fx.caused_by(last_why, |fx| self.begin_work(parts, fx));
        }
        true
    }

    fn begin_work(&mut self, parts: Vec<(PartitionId, Vec<Batch>)>, fx: &mut ClientEffects) {
        let first = self.group.as_mut().filter(|g| g.mode == CommitMode::Before);
        let until = match first {
            Some(group) => {
                group.wanted = true;
                None
            }
            None => Some(fx.now + self.processing),
        };
        self.work = Some(Work { parts, until });
        self.finish_work(fx);
    }

    /// The commit that the application waited for is over: it begins to work.
    pub(super) fn go_on(&mut self, fx: &mut ClientEffects) {
        let until = fx.now + self.processing;
        if let Some(work) = &mut self.work {
            work.until.get_or_insert(until);
        }
        self.finish_work(fx);
    }

    /// Says when to look again.
    pub(super) fn finish_work(&mut self, fx: &mut ClientEffects) -> Micros {
        let done = |w: &mut Work| w.until.is_some_and(|until| until <= fx.now);
        let Some(Work { parts, .. }) = self.work.take_if(done) else {
            return self.work.as_ref().and_then(|w| w.until).unwrap_or(Micros::NEVER);
        };
        for (partition, batches) in parts {
            if self.processing > Micros::ZERO {
                let records = batches.iter().map(|b| b.records.len() as u32).sum();
                fx.event(EventKind::RecordsProcessed { partition, records });
            }
            fx.report(Report::Read(partition, batches));
        }
        let commits = |mode| matches!(mode, CommitMode::After | CommitMode::Async);
        if let Some(group) = self.group.as_mut().filter(|g| commits(g.mode)) {
            group.wanted = true;
        }
        Micros::NEVER
    }
}
