use crate::client::{AnyProducer, ClientEffects, ClientTimer, Consumer, Operator};
use crate::log::Batch;
use crate::script::ProducerDecl;
use crate::wire::{Body, Message};
use crate::words::{BrokerId, Map, Micros, Node, Offset, PartitionId, SharedVec};
use alloc::boxed::Box;

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
    /// What it read.
    pub account: Account,
}

/// What a consumer read, in all its processes. A seek begins its partition's account anew, but for
/// the number of records read in all.
#[derive(Clone, Debug, Default)]
pub struct Account {
    /// How many records it read in all.
    pub count: u32,
    /// How many of them it had read before.
    pub duplicates: u32,
    /// How many offsets it passed over: between the furthest that it had read of a partition and
    /// where it read on.
    pub skipped: Offset,
    read: SharedVec<(PartitionId, Batch)>,
    /// Which records it has read, a bit each.
    seen: SharedVec<u64>,
    /// How far it has read each partition.
    ends: Map<PartitionId, Offset>,
}

impl Account {
    /// The batches that it read, in order.
    pub fn batches(&self) -> impl DoubleEndedIterator<Item = &(PartitionId, Batch)> {
        self.read.iter()
    }

    /// Notes what was read.
    pub fn note(&mut self, partition: PartitionId, batches: &[Batch]) {
        self.count += batches.iter().map(|b| b.records.len() as u32).sum::<u32>();
        for batch in batches {
            self.enter(partition, batch.clone());
        }
    }

    fn enter(&mut self, partition: PartitionId, batch: Batch) {
        for record in batch.records.iter() {
            self.duplicates += u32::from(self.see(record.0));
        }
        let end = self.ends.entry(partition).or_insert(batch.base);
        self.skipped += (batch.base - *end).max(0);
        *end = batch.end().max(*end);
        self.read.push((partition, batch));
    }

    /// Whether a record was read before; from now on it was.
    fn see(&mut self, record: u32) -> bool {
        let (word, bit) = (record as usize / 64, 1 << (record % 64));
        while self.seen.len() <= word {
            self.seen.push(0);
        }
        let Some(bits) = self.seen.get_mut(word) else { return false };
        let again = *bits & bit != 0;
        *bits |= bit;
        again
    }

    /// The application seeks: what it read of that partition does not count any more.
    pub fn forget(&mut self, partition: PartitionId) {
        let former = core::mem::take(self);
        self.count = former.count;
        for (of, batch) in former.read.iter().filter(|(of, _)| *of != partition) {
            self.enter(*of, batch.clone());
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
            (Client::Consumer(reader), Node::Broker(_)) => reader.consumer.receive(message, fx),
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

    /// A broker's machine has accepted a connection.
    pub fn accepted(&mut self, broker: BrokerId, connection: u32, fx: &mut ClientEffects) {
        match self {
            Client::Producer(sender) => sender.producer.accepted(broker, connection, fx),
            Client::Consumer(reader) => reader.consumer.accepted(broker, connection, fx),
            Client::Operator(_) => {}
        }
    }

    /// A connection is gone: one of its own, or all with that peer.
    pub fn disconnected(&mut self, peer: Node, connection: Option<u32>, fx: &mut ClientEffects) {
        match (self, peer) {
            (Client::Producer(sender), Node::Broker(b)) => {
                sender.producer.disconnected(b, connection, fx);
            }
            (Client::Consumer(reader), Node::Broker(b)) => {
                reader.consumer.disconnected(b, connection, fx);
            }
            (Client::Consumer(reader), Node::Controller) => {
                reader.consumer.coordinator_disconnected(fx);
            }
            (Client::Operator(operator), Node::Controller) => operator.disconnected(fx),
            _ => {}
        }
    }

    /// The process is asked to stop: a consumer leaves its group.
    pub fn close(&mut self, fx: &mut ClientEffects) {
        if let Client::Consumer(reader) = self {
            reader.consumer.close(fx);
        }
    }

    /// A timer fired; ticks are the world's.
    pub fn wake(&mut self, timer: ClientTimer, fx: &mut ClientEffects) {
        match (self, timer) {
            (Client::Producer(sender), ClientTimer::Poll) => sender.producer.wake(fx),
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
