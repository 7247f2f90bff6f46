//! What a model is.

/// What was done to get from one state to the next, in the model's own code.
pub type Action = u32;

/// A state in a few machine words. Equal states have equal words.
pub trait Packed: Copy + Eq {
    /// A well-mixed hash of the words. In fingerprint mode it stands for the state.
    fn hash(&self) -> u64;
}

impl<const N: usize> Packed for [u64; N] {
    #[inline]
    fn hash(&self) -> u64 {
        let mut hash = 0x9e37_79b9_7f4a_7c15;
        for word in self {
            hash = mixed(hash ^ word);
        }
        mixed(hash)
    }
}

/// One round of a 64-bit finalizer: multiply and fold, twice.
#[inline]
fn mixed(word: u64) -> u64 {
    let word = (word ^ (word >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    (word ^ (word >> 29)).wrapping_mul(0xff51_afd7_ed55_8ccd) ^ (word >> 32)
}

/// A model: where it begins, what may happen next, and which properties a state breaks.
pub trait Model {
    /// One state.
    type State: Packed;

    /// Calls `each` with every state in which a run may begin.
    fn initial(&self, each: impl FnMut(Self::State));

    /// Calls `each` with everything that may happen next. The same successor may come repeatedly.
    fn successors(&self, state: &Self::State, each: impl FnMut(Action, Self::State));

    /// The properties that the state breaks, a bit each.
    fn broken(&self, state: &Self::State) -> u32;

    /// The representative of all states that differ only in which broker is which. It must not
    /// depend on which of them is given.
    fn canonical(&self, state: &Self::State) -> Self::State {
        *state
    }
}
