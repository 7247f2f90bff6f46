//! What the controller of KRaft does.

use super::super::action::Step;
use super::super::question::{Fault, Frame};
use super::super::world::{self, Pending, World};
use super::{Each, Successors};
use highwater_core::partition::alter_partition::{Proposed, validate};
use highwater_core::partition::change::{Change, ChangeContext};
use highwater_core::partition::election;
use highwater_core::partition::zk_change;
use highwater_core::words::{BrokerId, ErrorCode};

impl Successors<'_> {
    pub fn controller_steps(&self, broker: usize, each: &mut Each<'_>) {
        let is_fenced = self.world.is_fenced(broker);
        let state = &self.world.brokers[broker];
        if state.leads(broker) && state.leading.pending != Pending::None {
            self.alter(broker, each);
        }
        if !is_fenced {
            self.session_ends(broker, each);
        } else if state.up && !state.behind {
            let mut next = *self.world;
            next.rest.control.fenced &= !(1 << broker);
            // Every partition without leader is tried again (R5.28).
            let stored = next.stored(self.question);
            let good = stored.leader.is_some()
                || next.change(
                    self.question,
                    Change::electing(&stored, self.question.election()),
                    None,
                );
            if good {
                each(Step::Unfence(broker), &next);
            }
        }
    }

    /// The controller tests and stores the ISR that a leader asked for (R2.24). What it answers the
    /// leader hears with the stored state; a refusal reaches it at once.
    fn alter(&self, leader: usize, each: &mut Each<'_>) {
        let broker = &self.world.brokers[leader];
        let (stored, leading) = (self.world.stored(self.question), &broker.leading);
        let mut isr = [(BrokerId(0), -1); world::MOST_BROKERS];
        let mut length = 0;
        for member in world::members(leading.proposed) {
            let epoch = match member == leader {
                true => self.world.active_epoch(world::id(leader)).unwrap_or(1),
                false => leading.progress(member).broker_epoch,
            };
            isr[length] = (world::id(member), epoch);
            length += 1;
        }
        let proposed = Proposed {
            leader_epoch: broker.epoch(),
            partition_epoch: self.world.known_version(leader),
            isr: &isr[..length],
            recovering: false,
        };
        let active = |b: BrokerId| self.world.active_epoch(b);
        let mut next = *self.world;
        match validate(&proposed, world::id(leader), &stored, &active) {
            Ok(()) => {
                let (isr, election) = (proposed.brokers(), self.question.election());
                let change = Change::proposed(&stored, isr, proposed.recovering, election);
                if !next.change(self.question, change, None) {
                    return;
                }
            }
            Err(error) => {
                if !next.fall_back(leader, error) {
                    return;
                }
            }
        }
        each(Step::Alter(leader), &next);
    }

    /// What the operator may do.
    pub fn operator_steps(&self, each: &mut Each<'_>) {
        let mut next = *self.world;
        if !next.spend(Fault::UncleanElection) {
            return;
        }
        let stored = next.stored(self.question);
        let within = if self.question.has_zookeeper() {
            let live = |b: BrokerId| self.world.active_epoch(b).is_some();
            let Ok(written) = zk_change::elect_unclean(&stored, &live) else { return };
            next.store(&written.state, self.question)
        } else {
            let Ok((election, _)) = election::asked_for(&stored, true) else { return };
            next.change(self.question, Change::electing(&stored, election), None)
        };
        if within {
            each(Step::UncleanElection, &next);
        }
    }
}

impl World {
    /// Takes one of a fault's budget; false if there is none left.
    pub fn spend(&mut self, fault: Fault) -> bool {
        let left = &mut self.rest.left[fault as usize];
        let can = *left > 0;
        *left -= u8::from(can);
        can
    }

    /// `broker` leaves ISR and leadership (R5.28). False: beyond the bounds.
    #[must_use]
    pub fn leave(&mut self, question: &Frame, broker: usize) -> bool {
        let stored = self.stored(question);
        let change = Change::fenced(&stored, world::id(broker), question.election());
        change.is_none_or(|change| self.change(question, change, Some(broker)))
    }

    /// Makes a change; `about` may not lead. False: beyond the bounds. One over which the controller
    /// fails, or that changes nothing, leaves all as it is.
    #[must_use]
    pub fn change(&mut self, question: &Frame, change: Change, about: Option<usize>) -> bool {
        let about = about.map(world::id);
        let acceptable = |b: BrokerId| Some(b) != about && self.active_epoch(b).is_some();
        let context = ChangeContext {
            rules: &question.rules,
            min_isr: question.effective_min_isr(),
            acceptable: &acceptable,
        };
        let stored = self.stored(question);
        let built: Result<_, ErrorCode> = change.build(&stored, &context);
        match built {
            Ok(Some(changed)) => self.store(&changed.state, question),
            Ok(None) | Err(_) => true,
        }
    }
}
