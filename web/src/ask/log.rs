//! What pasted log lines mean, for the page.

use highwater_ask::log_lines::{Log, Story, Told};
use serde::Serialize;
use tsify::Tsify;

/// Lines of a log that were read.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct LogView {
    /// The kinds of lines, in the order in which they first appear.
    pub told: Vec<ToldView>,
    /// What several of them tell together.
    pub stories: Vec<StoryView>,
    /// Lines of a log that are not known here.
    pub unknown: Vec<u32>,
}

/// A kind of line.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct ToldView {
    /// Which: the page has words for it.
    pub code: &'static str,
    /// The rule behind it.
    pub rule: &'static str,
    /// What usually led to it: the page has words for that, too.
    pub cause: &'static str,
    /// Its lines.
    pub lines: Vec<u32>,
    /// What stands in the first of them.
    pub fields: Vec<(&'static str, String)>,
    /// A scenario that makes it.
    pub script: Option<String>,
    /// The event that it is there.
    pub event: Option<&'static str>,
}

/// Something that lines of several kinds tell.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct StoryView {
    /// Which: the page has words for it.
    pub code: &'static str,
    /// The kinds of lines that tell it.
    pub by: Vec<&'static str>,
}

pub(super) fn view(log: Log) -> LogView {
    let story = |Story { code, by }| StoryView { code, by };
    LogView {
        told: log.told.into_iter().map(told).collect(),
        stories: log.stories.into_iter().map(story).collect(),
        unknown: log.unknown,
    }
}

fn told(told: Told) -> ToldView {
    let Told { code, rule, cause, lines, fields, scene } = told;
    let (script, event) = scene.unzip();
    ToldView { code, rule, cause, lines, fields, script, event }
}
