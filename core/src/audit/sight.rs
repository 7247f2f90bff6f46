//! What the audit sees: each event goes to whom it concerns.

use super::Audit;
use crate::broker::Broker;
use crate::wire::event::{Event, EventKind};
use crate::wire::metadata::PartitionState;
use crate::words::{BrokerId, EventId, Node, PartitionId};

/// What the audit may look at beside the event.
pub(crate) struct Scene<'a> {
    pub brokers: &'a [Broker],
    pub state: &'a dyn Fn(PartitionId) -> Option<&'a PartitionState>,
    pub min_isr: &'a dyn Fn(&PartitionState) -> usize,
}

impl Scene<'_> {
    pub(super) fn broker(&self, id: BrokerId) -> Option<&Broker> {
        let at = self.brokers.binary_search_by_key(&id, |b| b.id).ok()?;
        self.brokers.get(at)
    }
}

impl Audit {
    /// Something happened; `scene` is how it is now.
    pub(crate) fn saw(&mut self, id: EventId, event: &Event, scene: &Scene<'_>) {
        match event.node {
            Node::Broker(own) if !self.is_internal(&event.kind) => {
                self.saw_log(own, id, event, scene);
            }
            _ => {}
        }
        self.saw_decision(id, event, scene);
    }

    /// What happened to a replica's log.
    fn saw_log(&mut self, own: BrokerId, id: EventId, event: &Event, scene: &Scene<'_>) {
        match &event.kind {
            EventKind::Appended { partition, first, last, .. } => {
                self.grew(own, *partition, *first, *last, true, id, scene);
            }
            EventKind::Replicated { partition, first, last, .. } => {
                self.grew(own, *partition, *first, *last, false, id, scene);
            }
            EventKind::Truncated { partition, to, .. } => {
                self.decide("truncated", *partition, id);
                self.shrank(own, *partition, Some(*to), id, scene);
            }
            EventKind::TruncatedFully { partition, start, .. } => {
                self.decide("truncated", *partition, id);
                self.emptied(own, *partition, *start, id, scene);
            }
            EventKind::ReplicaDeleted { partition } => {
                self.shrank(own, *partition, None, id, scene);
                self.copies.remove(&(*partition, own));
            }
            EventKind::HwAdvanced { partition, from, to } => {
                self.committed(own, *partition, *from, *to, id);
                self.hw_moved(own, *partition, *from, *to, true, id);
            }
            EventKind::HwFollowed { partition, from, to } => {
                self.hw_moved(own, *partition, *from, *to, false, id);
            }
            EventKind::BecameLeader { partition, epoch, .. } => {
                self.leads(own, *partition, *epoch, id, scene);
            }
            EventKind::ProduceRefused { partition, .. } => {
                self.counts.refused += 1;
                self.decide("refused", *partition, id);
            }
            _ => {}
        }
    }

    /// What Kafka writes for itself is nobody's record.
    fn is_internal(&self, kind: &EventKind) -> bool {
        !self.internal.is_empty() && kind.of_partition().is_some_and(|p| self.internal.contains(&p))
    }

    /// Partitions of the offsets topic.
    pub(crate) fn set_internal(&mut self, partitions: &[PartitionId]) {
        self.internal = partitions.into();
    }

    /// What was decided of a partition: by KRaft's controller, or with ZooKeeper by the broker in
    /// its place.
    fn saw_decision(&mut self, id: EventId, event: &Event, scene: &Scene<'_>) {
        let partition = match &event.kind {
            EventKind::IsrShrunk { partition, .. } => {
                self.decide("isr-shrunk", *partition, id);
                *partition
            }
            EventKind::IsrExpanded { partition, .. } => {
                self.decide("isr-expanded", *partition, id);
                *partition
            }
            EventKind::LeaderElected { partition, .. }
            | EventKind::LeaderFromElr { partition, .. } => {
                self.elected(*partition, false, id);
                *partition
            }
            EventKind::LeaderLastKnown { partition, .. }
            | EventKind::LeaderUnclean { partition, .. } => {
                self.elected(*partition, true, id);
                *partition
            }
            EventKind::ElrChanged { partition, .. } | EventKind::LeaderNone { partition, .. } => {
                *partition
            }
            _ => return,
        };
        if !(scene.state)(partition).is_none_or(|s| is_sound(s, (scene.min_isr)(s))) {
            self.decide("I4", partition, id);
        }
    }

    fn elected(&mut self, partition: PartitionId, unclean: bool, id: EventId) {
        self.elections.held += 1;
        self.elections.unclean += u32::from(unclean);
        self.decide("elected", partition, id);
    }
}

/// I4: the leader is in the ISR, ISR and ELR share nobody, an ELR is kept only below min ISR, and
/// then both together are no more than the replicas. Without an ELR the ISR may be larger than the
/// replicas for a moment: where ZooKeeper keeps the state, a completed move takes replicas off the
/// list before it takes them out of the ISR (KAFKA-9672).
fn is_sound(state: &PartitionState, min_isr: usize) -> bool {
    let shared = state.elr.iter().any(|b| state.isr.contains(b));
    let elr_fits =
        state.isr.len() < min_isr && state.isr.len() + state.elr.len() <= state.replicas.len();
    state.leader.is_none_or(|l| state.isr.contains(&l))
        && !shared
        && (state.elr.is_empty() || elr_fits)
}
