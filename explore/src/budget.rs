//! How much memory a search may use.

/// Why nothing more can be stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Full {
    /// The next piece of memory would exceed the bound that was set.
    Bound,
    /// The machine has no more, whatever the bound says.
    Machine,
    /// An index would no longer fit: see [`crate::table::MOST`].
    Indexes,
}

/// Bytes in use and the bound on them.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    used: usize,
    bound: usize,
}

impl Budget {
    pub fn new(bound: usize) -> Budget {
        Budget { used: 0, bound }
    }

    pub fn used(&self) -> usize {
        self.used
    }

    /// An empty vector with room for `length` items, paid for here.
    pub fn vector<T>(&mut self, length: usize) -> Result<alloc::vec::Vec<T>, Full> {
        let bytes = length * size_of::<T>();
        if bytes > self.bound.saturating_sub(self.used) {
            return Err(Full::Bound);
        }
        let mut vector = alloc::vec::Vec::new();
        vector.try_reserve_exact(length).map_err(|_| Full::Machine)?;
        self.used += bytes;
        Ok(vector)
    }

    /// Takes back what a vector of `length` items cost.
    pub fn returned<T>(&mut self, length: usize) {
        self.used -= length * size_of::<T>();
    }
}
