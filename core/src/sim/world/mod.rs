//! The world: every node, what is in flight, and the driver that hands each input to its node.

mod effects;
mod look;
mod records;
mod sending;
mod status;

pub use self::status::ProcessState;
pub(super) use self::status::{Status, Statuses};
use crate::audit::Audit;
use crate::broker::{Broker, BrokerEffects};
use crate::client::{
    AnyProducer, ClientEffects, ClientTimer, Consumer, Membership, Operator, Producer,
    ScalaProducer,
};
use crate::controller::{ControllerEffects, Coordinator};
use crate::settings::{Key, Layers, Owner, Rules};
use crate::sim::client::{Client, Reader, Sender};
use crate::sim::expectations::Outcome;
use crate::sim::network::Network;
use crate::sim::queue::{Item, Queue, Travelling};
use crate::sim::script_actions::Setup;
use crate::sim::tape::{Fingerprint, Tape};
use crate::wire::event::EventKind;
use crate::wire::{Effects, Message, Report};
use crate::words::{BrokerId, ClientId, EventId, Map, Micros, Node, Rng};
use alloc::boxed::Box;
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
    /// The cluster as a script describes its start: formed, caught up, and its clients just
    /// starting.
    pub(in crate::sim) fn new(setup: Rc<Setup>, tape: &mut Tape) -> World {
        let settings = Rc::new(setup.layers.clone());
        let elr = settings.cluster().get(Key::EligibleLeaderReplicasVersion) > 0;
        let rules = Rules::of(setup.release, elr).with(&setup.switches);
        let controller = Coordinator::new(settings.clone(), rules, setup.seed, setup.racks.clone());
        let racks = setup.racks.iter().map(|(id, rack)| (*id, setup.rack_number(rack)));
        let racks: Rc<Map<BrokerId, u16>> = Rc::new(racks.collect());
        let ids = setup.brokers.iter();
        let brokers: Vec<Broker> = ids
            .enumerate()
            .map(|(i, id)| Broker::new(*id, i as u32 + 1, rules, settings.clone()))
            .collect();
        let with_racks = |mut broker: Broker| {
            broker.racks = racks.clone();
            broker
        };
        let brokers: Vec<Broker> = brokers.into_iter().map(with_racks).collect();
        let mut world = World {
            now: Micros::ZERO,
            index: 0,
            steps: 0,
            queue: Queue::default(),
            network: Network::new(setup.latency, setup.jitter),
            next_directory: brokers.len() as u32 + 1,
            brokers,
            controller,
            clients: Vec::new(),
            status: Statuses::new(setup.brokers.clone(), setup.clients.len()),
            inboxes: Map::new(),
            rng: Rng::new(setup.seed ^ 0x5eed),
            settings,
            next_event: 0,
            next_record: 0,
            next_passage: 0,
            fingerprint: Fingerprint::START,
            audit: Audit::default(),
            faults: alloc::vec![FaultState::default(); setup.faults.len()],
            next_action: 0,
            outcomes: Vec::new(),
            broker_fx: Effects::new(0),
            controller_fx: Effects::new(0),
            client_fx: Effects::new(0),
            setup,
        };
        world.form(tape);
        world
    }

    fn form(&mut self, tape: &mut Tape) {
        let setup = self.setup.clone();
        self.controller_does(tape, EventId::NONE, |controller, fx| {
            let first = setup.controller.unwrap_or(setup.brokers[0]);
            if let Err(error) = controller.form(&setup.brokers, first, &setup.topics, fx) {
                fx.event(EventKind::CommandAnswered { command: "create", error });
            }
        });
        let image = self.controller.image().clone();
        let interval = self.settings.cluster().ms(Key::BrokerHeartbeatIntervalMs);
        for (i, id) in setup.brokers.iter().enumerate() {
            // Heartbeats to a controller are spread; sessions with ZooKeeper live in step.
            let phase = Micros(interval.0 * i as u64 / setup.brokers.len() as u64);
            self.broker_does(*id, tape, EventId::NONE, |b, fx| b.form(&image, phase, fx));
        }
        for i in 0..setup.clients.len() {
            let client = self.new_client(i);
            self.clients.push(client);
            let id = ClientId(i as u16);
            self.client_does(id, tape, EventId::NONE, |client, fx| client.start(fx));
            self.arm_ticks(id, true);
        }
    }

    fn new_client(&self, index: usize) -> Client {
        use super::script_actions::ClientDecl;
        let brokers = self.setup.brokers.clone();
        match &self.setup.clients[index].decl {
            ClientDecl::Producer(decl) => {
                let owner = decl.owner();
                let values = self.settings.client(&decl.name, owner);
                let topic = decl.topic.clone();
                let producer = match owner {
                    Owner::ScalaProducer => {
                        AnyProducer::Scala(ScalaProducer::new(topic, values, brokers))
                    }
                    _ => {
                        let rules = *self.controller.rules();
                        AnyProducer::Java(Producer::new(topic, values, brokers, rules))
                    }
                };
                Client::Producer(Box::new(Sender {
                    producer,
                    decl: decl.clone(),
                    every: decl.every,
                    rhythm: 0,
                    made: 0,
                }))
            }
            ClientDecl::Consumer(decl) => {
                let values = self.settings.client(&decl.name, Owner::Consumer);
                Client::Consumer(Box::new(Reader {
                    consumer: Consumer::new(
                        decl.topic.clone(),
                        values,
                        *self.controller.rules(),
                        brokers,
                        Membership {
                            group: decl.group.clone(),
                            commit: decl.commit,
                            processing: decl.processing,
                            rack: decl.rack.as_deref().map_or(0, |r| self.setup.rack_number(r)),
                        },
                    ),
                    topic: decl.topic.clone(),
                    read: Vec::new(),
                    count: 0,
                }))
            }
            ClientDecl::Operator => Client::Operator(Operator::default()),
        }
    }

    // One event.

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
            Item::Broker(id, incarnation, _) => (Node::Broker(*id), *incarnation),
            Item::Controller(incarnation, _) => (Node::Controller, *incarnation),
            Item::Client(id, incarnation, _) => (Node::Client(*id), *incarnation),
        };
        let Some(status) = self.status.get(node) else { return };
        let same = status.incarnation == incarnation;
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
            Item::Disconnect { at: Node::Client(id), peer, .. } => {
                let why = self.status.get(peer).map_or(EventId::NONE, |s| s.why);
                self.client_does(id, tape, why, |c, fx| c.disconnected(peer, fx));
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
