use super::client::{Client, Reader, Sender};
use super::expectations::Outcome;
use super::network::{Flight, Network};
use super::queue::{Item, Queue, Travelling};
use super::script_actions::Setup;
use super::tape::{Fingerprint, Passage, RecordInfo, Tape};
use crate::audit::Audit;
use crate::broker::{Broker, BrokerEffects, BrokerTimer};
use crate::client::{
    AnyProducer, ClientEffects, ClientTimer, Consumer, Membership, NewRecord, Operator, Producer,
    ScalaProducer,
};
use crate::controller::{ControllerEffects, ControllerTimer, Coordinator};
use crate::script::MessageFaultKind;
use crate::settings::{Key, Layers, Owner, Rules};
use crate::wire::event::{Event, EventKind};
use crate::wire::message::{OFFSETS_TOPIC, Send};
use crate::wire::metadata::PartitionState;
use crate::wire::{Effects, Message, Report};
use crate::words::{
    BrokerId, BrokerList, ClientId, EventId, Map, Micros, Node, PartitionId, RecordId, Rng, ordered,
};
use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::format;
use alloc::rc::Rc;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The most events that one run may have; beyond it time stands still and the page says so.
pub const MAX_EVENTS: u32 = 20_000_000;

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

/// A process's state, with the event that made it so.
#[derive(Clone, Copy, Debug)]
pub(super) struct Status {
    pub state: ProcessState,
    pub incarnation: u32,
    pub why: EventId,
}

/// The state of every process.
#[derive(Clone, Debug)]
pub(super) struct Statuses {
    ids: BrokerList,
    brokers: Vec<Status>,
    controller: Status,
    clients: Vec<Status>,
}

impl Statuses {
    fn new(ids: BrokerList, clients: usize) -> Statuses {
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
    fn nodes(&self) -> Vec<Node> {
        let clients = (0..self.clients.len() as u16).map(|i| Node::Client(ClientId(i)));
        let brokers = self.ids.iter().map(|id| Node::Broker(*id));
        brokers.chain([Node::Controller]).chain(clients).collect()
    }
}

/// A fault of one message that the script names, and whether that message came by.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FaultState {
    pub matched: bool,
}

/// The whole cluster and all that is in flight, as one value.
#[derive(Clone, Debug)]
pub struct World {
    pub(super) setup: Rc<Setup>,
    pub(super) now: Micros,
    /// Events of this instant so far, and of the whole run.
    pub(super) index: u32,
    pub(super) steps: u32,
    pub(super) queue: Queue,
    pub(super) network: Network,
    pub(super) brokers: Vec<Broker>,
    pub(super) controller: Coordinator,
    pub(super) clients: Vec<Client>,
    pub(super) status: Statuses,
    /// What waits for paused processes, in order, with when it got there.
    pub(super) inboxes: Map<Node, VecDeque<(Micros, Item)>>,
    pub(super) rng: Rng,
    /// Settings as the script gave them so far.
    pub(super) settings: Rc<Layers>,
    pub(super) next_event: u32,
    pub(super) next_record: u32,
    pub(super) next_passage: u32,
    pub(super) fingerprint: Fingerprint,
    pub(super) audit: Audit,
    pub(super) faults: Vec<FaultState>,
    pub(super) next_action: usize,
    pub(super) outcomes: Vec<Outcome>,
    pub(super) next_directory: u32,
    broker_fx: BrokerEffects,
    controller_fx: ControllerEffects,
    client_fx: ClientEffects,
}

impl World {
    /// The cluster as a script describes its start: formed, caught up, and its clients just
    /// starting.
    pub(super) fn new(setup: Rc<Setup>, tape: &mut Tape) -> World {
        let settings = Rc::new(setup.layers.clone());
        let elr = settings.cluster().get(Key::EligibleLeaderReplicasVersion) > 0;
        let mut rules = Rules::of(setup.release, elr);
        for (switch, value) in &setup.switches {
            rules.set(*switch, *value);
        }
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

    // What one may look at.

    /// Now.
    pub fn now(&self) -> Micros {
        self.now
    }

    /// Events of this instant so far.
    pub fn index(&self) -> u32 {
        self.index
    }

    /// Events of the whole run so far: delivered messages, fired timers, script actions.
    pub fn steps(&self) -> u32 {
        self.steps
    }

    /// How many events of the history there are so far.
    pub fn event_count(&self) -> u32 {
        self.next_event
    }

    /// Brokers by id.
    pub fn brokers(&self) -> &[Broker] {
        &self.brokers
    }

    /// A broker.
    pub fn broker(&self, id: BrokerId) -> Option<&Broker> {
        self.brokers.get(self.broker_index(id)?)
    }

    /// The controller, or ZooKeeper.
    pub fn controller(&self) -> &Coordinator {
        &self.controller
    }

    /// Clients in order of declaration; the last is the operator.
    pub fn clients(&self) -> &[Client] {
        &self.clients
    }

    /// The audit's account.
    pub fn audit(&self) -> &Audit {
        &self.audit
    }

    /// How `expect` lines came out whose time has passed.
    pub fn outcomes(&self) -> &[Outcome] {
        &self.outcomes
    }

    /// Settings as they are given now.
    pub fn settings(&self) -> &Layers {
        &self.settings
    }

    /// Faults of links.
    pub fn link_faults(&self) -> impl Iterator<Item = (Node, Node, super::LinkFault)> {
        self.network.faults()
    }

    /// How a process stands, and the event that made it so.
    pub fn process_state(&self, node: Node) -> (ProcessState, EventId) {
        self.status.get(node).map_or((ProcessState::Crashed, EventId::NONE), |s| (s.state, s.why))
    }

    /// A process's name in scripts.
    pub fn node_name(&self, node: Node) -> String {
        match node {
            Node::Broker(id) => id.to_string(),
            Node::Controller => String::from(self.coordinator_name()),
            Node::Client(id) => self.setup.clients[id.0 as usize].name.clone(),
        }
    }

    /// What scripts call the node that keeps the cluster's truth.
    pub fn coordinator_name(&self) -> &'static str {
        match &self.controller {
            Coordinator::KRaft(_) => "controller",
            Coordinator::ZooKeeper(_) => "zookeeper",
        }
    }

    /// A partition's name, such as `orders/0`.
    pub fn partition_name(&self, id: PartitionId) -> String {
        let image = self.controller.image();
        let Some(state) = image.partition(id) else { return String::from("?") };
        let topic = image.topic_of(state);
        let number = topic.partitions.iter().position(|p| *p == id).unwrap_or(0);
        format!("{}/{number}", topic.name)
    }

    /// The partition of that name.
    pub fn partition_named(&self, topic: &str, number: u32) -> Option<PartitionId> {
        let topic = self.controller.image().topics.iter().find(|t| t.name == topic)?;
        topic.partitions.get(number as usize).copied()
    }

    /// A short fingerprint of the history up to now.
    pub fn fingerprint(&self) -> String {
        let mut print = self.fingerprint;
        print.word(self.now.0);
        print.word(u64::from(self.steps));
        print.short()
    }

    /// Effective min ISR of a partition, as the controller sees it (R5.22).
    pub fn min_isr(&self, state: &PartitionState) -> usize {
        self.controller.min_isr(state)
    }

    /// Whether a message that matters is on its way.
    pub fn is_anything_moving(&self) -> bool {
        let matters =
            |item: &Item| matches!(item, Item::Deliver(t) if t.message.body.is_significant());
        self.queue.iter().any(|(_, _, item)| matters(item))
    }

    /// Messages on their way, in the order in which they left.
    pub fn flights(&self) -> Vec<Flight<'_>> {
        let travelling = self.queue.iter().filter_map(|(at, id, item)| match item {
            Item::Deliver(t) => Some((at, id, t, false)),
            _ => None,
        });
        let waiting =
            self.inboxes.values().flatten().enumerate().filter_map(|(i, (at, item))| match item {
                Item::Deliver(t) => Some((*at, u32::MAX - i as u32, t, true)),
                _ => None,
            });
        let all: Vec<Flight<'_>> = travelling
            .chain(waiting)
            .map(|(arrives, id, t, waits)| Flight {
                id,
                body: &t.message.body,
                from: t.from,
                to: t.to,
                sent: t.sent,
                arrives,
                waits,
                ordinal: t.ordinal,
                why: t.message.why,
            })
            .collect();
        ordered(all, |f| (f.sent.0, f.id))
    }

    /// When the next event is due.
    pub fn next_time(&self) -> Option<Micros> {
        let action = self.setup.actions.get(self.next_action).map(|a| a.at.max(self.now));
        match (action, self.queue.next_time()) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }

    /// When the next event is due that matters to the eye.
    pub fn next_significant_time(&self) -> Option<Micros> {
        let action = self.setup.actions.get(self.next_action).map(|a| a.at.max(self.now));
        let due = self.queue.iter().filter(|(_, _, item)| match item {
            Item::Deliver(t) => t.message.body.is_significant(),
            Item::Client(_, _, ClientTimer::Tick(_)) | Item::Disconnect { .. } => true,
            Item::Broker(_, _, BrokerTimer::Booted | BrokerTimer::Recovered) => true,
            _ => false,
        });
        due.map(|(at, _, _)| at).chain(action).min()
    }

    pub(super) fn broker_index(&self, id: BrokerId) -> Option<usize> {
        self.brokers.binary_search_by_key(&id, |b| b.id).ok()
    }

    pub(super) fn is_up(&self, node: Node) -> bool {
        matches!(
            self.status.get(node).map(|s| s.state),
            Some(ProcessState::Up | ProcessState::Paused)
        )
    }

    fn incarnation(&self, node: Node) -> u32 {
        self.status.get(node).map_or(0, |s| s.incarnation)
    }

    pub(super) fn set_status(&mut self, node: Node, state: ProcessState, why: EventId) {
        let Some(status) = self.status.get_mut(node) else { return };
        let restarts = state == ProcessState::Up && status.state != ProcessState::Paused;
        let incarnation = status.incarnation + u32::from(restarts);
        *status = Status { state, incarnation, why };
    }

    // One event.

    /// Carries out the next event; false if nothing is left.
    pub(super) fn step(&mut self, tape: &mut Tape) -> bool {
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
    pub(super) fn advance_to(&mut self, at: Micros, tape: &Tape) {
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

    // Nodes answer inputs with effects, which are carried out here.

    pub(super) fn broker_does(
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

    fn broker_did(&mut self, at: usize, was_up: bool, mut fx: BrokerEffects, tape: &mut Tape) {
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

    pub(super) fn controller_does(
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

    fn controller_did(&mut self, mut fx: ControllerEffects, tape: &mut Tape) {
        let incarnation = self.incarnation(Node::Controller);
        self.carry_out(Node::Controller, &mut fx, tape, |timer| {
            Item::Controller(incarnation, timer)
        });
        self.controller_fx = fx;
    }

    pub(super) fn client_does(
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

    fn client_did(&mut self, id: ClientId, mut fx: ClientEffects, tape: &mut Tape) {
        let node = Node::Client(id);
        let incarnation = self.incarnation(node);
        self.carry_out(node, &mut fx, tape, |timer| Item::Client(id, incarnation, timer));
        self.client_fx = fx;
    }

    fn carry_out<T>(
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
        for peer in fx.closes.drain(..) {
            let at = self.now + self.network.latency(node, peer);
            let incarnation = self.incarnation(peer);
            self.queue.push(at, Item::Disconnect { at: peer, incarnation, peer: node });
        }
        for (at, timer) in fx.timers.drain(..) {
            if at < Micros::NEVER {
                self.queue.push(at.max(self.now), item(timer));
            }
        }
    }

    /// What happened becomes part of the history, and the audit sees it.
    fn write_down(
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
                reader.note(*partition, batches);
            }
            self.audit.reported(node, event, &report);
        }
        if self.next_event != first {
            self.audit_news(node, tape);
        }
    }

    /// Writes an event down and shows it to the audit.
    pub(super) fn note(
        &mut self,
        node: Node,
        kind: EventKind,
        causes: [EventId; 2],
        tape: &mut Tape,
    ) -> EventId {
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
    pub(super) fn audit_news(&mut self, node: Node, tape: &mut Tape) {
        for (kind, cause) in self.audit.take_news() {
            self.note(node, kind, [cause, EventId::NONE], tape);
        }
    }

    /// Shows the audit that logs lost their ends without their process's doing.
    pub(super) fn audit_losses(&mut self, broker: BrokerId, cause: EventId) {
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

    // The network.

    fn transmit(&mut self, from: Node, send: Send, tape: &mut Tape) {
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
            self.note(from, event, [why, EventId::NONE], tape);
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
    fn name_message(
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

    fn chance(&mut self) -> Micros {
        match self.network.jitter() {
            Micros::ZERO => Micros::ZERO,
            jitter => Micros(self.rng.below(jitter.0 + 1)),
        }
    }

    /// The machine is up and the process is not: the sender learns that at once.
    fn refuse_connection(&mut self, from: Node, to: Node, is_response: bool, arrives: Micros) {
        if !is_response && !self.network.is_cut(to, from) {
            let at = arrives + self.network.latency(to, from);
            let incarnation = self.incarnation(from);
            self.queue.push(at, Item::Disconnect { at: from, incarnation, peer: to });
        }
    }

    fn keep_passage(
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

    fn is_dark(&self, node: Node) -> bool {
        self.status.get(node).is_some_and(|s| s.state == ProcessState::PoweredOff)
    }

    /// Every process that may have talked to `node` learns that it is gone.
    pub(super) fn connections_close(&mut self, node: Node) {
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
    pub(super) fn empty_inbox(&mut self, node: Node) {
        for (_, item) in self.inboxes.remove(&node).unwrap_or_default() {
            self.queue.push(self.now, item);
        }
    }

    pub(super) fn arm_controller(&mut self, at: Micros, timer: ControllerTimer) {
        let incarnation = self.incarnation(Node::Controller);
        self.queue.push(at, Item::Controller(incarnation, timer));
    }

    // Records.

    /// Sets a producer's rhythm going.
    pub(super) fn arm_ticks(&mut self, id: ClientId, first: bool) {
        let incarnation = self.incarnation(Node::Client(id));
        let Some(Client::Producer(sender)) = self.clients.get_mut(id.0 as usize) else { return };
        sender.rhythm += 1;
        let Some(every) = sender.every else { return };
        let start = sender.decl.from.filter(|_| first).unwrap_or(self.now + every).max(self.now);
        let timer = ClientTimer::Tick(sender.rhythm);
        self.queue.push(start, Item::Client(id, incarnation, timer));
    }

    fn tick(&mut self, id: ClientId, rhythm: u32, tape: &mut Tape) {
        let incarnation = self.incarnation(Node::Client(id));
        let now = self.now;
        let Some(Client::Producer(sender)) = self.clients.get_mut(id.0 as usize) else { return };
        if sender.rhythm != rhythm || sender.decl.until.is_some_and(|until| now >= until) {
            return;
        }
        let Some(every) = sender.every else { return };
        let timer = ClientTimer::Tick(rhythm);
        self.queue.push(now + every, Item::Client(id, incarnation, timer));
        let (burst, keys, first) = (sender.decl.burst.max(1), sender.decl.keys, sender.made);
        sender.made += burst;
        let name = sender.decl.name.clone();
        let infos = (first..first + burst).map(|n| {
            let key = (keys > 0).then(|| format!("k{}", n % keys).into());
            let value = format!("{name}-{}", n + 1).into();
            RecordInfo { producer: id, key, value }
        });
        self.send_records(id, infos.collect(), None, tape);
    }

    /// Hands records to a producer.
    pub(super) fn send_records(
        &mut self,
        id: ClientId,
        infos: Vec<RecordInfo>,
        partition: Option<u32>,
        tape: &mut Tape,
    ) {
        let Some(Client::Producer(sender)) = self.clients.get(id.0 as usize) else { return };
        let (acks, idempotent) = (sender.producer.acks(), sender.producer.is_idempotent());
        let mut records = Vec::with_capacity(infos.len());
        for info in infos {
            self.audit.open(id, acks, idempotent);
            records.push(NewRecord {
                id: RecordId(self.next_record),
                key: info.key.as_deref().map(String::from),
                bytes: info.bytes(),
                partition,
            });
            tape.add_record(self.next_record, info);
            self.next_record += 1;
        }
        self.client_does(id, tape, EventId::NONE, |client, fx| {
            if let Client::Producer(sender) = client {
                sender.producer.send(records, fx);
            }
        });
    }

    /// Starts a client again, with nothing remembered.
    pub(super) fn renew_client(&mut self, id: ClientId) {
        let mut client = self.new_client(id.0 as usize);
        let Some(known) = self.clients.get_mut(id.0 as usize) else { return };
        // What the scenario counts goes on.
        match (&mut client, &mut *known) {
            (Client::Producer(new), Client::Producer(old)) => new.made = old.made,
            (Client::Consumer(new), Client::Consumer(old)) => {
                new.read = core::mem::take(&mut old.read);
                new.count = old.count;
            }
            _ => {}
        }
        *known = client;
    }
}
