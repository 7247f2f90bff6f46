//! A script made ready to run: everything in it looked up, and in order of time.

use crate::script::{
    Action, ConsumerDecl, Expectation, MessageFault, MessageName, Place, Placement, ProducerDecl,
    Script, Statement, TopicDecl,
};
use crate::settings::{Layers, Release, SettingError};
use crate::wire::message::CreateTopic;
use crate::words::{BrokerId, BrokerList, ClientId, Map, Micros, Node};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

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
    pub from: Node,
    pub to: Node,
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

    pub fn operator(&self) -> ClientId {
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

fn message_name(message: &MessageName) -> String {
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

pub(super) fn create_request(decl: &TopicDecl) -> CreateTopic {
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
