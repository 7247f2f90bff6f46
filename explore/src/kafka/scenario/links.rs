use crate::kafka::world::{self, MOST_BROKERS};

/// A set of links from follower to leader.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Links([u8; MOST_BROKERS]);

impl Links {
    /// Between all of so many brokers.
    pub fn all(brokers: usize) -> Links {
        let mut links = Links::default();
        for (a, b) in (0..brokers).flat_map(|a| (0..brokers).map(move |b| (a, b))) {
            if a != b {
                links.insert(a, b);
            }
        }
        links
    }

    pub fn insert(&mut self, follower: usize, leader: usize) {
        self.0[follower] |= 1 << leader;
    }

    pub fn each(self) -> impl Iterator<Item = (usize, usize)> {
        let leaders = move |f: usize| world::members(self.0[f]).map(move |l| (f, l));
        (0..MOST_BROKERS).flat_map(leaders)
    }

    pub fn both_ways(mut self) -> Links {
        self.each().for_each(|(follower, leader)| self.insert(leader, follower));
        self
    }

    pub fn without(mut self, other: Links) -> Links {
        self.0.iter_mut().zip(other.0).for_each(|(own, other)| *own &= !other);
        self
    }

    pub fn and(mut self, other: Links) -> Links {
        self.0.iter_mut().zip(other.0).for_each(|(own, other)| *own &= other);
        self
    }

    pub fn or(mut self, other: Links) -> Links {
        self.0.iter_mut().zip(other.0).for_each(|(own, other)| *own |= other);
        self
    }
}
