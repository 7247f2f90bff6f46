use crate::client::{AnyProducer, ClientEffects, ClientTimer, Consumer, Operator};
use crate::log::Batch;
use crate::script::ProducerDecl;
use crate::wire::{Body, Message};
use crate::words::{Micros, Node, PartitionId};
use alloc::boxed::Box;
use alloc::vec::Vec;

/// A process that uses the cluster, and what the scenario makes it do.
#[derive(Clone, Debug)]
pub enum Client {
    /// A producer.
    Producer(Box<Sender>),
    /// A consumer, and what it read.
    Consumer(Box<Reader>),
    /// The operator's tools.
    Operator(Operator),
}

/// A producer and the records that its scenario makes it send.
#[derive(Clone, Debug)]
pub struct Sender {
    /// The producer.
    pub producer: AnyProducer,
    /// Its declaration.
    pub decl: ProducerDecl,
    /// Time between two ticks.
    pub every: Option<Micros>,
    /// Ticks of an earlier rhythm are not heeded.
    pub rhythm: u32,
    /// Records that ticks have made so far.
    pub made: u32,
}

/// A consumer and what it read.
#[derive(Clone, Debug)]
pub struct Reader {
    /// The consumer.
    pub consumer: Consumer,
    /// Its topic.
    pub topic: alloc::string::String,
    /// Batches that it read since its last seek, in order.
    pub read: Vec<(PartitionId, Batch)>,
    /// How many records it read in all.
    pub count: u32,
}

/// How many batches a consumer's account keeps.
const KEPT: usize = 256;

impl Reader {
    /// Notes what was read.
    pub fn note(&mut self, partition: PartitionId, batches: &[Batch]) {
        self.count += batches.iter().map(|b| b.records.len() as u32).sum::<u32>();
        self.read.extend(batches.iter().map(|b| (partition, b.clone())));
        if self.read.len() > KEPT {
            self.read.drain(..self.read.len() - KEPT);
        }
    }
}

impl Client {
    /// The process starts.
    pub fn start(&mut self, fx: &mut ClientEffects) {
        match self {
            Client::Producer(sender) => sender.producer.poll(fx),
            Client::Consumer(reader) => reader.consumer.poll(fx),
            Client::Operator(operator) => operator.poll(fx),
        }
    }

    /// A message arrives.
    pub fn receive(&mut self, from: Node, message: Message, fx: &mut ClientEffects) {
        match (self, from) {
            (Client::Producer(sender), Node::Broker(b)) => sender.producer.receive(b, message, fx),
            (Client::Consumer(reader), Node::Broker(b)) => reader.consumer.receive(b, message, fx),
            (Client::Consumer(reader), Node::Controller) => {
                reader.consumer.hear_zookeeper(message, fx);
            }
            (Client::Operator(operator), Node::Controller) => {
                let Message { correlation, body, .. } = message;
                operator.receive(correlation, &body, fx);
            }
            _ => {}
        }
    }

    /// A connection is gone.
    pub fn disconnected(&mut self, peer: Node, fx: &mut ClientEffects) {
        match (self, peer) {
            (Client::Producer(sender), Node::Broker(b)) => sender.producer.disconnected(b, fx),
            (Client::Consumer(reader), Node::Broker(b)) => reader.consumer.disconnected(b, fx),
            (Client::Consumer(reader), Node::Controller) => {
                reader.consumer.coordinator_disconnected(fx);
            }
            (Client::Operator(operator), Node::Controller) => operator.disconnected(fx),
            _ => {}
        }
    }

    /// A timer fired; ticks are the world's.
    pub fn wake(&mut self, timer: ClientTimer, fx: &mut ClientEffects) {
        match (self, timer) {
            (Client::Producer(sender), ClientTimer::Poll) => sender.producer.poll(fx),
            (Client::Consumer(reader), ClientTimer::Poll) => reader.consumer.poll(fx),
            (Client::Operator(operator), ClientTimer::Poll) => operator.poll(fx),
            (_, ClientTimer::Tick(_)) => {}
        }
    }

    /// Gives the operator a command.
    pub fn command(&mut self, line: u32, body: Body, fx: &mut ClientEffects) {
        if let Client::Operator(operator) = self {
            operator.command(line, body, fx);
        }
    }

    /// Whether it waits for a broker.
    pub fn is_idle(&self) -> bool {
        match self {
            Client::Producer(sender) => sender.producer.is_idle(),
            Client::Consumer(_) => true,
            Client::Operator(operator) => operator.results().iter().all(|r| r.error.is_some()),
        }
    }
}
