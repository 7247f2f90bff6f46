//! Five public models of Kafka's replication with known answers: what the engine is held against.
//!
//! The ideas are those of Jason Gustafson's `kafka-specification`: one partition in the days of
//! ZooKeeper, whose controller writes leader and ISR at once and tells them in LeaderAndIsr requests
//! that may be lost, repeated and reordered. These models know nothing of `highwater-core`; the
//! numbers that TLC finds in the originals are in `tests/oracle.rs`.

mod state;
mod steps;

use crate::model::{Action, Model};
use crate::symmetry::{self, Order};
use state::{Lane, World};

/// Below a presumed leader's HW all members of its own ISR agree.
pub const WEAK_ISR: u32 = 1;
/// Below a presumed leader's HW all members of the quorum's ISR agree.
pub const STRONG_ISR: u32 = 2;

/// How followers truncate, fetch and join.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protocol {
    /// Up to 0.10: a new follower truncates to its HW.
    Truncate,
    /// 0.11: it asks for the end of its epoch.
    Kip101,
    /// 2.0: it walks back to the first offset and epoch that match.
    Kip279,
    /// A rejected design: fetches carry the epoch of the last fetched record.
    Kip320FirstTry,
    /// 2.1 on: fetches and truncation carry the current epoch.
    Kip320,
}

/// A protocol with its bounds: at most three of each.
#[derive(Clone, Copy, Debug)]
pub struct Oracle {
    /// The protocol.
    pub protocol: Protocol,
    /// Replicas.
    pub replicas: usize,
    /// Most records in a log.
    pub log_size: u32,
    /// Most records written.
    pub max_records: u32,
    /// The last leader epoch; the first is 0.
    pub max_epoch: u32,
}

impl Oracle {
    /// The usual bounds: two records, logs of two, epochs to 2.
    pub fn new(protocol: Protocol, replicas: usize) -> Oracle {
        Oracle { protocol, replicas, log_size: 2, max_records: 2, max_epoch: 2 }
    }

    fn agrees_below_hw(world: &World, leader: Lane, isr: u32) -> bool {
        (0..leader.hw()).all(|offset| {
            offset < leader.end()
                && (0..world.replicas)
                    .filter(|r| isr & (1 << r) != 0)
                    .all(|r| world.lanes[r].has(offset, leader.record(offset)))
        })
    }
}

impl Model for Oracle {
    type State = [u64; 2];

    fn initial(&self, mut each: impl FnMut([u64; 2])) {
        each(World::initial(self.replicas).packed());
    }

    #[inline]
    fn successors(&self, state: &[u64; 2], mut each: impl FnMut(Action, [u64; 2])) {
        steps::all(self, &World::unpacked(*state, self.replicas), &mut each);
    }

    #[inline]
    fn broken(&self, state: &[u64; 2]) -> u32 {
        let world = World::unpacked(*state, self.replicas);
        let leaders = || (0..self.replicas).filter(|r| world.presumes(*r));
        let holds = |isr: &dyn Fn(Lane) -> u32| {
            leaders().all(|l| {
                let leader = world.lanes[l];
                leader.hw() == 0 || Oracle::agrees_below_hw(&world, leader, isr(leader))
            })
        };
        let weak = holds(&|leader| leader.isr());
        let strong = holds(&|_| world.global.isr());
        u32::from(!weak) * WEAK_ISR + u32::from(!strong) * STRONG_ISR
    }

    #[inline]
    fn canonical(&self, state: &[u64; 2]) -> [u64; 2] {
        let world = World::unpacked(*state, self.replicas);
        let mut keys = [0; 3];
        for (replica, key) in keys.iter_mut().enumerate().take(self.replicas) {
            *key = world.key(replica);
        }
        symmetry::canonical(&keys[..self.replicas], |order: &Order| world.permuted(order).packed())
    }
}
