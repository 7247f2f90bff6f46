//! States to words and back.
//!
//! A state is a row of pieces: one for each broker, and one for everything else. A step changes few
//! brokers, so the pieces of the others are taken over as they are.

use super::bits::{self, Counter, Fields, Joined, Reader, Writer, width};
use super::question::{Fault, Property, Question};
use super::world::{Broker, Leading, MOST_BROKERS, Pending, Rest, Set, World};

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
    /// Whether brokers may stop cleanly.
    stops: bool,
    /// Whether the HW on a disk matters.
    checkpoints: bool,
    /// The piece of a broker, and that of the rest.
    lane: u32,
    rest: u32,
}

/// The first bit of a broker's piece. That it has not heard of something may come to a broker that
/// was not touched otherwise.
const BEHIND: u64 = 1;

/// The pieces of the brokers.
pub type Lanes = [u64; MOST_BROKERS];

impl Layout {
    pub fn of(question: &Question) -> Layout {
        let (brokers, records) = (u32::from(question.brokers), u32::from(question.records));
        let epochs = u32::from(question.max_epoch);
        let stops = question.faults[Fault::Stop as usize] > 0;
        let offset = width(records);
        let mut layout = Layout {
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
            stops,
            checkpoints: question.checkpoints_matter(),
            lane: 0,
            rest: 0,
        };
        let (mut lane, mut rest) = (Counter::default(), Counter::default());
        layout.broker(0, &mut { Broker::NEW }, &mut lane);
        layout.rest(&mut Rest::default(), &mut rest);
        (layout.lane, layout.rest) = (lane.0, rest.0);
        layout
    }

    /// How many words a state takes; `None` if a broker does not fit into one.
    pub fn words(&self) -> Option<usize> {
        let bits = self.lane * self.brokers as u32 + self.rest;
        (self.lane <= 64 && self.rest <= 64).then_some(bits.div_ceil(64) as usize)
    }

    /// The world's words. Of the brokers that have not been touched the pieces are `known`.
    #[inline]
    pub fn packed<const W: usize>(&self, world: &World, known: &Lanes) -> [u64; W] {
        let mut joined = Joined::new();
        for (own, known) in known.iter().enumerate().take(self.brokers) {
            let lane = match world.is_touched(own) {
                true => {
                    let mut writer = Writer::default();
                    self.broker(own, &mut { world.brokers[own] }, &mut writer);
                    writer.word
                }
                false => *known | (BEHIND & u64::from(world.brokers[own].behind)),
            };
            joined.push(lane, self.lane);
        }
        let mut writer = Writer::default();
        self.rest(&mut { world.rest }, &mut writer);
        joined.push(writer.word, self.rest);
        joined.words
    }

    /// The world of such words, with nobody touched, and the pieces of its brokers.
    #[inline]
    pub fn unpacked<const W: usize>(&self, words: &[u64; W]) -> (World, Lanes) {
        let (mut world, mut lanes) = (World::EMPTY, Lanes::default());
        let mut at = 0;
        for (own, lane) in lanes.iter_mut().enumerate().take(self.brokers) {
            *lane = bits::piece(words, at, self.lane);
            self.broker(own, &mut world.brokers[own], &mut Reader(*lane));
            at += self.lane;
        }
        self.rest(&mut world.rest, &mut Reader(bits::piece(words, at, self.rest)));
        (world, lanes)
    }

    /// A look at what is no broker's: most states cannot break the promise.
    #[inline]
    pub fn may_break<const W: usize>(&self, words: &[u64; W], question: &Question) -> bool {
        let mut rest = Rest::default();
        let at = self.lane * self.brokers as u32;
        self.rest(&mut rest, &mut Reader(bits::piece(words, at, self.rest)));
        match question.property {
            Property::AckedSurvives => rest.acked != 0,
            Property::SeenStays => rest.seen != 0,
            Property::HasLeader => rest.control.leader_1 == 0,
        }
    }

    #[inline(always)]
    fn broker(&self, own: usize, broker: &mut Broker, fields: &mut impl Fields) {
        fields.flag(&mut broker.behind);
        for record in &mut broker.log[..self.records] {
            fields.field(record, self.record);
        }
        fields.field(&mut broker.end, self.offset);
        for start in &mut broker.starts_1[..self.epochs] {
            fields.field(start, self.offset_1);
        }
        if self.flush_every_record {
            broker.flushed = broker.end;
        } else {
            fields.field(&mut broker.flushed, self.flushed);
        }
        fields.field(&mut broker.hw, self.offset);
        fields.flag(&mut broker.up);
        if self.stops {
            fields.flag(&mut broker.clean);
        }
        fields.field(&mut broker.epoch_1, self.epoch_1);
        fields.field(&mut broker.leader_1, self.broker_1);
        if self.checkpoints {
            fields.flag(&mut broker.asks);
            fields.field(&mut broker.checkpoint, self.offset);
        }
        self.leading(own, &mut broker.leading, fields);
    }

    #[inline(always)]
    fn leading(&self, own: usize, leading: &mut Leading, fields: &mut impl Fields) {
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
        for (follower, end) in leading.ends_1[..self.brokers].iter_mut().enumerate() {
            if follower != own {
                fields.field(end, self.offset_1);
            }
        }
        fields.field(&mut leading.current, set);
    }

    #[inline(always)]
    fn rest(&self, rest: &mut Rest, fields: &mut impl Fields) {
        let set = self.brokers as u32;
        let control = &mut rest.control;
        fields.field(&mut control.leader_1, self.broker_1);
        fields.field(&mut control.isr, set);
        fields.field(&mut control.elr, set);
        fields.field(&mut control.last_known_1, self.broker_1);
        fields.field(&mut control.epoch, self.epoch);
        fields.flag(&mut control.recovering);
        fields.field(&mut control.fenced, set);
        fields.field(&mut rest.sent, self.offset);
        fields.field(&mut rest.acked, self.records as u32);
        fields.field(&mut rest.seen, self.records as u32);
        for (left, width) in rest.left.iter_mut().zip(self.left) {
            fields.field(left, width);
        }
    }
}
