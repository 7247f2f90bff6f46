//! What is behind a silence. Who waits for somebody in vain cannot know why; the driver does, and
//! names the fault among the causes.

use super::{ProcessState, World};
use crate::replica::Replica;
use crate::wire::event::EventKind;
use crate::words::{EventId, Micros, Node, PartitionId};

/// A dropped message explains a silence no longer than so.
const LATELY: Micros = Micros::from_secs(45);

impl World {
    /// The causes of an event at `node`; first the fault, if it tells of somebody's silence.
    pub(super) fn with_fault(
        &self,
        node: Node,
        kind: &EventKind,
        causes: [EventId; 2],
    ) -> [EventId; 2] {
        let silent = match kind {
            EventKind::ProduceTimedOut { partition, .. } => self.slowest(node, *partition),
            _ => kind.silent(),
        };
        let fault = silent.and_then(|silent| self.fault_between(silent, node));
        let fault = fault.or_else(|| match (kind, silent) {
            (EventKind::RequestTimedOut { .. }, Some(leader)) => self.fault_behind(leader),
            _ => None,
        });
        match fault {
            Some(fault) if !causes.contains(&fault) => [fault, causes[0]],
            _ => causes,
        }
    }

    /// What keeps `silent` from being heard at `node`: its process, a link, or its disk.
    fn fault_between(&self, silent: Node, node: Node) -> Option<EventId> {
        let (state, why) = self.process_state(silent);
        if state != ProcessState::Up {
            return Some(why);
        }
        let places = [(silent, node), (node, silent), (silent, silent)];
        let known = places.iter().find_map(|place| self.troubles.get(place).copied());
        known.or_else(|| {
            let dropped =
                |place| self.dropped.get(place).filter(|(at, _)| self.now.since(*at) < LATELY);
            places.iter().find_map(dropped).map(|(_, why)| *why)
        })
    }

    /// What keeps a leader from answering those who wait for acks.
    fn fault_behind(&self, leader: Node) -> Option<EventId> {
        let Node::Broker(id) = leader else { return None };
        let waits = |r: &Replica| r.leading().is_some_and(|l| !l.waiting_produces.is_empty());
        let mut led = self.broker(id)?.replicas.iter().filter(|(_, r)| waits(r));
        led.find_map(|(p, _)| self.fault_between(self.slowest(leader, *p)?, leader))
    }

    /// The replica that a leader's HW waits for: behind, and in the ISR.
    fn slowest(&self, node: Node, partition: PartitionId) -> Option<Node> {
        let Node::Broker(leader) = node else { return None };
        let replica = self.broker(leader)?.replicas.get(&partition)?;
        let leading = replica.leading()?;
        let behind = leading.followers.iter().filter(|f| leading.isr.contains(&f.broker));
        let slowest = behind.min_by_key(|f| f.state.end)?;
        (slowest.state.end < replica.log.end()).then_some(Node::Broker(slowest.broker))
    }
}
