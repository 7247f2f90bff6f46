//! The beginning: a cluster that is formed and caught up, and its clients just starting.

use super::{FaultState, Statuses, World};
use crate::audit::Audit;
use crate::broker::Broker;
use crate::client::{AnyProducer, Consumer, Membership, Operator, Producer, ScalaProducer};
use crate::controller::Coordinator;
use crate::settings::{Key, Owner, Rules};
use crate::sim::client::{Account, Client, Reader, Sender};
use crate::sim::network::Network;
use crate::sim::queue::Queue;
use crate::sim::setup::{ClientDecl, Setup};
use crate::sim::tape::{Fingerprint, Tape};
use crate::wire::Effects;
use crate::wire::event::EventKind;
use crate::words::{BrokerId, ClientId, EventId, Map, Micros, Rng};
use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::vec::Vec;

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
            troubles: Map::new(),
            dropped: Map::new(),
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

    pub(super) fn new_client(&self, index: usize) -> Client {
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
                    account: Account::default(),
                }))
            }
            ClientDecl::Operator => Client::Operator(Operator::default()),
        }
    }
}
