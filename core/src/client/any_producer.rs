use super::{ClientEffects, NewRecord, Producer, ScalaProducer};
use crate::settings::{Key, Values};
use crate::wire::Message;
use crate::words::{BrokerId, ErrorCode, PartitionId};

/// A producer of either kind.
#[derive(Clone, Debug)]
pub enum AnyProducer {
    /// Today's (R6.5).
    Java(Producer),
    /// That of 0.8 (R6.1).
    Scala(ScalaProducer),
}

macro_rules! either {
    ($self:expr, $producer:ident => $do:expr) => {
        match $self {
            AnyProducer::Java($producer) => $do,
            AnyProducer::Scala($producer) => $do,
        }
    };
}

impl AnyProducer {
    /// It is another process of the same client.
    pub fn succeed(&mut self, former: &AnyProducer) {
        let former = either!(former, p => p.connections());
        either!(self, p => p.succeed_process(former));
    }

    /// Its settings.
    pub fn values(&self) -> &Values {
        either!(self, p => p.values())
    }

    /// Changes its settings; what is under way goes on.
    pub fn set_values(&mut self, values: Values) {
        either!(self, p => p.set_values(values));
    }

    /// How many replicas have to have a record before the answer; −1 is all (R2.9).
    pub fn acks(&self) -> i32 {
        match self {
            AnyProducer::Java(p) => p.values().get(Key::Acks) as i32,
            AnyProducer::Scala(p) => p.acks(),
        }
    }

    /// Whether brokers recognize what it sends twice (R6.14).
    pub fn is_idempotent(&self) -> bool {
        match self {
            AnyProducer::Java(p) => p.values().is(Key::EnableIdempotence),
            AnyProducer::Scala(_) => false,
        }
    }

    /// The last error that the application was told.
    pub fn last_error(&self) -> ErrorCode {
        either!(self, p => p.last_error)
    }

    /// Starts, and looks at everything that waits for a time.
    pub fn poll(&mut self, fx: &mut ClientEffects) {
        either!(self, p => p.poll(fx));
    }

    /// Takes records over, in order.
    pub fn send(&mut self, records: alloc::vec::Vec<NewRecord>, fx: &mut ClientEffects) {
        either!(self, p => p.send(records, fx));
    }

    /// Whether nothing waits to be sent, answered or tried again.
    pub fn is_idle(&self) -> bool {
        either!(self, p => p.is_idle())
    }

    /// Whether something that waits or is under way can still be appended, where `accepts` says
    /// that a partition's leader would take a write.
    pub fn can_progress(&self, accepts: &dyn Fn(PartitionId) -> bool) -> bool {
        match self {
            AnyProducer::Java(p) => p.can_progress(accepts),
            AnyProducer::Scala(p) => !p.is_idle(),
        }
    }

    /// A response came.
    pub fn receive(&mut self, from: BrokerId, message: Message, fx: &mut ClientEffects) {
        match self {
            AnyProducer::Java(p) => p.receive(from, message, fx),
            AnyProducer::Scala(p) => p.receive(message, fx),
        }
    }

    /// A connection to a broker is gone, or all of them.
    pub fn disconnected(
        &mut self,
        broker: BrokerId,
        connection: Option<u32>,
        fx: &mut ClientEffects,
    ) {
        either!(self, p => p.disconnected(broker, connection, fx));
    }

    /// A broker's machine has accepted a connection.
    pub fn accepted(&mut self, broker: BrokerId, connection: u32, fx: &mut ClientEffects) {
        either!(self, p => p.accepted(broker, connection, fx));
    }

    /// A timer fired.
    pub fn wake(&mut self, fx: &mut ClientEffects) {
        either!(self, p => p.wake(fx));
    }
}
