//! Floor 4: the scenario script, a short readable text that says what a cluster is, what happens to it and
//! what should come out (docs/scenario-format.md). Parsing and printing are exact: a script that
//! was printed parses to itself.

mod actions;
pub mod ast;
mod check;
mod cursor;
mod declarations;
mod error;
mod fields;
mod header;
mod lesson;
mod lex;
mod other_release;
mod parse;
mod print;
mod values;

pub use ast::*;
pub use error::ScriptError;
pub use fields::{FieldForm, fields_of};
pub use lesson::Question;
pub use other_release::on_release;
pub use parse::parse;
pub use print::print;

use crate::settings::{Layers, Owner, Release, Rules, SettingError};
use crate::words::{BrokerId, BrokerList, Micros};
use alloc::vec::Vec;

/// The version of the format that this engine reads and writes.
pub const VERSION: u32 = 1;
/// The longest script: 256 KiB.
pub const MAX_BYTES: usize = 256 * 1024;
/// The most lines.
pub const MAX_LINES: usize = 10_000;
/// The longest line, in characters.
pub const MAX_LINE: usize = 1_000;
/// The longest line that says words or sends records (`title`, `about`, `say`, `ask`, `answer`,
/// `goal`, `send`), in characters.
pub const MAX_LONG_LINE: usize = 4_000;
/// The most errors that [`parse`] reports at once.
pub const MAX_ERRORS: usize = 20;
/// The most brokers.
pub const MAX_BROKERS: usize = 100;
/// The most topics, created ones too.
pub const MAX_TOPICS: usize = 200;
/// The most partitions, of all topics together.
pub const MAX_PARTITIONS: u32 = 10_000;
/// The most producers and consumers together.
pub const MAX_CLIENTS: usize = 100;
/// The most records that one `send` names, and the most that one tick of a producer sends.
pub const MAX_RECORDS: u32 = 1_000;
/// The most keys that a producer cycles through.
pub const MAX_KEYS: u32 = 10_000;
/// The most answers to a question.
pub const MAX_ANSWERS: usize = 6;
/// The shortest time between two ticks of a producer.
pub const MIN_EVERY: Micros = Micros::from_ms(1);
/// The longest name of a client or rack, in characters.
pub const MAX_NAME: usize = 32;
/// The longest name of a topic or group, in characters; it is Kafka's own limit.
pub const MAX_TOPIC_NAME: usize = 249;
/// The largest seed and the largest offset: 2^53 − 1, which JavaScript holds exactly.
pub const MAX_NUMBER: u64 = (1 << 53) - 1;

/// The seed of a script that gives none.
pub const DEFAULT_SEED: u64 = 1;
/// How many brokers a script has that says nothing of them.
pub const DEFAULT_BROKERS: u16 = 3;
/// The one-way time of every link where a script says nothing of it.
pub const DEFAULT_LATENCY: Micros = Micros::from_ms(1);

/// Something that is to happen, to be said or to be looked at, with the line that says so.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Timed<'a, T: ?Sized> {
    /// When.
    pub at: Micros,
    /// The index of its line in [`Script::lines`].
    pub line: usize,
    /// What.
    pub what: &'a T,
}

impl Script {
    /// Every statement with the index of its line, in the order of the text.
    pub fn statements(&self) -> impl Iterator<Item = (usize, &Statement)> {
        self.lines.iter().enumerate().filter_map(|(i, line)| Some((i, line.statement.as_ref()?)))
    }

    /// The release; 4.4 where the script gives none.
    pub fn release(&self) -> Release {
        self.find(|s| match s {
            Statement::Kafka(release) => Some(*release),
            _ => None,
        })
        .unwrap_or_default()
    }

    /// The seed; 1 where the script gives none.
    pub fn seed(&self) -> u64 {
        self.find(|s| match s {
            Statement::Seed(seed) => Some(*seed),
            _ => None,
        })
        .unwrap_or(DEFAULT_SEED)
    }

    /// The rules that are set against the release, by place in
    /// [`crate::settings::rules::SWITCHES`] and index of the word.
    pub fn switches(&self) -> Vec<(usize, usize)> {
        let rules = |s: &Statement| match s {
            Statement::Rules(rules) => Some(rules.clone()),
            _ => None,
        };
        self.find(rules).unwrap_or_default()
    }

    /// With ZooKeeper: the broker that the script makes the controller at the start.
    pub fn controller(&self) -> Option<BrokerId> {
        self.find(|s| match s {
            Statement::Controller(broker) => Some(*broker),
            _ => None,
        })
    }

    /// The brokers; 1, 2 and 3 without racks where the script says nothing of them.
    pub fn brokers(&self) -> BrokersDecl {
        self.find(|s| match s {
            Statement::Brokers(brokers) => Some(brokers.clone()),
            _ => None,
        })
        .unwrap_or_else(|| BrokersDecl {
            ids: counted_brokers(DEFAULT_BROKERS),
            counted: true,
            racks: Vec::new(),
        })
    }

    /// Latency and jitter of every link; 1 ms without jitter where the script says nothing of it.
    pub fn network(&self) -> (Micros, Micros) {
        self.find(|s| match s {
            Statement::Network { latency, jitter } => Some((*latency, *jitter)),
            _ => None,
        })
        .unwrap_or((DEFAULT_LATENCY, Micros::ZERO))
    }

    /// Where playing stops, if the script says so.
    pub fn until(&self) -> Option<Micros> {
        self.find(|s| match s {
            Statement::Until(at) => Some(*at),
            _ => None,
        })
    }

    fn find<T>(&self, wanted: impl Fn(&Statement) -> Option<T>) -> Option<T> {
        self.statements().find_map(|(_, statement)| wanted(statement))
    }

    /// The settings in force at the start.
    ///
    /// An error is that of a script that was not parsed but built, and would not parse.
    pub fn layers(&self) -> Result<Layers, SettingError> {
        let rules = Rules::of(self.release(), true).with(&self.switches());
        let mut layers = Layers::under(self.release(), &rules);
        for (_, statement) in self.statements() {
            check::apply_declaration(&mut layers, statement)?;
        }
        Ok(layers)
    }

    /// What happens, in order of time and, at the same time, of lines.
    pub fn actions(&self) -> impl Iterator<Item = Timed<'_, Action>> {
        self.timed(|s| match s {
            Statement::At(at, action) => Some((*at, action)),
            _ => None,
        })
    }

    /// What is said, in order of time and, at the same time, of lines.
    pub fn says(&self) -> impl Iterator<Item = Timed<'_, Text>> {
        self.timed(|s| match s {
            Statement::Say(at, text) => Some((*at, text)),
            _ => None,
        })
    }

    /// What is expected, in order of time and, at the same time, of lines.
    pub fn expectations(&self) -> impl Iterator<Item = Timed<'_, [Expectation]>> {
        self.timed(|s| match s {
            Statement::Expect(at, expected) => Some((*at, expected.as_slice())),
            _ => None,
        })
    }

    fn timed<'a, T: ?Sized + 'a>(
        &'a self,
        wanted: impl Fn(&'a Statement) -> Option<(Micros, &'a T)>,
    ) -> impl Iterator<Item = Timed<'a, T>> {
        let times = self.statements().filter_map(|(line, s)| Some((wanted(s)?.0, line, s)));
        let mut all: Vec<(Micros, usize, &Statement)> = times.collect();
        all.sort_unstable_by_key(|(at, line, _)| (*at, *line));
        all.into_iter().filter_map(move |(at, line, statement)| {
            wanted(statement).map(|(_, what)| Timed { at, line, what })
        })
    }

    /// Adds a line at the end and gives its number, from 1.
    pub fn push(&mut self, statement: Statement) -> usize {
        self.lines.push(Line { statement: Some(statement), comment: None });
        self.lines.len()
    }

    /// Adds `at … action` behind the last line of that or an earlier time, otherwise before the
    /// first line that has a time, and gives its number, from 1.
    pub fn insert(&mut self, at: Micros, action: Action) -> usize {
        let times = || self.statements().filter_map(|(i, s)| Some((i, s.time()?)));
        let behind = times().filter(|(_, time)| *time <= at).map(|(i, _)| i + 1).last();
        let before = || times().map(|(i, _)| i).next();
        let index = behind.or_else(before).unwrap_or(self.lines.len());
        let statement = Some(Statement::At(at, action));
        self.lines.insert(index, Line { statement, comment: None });
        index + 1
    }
}

impl Statement {
    /// The moment that it names, if it names one.
    pub fn time(&self) -> Option<Micros> {
        match self {
            Statement::At(at, _)
            | Statement::Say(at, _)
            | Statement::Ask(at, _)
            | Statement::Goal(at, ..)
            | Statement::Expect(at, _)
            | Statement::Until(at) => Some(*at),
            _ => None,
        }
    }
}

impl ProducerDecl {
    /// Which producer it is: the Scala one where it has a setting that only that one knows.
    pub fn owner(&self) -> Owner {
        let scala =
            |(key, _): &(crate::settings::Key, _)| key.spec().owners.contains(Owner::ScalaProducer);
        if self.config.iter().any(scala) { Owner::ScalaProducer } else { Owner::Producer }
    }
}

/// The brokers 1 … `count`.
pub(crate) fn counted_brokers(count: u16) -> BrokerList {
    (1..=count).map(BrokerId).collect()
}
