//! Changes of partitions by the KRaft controller, and their story (R5.18, R5.21, R5.28).

use super::{Controller, ControllerEffects};
use crate::partition::Stored;
use crate::partition::change::{Change, ChangeContext, Changed};
use crate::partition::election::{Election, Source};
use crate::settings::{Key, Layers};
use crate::wire::event::EventKind;
use crate::wire::metadata::{MetadataRecord, PartitionState, Topic};
use crate::words::{BrokerId, ErrorCode, EventId, PartitionId};
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

    /// What a change makes of a partition, if anything. `acceptable` overrides
    /// [`Controller::is_acceptable`] for the broker that an event is about. With an error the whole
    /// event is to come to nothing.
    fn built_as(
        &self,
        partition: PartitionId,
        change: Change,
        acceptable: &dyn Fn(&PartitionState, BrokerId) -> bool,
    ) -> Result<Option<Changed>, ErrorCode> {
        let Some(old) = self.log.image.partition(partition) else { return Ok(None) };
        let world = ChangeContext {
            rules: &self.rules,
            min_isr: self.min_isr(old),
            acceptable: &|b| acceptable(old, b),
        };
        change.build(old, &world)
    }

    /// [`Controller::built_as`] with everyone judged by the registrations.
    pub(super) fn built(
        &self,
        partition: PartitionId,
        change: Change,
    ) -> Result<Option<Changed>, ErrorCode> {
        self.built_as(partition, change, &|s, b| self.is_acceptable(s, b))
    }

    /// Stores a change and tells the story of it.
    pub(super) fn make(
        &mut self,
        partition: PartitionId,
        changed: Changed,
        fx: &mut ControllerEffects,
    ) {
        let old = self.log.image.partition(partition).expect("built from it").clone();
        let why = tell(partition, &old, &changed, fx);
        self.store(partition, old.with(changed.state, why));
        self.arm_tasks(fx);
    }

    /// Makes a change of one partition; whether there was anything to change. One over which the
    /// controller fails stays as it is.
    pub(super) fn change(
        &mut self,
        partition: PartitionId,
        change: Change,
        fx: &mut ControllerEffects,
    ) -> bool {
        let changed = self.built(partition, change).ok().flatten();
        changed.map(|changed| self.make(partition, changed, fx)).is_some()
    }

    /// `broker` leaves every ISR that it is in, and its leaderships (R5.28).
    pub(super) fn remove_from_isrs(&mut self, broker: BrokerId, fx: &mut ControllerEffects) {
        let left = self.left_by(broker, &|_, s, election| Change::fenced(s, broker, election));
        self.make_all(left.unwrap_or_default(), fx);
    }

    /// What `leaves` takes of each partition, built with `broker` as one that may not lead.
    pub(super) fn left_by(
        &self,
        broker: BrokerId,
        leaves: &dyn Fn(PartitionId, &Stored, Election) -> Option<Change>,
    ) -> Result<Vec<(PartitionId, Changed)>, ErrorCode> {
        let mut all = Vec::new();
        let acceptable = |s: &PartitionState, b: BrokerId| b != broker && self.is_acceptable(s, b);
        for (at, state) in self.log.image.partitions.iter().enumerate() {
            let id = PartitionId(at as u32);
            let Some(change) = leaves(id, state, self.election_of(state)) else { continue };
            all.extend(self.built_as(id, change, &acceptable)?.map(|changed| (id, changed)));
        }
        Ok(all)
    }

    /// Makes changes that were built together.
    pub(super) fn make_all(
        &mut self,
        changes: impl IntoIterator<Item = (PartitionId, Changed)>,
        fx: &mut ControllerEffects,
    ) {
        for (id, changed) in changes {
            self.make(id, changed, fx);
        }
    }

    /// Every partition without leader is tried again (R5.28).
    pub(super) fn elect_leaderless(&mut self, fx: &mut ControllerEffects) {
        for id in self.partitions_where(&|s| s.leader.is_none()) {
            let state = self.log.image.partition(id).expect("listed").clone();
            let election = self.election_of(&state);
            self.change(id, Change::electing(&state, election), fx);
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
        self.cleared_elrs.stored(partition, &state.elr);
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
    let mut why = fx.cause();
    let mut note = |kind| {
        why = fx.event_because(kind, [why, old.why]);
    };
    let (was, isr) = (old.isr.into(), new.isr.into());
    if !new.isr.same_set(&old.isr) {
        note(if new.isr.contains_all(&old.isr) {
            EventKind::IsrExpanded { partition, was, isr }
        } else {
            EventKind::IsrShrunk { partition, was, isr }
        });
    }
    if changed.completed {
        let replicas = new.replicas.into();
        note(EventKind::ReassignmentCompleted { partition, replicas });
    }
    if new.elr != old.elr {
        let (was, elr) = (old.elr.into(), new.elr.into());
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
            EventKind::LeaderNone { partition, epoch, isr: new.isr.into(), elr: new.elr.into() }
        }
        (Some(leader), None) => EventKind::LeaderEpochRaised { partition, leader, epoch },
        (Some(leader), Some(Source::Isr)) => {
            EventKind::LeaderElected { partition, leader, epoch, isr: new.isr.into() }
        }
        (Some(leader), Some(Source::Elr)) => {
            EventKind::LeaderFromElr { partition, leader, epoch, elr: old.elr.into() }
        }
        (Some(leader), Some(Source::LastKnown)) => {
            EventKind::LeaderLastKnown { partition, leader, epoch }
        }
        (Some(leader), Some(Source::Anyone)) => {
            EventKind::LeaderUnclean { partition, leader, epoch }
        }
    }
}
