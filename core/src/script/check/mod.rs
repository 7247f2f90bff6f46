//! What no single line shows: names, numbers and settings that have to go together.

mod names;

use self::names::Names;
use super::ast::{Action, Line, Statement};
use super::cursor::Use;
use super::error::{Fault, ScriptError};
use super::lesson;
use super::lex::Lexed;
use super::{DEFAULT_BROKERS, MAX_ERRORS, Scope, counted_brokers};
use crate::settings::rules::OffsetStorage;
use crate::settings::{Key, Layers, Release, Rules, SettingError, Value, Values};
use crate::words::{BrokerList, Map, Micros, Phrase, Said};
use alloc::vec::Vec;

/// A line as it was read.
pub(super) struct Parsed {
    pub line: Line,
    pub uses: Vec<Use>,
    /// Its number, from 1.
    pub number: u32,
    /// Its words, where it could not be read.
    pub failed: Option<Lexed>,
}

impl Parsed {
    fn fault(
        &self,
        column: u32,
        reason: impl Into<Said>,
        accepted: impl Into<Said>,
    ) -> ScriptError {
        Fault::new(column, reason, accepted).on(self.number)
    }
}

pub(super) fn check(parsed: &[Parsed], release: Release, errors: &mut Vec<ScriptError>) {
    once_each(parsed, errors);
    let num_partitions = num_partitions(parsed, release);
    let rules = Rules::of(release, false);
    let single_members = rules.offset_storage == OffsetStorage::ZooKeeper;
    let brokers = brokers(parsed);
    let mut names = Names::new(brokers, num_partitions, single_members);
    for p in parsed {
        match &p.failed {
            Some(lexed) => {
                let words = lexed.tokens.iter().take(4).map(|t| t.text.clone());
                names.pass_over(words);
            }
            None => names.declare(p, errors),
        }
    }
    names.totals(parsed, errors);
    lesson::check(parsed, errors);
    for p in parsed {
        if errors.len() > 4 * MAX_ERRORS {
            return;
        }
        names.look_up(p, errors);
    }
    if errors.is_empty() {
        settings(parsed, release, errors);
    }
}

/// The first statement is the version; what describes the whole is said at most once.
fn once_each(parsed: &[Parsed], errors: &mut Vec<ScriptError>) {
    let mut seen: Map<&str, u32> = Map::new();
    let says_something = |p: &&Parsed| p.line.statement.is_some() || p.failed.is_some();
    match parsed.iter().find(says_something) {
        None => {
            let fault = Fault::new(1, Phrase::ScriptEmpty, Said::verbatim("highwater 1"));
            errors.push(fault.on(1));
        }
        Some(p) => {
            let word = p.failed.as_ref().and_then(|l| l.tokens.first()).map(|t| t.text.as_str());
            let version = matches!(p.line.statement, Some(Statement::Highwater(_)));
            if !version && word != Some("highwater") {
                let reason = Phrase::ScriptBeginsWithVersion;
                errors.push(p.fault(1, reason, Said::verbatim("highwater 1")));
            }
        }
    }
    for p in parsed {
        let name = match p.line.statement {
            Some(Statement::Highwater(_)) => "highwater",
            Some(Statement::Title(_)) => "title",
            Some(Statement::About(_)) => "about",
            Some(Statement::Kafka(_)) => "kafka",
            Some(Statement::Seed(_)) => "seed",
            Some(Statement::Rules(_)) => "rules",
            Some(Statement::Controller(_)) => "controller",
            Some(Statement::Brokers(_)) => "brokers",
            Some(Statement::Network { .. }) => "network",
            Some(Statement::Until(_)) => "until",
            _ => continue,
        };
        if let Some(first) = seen.get(name) {
            let reason = Phrase::AgainOnLine.of(&[&name, &first]);
            errors.push(p.fault(1, reason, Phrase::Once));
        } else {
            seen.insert(name, p.number);
        }
    }
}

fn brokers(parsed: &[Parsed]) -> Option<BrokerList> {
    for p in parsed {
        let first = p.failed.as_ref().and_then(|l| l.tokens.first());
        if first.is_some_and(|t| t.text == "brokers") {
            return None;
        }
        if let Some(Statement::Brokers(decl)) = &p.line.statement {
            return Some(decl.ids.clone());
        }
    }
    Some(counted_brokers(DEFAULT_BROKERS))
}

/// The values that `num.partitions` has for every broker, in order of time. Those of the beginning
/// hold for all topics of the beginning, whatever the order of their lines.
fn num_partitions(parsed: &[Parsed], release: Release) -> Vec<((Micros, u32), u32)> {
    let value = |v: Option<Value>| {
        let default = || Values::defaults(release).get(Key::NumPartitions);
        u32::try_from(v.map_or_else(default, |v| v.0)).unwrap_or(u32::MAX)
    };
    let mut all = Vec::from([((Micros::ZERO, 0), value(None))]);
    let mut note = |when: (Micros, u32), count: u32| {
        let place = all.partition_point(|(known, _)| *known <= when);
        all.insert(place, (when, count));
    };
    let of_key = |(key, _): &&(Key, _)| *key == Key::NumPartitions;
    for p in parsed {
        match &p.line.statement {
            Some(Statement::Set(Scope::Cluster, config)) => {
                let given = config.iter().find(|(key, _)| *key == Key::NumPartitions);
                if let Some((_, v)) = given {
                    note((Micros::ZERO, 0), value(Some(*v)));
                }
            }
            Some(Statement::At(at, Action::Set(Scope::Cluster, changes))) => {
                let given = changes.iter().find(of_key);
                if let Some((_, v)) = given {
                    note((*at, p.number), value(*v));
                }
            }
            _ => {}
        }
    }
    all
}

/// Applies what a line gives from the start.
pub(super) fn apply_declaration(
    layers: &mut Layers,
    statement: &Statement,
) -> Result<(), SettingError> {
    let (scope, config) = match statement {
        Statement::Set(scope, config) => (scope.clone(), config),
        Statement::Topic(decl) => (Scope::Topic(decl.name.clone()), &decl.config),
        Statement::Producer(decl) => (Scope::Client(decl.name.clone()), &decl.config),
        Statement::Consumer(decl) => (Scope::Client(decl.name.clone()), &decl.config),
        _ => return Ok(()),
    };
    let changes: Vec<(Key, Option<Value>)> = config.iter().map(|(k, v)| (*k, Some(*v))).collect();
    layers.set_all(&scope, &changes)
}

/// Plays all settings in the order in which they are given, since some exclude each other.
fn settings(parsed: &[Parsed], release: Release, errors: &mut Vec<ScriptError>) {
    let mut layers = Layers::new(release);
    let refused = |p: &Parsed, e: SettingError| p.fault(1, e.reason, e.accepted);
    let mut later: Vec<(Micros, &Parsed, &Action)> = Vec::new();
    for p in parsed {
        match &p.line.statement {
            Some(Statement::At(at, action)) => later.push((*at, p, action)),
            Some(statement) => {
                let outcome = apply_declaration(&mut layers, statement);
                errors.extend(outcome.err().map(|e| refused(p, e)));
            }
            None => {}
        }
    }
    later.sort_unstable_by_key(|(at, p, _)| (*at, p.number));
    for (_, p, action) in later {
        let outcome = match action {
            Action::Set(scope, changes) => layers.set_all(scope, changes),
            Action::Create(decl) => {
                let changes: Vec<_> = decl.config.iter().map(|(k, v)| (*k, Some(*v))).collect();
                layers.set_all(&Scope::Topic(decl.name.clone()), &changes)
            }
            _ => Ok(()),
        };
        errors.extend(outcome.err().map(|e| refused(p, e)));
    }
}
