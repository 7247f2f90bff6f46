//! One state in 128 bits: 32 for each of three replicas, 32 for the rest.

use crate::symmetry::{Order, permuted_set, places};

/// What a replica has, in 24 bits: its records (id and epoch in four bits each), its log end, its
/// HW, its leader epoch + 1, its leader + 1, its ISR.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lane(pub u32);

/// What the quorum and the controller have, in 28 bits: the next record id, the next epoch, the
/// quorum's ISR, and for each epoch so far the leader + 1 and the ISR that were sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Global(pub u32);

/// A state, unpacked.
#[derive(Clone, Copy, Debug)]
pub struct World {
    pub lanes: [Lane; 3],
    pub global: Global,
    pub replicas: usize,
}

fn bits(word: u32, at: u32, width: u32) -> u32 {
    (word >> at) & ((1 << width) - 1)
}

fn with(word: u32, at: u32, width: u32, value: u32) -> u32 {
    debug_assert!(value < 1 << width);
    (word & !(((1 << width) - 1) << at)) | (value << at)
}

impl Lane {
    /// Id and epoch of the record at `offset`, as one number; 0 behind the end.
    pub fn record(self, offset: u32) -> u32 {
        bits(self.0, 4 * offset, 4)
    }

    pub fn record_epoch(self, offset: u32) -> u32 {
        self.record(offset) >> 2
    }

    pub fn has_offset(self, offset: u32) -> bool {
        offset < self.end()
    }

    pub fn has(self, offset: u32, record: u32) -> bool {
        self.has_offset(offset) && self.record(offset) == record
    }

    pub fn end(self) -> u32 {
        bits(self.0, 12, 2)
    }

    pub fn hw(self) -> u32 {
        bits(self.0, 14, 2)
    }

    pub fn with_hw(self, hw: u32) -> Lane {
        Lane(with(self.0, 14, 2, hw))
    }

    /// The epoch that it knows + 1; 0 before any.
    pub fn epoch_1(self) -> u32 {
        bits(self.0, 16, 3)
    }

    /// Whom it takes for the leader, + 1.
    pub fn leader_1(self) -> u32 {
        bits(self.0, 19, 2)
    }

    pub fn isr(self) -> u32 {
        bits(self.0, 21, 3)
    }

    pub fn with_isr(self, isr: u32) -> Lane {
        Lane(with(self.0, 21, 3, isr))
    }

    /// After a LeaderAndIsr request.
    pub fn told(self, epoch: u32, (leader, isr): (usize, u32)) -> Lane {
        let word = with(self.0, 16, 3, epoch + 1);
        Lane(with(word, 19, 2, leader as u32 + 1)).with_isr(isr)
    }

    pub fn appended(self, record: u32) -> Lane {
        let end = self.end();
        Lane(with(with(self.0, 4 * end, 4, record), 12, 2, end + 1))
    }

    pub fn truncated(self, end: u32) -> Lane {
        let records = bits(self.0, 0, 12) & ((1 << (4 * end)) - 1);
        Lane(with(with(self.0, 0, 12, records), 12, 2, end))
    }
}

impl Global {
    pub fn next_record(self) -> u32 {
        bits(self.0, 0, 2)
    }

    pub fn with_next_record(self, next: u32) -> Global {
        Global(with(self.0, 0, 2, next))
    }

    /// The epoch of the next request; those before it have been sent.
    pub fn next_epoch(self) -> u32 {
        bits(self.0, 2, 3)
    }

    pub fn isr(self) -> u32 {
        bits(self.0, 5, 3)
    }

    pub fn with_isr(self, isr: u32) -> Global {
        Global(with(self.0, 5, 3, isr))
    }

    /// Leader (if any) and ISR of the request of an epoch.
    pub fn request(self, epoch: u32) -> (Option<usize>, u32) {
        let request = bits(self.0, 8 + 5 * epoch, 5);
        ((request & 3).checked_sub(1).map(|l| l as usize), request >> 2)
    }

    /// The quorum's leader: nobody else is told of another.
    pub fn leader(self) -> Option<usize> {
        self.request(self.next_epoch().checked_sub(1)?).0
    }

    /// The controller writes leader and ISR under a new epoch and sends them.
    pub fn updated(self, leader: Option<usize>, isr: u32) -> Global {
        let epoch = self.next_epoch();
        let request = leader.map_or(0, |l| l as u32 + 1) | (isr << 2);
        let sent = with(self.0, 8 + 5 * epoch, 5, request);
        Global(with(sent, 2, 3, epoch + 1)).with_isr(isr)
    }
}

impl World {
    pub fn initial(replicas: usize) -> World {
        let isr = (1 << replicas) - 1;
        World { lanes: [Lane(0); 3], global: Global(0).with_isr(isr), replicas }
    }

    #[inline]
    pub fn unpacked([low, high]: [u64; 2], replicas: usize) -> World {
        let lanes = [Lane(low as u32), Lane((low >> 32) as u32), Lane(high as u32)];
        World { lanes, global: Global((high >> 32) as u32), replicas }
    }

    #[inline]
    pub fn packed(&self) -> [u64; 2] {
        let [a, b, c] = self.lanes.map(|l| u64::from(l.0));
        [a | (b << 32), c | (u64::from(self.global.0) << 32)]
    }

    pub fn with_lane(mut self, replica: usize, lane: Lane) -> World {
        self.lanes[replica] = lane;
        self
    }

    pub fn with_global(self, global: Global) -> World {
        World { global, ..self }
    }

    /// Whether a replica believes to lead.
    pub fn presumes(&self, replica: usize) -> bool {
        self.follows(replica, replica)
    }

    pub fn follows(&self, follower: usize, leader: usize) -> bool {
        self.lanes[follower].leader_1() == leader as u32 + 1
    }

    /// Whether the quorum has the presumed leader for its leader, too, under the same epoch.
    pub fn truly_leads(&self, leader: usize) -> bool {
        self.global.leader() == Some(leader)
            && self.presumes(leader)
            && self.lanes[leader].epoch_1() == self.global.next_epoch()
    }

    /// What a replica is, without the name of any.
    #[inline]
    pub fn key(&self, replica: usize) -> u64 {
        let lane = self.lanes[replica];
        let own = |leader: Option<usize>, isr: u32| {
            u64::from(leader == Some(replica)) | (u64::from((isr >> replica) & 1) << 1)
        };
        let leader = (lane.leader_1() as usize).checked_sub(1);
        let mut key = u64::from(bits(lane.0, 0, 19));
        key = (key << 1) | u64::from(leader.is_some());
        key = (key << 2) | own(leader, lane.isr());
        key = (key << 2) | u64::from(lane.isr().count_ones());
        key = (key << 1) | own(None, self.global.isr()) >> 1;
        for epoch in 0..4 {
            let (leader, isr) = self.global.request(epoch);
            key = (key << 2) | own(leader, isr);
        }
        key
    }

    /// The same with its replicas in another order.
    #[inline]
    pub fn permuted(&self, order: &Order) -> World {
        let order = &order[..self.replicas];
        let places = places(order);
        let renamed = |leader_1: u32| match leader_1 {
            0 => 0,
            l => places[l as usize - 1] as u32 + 1,
        };
        let mut world = *self;
        for (place, from) in order.iter().enumerate() {
            let lane = self.lanes[*from];
            let word = with(lane.0, 19, 2, renamed(lane.leader_1()));
            world.lanes[place] = Lane(word).with_isr(permuted_set(lane.isr(), order));
        }
        let mut global = self.global.with_isr(permuted_set(self.global.isr(), order)).0;
        for at in (8..28).step_by(5) {
            let request = bits(global, at, 5);
            let isr = permuted_set(request >> 2, order);
            global = with(global, at, 5, renamed(request & 3) | (isr << 2));
        }
        world.with_global(Global(global))
    }
}
