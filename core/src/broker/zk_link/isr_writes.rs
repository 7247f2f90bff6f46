//! ISR changes that a leader writes to ZooKeeper itself, and the requests that wait meanwhile
//! (R2.22).

use crate::broker::controller_link::Asked;
use crate::broker::node::BrokerEffects;
use crate::broker::running::Running;
use crate::settings::rules::IsrStore;
use crate::wire::message::{Body, SetData, SetDataAnswer, StateWrite};
use crate::words::{ErrorCode, Node, PartitionId};
use alloc::boxed::Box;
use alloc::vec::Vec;

impl Running<'_> {
    /// Writes the pending ISR of each partition that waits, under the version that this leader
    /// knows.
    pub(in crate::broker) fn write_isrs(&mut self, fx: &mut BrokerEffects) {
        let mut writes = Vec::new();
        for partition in self.proposals() {
            let leading = self.replicas.get(&partition).and_then(|r| r.leading());
            let Some(leading) = leading else { continue };
            let Some(pending) = &leading.pending else { continue };
            writes.push(StateWrite {
                partition,
                expected: leading.partition_epoch,
                leader: Some(self.id),
                leader_epoch: leading.epoch,
                isr: *pending.proposed(),
                plan: None,
                why: leading.pending_why,
            });
        }
        let Some(last) = writes.last() else { return };
        let why = last.why;
        let (broker, broker_epoch) = (self.id, self.process.broker_epoch);
        let body = Body::SetData(Box::new(SetData { broker, broker_epoch, writes }));
        fx.caused_by(why, |fx| self.ask(Asked::AlterPartition, Node::Controller, body, fx));
    }

    /// ZooKeeper's answer. Where a write was not made the version is another: then the old ISR
    /// stays, and nobody tries again before the next test (R2.22).
    pub(in crate::broker) fn on_isrs_written(&mut self, r: &SetDataAnswer, fx: &mut BrokerEffects) {
        for (partition, made, state) in &r.results {
            let leading = self.replicas.get_mut(partition).and_then(|r| r.leading_mut());
            let Some(leading) = leading.filter(|l| l.pending.is_some()) else { continue };
            let stands = *made && state.leader_epoch == leading.epoch;
            fx.caused_by(fx.cause(), |fx| {
                if !stands {
                    self.give_up_proposal(*partition, ErrorCode::InvalidUpdateVersion, fx);
                    return;
                }
                if self.commit_isr(*partition, state, fx) {
                    self.look_at_hw(*partition, fx);
                }
                self.isr_written(*partition, fx);
            });
        }
        if r.error != ErrorCode::None {
            // The session is over: nothing was written.
            for partition in self.proposals() {
                self.give_up_proposal(partition, ErrorCode::InvalidUpdateVersion, fx);
            }
        }
        self.send_alter_partition(fx);
        self.release_held(fx);
    }

    /// Whether a request has to wait: a leader that writes its ISR to ZooKeeper holds the partition
    /// until it has an answer, and lets nobody read or write (R2.22).
    pub(in crate::broker) fn is_held(&mut self, from: Node, body: &Body) -> bool {
        if self.rules.isr_store != IsrStore::ZooKeeper {
            return false;
        }
        let replicas = &self.replicas;
        let locked = |partition: &PartitionId| {
            let leading = replicas.get(partition).and_then(|r| r.leading());
            leading.is_some_and(|l| l.pending.is_some())
        };
        let is_of_client = matches!(from, Node::Client(_));
        let waits_already =
            is_of_client && self.process.zk.held.iter().any(|(node, _)| *node == from);
        waits_already
            || match body {
                Body::Produce(r) => r.batches.iter().any(|b| locked(&b.partition)),
                Body::Fetch(r) => r.parts.iter().any(|p| locked(&p.partition)),
                Body::ListOffsets(r) => locked(&r.partition),
                _ => false,
            }
    }

    /// What waited is done, in order, unless its partition is held again.
    pub(in crate::broker) fn release_held(&mut self, fx: &mut BrokerEffects) {
        for (from, message) in core::mem::take(&mut self.process.zk.held) {
            fx.caused_by(message.why, |fx| self.handle(from, message, fx));
            if self.process.ended {
                return;
            }
        }
    }
}
