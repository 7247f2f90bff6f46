//! What the lines of a script do to the world.

use super::client::Client;
use super::network::LinkFault;
use super::tape::{RecordInfo, Tape};
use super::world::{ProcessState, World};
use crate::controller::ControllerTimer;
use crate::script::{
    Action, ConsumerDecl, Expectation, Link, MessageFault, MessageFaultKind, PartitionName, Place,
    Placement, PowerLoss, ProducerDecl, Scope, Script, Statement, TopicDecl,
};
use crate::settings::{Key, Layers, Owner, Release, SettingError, Value};
use crate::wire::event::EventKind;
use crate::wire::message::{AlterConfigs, Body, CreateTopic, ElectLeaders, Reassign};
use crate::words::{
    BrokerId, BrokerList, ClientId, ErrorCode, EventId, Map, Micros, Node, PartitionId,
};
use alloc::boxed::Box;
use alloc::format;
use alloc::rc::Rc;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// From the start of the controller's process to its activation (R5.4).
const CONTROLLER_BOOT: Micros = Micros::from_ms(500);

/// The name of the client that gives the operator's commands.
const OPERATOR: &str = "operator";

/// A client that a script declares.
#[derive(Clone, Debug)]
pub(super) enum ClientDecl {
    Producer(ProducerDecl),
    Consumer(ConsumerDecl),
    Operator,
}

#[derive(Clone, Debug)]
pub(super) struct NamedClient {
    pub name: String,
    pub decl: ClientDecl,
}

/// Something that a line of the script makes happen.
#[derive(Clone, Debug)]
pub(super) struct TimedAction {
    pub at: Micros,
    pub line: u32,
    pub action: Action,
}

/// What a line of the script expects.
#[derive(Clone, Debug)]
pub(super) struct TimedExpectation {
    pub at: Micros,
    pub line: u32,
    pub expected: Vec<Expectation>,
}

#[derive(Clone, Debug)]
pub(super) struct NamedFault {
    pub line: u32,
    /// The message's name as printed.
    pub name: String,
    pub fault: MessageFault,
    from: Node,
    to: Node,
}

/// A script, made ready to run: everything looked up and in order of time.
#[derive(Clone, Debug)]
pub(super) struct Setup {
    pub release: Release,
    pub seed: u64,
    pub latency: Micros,
    pub jitter: Micros,
    pub brokers: BrokerList,
    /// Rules that are set against the release: which, and to which of its words.
    pub switches: Vec<(usize, usize)>,
    /// With ZooKeeper: the broker that is the controller at the start.
    pub controller: Option<BrokerId>,
    pub racks: Map<BrokerId, String>,
    pub layers: Layers,
    pub topics: Vec<CreateTopic>,
    pub clients: Vec<NamedClient>,
    pub actions: Vec<TimedAction>,
    pub expectations: Vec<TimedExpectation>,
    pub faults: Vec<NamedFault>,
}

impl Setup {
    pub fn of(script: &Script) -> Result<Setup, SettingError> {
        let (latency, jitter) = script.network();
        let brokers = script.brokers();
        let racks = brokers.ids.iter().copied().zip(brokers.racks.iter().cloned()).collect();
        let mut setup = Setup {
            release: script.release(),
            seed: script.seed(),
            latency,
            jitter,
            switches: script.switches(),
            controller: script.controller(),
            brokers: brokers.ids,
            racks,
            layers: script.layers()?,
            topics: Vec::new(),
            clients: Vec::new(),
            actions: Vec::new(),
            expectations: Vec::new(),
            faults: Vec::new(),
        };
        for (_, statement) in script.statements() {
            setup.declare(statement);
        }
        setup.clients.push(NamedClient { name: OPERATOR.to_string(), decl: ClientDecl::Operator });
        let line = |index: usize| index as u32 + 1;
        setup.actions = script
            .actions()
            .map(|t| TimedAction { at: t.at, line: line(t.line), action: t.what.clone() })
            .collect();
        setup.expectations = script
            .expectations()
            .map(|t| TimedExpectation { at: t.at, line: line(t.line), expected: t.what.to_vec() })
            .collect();
        for (index, statement) in script.statements() {
            if let Statement::Message(fault) = statement
                && let Some(fault) = setup.named_fault(fault, line(index))
            {
                setup.faults.push(fault);
            }
        }
        Ok(setup)
    }

    fn declare(&mut self, statement: &Statement) {
        match statement {
            Statement::Topic(decl) => self.topics.push(create_request(decl)),
            Statement::Producer(decl) => {
                let (name, decl) = (decl.name.clone(), ClientDecl::Producer(decl.clone()));
                self.clients.push(NamedClient { name, decl });
            }
            Statement::Consumer(decl) => {
                let (name, decl) = (decl.name.clone(), ClientDecl::Consumer(decl.clone()));
                self.clients.push(NamedClient { name, decl });
            }
            _ => {}
        }
    }

    fn named_fault(&self, fault: &MessageFault, line: u32) -> Option<NamedFault> {
        let message = &fault.message;
        Some(NamedFault {
            line,
            name: message_name(message),
            fault: fault.clone(),
            from: self.node(&message.from)?,
            to: self.node(&message.to)?,
        })
    }

    /// A rack's name as a number from 1; one that no broker has is a number of its own.
    pub fn rack_number(&self, name: &str) -> u16 {
        let at = self.racks.values().position(|rack| rack == name);
        at.map_or(u16::MAX, |i| i as u16 + 1)
    }

    pub fn client(&self, name: &str) -> Option<ClientId> {
        self.clients.iter().position(|c| c.name == name).map(|i| ClientId(i as u16))
    }

    fn operator(&self) -> ClientId {
        ClientId(self.clients.len() as u16 - 1)
    }

    pub fn node(&self, place: &Place) -> Option<Node> {
        match place {
            Place::Broker(id) => self.brokers.contains(id).then_some(Node::Broker(*id)),
            Place::Controller | Place::ZooKeeper => Some(Node::Controller),
            Place::Client(name) => self.client(name).map(Node::Client),
        }
    }
}

fn message_name(message: &crate::script::MessageName) -> String {
    let partition = message.partition.as_ref().map(|p| format!(" {}/{}", p.topic, p.partition));
    format!(
        "{} {}>{}{} #{}",
        message.kind,
        message.from,
        message.to,
        partition.unwrap_or_default(),
        message.ordinal
    )
}

fn create_request(decl: &TopicDecl) -> CreateTopic {
    let (partitions, replication_factor, assignment) = match &decl.placement {
        Placement::Automatic { partitions, replicas } => (*partitions, *replicas, Vec::new()),
        Placement::Manual(assignment) => (None, None, assignment.clone()),
    };
    CreateTopic {
        name: decl.name.clone(),
        partitions,
        replication_factor,
        assignment,
        config: decl.config.clone(),
    }
}

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
                let partition = self.resolve(partition);
                let body = Body::ElectLeaders(ElectLeaders { unclean: *unclean, partition });
                self.command(*line, body, tape);
            }
            Action::Reassign { partition, target } => {
                let partition = self.resolve(partition);
                let reassign = Reassign { partition, target: target.clone() };
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

    /// A partition's id; one that does not exist (yet) is an id that nobody knows.
    fn resolve(&self, name: &PartitionName) -> PartitionId {
        self.partition_named(&name.topic, name.partition).unwrap_or(PartitionId(u32::MAX))
    }

    fn tell(&mut self, node: Node, kind: EventKind, tape: &mut Tape) -> EventId {
        self.note(node, kind, [EventId::NONE; 2], tape)
    }

    // Processes.

    fn kill(&mut self, node: Option<Node>, tape: &mut Tape) {
        let Some(node) = node.filter(|n| self.is_up(*n)) else { return };
        let why = self.tell(node, EventKind::Crashed {}, tape);
        self.end(node, ProcessState::Crashed, why);
        self.connections_close(node);
    }

    fn end(&mut self, node: Node, state: ProcessState, why: EventId) {
        self.inboxes.remove(&node);
        match node {
            Node::Broker(id) => {
                if let Some(at) = self.broker_index(id) {
                    self.brokers[at].crash();
                }
            }
            Node::Controller => self.controller.crash(),
            Node::Client(_) => {}
        }
        self.set_status(node, state, why);
    }

    fn power_off(&mut self, broker: BrokerId, lose: PowerLoss, tape: &mut Tape) {
        let node = Node::Broker(broker);
        let Some(at) = self.broker_index(broker).filter(|_| self.is_up(node)) else { return };
        let mut rng = self.rng.clone();
        let lost = self.brokers[at].lose_power(&mut |flushed, end| match lose {
            PowerLoss::All => flushed,
            PowerLoss::Seeded => flushed + rng.below((end - flushed) as u64 + 1) as i64,
        });
        self.rng = rng;
        let why = self.tell(node, EventKind::PoweredOff { lost }, tape);
        self.end(node, ProcessState::PoweredOff, why);
        self.audit_losses(broker, why);
        self.audit_news(node, tape);
    }

    fn lose(&mut self, broker: BrokerId, name: &PartitionName, from: i64, tape: &mut Tape) {
        let node = Node::Broker(broker);
        let partition = self.resolve(name);
        let Some(at) = self.broker_index(broker).filter(|_| !self.is_up(node)) else { return };
        let count = self.brokers[at].lose_from(partition, from);
        let why = self.tell(node, EventKind::LogCut { partition, from, count }, tape);
        self.audit_losses(broker, why);
        self.audit_news(node, tape);
    }

    fn wipe(&mut self, broker: BrokerId, tape: &mut Tape) {
        let node = Node::Broker(broker);
        let Some(at) = self.broker_index(broker).filter(|_| !self.is_up(node)) else { return };
        self.brokers[at].wipe(self.next_directory);
        self.next_directory += 1;
        let why = self.tell(node, EventKind::Wiped {}, tape);
        self.audit_losses(broker, why);
        self.audit_news(node, tape);
    }

    fn stop(&mut self, node: Option<Node>, tape: &mut Tape) {
        let Some(node) = node.filter(|n| self.is_up(*n)) else { return };
        if self.process_state(node).0 == ProcessState::Paused {
            self.resume(Some(node), tape);
        }
        match node {
            Node::Broker(id) => self.broker_does(id, tape, EventId::NONE, |b, fx| b.stop(fx)),
            Node::Controller | Node::Client(_) => {
                let why = self.tell(node, EventKind::Stopped {}, tape);
                self.end(node, ProcessState::Stopped, why);
                self.connections_close(node);
            }
        }
    }

    fn start(&mut self, node: Option<Node>, tape: &mut Tape) {
        let Some(node) = node.filter(|n| !self.is_up(*n)) else { return };
        self.set_status(node, ProcessState::Up, EventId::NONE);
        match node {
            Node::Broker(id) => {
                self.broker_does(id, tape, EventId::NONE, |b, fx| b.start(fx));
            }
            Node::Controller => {
                self.tell(node, EventKind::Starting {}, tape);
                let election = self.settings.cluster().ms(Key::ControllerQuorumElectionTimeoutMs);
                let at = self.now + CONTROLLER_BOOT + election;
                self.arm_controller(at, ControllerTimer::Activate);
            }
            Node::Client(id) => {
                self.tell(node, EventKind::Starting {}, tape);
                self.renew_client(id);
                self.client_does(id, tape, EventId::NONE, |client, fx| client.start(fx));
                self.arm_ticks(id, false);
            }
        }
        let why = EventId(self.next_event.saturating_sub(1));
        if let Some(status) = self.status.get_mut(node) {
            status.why = why;
        }
    }

    fn pause(&mut self, node: Option<Node>, tape: &mut Tape) {
        let up = |s: ProcessState| s == ProcessState::Up;
        let Some(node) = node.filter(|n| up(self.process_state(*n).0)) else { return };
        let why = self.tell(node, EventKind::Paused {}, tape);
        self.set_status(node, ProcessState::Paused, why);
    }

    fn resume(&mut self, node: Option<Node>, tape: &mut Tape) {
        let paused = |s: ProcessState| s == ProcessState::Paused;
        let Some(node) = node.filter(|n| paused(self.process_state(*n).0)) else { return };
        let why = self.tell(node, EventKind::Resumed {}, tape);
        self.set_status(node, ProcessState::Up, why);
        self.empty_inbox(node);
    }

    // Disks and links.

    fn slow_disk(
        &mut self,
        broker: BrokerId,
        partition: Option<&PartitionName>,
        delay: Micros,
        tape: &mut Tape,
    ) {
        let id = partition.map(|name| self.resolve(name));
        let Some(at) = self.broker_index(broker) else { return };
        match id {
            Some(id) => {
                if let Some(replica) = self.brokers[at].replicas.get_mut(&id) {
                    replica.disk_delay = delay;
                }
            }
            None => self.brokers[at].disk_delay = delay,
        }
        self.tell(Node::Broker(broker), EventKind::DiskSlowed { broker, delay }, tape);
    }

    fn each_link(&mut self, link: &Link, tape: &mut Tape, change: LinkChange) {
        let ends = (self.setup.node(&link.from), self.setup.node(&link.to));
        let (Some(from), Some(to)) = ends else { return };
        let back = link.both.then_some((to, from));
        for (from, to) in core::iter::once((from, to)).chain(back) {
            let event = match change {
                LinkChange::Cut => {
                    self.network.cut(from, to);
                    EventKind::LinkCut { from, to }
                }
                LinkChange::Heal => {
                    self.network.heal(from, to);
                    EventKind::LinkHealed { from, to }
                }
                LinkChange::Slow(latency) => {
                    self.network.slow(from, to, latency);
                    let latency = self.network.latency(from, to);
                    EventKind::LinkSlowed { from, to, latency }
                }
            };
            self.tell(from, event, tape);
        }
    }

    fn heal_all(&mut self, tape: &mut Tape) {
        let faulty: Vec<(Node, Node, LinkFault)> = self.network.faults().collect();
        for (from, to, _) in faulty {
            self.network.heal(from, to);
            self.tell(from, EventKind::LinkHealed { from, to }, tape);
        }
    }

    pub(super) fn fault_of(
        &self,
        kind: &str,
        from: Node,
        to: Node,
        partition: Option<PartitionId>,
        ordinal: u32,
    ) -> Option<(usize, MessageFaultKind)> {
        let setup = &self.setup;
        let named = setup.faults.iter().enumerate().find(|(_, f)| {
            let message = &f.fault.message;
            message.ordinal == ordinal
                && f.from == from
                && f.to == to
                && message.kind == kind
                && message.partition.as_ref().map(|p| self.resolve(p)) == partition
        });
        named.map(|(i, f)| (i, f.fault.kind))
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
        for (key, value) in changes {
            // The parser has checked them; a combination that is refused changes nothing.
            if layers.set(scope, *key, *value).is_err() {
                let event = EventKind::CommandAnswered {
                    command: "config",
                    error: ErrorCode::InvalidConfig,
                };
                self.tell(Node::Client(self.setup.operator()), event, tape);
                return;
            }
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
        let partition = self.resolve(partition);
        let Some(id) = consumer else { return };
        self.client_does(id, tape, EventId::NONE, |client, fx| {
            if let Client::Consumer(reader) = client {
                reader.read.retain(|(p, _)| *p != partition);
                reader.consumer.seek(partition, offset, fx);
            }
        });
    }
}

#[derive(Clone, Copy)]
enum LinkChange {
    Cut,
    Heal,
    Slow(Option<Micros>),
}
