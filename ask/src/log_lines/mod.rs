//! This log line: what it means, its rule, what usually led to it, and a scenario that makes it.

mod matching;
mod scenes;
mod story;
mod table;

pub use story::Story;

use crate::text::{Line, lines};
use alloc::string::String;
use alloc::vec::Vec;
use highwater_core::settings::Release;
use matching::Fields;
use table::Row;
pub(crate) use table::Table;

/// More kinds of lines than these are not told apart in one text.
const MOST_KINDS: usize = 200;

/// What a text's log lines say.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Log {
    /// The kinds of lines in it, in the order in which they first appear.
    pub told: Vec<Told>,
    /// What several of them tell together.
    pub stories: Vec<Story>,
    /// Lines of a log that are none of those that are known here.
    pub unknown: Vec<u32>,
}

/// A kind of line, with the fields of the first of them.
#[derive(Clone, PartialEq, Debug)]
pub struct Told {
    /// Which kind.
    pub code: &'static str,
    /// The rule behind it.
    pub rule: &'static str,
    /// What usually led to it.
    pub cause: &'static str,
    /// Its lines.
    pub lines: Vec<u32>,
    /// What stands in the first of them.
    pub fields: Vec<(&'static str, String)>,
    /// A scenario in which it happens, and the event that it is there.
    pub scene: Option<(String, &'static str)>,
}

/// Reads the lines of a log.
pub fn read(text: &str, release: Release) -> Log {
    let (table, lines) = (Table::new(), lines(text));
    let mut log = Log::default();
    let mut taken = 0;
    for at in 0..lines.len() {
        if at < taken || lines[at].text.trim().is_empty() {
            continue;
        }
        let (found, used) = whole(&table, &lines, at);
        taken = at + used;
        match found {
            Some((row, fields)) => log.tell(row, fields, &lines[at], release),
            None if crate::describe::is_log(lines[at].text.trim())
                && !is_trace(&lines[at].text) =>
            {
                log.unknown.push(lines[at].number);
            }
            None => {}
        }
    }
    log.stories = story::stories(&log.told);
    log
}

type Found = (Row, Fields);

/// The kind of a line, and how many lines of the text it takes: a terminal may have wrapped it.
fn whole(table: &Table, lines: &[Line], at: usize) -> (Option<Found>, usize) {
    let mut best = table.best(&lines[at].text).map(|(row, fields, score)| (row, fields, score, 1));
    let mut joined = lines[at].text.clone();
    // What begins like no line of a log goes on like none.
    if best.is_none() && !crate::describe::is_log(joined.trim()) {
        return (None, 1);
    }
    for (used, next) in (2..=4).zip(lines.iter().skip(at + 1)) {
        let begins = crate::describe::is_log(next.text.trim()) || next.text.trim().is_empty();
        if begins || is_trace(&next.text) {
            break;
        }
        let own = table.best(&next.text).map_or(0, |(_, _, score)| score);
        // A terminal cuts anywhere; an editor leaves the blank out.
        let tight = [joined.as_str(), next.text.as_str()].concat();
        let loose = [joined.as_str(), " ", next.text.trim_start()].concat();
        for text in [&tight, &loose] {
            if let Some((row, fields, score)) = table.best(text)
                && score > best.as_ref().map_or(own, |(_, _, most, _)| own.max(*most))
            {
                best = Some((row, fields, score, used));
            }
        }
        joined = tight;
    }
    match best {
        Some((row, fields, _, used)) => (Some((row, fields)), used),
        None => (None, 1),
    }
}

fn is_trace(text: &str) -> bool {
    let text = text.trim_start();
    text.starts_with("at ") || text.starts_with("... ")
}

impl Log {
    fn tell(&mut self, row: Row, fields: Fields, line: &Line, release: Release) {
        if let Some(told) = self.told.iter_mut().find(|t| t.code == row.code) {
            told.lines.push(line.number);
            return;
        }
        if self.told.len() >= MOST_KINDS {
            return;
        }
        let mut fields = fields;
        matching::context(&line.text, &mut fields);
        let script = row.scene.and_then(|scene| scenes::script(scene, release));
        self.told.push(Told {
            code: row.code,
            rule: row.rule,
            cause: row.cause,
            lines: Vec::from([line.number]),
            fields,
            scene: script.zip(row.event),
        });
    }
}
