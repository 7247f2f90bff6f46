//! What the controller of a ZooKeeper cluster does, and what leaders write themselves.
//!
//! The controller is a broker without replica that does not fail. Its tasks about one broker are one
//! step here; whom it tells of the outcome, and when, is left open.

use super::super::action::Step;
use super::super::question::Frame;
use super::super::world::{self, Pending, World};
use super::{Each, Successors};
use highwater_core::partition::Stored;
use highwater_core::partition::alter_partition::Proposed;
use highwater_core::partition::heard::{Checked, Heard, Known, checked, told};
use highwater_core::partition::zk_change;
use highwater_core::settings::rules::IsrStore;
use highwater_core::words::{BrokerId, ErrorCode};

impl Successors<'_> {
    pub fn zookeeper_steps(&self, broker: usize, each: &mut Each<'_>) {
        let state = &self.world.brokers[broker];
        if state.leads(broker) && state.leading.pending != Pending::None {
            self.write_isr(broker, each);
        }
        let mut next = *self.world;
        if !self.world.is_fenced(broker) {
            self.session_ends(broker, each);
        } else if state.up && next.join(self.question, broker) {
            next.broker_mut(broker).behind = true;
            each(Step::Unfence(broker), &next);
        }
    }

    /// A leader stores the ISR that it wants: in ZooKeeper itself, under the version that it knows,
    /// or by the controller (R2.22, R2.23). It has the answer at once.
    fn write_isr(&self, leader: usize, each: &mut Each<'_>) {
        let (stored, broker) = (self.world.stored(self.question), self.world.broker(leader));
        let isr = self.question.brokers(broker.leading.proposed);
        let written = match self.question.rules.isr_store {
            _ if self.world.is_fenced(leader) => Err(ErrorCode::IneligibleReplica),
            IsrStore::ZooKeeper if broker.behind => Err(ErrorCode::IneligibleReplica),
            IsrStore::ZooKeeper => Ok(Some(Stored { isr, ..stored }.recorded(false))),
            IsrStore::AlterIsr | IsrStore::AlterPartition => {
                let members: [_; world::MOST_BROKERS] =
                    core::array::from_fn(|i| (isr.get(i).copied().unwrap_or_default(), -1));
                let proposed = Proposed {
                    leader_epoch: broker.epoch(),
                    partition_epoch: self.world.known_version(leader),
                    isr: &members[..isr.len()],
                    recovering: false,
                };
                zk_change::alter_isr(&stored, &proposed).map(|w| w.map(|w| w.state))
            }
        };
        let mut next = *self.world;
        match written {
            Ok(state) => {
                let state = state.unwrap_or(stored);
                if !next.put(&state, self.question) {
                    return;
                }
                next.commit(self.question, leader, &state);
                if self.question.rules.isr_answer_moves_hw {
                    next.advance_hw(self.question, leader);
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
}

impl World {
    /// What a LeaderAndIsr request makes of a replica (R3.7, R3.8).
    pub fn told(&self, question: &Frame, own: usize, known: Known, stored: &Stored) -> Heard {
        let (rules, id) = (&question.rules, world::id(own));
        let live = |b: BrokerId| self.active_epoch(b).is_some();
        match checked(rules, id, known.leader_epoch, stored, &live) {
            Ok(Checked::Taken) => told(rules, id, known, stored),
            Ok(Checked::Skipped | Checked::Unknown) | Err(_) => Heard::Nothing,
        }
    }

    /// A broker's session begins: partitions that are offline get a leader if they can (R5.14).
    /// False: beyond the bounds.
    #[must_use]
    pub fn join(&mut self, question: &Frame, broker: usize) -> bool {
        self.rest.control.fenced &= !(1 << broker);
        let stored = self.stored(question);
        let live = |b: BrokerId| self.active_epoch(b).is_some();
        let offline = !stored.leader.is_some_and(live);
        let elected = zk_change::elect(&stored, offline, question.unclean, &live);
        elected.is_none_or(|written| self.store(&written.state, question))
    }

    /// A broker's session has ended, or it `stops`: its leadership moves, its replica leaves the ISR
    /// (R5.11–R5.13). False: beyond the bounds.
    #[must_use]
    pub fn part(&mut self, question: &Frame, broker: usize, stops: bool) -> bool {
        let (rules, own, unclean) = (&question.rules, world::id(broker), question.unclean);
        let old = self.stored(question);
        let live = |b: BrokerId| self.active_epoch(b).is_some();
        let moved = stops
            .then(|| {
                zk_change::hand_over(rules, &old, own, &|b| b == own || live(b), &|b| b == own)
            })
            .flatten();
        let handed = moved.map_or(old, |written| written.state);
        let lost = zk_change::lose(rules, &handed, &[own], unclean, &live);
        let state = lost.map_or(handed, |written| written.state);
        state == old || self.store(&state, question)
    }
}
