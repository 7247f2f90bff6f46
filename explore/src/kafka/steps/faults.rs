//! What goes wrong, and starts again.

use super::super::action::Step;
use super::super::question::{Fault, Frame};
use super::super::world::{self, World};
use super::{Each, Successors};
use highwater_core::partition::change::Change;
use highwater_core::settings::rules::SessionLook;

impl Successors<'_> {
    pub fn fault_steps(&self, broker: usize, each: &mut Each<'_>) {
        let state = &self.world.brokers[broker];
        if state.up {
            let mut next = *self.world;
            if next.spend(Fault::Crash) {
                next.broker_mut(broker).exit();
                each(Step::Crash(broker), &next);
            }
            self.stop(broker, each);
        } else if self.may_register(broker) {
            self.start(broker, each);
        }
        let mut next = *self.world;
        if (state.up || state.flushed < state.end) && next.spend(Fault::Power) {
            next.broker_mut(broker).exit();
            let flushed = next.brokers[broker].flushed;
            next.broker_mut(broker).cut(flushed);
            each(Step::Power(broker), &next);
        }
    }

    /// A session ends: of a broker that is down for nothing, of a live one as a fault (R5.28).
    pub fn session_ends(&self, broker: usize, each: &mut Each<'_>) {
        let mut next = *self.world;
        if next.brokers[broker].up && !next.spend(Fault::Session) {
            return;
        }
        next.rest.control.fenced |= 1 << broker;
        let within = match self.question.has_zookeeper() {
            true => next.part(self.question, broker, false),
            false => next.leave(self.question, broker),
        };
        if within {
            each(Step::Fence(broker), &next);
        }
    }

    /// A clean stop: the broker hands over what it leads, leaves the ISR, writes everything down and
    /// goes (R1.12, R5.28).
    fn stop(&self, broker: usize, each: &mut Each<'_>) {
        let mut next = *self.world;
        if !next.spend(Fault::Stop) {
            return;
        }
        let was_fenced = next.is_fenced(broker);
        next.rest.control.fenced |= 1 << broker;
        let within = match self.question.has_zookeeper() {
            true => was_fenced || next.part(self.question, broker, true),
            false => was_fenced || next.leave(self.question, broker),
        };
        if within {
            let state = next.broker_mut(broker);
            state.checkpoint = state.hw;
            state.exit();
            (state.flushed, state.clean) = (state.end, true);
            each(Step::Stop(broker), &next);
        }
    }

    /// A process that has loaded its log: what lies behind the log's end is forgotten, and the HW is
    /// the one on the disk (R1.11, R1.18).
    fn loaded(&self, broker: usize) -> World {
        let mut next = *self.world;
        let state = next.broker_mut(broker);
        state.forget_epochs_behind_end();
        state.hw = state.checkpoint.min(state.end);
        (state.up, state.behind, state.clean) = (true, true, false);
        next
    }

    /// Whether a new process may register: not while the session of the former one holds (R5.5).
    /// Where sessions are looked at the moment they end, the broker is fenced first (R5.3).
    fn may_register(&self, broker: usize) -> bool {
        let looked_at_late = self.question.rules.session_look == SessionLook::Periodic;
        self.world.is_fenced(broker) || looked_at_late
    }

    /// A process starts: it loads its log and registers (R1.18, R5.29).
    fn start(&self, broker: usize, each: &mut Each<'_>) {
        let mut next = self.loaded(broker);
        let within = match self.question.has_zookeeper() {
            true => next.join(self.question, broker),
            false => next.register(self.question, broker, self.world.broker(broker).clean),
        };
        if within {
            each(Step::Start(broker), &next);
        }
    }
}

impl World {
    /// A new process registers, and says how the last one stopped. False: beyond the bounds.
    #[must_use]
    fn register(&mut self, question: &Frame, broker: usize, clean: bool) -> bool {
        let stored = self.stored(question);
        let (own, election) = (world::id(broker), question.election());
        let stop = (clean, false);
        let change = Change::registered(&question.rules, &stored, own, stop, election);
        let within = change.is_none_or(|change| self.change(question, change, Some(broker)));
        self.rest.control.fenced |= 1 << broker;
        for other in 0..usize::from(question.brokers) {
            if self.broker(other).leading.current & (1 << broker) != 0 {
                self.broker_mut(other).leading.current &= !(1 << broker);
            }
        }
        within
    }
}
