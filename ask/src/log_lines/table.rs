//! The table of known lines, and the row that fits a line best.

use super::matching::{Fields, matched, pieces};
use super::scenes::Scene;
use alloc::vec::Vec;

static TABLE: &str = include_str!("table.txt");

/// A kind of line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Row {
    pub code: &'static str,
    pub rule: &'static str,
    pub cause: &'static str,
    pub scene: Option<Scene>,
    pub event: Option<&'static str>,
}

/// Less fixed text than this says too little.
const LEAST: usize = 14;

/// The table, taken apart once for all lines of a text.
pub(crate) struct Table(Vec<(&'static str, &'static str, Row)>);

impl Table {
    /// Each pattern with the longest of its fixed texts.
    pub fn new() -> Table {
        let mut row = None;
        let mut all = Vec::new();
        for entry in TABLE.lines().filter(|l| !l.starts_with('#')) {
            match (entry.strip_prefix('\t'), row) {
                (None, _) => row = parsed(entry),
                (Some(pattern), Some(row)) => all.push((longest_of(pattern), pattern, row)),
                (Some(_), None) => {}
            }
        }
        Table(all)
    }

    /// The row that fits a line with the most fixed text: its fields, and how much that is.
    pub(super) fn best(&self, line: &str) -> Option<(Row, Fields, usize)> {
        let mut found: Option<(Row, Fields, usize)> = None;
        for (_, pattern, row) in self.0.iter().filter(|(fixed, ..)| line.contains(*fixed)) {
            let Some((fields, score)) = matched(pattern, line) else { continue };
            let most = found.as_ref().map_or(LEAST - 1, |(_, _, most)| *most);
            if score > most {
                found = Some((*row, fields, score));
            }
        }
        found
    }

    /// Whether a line is one of those that are known.
    pub fn knows(&self, line: &str) -> bool {
        self.best(line).is_some()
    }
}

/// The longest fixed text of a pattern.
fn longest_of(pattern: &'static str) -> &'static str {
    pieces(pattern).map(|(fixed, _)| fixed).max_by_key(|fixed| fixed.len()).unwrap_or_default()
}

fn parsed(entry: &'static str) -> Option<Row> {
    let mut words = entry.split(' ');
    let (code, rule, cause) = (words.next()?, words.next()?, words.next()?);
    let scene = words.next().and_then(Scene::named);
    let event = words.next().filter(|e| *e != "-");
    Some(Row { code, rule, cause, scene, event })
}
