use super::{BrokerId, BrokerList};
use core::fmt;
use core::ops::Deref;

/// A partition's list of brokers: replicas, ISR, ELR. Inline and `Copy`, so that the rules of a
/// partition allocate nothing. Order is kept: the replica list is ordered by preference (R0.3), and
/// the ISR's order decides who takes over in 0.8 (R5.13). No broker appears twice.
///
/// [`BrokerList`] is the unbounded list on the heap, for sets of a whole cluster's brokers.
#[derive(Clone, Copy)]
pub struct Brokers {
    len: u8,
    ids: [BrokerId; Brokers::CAPACITY],
}

impl Brokers {
    /// Most members of one list: the replicas of a partition and, during a reassignment, as many
    /// again.
    pub const CAPACITY: usize = 2 * Brokers::MAX_REPLICAS;

    /// Largest replication factor that a scenario may ask for.
    pub const MAX_REPLICAS: usize = 16;

    /// The empty list.
    pub const EMPTY: Brokers = Brokers { len: 0, ids: [BrokerId(0); Brokers::CAPACITY] };

    /// A list of one.
    pub fn only(broker: BrokerId) -> Brokers {
        let mut one = Brokers::EMPTY;
        one.insert(broker);
        one
    }

    /// The members of `brokers` in order; `None` if they are more than [`Brokers::CAPACITY`].
    pub fn checked(brokers: impl IntoIterator<Item = BrokerId>) -> Option<Brokers> {
        let mut all = Brokers::EMPTY;
        for broker in brokers {
            if all.len() == Brokers::CAPACITY && !all.contains(&broker) {
                return None;
            }
            all.insert(broker);
        }
        Some(all)
    }

    /// Adds `broker` at the end unless it is there already.
    ///
    /// # Panics
    /// If the list is full. Scripts and the operator's commands are refused before that.
    pub fn insert(&mut self, broker: BrokerId) {
        if !self.contains(&broker) {
            assert!(self.len() < Brokers::CAPACITY, "a list of more brokers than a partition has");
            self.ids[self.len()] = broker;
            self.len += 1;
        }
    }

    /// This list without `broker`; the others keep their order.
    #[must_use]
    pub fn without(&self, broker: BrokerId) -> Brokers {
        self.filtered(|b| b != broker)
    }

    /// The members that `keep` accepts, in order.
    #[must_use]
    pub fn filtered(&self, keep: impl Fn(BrokerId) -> bool) -> Brokers {
        self.iter().copied().filter(|b| keep(*b)).collect()
    }

    /// This list followed by those of `other` that it lacks.
    #[must_use]
    pub fn union(&self, other: &[BrokerId]) -> Brokers {
        let mut all = *self;
        other.iter().for_each(|b| all.insert(*b));
        all
    }

    /// Whether every member of `other` is in this list.
    pub fn contains_all(&self, other: &[BrokerId]) -> bool {
        other.iter().all(|b| self.contains(b))
    }

    /// Whether both hold the same brokers, in whatever order.
    pub fn same_set(&self, other: &[BrokerId]) -> bool {
        self.len() == other.len() && self.contains_all(other)
    }

    /// The members in ascending order of id.
    #[must_use]
    pub fn sorted(mut self) -> Brokers {
        let len = self.len();
        self.ids[..len].sort_unstable();
        self
    }
}

impl Default for Brokers {
    fn default() -> Brokers {
        Brokers::EMPTY
    }
}

impl Deref for Brokers {
    type Target = [BrokerId];
    fn deref(&self) -> &[BrokerId] {
        &self.ids[..usize::from(self.len)]
    }
}

impl PartialEq for Brokers {
    fn eq(&self, other: &Brokers) -> bool {
        **self == **other
    }
}

impl Eq for Brokers {}

impl core::hash::Hash for Brokers {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

/// See [`Brokers::insert`] for what happens where the list is full.
impl FromIterator<BrokerId> for Brokers {
    fn from_iter<I: IntoIterator<Item = BrokerId>>(brokers: I) -> Brokers {
        let mut all = Brokers::EMPTY;
        brokers.into_iter().for_each(|b| all.insert(b));
        all
    }
}

impl<'a> IntoIterator for &'a Brokers {
    type Item = &'a BrokerId;
    type IntoIter = core::slice::Iter<'a, BrokerId>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl From<Brokers> for BrokerList {
    fn from(brokers: Brokers) -> BrokerList {
        brokers.iter().copied().collect()
    }
}

/// Comma-separated, as `kafka-topics` prints a list of brokers.
impl fmt::Display for Brokers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        BrokerList::write(self, f)
    }
}

impl fmt::Debug for Brokers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{self}]")
    }
}
