//! The world: every node, what is in flight, and the driver that hands each input to its node.

mod acting;
mod effects;
mod faults;
mod forming;
mod look;
mod records;
mod sending;
mod silence;
mod status;

pub use self::status::ProcessState;
pub(super) use self::status::{Status, Statuses};
use crate::audit::Audit;
use crate::broker::{Broker, BrokerEffects};
use crate::client::{ClientEffects, ClientTimer};
use crate::controller::{ControllerEffects, Coordinator};
use crate::settings::Layers;
use crate::sim::client::Client;
use crate::sim::network::Network;
use crate::sim::outcome::Outcome;
use crate::sim::queue::{Item, Queue, Travelling};
use crate::sim::setup::Setup;
use crate::sim::tape::{Fingerprint, Tape};
use crate::wire::{Message, Report};
use crate::words::{EventId, Map, Micros, Node, Rng};
use alloc::collections::VecDeque;
use alloc::rc::Rc;
use alloc::vec::Vec;

/// The most events that one run may have; beyond it time stands still and the page says so.
pub const MAX_EVENTS: u32 = 20_000_000;

/// A fault of one message that the script names, and whether that message came by.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::sim) struct FaultState {
    pub matched: bool,
}

/// The whole cluster and all that is in flight, as one value.
#[derive(Clone, Debug)]
pub struct World {
    pub(in crate::sim) setup: Rc<Setup>,
    pub(in crate::sim) now: Micros,
    /// Events of this instant so far, and of the whole run.
    pub(in crate::sim) index: u32,
    pub(in crate::sim) steps: u32,
    pub(in crate::sim) queue: Queue,
    pub(in crate::sim) network: Network,
    /// Links that are cut or slow, by direction, and slow disks, each with the event that made it so.
    troubles: Map<(Node, Node), EventId>,
    /// The last message that the script dropped between two nodes, and when.
    dropped: Map<(Node, Node), (Micros, EventId)>,
    pub(in crate::sim) brokers: Vec<Broker>,
    pub(in crate::sim) controller: Coordinator,
    pub(in crate::sim) clients: Vec<Client>,
    pub(in crate::sim) status: Statuses,
    /// What waits for paused processes, in order, with when it got there.
    pub(in crate::sim) inboxes: Map<Node, VecDeque<(Micros, Item)>>,
    pub(in crate::sim) rng: Rng,
    /// Settings as the script gave them so far.
    pub(in crate::sim) settings: Rc<Layers>,
    pub(in crate::sim) next_event: u32,
    pub(in crate::sim) next_record: u32,
    pub(in crate::sim) next_passage: u32,
    pub(in crate::sim) fingerprint: Fingerprint,
    pub(in crate::sim) audit: Audit,
    pub(in crate::sim) faults: Vec<FaultState>,
    pub(in crate::sim) next_action: usize,
    pub(in crate::sim) outcomes: Vec<Outcome>,
    pub(in crate::sim) next_directory: u32,
    broker_fx: BrokerEffects,
    controller_fx: ControllerEffects,
    client_fx: ClientEffects,
}

impl World {
    /// Carries out the next event; false if nothing is left.
    pub(in crate::sim) fn step(&mut self, tape: &mut Tape) -> bool {
        let Some(at) = self.next_time() else { return false };
        if self.next_event >= MAX_EVENTS {
            return false;
        }
        self.advance_to(at, tape);
        self.index += 1;
        self.steps += 1;
        let action = self.setup.actions.get(self.next_action).filter(|a| a.at <= at);
        if action.is_some() {
            let index = self.next_action;
            self.next_action += 1;
            self.act(index, tape);
        } else if let Some((_, item)) = self.queue.pop() {
            self.handle(item, tape);
        }
        true
    }

    /// Time goes on; `expect` lines of the time before are judged.
    pub(in crate::sim) fn advance_to(&mut self, at: Micros, tape: &Tape) {
        if at > self.now {
            self.judge_before(at, tape);
            self.now = at;
            self.index = 0;
        }
    }

    fn handle(&mut self, item: Item, tape: &mut Tape) {
        let (node, incarnation) = match &item {
            Item::Deliver(t) => (t.to, t.incarnation),
            Item::Disconnect { at, incarnation, .. } => (*at, *incarnation),
            Item::Accepted { client, incarnation, .. } => (Node::Client(*client), *incarnation),
            Item::Broker(id, incarnation, _) => (Node::Broker(*id), *incarnation),
            Item::Controller(incarnation, _) => (Node::Controller, *incarnation),
            Item::Client(id, incarnation, _) => (Node::Client(*id), *incarnation),
        };
        let Some(status) = self.status.get(node) else { return };
        let same = status.incarnation == incarnation;
        if let (Item::Deliver(travelling), ProcessState::Up | ProcessState::Paused) =
            (&item, status.state)
            && same
            && travelling.opens
        {
            self.accept(travelling);
        }
        let Some(status) = self.status.get(node) else { return };
        match status.state {
            ProcessState::Up if same => self.dispatch(item, tape),
            _ if !same => self.undelivered(item, tape),
            ProcessState::Paused => {
                self.inboxes.entry(node).or_default().push_back((self.now, item));
            }
            _ => self.undelivered(item, tape),
        }
    }

    /// What was on its way to a process that is gone.
    fn undelivered(&mut self, item: Item, tape: &mut Tape) {
        if let Item::Deliver(travelling) = item {
            self.forget_unanswered(travelling.from, &travelling.message, tape);
        }
    }

    /// acks=0: nobody will ever know that these records did not arrive, but the audit does.
    fn forget_unanswered(&mut self, from: Node, message: &Message, tape: &mut Tape) {
        let crate::wire::Body::Produce(request) = &message.body else { return };
        if request.acks != 0 {
            return;
        }
        for batch in &request.batches {
            let report = Report::Vanished(batch.records.clone());
            self.audit.reported(from, message.why, &report);
        }
        self.audit_news(from, tape);
    }

    fn dispatch(&mut self, item: Item, tape: &mut Tape) {
        match item {
            Item::Deliver(Travelling { from, to, message, .. }) => {
                self.deliver(from, to, message, tape);
            }
            Item::Disconnect { at: Node::Broker(id), peer, .. } => {
                self.broker_does(id, tape, EventId::NONE, |b, fx| b.disconnected(peer, fx));
            }
            Item::Disconnect { at: Node::Client(id), peer, connection, .. } => {
                let why = self.status.get(peer).map_or(EventId::NONE, |s| s.why);
                self.client_does(id, tape, why, |c, fx| c.disconnected(peer, connection, fx));
            }
            Item::Accepted { client, broker, connection, .. } => {
                self.client_does(client, tape, EventId::NONE, |c, fx| {
                    c.accepted(broker, connection, fx);
                });
            }
            Item::Disconnect { at: Node::Controller, .. } => {}
            Item::Broker(id, _, timer) => {
                self.broker_does(id, tape, EventId::NONE, |b, fx| b.wake(timer, fx));
            }
            Item::Controller(_, timer) => {
                self.controller_does(tape, EventId::NONE, |c, fx| c.wake(timer, fx));
            }
            Item::Client(id, _, ClientTimer::Tick(rhythm)) => self.tick(id, rhythm, tape),
            Item::Client(id, _, timer) => {
                self.client_does(id, tape, EventId::NONE, |c, fx| c.wake(timer, fx));
            }
        }
    }

    fn deliver(&mut self, from: Node, to: Node, message: Message, tape: &mut Tape) {
        let why = message.why;
        match to {
            Node::Broker(id) => {
                self.broker_does(id, tape, why, |b, fx| b.receive(from, message, fx));
            }
            Node::Controller => {
                self.controller_does(tape, why, |c, fx| c.receive(from, message, fx));
            }
            Node::Client(id) => {
                self.client_does(id, tape, why, |c, fx| c.receive(from, message, fx));
            }
        }
    }
}
