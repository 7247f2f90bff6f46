use core::fmt;
use core::ops::{Add, AddAssign, Sub};

/// Virtual time or a span of it, in integer microseconds since the start of the scenario.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Micros(pub u64);

impl Micros {
    /// The start of a scenario, or no time at all.
    pub const ZERO: Micros = Micros(0);
    /// Later than anything that happens.
    pub const NEVER: Micros = Micros(u64::MAX);
    /// The latest moment that a scenario may name: 30 days.
    pub const LIMIT: Micros = Micros::from_secs(30 * 24 * 3600);

    /// A span given in milliseconds.
    pub const fn from_ms(ms: u64) -> Micros {
        Micros::from_units(ms, 1_000)
    }

    /// A span given in seconds.
    pub const fn from_secs(s: u64) -> Micros {
        Micros::from_units(s, 1_000_000)
    }

    /// Compared first: a product that is checked takes 128 bits where the machine has no overflow
    /// flag, as in WebAssembly.
    const fn from_units(count: u64, unit: u64) -> Micros {
        if count > u64::MAX / unit { Micros::NEVER } else { Micros(count * unit) }
    }

    /// A setting's value in milliseconds; what is negative counts as 0.
    pub const fn from_setting_ms(ms: i64) -> Micros {
        if ms < 0 { Micros(0) } else { Micros::from_ms(ms as u64) }
    }

    /// Time passed since `earlier`; zero where that is later.
    pub const fn since(self, earlier: Micros) -> Micros {
        Micros(self.0.saturating_sub(earlier.0))
    }
}

impl Add for Micros {
    type Output = Micros;
    fn add(self, other: Micros) -> Micros {
        Micros(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Micros {
    fn add_assign(&mut self, other: Micros) {
        *self = *self + other;
    }
}

impl Sub for Micros {
    type Output = Micros;
    fn sub(self, other: Micros) -> Micros {
        self.since(other)
    }
}

/// As scenario scripts write it: the largest of `s`, `ms`, `us` that needs no fraction.
impl fmt::Display for Micros {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            us if us % 1_000_000 == 0 => write!(f, "{}s", us / 1_000_000),
            us if us % 1_000 == 0 => write!(f, "{}ms", us / 1_000),
            us => write!(f, "{us}us"),
        }
    }
}
