//! What the operator's tools ask for (R5.17, R5.35, R5.37, R5.38).

use super::placement::{self, StripedPlacer, Usable};
use super::{Controller, ControllerEffects};
use crate::partition::Stored;
use crate::partition::change::Change;
use crate::partition::election;
use crate::settings::{Key, Layers, Scope, Value};
use crate::wire::event::EventKind;
use crate::wire::message::{AlterConfigs, CommandAnswer, CreateTopic, ElectLeaders, Reassign};
use crate::wire::metadata::{PartitionState, Topic};
use crate::words::{BrokerId, Brokers, ErrorCode, EventId, PartitionId};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

impl Controller {
    /// Creates a topic for an operator.
    pub(super) fn create_topics(
        &mut self,
        r: &CreateTopic,
        fx: &mut ControllerEffects,
    ) -> CommandAnswer {
        let result = self.create_topic(r, fx);
        answer("create", result, fx)
    }

    /// Creates a topic (R5.17).
    pub fn create_topic(
        &mut self,
        r: &CreateTopic,
        fx: &mut ControllerEffects,
    ) -> Result<(), ErrorCode> {
        let replicas = self.place(r)?;
        self.create_placed(r, replicas, fx)
    }

    fn place(&mut self, r: &CreateTopic) -> Result<Vec<Brokers>, ErrorCode> {
        if self.log.image.topics.iter().any(|t| t.name == r.name) {
            return Err(ErrorCode::TopicAlreadyExists);
        }
        if !r.assignment.is_empty() {
            placement::check_manual(&r.assignment, &|b| self.may_get_replicas(b))?;
            return Ok(r.assignment.clone());
        }
        let count = r.partitions.map_or(self.values.get(Key::NumPartitions), i64::from);
        let factor = r.replication_factor.map(i64::from);
        let factor = factor.unwrap_or_else(|| self.values.get(Key::DefaultReplicationFactor));
        if count <= 0 {
            return Err(ErrorCode::InvalidPartitions);
        }
        let usable: Vec<Usable> = self.usable_brokers();
        let mut rng = self.rng.clone();
        let mut draw = |bound: usize| rng.below(bound as u64) as usize;
        let mut placer = StripedPlacer::new(&usable, &mut draw);
        let factor = usize::try_from(factor).map_err(|_| ErrorCode::InvalidReplicationFactor)?;
        let placed = (0..count).map(|_| placer.place(factor, &mut draw)).collect();
        self.rng = rng;
        placed
    }

    /// Registered brokers that are not shutting down and not cordoned (R5.34, R5.40).
    fn usable_brokers(&self) -> Vec<Usable> {
        let settings = &self.log.image.settings;
        let usable = self.log.image.brokers.iter();
        let usable = usable.filter(|(id, b)| !b.shutting_down && !is_cordoned(settings, **id));
        let usable = usable.map(|(id, b)| Usable {
            id: *id,
            rack: self.racks.get(id).cloned(),
            fenced: b.fenced,
        });
        usable.collect()
    }

    /// Whether replicas may be put there by hand: a cordoned broker gets none (R5.40). What was
    /// there when the scenario began was there before that.
    fn may_get_replicas(&self, broker: BrokerId) -> bool {
        let cordoned = self.active && is_cordoned(&self.log.image.settings, broker);
        self.log.image.brokers.contains_key(&broker) && !cordoned
    }

    fn create_placed(
        &mut self,
        r: &CreateTopic,
        placed: Vec<Brokers>,
        fx: &mut ControllerEffects,
    ) -> Result<(), ErrorCode> {
        let no_active = if r.assignment.is_empty() {
            ErrorCode::InvalidReplicationFactor
        } else {
            ErrorCode::InvalidReplicaAssignment
        };
        let active = |l: &Brokers| l.filtered(|b| self.log.image.is_active(b));
        if placed.iter().any(|replicas| active(replicas).is_empty()) {
            return Err(no_active);
        }
        let settings = topic_settings(&self.log.image.settings, r)?;
        let partitions = placed.len() as u32;
        let why = fx.chain(EventKind::TopicCreated { topic: r.name.clone(), partitions });
        let first = self.log.image.partitions.len() as u32;
        let topic = self.log.image.topics.len() as u32;
        let ids: Vec<PartitionId> = (first..first + partitions).map(PartitionId).collect();
        let mut states = Vec::with_capacity(placed.len());
        for (partition, replicas) in ids.iter().zip(placed) {
            let isr = replicas.filtered(|b| self.log.image.is_active(b));
            let leader = isr[0];
            let event = EventKind::PartitionCreated {
                partition: *partition,
                replicas: replicas.into(),
                leader,
            };
            let why = fx.event(event);
            states.push(self.new_partition(topic, replicas, isr, why));
        }
        if let Some(settings) = settings {
            self.set_settings(settings, why);
        }
        self.add_topic(Topic { name: r.name.clone(), partitions: ids }, states, why);
        Ok(())
    }

    fn new_partition(
        &self,
        topic: u32,
        replicas: Brokers,
        isr: Brokers,
        why: EventId,
    ) -> PartitionState {
        let directory = |b| self.log.image.brokers.get(&b).map_or(0, |b| b.directory);
        PartitionState {
            stored: Stored::new(replicas, isr),
            topic,
            directories: replicas.iter().map(|b| directory(*b)).collect(),
            why,
        }
    }

    /// Changes settings; a change of min ISR clears the ELR (R5.22, R5.24). A topic's setting that is
    /// given the value that it has is no change (seen on 4.1.1, 4.4.0).
    pub(super) fn alter_configs(
        &mut self,
        r: &AlterConfigs,
        fx: &mut ControllerEffects,
    ) -> CommandAnswer {
        let before = &self.log.image.settings;
        let settings = match changed_settings(before, r, fx) {
            Ok(settings) => settings,
            Err(error) => return answer("config", Err(error), fx),
        };
        let other = |value: &Option<Value>| match r.scope {
            Scope::Topic(_) => before.given(&r.scope, Key::MinInsyncReplicas) != *value,
            _ => true,
        };
        let new_min_isr =
            r.changes.iter().any(|(key, value)| *key == Key::MinInsyncReplicas && other(value));
        self.set_settings(settings, fx.cause());
        if new_min_isr {
            self.clear_elr(&r.scope, fx);
        }
        if r.changes.iter().any(|(key, _)| *key == Key::EligibleLeaderReplicasVersion) {
            self.rules.elr = self.values.get(Key::EligibleLeaderReplicasVersion) > 0;
        }
        answer("config", Ok(()), fx)
    }

    fn clear_elr(&mut self, scope: &Scope, fx: &mut ControllerEffects) {
        let concerned = |s: &PartitionState| match scope {
            Scope::Topic(name) => self.log.image.topic_of(s).name == *name,
            _ => true,
        };
        for partition in self.partitions_where(&concerned) {
            let old = self.log.image.partition(partition).expect("listed").clone();
            let Some(cleared) = old.with_elr_cleared() else { continue };
            let why = if old.elr.is_empty() {
                old.why
            } else {
                let (was, elr) = (old.elr.into(), cleared.elr.into());
                fx.event(EventKind::ElrChanged { partition, was, elr })
            };
            self.cleared_elrs.clear(partition, &old.elr);
            self.store(partition, old.with(cleared, why));
        }
    }

    /// Holds an election for an operator (R5.38).
    pub(super) fn elect_leaders(
        &mut self,
        r: ElectLeaders,
        fx: &mut ControllerEffects,
    ) -> CommandAnswer {
        let result = self.elect(r, fx);
        answer("elect", result, fx)
    }

    fn elect(&mut self, r: ElectLeaders, fx: &mut ControllerEffects) -> Result<(), ErrorCode> {
        let id = r.partition;
        let state = self.log.image.partition(id).ok_or(ErrorCode::UnknownTopicOrPartition)?.clone();
        let (election, refusal) = election::asked_for(&state, r.unclean)?;
        let change = Change::electing(&state, election);
        let changed = self.built(id, change)?.ok_or(refusal)?;
        self.make(id, changed, fx);
        Ok(())
    }

    /// Moves a partition, or gives the move up (R5.37).
    pub(super) fn reassign(&mut self, r: &Reassign, fx: &mut ControllerEffects) -> CommandAnswer {
        let result = match &r.target {
            Some(target) => self.move_to(r.partition, target, fx),
            None => self.cancel_move(r.partition, fx),
        };
        answer("reassign", result, fx)
    }

    fn move_to(
        &mut self,
        id: PartitionId,
        target: &Brokers,
        fx: &mut ControllerEffects,
    ) -> Result<(), ErrorCode> {
        let state = self.log.image.partition(id).ok_or(ErrorCode::UnknownTopicOrPartition)?.clone();
        let may = |b: &BrokerId| match state.replicas.contains(b) {
            true => self.log.image.brokers.contains_key(b),
            false => self.may_get_replicas(*b),
        };
        if target.is_empty() || !target.iter().all(may) {
            return Err(ErrorCode::InvalidReplicaAssignment);
        }
        let change = Change::move_to(&state, target);
        let change = change.ok_or(ErrorCode::InvalidReplicaAssignment)?;
        let (adding, removing) = (change.plan.adding.into(), change.plan.removing.into());
        let changed = self.built(id, change)?;
        fx.chain(EventKind::ReassignmentStarted { partition: id, adding, removing });
        self.make_all(changed.map(|c| (id, c)), fx);
        Ok(())
    }

    fn cancel_move(
        &mut self,
        id: PartitionId,
        fx: &mut ControllerEffects,
    ) -> Result<(), ErrorCode> {
        let state = self.log.image.partition(id).ok_or(ErrorCode::UnknownTopicOrPartition)?.clone();
        let change = Change::cancel_move(&state, self.election_of(&state))?;
        let replicas = change.plan.replicas.into();
        let changed = self.built(id, change)?;
        fx.chain(EventKind::ReassignmentCancelled { partition: id, replicas });
        self.make_all(changed.map(|c| (id, c)), fx);
        Ok(())
    }
}

fn is_cordoned(settings: &Layers, broker: BrokerId) -> bool {
    settings.broker(broker).get(Key::CordonedLogDirs) != 0
}

/// All settings with those of a new topic; none: it brings none.
pub(super) fn topic_settings(
    settings: &Layers,
    r: &CreateTopic,
) -> Result<Option<Layers>, ErrorCode> {
    let scope = Scope::Topic(r.name.clone());
    let mut settings = settings.clone();
    let changes: Vec<_> = r.config.iter().map(|(key, value)| (*key, Some(*value))).collect();
    settings.set_all(&scope, &changes).map_err(|_| ErrorCode::InvalidConfig)?;
    Ok((!r.config.is_empty()).then_some(settings))
}

/// All settings as an operator changes them, and the story of it.
pub(super) fn changed_settings(
    settings: &Layers,
    r: &AlterConfigs,
    fx: &mut ControllerEffects,
) -> Result<Layers, ErrorCode> {
    let mut settings = settings.clone();
    settings.set_all(&r.scope, &r.changes).map_err(|_| ErrorCode::InvalidConfig)?;
    let scope = scope_name(&r.scope);
    for (key, value) in &r.changes {
        let name = key.spec().name;
        let value = value.map_or(String::from("default"), |v| key.spec().print(v));
        fx.chain(EventKind::SettingChanged { name, value, scope: scope.clone() });
    }
    Ok(settings)
}

pub(super) fn answer(
    command: &'static str,
    result: Result<(), ErrorCode>,
    fx: &mut ControllerEffects,
) -> CommandAnswer {
    let error = result.err().unwrap_or(ErrorCode::None);
    fx.event_because(
        EventKind::CommandAnswered { command, error },
        [fx.last_event(), EventId::NONE],
    );
    CommandAnswer { error }
}

fn scope_name(scope: &Scope) -> String {
    match scope {
        Scope::Cluster => String::from("cluster"),
        Scope::Broker(id) => format!("broker {id}"),
        Scope::Topic(name) => format!("topic {name}"),
        Scope::Client(name) => name.to_string(),
    }
}
