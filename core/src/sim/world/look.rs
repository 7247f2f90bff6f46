//! What one may look at.

use super::{ProcessState, Status, World};
use crate::audit::Audit;
use crate::broker::{Broker, BrokerTimer};
use crate::client::ClientTimer;
use crate::controller::Coordinator;
use crate::settings::{Layers, Release};
use crate::sim::client::Client;
use crate::sim::network::Flight;
use crate::sim::outcome::Outcome;
use crate::sim::queue::Item;
use crate::wire::metadata::PartitionState;
use crate::words::{BrokerId, EventId, Micros, Node, PartitionId};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

impl World {
    /// Now.
    pub fn now(&self) -> Micros {
        self.now
    }

    /// Events of this instant so far.
    pub fn index(&self) -> u32 {
        self.index
    }

    /// Events of the whole run so far: delivered messages, fired timers, script actions.
    pub fn steps(&self) -> u32 {
        self.steps
    }

    /// How many events of the history there are so far.
    pub fn event_count(&self) -> u32 {
        self.next_event
    }

    /// The release whose rules apply.
    pub fn release(&self) -> Release {
        self.setup.release
    }

    /// Brokers by id.
    pub fn brokers(&self) -> &[Broker] {
        &self.brokers
    }

    /// A broker.
    pub fn broker(&self, id: BrokerId) -> Option<&Broker> {
        self.brokers.get(self.broker_index(id)?)
    }

    /// The controller, or ZooKeeper.
    pub fn controller(&self) -> &Coordinator {
        &self.controller
    }

    /// Clients in order of declaration; the last is the operator.
    pub fn clients(&self) -> &[Client] {
        &self.clients
    }

    /// The audit's account.
    pub fn audit(&self) -> &Audit {
        &self.audit
    }

    /// How `expect` lines came out whose time has passed.
    pub fn outcomes(&self) -> &[Outcome] {
        &self.outcomes
    }

    /// Settings as they are given now.
    pub fn settings(&self) -> &Layers {
        &self.settings
    }

    /// Faults of links.
    pub fn link_faults(&self) -> impl Iterator<Item = (Node, Node, crate::sim::LinkFault)> {
        self.network.faults()
    }

    /// How a process stands, and the event that made it so.
    pub fn process_state(&self, node: Node) -> (ProcessState, EventId) {
        self.status.get(node).map_or((ProcessState::Crashed, EventId::NONE), |s| (s.state, s.why))
    }

    /// A process's name in scripts.
    pub fn node_name(&self, node: Node) -> String {
        match node {
            Node::Broker(id) => id.to_string(),
            Node::Controller => String::from(self.coordinator_name()),
            Node::Client(id) => self.setup.clients[id.0 as usize].name.clone(),
        }
    }

    /// What scripts call the node that keeps the cluster's truth.
    pub fn coordinator_name(&self) -> &'static str {
        match &self.controller {
            Coordinator::KRaft(_) => "controller",
            Coordinator::ZooKeeper(_) => "zookeeper",
        }
    }

    /// A partition's name, such as `orders/0`.
    pub fn partition_name(&self, id: PartitionId) -> String {
        let image = self.controller.image();
        let Some(state) = image.partition(id) else { return String::from("?") };
        let topic = image.topic_of(state);
        // Partitions are numbered as they are created: their ids ascend.
        let number = topic.partitions.binary_search(&id).unwrap_or(0);
        format!("{}/{number}", topic.name)
    }

    /// The partition of that name.
    pub fn partition_named(&self, topic: &str, number: u32) -> Option<PartitionId> {
        let topic = self.controller.image().topics.iter().find(|t| t.name == topic)?;
        topic.partitions.get(number as usize).copied()
    }

    /// A short fingerprint of the history up to now.
    pub fn fingerprint(&self) -> String {
        let mut print = self.fingerprint;
        print.word(self.now.0);
        print.word(u64::from(self.steps));
        print.short()
    }

    /// Effective min ISR of a partition, as the controller sees it (R5.22).
    pub fn min_isr(&self, state: &PartitionState) -> usize {
        self.controller.min_isr(state)
    }

    /// Whether a message that matters is on its way.
    pub fn is_anything_moving(&self) -> bool {
        let matters =
            |item: &Item| matches!(item, Item::Deliver(t) if t.message.body.is_significant());
        self.queue.iter().any(|(_, _, item)| matters(item))
    }

    /// Messages on their way, in the order in which they left.
    pub fn flights(&self) -> Vec<Flight<'_>> {
        let travelling = self.queue.iter().filter_map(|(at, id, item)| match item {
            Item::Deliver(t) => Some((at, id, t, false)),
            _ => None,
        });
        let waiting =
            self.inboxes.values().flatten().enumerate().filter_map(|(i, (at, item))| match item {
                Item::Deliver(t) => Some((*at, u32::MAX - i as u32, t, true)),
                _ => None,
            });
        let mut all: Vec<Flight<'_>> = travelling
            .chain(waiting)
            .map(|(arrives, id, t, waits)| Flight {
                id,
                body: &t.message.body,
                from: t.from,
                to: t.to,
                sent: t.sent,
                arrives,
                waits,
                ordinal: t.ordinal,
                correlation: t.message.correlation,
                why: t.message.why,
            })
            .collect();
        all.sort_unstable_by_key(|f| (f.sent, f.id));
        all
    }

    /// When the next event is due.
    pub fn next_time(&self) -> Option<Micros> {
        let action = self.setup.actions.get(self.next_action).map(|a| a.at.max(self.now));
        match (action, self.queue.next_time()) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }

    /// When the next event is due that matters to the eye.
    pub fn next_significant_time(&self) -> Option<Micros> {
        let action = self.setup.actions.get(self.next_action).map(|a| a.at.max(self.now));
        let due = self.queue.iter().filter(|(_, _, item)| match item {
            Item::Deliver(t) => t.message.body.is_significant(),
            Item::Client(_, _, ClientTimer::Tick(_)) | Item::Disconnect { .. } => true,
            Item::Broker(_, _, BrokerTimer::Booted | BrokerTimer::Recovered) => true,
            _ => false,
        });
        due.map(|(at, _, _)| at).chain(action).min()
    }

    pub(in crate::sim) fn broker_index(&self, id: BrokerId) -> Option<usize> {
        self.brokers.binary_search_by_key(&id, |b| b.id).ok()
    }

    pub(in crate::sim) fn is_up(&self, node: Node) -> bool {
        matches!(
            self.status.get(node).map(|s| s.state),
            Some(ProcessState::Up | ProcessState::Paused)
        )
    }

    pub(super) fn incarnation(&self, node: Node) -> u32 {
        self.status.get(node).map_or(0, |s| s.incarnation)
    }

    pub(in crate::sim) fn set_status(&mut self, node: Node, state: ProcessState, why: EventId) {
        let Some(status) = self.status.get_mut(node) else { return };
        let restarts = state == ProcessState::Up && status.state != ProcessState::Paused;
        let incarnation = status.incarnation + u32::from(restarts);
        *status = Status { state, incarnation, why };
    }
}
