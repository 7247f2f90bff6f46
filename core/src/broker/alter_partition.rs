//! A leader's ISR changes on their way to whoever stores them (R2.22–R2.25).

use super::controller_link::Asked;
use super::node::{BrokerEffects, BrokerTimer};
use super::running::{Running, because};
use crate::partition::isr::{self, AfterAnswer};
use crate::replica::Leading;
use crate::settings::rules::IsrStore;
use crate::wire::event::EventKind;
use crate::wire::message::{AlterPartition, AlterPartitionAnswer, AlterPartitionPart, Body};
use crate::wire::metadata::PartitionState;
use crate::words::{ErrorCode, EventId, Map, Micros, Node, PartitionId};
use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::vec::Vec;

/// Before ISR changes are sent again (R2.23).
const BACKOFF: Micros = Micros::from_ms(50);

/// ISRs that this broker's leaders want.
#[derive(Clone, Debug, Default)]
pub(super) struct Proposals {
    /// Partitions whose proposed ISR is to be sent (R2.23).
    waiting: Map<PartitionId, ()>,
    /// The proposals under way, by the event that made each.
    under_way: Vec<(PartitionId, EventId)>,
}

impl Running<'_> {
    /// Sends the pending ISR of a partition to the controller. While an earlier one is unanswered,
    /// which new metadata has made void meanwhile, nothing is asked, and the committed ISR stands
    /// until the next look (R2.23).
    pub(super) fn propose(&mut self, partition: PartitionId, fx: &mut BrokerEffects) {
        if self.is_asked_about(partition) {
            self.give_up_proposal(partition, ErrorCode::OperationNotAttempted, fx);
            return;
        }
        self.process.proposals.waiting.insert(partition, ());
        self.send_alter_partition(fx);
    }

    /// Whether the controller has a proposal for a partition that it has not answered.
    fn is_asked_about(&mut self, partition: PartitionId) -> bool {
        let writes_itself = self.rules.isr_store == IsrStore::ZooKeeper;
        let process = &mut *self.process;
        let mut under_way = process.proposals.under_way.iter();
        !writes_itself
            && process.controller.waits_for(Asked::AlterPartition)
            && under_way.any(|(p, _)| *p == partition)
    }

    /// Partitions whose proposed ISR waits to be stored.
    pub(super) fn proposals(&self) -> Vec<PartitionId> {
        self.process.proposals.waiting.keys().copied().collect()
    }

    /// The request came to nothing: it is sent again, after a while (R2.23).
    pub(super) fn alter_again(&mut self, fx: &mut BrokerEffects) {
        fx.timer(fx.now + BACKOFF, BrokerTimer::AlterPartitionAgain);
    }

    /// A proposal has become void.
    pub(super) fn withdraw_proposal(&mut self, partition: PartitionId) {
        self.process.proposals.waiting.remove(&partition);
    }

    /// Nobody takes a proposal: the committed ISR stands (R2.22, R2.25).
    pub(super) fn give_up_proposal(
        &mut self,
        partition: PartitionId,
        error: ErrorCode,
        fx: &mut BrokerEffects,
    ) {
        self.withdraw_proposal(partition);
        let leading = self.replicas.get_mut(&partition).and_then(|r| r.leading_mut());
        if let Some(leading) = leading
            && leading.lead.pending.take().is_some()
        {
            let causes = because(fx.cause(), leading.pending_why);
            fx.event_because(EventKind::IsrRejected { partition, error }, causes);
            self.process.meters.failed_isr_updates += 1;
        }
    }

    /// One request is under way at a time, for all partitions that wait.
    pub(super) fn send_alter_partition(&mut self, fx: &mut BrokerEffects) {
        let process = &*self.process;
        if process.controller.waits_for(Asked::AlterPartition) {
            return;
        }
        let own = (self.id, process.broker_epoch);
        let to = match (self.rules.isr_store, process.image.controller) {
            (IsrStore::ZooKeeper, _) => {
                self.write_isrs(fx);
                return;
            }
            // Without controller it is asked again once there is one.
            (IsrStore::AlterIsr, None) => return,
            (IsrStore::AlterIsr, Some(controller)) => Node::Broker(controller),
            (IsrStore::AlterPartition, _) => Node::Controller,
        };
        let mut why = EventId::NONE;
        let mut parts = Vec::new();
        for partition in process.proposals.waiting.keys() {
            let leading = self.replicas.get(partition).and_then(|r| r.leading());
            let Some(leading) = leading else { continue };
            let Some(pending) = &leading.pending else { continue };
            why = leading.pending_why;
            parts.push(AlterPartitionPart {
                partition: *partition,
                leader_epoch: leading.epoch,
                partition_epoch: leading.partition_epoch,
                isr: leading.with_epochs(own, pending.proposed()),
                // It has recovered as soon as it leads, and says so now (R4.8).
                recovering: false,
                why,
            });
        }
        if parts.is_empty() {
            return;
        }
        let proposed = parts.iter().map(|p: &AlterPartitionPart| (p.partition, p.why)).collect();
        self.process.proposals.under_way = proposed;
        let request = AlterPartition { broker: own.0, broker_epoch: own.1, parts };
        let body = Body::AlterPartition(Box::new(request));
        fx.caused_by(why, |fx| self.ask(Asked::AlterPartition, to, body, fx));
    }

    pub(super) fn on_alter_partition_response(
        &mut self,
        r: &AlterPartitionAnswer,
        fx: &mut BrokerEffects,
    ) {
        if r.error != ErrorCode::None {
            self.alter_again(fx);
            return;
        }
        for (partition, result) in &r.parts {
            fx.caused_by(fx.cause(), |fx| match result {
                Ok(state) => self.alteration_stored(*partition, state, fx),
                Err(error) => self.alteration_refused(*partition, *error, fx),
            });
        }
        self.send_alter_partition(fx);
    }

    fn alteration_stored(
        &mut self,
        partition: PartitionId,
        state: &Rc<PartitionState>,
        fx: &mut BrokerEffects,
    ) {
        let leading = self.replicas.get_mut(&partition).and_then(|r| r.leading_mut());
        let Some(leading) = leading else { return };
        let current =
            leading.epoch == state.leader_epoch && state.partition_epoch >= leading.partition_epoch;
        if current && self.commit_isr(partition, state, fx) && self.rules.isr_answer_moves_hw {
            self.look_at_hw(partition, fx);
        }
        let leading = self.replicas.get(&partition).and_then(|r| r.leading());
        if leading.is_none_or(|l| l.pending.is_none()) {
            self.withdraw_proposal(partition);
        }
    }

    /// R2.25: back to the committed ISR, wait for metadata, or try again.
    fn alteration_refused(
        &mut self,
        partition: PartitionId,
        error: ErrorCode,
        fx: &mut BrokerEffects,
    ) {
        let mut proposed = self.process.proposals.under_way.iter();
        let proposal = proposed.find(|(p, _)| *p == partition).map(|(_, why)| *why);
        let leading = self.replicas.get_mut(&partition).and_then(|r| r.leading_mut());
        // An answer to what is not pending any more is ignored.
        let awaited = |l: &&mut Leading| l.pending.is_some() && Some(l.pending_why) == proposal;
        let Some(leading) = leading.filter(awaited) else { return };
        let causes = because(fx.cause(), leading.pending_why);
        match isr::after_answer(error) {
            AfterAnswer::Commit => {}
            AfterAnswer::FallBack => {
                leading.lead.pending = None;
                self.withdraw_proposal(partition);
            }
            AfterAnswer::AwaitMetadata => self.withdraw_proposal(partition),
            AfterAnswer::Retry => {
                fx.timer(fx.now + BACKOFF, BrokerTimer::AlterPartitionAgain);
            }
        }
        self.process.meters.failed_isr_updates += 1;
        fx.event_because(EventKind::IsrRejected { partition, error }, causes);
    }
}
