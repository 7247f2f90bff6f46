//! A KRaft controller over one partition, asked by messages like any broker or tool asks it.

use super::fields::{Fields, broker, brokers, of_broker, of_brokers};
use super::{Bench, Outcome, common_op, result, unknown_field};
use highwater_core::controller::{Controller, ControllerEffects, ControllerTimer};
use highwater_core::partition::Stored;
use highwater_core::settings::{Key, Layers, Release, Rules, Scope, Value as Setting};
use highwater_core::wire::Message;
use highwater_core::wire::event::EventKind;
use highwater_core::wire::message::{
    AlterConfigs, AlterPartition, AlterPartitionPart, Body, BrokerHeartbeat,
    BrokerRegistrationRequest, CreateTopic, ElectLeaders, Reassign,
};
use highwater_core::wire::metadata::{BrokerState, MetadataImage, PartitionState, Topic};
use highwater_core::words::{
    BrokerId, Brokers, ClientId, ErrorCode, EventId, Micros, Node, PartitionId,
};
use serde_json::{Value, json};
use std::rc::Rc;

/// A partition as a case gives it.
pub fn partition(given: &Fields<'_>) -> Result<Stored, String> {
    let replicas = given.brokers_or_none("replicas")?;
    let leader = given.broker("leader")?;
    let state = Stored {
        isr: given.brokers("isr")?.unwrap_or(replicas),
        elr: given.brokers_or_none("elr")?,
        last_known_elr: given.brokers_or_none("lastKnownElr")?,
        adding: given.brokers_or_none("adding")?,
        removing: given.brokers_or_none("removing")?,
        leader,
        recovering: given.flag("recovering", false)?,
        leader_epoch: given.int_or("leaderEpoch", 0)? as i32,
        partition_epoch: given.int_or("partitionEpoch", 0)? as i32,
        replicas,
    };
    given.finish()?;
    Ok(state)
}

/// Whom `fence` or `unfence` is about: one, or several in their order.
pub fn fenced(input: &Fields<'_>) -> Result<Brokers, String> {
    match input.brokers("brokers")? {
        Some(all) => Ok(all),
        None => Ok(Brokers::from_iter([input.need_broker("broker")?])),
    }
}

/// A field of a partition's state.
pub fn look_at(state: &Stored, name: &str) -> Option<Value> {
    Some(match name {
        "leader" => of_broker(state.leader),
        "replicas" => of_brokers(&state.replicas),
        "isr" => of_brokers(&state.isr),
        "elr" => of_brokers(&state.elr),
        "lastKnownElr" => of_brokers(&state.last_known_elr),
        "adding" => of_brokers(&state.adding),
        "removing" => of_brokers(&state.removing),
        "recovering" => json!(state.recovering),
        "leaderEpoch" => json!(state.leader_epoch),
        "partitionEpoch" => json!(state.partition_epoch),
        "inProgress" => json!(state.is_reassigning()),
        _ => return None,
    })
}

pub struct Governed {
    controller: Controller,
    now: Micros,
    partition: PartitionId,
    unclean_elections: usize,
    changed: bool,
}

/// The cluster that a case gives.
pub struct Cluster {
    pub release: Release,
    pub rules: Rules,
    pub min_isr: i64,
    pub unclean: bool,
}

const TOPIC: &str = "t";

impl Governed {
    /// A controller that knows the brokers and, if one is given, the partition.
    pub fn new(
        cluster: &Cluster,
        registered: &[(BrokerId, BrokerState)],
        state: Option<Stored>,
    ) -> Result<Governed, String> {
        let mut settings = Layers::new(cluster.release);
        let scope = Scope::Topic(TOPIC.into());
        let unclean = i64::from(cluster.unclean);
        for (key, value) in
            [(Key::MinInsyncReplicas, cluster.min_isr), (Key::UncleanLeaderElectionEnable, unclean)]
        {
            settings.set(&scope, key, Some(Setting(value))).map_err(|e| format!("{e:?}"))?;
        }
        let mut image = MetadataImage::new(Rc::new(settings));
        for (id, broker) in registered {
            image.brokers.insert(*id, *broker);
        }
        // Later registrations have larger epochs.
        image.offset = registered.iter().map(|(_, b)| b.epoch).max().unwrap_or(0) + 1;
        if let Some(stored) = state {
            let directories = stored.replicas.iter().map(|_| 0).collect();
            let state = PartitionState { stored, directories, ..PartitionState::default() };
            let topic = Topic { name: TOPIC.into(), partitions: vec![PartitionId(0)] };
            image.topics.push(Rc::new(topic));
            image.partitions.push(Rc::new(state));
        }
        let mut controller = Controller::over(image, cluster.rules, 1, Default::default());
        let mut fx = ControllerEffects::new(0);
        controller.activate(&mut fx);
        Ok(Governed {
            controller,
            now: Micros::ZERO,
            partition: PartitionId(0),
            unclean_elections: 0,
            changed: false,
        })
    }

    pub fn state(&self) -> Result<&PartitionState, String> {
        self.controller.image().partition(self.partition).map(|s| &**s).ok_or("no partition".into())
    }

    fn registered(&self, broker: BrokerId) -> Result<BrokerState, String> {
        let known = self.controller.image().brokers.get(&broker);
        known.copied().ok_or_else(|| format!("broker {broker} is not registered"))
    }

    fn take(&mut self, fx: ControllerEffects, before: i32) {
        let unclean = |(kind, _): &&(EventKind, _)| {
            matches!(kind, EventKind::LeaderUnclean { .. } | EventKind::LeaderLastKnown { .. })
        };
        self.unclean_elections += fx.events.iter().filter(unclean).count();
        let after = self.state().map_or(before, |s| s.partition_epoch);
        self.changed = after != before;
    }

    fn epoch(&self) -> i32 {
        self.state().map_or(-1, |s| s.partition_epoch)
    }

    fn ask(&mut self, from: Node, body: Body) -> Option<Body> {
        let before = self.epoch();
        let mut fx = ControllerEffects::new(0);
        fx.begin(self.now, EventId::NONE, 0);
        let message = Message { correlation: 1, body, why: EventId::NONE };
        self.controller.receive(from, message, &mut fx);
        let answer = fx.sends.iter().find(|s| s.to == from).map(|s| s.message.body.clone());
        self.take(fx, before);
        answer
    }

    fn wake(&mut self, timer: ControllerTimer) {
        let before = self.epoch();
        let mut fx = ControllerEffects::new(0);
        fx.begin(self.now, EventId::NONE, 0);
        self.controller.wake(timer, &mut fx);
        self.take(fx, before);
    }

    /// An operator's command.
    fn command(&mut self, body: Body) -> Result<Outcome, String> {
        let answer = self.ask(Node::Client(ClientId(0)), body).ok_or("no answer")?;
        let error = match answer {
            Body::CreateTopicsResponse(a)
            | Body::AlterConfigsResponse(a)
            | Body::ElectLeadersResponse(a)
            | Body::AlterPartitionReassignmentsResponse(a) => a.error,
            other => return Err(format!("an answer to something else: {other:?}")),
        };
        Ok(result(if error == ErrorCode::None { Ok(()) } else { Err(error) }))
    }

    fn heartbeat(&mut self, broker: BrokerId, fence: bool, shutdown: bool) -> Result<(), String> {
        let known = self.registered(broker)?;
        let heartbeat = BrokerHeartbeat {
            broker,
            broker_epoch: known.epoch,
            metadata_offset: self.controller.image().offset,
            want_fence: fence,
            want_shutdown: shutdown,
        };
        self.ask(Node::Broker(broker), Body::BrokerHeartbeat(heartbeat)).ok_or("no answer")?;
        Ok(())
    }

    /// A new process registers, after the session of the one before has ended.
    pub fn register(&mut self, broker: BrokerId, previous: Option<i64>) -> Result<(), String> {
        self.now += Micros::from_secs(60);
        let known = self.registered(broker)?;
        let request = BrokerRegistrationRequest {
            broker,
            incarnation: known.incarnation + 1,
            previous_broker_epoch: previous.unwrap_or(-1),
            directory: known.directory,
        };
        let answer = self.ask(Node::Broker(broker), Body::BrokerRegistration(request));
        match answer {
            Some(Body::BrokerRegistrationResponse(a)) if a.error == ErrorCode::None => Ok(()),
            other => Err(format!("the registration is refused: {other:?}")),
        }
    }

    fn alter_partition(&mut self, input: &Fields<'_>) -> Result<Outcome, String> {
        let from = input.need_broker("from")?;
        let state = self.state()?.clone();
        let mut isr: Vec<(BrokerId, i64)> = Vec::new();
        let epochs = input.object("isrEpochs")?;
        for member in input.list("isr")?.ok_or("no isr")? {
            let member = broker(member)?.ok_or("a broker")?;
            let epoch = epochs.as_ref().map(|e| e.int_or(&member.to_string(), -1)).transpose()?;
            isr.push((member, epoch.unwrap_or(-1)));
        }
        if let Some(epochs) = &epochs {
            epochs.finish()?;
        }
        let part = AlterPartitionPart {
            partition: self.partition,
            leader_epoch: input.int_or("leaderEpoch", state.leader_epoch.into())? as i32,
            partition_epoch: input.int_or("partitionEpoch", state.partition_epoch.into())? as i32,
            isr: isr.into_iter().collect(),
            recovering: input.flag("recovering", false)?,
            why: EventId::NONE,
        };
        let known = self.registered(from)?.epoch;
        let broker_epoch = input.int_or("brokerEpoch", known)?;
        let parts = [part].into_iter().collect();
        let request = AlterPartition { broker: from, broker_epoch, parts };
        let answer = self.ask(Node::Broker(from), Body::AlterPartition(Box::new(request)));
        let Some(Body::AlterPartitionResponse(answer)) = answer else {
            return Err("no answer".into());
        };
        if answer.error != ErrorCode::None {
            return Ok(result(Err(answer.error)));
        }
        Ok(result(match answer.parts.first() {
            Some((_, Err(error))) => Err(*error),
            _ => Ok(()),
        }))
    }

    fn set(&mut self, key: Key, value: i64) -> Result<Outcome, String> {
        let scope = Scope::Topic(TOPIC.into());
        let changes = vec![(key, Some(Setting(value)))];
        self.command(Body::AlterConfigs(Box::new(AlterConfigs { scope, changes })))
    }
}

impl Bench for Governed {
    fn act(&mut self, op: &str, input: &Fields<'_>) -> Result<Outcome, String> {
        // A partition alone says nothing of the brokers that a case fences in passing.
        let known = |g: &Governed, b: &BrokerId| g.controller.image().brokers.contains_key(b);
        match op {
            "fence" | "unfence" => {
                let all = fenced(input)?;
                for broker in all.iter().filter(|b| known(self, b)).copied().collect::<Vec<_>>() {
                    self.heartbeat(broker, op == "fence", false)?;
                }
            }
            "controlledShutdown" => {
                let broker = input.need_broker("broker")?;
                self.heartbeat(broker, false, true)?;
                let leads = self.state()?.leader == Some(broker);
                return Ok([("remaining".to_string(), json!(usize::from(leads)))]
                    .into_iter()
                    .collect());
            }
            "uncleanShutdown" => self.register(input.need_broker("broker")?, None)?,
            "reregister" => {
                let broker = input.need_broker("broker")?;
                let epoch = self.registered(broker)?.epoch;
                self.register(broker, Some(epoch))?;
            }
            "register" => {
                let previous = input.int("previousBrokerEpoch")?;
                self.register(input.need_broker("broker")?, previous)?;
            }
            "alterPartition" => return self.alter_partition(input),
            "electRequest" => {
                let unclean = match input.text("kind")?.ok_or("no kind")? {
                    "unclean" => true,
                    "preferred" => false,
                    other => return Err(format!("unknown kind {other}")),
                };
                let partition = self.partition;
                return self.command(Body::ElectLeaders(ElectLeaders { unclean, partition }));
            }
            "balanceLeaders" => self.wake(ControllerTimer::Rebalance),
            "uncleanSweep" => self.wake(ControllerTimer::UncleanRetry),
            "setUnclean" => {
                let value = i64::from(input.flag("value", true)?);
                return self.set(Key::UncleanLeaderElectionEnable, value);
            }
            "setMinIsr" => return self.set(Key::MinInsyncReplicas, input.need("value")?),
            "reassign" | "cancelReassign" => {
                let target = match op {
                    "reassign" => Some(brokers(input.get("target").ok_or("no target")?)?),
                    _ => None,
                };
                let request = Reassign { partition: self.partition, target };
                return self.command(Body::AlterPartitionReassignments(Box::new(request)));
            }
            "createPartition" => {
                let replicas = input.brokers("replicas")?.ok_or("no replicas")?;
                let request = CreateTopic {
                    name: "created".into(),
                    partitions: None,
                    replication_factor: None,
                    assignment: vec![replicas],
                    config: Vec::new(),
                };
                let created = self.controller.image().partitions.len() as u32;
                let outcome = self.command(Body::CreateTopics(Box::new(request)))?;
                self.partition = PartitionId(created);
                return Ok(outcome);
            }
            "effectiveMinIsr" => {
                let value = self.controller.min_isr(self.state()?);
                return Ok([("value".to_string(), json!(value))].into_iter().collect());
            }
            "advance" => self.now += input.ms("ms")?.ok_or("no ms")?,
            other => return common_op(other, input),
        }
        Ok(Outcome::new())
    }

    fn look(&mut self, name: &str, _: &Value) -> Result<Value, String> {
        if let Some(value) = look_at(self.state()?, name) {
            return Ok(value);
        }
        match name {
            "changed" => Ok(json!(self.changed)),
            "uncleanElections" => Ok(json!(self.unclean_elections)),
            _ => unknown_field(name),
        }
    }
}
