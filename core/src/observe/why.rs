//! "Why is that so?": the chain of causes behind an event.

use crate::sim::Tape;
use crate::words::{EventId, Map};
use alloc::vec::Vec;

/// The event and what caused it, nearest first: at most `depth` events.
pub fn chain(tape: &Tape, id: EventId, depth: usize) -> Vec<EventId> {
    let mut seen: Map<EventId, ()> = Map::new();
    let mut found = Vec::new();
    let mut next = alloc::vec![id];
    while !next.is_empty() && found.len() < depth {
        let mut behind = Vec::new();
        for id in next {
            let Some(event) = tape.event(id).filter(|_| found.len() < depth) else { continue };
            if seen.insert(id, ()).is_none() {
                found.push(id);
                behind.extend(event.causes.iter().copied().filter(|c| *c != EventId::NONE));
            }
        }
        next = behind;
    }
    found
}
