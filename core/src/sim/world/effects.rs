//! Nodes answer inputs with effects, which are carried out here.

use super::{ProcessState, World};
use crate::broker::{Broker, BrokerEffects};
use crate::client::ClientEffects;
use crate::controller::{ControllerEffects, Coordinator};
use crate::sim::client::Client;
use crate::sim::queue::Item;
use crate::sim::tape::Tape;
use crate::wire::event::{Event, EventKind};
use crate::wire::message::OFFSETS_TOPIC;
use crate::wire::metadata::PartitionState;
use crate::wire::{Effects, Report};
use crate::words::{BrokerId, ClientId, EventId, Micros, Node, PartitionId};
use alloc::vec::Vec;

impl World {
    pub(in crate::sim) fn broker_does(
        &mut self,
        id: BrokerId,
        tape: &mut Tape,
        cause: EventId,
        input: impl FnOnce(&mut Broker, &mut BrokerEffects),
    ) {
        let Some(at) = self.broker_index(id) else { return };
        let mut fx = core::mem::replace(&mut self.broker_fx, Effects::new(0));
        fx.begin(self.now, cause, self.next_event);
        let was_up = self.brokers[at].is_up();
        input(&mut self.brokers[at], &mut fx);
        self.broker_did(at, was_up, fx, tape);
    }

    pub(super) fn broker_did(
        &mut self,
        at: usize,
        was_up: bool,
        mut fx: BrokerEffects,
        tape: &mut Tape,
    ) {
        let id = self.brokers[at].id;
        let node = Node::Broker(id);
        let exited = was_up && !self.brokers[at].is_up();
        let incarnation = self.incarnation(node);
        self.carry_out(node, &mut fx, tape, |timer| Item::Broker(id, incarnation, timer));
        self.broker_fx = fx;
        if exited && self.is_up(node) {
            // It ended by itself: a clean stop is done, or it halted (R3.16).
            let why = EventId(self.next_event - 1);
            let clean = self.brokers[at].disk.clean_mark.is_some();
            let state = if clean { ProcessState::Stopped } else { ProcessState::Crashed };
            self.set_status(node, state, why);
            self.connections_close(node);
        }
    }

    pub(in crate::sim) fn controller_does(
        &mut self,
        tape: &mut Tape,
        cause: EventId,
        input: impl FnOnce(&mut Coordinator, &mut ControllerEffects),
    ) {
        let mut fx = core::mem::replace(&mut self.controller_fx, Effects::new(0));
        fx.begin(self.now, cause, self.next_event);
        input(&mut self.controller, &mut fx);
        self.controller_did(fx, tape);
    }

    pub(super) fn controller_did(&mut self, mut fx: ControllerEffects, tape: &mut Tape) {
        let incarnation = self.incarnation(Node::Controller);
        self.carry_out(Node::Controller, &mut fx, tape, |timer| {
            Item::Controller(incarnation, timer)
        });
        self.controller_fx = fx;
    }

    pub(in crate::sim) fn client_does(
        &mut self,
        id: ClientId,
        tape: &mut Tape,
        cause: EventId,
        input: impl FnOnce(&mut Client, &mut ClientEffects),
    ) {
        let Some(client) = self.clients.get_mut(id.0 as usize) else { return };
        let mut fx = core::mem::replace(&mut self.client_fx, Effects::new(0));
        fx.begin(self.now, cause, self.next_event);
        input(client, &mut fx);
        self.client_did(id, fx, tape);
    }

    pub(super) fn client_did(&mut self, id: ClientId, mut fx: ClientEffects, tape: &mut Tape) {
        let node = Node::Client(id);
        let incarnation = self.incarnation(node);
        self.carry_out(node, &mut fx, tape, |timer| Item::Client(id, incarnation, timer));
        self.client_fx = fx;
    }

    pub(super) fn carry_out<T>(
        &mut self,
        node: Node,
        fx: &mut Effects<T>,
        tape: &mut Tape,
        item: impl Fn(T) -> Item,
    ) {
        self.write_down(node, &mut fx.events, &mut fx.reports, tape);
        for send in fx.sends.drain(..) {
            self.transmit(node, send, tape);
        }
        for (peer, connection) in fx.closes.drain(..) {
            self.close(node, peer, connection);
        }
        for timer in fx.timers.drain(..).filter(|timer| timer.at < Micros::NEVER) {
            let at = timer.at.max(self.now);
            if timer.only {
                self.queue.wake_by(at, item(timer.what));
            } else {
                self.queue.push(at, item(timer.what));
            }
        }
    }

    /// What happened becomes part of the history, and the audit sees it.
    pub(super) fn write_down(
        &mut self,
        node: Node,
        events: &mut Vec<(EventKind, [EventId; 2])>,
        reports: &mut Vec<(EventId, Report)>,
        tape: &mut Tape,
    ) {
        let first = self.next_event;
        for (kind, causes) in events.drain(..) {
            self.note(node, kind, causes, tape);
        }
        for (event, report) in reports.drain(..) {
            if let (Report::Read(partition, batches), Node::Client(id)) = (&report, node)
                && let Some(Client::Consumer(reader)) = self.clients.get_mut(id.0 as usize)
            {
                reader.account.note(*partition, batches);
            }
            self.audit.reported(node, event, &report);
        }
        if self.next_event != first {
            self.audit_news(node, tape);
        }
    }

    /// Writes an event down and shows it to the audit.
    pub(in crate::sim) fn note(
        &mut self,
        node: Node,
        kind: EventKind,
        causes: [EventId; 2],
        tape: &mut Tape,
    ) -> EventId {
        let causes = self.with_fault(node, &kind, causes);
        let event = Event { at: self.now, node, kind, causes };
        let id = self.next_event;
        self.next_event += 1;
        self.fingerprint.event(&event);
        let controller = &self.controller;
        let state = |p: PartitionId| controller.image().partition(p).map(|s| &**s);
        let min_isr = |s: &PartitionState| controller.min_isr(s);
        let scene =
            crate::audit::Scene { brokers: &self.brokers, state: &state, min_isr: &min_isr };
        if let EventKind::TopicCreated { topic, .. } = &event.kind
            && topic == OFFSETS_TOPIC
        {
            let known = controller.image().topics.iter().find(|t| t.name == *topic);
            self.audit.set_internal(known.map_or(&[], |t| &t.partitions));
        }
        self.audit.saw(EventId(id), &event, &scene);
        tape.note(id, event);
        EventId(id)
    }

    /// What the audit found becomes part of the history, at the place where it happened.
    pub(in crate::sim) fn audit_news(&mut self, node: Node, tape: &mut Tape) {
        for (kind, cause) in self.audit.take_news() {
            self.note(node, kind, [cause, EventId::NONE], tape);
        }
    }

    /// Shows the audit that logs lost their ends without their process's doing.
    pub(in crate::sim) fn audit_losses(&mut self, broker: BrokerId, cause: EventId) {
        let Some(at) = self.broker_index(broker) else { return };
        let controller = &self.controller;
        let state = |p: PartitionId| controller.image().partition(p).map(|s| &**s);
        let min_isr = |s: &PartitionState| controller.min_isr(s);
        let scene =
            crate::audit::Scene { brokers: &self.brokers, state: &state, min_isr: &min_isr };
        for id in 0..controller.image().partitions.len() as u32 {
            let partition = PartitionId(id);
            let end = self.brokers[at].replicas.get(&partition).map_or(0, |r| r.log.end());
            self.audit.shrank(broker, partition, Some(end), cause, &scene);
        }
    }
}
