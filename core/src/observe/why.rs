//! "Why is that so?": the chain of causes behind an event.

use crate::sim::Tape;
use crate::words::{EventId, Map};
use alloc::vec::Vec;

/// The event and what caused it: its first cause and what is behind that, then its next one. At
/// most `depth` events.
pub fn chain(tape: &Tape, id: EventId, depth: usize) -> Vec<EventId> {
    let mut seen: Map<EventId, ()> = Map::new();
    let mut found = Vec::new();
    let mut open = alloc::vec![id];
    while let Some(id) = open.pop()
        && found.len() < depth
    {
        let Some(event) = tape.event(id) else { continue };
        if seen.insert(id, ()).is_none() {
            found.push(id);
            open.extend(event.causes.iter().copied().rev().filter(|c| *c != EventId::NONE));
        }
    }
    found
}
