use crate::broker::BrokerTimer;
use crate::client::ClientTimer;
use crate::controller::ControllerTimer;
use crate::wire::Message;
use crate::words::{BrokerId, ClientId, Micros, Node};
use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cmp::Reverse;

/// Something that is due at a time.
#[derive(Clone, Debug)]
pub(super) enum Item {
    /// A message arrives.
    Deliver(Travelling),
    /// A process learns that a connection is gone: one of a client's, or all with that peer.
    Disconnect { at: Node, incarnation: u32, peer: Node, connection: Option<u32> },
    /// A client learns that a machine has accepted its connection.
    Accepted { client: ClientId, incarnation: u32, broker: BrokerId, connection: u32 },
    /// A broker's timer, and the process that set it.
    Broker(BrokerId, u32, BrokerTimer),
    /// The controller's timer, and the process that set it.
    Controller(u32, ControllerTimer),
    /// A client's timer, and the process that set it.
    Client(ClientId, u32, ClientTimer),
}

/// A message on its way.
#[derive(Clone, Debug)]
pub(super) struct Travelling {
    pub from: Node,
    pub to: Node,
    /// The receiver's process when the message left; another one never sees it.
    pub incarnation: u32,
    pub sent: Micros,
    /// Which of its name it is, for the first partition that it concerns.
    pub ordinal: u32,
    /// Whether it is the first over its connection.
    pub opens: bool,
    pub message: Message,
}

/// What is due, by time and, at the same time, in the order of asking.
#[derive(Clone, Debug, Default)]
pub(super) struct Queue {
    heap: BinaryHeap<Reverse<(u64, u32, u32)>>,
    items: Vec<Option<Item>>,
    free: Vec<u32>,
    next: u32,
}

impl Queue {
    pub fn push(&mut self, at: Micros, item: Item) {
        let slot = match self.free.pop() {
            Some(slot) => {
                self.items[slot as usize] = Some(item);
                slot
            }
            None => {
                self.items.push(Some(item));
                (self.items.len() - 1) as u32
            }
        };
        self.heap.push(Reverse((at.0, self.next, slot)));
        self.next += 1;
    }

    pub fn next_time(&self) -> Option<Micros> {
        self.heap.peek().map(|Reverse((at, _, _))| Micros(*at))
    }

    pub fn pop(&mut self) -> Option<(Micros, Item)> {
        let Reverse((at, _, slot)) = self.heap.pop()?;
        self.free.push(slot);
        self.items[slot as usize].take().map(|item| (Micros(at), item))
    }

    /// Everything that is due, in no order: `(when, sequence, what)`.
    pub fn iter(&self) -> impl Iterator<Item = (Micros, u32, &Item)> {
        self.heap.iter().filter_map(|Reverse((at, sequence, slot))| {
            Some((Micros(*at), *sequence, self.items[*slot as usize].as_ref()?))
        })
    }
}
