//! States to words and back.

use super::bits::{Reader, Writer, width};
use super::question::{Fault, Question};
use super::world::{Broker, Control, Leading, Pending, Set, World};

/// How many bits each kind of field takes under a question's bounds.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    brokers: usize,
    records: usize,
    epochs: usize,
    /// A record's number.
    record: u32,
    /// An offset, the log end included.
    offset: u32,
    /// The same, or unknown.
    offset_1: u32,
    /// A leader epoch.
    epoch: u32,
    /// The same, or none.
    epoch_1: u32,
    /// A broker, or none.
    broker_1: u32,
    /// An offset that only a clean stop moves.
    flushed: u32,
    /// Budgets of faults.
    left: [u32; Fault::COUNT],
    flush_every_record: bool,
}

/// Something that is written, or read, field by field in one order.
trait Fields {
    fn field(&mut self, value: &mut u8, width: u32);

    fn flag(&mut self, value: &mut bool) {
        let mut bit = u8::from(*value);
        self.field(&mut bit, 1);
        *value = bit != 0;
    }
}

impl<const W: usize> Fields for Writer<W> {
    #[inline]
    fn field(&mut self, value: &mut u8, width: u32) {
        self.put(u32::from(*value), width);
    }
}

impl<const W: usize> Fields for Reader<'_, W> {
    #[inline]
    fn field(&mut self, value: &mut u8, width: u32) {
        *value = self.take(width) as u8;
    }
}

/// Counts bits.
struct Counter(u32);

impl Fields for Counter {
    fn field(&mut self, _: &mut u8, width: u32) {
        self.0 += width;
    }
}

impl Layout {
    pub fn of(question: &Question) -> Layout {
        let (brokers, records) = (u32::from(question.brokers), u32::from(question.records));
        let epochs = u32::from(question.max_epoch);
        let stops = question.faults[Fault::Stop as usize] > 0;
        let offset = width(records);
        Layout {
            brokers: brokers as usize,
            records: records as usize,
            epochs: epochs as usize + 1,
            record: width(records - 1),
            offset,
            offset_1: width(records + 1),
            epoch: width(epochs),
            epoch_1: width(epochs + 1),
            broker_1: width(brokers),
            flushed: if stops && !question.flush_every_record { offset } else { 0 },
            left: question.faults.map(|f| width(f.into())),
            flush_every_record: question.flush_every_record,
        }
    }

    /// How many bits a state takes.
    pub fn bits(&self) -> u32 {
        let mut counter = Counter(0);
        self.world(&mut World::EMPTY.clone(), &mut counter);
        counter.0
    }

    #[inline]
    pub fn packed<const W: usize>(&self, world: &World) -> [u64; W] {
        let mut writer = Writer::new();
        self.world(&mut world.clone(), &mut writer);
        writer.words()
    }

    #[inline]
    pub fn unpacked<const W: usize>(&self, words: &[u64; W]) -> World {
        let mut world = World::EMPTY;
        self.world(&mut world, &mut Reader::new(words));
        world
    }

    #[inline]
    fn world(&self, world: &mut World, fields: &mut impl Fields) {
        for broker in &mut world.brokers[..self.brokers] {
            self.broker(broker, fields);
        }
        self.control(&mut world.control, fields);
        fields.field(&mut world.sent, self.offset);
        fields.field(&mut world.acked, self.records as u32);
        fields.field(&mut world.seen, self.records as u32);
        for (left, width) in world.left.iter_mut().zip(self.left) {
            fields.field(left, width);
        }
    }

    #[inline]
    fn broker(&self, broker: &mut Broker, fields: &mut impl Fields) {
        for record in &mut broker.log[..self.records] {
            fields.field(record, self.record);
        }
        fields.field(&mut broker.end, self.offset);
        for start in &mut broker.starts_1[..self.epochs] {
            fields.field(start, self.offset_1);
        }
        fields.field(&mut broker.flushed, self.flushed);
        if self.flush_every_record {
            broker.flushed = broker.end;
        }
        fields.field(&mut broker.hw, self.offset);
        fields.flag(&mut broker.up);
        fields.field(&mut broker.epoch_1, self.epoch_1);
        fields.field(&mut broker.leader_1, self.broker_1);
        fields.flag(&mut broker.behind);
        self.leading(&mut broker.leading, fields);
    }

    #[inline]
    fn leading(&self, leading: &mut Leading, fields: &mut impl Fields) {
        let set = self.brokers as u32;
        fields.field(&mut leading.start, self.offset);
        fields.field(&mut leading.waits_from, self.offset);
        fields.field(&mut leading.isr, set);
        let mut pending = leading.pending as Set;
        fields.field(&mut pending, 2);
        leading.pending = match pending {
            0 => Pending::None,
            1 => Pending::Expand,
            _ => Pending::Shrink,
        };
        fields.field(&mut leading.proposed, set);
        for end in &mut leading.ends_1[..self.brokers] {
            fields.field(end, self.offset_1);
        }
        fields.field(&mut leading.current, set);
    }

    #[inline]
    fn control(&self, control: &mut Control, fields: &mut impl Fields) {
        let set = self.brokers as u32;
        fields.field(&mut control.leader_1, self.broker_1);
        fields.field(&mut control.isr, set);
        fields.field(&mut control.elr, set);
        fields.field(&mut control.last_known_1, self.broker_1);
        fields.field(&mut control.epoch, self.epoch);
        fields.flag(&mut control.recovering);
        fields.field(&mut control.fenced, set);
    }
}
