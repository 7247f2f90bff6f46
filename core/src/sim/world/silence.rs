//! What is behind a silence. Who waits for somebody in vain cannot know why; the driver does, and
//! names the fault among the causes.

use super::{ProcessState, World};
use crate::wire::event::EventKind;
use crate::words::{EventId, Node};

impl World {
    /// The causes of an event at `node`; first the fault, if it tells of somebody's silence.
    pub(super) fn with_fault(
        &self,
        node: Node,
        kind: &EventKind,
        causes: [EventId; 2],
    ) -> [EventId; 2] {
        let fault = kind.silent().and_then(|silent| self.fault_between(silent, node));
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
        places.iter().find_map(|place| self.troubles.get(place).copied())
    }
}
