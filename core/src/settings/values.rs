use super::catalog::Key;
use super::release::Release;
use crate::words::Micros;
use alloc::boxed::Box;

/// The value of every setting as one process (and topic) has it, resolved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Values(Box<[i64]>, Release);

impl Values {
    /// The defaults of `release`; 0 for settings that it does not have.
    pub fn defaults(release: Release) -> Values {
        let values = Key::ALL.iter().map(|k| k.spec().default(release).unwrap_or(0));
        Values(values.collect(), release)
    }

    /// The value of `key`, as [`super::Value`] encodes it; 0 where the release has no such setting.
    pub fn get(&self, key: Key) -> i64 {
        self.0[key.index()]
    }

    /// The value of a setting in milliseconds, as a span of time. `Long.MAX_VALUE` becomes
    /// [`Micros::NEVER`].
    pub fn ms(&self, key: Key) -> Micros {
        Micros::from_setting_ms(self.get(key))
    }

    /// [`Values::ms`], if the release has such a setting.
    pub fn known_ms(&self, key: Key) -> Option<Micros> {
        key.spec().default(self.1).map(|_| self.ms(key))
    }

    /// Whether a `Bool` is true.
    pub fn is(&self, key: Key) -> bool {
        self.get(key) != 0
    }

    pub(super) fn put(&mut self, key: Key, value: i64) {
        self.0[key.index()] = value;
    }
}
