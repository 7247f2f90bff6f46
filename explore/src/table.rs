//! Which states are known: open addressing over their indexes.
//!
//! The table is cut into shards that grow one by one, each by half its size, so that no insertion
//! waits for more than one small shard to be rebuilt, and no second table of full size is ever
//! alive. A slot holds an index and a few bits of the hash, which spare most looks at a state.

use crate::budget::{Budget, Full};
use alloc::vec::Vec;

const SHARD_BITS: u32 = 9;
const TAG_BITS: u32 = 5;
const INDEX_BITS: u32 = 32 - TAG_BITS;
const INDEX_MASK: u32 = (1 << INDEX_BITS) - 1;
const FIRST_SLOTS: usize = 12;

/// The most states that indexes can tell apart.
pub const MOST: u32 = INDEX_MASK - 1;

#[derive(Default)]
struct Shard {
    slots: Vec<u32>,
    used: u32,
}

/// See the module.
pub struct Table {
    shards: Vec<Shard>,
}

/// Where a hash belongs.
#[derive(Clone, Copy)]
struct Place {
    shard: usize,
    spread: u32,
    tag: u32,
}

impl Place {
    #[inline]
    fn of(hash: u64) -> Place {
        Place {
            shard: (hash >> (64 - SHARD_BITS)) as usize,
            spread: (hash >> (32 - SHARD_BITS)) as u32,
            tag: (hash as u32) << INDEX_BITS,
        }
    }

    #[inline]
    fn slot(self, slots: usize) -> usize {
        ((u64::from(self.spread) * slots as u64) >> 32) as usize
    }
}

impl Table {
    pub fn new(budget: &mut Budget) -> Result<Table, Full> {
        let mut shards = budget.vector(1 << SHARD_BITS)?;
        shards.resize_with(1 << SHARD_BITS, Shard::default);
        Ok(Table { shards })
    }

    /// The index under which a state is known. Otherwise it is known as `index` from now on.
    #[inline]
    pub fn find_or_insert(
        &mut self,
        hash: u64,
        index: u32,
        same: impl Fn(u32) -> bool,
    ) -> Option<u32> {
        let place = Place::of(hash);
        let shard = &mut self.shards[place.shard];
        let slots = &mut shard.slots[..];
        let mut at = place.slot(slots.len());
        loop {
            let slot = slots[at];
            if slot == 0 {
                slots[at] = place.tag | (index + 1);
                shard.used += 1;
                return None;
            }
            if slot & !INDEX_MASK == place.tag {
                let known = (slot & INDEX_MASK) - 1;
                if same(known) {
                    return Some(known);
                }
            }
            at = if at + 1 == slots.len() { 0 } else { at + 1 };
        }
    }

    /// Makes room for one more state with that hash. `hash_of` gives the hash of a known state.
    #[inline]
    pub fn reserve(
        &mut self,
        hash: u64,
        hash_of: impl Fn(u32) -> u64,
        budget: &mut Budget,
    ) -> Result<(), Full> {
        let shard = &mut self.shards[Place::of(hash).shard];
        if (shard.used as usize + 1) * 5 <= shard.slots.len() * 4 {
            return Ok(());
        }
        shard.grow(hash_of, budget)
    }
}

impl Shard {
    fn grow(&mut self, hash_of: impl Fn(u32) -> u64, budget: &mut Budget) -> Result<(), Full> {
        let length = FIRST_SLOTS.max(self.slots.len() * 3 / 2);
        let mut slots: Vec<u32> = budget.vector(length)?;
        slots.resize(length, 0);
        for slot in self.slots.iter().filter(|s| **s != 0) {
            let place = Place::of(hash_of((slot & INDEX_MASK) - 1));
            let mut at = place.slot(length);
            while slots[at] != 0 {
                at = if at + 1 == length { 0 } else { at + 1 };
            }
            slots[at] = *slot;
        }
        budget.returned::<u32>(self.slots.len());
        self.slots = slots;
        Ok(())
    }
}
