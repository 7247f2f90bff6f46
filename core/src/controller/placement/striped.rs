//! KRaft's placement (R5.34, R5.35).

use super::{Draw, Usable};
use crate::words::{BrokerId, Brokers, ErrorCode, Map};
use alloc::vec::Vec;

/// Brokers of one rack and state, taken round by round from a random start.
#[derive(Clone, Debug, Default)]
pub struct RoundRobin {
    brokers: Vec<BrokerId>,
    epoch: usize,
    index: usize,
    offset: usize,
}

impl RoundRobin {
    /// `brokers` in ascending order, first taken from `offset`.
    pub fn new(brokers: Vec<BrokerId>, offset: usize) -> RoundRobin {
        RoundRobin { brokers, epoch: 0, index: 0, offset }
    }

    /// The next broker in round `epoch`; none when all were taken in it. Each round starts one
    /// further than the one before.
    pub fn next(&mut self, epoch: usize) -> Option<BrokerId> {
        let size = self.brokers.len();
        if size == 0 {
            return None;
        }
        if self.epoch != epoch {
            self.epoch = epoch;
            self.index = 0;
            self.offset = (self.offset + 1) % size;
        }
        if self.index >= size {
            return None;
        }
        let broker = self.brokers[(self.index + self.offset) % size];
        self.index += 1;
        Some(broker)
    }
}

/// From the end: each place swaps with one before it, or with itself.
fn shuffle<T>(list: &mut [T], draw: Draw<'_>) {
    for i in (2..=list.len()).rev() {
        list.swap(i - 1, draw(i));
    }
}

#[derive(Clone, Debug)]
struct Rack {
    unfenced: RoundRobin,
    fenced: RoundRobin,
}

impl Rack {
    fn next(&mut self, epoch: usize) -> Option<BrokerId> {
        self.unfenced.next(epoch).or_else(|| self.fenced.next(epoch))
    }
}

/// KRaft's striped placer: consecutive replicas come from consecutive racks (R5.34).
#[derive(Clone, Debug)]
pub struct StripedPlacer {
    /// In order of name.
    racks: Vec<Rack>,
    /// The order in which they are taken.
    order: Vec<usize>,
    unfenced: usize,
    total: usize,
    epoch: usize,
    rack_offset: usize,
}

impl StripedPlacer {
    /// Draws a start for each rack's fenced and unfenced list, and for the racks.
    pub fn new(brokers: &[Usable], draw: Draw<'_>) -> StripedPlacer {
        let mut by_rack: Map<Option<&str>, [Vec<BrokerId>; 2]> = Map::new();
        for broker in brokers {
            by_rack.entry(broker.rack.as_deref()).or_default()[usize::from(broker.fenced)]
                .push(broker.id);
        }
        let mut list = |ids: Vec<BrokerId>| {
            let mut ids = ids;
            ids.sort_unstable();
            let offset = if ids.is_empty() { 0 } else { draw(ids.len()) };
            RoundRobin::new(ids, offset)
        };
        let racks: Vec<Rack> = by_rack
            .into_iter()
            .map(|(_, [unfenced, fenced])| {
                let fenced = list(fenced);
                Rack { unfenced: list(unfenced), fenced }
            })
            .collect();
        let rack_offset = if racks.is_empty() { 0 } else { draw(racks.len()) };
        let unfenced = brokers.iter().filter(|b| !b.fenced).count();
        let order = (0..racks.len()).collect();
        StripedPlacer { racks, order, unfenced, total: brokers.len(), epoch: 0, rack_offset }
    }

    /// Replicas for the next partition.
    pub fn place(&mut self, replicas: usize, draw: Draw<'_>) -> Result<Brokers, ErrorCode> {
        if replicas == 0 || replicas > self.total || self.unfenced == 0 {
            return Err(ErrorCode::InvalidReplicationFactor);
        }
        // Rounds of a single unfenced broker go on: it starts each of them.
        if self.epoch == self.unfenced && self.unfenced > 1 {
            self.shuffle(draw);
            self.epoch = 0;
        }
        if self.rack_offset == self.racks.len() {
            self.rack_offset = 0;
        }
        let mut placed = Brokers::EMPTY;
        let mut rack = self.rack_offset;
        let epoch = self.epoch;
        let after = |rack: usize, racks: usize| (rack + 1) % racks;
        // The first replica is on an unfenced broker, in the first rack that has one.
        while placed.is_empty() {
            if let Some(broker) = self.rack(rack).unfenced.next(epoch) {
                placed.insert(broker);
            } else {
                rack = after(rack, self.racks.len());
            }
        }
        // The others come from the racks from the same start on, that one left out once.
        let mut taken = Some(rack);
        rack = self.rack_offset;
        while placed.len() < replicas {
            if taken == Some(rack) {
                taken = None;
            } else if let Some(broker) = self.rack(rack).next(epoch) {
                placed.insert(broker);
            }
            rack = after(rack, self.racks.len());
        }
        self.epoch += 1;
        self.rack_offset += 1;
        Ok(placed)
    }

    fn rack(&mut self, place: usize) -> &mut Rack {
        &mut self.racks[self.order[place]]
    }

    fn shuffle(&mut self, draw: Draw<'_>) {
        shuffle(&mut self.order, draw);
        for rack in &mut self.racks {
            shuffle(&mut rack.fenced.brokers, draw);
            shuffle(&mut rack.unfenced.brokers, draw);
        }
    }
}
