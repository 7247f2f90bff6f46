//! What is kept of a state that was seen: all of it, or a fingerprint.

use crate::budget::{Budget, Full};
use crate::chunks::{Chunks, Queue};
use crate::model::Packed;

/// The states seen so far, by index in the order of their discovery.
pub enum Store<S> {
    /// Whole states: exact.
    States {
        /// All of them.
        seen: Chunks<S>,
        /// The first that has not been expanded.
        next: usize,
    },
    /// Hashes of all, and the states that still have to be expanded.
    Fingerprints {
        /// All of them.
        seen: Chunks<u64>,
        /// Those still to be expanded.
        waiting: Queue<S>,
    },
}

impl<S: Packed> Store<S> {
    pub fn states() -> Store<S> {
        Store::States { seen: Chunks::new(), next: 0 }
    }

    pub fn fingerprints() -> Store<S> {
        Store::Fingerprints { seen: Chunks::new(), waiting: Queue::new() }
    }

    #[inline]
    pub fn push(&mut self, state: S, hash: u64, budget: &mut Budget) -> Result<(), Full> {
        match self {
            Store::States { seen, .. } => seen.push(state, budget),
            Store::Fingerprints { seen, waiting } => {
                seen.push(hash, budget)?;
                waiting.push(state, budget)
            }
        }
    }

    /// Whether the state is the one known as `index`, as far as this store can tell.
    #[inline]
    pub fn is(&self, index: u32, state: &S, hash: u64) -> bool {
        match self {
            Store::States { seen, .. } => seen.get(index as usize) == state,
            Store::Fingerprints { seen, .. } => *seen.get(index as usize) == hash,
        }
    }

    #[inline]
    pub fn hash(&self, index: u32) -> u64 {
        match self {
            Store::States { seen, .. } => seen.get(index as usize).hash(),
            Store::Fingerprints { seen, .. } => *seen.get(index as usize),
        }
    }

    /// The next state to be expanded, in the order of discovery. The caller knows that there is one.
    #[inline]
    pub fn take(&mut self, budget: &mut Budget) -> S {
        match self {
            Store::States { seen, next } => {
                *next += 1;
                *seen.get(*next - 1)
            }
            Store::Fingerprints { waiting, .. } => waiting.pop(budget).expect("a state waits"),
        }
    }
}
