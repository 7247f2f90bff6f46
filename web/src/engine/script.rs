//! The script, its errors, and the branches of its history.

use crate::engine::names::us;
use crate::said::SaidView;
use highwater_core::script::{self, ScriptError};
use highwater_core::settings::Release;
use highwater_core::sim::{InsertError, Inserted, Timeline};
use js_sys::{Array, Error, JsString, Reflect};
use serde::Serialize;
use tsify::Tsify;

/// What kept a script, or one line of it, from being taken.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct ErrorLineView {
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// Why.
    pub reason: SaidView,
    /// What would be accepted.
    pub accepted: SaidView,
}

/// A branch of the history.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct BranchView {
    /// Its number, from 0.
    pub id: u32,
    /// Where it left its parent.
    pub at: i64,
    /// Its parent.
    pub parent: Option<u32>,
    /// Whether it is the one on the screen.
    pub active: bool,
    /// The script line that it began with.
    pub label: String,
}

/// What adding a line did.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct PerformView {
    /// Whether it was added.
    pub ok: bool,
    /// Whether a branch was started.
    pub branched: bool,
    /// Its number.
    pub line: Option<u32>,
    /// Why it was not added.
    pub errors: Vec<ErrorLineView>,
}

/// The script on another release.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct MovedView {
    /// Its text.
    pub script: String,
    /// What that release does not have.
    pub left_out: Vec<String>,
}

/// What is wrong with a script, line by line.
pub(crate) fn lines(errors: &[ScriptError]) -> Vec<ErrorLineView> {
    let line = |e: &ScriptError| ErrorLineView {
        line: e.line,
        column: e.column,
        reason: SaidView::from(&e.reason),
        accepted: SaidView::from(&e.accepted),
    };
    errors.iter().map(line).collect()
}

/// A script was not taken: an `Error` named `ScriptRefused` whose `errors` are `ErrorLineView[]`. Its
/// message has the phrases' names, since their words are not in this package.
pub(crate) fn refused(errors: &[ScriptError]) -> Error {
    let words = errors.iter().map(|e| {
        let (phrase, values) = (e.reason.phrase.name(), e.reason.values.join(", "));
        format!("line {}: {phrase} ({values})", e.line)
    });
    let error = Error::new(&words.collect::<Vec<_>>().join("\n"));
    error.set_name("ScriptRefused");
    let views: Result<Array, _> = lines(errors).iter().map(ErrorLineView::into_js).collect();
    // A fresh object takes any property, and lines are plain enough to be written.
    if let Ok(views) = views {
        let _ = Reflect::set(&error, &JsString::from("errors"), &views);
    }
    error
}

pub(crate) fn performed(outcome: Result<Inserted, InsertError>) -> PerformView {
    match outcome {
        Ok(Inserted { line, branched }) => {
            PerformView { ok: true, branched, line: Some(line), errors: Vec::new() }
        }
        Err(InsertError(errors)) => {
            PerformView { ok: false, branched: false, line: None, errors: lines(&errors) }
        }
    }
}

pub(crate) fn branches(timeline: &Timeline) -> Vec<BranchView> {
    let active = timeline.active_branch();
    let branches = timeline.branches().iter().enumerate().map(|(id, b)| BranchView {
        id: id as u32,
        at: us(b.at),
        parent: b.parent,
        active: id as u32 == active,
        label: b.label.clone(),
    });
    branches.collect()
}

/// The script on another release, and what that one does not have.
pub(crate) fn moved(timeline: &Timeline, release: &str) -> MovedView {
    let release = Release::parse(release).unwrap_or_default();
    let (script, left_out) = script::on_release(timeline.script(), release);
    MovedView { script: script::print(&script), left_out }
}
