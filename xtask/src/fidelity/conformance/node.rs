//! One real broker, to which a case speaks by messages, as clients, followers and the controller do.

use super::fields;
use super::{Era, Outcome};
use highwater_core::broker::{Broker, BrokerEffects, BrokerTimer};
use highwater_core::log::Log;
use highwater_core::partition::Stored;
use highwater_core::replica::{Replica, ReplicaSettings};
use highwater_core::settings::rules::Coordination;
use highwater_core::settings::{Key, Layers, Rules, Scope, Value as Setting};
use highwater_core::wire::SetTimer;
use highwater_core::wire::message::{Body, EpochQuery, LeaderAndIsr, Message, MetadataAnswer};
use highwater_core::wire::metadata::{
    BrokerState, MetadataImage, MetadataRecord, PartitionState, Topic,
};
use highwater_core::words::{
    BrokerId, ClientId, ErrorCode, EventId, Micros, Node, Offset, PartitionId,
};
use std::rc::Rc;

/// A partition that the broker knows, with the log that it has of it.
pub struct Hosted {
    pub topic: String,
    pub stored: Stored,
    /// `[epoch, first, end)`; of no account where the broker is no replica.
    pub runs: Vec<(i32, i64, i64)>,
    pub hw: Offset,
}

/// What has left the broker since it was last asked.
#[derive(Default)]
pub struct Left {
    pub sent: Vec<(Node, u32, Body)>,
    pub closed: Vec<Node>,
}

/// The broker, its clock and its timers, and the controller's side of the cluster.
pub struct RealBroker {
    pub broker: Broker,
    image: MetadataImage,
    kraft: bool,
    pub now: Micros,
    timers: Vec<(Micros, BrokerTimer)>,
    correlation: u32,
    /// Its fetch of metadata that waits for something new.
    metadata_fetch: u32,
    left: Left,
}

impl RealBroker {
    pub fn new(
        era: &Era,
        own: BrokerId,
        min_isr: Option<i64>,
        hosted: &[Hosted],
    ) -> Result<RealBroker, String> {
        let mut settings = Layers::new(era.release);
        for topic in hosted.iter().map(|h| h.topic.clone()) {
            let scope = Scope::Topic(topic);
            let value = min_isr.map(Setting);
            settings.set(&scope, Key::MinInsyncReplicas, value).map_err(|e| format!("{e:?}"))?;
        }
        let settings = Rc::new(settings);
        let mut image = MetadataImage::new(Rc::clone(&settings));
        let mut broker = Broker::new(own, 1, era.rules, settings);
        let replicas = hosted.iter().flat_map(|h| h.stored.replicas.iter().copied());
        let mut brokers: Vec<BrokerId> = replicas.chain([own]).collect();
        brokers.sort_unstable();
        brokers.dedup();
        for id in brokers {
            image.apply(&MetadataRecord::Broker(id, BrokerState::up(1, 1, 1)));
        }
        for (number, given) in (0..).zip(hosted) {
            let id = PartitionId(number);
            let topic = Topic { name: given.topic.clone(), partitions: vec![id] };
            image.apply(&MetadataRecord::Topic(Rc::new(topic)));
            let state = partition_state(given.stored, number);
            image.apply(&MetadataRecord::Partition(id, Rc::new(state)));
            if given.stored.replicas.contains(&own) {
                broker.replicas.insert(id, replica(given, &image, own, &era.rules)?);
            }
        }
        let kraft = era.rules.coordination == Coordination::KRaft;
        if !kraft {
            image.apply(&MetadataRecord::Controller(None, 1));
        }
        let (timers, left, now) = (Vec::new(), Left::default(), Micros::from_secs(1_000_000));
        let (correlation, metadata_fetch) = (0, 0);
        let mut real =
            RealBroker { broker, image, kraft, now, timers, correlation, metadata_fetch, left };
        let mut fx = real.effects();
        let image = real.image.clone();
        real.broker.form(&image, Micros::ZERO, &mut fx);
        real.carry_out(fx);
        real.pass(Micros::ZERO);
        real.left = Left::default();
        Ok(real)
    }

    fn effects(&self) -> BrokerEffects {
        let mut fx = BrokerEffects::new(0);
        fx.begin(self.now, EventId::NONE, 0);
        fx
    }

    fn carry_out(&mut self, fx: BrokerEffects) {
        for SetTimer { at, what, only } in fx.timers {
            let pending = self.timers.iter().position(|(_, known)| only && *known == what);
            match pending {
                Some(pending) => self.timers[pending].0 = self.timers[pending].0.min(at),
                None => self.timers.push((at, what)),
            }
        }
        for send in fx.sends {
            if let Body::MetadataFetch(_) = send.message.body {
                self.metadata_fetch = send.message.correlation;
            }
            self.left.sent.push((send.to, send.message.correlation, send.message.body));
        }
        self.left.closed.extend(fx.closes.into_iter().map(|(node, _)| node));
    }

    /// A message reaches it.
    pub fn receive(&mut self, from: Node, correlation: u32, body: Body) {
        let mut fx = self.effects();
        self.broker.receive(from, Message { correlation, body, why: EventId::NONE }, &mut fx);
        self.carry_out(fx);
    }

    /// What has left it since this was last called.
    pub fn take_left(&mut self) -> Left {
        std::mem::take(&mut self.left)
    }

    /// Time passes, and its timers fire.
    pub fn pass(&mut self, time: Micros) {
        let until = self.now + time;
        loop {
            let due = self.timers.iter().enumerate().filter(|(_, (at, _))| *at <= until);
            let Some(next) = due.min_by_key(|(_, (at, _))| *at).map(|(i, _)| i) else { break };
            let (at, timer) = self.timers.remove(next);
            self.now = self.now.max(at);
            let mut fx = self.effects();
            self.broker.wake(timer, &mut fx);
            // What a timer sets for now comes with the next turn of the clock.
            for timer in &mut fx.timers {
                timer.at = timer.at.max(self.now + Micros(1));
            }
            self.carry_out(fx);
        }
        self.now = until;
    }

    /// What is stored of a partition.
    pub fn stored(&self, partition: PartitionId) -> Stored {
        self.image.partition(partition).map(|s| s.stored).unwrap_or_default()
    }

    /// The controller stores a new state of a partition, and the broker hears of it: by the metadata
    /// log, or in a LeaderAndIsr request.
    pub fn tell(&mut self, partition: PartitionId, stored: Stored) {
        let state = Rc::new(partition_state(stored, partition.0));
        let record = MetadataRecord::Partition(partition, Rc::clone(&state));
        if self.kraft {
            self.log_record(record);
            return;
        }
        self.image.apply(&record);
        let controller = BrokerId(u16::MAX);
        self.correlation += 1;
        let body = Body::LeaderAndIsr(Box::new(LeaderAndIsr {
            controller,
            controller_epoch: self.image.controller_epoch,
            topics: self.image.topics.clone(),
            parts: vec![(partition, state)],
            live: stored.replicas.into(),
        }));
        self.receive(Node::Broker(controller), self.correlation, body);
    }

    /// Another broker is in controlled shutdown.
    pub fn shut_down(&mut self, broker: BrokerId) {
        let up = BrokerState::up(1, 1, 1);
        self.log_record(MetadataRecord::Broker(broker, BrokerState { shutting_down: true, ..up }));
    }

    /// A record is added to the metadata log, which the broker follows.
    fn log_record(&mut self, record: MetadataRecord) {
        let offset = self.image.offset;
        self.image.apply(&record);
        let records = [(record, EventId::NONE)].into();
        let answer = MetadataAnswer { offset, next: self.image.offset, records };
        let correlation = self.metadata_fetch;
        self.receive(Node::Controller, correlation, Body::MetadataFetchResponse(answer));
    }

    /// Where an epoch ends, as another broker is told.
    pub fn end_of_epoch(&mut self, partition: PartitionId, epoch: i32) -> Result<Outcome, String> {
        let asker = Node::Client(ClientId(u16::MAX));
        let query = EpochQuery { partition, leader_epoch: -1, epoch };
        self.receive(asker, 1, Body::OffsetsForLeaderEpoch(query));
        let left = self.take_left();
        let answer = left.sent.into_iter().find_map(|(to, _, body)| match body {
            Body::OffsetsForLeaderEpochResponse(answer) if to == asker => Some(answer),
            _ => None,
        });
        let answer = answer.ok_or("no answer")?;
        let mut outcome = super::result(match answer.error {
            ErrorCode::None => Ok(()),
            error => Err(error),
        });
        outcome.insert("epoch".into(), answer.end.map_or(-1, |e| e.epoch).into());
        outcome.insert("offset".into(), answer.end.map_or(-1, |e| e.end).into());
        Ok(outcome)
    }

    pub fn log(&self, partition: PartitionId) -> Option<(&Log, Offset)> {
        self.broker.replicas.get(&partition).map(|r| (&r.log, r.hw))
    }
}

fn partition_state(stored: Stored, topic: u32) -> PartitionState {
    let directories = stored.replicas.iter().map(|_| 1).collect();
    PartitionState { stored, topic, directories, why: EventId::NONE }
}

fn replica(
    given: &Hosted,
    image: &MetadataImage,
    own: BrokerId,
    rules: &Rules,
) -> Result<Replica, String> {
    let settings = ReplicaSettings::of(&image.settings, &given.topic, Some(own));
    let mut replica = Replica::new(settings, rules, Micros::ZERO);
    for (epoch, first, end) in &given.runs {
        fields::append_run(&mut replica.log, *epoch, *first, *end)?;
    }
    replica.hw = given.hw;
    Ok(replica)
}
