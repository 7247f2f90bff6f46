use super::catalog::{Key, Kind, Owner, Spec, Unit};
use super::release::Release;
use crate::words::{Phrase, Said};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

/// A setting's value: an integer in the setting's unit, a `Bool` as 0 or 1, a `Choice` as the
/// index of its word, `acks=all` as −1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Value(pub i64);

/// Why a setting is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SettingError {
    /// What was given, such as `acks=2`, as the phrase's first value, and why that is refused.
    pub reason: Said,
    /// What would be accepted.
    pub accepted: Said,
}

impl fmt::Display for SettingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; accepted: {}", self.reason, self.accepted)
    }
}

impl Key {
    /// The setting that `owner` has under `name` on `release`; names are exact.
    pub fn find(name: &str, owner: Owner, release: Release) -> Result<Key, SettingError> {
        // Scripts tell the two producers of old releases by their settings (section 6).
        let scala = Some(Owner::ScalaProducer).filter(|_| owner == Owner::Producer);
        let named = Key::named(name, owner).or_else(|| Key::named(name, scala?));
        let Some(key) = named else {
            return Err(unknown(name, owner, release));
        };
        let spec = key.spec();
        if spec.default(release).is_none() {
            let reason = spec.not_in(release, name, owner);
            return Err(SettingError { reason, accepted: Phrase::ReleaseWithSetting.into() });
        }
        if spec.name_in(release) != name {
            let reason = Phrase::OtherNameInRelease.of(&[&shortened(name), &release]);
            return Err(SettingError { reason, accepted: Said::verbatim(spec.name_in(release)) });
        }
        Ok(key)
    }

    /// Parses `name=value` as `owner` has it on `release`.
    pub fn assign(
        name: &str,
        value: &str,
        owner: Owner,
        release: Release,
    ) -> Result<(Key, Value), SettingError> {
        let key = Key::find(name, owner, release)?;
        Ok((key, key.spec().parse(value, release)?))
    }
}

impl Spec {
    /// Reads a value as Kafka's configuration files write it.
    pub fn parse(&self, text: &str, release: Release) -> Result<Value, SettingError> {
        let (min, max) = self.range(release);
        let parsed = match self.kind {
            Kind::Int { .. } => self.word(text, release).or_else(|| text.parse::<i64>().ok()),
            Kind::Bool => ["false", "true"]
                .iter()
                .position(|w| text.eq_ignore_ascii_case(w))
                .map(|at| at as i64),
            Kind::Choice(words) => words
                .iter()
                .position(|w| *w == text)
                .map(|at| at as i64)
                .or_else(|| self.word(text, release)),
        };
        let given = || format!("{}={}", self.name_in(release), shortened(text));
        let refused = |reason: Said| SettingError { reason, accepted: self.accepted(release) };
        match parsed {
            None => {
                let phrase = match self.kind {
                    Kind::Int { .. } => Phrase::NotAnInteger,
                    Kind::Bool => Phrase::NotABoolean,
                    Kind::Choice(_) => Phrase::NotAChoice,
                };
                Err(refused(phrase.of(&[&given()])))
            }
            Some(value) if value < min || value > max => {
                Err(refused(Phrase::OutOfRangeInRelease.of(&[&given(), &release])))
            }
            Some(value) => Ok(Value(value)),
        }
    }

    /// A value as today's Kafka writes it.
    pub fn print(&self, value: Value) -> String {
        self.print_in(value, Release::V4_4)
    }

    /// A value as `release` writes it: 0.8.2 says `largest` where later ones say `latest`.
    pub fn print_in(&self, value: Value, release: Release) -> String {
        if let Some(word) = self.words(release).iter().find(|(_, v)| *v == value.0) {
            return word.0.to_owned();
        }
        match self.kind {
            Kind::Int { .. } => value.0.to_string(),
            Kind::Bool => (value.0 != 0).to_string(),
            Kind::Choice(words) => {
                let index = usize::try_from(value.0).unwrap_or(0);
                words.get(index).copied().unwrap_or_default().to_owned()
            }
        }
    }

    /// What [`Spec::parse`] accepts, for messages.
    pub fn accepted(&self, release: Release) -> Said {
        let (min, max) = self.range(release);
        let mut words: Vec<&str> = self.words(release).iter().map(|(word, _)| *word).collect();
        match (self.kind, words.first()) {
            // Only counts have a word beside the numbers (`acks=all`).
            (Kind::Int { .. }, Some(word)) => Phrase::BetweenOr.of(&[&min, &max, word]),
            (Kind::Int { unit: Unit::Count, .. }, None) => Phrase::Between.of(&[&min, &max]),
            (Kind::Int { unit, .. }, None) => Phrase::BetweenIn.of(&[&min, &max, &unit.name()]),
            (Kind::Bool, _) => Said::verbatim("true, false"),
            (Kind::Choice(choices), _) => {
                words.extend(choices.iter().map(|w| if w.is_empty() { "\"\"" } else { *w }));
                words.dedup();
                Said::verbatim(words.join(", "))
            }
        }
    }

    /// That `release` does not have the setting, and which of the model's releases do.
    fn not_in(&self, release: Release, name: &str, owner: Owner) -> Said {
        let has = |r: &Release| self.default(*r).is_some();
        let since = Release::ALL.into_iter().find(has);
        let until = Release::ALL.into_iter().rev().find(has);
        match (since, until) {
            (Some(since), Some(Release::V4_4)) => {
                Phrase::SettingFromOn.of(&[&name, &owner.name(), &release, &since])
            }
            (Some(Release::V0_8_2), Some(until)) => {
                Phrase::SettingUpTo.of(&[&name, &owner.name(), &release, &until])
            }
            (Some(since), Some(until)) => {
                Phrase::SettingFromTo.of(&[&name, &owner.name(), &release, &since, &until])
            }
            _ => Phrase::SettingNowhere.of(&[&name, &owner.name(), &release]),
        }
    }

    /// Words that stand for a value, the preferred one first.
    fn words(&self, release: Release) -> &'static [(&'static str, i64)] {
        match self.key {
            Key::Acks if release > Release::V0_8_2 => &[("all", -1)],
            Key::AutoOffsetReset if release == Release::V0_8_2 => {
                &[("largest", 0), ("smallest", 1)]
            }
            _ => &[],
        }
    }

    fn word(&self, text: &str, release: Release) -> Option<i64> {
        const RACK_AWARE: &str = "org.apache.kafka.common.replica.RackAwareReplicaSelector";
        match self.key {
            Key::Acks | Key::RequestRequiredAcks if text == "all" => return Some(-1),
            Key::ReplicaSelectorClass if text == RACK_AWARE => return Some(1),
            Key::ReplicaSelectorClass if text.is_empty() => return Some(0),
            _ => {}
        }
        self.words(release).iter().find(|(word, _)| *word == text).map(|(_, value)| *value)
    }
}

/// The error for a name that `owner` does not have: says who has it, or which name is near.
fn unknown(name: &str, owner: Owner, release: Release) -> SettingError {
    let others = Owner::ALL.into_iter().filter(|o| {
        let key = Key::named(name, *o);
        key.is_some_and(|k| k.spec().default(release).is_some())
    });
    let others: Vec<&str> = others.map(Owner::name).collect();
    let (name_shown, owner_name) = (shortened(name), owner.name());
    let reason = match others.is_empty() {
        true => Phrase::NoSetting.of(&[&name_shown, &owner_name]),
        false => Phrase::SettingOfAnother.of(&[&name_shown, &others.join(" and "), &owner_name]),
    };
    let specs = Key::ALL.iter().map(|k| k.spec());
    let known = specs.filter(|s| s.owners.contains(owner) && s.default(release).is_some());
    let accepted = match nearest(name, known.map(|s| s.name_in(release))) {
        Some(near) => Phrase::DidYouMean.of(&[&near]),
        None => Phrase::SettingsOf.of(&[&owner.name()]),
    };
    SettingError { reason, accepted }
}

/// At most 60 characters of what was given, so that a message stays a message.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// The candidate that `name` was probably meant to be: one that begins with it, or the nearest of
/// those at most a third of their letters away, of more than four letters also two.
pub(crate) fn nearest<'a>(
    name: &str,
    candidates: impl Iterator<Item = &'a str>,
) -> Option<&'a str> {
    if name.is_empty() || name.len() > 100 {
        return None;
    }
    let begins = |c: &str| {
        let start = c.as_bytes().get(..name.len());
        name.len() >= 4 && start.is_some_and(|s| s.eq_ignore_ascii_case(name.as_bytes()))
    };
    let scored = candidates.map(|c| match begins(c) {
        true => (0, c),
        false => (distance(name.as_bytes(), c.as_bytes()), c),
    });
    let close = scored.filter(|(d, c)| *d <= (c.len() / 3).max(usize::from(c.len() > 4) * 2));
    close.min_by_key(|(d, _)| *d).map(|(_, c)| c)
}

/// Levenshtein's distance in bytes, upper and lower case being the same.
fn distance(a: &[u8], b: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(!x.eq_ignore_ascii_case(y));
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
