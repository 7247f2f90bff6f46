//! What the lines of a script do to the world.

use super::World;
use super::faults::LinkChange;
use crate::script::{Action, PartitionName, Place, Scope};
use crate::settings::{Key, Layers, Owner, Value};
use crate::sim::client::Client;
use crate::sim::setup::{TimedAction, create_request};
use crate::sim::tape::{RecordInfo, Tape};
use crate::wire::event::EventKind;
use crate::wire::message::{AlterConfigs, Body, ElectLeaders, Reassign};
use crate::words::{ClientId, ErrorCode, EventId, Node, PartitionId};
use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::string::{String, ToString};

impl World {
    /// A line of the script happens.
    pub(super) fn act(&mut self, index: usize, tape: &mut Tape) {
        let setup = self.setup.clone();
        let TimedAction { line, action, .. } = &setup.actions[index];
        let node = |place: &Place| setup.node(place);
        match action {
            Action::Crash(place) => self.kill(node(place), tape),
            Action::PowerOff { broker, lose } => self.power_off(*broker, *lose, tape),
            Action::Lose { broker, partition, from } => {
                self.lose(*broker, partition, *from, tape);
            }
            Action::Stop(place) => self.stop(node(place), tape),
            Action::Start(place) => self.start(node(place), tape),
            Action::Pause(place) => self.pause(node(place), tape),
            Action::Resume(place) => self.resume(node(place), tape),
            Action::Wipe(broker) => self.wipe(*broker, tape),
            Action::Disk { broker, partition, delay } => {
                self.slow_disk(*broker, partition.as_ref(), *delay, tape);
            }
            Action::Slow { link, latency } => {
                self.each_link(link, tape, LinkChange::Slow(*latency));
            }
            Action::Cut(link) => self.each_link(link, tape, LinkChange::Cut),
            Action::Heal(Some(link)) => self.each_link(link, tape, LinkChange::Heal),
            Action::Heal(None) => self.heal_all(tape),
            Action::Create(decl) => {
                let body = Body::CreateTopics(Box::new(create_request(decl)));
                self.command(*line, body, tape);
            }
            Action::Set(scope, changes) => self.set(*line, scope, changes, tape),
            Action::Elect { unclean, partition } => {
                let partition = self.commanded(partition);
                let body = Body::ElectLeaders(ElectLeaders { unclean: *unclean, partition });
                self.command(*line, body, tape);
            }
            Action::Reassign { partition, target } => {
                let partition = self.commanded(partition);
                let reassign = Reassign { partition, target: *target };
                let body = Body::AlterPartitionReassignments(Box::new(reassign));
                self.command(*line, body, tape);
            }
            Action::Send { producer, values, key, partition } => {
                let Some(id) = setup.client(producer) else { return };
                let infos = values.iter().map(|value| RecordInfo {
                    producer: id,
                    key: key.as_deref().map(Rc::from),
                    value: Rc::from(value.as_str()),
                });
                self.send_records(id, infos.collect(), *partition, tape);
            }
            Action::Every { producer, every } => {
                let Some(id) = setup.client(producer) else { return };
                if let Some(Client::Producer(sender)) = self.clients.get_mut(id.0 as usize) {
                    sender.every = *every;
                }
                self.arm_ticks(id, false);
            }
            Action::Seek { consumer, partition, offset } => {
                self.seek(setup.client(consumer), partition, *offset, tape);
            }
        }
    }

    /// The id of the partition that a command names: what answers is the cluster.
    fn commanded(&self, name: &PartitionName) -> PartitionId {
        self.resolve(name).unwrap_or(PartitionId::UNKNOWN)
    }

    /// A partition's id; `None` if it does not exist (yet).
    pub(super) fn resolve(&self, name: &PartitionName) -> Option<PartitionId> {
        self.partition_named(&name.topic, name.partition)
    }

    /// The partition that an action is done to; if there is none, that is told.
    pub(super) fn existing(
        &mut self,
        action: &'static str,
        node: Node,
        name: &PartitionName,
        tape: &mut Tape,
    ) -> Option<PartitionId> {
        let found = self.resolve(name);
        if found.is_none() {
            let state = "no-partition";
            self.tell(node, EventKind::ActionVoid { action, state }, tape);
        }
        found
    }

    pub(super) fn tell(&mut self, node: Node, kind: EventKind, tape: &mut Tape) -> EventId {
        self.note(node, kind, [EventId::NONE; 2], tape)
    }

    // Clients and operators.

    fn command(&mut self, line: u32, body: Body, tape: &mut Tape) {
        let operator = self.setup.operator();
        self.client_does(operator, tape, EventId::NONE, |c, fx| c.command(line, body, fx));
    }

    /// The outcome of the command that a line gave.
    pub fn command_result(&self, line: u32) -> Option<ErrorCode> {
        let Some(Client::Operator(operator)) = self.clients.last() else { return None };
        operator.results().iter().rev().find(|r| r.line == line)?.error
    }

    fn set(&mut self, line: u32, scope: &Scope, changes: &[(Key, Option<Value>)], tape: &mut Tape) {
        let mut layers = Layers::clone(&self.settings);
        // The parser has checked them; a combination that is refused changes nothing.
        if layers.set_all(scope, changes).is_err() {
            let error = ErrorCode::InvalidConfig;
            let event = EventKind::CommandAnswered { command: "config", error };
            self.tell(Node::Client(self.setup.operator()), event, tape);
            return;
        }
        self.settings = Rc::new(layers);
        for broker in &mut self.brokers {
            broker.set_config(self.settings.clone());
        }
        match scope {
            Scope::Client(name) => self.set_client(name, changes, tape),
            _ => {
                let alter = AlterConfigs { scope: scope.clone(), changes: changes.to_vec() };
                self.command(line, Body::AlterConfigs(Box::new(alter)), tape);
            }
        }
    }

    /// A client goes by other settings from now on.
    fn set_client(&mut self, name: &str, changes: &[(Key, Option<Value>)], tape: &mut Tape) {
        let Some(id) = self.setup.client(name) else { return };
        for (key, value) in changes {
            let event = EventKind::SettingChanged {
                name: key.spec().name,
                value: value.map_or(String::from("default"), |v| key.spec().print(v)),
                scope: name.to_string(),
            };
            self.tell(Node::Client(id), event, tape);
        }
        let settings = self.settings.clone();
        match self.clients.get_mut(id.0 as usize) {
            Some(Client::Producer(sender)) => {
                let owner = sender.decl.owner();
                sender.producer.set_values(settings.client(name, owner));
            }
            Some(Client::Consumer(reader)) => {
                reader.consumer.set_values(settings.client(name, Owner::Consumer));
            }
            _ => {}
        }
        self.client_does(id, tape, EventId::NONE, |client, fx| client.start(fx));
    }

    fn seek(
        &mut self,
        consumer: Option<ClientId>,
        partition: &PartitionName,
        offset: i64,
        tape: &mut Tape,
    ) {
        let Some(id) = consumer else { return };
        let Some(partition) = self.existing("seek", Node::Client(id), partition, tape) else {
            return;
        };
        self.client_does(id, tape, EventId::NONE, |client, fx| {
            if let Client::Consumer(reader) = client {
                reader.account.forget(partition);
                reader.consumer.seek(partition, offset, fx);
            }
        });
    }
}
