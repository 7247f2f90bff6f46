//! The nodes that stay: topics, the states of partitions, and settings (R2.22, R5.9).

use super::ZooKeeper;
use crate::controller::{ControllerEffects, commands, placement, zk_topics};
use crate::partition::Stored;
use crate::settings::Layers;
use crate::wire::event::EventKind;
use crate::wire::message::{CreateTopic, SetData, SetDataAnswer, StateWrite};
use crate::wire::metadata::{MetadataRecord, PartitionState, Topic};
use crate::words::{ErrorCode, EventId, PartitionId};
use alloc::rc::Rc;
use alloc::vec::Vec;

impl ZooKeeper {
    /// Writes states, each if its version is the expected one (R2.22).
    pub(super) fn set_data(&mut self, r: &SetData, fx: &mut ControllerEffects) -> SetDataAnswer {
        if !self.has_session(r.broker, r.broker_epoch) {
            return SetDataAnswer { error: ErrorCode::StaleBrokerEpoch, results: Vec::new() };
        }
        let results = r.writes.iter().filter_map(|write| {
            let stored = self.log.image.partition(write.partition)?.clone();
            let made = stored.partition_epoch == write.expected;
            let state = if made { self.write(write, &stored, fx) } else { stored };
            Some((write.partition, made, state))
        });
        SetDataAnswer { error: ErrorCode::None, results: results.collect() }
    }

    fn write(
        &mut self,
        write: &StateWrite,
        stored: &PartitionState,
        fx: &mut ControllerEffects,
    ) -> Rc<PartitionState> {
        let mut next = Stored {
            leader: write.leader,
            leader_epoch: write.leader_epoch,
            isr: write.isr,
            ..stored.stored
        };
        // The lists of a reassignment are stored apart, under a version of their own (R0.4).
        next.partition_epoch += i32::from(next != stored.stored);
        if let Some(plan) = write.plan {
            next.set_plan(plan);
        }
        let why = tell_isr(write, stored, fx);
        let state = Rc::new(stored.with(next, why));
        let record = MetadataRecord::Partition(write.partition, state.clone());
        self.log.append(record, state.why);
        state
    }

    /// Creates a topic's node: where its replicas are. The controller does the rest (R5.9). Returns
    /// the first partition.
    pub(super) fn create(
        &mut self,
        r: &CreateTopic,
        fx: &mut ControllerEffects,
    ) -> Result<PartitionId, ErrorCode> {
        let rule = self.rules.placement;
        let (values, racks, rng) = (&self.values, &self.racks, &mut self.rng);
        let placed = zk_topics::place(r, &self.log.image, values, racks, rng, rule)
            .map_err(|error| placement::tool_error(rule, error))?;
        let settings = commands::topic_settings(&self.log.image.settings, r)?;
        let partitions = placed.len() as u32;
        let why = fx.chain(EventKind::TopicCreated { topic: r.name.clone(), partitions });
        let first = PartitionId(self.log.image.partitions.len() as u32);
        let topic = self.log.image.topics.len() as u32;
        if let Some(settings) = settings {
            self.set_settings(settings, why);
        }
        let ids = (first.0..first.0 + partitions).map(PartitionId).collect();
        let topic_record =
            MetadataRecord::Topic(Rc::new(Topic { name: r.name.clone(), partitions: ids }));
        self.log.append(topic_record, why);
        for (i, replicas) in placed.into_iter().enumerate() {
            let directories = replicas.iter().map(|_| 0).collect();
            let stored =
                Stored { replicas, leader_epoch: -1, partition_epoch: -1, ..Stored::default() };
            let state = PartitionState { stored, topic, directories, why };
            let id = PartitionId(first.0 + i as u32);
            self.log.append(MetadataRecord::Partition(id, Rc::new(state)), why);
        }
        Ok(first)
    }

    pub(super) fn set_settings(&mut self, settings: Layers, why: EventId) {
        self.values = settings.cluster();
        self.log.append(MetadataRecord::Settings(Rc::new(settings)), why);
    }
}

/// The story of a write by which a leader changes its ISR; elections are told by the controller.
fn tell_isr(write: &StateWrite, stored: &PartitionState, fx: &mut ControllerEffects) -> EventId {
    let partition = write.partition;
    let (was, isr) = (stored.isr.into(), write.isr.into());
    let causes = [write.why, stored.why];
    let same_reign = write.leader_epoch == stored.leader_epoch;
    if !same_reign || write.isr.same_set(&stored.isr) {
        write.why
    } else if write.isr.contains_all(&stored.isr) {
        fx.event_because(EventKind::IsrExpanded { partition, was, isr }, causes)
    } else {
        fx.event_because(EventKind::IsrShrunk { partition, was, isr }, causes)
    }
}
