use crate::words::{ClientId, Map, Offset, RecordId, SharedVec};

/// The audit's copy of one replica's log: a record for each offset.
#[derive(Clone, Debug, Default)]
pub(super) struct ReplicaCopy {
    start: Offset,
    records: SharedVec<RecordId>,
    /// The newest record of each producer.
    newest: Map<ClientId, RecordId>,
    /// Its HW, as events told it.
    pub hw: Offset,
}

impl ReplicaCopy {
    pub fn end(&self) -> Offset {
        self.start + self.records.len() as Offset
    }

    pub fn at(&self, offset: Offset) -> Option<RecordId> {
        let index = usize::try_from(offset - self.start).ok()?;
        self.records.get(index).copied()
    }

    /// Adds a record at the end; says whether one of the same producer that was handed over later
    /// stands before it.
    pub fn push(&mut self, record: RecordId, producer: ClientId) -> bool {
        self.records.push(record);
        let newest = self.newest.entry(producer).or_insert(record);
        let overtaken = *newest > record;
        *newest = (*newest).max(record);
        overtaken
    }

    /// Cuts it at `end`, and hands each record that goes to `gone`.
    pub fn truncate(
        &mut self,
        end: Offset,
        producer_of: &dyn Fn(RecordId) -> ClientId,
        gone: &mut dyn FnMut(RecordId, Offset),
    ) {
        let keep = usize::try_from(end - self.start).unwrap_or(0);
        for (i, record) in self.records.iter_from(keep).enumerate() {
            gone(*record, self.start + (keep + i) as Offset);
        }
        self.records.truncate(keep);
        self.newest.clear();
        for record in self.records.iter() {
            let newest = self.newest.entry(producer_of(*record)).or_insert(*record);
            *newest = (*newest).max(*record);
        }
        self.hw = self.hw.min(self.end());
    }

    /// Empties it; it goes on at `start`.
    pub fn restart(&mut self, start: Offset, gone: &mut dyn FnMut(RecordId, Offset)) {
        for (i, record) in self.records.iter().enumerate() {
            gone(*record, self.start + i as Offset);
        }
        *self = ReplicaCopy { start, hw: start, ..ReplicaCopy::default() };
    }

    /// The offsets from `from` to before `to` at which both hold records, and different ones.
    pub fn first_difference(
        &self,
        other: &ReplicaCopy,
        from: Offset,
        to: Offset,
    ) -> Option<Offset> {
        (from..to).find(|offset| match (self.at(*offset), other.at(*offset)) {
            (Some(own), Some(others)) => own != others,
            _ => false,
        })
    }
}
