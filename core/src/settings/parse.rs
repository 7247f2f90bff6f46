use super::catalog::{Key, Kind, Owner, Spec};
use super::release::Release;
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
    /// What was given, such as `acks=2`.
    pub given: String,
    /// Why that is refused, as the rest of a sentence that begins with it.
    pub reason: String,
    /// What would be accepted.
    pub accepted: String,
}

impl fmt::Display for SettingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}; accepted: {}", self.given, self.reason, self.accepted)
    }
}

impl Key {
    /// The setting that `owner` has under `name` on `release`; names are exact.
    pub fn find(name: &str, owner: Owner, release: Release) -> Result<Key, SettingError> {
        let error = |reason: String, accepted: String| SettingError {
            given: shortened(name),
            reason,
            accepted,
        };
        // Scripts tell the two producers of old releases by their settings (section 6).
        let scala = Some(Owner::ScalaProducer).filter(|_| owner == Owner::Producer);
        let named = Key::named(name, owner).or_else(|| Key::named(name, scala?));
        let Some(key) = named else {
            return Err(unknown(name, owner, release));
        };
        let spec = key.spec();
        if spec.default(release).is_none() {
            let (owner, lifetime) = (owner.name(), spec.lifetime());
            let reason = format!("is no {owner} setting of Kafka {release}: it exists {lifetime}");
            return Err(error(reason, "a release that has it, or another setting".to_owned()));
        }
        if spec.name_in(release) != name {
            let reason = format!("is not what Kafka {release} calls it");
            return Err(error(reason, spec.name_in(release).to_owned()));
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
        let refused = |reason: &str| SettingError {
            given: format!("{}={}", self.name_in(release), shortened(text)),
            reason: reason.to_owned(),
            accepted: self.accepted(release),
        };
        match parsed {
            None => Err(refused(match self.kind {
                Kind::Int { .. } => "is not an integer",
                Kind::Bool => "is neither true nor false",
                Kind::Choice(_) => "is not one of its words",
            })),
            Some(value) if value < min || value > max => {
                Err(refused(&format!("is out of range in Kafka {release}")))
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
    pub fn accepted(&self, release: Release) -> String {
        let (min, max) = self.range(release);
        let mut words: Vec<String> =
            self.words(release).iter().map(|(w, _)| (*w).to_owned()).collect();
        match self.kind {
            Kind::Int { unit, .. } => {
                let space = if unit.name().is_empty() { "" } else { " " };
                words.insert(0, format!("{min} … {max}{space}{}", unit.name()));
                words.join(", or ")
            }
            Kind::Bool => "true, false".to_owned(),
            Kind::Choice(choices) => {
                let quoted = |w: &&str| if w.is_empty() { "\"\"" } else { *w }.to_owned();
                words.extend(choices.iter().map(quoted));
                words.dedup();
                words.join(", ")
            }
        }
    }

    /// In which of the model's releases the setting exists, for messages.
    fn lifetime(&self) -> String {
        let has = |r: &Release| self.default(*r).is_some();
        let since = Release::ALL.into_iter().find(has);
        let until = Release::ALL.into_iter().rev().find(has);
        match (since, until) {
            (Some(since), Some(Release::V4_4)) => format!("from {since} on"),
            (Some(Release::V0_8_2), Some(until)) => format!("up to {until}"),
            (Some(since), Some(until)) => format!("from {since} to {until}"),
            _ => "nowhere".to_owned(),
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
    let reason = match others.is_empty() {
        true => format!("is no {} setting that the model has", owner.name()),
        false => format!("is a {} setting, not a {} one", others.join(" and "), owner.name()),
    };
    let specs = Key::ALL.iter().map(|k| k.spec());
    let known = specs.filter(|s| s.owners.contains(owner) && s.default(release).is_some());
    let accepted = match nearest(name, known.map(|s| s.name_in(release))) {
        Some(near) => format!("{near}?"),
        None => format!("the {} settings of docs/scenario-format.md", owner.name()),
    };
    SettingError { given: shortened(name), reason, accepted }
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
