use crate::words::Micros;

/// How long a client waits before it tries again: twice as long after each failure, up to a limit
/// (R6.6, R6.7).
#[derive(Clone, Copy, Debug)]
pub(super) struct Backoff {
    pub first: Micros,
    pub max: Micros,
}

impl Backoff {
    /// One that does not grow.
    pub fn fixed(first: Micros) -> Backoff {
        Backoff { first, max: first }
    }

    /// After so many failures in a row, the first of which is 1.
    pub fn after(self, failures: u32) -> Micros {
        let doublings = failures.saturating_sub(1).min(20);
        Micros(self.first.0.saturating_mul(1 << doublings)).min(self.max.max(self.first))
    }
}
