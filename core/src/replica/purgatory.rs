//! Requests that wait for something to happen to a key, or for their time to be over (R2.10, R2.11).

use crate::words::Micros;
use alloc::vec::Vec;

/// A request that waits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Waiting {
    id: u32,
    key: u32,
    deadline: Micros,
}

/// The waiting room, in order of arrival.
#[derive(Clone, Debug, Default)]
pub struct Purgatory(Vec<Waiting>);

impl Purgatory {
    /// A request waits for `key`, but not beyond `deadline`.
    pub fn watch(&mut self, id: u32, key: u32, deadline: Micros) {
        self.0.push(Waiting { id, key, deadline });
    }

    /// Something happened to `key`: the requests that are `done` now, which wait no longer.
    pub fn check(&mut self, key: u32, done: &dyn Fn(u32) -> bool) -> Vec<u32> {
        self.take(|w| w.key == key && done(w.id))
    }

    /// Those whose time is over at `now`, which wait no longer.
    pub fn expire(&mut self, now: Micros) -> Vec<u32> {
        self.take(|w| w.deadline <= now)
    }

    /// Those that wait.
    pub fn waiting(&self) -> impl Iterator<Item = u32> {
        self.0.iter().map(|w| w.id)
    }

    fn take(&mut self, leaves: impl Fn(&Waiting) -> bool) -> Vec<u32> {
        let left = self.0.iter().filter(|w| leaves(w)).map(|w| w.id).collect();
        self.0.retain(|w| !leaves(w));
        left
    }
}
