//! How each process stands.

use crate::words::{BrokerList, ClientId, EventId, Node};
use alloc::vec::Vec;

/// How a process stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProcessState {
    /// It runs (a broker may still be starting).
    Up,
    /// It stands still; what arrives waits in its sockets.
    Paused,
    /// It was killed: its machine refuses connections.
    Crashed,
    /// Its machine is dark: nothing answers.
    PoweredOff,
    /// It stopped cleanly.
    Stopped,
}

impl ProcessState {
    /// Its name, for the page's words.
    pub const fn name(self) -> &'static str {
        match self {
            ProcessState::Up => "running",
            ProcessState::Paused => "paused",
            ProcessState::Crashed => "crashed",
            ProcessState::PoweredOff => "poweredOff",
            ProcessState::Stopped => "stopped",
        }
    }
}

/// A process's state, with the event that made it so.
#[derive(Clone, Copy, Debug)]
pub(in crate::sim) struct Status {
    pub state: ProcessState,
    pub incarnation: u32,
    pub why: EventId,
}

/// The state of every process.
#[derive(Clone, Debug)]
pub(in crate::sim) struct Statuses {
    ids: BrokerList,
    brokers: Vec<Status>,
    controller: Status,
    clients: Vec<Status>,
}

impl Statuses {
    pub(super) fn new(ids: BrokerList, clients: usize) -> Statuses {
        let up = Status { state: ProcessState::Up, incarnation: 1, why: EventId::NONE };
        Statuses {
            brokers: alloc::vec![up; ids.len()],
            ids,
            controller: up,
            clients: alloc::vec![up; clients],
        }
    }

    pub fn get(&self, node: Node) -> Option<&Status> {
        match node {
            Node::Broker(id) => self.brokers.get(self.ids.binary_search(&id).ok()?),
            Node::Controller => Some(&self.controller),
            Node::Client(id) => self.clients.get(id.0 as usize),
        }
    }

    pub fn get_mut(&mut self, node: Node) -> Option<&mut Status> {
        match node {
            Node::Broker(id) => self.brokers.get_mut(self.ids.binary_search(&id).ok()?),
            Node::Controller => Some(&mut self.controller),
            Node::Client(id) => self.clients.get_mut(id.0 as usize),
        }
    }

    /// Every process.
    pub(super) fn nodes(&self) -> Vec<Node> {
        let clients = (0..self.clients.len() as u16).map(|i| Node::Client(ClientId(i)));
        let brokers = self.ids.iter().map(|id| Node::Broker(*id));
        brokers.chain([Node::Controller]).chain(clients).collect()
    }
}
