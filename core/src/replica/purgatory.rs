//! Requests that wait, until what they wait for is decided or their time is over (R2.10, R2.11,
//! R2.28).

use crate::words::{Map, Micros};
use alloc::vec::Vec;

/// The waiting room: requests by number, in order of arrival.
#[derive(Clone, Debug)]
pub struct Purgatory<T>(Map<u32, (Micros, T)>);

impl<T> Default for Purgatory<T> {
    fn default() -> Purgatory<T> {
        Purgatory(Map::new())
    }
}

impl<T> Purgatory<T> {
    /// A request waits, but not beyond `deadline`.
    pub fn park(&mut self, id: u32, deadline: Micros, request: T) {
        self.0.insert(id, (deadline, request));
    }

    /// A request that waits.
    pub fn get(&self, id: u32) -> Option<&T> {
        self.0.get(&id).map(|(_, request)| request)
    }

    /// A request that waits, to note what was decided of it.
    pub fn get_mut(&mut self, id: u32) -> Option<&mut T> {
        self.0.get_mut(&id).map(|(_, request)| request)
    }

    /// A request waits no longer: its deadline, and what it was.
    pub fn leave(&mut self, id: u32) -> Option<(Micros, T)> {
        self.0.remove(&id)
    }

    /// Those that wait.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        self.0.iter().map(|(id, (_, request))| (*id, request))
    }

    /// Those whose time is over at `now`.
    pub fn late(&self, now: Micros) -> Vec<u32> {
        self.0.iter().filter(|(_, (deadline, _))| *deadline <= now).map(|(id, _)| *id).collect()
    }

    /// When the next one's time is over.
    pub fn next_deadline(&self) -> Option<Micros> {
        self.0.values().map(|(deadline, _)| *deadline).min()
    }
}
