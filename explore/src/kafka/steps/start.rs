//! Where a run begins, and when it breaks a promise.

use super::super::question::{Fault, Property, Question};
use super::super::world::{Broker, Control, MOST_BROKERS, Set, World};
use highwater_core::partition::epochs;

impl World {
    /// Nothing at all.
    pub const EMPTY: World = World {
        brokers: [Broker::NEW; MOST_BROKERS],
        control: Control {
            leader_1: 0,
            isr: 0,
            elr: 0,
            last_known_1: 0,
            epoch: 0,
            recovering: false,
            fenced: 0,
        },
        sent: 0,
        acked: 0,
        seen: 0,
        left: [0; Fault::COUNT],
    };

    /// A cluster that has run for long: 1 leads under epoch 0, everybody is in sync and empty.
    pub fn formed(question: &Question) -> World {
        let everyone = question.everyone();
        let mut world = World { left: question.faults, ..World::EMPTY };
        world.control.leader_1 = 1;
        world.control.isr = everyone;
        let brokers = usize::from(question.brokers);
        for broker in &mut world.brokers[..brokers] {
            (broker.up, broker.epoch_1, broker.leader_1) = (true, 1, 1);
        }
        let leader = &mut world.brokers[0];
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
    pub fn breaks(&self, question: &Question) -> bool {
        match question.property {
            Property::AckedSurvives => self.acked & !self.surviving() != 0,
            Property::SeenStays => self.seen & !self.surviving() != 0,
            Property::HasLeader => {
                let lives = |b: &usize| {
                    let broker = &self.brokers[*b];
                    broker.up && !broker.behind && !self.is_fenced(*b)
                };
                let alive = (0..usize::from(question.brokers)).filter(lives).count();
                self.control.leader_1 == 0 && alive >= usize::from(question.alive)
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
