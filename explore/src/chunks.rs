//! A list that grows by chunks: what is stored never moves, and nothing doubles.

use crate::budget::{Budget, Full};
use alloc::collections::VecDeque;
use alloc::vec::Vec;

const BITS: usize = 14;
const LENGTH: usize = 1 << BITS;

/// A list of items by index.
pub struct Chunks<T> {
    chunks: Vec<Vec<T>>,
}

impl<T: Copy> Chunks<T> {
    pub const fn new() -> Chunks<T> {
        Chunks { chunks: Vec::new() }
    }

    #[inline]
    pub fn push(&mut self, item: T, budget: &mut Budget) -> Result<(), Full> {
        if self.chunks.last().is_none_or(|c| c.len() == LENGTH) {
            self.chunks.push(budget.vector(LENGTH)?);
        }
        self.chunks.last_mut().expect("a chunk with room").push(item);
        Ok(())
    }

    #[inline]
    pub fn get(&self, index: usize) -> &T {
        &self.chunks[index >> BITS][index & (LENGTH - 1)]
    }
}

/// A queue that gives its memory back chunk by chunk.
pub struct Queue<T> {
    chunks: VecDeque<Vec<T>>,
    taken: usize,
}

impl<T: Copy> Queue<T> {
    pub const fn new() -> Queue<T> {
        Queue { chunks: VecDeque::new(), taken: 0 }
    }

    pub fn push(&mut self, item: T, budget: &mut Budget) -> Result<(), Full> {
        if self.chunks.back().is_none_or(|c| c.len() == LENGTH) {
            self.chunks.push_back(budget.vector(LENGTH)?);
        }
        self.chunks.back_mut().expect("a chunk with room").push(item);
        Ok(())
    }

    pub fn pop(&mut self, budget: &mut Budget) -> Option<T> {
        let item = *self.chunks.front()?.get(self.taken)?;
        self.taken += 1;
        if self.taken == LENGTH {
            self.chunks.pop_front();
            self.taken = 0;
            budget.returned::<T>(LENGTH);
        }
        Some(item)
    }
}
