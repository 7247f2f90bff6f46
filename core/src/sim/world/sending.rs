//! What a node sends, on its way: links, faults of single messages, connections.

use super::{ProcessState, World};
use crate::controller::ControllerTimer;
use crate::script::MessageFaultKind;
use crate::sim::queue::{Item, Travelling};
use crate::sim::tape::{Passage, Tape};
use crate::wire::Message;
use crate::wire::event::EventKind;
use crate::wire::message::Send;
use crate::words::{EventId, Micros, Node};

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
        if copies > 0 && (self.network.is_cut(from, to) || self.is_dark(to)) {
            copies = 0;
            let event = EventKind::MessageLost { message: kind.name(), to };
            self.note(from, event, [why, EventId::NONE], tape);
        } else if copies > 0 && !self.is_up(to) {
            copies = 0;
            self.refuse_connection(from, to, kind.is_response(), arrives);
        }
        if copies > 0 {
            arrives = self.network.arrival(from, to, kind.is_response(), arrives);
        }
        if message.body.is_significant() {
            self.keep_passage(from, to, &message, ordinal, (copies > 0).then_some(arrives), tape);
        }
        if copies == 0 {
            self.forget_unanswered(from, &message, tape);
        }
        let (incarnation, sent) = (self.incarnation(to), self.now);
        let travelling = Travelling { from, to, incarnation, sent, ordinal, message };
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
        let partitions = message.body.partitions();
        let none = partitions.is_empty().then_some(None);
        let mut ordinal = 0;
        let mut fault = None;
        for partition in partitions.iter().copied().map(Some).chain(none) {
            let n = self.network.count(kind, from, to, partition);
            if ordinal == 0 {
                ordinal = n;
            }
            if !self.faults.is_empty() {
                fault = fault.or_else(|| self.fault_of(kind.name(), from, to, partition, n));
            }
        }
        (ordinal, fault)
    }

    pub(super) fn chance(&mut self) -> Micros {
        match self.network.jitter() {
            Micros::ZERO => Micros::ZERO,
            jitter => Micros(self.rng.below(jitter.0 + 1)),
        }
    }

    /// The machine is up and the process is not: the sender learns that at once.
    pub(super) fn refuse_connection(
        &mut self,
        from: Node,
        to: Node,
        is_response: bool,
        arrives: Micros,
    ) {
        if !is_response && !self.network.is_cut(to, from) {
            let at = arrives + self.network.latency(to, from);
            let incarnation = self.incarnation(from);
            self.queue.push(at, Item::Disconnect { at: from, incarnation, peer: to });
        }
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
            partition: message.body.partitions().first().copied(),
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
            self.queue.push(at, Item::Disconnect { at: peer, incarnation, peer: node });
        }
    }

    /// What waited for a paused process is due now, in order.
    pub(in crate::sim) fn empty_inbox(&mut self, node: Node) {
        for (_, item) in self.inboxes.remove(&node).unwrap_or_default() {
            self.queue.push(self.now, item);
        }
    }

    pub(in crate::sim) fn arm_controller(&mut self, at: Micros, timer: ControllerTimer) {
        let incarnation = self.incarnation(Node::Controller);
        self.queue.push(at, Item::Controller(incarnation, timer));
    }
}
