use super::queue::Travelling;
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
    /// Matches a response to its request, per sender of the request.
    pub correlation: u32,
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

/// The part of a [`link_key`] that says between whom.
const ENDS: u64 = (1 << 40) - 1;

/// One direction of a connection.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wire {
    pub from: Node,
    pub to: Node,
    /// Which of a client's; 0 between others.
    pub connection: u32,
    pub is_response: bool,
}

impl Wire {
    fn key(self) -> u64 {
        let beside = u64::from(self.connection) << 1 | u64::from(self.is_response);
        link_key(self.from, self.to, beside)
    }
}

/// How long after it was sent a segment is sent again, not before `at_least`.
fn tries_again(at_least: Micros) -> Micros {
    let (mut wait, mut after) = (Micros::from_ms(200), Micros::from_ms(200));
    while after < at_least {
        wait = Micros(wait.0 * 2).min(Micros::from_secs(120));
        after += wait;
    }
    after
}

/// See [`Network::socket`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Socket {
    /// The request is the first over its connection.
    Opens,
    /// The process at the other end is the one that it was opened to.
    Known,
    /// That process is gone: its machine refuses what comes over the connection.
    Stale,
}

/// The links between all processes.
#[derive(Clone, Debug)]
pub(super) struct Network {
    latency: Micros,
    jitter: Micros,
    slow: Map<(Node, Node), Micros>,
    cut: Map<(Node, Node), ()>,
    /// Connections from server to server, each with the processes at its ends.
    made: Map<(Node, Node), (u32, u32)>,
    /// When the last message of a connection arrives, by [`link_key`]: a connection keeps order, and
    /// nothing waits for what went over another one.
    last: Map<u64, Micros>,
    /// The process that each connection of a client leads to, by [`link_key`].
    sockets: Map<u64, u32>,
    /// What met a cut link between a client and a broker: TCP sends it again once the link is whole.
    held: Vec<Travelling>,
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
            made: Map::new(),
            last: Map::new(),
            sockets: Map::new(),
            held: Vec::new(),
            counts: Vec::new(),
        }
    }

    pub fn jitter(&self) -> Micros {
        self.jitter
    }

    /// Whether a server has a connection to another, between those processes of theirs; makes it if
    /// it can.
    pub fn is_connected(&mut self, from: Node, to: Node, processes: (u32, u32)) -> bool {
        if !self.cut.is_empty() && (self.is_cut(from, to) || self.is_cut(to, from)) {
            return self.made.get(&(from, to)) == Some(&processes);
        }
        match self.made.get_mut(&(from, to)) {
            Some(known) => *known = processes,
            None => drop(self.made.insert((from, to), processes)),
        }
        true
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
    pub fn arrival(&mut self, wire: Wire, at: Micros) -> Micros {
        let last = self.last.entry(wire.key()).or_default();
        *last = at.max(*last);
        *last
    }

    /// When everything that `from` sent to `to` has arrived.
    pub fn quiet(&self, from: Node, to: Node) -> Micros {
        let ends = link_key(from, to, 0);
        let between = self.last.iter().filter(|(key, _)| *key & ENDS == ends);
        between.map(|(_, at)| *at).max().unwrap_or_default()
    }

    /// Which process a client's request goes to, where the one that runs now is `current`: that of
    /// its first request over the same connection.
    pub fn socket(&mut self, wire: Wire, current: u32) -> Socket {
        let known = self.sockets.entry(wire.key());
        let mut opens = false;
        let leads_to = *known.or_insert_with(|| {
            opens = true;
            current
        });
        match (opens, leads_to == current) {
            (true, _) => Socket::Opens,
            (false, true) => Socket::Known,
            (false, false) => Socket::Stale,
        }
    }

    /// Keeps what a cut link swallowed.
    pub fn hold(&mut self, travelling: Travelling) {
        self.held.push(travelling);
    }

    /// What a link that is whole again will carry, and when: a sender tries again after 200 ms, and
    /// then after twice as long each time.
    pub fn released(&mut self, from: Node, to: Node, now: Micros) -> Vec<(Micros, Travelling)> {
        let own = self.held.extract_if(.., |t| t.from == from && t.to == to);
        own.map(|t| (t.sent + tries_again(now.since(t.sent)), t)).collect()
    }

    /// The connections of a client to a broker that lead to another process than the one of now.
    pub fn stale(&self, client: Node, broker: Node, current: Option<u32>) -> Vec<u32> {
        let ends = link_key(client, broker, 0);
        let between = self.sockets.iter().filter(|(key, _)| *key & ENDS == ends);
        let gone = between.filter(|(_, leads_to)| Some(**leads_to) != current);
        gone.map(|(key, _)| (key >> 41) as u32).collect()
    }

    /// Whether a connection is still there, at the client's end.
    pub fn is_open(&self, client: Node, broker: Node, connection: u32) -> bool {
        let request = Wire { from: client, to: broker, connection, is_response: false };
        self.sockets.contains_key(&request.key())
    }

    /// A client's process is gone, and all its connections.
    pub fn forget(&mut self, client: Node) {
        let own = (node_key(client) << 20, node_key(client));
        let is_own = |key: u64| key & (ENDS ^ 0xF_FFFF) == own.0 || key & 0xF_FFFF == own.1;
        self.sockets.retain(|key, _| !is_own(*key));
        self.last.retain(|key, _| !is_own(*key));
        self.held.retain(|t| t.from != client && t.to != client);
    }

    /// A client's connection is no more.
    pub fn close(&mut self, client: Node, peer: Node, connection: u32) {
        let request = Wire { from: client, to: peer, connection, is_response: false };
        let response = Wire { from: peer, to: client, connection, is_response: true };
        self.sockets.remove(&request.key());
        self.last.remove(&request.key());
        self.last.remove(&response.key());
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
