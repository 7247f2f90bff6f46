//! What a node sends, on its way: links, faults of single messages, connections.

use super::{ProcessState, World};
use crate::controller::ControllerTimer;
use crate::script::MessageFaultKind;
use crate::sim::network::{Socket, Wire};
use crate::sim::queue::{Item, Travelling};
use crate::sim::tape::{Passage, Tape};
use crate::wire::Message;
use crate::wire::event::EventKind;
use crate::wire::message::{Send, connection_of};
use crate::words::{EventId, Micros, Node, PartitionId};
use alloc::vec::Vec;

/// The way that a message takes.
fn wire(from: Node, to: Node, message: &Message) -> Wire {
    let is_client = |node| matches!(node, Node::Client(_));
    let connection = match is_client(from) || is_client(to) {
        true => connection_of(message.correlation),
        false => 0,
    };
    Wire { from, to, connection, is_response: message.body.kind().is_response() }
}

impl World {
    pub(super) fn transmit(&mut self, from: Node, send: Send, tape: &mut Tape) {
        let Send { to, message } = send;
        let (ordinal, fault) = self.name_message(from, to, &message);
        let mut arrives = self.now + self.network.latency(from, to) + self.chance();
        let why = message.why;
        let mut copies = 1;
        if let Some((index, what)) = fault {
            self.faults[index].matched = true;
            let message_name = self.setup.faults[index].name.clone();
            let event = match what {
                MessageFaultKind::Drop => {
                    copies = 0;
                    EventKind::MessageDropped { message: message_name }
                }
                MessageFaultKind::Delay(by) => {
                    arrives += by;
                    EventKind::MessageDelayed { message: message_name, by }
                }
                MessageFaultKind::Duplicate => {
                    copies = 2;
                    EventKind::MessageDuplicated { message: message_name }
                }
            };
            let told = self.note(from, event, [why, EventId::NONE], tape);
            if what == MessageFaultKind::Drop {
                self.dropped.insert((from, to), (self.now, told));
            }
        }
        let kind = message.body.kind();
        let wire = wire(from, to, &message);
        let socket = self.socket(wire);
        let is_reached = !self.network.is_cut(from, to) && self.is_connected(wire);
        if copies > 0 && (!is_reached || self.is_dark(to)) {
            copies = 0;
            let event = EventKind::MessageLost { message: kind.name(), to };
            self.note(from, event, [why, EventId::NONE], tape);
        } else if copies > 0 && (!self.is_up(to) || socket == Socket::Stale) {
            copies = 0;
            self.refuse_connection(wire, arrives);
        }
        if copies > 0 {
            arrives = self.network.arrival(wire, arrives);
        }
        if message.body.is_significant() {
            self.keep_passage(from, to, &message, ordinal, (copies > 0).then_some(arrives), tape);
        }
        let is_swallowed = copies == 0 && self.is_swallowed(wire, &message, fault.is_some());
        if copies == 0 {
            self.forget_unanswered(from, &message, tape);
        }
        let (incarnation, sent) = (self.incarnation(to), self.now);
        let opens = socket == Socket::Opens;
        let travelling = Travelling { from, to, incarnation, sent, ordinal, opens, message };
        if is_swallowed {
            self.network.hold(travelling);
            return;
        }
        if copies > 1 {
            self.queue.push(arrives, Item::Deliver(travelling.clone()));
        }
        if copies > 0 {
            self.queue.push(arrives, Item::Deliver(travelling));
        }
    }

    /// Counts a message under its names: which it is of the first of them, and the fault that the
    /// script has for it.
    pub(super) fn name_message(
        &mut self,
        from: Node,
        to: Node,
        message: &Message,
    ) -> (u32, Option<(usize, MessageFaultKind)>) {
        let kind = message.body.kind();
        let mut ordinal = 0;
        let mut fault = None;
        let mut name = |partition: Option<PartitionId>| {
            let n = self.network.count(kind, from, to, partition);
            if ordinal == 0 {
                ordinal = n;
            }
            if !self.faults.is_empty() && fault.is_none() {
                fault = self.fault_of(kind.name(), from, to, partition, n);
            }
        };
        let mut names_none = true;
        message.body.each_partition(&mut |partition| {
            names_none = false;
            name(Some(partition));
        });
        if names_none {
            name(None);
        }
        (ordinal, fault)
    }

    pub(super) fn chance(&mut self) -> Micros {
        match self.network.jitter() {
            Micros::ZERO => Micros::ZERO,
            jitter => Micros(self.rng.below(jitter.0 + 1)),
        }
    }

    /// Whether a server's request has a connection to go over. One is made if both ways are open; once
    /// made, what is sent goes over it as long as both processes live, though no answer gets back.
    fn is_connected(&mut self, wire: Wire) -> bool {
        let Wire { from, to, is_response, .. } = wire;
        let is_client = |node| matches!(node, Node::Client(_));
        if is_response || is_client(from) || is_client(to) {
            return true;
        }
        let processes = (self.incarnation(from), self.incarnation(to));
        self.network.is_connected(from, to, processes)
    }

    /// The machine is up and the process is not: the sender learns that at once.
    pub(super) fn refuse_connection(&mut self, wire: Wire, arrives: Micros) {
        let Wire { from, to, .. } = wire;
        if !wire.is_response && !self.network.is_cut(to, from) {
            let at = arrives + self.network.latency(to, from);
            let incarnation = self.incarnation(from);
            let connection = matches!(from, Node::Client(_)).then_some(wire.connection);
            self.queue.push(at, Item::Disconnect { at: from, incarnation, peer: to, connection });
        }
    }

    /// Whether a cut link keeps a message that TCP will send again: between a client and a broker
    /// that is up. What nobody waits for is forgotten, as is what the script drops.
    fn is_swallowed(&self, wire: Wire, message: &Message, by_script: bool) -> bool {
        let ends = (wire.from, wire.to);
        let is_ours =
            matches!(ends, (Node::Client(_), Node::Broker(_)) | (Node::Broker(_), Node::Client(_)));
        let is_awaited = !matches!(&message.body, crate::wire::Body::Produce(r) if r.acks == 0);
        is_ours && is_awaited && !by_script && self.network.is_cut(wire.from, wire.to)
    }

    /// A link is whole again: what it swallowed arrives after all, if its connection is still there.
    /// A machine whose process is gone answers that there is no such connection any more.
    pub(super) fn send_swallowed(&mut self, from: Node, to: Node) {
        let ends = match (from, to) {
            (Node::Client(_), Node::Broker(_)) => Some((from, to)),
            (Node::Broker(_), Node::Client(_)) => Some((to, from)),
            _ => None,
        };
        if let Some((client, broker)) = ends.filter(|(_, broker)| !self.is_dark(*broker)) {
            let current = self.is_up(broker).then(|| self.incarnation(broker));
            for connection in self.network.stale(client, broker, current) {
                let request = Wire { from: client, to: broker, connection, is_response: false };
                self.refuse_connection(request, self.now + self.network.latency(client, broker));
            }
        }
        for (at, travelling) in self.network.released(from, to, self.now) {
            let connection = connection_of(travelling.message.correlation);
            let (client, broker) = match from {
                Node::Client(_) => (from, to),
                _ => (to, from),
            };
            if self.network.is_open(client, broker, connection)
                && self.incarnation(to) == travelling.incarnation
            {
                let arrives = at.max(self.now) + self.network.latency(from, to);
                let arrives =
                    self.network.arrival(self::wire(from, to, &travelling.message), arrives);
                self.queue.push(arrives, Item::Deliver(travelling));
            }
        }
    }

    /// What a message finds at the other end of its connection.
    fn socket(&mut self, wire: Wire) -> Socket {
        match (wire.from, wire.to) {
            (Node::Client(_), Node::Broker(_)) => {
                let current = self.incarnation(wire.to);
                self.network.socket(wire, current)
            }
            (Node::Broker(_), Node::Client(_)) => {
                let Wire { from, to, connection, .. } = wire;
                let open = self.network.is_open(to, from, connection);
                if open { Socket::Known } else { Socket::Stale }
            }
            _ => Socket::Known,
        }
    }

    /// A connection's first message is there: the machine has accepted it, whatever the process does
    /// (R6.20).
    pub(super) fn accept(&mut self, travelling: &Travelling) {
        let (Node::Client(client), Node::Broker(broker)) = (travelling.from, travelling.to) else {
            return;
        };
        if !travelling.opens || self.network.is_cut(travelling.to, travelling.from) {
            return;
        }
        let at = self.now + self.network.latency(travelling.to, travelling.from);
        let incarnation = self.incarnation(travelling.from);
        let connection = connection_of(travelling.message.correlation);
        self.queue.push(at, Item::Accepted { client, incarnation, broker, connection });
    }

    /// A node closes a connection: a client gives it up, or a broker hangs up on a client.
    pub(super) fn close(&mut self, node: Node, peer: Node, connection: u32) {
        if let Node::Client(_) = node {
            self.network.close(node, peer, connection);
            return;
        }
        let at = self.now + self.network.latency(node, peer);
        let incarnation = self.incarnation(peer);
        let connection = matches!(peer, Node::Client(_)).then_some(connection);
        self.queue.push(at, Item::Disconnect { at: peer, incarnation, peer: node, connection });
    }

    pub(super) fn keep_passage(
        &mut self,
        from: Node,
        to: Node,
        message: &Message,
        ordinal: u32,
        arrives: Option<Micros>,
        tape: &mut Tape,
    ) {
        let passage = Passage {
            kind: message.body.kind(),
            from,
            to,
            sent: self.now,
            arrives: arrives.unwrap_or(Micros::NEVER),
            partition: message.body.first_partition(),
            ordinal,
        };
        tape.add_passage(self.next_passage, passage);
        self.next_passage += 1;
    }

    pub(super) fn is_dark(&self, node: Node) -> bool {
        self.status.get(node).is_some_and(|s| s.state == ProcessState::PoweredOff)
    }

    /// Every process that may have talked to `node` learns that it is gone.
    pub(in crate::sim) fn connections_close(&mut self, node: Node) {
        for peer in self.status.nodes() {
            if peer == node || !self.is_up(peer) || self.network.is_cut(node, peer) {
                continue;
            }
            let soon = self.now + self.network.latency(node, peer);
            let at = soon.max(self.network.quiet(node, peer));
            let incarnation = self.incarnation(peer);
            let connection = None;
            self.queue.push(at, Item::Disconnect { at: peer, incarnation, peer: node, connection });
        }
    }

    /// What waited for a paused process is due now, in order. A client reads what has arrived before
    /// it looks at its timers (`NetworkClient.poll`).
    pub(in crate::sim) fn empty_inbox(&mut self, node: Node) {
        let waited = self.inboxes.remove(&node).unwrap_or_default().into_iter().map(|(_, i)| i);
        let (timers, arrived): (Vec<Item>, Vec<Item>) =
            waited.partition(|item| matches!(item, Item::Client(..)));
        for item in arrived.into_iter().chain(timers) {
            self.queue.push(self.now, item);
        }
    }

    pub(in crate::sim) fn arm_controller(&mut self, at: Micros, timer: ControllerTimer) {
        let incarnation = self.incarnation(Node::Controller);
        self.queue.push(at, Item::Controller(incarnation, timer));
    }
}
