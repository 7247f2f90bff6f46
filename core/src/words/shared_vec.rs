use alloc::rc::Rc;
use alloc::vec::Vec;
use core::fmt;

/// How many items share one allocation.
const CHUNK: usize = 64;

/// A vector whose clones share all chunks that neither side has written to since, so that a
/// checkpoint of a run costs little however long the run is.
#[derive(Clone)]
pub struct SharedVec<T> {
    /// None is empty; all but the last hold [`CHUNK`] items.
    chunks: Vec<Rc<Vec<T>>>,
}

impl<T> Default for SharedVec<T> {
    fn default() -> Self {
        SharedVec { chunks: Vec::new() }
    }
}

impl<T: Clone> SharedVec<T> {
    /// How many items it holds.
    pub fn len(&self) -> usize {
        self.chunks.last().map_or(0, |last| (self.chunks.len() - 1) * CHUNK + last.len())
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// Adds an item at the end.
    pub fn push(&mut self, item: T) {
        match self.chunks.last_mut() {
            Some(chunk) if chunk.len() < CHUNK => Rc::make_mut(chunk).push(item),
            _ => {
                let mut chunk = Vec::with_capacity(CHUNK);
                chunk.push(item);
                self.chunks.push(Rc::new(chunk));
            }
        }
    }

    /// The item at `index`.
    pub fn get(&self, index: usize) -> Option<&T> {
        self.chunks.get(index / CHUNK)?.get(index % CHUNK)
    }

    /// The item at `index`, to be changed; its chunk is copied if it is shared.
    pub fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        Rc::make_mut(self.chunks.get_mut(index / CHUNK)?).get_mut(index % CHUNK)
    }

    /// The last item.
    pub fn last(&self) -> Option<&T> {
        self.chunks.last().and_then(|c| c.last())
    }

    /// All items in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.chunks.iter().flat_map(|c| c.iter())
    }

    /// The items from `index` on.
    pub fn iter_from(&self, index: usize) -> impl Iterator<Item = &T> {
        let chunk = self.chunks.get(index / CHUNK);
        let head = chunk.and_then(|c| c.get(index % CHUNK..)).unwrap_or_default();
        let rest = self.chunks.get(index / CHUNK + 1..).unwrap_or_default();
        head.iter().chain(rest.iter().flat_map(|c| c.iter()))
    }

    /// How many leading items `pred` accepts, of items that it accepts before those it does not.
    pub fn partition_point(&self, pred: impl Fn(&T) -> bool) -> usize {
        let chunk = self.chunks.partition_point(|c| c.last().is_some_and(&pred));
        chunk * CHUNK + self.chunks.get(chunk).map_or(0, |c| c.partition_point(&pred))
    }

    /// Keeps the first `len` items.
    pub fn truncate(&mut self, len: usize) {
        if len < self.len() {
            self.chunks.truncate(len.div_ceil(CHUNK));
            if !len.is_multiple_of(CHUNK)
                && let Some(last) = self.chunks.last_mut()
            {
                Rc::make_mut(last).truncate(len % CHUNK);
            }
        }
    }
}

impl<T: Clone + fmt::Debug> fmt::Debug for SharedVec<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
