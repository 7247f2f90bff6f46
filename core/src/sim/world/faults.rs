//! What breaks, and is mended: processes, disks, links; and faults of single messages.

use super::{ProcessState, World};
use crate::controller::ControllerTimer;
use crate::script::{Link, MessageFaultKind, PartitionName, PowerLoss};
use crate::settings::Key;
use crate::sim::network::LinkFault;
use crate::sim::tape::Tape;
use crate::wire::event::EventKind;
use crate::words::{BrokerId, EventId, Micros, Node, PartitionId};
use alloc::vec::Vec;

/// From the start of the controller's process to its activation (R5.4).
const CONTROLLER_BOOT: Micros = Micros::from_ms(500);

#[derive(Clone, Copy)]
pub(super) enum LinkChange {
    Cut,
    Heal,
    Slow(Option<Micros>),
}

impl World {
    // Processes.

    /// Whether a process is in a state in which the action does something; if not, that is told.
    fn able(
        &mut self,
        action: &'static str,
        node: Option<Node>,
        fits: impl Fn(ProcessState) -> bool,
        tape: &mut Tape,
    ) -> Option<Node> {
        let node = node?;
        let state = self.process_state(node).0;
        if fits(state) {
            return Some(node);
        }
        self.tell(node, EventKind::ActionVoid { action, state: state.name() }, tape);
        None
    }

    pub(super) fn kill(&mut self, node: Option<Node>, tape: &mut Tape) {
        let Some(node) = self.able("crash", node, is_up, tape) else { return };
        let why = self.tell(node, EventKind::Crashed {}, tape);
        self.end(node, ProcessState::Crashed, why);
        self.connections_close(node);
    }

    fn end(&mut self, node: Node, state: ProcessState, why: EventId) {
        self.inboxes.remove(&node);
        match node {
            Node::Broker(id) => {
                if let Some(at) = self.broker_index(id) {
                    self.brokers[at].crash();
                }
            }
            Node::Controller => self.controller.crash(),
            Node::Client(_) => self.network.forget(node),
        }
        self.set_status(node, state, why);
    }

    pub(super) fn power_off(&mut self, broker: BrokerId, lose: PowerLoss, tape: &mut Tape) {
        let Some(node) = self.able("power-off", Some(Node::Broker(broker)), is_up, tape) else {
            return;
        };
        let Some(at) = self.broker_index(broker) else { return };
        let mut rng = self.rng.clone();
        let lost = self.brokers[at].lose_power(&mut |flushed, end| match lose {
            PowerLoss::All => flushed,
            PowerLoss::Seeded => flushed + rng.below((end - flushed) as u64 + 1) as i64,
        });
        self.rng = rng;
        let why = self.tell(node, EventKind::PoweredOff { lost }, tape);
        self.end(node, ProcessState::PoweredOff, why);
        self.audit_losses(broker, why);
        self.audit_news(node, tape);
    }

    pub(super) fn lose(
        &mut self,
        broker: BrokerId,
        name: &PartitionName,
        from: i64,
        tape: &mut Tape,
    ) {
        let Some(node) = self.able("lose", Some(Node::Broker(broker)), is_down, tape) else {
            return;
        };
        let Some(partition) = self.existing("lose", node, name, tape) else { return };
        let Some(at) = self.broker_index(broker) else { return };
        if !self.brokers[at].replicas.contains_key(&partition) {
            let state = "no-replica";
            self.tell(node, EventKind::ActionVoid { action: "lose", state }, tape);
            return;
        }
        let count = self.brokers[at].lose_from(partition, from);
        let why = self.tell(node, EventKind::LogCut { partition, from, count }, tape);
        self.audit_losses(broker, why);
        self.audit_news(node, tape);
    }

    pub(super) fn wipe(&mut self, broker: BrokerId, tape: &mut Tape) {
        let Some(node) = self.able("wipe", Some(Node::Broker(broker)), is_down, tape) else {
            return;
        };
        let Some(at) = self.broker_index(broker) else { return };
        self.brokers[at].wipe(self.next_directory);
        self.next_directory += 1;
        let why = self.tell(node, EventKind::Wiped {}, tape);
        self.audit_losses(broker, why);
        self.audit_news(node, tape);
    }

    pub(super) fn stop(&mut self, node: Option<Node>, tape: &mut Tape) {
        let Some(node) = self.able("stop", node, is_up, tape) else { return };
        if self.process_state(node).0 == ProcessState::Paused {
            self.resume(Some(node), tape);
        }
        match node {
            Node::Broker(id) => self.broker_does(id, tape, EventId::NONE, |b, fx| b.stop(fx)),
            Node::Controller | Node::Client(_) => {
                if let Node::Client(id) = node {
                    self.client_does(id, tape, EventId::NONE, |client, fx| client.close(fx));
                }
                let why = self.tell(node, EventKind::Stopped {}, tape);
                self.end(node, ProcessState::Stopped, why);
                self.connections_close(node);
            }
        }
    }

    pub(super) fn start(&mut self, node: Option<Node>, tape: &mut Tape) {
        let Some(node) = self.able("start", node, is_down, tape) else { return };
        self.set_status(node, ProcessState::Up, EventId::NONE);
        match node {
            Node::Broker(id) => {
                self.broker_does(id, tape, EventId::NONE, |b, fx| b.start(fx));
            }
            Node::Controller => {
                self.tell(node, EventKind::Starting {}, tape);
                let election = self.settings.cluster().ms(Key::ControllerQuorumElectionTimeoutMs);
                let at = self.now + CONTROLLER_BOOT + election;
                self.arm_controller(at, ControllerTimer::Activate);
            }
            Node::Client(id) => {
                self.tell(node, EventKind::Starting {}, tape);
                self.renew_client(id);
                self.client_does(id, tape, EventId::NONE, |client, fx| client.start(fx));
                self.arm_ticks(id, false);
            }
        }
        let why = EventId(self.next_event.saturating_sub(1));
        if let Some(status) = self.status.get_mut(node) {
            status.why = why;
        }
    }

    pub(super) fn pause(&mut self, node: Option<Node>, tape: &mut Tape) {
        let runs = |s: ProcessState| s == ProcessState::Up;
        let Some(node) = self.able("pause", node, runs, tape) else { return };
        let why = self.tell(node, EventKind::Paused {}, tape);
        self.set_status(node, ProcessState::Paused, why);
    }

    pub(super) fn resume(&mut self, node: Option<Node>, tape: &mut Tape) {
        let paused = |s: ProcessState| s == ProcessState::Paused;
        let Some(node) = self.able("resume", node, paused, tape) else { return };
        let why = self.tell(node, EventKind::Resumed {}, tape);
        self.set_status(node, ProcessState::Up, why);
        self.empty_inbox(node);
    }

    // Disks and links.

    pub(super) fn slow_disk(
        &mut self,
        broker: BrokerId,
        partition: Option<&PartitionName>,
        delay: Micros,
        tape: &mut Tape,
    ) {
        let node = Node::Broker(broker);
        let Some(at) = self.broker_index(broker) else { return };
        match partition {
            Some(name) => {
                let Some(id) = self.existing("disk", node, name, tape) else { return };
                self.brokers[at].slow_replica(id, delay);
            }
            None => self.brokers[at].disk_delay = delay,
        }
        let why = self.tell(node, EventKind::DiskSlowed { broker, delay }, tape);
        self.note_trouble((node, node), (delay > Micros::ZERO).then_some(why));
    }

    pub(super) fn each_link(&mut self, link: &Link, tape: &mut Tape, change: LinkChange) {
        let ends = (self.setup.node(&link.from), self.setup.node(&link.to));
        let (Some(from), Some(to)) = ends else { return };
        let back = link.both.then_some((to, from));
        for (from, to) in core::iter::once((from, to)).chain(back) {
            let event = match change {
                LinkChange::Cut => {
                    self.network.cut(from, to);
                    EventKind::LinkCut { from, to }
                }
                LinkChange::Heal => {
                    self.network.heal(from, to);
                    self.send_swallowed(from, to);
                    EventKind::LinkHealed { from, to }
                }
                LinkChange::Slow(latency) => {
                    self.network.slow(from, to, latency);
                    let latency = self.network.latency(from, to);
                    EventKind::LinkSlowed { from, to, latency }
                }
            };
            let why = self.tell(from, event, tape);
            let is_trouble = !matches!(change, LinkChange::Heal | LinkChange::Slow(None));
            self.note_trouble((from, to), is_trouble.then_some(why));
        }
    }

    pub(super) fn heal_all(&mut self, tape: &mut Tape) {
        let faulty: Vec<(Node, Node, LinkFault)> = self.network.faults().collect();
        for (from, to, _) in faulty {
            self.network.heal(from, to);
            self.send_swallowed(from, to);
            self.note_trouble((from, to), None);
            self.tell(from, EventKind::LinkHealed { from, to }, tape);
        }
    }

    /// A link, or a broker's disk as the link of the broker with itself, is troubled from now on, or
    /// not any more.
    fn note_trouble(&mut self, place: (Node, Node), why: Option<EventId>) {
        match why {
            Some(why) => self.troubles.insert(place, why),
            None => self.troubles.remove(&place),
        };
    }

    pub(super) fn fault_of(
        &self,
        kind: &str,
        from: Node,
        to: Node,
        partition: Option<PartitionId>,
        ordinal: u32,
    ) -> Option<(usize, MessageFaultKind)> {
        let setup = &self.setup;
        let named = setup.faults.iter().enumerate().find(|(_, f)| {
            let message = &f.fault.message;
            message.ordinal == ordinal
                && f.from == from
                && f.to == to
                && message.kind == kind
                && message.partition.as_ref().map(|p| self.resolve(p)) == partition.map(Some)
        });
        named.map(|(i, f)| (i, f.fault.kind))
    }
}

fn is_up(state: ProcessState) -> bool {
    matches!(state, ProcessState::Up | ProcessState::Paused)
}

fn is_down(state: ProcessState) -> bool {
    !is_up(state)
}
