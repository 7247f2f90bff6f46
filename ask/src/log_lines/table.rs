//! The table of known lines, and the row that fits a line best.

use super::matching::{Fields, matched};
use super::scenes::Scene;

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

/// The row that fits a line with the most fixed text: its fields, and how much that is.
pub(super) fn best(line: &str) -> Option<(Row, Fields, usize)> {
    let mut row = None;
    let mut found: Option<(Row, Fields, usize)> = None;
    for entry in TABLE.lines().filter(|l| !l.starts_with('#')) {
        let Some(pattern) = entry.strip_prefix('\t') else {
            row = parsed(entry);
            continue;
        };
        let Some((fields, score)) = matched(pattern, line) else { continue };
        let is_better = found.as_ref().is_none_or(|(_, _, most)| score > *most);
        if let Some(row) = row.filter(|_| score >= LEAST && is_better) {
            found = Some((row, fields, score));
        }
    }
    found
}

fn parsed(entry: &'static str) -> Option<Row> {
    let mut words = entry.split(' ');
    let (code, rule, cause) = (words.next()?, words.next()?, words.next()?);
    let scene = words.next().and_then(Scene::named);
    let event = words.next().filter(|e| *e != "-");
    Some(Row { code, rule, cause, scene, event })
}
