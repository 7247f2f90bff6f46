use crate::wire::message::{Body, MessageKind};
use crate::words::{EventId, Map, Micros, Node, PartitionId};
use alloc::vec::Vec;

/// What is wrong with a link in one direction.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum LinkFault {
    /// Nothing gets through.
    Cut,
    /// It takes so long.
    Slow(Micros),
}

/// A message on its way, for the screen.
#[derive(Clone, Copy, Debug)]
pub struct Flight<'a> {
    /// Its identity while it is on its way.
    pub id: u32,
    /// Its content.
    pub body: &'a Body,
    /// Its sender.
    pub from: Node,
    /// Its receiver.
    pub to: Node,
    /// When it left.
    pub sent: Micros,
    /// When it arrives; for one that waits in a paused process's sockets, when it got there.
    pub arrives: Micros,
    /// Whether it waits in the sockets of a paused process.
    pub waits: bool,
    /// Which of its name it is, from 1.
    pub ordinal: u32,
    /// The event that sent it.
    pub why: EventId,
}

/// A process as a number, different for each.
fn node_key(node: Node) -> u64 {
    match node {
        Node::Broker(b) => u64::from(b.0),
        Node::Controller => 1 << 16,
        Node::Client(c) => (2 << 16) + u64::from(c.0),
    }
}

/// A direction between two processes, and a small number beside it, as one number.
fn link_key(from: Node, to: Node, beside: u64) -> u64 {
    (beside << 40) | (node_key(from) << 20) | node_key(to)
}

/// The links between all processes.
#[derive(Clone, Debug)]
pub(super) struct Network {
    latency: Micros,
    jitter: Micros,
    slow: Map<(Node, Node), Micros>,
    cut: Map<(Node, Node), ()>,
    /// When the last message of a connection arrives, by [`link_key`] and whether it answers: a
    /// connection keeps order.
    last: Map<u64, Micros>,
    /// How many messages of each name were sent, by partition (0: none); names in order.
    counts: Vec<Vec<(u64, u32)>>,
}

impl Network {
    pub fn new(latency: Micros, jitter: Micros) -> Network {
        Network {
            latency,
            jitter,
            slow: Map::new(),
            cut: Map::new(),
            last: Map::new(),
            counts: Vec::new(),
        }
    }

    pub fn jitter(&self) -> Micros {
        self.jitter
    }

    pub fn is_cut(&self, from: Node, to: Node) -> bool {
        !self.cut.is_empty() && self.cut.contains_key(&(from, to))
    }

    pub fn cut(&mut self, from: Node, to: Node) {
        self.cut.insert((from, to), ());
    }

    pub fn heal(&mut self, from: Node, to: Node) {
        self.cut.remove(&(from, to));
        self.slow.remove(&(from, to));
    }

    /// Sets a link's one-way time; none: as all links.
    pub fn slow(&mut self, from: Node, to: Node, latency: Option<Micros>) {
        match latency {
            Some(latency) => self.slow.insert((from, to), latency),
            None => self.slow.remove(&(from, to)),
        };
    }

    pub fn latency(&self, from: Node, to: Node) -> Micros {
        if self.slow.is_empty() {
            return self.latency;
        }
        self.slow.get(&(from, to)).copied().unwrap_or(self.latency)
    }

    /// Links with a fault.
    pub fn faults(&self) -> impl Iterator<Item = (Node, Node, LinkFault)> {
        let cut = self.cut.keys().map(|(a, b)| (*a, *b, LinkFault::Cut));
        cut.chain(self.slow.iter().map(|((a, b), by)| (*a, *b, LinkFault::Slow(*by))))
    }

    /// When a message that is sent now arrives: not before those sent earlier on its connection.
    pub fn arrival(&mut self, from: Node, to: Node, is_response: bool, at: Micros) -> Micros {
        let last = self.last.entry(link_key(from, to, u64::from(is_response))).or_default();
        *last = at.max(*last);
        *last
    }

    /// When everything that `from` sent to `to` has arrived.
    pub fn quiet(&self, from: Node, to: Node) -> Micros {
        let last = |response| self.last.get(&link_key(from, to, response)).copied();
        last(0).max(last(1)).unwrap_or_default()
    }

    /// Counts a message under its name and says which it is, from 1.
    pub fn count(
        &mut self,
        kind: MessageKind,
        from: Node,
        to: Node,
        partition: Option<PartitionId>,
    ) -> u32 {
        // What names a partition that is not there is counted among those that name none.
        let known = partition.filter(|p| *p != PartitionId::UNKNOWN);
        let row = known.map_or(0, |p| p.0 as usize + 1);
        if self.counts.len() <= row {
            self.counts.resize_with(row + 1, Vec::new);
        }
        let name = link_key(from, to, kind as u64);
        let counts = &mut self.counts[row];
        match counts.binary_search_by_key(&name, |(known, _)| *known) {
            Ok(at) => {
                counts[at].1 += 1;
                counts[at].1
            }
            Err(at) => {
                counts.insert(at, (name, 1));
                1
            }
        }
    }
}
