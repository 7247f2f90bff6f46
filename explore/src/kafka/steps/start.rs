//! Where a run begins, and when it breaks a promise.

use super::super::question::{Frame, Property};
use super::super::world::{Set, World};
use highwater_core::partition::epochs;

impl World {
    /// A cluster that has run for long: 1 leads under epoch 0, everybody is in sync and empty.
    pub fn formed(question: &Frame) -> World {
        let everyone = question.everyone();
        let mut world = World::EMPTY;
        world.rest.left = question.faults;
        world.rest.control.leader_1 = 1;
        world.rest.control.isr = everyone;
        let brokers = usize::from(question.brokers);
        for place in 0..brokers {
            let broker = world.broker_mut(place);
            (broker.up, broker.epoch_1, broker.leader_1) = (true, 1, 1);
        }
        let leader = world.broker_mut(0);
        leader.leading.isr = everyone;
        leader.leading.current = everyone & !1;
        leader.leading.ends_1[1..brokers].fill(1);
        let begun = epochs::begun(question.rules.epoch_entries, 0, 0);
        if let Some(entry) = begun {
            leader.assign(&question.rules, entry);
        }
        world
    }

    /// Whether the state breaks the promise that is asked about.
    pub fn breaks(&self, question: &Frame) -> bool {
        match question.property {
            Property::AckedSurvives => self.rest.acked & !self.surviving() != 0,
            Property::SeenStays => self.rest.seen & !self.surviving() != 0,
            Property::HasLeader => {
                let lives = |b: &usize| {
                    let broker = &self.brokers[*b];
                    broker.up && !broker.behind && !self.is_fenced(*b)
                };
                let alive = (0..usize::from(question.brokers)).filter(lives).count();
                self.rest.control.leader_1 == 0 && alive >= usize::from(question.alive)
            }
        }
    }

    /// Records that are not lost: those of the leader, to which the others will truncate (R4.2);
    /// without one, those that anybody has.
    fn surviving(&self) -> Set {
        match self.true_leader() {
            Some(leader) => self.brokers[leader].records(),
            None => self.brokers.iter().fold(0, |all, b| all | b.records()),
        }
    }
}
