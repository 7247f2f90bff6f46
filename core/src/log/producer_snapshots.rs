use super::{LogRules, ProducerStates};
use crate::words::{Micros, Offset};
use alloc::vec::Vec;

/// The `.snapshot` files of a log: what was known of producers at an offset.
#[derive(Clone, Debug, Default)]
pub struct ProducerSnapshots {
    /// In order of offset.
    files: Vec<(Offset, ProducerStates)>,
    /// The offset of the last one that was written or read; a log's start before any.
    last: Offset,
}

impl ProducerSnapshots {
    /// No file; the log begins at `start`.
    pub fn new(start: Offset) -> ProducerSnapshots {
        ProducerSnapshots { files: Vec::new(), last: start }
    }

    /// Their offsets.
    pub fn offsets(&self) -> impl Iterator<Item = Offset> {
        self.files.iter().map(|(offset, _)| *offset)
    }

    /// Writes what is known now, if that is more than the last file has.
    pub fn take(&mut self, states: &ProducerStates) {
        if states.end() > self.last {
            self.put(states.end(), states.snapshot());
            self.last = states.end();
        }
    }

    /// A file that says `states`, for `offset`.
    pub fn put(&mut self, offset: Offset, states: ProducerStates) {
        self.files.retain(|(o, _)| *o != offset);
        let at = self.files.partition_point(|(o, _)| *o < offset);
        self.files.insert(at, (offset, states));
    }

    /// Files for offsets that `keep` refuses are deleted.
    pub fn retain(&mut self, keep: impl Fn(Offset) -> bool) {
        self.files.retain(|(offset, _)| keep(*offset));
    }

    /// A log that is loaded keeps the files of its segments and the largest of the others, unless
    /// that lies before the last segment.
    pub fn remove_stray(&mut self, segments: &[Offset]) {
        let is_stray = |o: &Offset| !segments.contains(o);
        let largest = self.offsets().filter(is_stray).max();
        let kept = largest.filter(|o| segments.last().is_none_or(|base| o >= base));
        self.retain(|o| !is_stray(&o) || Some(o) == kept);
    }

    /// What is known at `end` of a log that begins at `start`: files outside go, and unless
    /// `states` is as far already, it becomes what the largest file says. What lies behind is to be
    /// read from the log.
    pub fn reload(
        &mut self,
        rules: &LogRules,
        states: &mut ProducerStates,
        start: Offset,
        end: Offset,
        now: Micros,
        idle: Micros,
    ) {
        self.retain(|o| o > start && o <= end);
        if end == states.end() {
            states.take_hw(start);
            states.take_start(rules, start);
            states.advance_end(states.end().max(start));
            self.last = self.offsets().last().unwrap_or(start);
            return;
        }
        match self.files.last() {
            Some((offset, snapshot)) => {
                *states = snapshot.clone();
                states.take_start(rules, start);
                states.expire(now, idle);
                states.advance_end(*offset);
            }
            None => *states = ProducerStates::new(start),
        }
        self.last = states.end();
    }
}
