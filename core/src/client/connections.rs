//! A client's connections to brokers, as Kafka's `NetworkClient` keeps them (R6.6, R6.20).
//!
//! A connection is a thing of its own: what was sent over it ends with it, and what is sent anew goes
//! over another one and waits for nothing that was under way on the first. A client's correlation ids
//! carry the number of their connection ([`connection_of`]), so that the network can tell them apart.

use super::ClientEffects;
use super::backoff::Backoff;
use crate::wire::message::{Body, connection_of, correlation_on};
use crate::words::{BrokerId, EventId, Map, Micros, Node};
use alloc::vec::Vec;

/// How long the operating system tries to connect where the client sets no limit of its own (Linux:
/// `tcp_syn_retries` 6).
const SYSTEM_CONNECT_TIMEOUT: Micros = Micros::from_secs(127);

/// What a connection is for. The brokers of `bootstrap.servers` and a group's coordinator have
/// connections of their own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Lane {
    /// Before the first metadata.
    Bootstrap,
    /// Records, offsets, metadata.
    Data,
    /// The group's coordinator.
    Coordinator,
}

/// A connection's end: what it is for, and where it leads.
pub(super) type Peer = (Lane, BrokerId);

/// The settings that connections go by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Policy {
    /// How long a request waits for its answer; never: the client does not look (0.8.2).
    pub request: Micros,
    /// Before a broker is tried again (`reconnect.backoff.ms`, `.max.ms`).
    pub reconnect: Backoff,
    /// How long a connection may take to be made (`socket.connection.setup.timeout.ms`, `.max.ms`).
    pub setup: Option<Backoff>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// There is none; the next try is not before that time.
    Closed(Micros),
    /// It is being made, until that time.
    Opening(Micros),
    /// The other machine has accepted it; no process has answered yet.
    Made,
    /// Requests are answered.
    Open,
}

#[derive(Clone, Copy, Debug)]
struct Link {
    number: u32,
    state: State,
    /// How often in a row it broke before an answer, and how often it could not be made.
    failures: u32,
    setups: u32,
}

#[derive(Clone, Copy, Debug)]
struct Request {
    correlation: u32,
    peer: Peer,
    /// How long it waits for its answer: not all requests wait equally long.
    patience: Micros,
    deadline: Micros,
}

/// A connection that ended, and the requests that ended with it.
#[derive(Clone, Debug)]
pub(super) struct Ended {
    pub broker: BrokerId,
    pub lane: Lane,
    /// It was given up: a request had no answer in time, or it could not be made.
    pub timed_out: bool,
    /// It had not been made.
    pub was_opening: bool,
    requests: Vec<u32>,
}

impl Ended {
    /// Whether this request was under way on it.
    pub fn had(&self, correlation: u32) -> bool {
        self.requests.contains(&correlation)
    }

    /// Whether any request was.
    pub fn had_any(&self) -> bool {
        !self.requests.is_empty()
    }
}

/// See the module.
#[derive(Clone, Debug, Default)]
pub(super) struct Connections {
    links: Map<Peer, Link>,
    requests: Vec<Request>,
    /// Numbers given so far: to connections and to requests.
    numbers: u32,
    correlations: u32,
}

impl Connections {
    /// Those of a process that follows another one: numbers are not used twice.
    pub fn after(former: &Connections) -> Connections {
        Connections { numbers: former.numbers, ..Connections::default() }
    }

    /// Whether the other machine has accepted the connection.
    pub fn is_made(&self, peer: Peer) -> bool {
        self.links.get(&peer).is_some_and(|l| matches!(l.state, State::Made | State::Open))
    }

    /// How many requests to that broker are unanswered.
    pub fn in_flight(&self, peer: Peer) -> usize {
        self.requests.iter().filter(|r| r.peer == peer).count()
    }

    /// When a broker may be tried again; a connection that is there is no obstacle.
    fn not_before(&self, peer: Peer) -> Micros {
        match self.links.get(&peer).map(|l| l.state) {
            Some(State::Closed(until)) => until,
            _ => Micros::ZERO,
        }
    }

    /// Whether a broker is out of reach until later: its last connection broke, and the wait is not
    /// over.
    pub fn backs_off(&self, peer: Peer, now: Micros) -> Option<Micros> {
        Some(self.not_before(peer)).filter(|until| *until > now)
    }

    /// The broker to ask what any of them can answer (`NetworkClient.leastLoadedNode`): one whose
    /// connection is open, with the fewest requests under way; else one that is being connected to,
    /// so that no other connection is begun; else the next that may be tried.
    pub fn least_loaded(
        &self,
        lane: Lane,
        brokers: impl Iterator<Item = BrokerId>,
        now: Micros,
    ) -> Choice {
        let mut open: Option<(usize, BrokerId)> = None;
        let (mut waits, mut free): (Option<BrokerId>, Option<BrokerId>) = (None, None);
        let mut next = Micros::NEVER;
        for broker in brokers {
            let peer = (lane, broker);
            match self.links.get(&peer).map(|l| l.state) {
                Some(State::Open) => {
                    let load = self.in_flight(peer);
                    if open.is_none_or(|(least, _)| load < least) {
                        open = Some((load, broker));
                    }
                }
                Some(State::Opening(_) | State::Made) => waits = Some(broker),
                Some(State::Closed(until)) if until > now => next = next.min(until),
                Some(State::Closed(_)) | None => {
                    free.get_or_insert(broker);
                }
            }
        }
        match open.map(|(_, broker)| broker).or(waits).or(free) {
            Some(broker) => Choice::Ask(broker),
            None => Choice::BacksOff(next),
        }
    }

    /// Whether requests may be sent; if there is no connection, one is made. An error is when to
    /// look again.
    pub fn ready(
        &mut self,
        peer: Peer,
        policy: &Policy,
        fx: &mut ClientEffects,
    ) -> Result<(), Micros> {
        match self.links.get(&peer).map(|l| l.state) {
            Some(State::Open) => return Ok(()),
            // Kafka sleeps as long again at each look (`ClusterConnectionStates.connectionDelay`).
            Some(State::Opening(_)) => return Err(fx.now + self.setup_timeout(peer, policy)),
            Some(State::Made) => return Err(Micros::NEVER),
            Some(State::Closed(until)) if until > fx.now => return Err(until),
            Some(State::Closed(_)) | None => {}
        }
        self.request(peer, Body::ApiVersions(()), fx.cause(), policy, fx);
        Err(fx.now + self.setup_timeout(peer, policy))
    }

    /// Sends a request and awaits its answer. Where there is no connection yet, the request opens it.
    pub fn request(
        &mut self,
        peer: Peer,
        body: Body,
        why: EventId,
        policy: &Policy,
        fx: &mut ClientEffects,
    ) -> u32 {
        let correlation = self.post(peer, body, why, policy, fx);
        let made = self.links.get(&peer).is_some_and(|l| !matches!(l.state, State::Opening(_)));
        let patience = policy.request;
        let deadline = if made { fx.now + patience } else { Micros::NEVER };
        self.requests.push(Request { correlation, peer, patience, deadline });
        correlation
    }

    /// Sends what gets no answer.
    pub fn post(
        &mut self,
        peer: Peer,
        body: Body,
        why: EventId,
        policy: &Policy,
        fx: &mut ClientEffects,
    ) -> u32 {
        let known = self.links.get(&peer).filter(|l| !matches!(l.state, State::Closed(_)));
        let number = match known {
            Some(link) => link.number,
            None => self.open(peer, policy, fx.now),
        };
        self.correlations += 1;
        let correlation = correlation_on(number, self.correlations);
        fx.send(Node::Broker(peer.1), correlation, body, why);
        correlation
    }

    fn open(&mut self, peer: Peer, policy: &Policy, now: Micros) -> u32 {
        self.numbers += 1;
        let number = connection_of(correlation_on(self.numbers, 0));
        let until = now + self.setup_timeout(peer, policy);
        let state = State::Opening(until);
        let fresh = Link { number, state, failures: 0, setups: 0 };
        let link = self.links.entry(peer).or_insert(fresh);
        (link.number, link.state) = (number, state);
        number
    }

    fn setup_timeout(&self, peer: Peer, policy: &Policy) -> Micros {
        let tries = self.links.get(&peer).map_or(0, |l| l.setups);
        policy.setup.map_or(SYSTEM_CONNECT_TIMEOUT, |setup| setup.after(tries + 1))
    }

    /// The broker's machine has accepted a connection: its requests are waited for from now on.
    pub fn accepted(&mut self, broker: BrokerId, number: u32, now: Micros) {
        let link = self.links.iter_mut().find(|((_, b), l)| *b == broker && l.number == number);
        let Some((peer, link)) = link else { return };
        if let State::Opening(_) = link.state {
            link.state = State::Made;
            link.setups = 0;
            let own = self.requests.iter_mut().filter(|r| r.peer == *peer);
            own.for_each(|r| r.deadline = now + r.patience);
        }
    }

    /// An answer came: whether it is awaited. One of an earlier connection is not.
    pub fn answered(&mut self, correlation: u32) -> bool {
        let Some(at) = self.requests.iter().position(|r| r.correlation == correlation) else {
            return false;
        };
        let request = self.requests.remove(at);
        if let Some(link) = self.links.get_mut(&request.peer) {
            (link.state, link.failures, link.setups) = (State::Open, 0, 0);
        }
        true
    }

    /// A connection broke, or all to that broker.
    pub fn broke(
        &mut self,
        broker: BrokerId,
        number: Option<u32>,
        policy: &Policy,
        now: Micros,
    ) -> Option<Ended> {
        let is_it = |(peer, link): &(&Peer, &Link)| {
            peer.1 == broker
                && number.is_none_or(|n| n == link.number)
                && !matches!(link.state, State::Closed(_))
        };
        let peer = *self.links.iter().find(is_it)?.0;
        Some(self.end(peer, false, policy, now))
    }

    /// A connection that could not be made, or on which a request had no answer in time: it is
    /// dropped, with all that was sent over it.
    pub fn overdue(&mut self, policy: &Policy, fx: &mut ClientEffects) -> Option<Ended> {
        let opening = |l: &Link| matches!(l.state, State::Opening(until) if until <= fx.now);
        let late = self.links.iter().find(|(_, l)| opening(l)).map(|(peer, _)| *peer);
        let late =
            late.or_else(|| self.requests.iter().find(|r| r.deadline <= fx.now).map(|r| r.peer))?;
        let number = self.links.get(&late).map_or(0, |l| l.number);
        fx.closes.push((Node::Broker(late.1), number));
        Some(self.end(late, true, policy, fx.now))
    }

    /// The client hangs up, whatever is under way.
    pub fn hang_up(
        &mut self,
        peer: Peer,
        policy: &Policy,
        fx: &mut ClientEffects,
    ) -> Option<Ended> {
        let link = self.links.get(&peer).filter(|l| !matches!(l.state, State::Closed(_)))?;
        fx.closes.push((Node::Broker(peer.1), link.number));
        Some(self.end(peer, false, policy, fx.now))
    }

    fn end(&mut self, peer: Peer, timed_out: bool, policy: &Policy, now: Micros) -> Ended {
        let mut requests = Vec::new();
        self.requests.retain(|r| {
            let goes = r.peer == peer;
            if goes {
                requests.push(r.correlation);
            }
            !goes
        });
        let mut was_opening = false;
        if let Some(link) = self.links.get_mut(&peer) {
            was_opening = matches!(link.state, State::Opening(_));
            link.setups = if was_opening { link.setups + 1 } else { 0 };
            link.failures += 1;
            link.state = State::Closed(now + policy.reconnect.after(link.failures));
        }
        Ended { broker: peer.1, lane: peer.0, timed_out, was_opening, requests }
    }

    /// When the first connection that is being made will have taken too long.
    pub fn setup_deadline(&self) -> Micros {
        let opening = self.links.values().filter_map(|l| match l.state {
            State::Opening(until) => Some(until),
            _ => None,
        });
        opening.min().unwrap_or(Micros::NEVER)
    }

    /// The same, or when the first request will have.
    pub fn deadline(&self) -> Micros {
        let requests = self.requests.iter().map(|r| r.deadline).min();
        requests.unwrap_or(Micros::NEVER).min(self.setup_deadline())
    }
}

/// See [`Connections::least_loaded`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Choice {
    /// This one.
    Ask(BrokerId),
    /// None: all have broken, and the first may be tried again then; never: there is none.
    BacksOff(Micros),
}
