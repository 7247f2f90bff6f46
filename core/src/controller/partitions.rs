//! Changes of partitions by the KRaft controller, and their story (R5.18, R5.21, R5.28).

use super::change::{Change, ChangeContext, Changed};
use super::election::{Election, Source};
use super::{Controller, ControllerEffects};
use crate::settings::{Key, Layers};
use crate::wire::event::EventKind;
use crate::wire::metadata::{MetadataRecord, PartitionState, Topic};
use crate::words::{BrokerId, BrokerList, EventId, PartitionId};
use alloc::rc::Rc;
use alloc::vec::Vec;

impl Controller {
    /// Whether `broker` may lead or join an ISR of the partition (R5.7): active, and its replica's
    /// directory is the one that it registered with (R5.39).
    pub(super) fn is_acceptable(&self, state: &PartitionState, broker: BrokerId) -> bool {
        let directory = state.directory_of(broker);
        self.log
            .image
            .brokers
            .get(&broker)
            .is_some_and(|b| b.is_active() && directory.is_none_or(|d| d == 0 || d == b.directory))
    }

    /// The election that events hold: unclean where the topic allows it (R5.21).
    pub(super) fn election_of(&self, state: &PartitionState) -> Election {
        let topic = self.log.image.topic_of(state);
        let values = self.log.image.settings.topic(&topic.name, None);
        if values.is(Key::UncleanLeaderElectionEnable) {
            Election::Unclean
        } else {
            Election::Online
        }
    }

    /// Makes a change of one partition and tells the story of it; true if anything changed.
    /// `acceptable` overrides [`Controller::is_acceptable`] for the broker that an event is about.
    pub(super) fn change(
        &mut self,
        partition: PartitionId,
        change: Change,
        acceptable: &dyn Fn(&Controller, &PartitionState, BrokerId) -> bool,
        fx: &mut ControllerEffects,
    ) -> Option<Changed> {
        let old = self.log.image.partition(partition)?.clone();
        let world = ChangeContext {
            rules: &self.rules,
            min_isr: self.min_isr(&old),
            acceptable: &|b| acceptable(self, &old, b),
        };
        let mut changed = change.build(&old, &world)?;
        changed.state.why = tell(partition, &old, &changed, fx);
        let record = MetadataRecord::Partition(partition, Rc::new(changed.state.clone()));
        self.append(record, changed.state.why);
        self.arm_tasks(fx);
        Some(changed)
    }

    /// [`Controller::change`] with everyone judged by the registrations.
    pub(super) fn change_plainly(
        &mut self,
        partition: PartitionId,
        change: Change,
        fx: &mut ControllerEffects,
    ) -> Option<Changed> {
        self.change(partition, change, &|c, s, b| c.is_acceptable(s, b), fx)
    }

    /// `remove` leaves every ISR that it is in, and its leaderships (R5.28).
    pub(super) fn remove_from_isrs(&mut self, remove: BrokerId, fx: &mut ControllerEffects) {
        self.shrink(remove, &|s| s.isr.contains(&remove), BrokerList::new(), fx);
    }

    /// `remove` leaves ISR and leadership of the partitions that `concerned` names; those in
    /// `unclean` leave the ELR too (R5.29).
    pub(super) fn shrink(
        &mut self,
        remove: BrokerId,
        concerned: &dyn Fn(&PartitionState) -> bool,
        unclean: BrokerList,
        fx: &mut ControllerEffects,
    ) {
        for id in self.partitions_where(concerned) {
            let state = self.log.image.partition(id).expect("listed").clone();
            let mut change = Change::of(&state);
            change.isr.remove(remove);
            change.unclean_shutdown = unclean.clone();
            change.election = self.election_of(&state);
            self.change(id, change, &|c, s, b| b != remove && c.is_acceptable(s, b), fx);
        }
    }

    /// Every partition without leader is tried again (R5.28).
    pub(super) fn elect_leaderless(&mut self, fx: &mut ControllerEffects) {
        for id in self.partitions_where(&|s| s.leader.is_none()) {
            let state = self.log.image.partition(id).expect("listed").clone();
            let election = self.election_of(&state);
            self.change_plainly(id, Change { election, ..Change::of(&state) }, fx);
        }
    }

    pub(super) fn partitions_where(
        &self,
        concerned: &dyn Fn(&PartitionState) -> bool,
    ) -> Vec<PartitionId> {
        let all = self.log.image.partitions.iter().enumerate();
        all.filter(|(_, s)| concerned(s)).map(|(i, _)| PartitionId(i as u32)).collect()
    }

    pub(super) fn add_topic(&mut self, topic: Topic, states: Vec<PartitionState>, why: EventId) {
        let ids = topic.partitions.clone();
        self.append(MetadataRecord::Topic(Rc::new(topic)), why);
        for (id, state) in ids.into_iter().zip(states) {
            let why = state.why;
            self.append(MetadataRecord::Partition(id, Rc::new(state)), why);
        }
    }

    /// Stores a state that was altered beside the builder.
    pub(super) fn store(&mut self, partition: PartitionId, state: PartitionState) {
        let why = state.why;
        self.append(MetadataRecord::Partition(partition, Rc::new(state)), why);
    }

    pub(super) fn set_settings(&mut self, settings: Layers, why: EventId) {
        self.values = settings.cluster();
        self.append(MetadataRecord::Settings(Rc::new(settings)), why);
    }
}

/// The story of a change; the last event stands for the new state.
fn tell(
    partition: PartitionId,
    old: &PartitionState,
    changed: &Changed,
    fx: &mut ControllerEffects,
) -> EventId {
    let new = &changed.state;
    let mut why = fx.cause;
    let mut note = |kind| {
        why = fx.event_because(kind, [why, old.why]);
    };
    let (was, isr) = (old.isr.clone(), new.isr.clone());
    if !new.isr.same_set(&old.isr) {
        note(if new.isr.contains_all(&old.isr) {
            EventKind::IsrExpanded { partition, was, isr }
        } else {
            EventKind::IsrShrunk { partition, was, isr }
        });
    }
    if changed.completed {
        let replicas = new.replicas.clone();
        note(EventKind::ReassignmentCompleted { partition, replicas });
    }
    if new.elr != old.elr {
        let (was, elr) = (old.elr.clone(), new.elr.clone());
        note(EventKind::ElrChanged { partition, was, elr });
    }
    if new.leader_epoch != old.leader_epoch {
        note(leader_event(partition, old, changed));
    }
    why
}

fn leader_event(partition: PartitionId, old: &PartitionState, changed: &Changed) -> EventKind {
    let new = &changed.state;
    let epoch = new.leader_epoch;
    match (new.leader, changed.elected) {
        (None, _) => {
            EventKind::LeaderNone { partition, epoch, isr: new.isr.clone(), elr: new.elr.clone() }
        }
        (Some(leader), None) => EventKind::LeaderEpochRaised { partition, leader, epoch },
        (Some(leader), Some(Source::Isr)) => {
            EventKind::LeaderElected { partition, leader, epoch, isr: new.isr.clone() }
        }
        (Some(leader), Some(Source::Elr)) => {
            EventKind::LeaderFromElr { partition, leader, epoch, elr: old.elr.clone() }
        }
        (Some(leader), Some(Source::LastKnown)) => {
            EventKind::LeaderLastKnown { partition, leader, epoch }
        }
        (Some(leader), Some(Source::Anyone)) => {
            EventKind::LeaderUnclean { partition, leader, epoch }
        }
    }
}
