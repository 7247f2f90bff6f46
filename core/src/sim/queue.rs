use crate::broker::BrokerTimer;
use crate::client::ClientTimer;
use crate::controller::ControllerTimer;
use crate::wire::Message;
use crate::words::{BrokerId, ClientId, Map, Micros, Node};
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

/// A wake-up of which a process has at most one (`Effects::wake_by`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum WakeUp {
    Broker(BrokerId, u32, BrokerTimer),
    Controller(u32, ControllerTimer),
    Client(ClientId, u32, ClientTimer),
}

impl WakeUp {
    fn of(item: &Item) -> Option<WakeUp> {
        match item {
            Item::Broker(id, incarnation, timer) => Some(WakeUp::Broker(*id, *incarnation, *timer)),
            Item::Controller(incarnation, timer) => Some(WakeUp::Controller(*incarnation, *timer)),
            Item::Client(id, incarnation, timer) => Some(WakeUp::Client(*id, *incarnation, *timer)),
            Item::Deliver(_) | Item::Disconnect { .. } | Item::Accepted { .. } => None,
        }
    }
}

/// What is due, by time and, at the same time, in the order of asking.
#[derive(Clone, Debug, Default)]
pub(super) struct Queue {
    /// When, in which order, and in which slot of `items`. An empty slot stands for a wake-up that
    /// an earlier one has replaced; the first entry's slot is never empty.
    heap: BinaryHeap<Reverse<(u64, u32, u32)>>,
    items: Vec<Option<Item>>,
    free: Vec<u32>,
    next: u32,
    /// When the only wake-ups are due, and their slots.
    only: Map<WakeUp, (Micros, u32)>,
    /// How many entries of `heap` have an empty slot.
    replaced: usize,
}

impl Queue {
    pub fn push(&mut self, at: Micros, item: Item) {
        self.insert(at, item);
    }

    /// Makes sure that `item`, a timer, comes by `at`, and only once.
    pub fn wake_by(&mut self, at: Micros, item: Item) {
        let Some(wake_up) = WakeUp::of(&item) else { return self.push(at, item) };
        if let Some((pending, slot)) = self.only.get(&wake_up).copied() {
            if pending <= at {
                return;
            }
            self.items[slot as usize] = None;
            self.replaced += 1;
        }
        let slot = self.insert(at, item);
        self.only.insert(wake_up, (at, slot));
        self.sweep();
    }

    fn insert(&mut self, at: Micros, item: Item) -> u32 {
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
        slot
    }

    pub fn next_time(&self) -> Option<Micros> {
        self.heap.peek().map(|Reverse((at, _, _))| Micros(*at))
    }

    pub fn pop(&mut self) -> Option<(Micros, Item)> {
        let Reverse((at, _, slot)) = self.heap.pop()?;
        let item = self.items[slot as usize].take().expect("the first entry has an item");
        self.free.push(slot);
        self.skip_replaced();
        if let Some(wake_up) = WakeUp::of(&item)
            && self.only.get(&wake_up).is_some_and(|(_, pending)| *pending == slot)
        {
            self.only.remove(&wake_up);
        }
        Some((Micros(at), item))
    }

    /// Throws replaced entries away where they are first, and all of them once they are the most:
    /// a process that asks to be woken a thousand times a second leaves no more behind than it has.
    fn sweep(&mut self) {
        self.skip_replaced();
        if self.replaced * 2 > self.heap.len() {
            let Queue { heap, items, free, .. } = self;
            heap.retain(|Reverse((_, _, slot))| {
                let stays = items[*slot as usize].is_some();
                if !stays {
                    free.push(*slot);
                }
                stays
            });
            self.replaced = 0;
        }
    }

    fn skip_replaced(&mut self) {
        while let Some(Reverse((_, _, slot))) = self.heap.peek()
            && self.items[*slot as usize].is_none()
        {
            self.free.push(*slot);
            self.heap.pop();
            self.replaced -= 1;
        }
    }

    /// Everything that is due, in no order: `(when, sequence, what)`.
    pub fn iter(&self) -> impl Iterator<Item = (Micros, u32, &Item)> {
        self.heap.iter().filter_map(|Reverse((at, sequence, slot))| {
            Some((Micros(*at), *sequence, self.items[*slot as usize].as_ref()?))
        })
    }
}
