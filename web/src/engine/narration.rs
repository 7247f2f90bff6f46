//! Lines of the script that speak: what they say, what they expect, what never came by.

use crate::engine::names::us;
use highwater_core::sim::Timeline;
use serde::Serialize;
use tsify::Tsify;

/// A `say` line.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct SayView {
    /// When.
    pub time: i64,
    /// English.
    pub en: Option<String>,
    /// 中文.
    pub zh: Option<String>,
    /// Line of the script.
    pub line: u32,
}

/// An `expect` line whose time has come.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct ExpectView {
    /// When.
    pub time: i64,
    /// Line of the script.
    pub line: u32,
    /// The expectation as written.
    pub text: String,
    /// Whether it held.
    pub held: bool,
    /// What was there instead.
    pub actual: String,
}

/// A fault of a message that was never sent.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct UnmatchedView {
    /// Its line in the script.
    pub line: u32,
    /// The message, such as `fetch 2>1 orders/0 #14`.
    pub name: String,
}

/// Narration up to now, oldest first.
pub(crate) fn said(timeline: &Timeline) -> Vec<SayView> {
    let now = timeline.world().now();
    let says = timeline.script().says().filter(|s| s.at <= now);
    says.map(|s| SayView {
        time: us(s.at),
        en: s.what.en.clone(),
        zh: s.what.zh.clone(),
        line: s.line as u32 + 1,
    })
    .collect()
}

pub(crate) fn expects(timeline: &Timeline) -> Vec<ExpectView> {
    let script = timeline.script();
    let lines: Vec<_> = script.expectations().collect();
    let outcomes = timeline.world().outcomes().iter();
    outcomes
        .filter_map(|o| {
            let line = lines.iter().find(|l| l.at == o.at && l.line as u32 + 1 == o.line)?;
            let expected = line.what.get(o.place as usize)?;
            Some(ExpectView {
                time: us(o.at),
                line: o.line,
                text: format!(
                    "{} {}{}{}",
                    expected.subject, expected.field, expected.relation, expected.value
                ),
                held: o.held,
                actual: o.actual.clone(),
            })
        })
        .collect()
}

pub(crate) fn unmatched(timeline: &Timeline) -> Vec<UnmatchedView> {
    let faults = timeline.unmatched_faults().into_iter();
    faults.map(|(line, name)| UnmatchedView { line, name }).collect()
}
