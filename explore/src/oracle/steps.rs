//! What may happen next in each protocol.

use super::state::{Lane, World};
use super::{Oracle, Protocol};
use crate::model::Action;

type Each<'a> = dyn FnMut(Action, World) + 'a;

/// Calls `each` with every successor, as often as TLC generates it.
#[inline]
pub fn all(oracle: &Oracle, world: &World, each: &mut impl FnMut(Action, [u64; 2])) {
    let steps = Steps { oracle, world };
    let mut each = |action, world: World| each(action, world.packed());
    steps.controller(&mut each);
    steps.requests(&mut each);
    for leader in (0..world.replicas).filter(|r| world.presumes(*r)) {
        steps.write(leader, &mut each);
        steps.advance_hw(leader, &mut each);
        if world.truly_leads(leader) {
            steps.change_isr(leader, &mut each);
        }
        for follower in (0..world.replicas).filter(|f| world.follows(*f, leader)) {
            steps.fetch(leader, follower, &mut each);
        }
    }
}

struct Steps<'a> {
    oracle: &'a Oracle,
    world: &'a World,
}

fn action(kind: u32, a: usize, b: usize) -> Action {
    kind | ((a as u32) << 8) | ((b as u32) << 16)
}

impl Steps<'_> {
    fn protocol(&self) -> Protocol {
        self.oracle.protocol
    }

    fn lane(&self, replica: usize) -> Lane {
        self.world.lanes[replica]
    }

    /// The controller takes a replica out of the ISR, or makes another member lead.
    fn controller(&self, each: &mut Each<'_>) {
        let global = self.world.global;
        if global.next_epoch() > self.oracle.max_epoch {
            return;
        }
        let (leader, isr) = (global.leader(), global.isr());
        let mut updated = |kind, replica, leader, isr| {
            let global = global.updated(leader, isr);
            each(action(kind, replica, 0), self.world.with_global(global));
        };
        for replica in 0..self.world.replicas {
            let own = 1 << replica;
            if leader == Some(replica) {
                updated(0, replica, None, if isr == own { isr } else { isr & !own });
            } else if isr & own != 0 {
                updated(0, replica, leader, isr & !own);
                updated(1, replica, Some(replica), isr);
            }
        }
    }

    /// A replica takes up a request under a newer epoch than its own.
    fn requests(&self, each: &mut Each<'_>) {
        for epoch in 0..self.world.global.next_epoch() {
            let (Some(leader), isr) = self.world.global.request(epoch) else { continue };
            let told = (leader, isr);
            for replica in (0..self.world.replicas).filter(|r| self.lane(*r).epoch_1() <= epoch) {
                let code = action(2, replica, epoch as usize);
                if replica == leader {
                    let lane = self.lane(replica).told(epoch, told);
                    each(code, self.world.with_lane(replica, lane));
                } else if let Some(end) = self.truncation(leader, replica, epoch) {
                    let lane = self.lane(replica);
                    let cut = lane.truncated(end).with_hw(lane.hw().min(end)).told(epoch, told);
                    each(code, self.world.with_lane(replica, cut));
                    // Two cases of the original overlap for an empty log; TLC counts both.
                    if self.protocol() == Protocol::Kip279 && lane.end() == 0 {
                        each(code, self.world.with_lane(replica, cut));
                    }
                }
            }
        }
    }

    /// Where a new follower's log ends; `None` if it cannot follow now.
    fn truncation(&self, leader: usize, replica: usize, epoch: u32) -> Option<u32> {
        let own = self.lane(replica);
        let end = match self.protocol() {
            Protocol::Truncate => own.hw(),
            Protocol::Kip101 => self.end_of_newest_epoch(leader, own),
            Protocol::Kip279 => self.matching(leader, own),
            Protocol::Kip320FirstTry => own.end(),
            Protocol::Kip320 => {
                let leads = self.world.presumes(leader) && self.lane(leader).epoch_1() == epoch + 1;
                return leads.then(|| self.matching(leader, own));
            }
        };
        (end <= own.end()).then_some(end)
    }

    /// KIP-101: where the leader has the follower's newest epoch end; its HW if it does not know.
    fn end_of_newest_epoch(&self, leader: usize, own: Lane) -> u32 {
        let leader = self.lane(leader);
        let Some(last) = own.end().checked_sub(1) else { return 0 };
        let epoch = own.record_epoch(last);
        match leader.end().checked_sub(1) {
            None => own.hw(),
            Some(newest) if leader.record_epoch(newest) == epoch => leader.end(),
            Some(_) => {
                let larger = (0..leader.end()).find(|o| leader.record_epoch(*o) > epoch);
                larger.unwrap_or(own.hw())
            }
        }
    }

    /// KIP-279: behind the last offset at which both logs have the same record.
    fn matching(&self, leader: usize, own: Lane) -> u32 {
        let leader = self.lane(leader);
        let last = (0..own.end()).rev().find(|o| leader.has(*o, own.record(*o)));
        last.map_or(0, |o| o + 1)
    }

    fn write(&self, leader: usize, each: &mut Each<'_>) {
        let lane = self.lane(leader);
        let next = self.world.global.next_record();
        if next < self.oracle.max_records && lane.end() < self.oracle.log_size {
            let record = next | ((lane.epoch_1() - 1) << 2);
            let global = self.world.global.with_next_record(next + 1);
            let written = self.world.with_lane(leader, lane.appended(record)).with_global(global);
            each(action(3, leader, 0), written);
        }
    }

    /// Whether a presumed leader may count the follower as having everything below `end`.
    fn has_reached(&self, leader: usize, follower: usize, end: u32) -> bool {
        let (own, other) = (self.lane(leader), self.lane(follower));
        let reaches = end == 0 || (own.has_offset(end - 1) && other.has_offset(end - 1));
        self.world.follows(follower, leader)
            && match self.protocol() {
                Protocol::Truncate | Protocol::Kip101 | Protocol::Kip279 => reaches,
                Protocol::Kip320FirstTry => {
                    let same = || own.record_epoch(end - 1) == other.record_epoch(end - 1);
                    reaches && (end == 0 || same())
                }
                Protocol::Kip320 => {
                    other.epoch_1() == own.epoch_1() && (end == 0 || other.has_offset(end - 1))
                }
            }
    }

    fn advance_hw(&self, leader: usize, each: &mut Each<'_>) {
        let lane = self.lane(leader);
        let reached = |f: &usize| self.has_reached(leader, *f, lane.hw() + 1);
        let mut isr = (0..self.world.replicas).filter(|r| lane.isr() & (1 << r) != 0);
        if lane.has_offset(lane.hw()) && isr.all(|f| reached(&f)) {
            let lane = lane.with_hw(lane.hw() + 1);
            each(action(4, leader, 0), self.world.with_lane(leader, lane));
        }
    }

    /// The true leader shrinks or expands the ISR.
    fn change_isr(&self, leader: usize, each: &mut Each<'_>) {
        let lane = self.lane(leader);
        for other in (0..self.world.replicas).filter(|r| *r != leader) {
            let with = |isr| {
                let world = self.world.with_lane(leader, lane.with_isr(isr));
                world.with_global(self.world.global.with_isr(isr))
            };
            let member = 1 << other;
            if lane.isr() & member != 0 {
                for _ in 0..self.shrinks(leader, other) {
                    each(action(5, leader, other), with(lane.isr() & !member));
                }
            } else if self.may_join(leader, other) {
                each(action(6, leader, other), with(lane.isr() | member));
            }
        }
    }

    /// In how many ways a member may be taken out of the ISR. In KIP-320's two reasons overlap, and
    /// TLC counts both.
    fn shrinks(&self, leader: usize, follower: usize) -> usize {
        let (own, other) = (self.lane(leader), self.lane(follower));
        if self.protocol() == Protocol::Kip320 {
            let follows = self.world.follows(follower, leader) && other.epoch_1() == own.epoch_1();
            return usize::from(!follows) + usize::from(other.end() < own.end());
        }
        usize::from(!self.has_reached(leader, follower, own.end()))
    }

    fn may_join(&self, leader: usize, follower: usize) -> bool {
        let lane = self.lane(leader);
        let fenced = matches!(self.protocol(), Protocol::Kip320FirstTry | Protocol::Kip320);
        // A new leader waits until its HW has reached its own epoch.
        let reached_epoch = lane.hw() == lane.end()
            || (lane.has_offset(lane.hw()) && lane.record_epoch(lane.hw()) + 1 == lane.epoch_1());
        self.has_reached(leader, follower, lane.hw()) && (!fenced || reached_epoch)
    }

    /// A follower replicates the next record, or, in the rejected design, finds that it diverges.
    fn fetch(&self, leader: usize, follower: usize, each: &mut Each<'_>) {
        let (from, to) = (self.lane(leader), self.lane(follower));
        let end = to.end();
        let fenced = match self.protocol() {
            Protocol::Truncate | Protocol::Kip101 | Protocol::Kip279 => true,
            Protocol::Kip320FirstTry | Protocol::Kip320 => self.has_reached(leader, follower, end),
        };
        if fenced && from.has_offset(end) && end < self.oracle.log_size {
            let lane = to.appended(from.record(end)).with_hw(from.hw().min(end + 1));
            each(action(7, follower, leader), self.world.with_lane(follower, lane));
        }
        if self.protocol() == Protocol::Kip320FirstTry && self.diverges(from, to) {
            let cut = self.matching(leader, to);
            let lane = to.truncated(cut).with_hw(to.hw().min(cut));
            each(action(8, follower, leader), self.world.with_lane(follower, lane));
        }
    }

    fn diverges(&self, leader: Lane, follower: Lane) -> bool {
        let end = follower.end();
        end > leader.end()
            || (end > 0 && leader.record_epoch(end - 1) != follower.record_epoch(end - 1))
    }
}
