use highwater_core::audit::Answer;
use highwater_core::sim::{Client, Timeline, World};
use highwater_core::wire::EventKind;
use highwater_core::wire::event::{Event, Weight};
use highwater_core::wire::metadata::MetadataImage;
use highwater_core::words::{BrokerId, Node, Offset, PartitionId, RecordId};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What a run has been up to now, as far as the invariants ask: it watches events and logs.
#[derive(Default)]
pub struct History {
    /// How many events it has seen.
    seen: usize,
    copies: BTreeMap<(PartitionId, BrokerId), LogCopy>,
    /// The highest offset that any leader committed.
    committed: BTreeMap<PartitionId, Offset>,
    /// Records of acks=all writes that were confirmed.
    confirmed: BTreeMap<PartitionId, Vec<RecordId>>,
    /// All records below this one are answered; of the others, those that are confirmed.
    unanswered: u32,
    noted: BTreeSet<u32>,
    /// What consumers read, and where.
    read: BTreeMap<PartitionId, Vec<(Offset, RecordId)>>,
    past: BTreeMap<PartitionId, Past>,
    metadata: BTreeMap<BrokerId, MetadataImage>,
    metadata_differs: bool,
}

/// What has happened to a partition; some invariants say nothing after it.
#[derive(Clone, Copy, Default)]
pub struct Past {
    /// It had a leader who may lack committed records.
    pub was_unclean: bool,
    /// A reassignment took replicas away.
    pub was_moved: bool,
    /// One that is to take some away has begun.
    removes: bool,
    /// Several members left the ISR at once.
    pub several_left: bool,
}

/// One replica's log: a record for each offset, and a sum of everything up to each.
#[derive(Default)]
struct LogCopy {
    records: Vec<RecordId>,
    sums: Vec<u64>,
    has_holes: bool,
}

/// A partition about which something is new.
pub struct News {
    /// Which.
    pub partition: PartitionId,
    /// Whether roles, logs' ends or the controller's state changed, or else only HWs and answers.
    pub is_change: bool,
    /// How many confirmed and read records there were before.
    confirmed: usize,
    read: usize,
}

impl LogCopy {
    fn cut(&mut self, to: Offset) {
        let to = usize::try_from(to).unwrap_or(0);
        self.records.truncate(to);
        self.sums.truncate(to);
    }

    /// The sum of everything below an offset, if it reaches so far.
    fn sum_below(&self, offset: Offset) -> Option<u64> {
        match usize::try_from(offset).unwrap_or(0) {
            0 => Some(0),
            n => self.sums.get(n - 1).copied(),
        }
    }

    fn push(&mut self, record: RecordId, epoch: i32) {
        let before = self.sums.last().copied().unwrap_or(0);
        let word = u64::from(record.0 + 1) << 24 ^ u64::from(epoch as u32);
        let sum = (before.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.records.push(record);
        self.sums.push(sum);
    }
}

impl History {
    /// Sees what is new since it last looked, and says about which partitions.
    pub fn see(&mut self, timeline: &Timeline) -> Vec<News> {
        let world = timeline.world();
        let events = timeline.tape().events();
        let all = world.controller().image().partitions.len() as u32;
        let mut news: Vec<News> = Vec::new();
        for event in events.get(self.seen..).unwrap_or_default() {
            let is_change = is_change(event);
            if is_change || is_light(&event.kind) {
                let partitions = match event.kind.of_partition() {
                    Some(partition) => partition.0..partition.0 + 1,
                    None => 0..all,
                };
                partitions.for_each(|p| self.announce(PartitionId(p), is_change, &mut news));
            }
            self.note(event, world);
        }
        self.seen = events.len();
        self.compare_metadata(world);
        news
    }

    fn announce(&self, partition: PartitionId, is_change: bool, news: &mut Vec<News>) {
        if let Some(known) = news.iter_mut().find(|n| n.partition == partition) {
            known.is_change |= is_change;
            return;
        }
        let confirmed = self.confirmed.get(&partition).map_or(0, Vec::len);
        let read = self.read.get(&partition).map_or(0, Vec::len);
        news.push(News { partition, is_change, confirmed, read });
    }

    fn note(&mut self, event: &Event, world: &World) {
        match (&event.kind, event.node) {
            (
                EventKind::Appended { partition, .. } | EventKind::Replicated { partition, .. },
                Node::Broker(broker),
            ) => self.copy_log(world, *partition, broker),
            (EventKind::Truncated { partition, to, .. }, Node::Broker(broker)) => {
                self.copies.entry((*partition, broker)).or_default().cut(*to);
                self.copy_log(world, *partition, broker);
            }
            (EventKind::LogCut { partition, from, .. }, Node::Broker(broker)) => {
                self.copies.entry((*partition, broker)).or_default().cut(*from);
                self.copy_log(world, *partition, broker);
            }
            (
                EventKind::TruncatedFully { partition, .. }
                | EventKind::ReplicaDeleted { partition },
                Node::Broker(broker),
            ) => {
                self.copies.remove(&(*partition, broker));
                self.copy_log(world, *partition, broker);
            }
            (EventKind::PoweredOff { .. } | EventKind::Wiped {}, Node::Broker(broker)) => {
                let own = self.copies.keys().filter(|(_, b)| *b == broker).copied();
                for (partition, broker) in own.collect::<Vec<_>>() {
                    self.copy_log(world, partition, broker);
                }
            }
            (EventKind::HwAdvanced { partition, to, .. }, _) => {
                let committed = self.committed.entry(*partition).or_default();
                *committed = (*committed).max(*to);
            }
            (EventKind::BatchAcked { .. }, _) => self.note_confirmed(world),
            (EventKind::RecordsRead { partition, first, last }, Node::Client(client)) => {
                let Client::Consumer(reader) = &world.clients()[client.0 as usize] else { return };
                let own = self.read.entry(*partition).or_default();
                let batches = reader.account.batches().rev();
                let fresh =
                    batches.filter(|(p, b)| p == partition && (*first..=*last).contains(&b.base));
                let mut missing = last + 1 - first;
                for (_, batch) in fresh {
                    let records = batch.records.iter().enumerate();
                    own.extend(records.map(|(i, record)| (batch.base + i as Offset, *record)));
                    missing -= batch.records.len() as Offset;
                    if missing <= 0 {
                        break;
                    }
                }
            }
            (EventKind::LeaderUnclean { partition, .. }, _)
            | (EventKind::LeaderLastKnown { partition, .. }, _) => {
                self.past.entry(*partition).or_default().was_unclean = true;
            }
            (EventKind::ReassignmentStarted { partition, removing, .. }, _) => {
                self.past.entry(*partition).or_default().removes = !removing.is_empty();
            }
            (EventKind::ReassignmentCompleted { partition, .. }, _) => {
                let past = self.past.entry(*partition).or_default();
                past.was_moved |= past.removes;
            }
            (EventKind::IsrShrunk { partition, was, isr }, _) if was.len() > isr.len() + 1 => {
                self.past.entry(*partition).or_default().several_left = true;
            }
            _ => {}
        }
    }

    /// Takes over what a log has beyond, or no longer has of, its copy.
    fn copy_log(&mut self, world: &World, partition: PartitionId, broker: BrokerId) {
        let replica = world.broker(broker).and_then(|b| b.replicas.get(&partition));
        let Some(replica) = replica else {
            self.copies.remove(&(partition, broker));
            return;
        };
        let copy = self.copies.entry((partition, broker)).or_default();
        copy.cut(replica.log.end());
        for batch in replica.log.batches_from(copy.records.len() as Offset) {
            copy.has_holes |= batch.base != copy.records.len() as Offset;
            batch.records.iter().for_each(|record| copy.push(*record, batch.epoch));
        }
        copy.has_holes |= copy.records.len() as Offset != replica.log.end() - replica.log.start();
    }

    fn note_confirmed(&mut self, world: &World) {
        let audit = world.audit();
        for id in self.unanswered..audit.len() as u32 {
            let Some(record) = audit.record(RecordId(id)) else { break };
            if record.answer == Answer::Pending {
                continue;
            }
            let is_confirmed = matches!(record.answer, Answer::Acked(_)) && record.flags.acks_all;
            if let (true, Some(partition)) = (is_confirmed, record.partition)
                && self.noted.insert(id)
            {
                self.confirmed.entry(partition).or_default().push(RecordId(id));
            }
            if id == self.unanswered {
                self.unanswered += 1;
                self.noted.remove(&id);
            }
        }
    }

    /// Each broker's copy of the metadata log is compared as what it adds up to.
    fn compare_metadata(&mut self, world: &World) {
        let controller = world.controller();
        for broker in world.brokers() {
            let Some(image) = broker.process.as_ref().map(|p| &p.image) else { continue };
            let fresh = || {
                let settings = Rc::new(world.settings().clone());
                MetadataImage::new(settings)
            };
            let copy = self.metadata.entry(broker.id).or_insert_with(fresh);
            if copy.offset == image.offset {
                continue;
            }
            if copy.offset > image.offset {
                *copy = fresh();
            }
            let (from, to) = (copy.offset as usize, image.offset as usize);
            self.metadata_differs |= to > controller.records().len();
            controller.records().take(to).skip(from).for_each(|record| copy.apply(record));
            self.metadata_differs |= copy.brokers != image.brokers
                || copy.topics != image.topics
                || copy.partitions != image.partitions;
        }
    }

    /// Whether each broker's metadata was always what the controller's had been.
    pub fn is_metadata_copied(&self) -> bool {
        !self.metadata_differs
    }

    /// Whether two replicas have the same records at all offsets below one, and reach so far.
    pub fn agree(&self, partition: PartitionId, a: BrokerId, b: BrokerId, below: Offset) -> bool {
        let sum = |broker| match self.copies.get(&(partition, broker)) {
            Some(copy) => copy.sum_below(below),
            None => (below <= 0).then_some(0),
        };
        sum(a).is_some() && sum(a) == sum(b)
    }

    /// The record that a broker has at an offset.
    pub fn record_at(
        &self,
        partition: PartitionId,
        broker: BrokerId,
        at: Offset,
    ) -> Option<RecordId> {
        let at = usize::try_from(at).ok()?;
        self.copies.get(&(partition, broker))?.records.get(at).copied()
    }

    /// Whether some batch did not follow the one before it.
    pub fn has_holes(&self, partition: PartitionId, broker: BrokerId) -> bool {
        self.copies.get(&(partition, broker)).is_some_and(|c| c.has_holes)
    }

    /// The highest offset that any leader committed.
    pub fn true_hw(&self, partition: PartitionId) -> Offset {
        self.committed.get(&partition).copied().unwrap_or(0)
    }

    /// What has happened to a partition.
    pub fn past(&self, partition: PartitionId) -> Past {
        self.past.get(&partition).copied().unwrap_or_default()
    }

    /// The confirmed records that must be looked at: all after a change, else the new ones.
    pub fn confirmed(&self, news: &News) -> &[RecordId] {
        let all = self.confirmed.get(&news.partition).map_or(&[] as &[_], Vec::as_slice);
        if news.is_change { all } else { &all[news.confirmed.min(all.len())..] }
    }

    /// What was read and must be looked at: all after a change, else what is new.
    pub fn read(&self, news: &News) -> &[(Offset, RecordId)] {
        let all = self.read.get(&news.partition).map_or(&[] as &[_], Vec::as_slice);
        if news.is_change { all } else { &all[news.read.min(all.len())..] }
    }

    /// All confirmed records of a partition.
    pub fn all_confirmed(&self, partition: PartitionId) -> &[RecordId] {
        self.confirmed.get(&partition).map_or(&[], Vec::as_slice)
    }
}

/// Whether an event may have changed roles, the end of a log or the controller's state.
fn is_change(event: &Event) -> bool {
    !matches!(event.node, Node::Client(_))
        && (event.kind.weight() >= Weight::Notable
            || matches!(event.kind, EventKind::IsrCommitted { .. }))
}

/// Whether it moved a HW, or told a client something.
fn is_light(kind: &EventKind) -> bool {
    matches!(
        kind,
        EventKind::HwAdvanced { .. }
            | EventKind::HwFollowed { .. }
            | EventKind::BatchAcked { .. }
            | EventKind::RecordsRead { .. }
    )
}
