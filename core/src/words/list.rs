use super::BrokerId;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Deref;

/// An ordered list of brokers without repeats, of any length: the live brokers of a cluster, and
/// what events tell of a partition's lists. [`super::Brokers`] is the inline list of one partition.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct BrokerList(Vec<BrokerId>);

impl BrokerList {
    /// The empty list.
    pub fn new() -> BrokerList {
        BrokerList::default()
    }

    /// Adds `broker` at the end unless it is there already.
    pub fn insert(&mut self, broker: BrokerId) {
        if !self.contains(&broker) {
            self.0.push(broker);
        }
    }

    /// Takes `broker` out; the others keep their order.
    pub fn remove(&mut self, broker: BrokerId) {
        self.0.retain(|b| *b != broker);
    }

    /// The members that `keep` accepts, in order.
    pub fn filtered(&self, keep: impl Fn(BrokerId) -> bool) -> BrokerList {
        self.iter().copied().filter(|b| keep(*b)).collect()
    }

    /// The members in ascending order of id.
    #[must_use]
    pub fn sorted(mut self) -> BrokerList {
        self.0.sort_unstable();
        self
    }

    /// Writes `brokers` as `kafka-topics` prints them.
    pub(super) fn write(brokers: &[BrokerId], f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, broker) in brokers.iter().enumerate() {
            if i > 0 {
                f.write_str(",")?;
            }
            fmt::Display::fmt(broker, f)?;
        }
        Ok(())
    }
}

impl Deref for BrokerList {
    type Target = [BrokerId];
    fn deref(&self) -> &[BrokerId] {
        &self.0
    }
}

impl FromIterator<BrokerId> for BrokerList {
    fn from_iter<I: IntoIterator<Item = BrokerId>>(brokers: I) -> BrokerList {
        let mut all = BrokerList::new();
        brokers.into_iter().for_each(|b| all.insert(b));
        all
    }
}

impl<'a> IntoIterator for &'a BrokerList {
    type Item = &'a BrokerId;
    type IntoIter = core::slice::Iter<'a, BrokerId>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

/// Comma-separated, as `kafka-topics` prints a list of brokers.
impl fmt::Display for BrokerList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        BrokerList::write(self, f)
    }
}

impl fmt::Debug for BrokerList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{self}]")
    }
}
