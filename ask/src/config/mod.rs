//! Check my configuration: what of it can lose, duplicate or reorder records, stop writes, or does
//! nothing; each with its rule, a scenario that proves it, and the change that mends it.

mod brokers;
mod check;
mod command;
mod consumers;
mod entry;
mod finding;
mod foreign;
mod names;
mod place;
mod producers;
mod proof;
mod read;
mod refused;
mod setup;
mod statement;
mod written;

pub use entry::{Dialect, Entry, Unit};
pub use finding::{Change, Finding, Harm};

use alloc::vec::Vec;
use highwater_core::settings::Release;

/// Longer texts are not read, in bytes.
pub const MAX_BYTES: usize = 1_000_000;

/// What a text says, and what is to be said of it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Checked {
    /// The settings that were read, by owner.
    pub units: Vec<Unit>,
    /// The findings, in order of harm.
    pub findings: Vec<Finding>,
}

/// Checks the settings in a text as `release` takes them.
pub fn check(text: &str, release: Release) -> Checked {
    if text.len() > MAX_BYTES {
        return Checked::default();
    }
    let units = read::read(text, release);
    let findings = check::findings(&units, release);
    Checked { units, findings }
}
