//! A pasted configuration: what of it was taken.

use crate::engine::settings;
use crate::said::SaidView;
use highwater_core::settings::{Owner, Skipped, parse_paste};
use highwater_core::sim::{InsertError, Timeline};
use highwater_core::words::Said;
use serde::Serialize;
use tsify::Tsify;

/// What became of a pasted configuration.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct PasteView {
    /// Known keys.
    pub applied: Vec<AppliedView>,
    /// The others.
    pub skipped: Vec<SkippedView>,
}

/// A setting that was taken.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct AppliedView {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
}

/// A line that was not taken.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct SkippedView {
    /// Its number in the pasted text, or 0.
    pub line: u32,
    /// The name on it.
    pub name: String,
    /// Why.
    pub reason: SaidView,
    /// What would be accepted, where there is such a thing.
    pub accepted: Option<SaidView>,
}

/// Applies the known keys to what is called `name`, or else to the cluster; names the others.
pub(crate) fn apply(
    timeline: &mut Timeline,
    kind: &str,
    text: &str,
    name: Option<&str>,
) -> PasteView {
    let owner = settings::owner(timeline.world(), kind, name);
    let (owner, scope) = match (kind, name) {
        ("topic", Some(name)) => (owner, format!("topic {name} ")),
        ("producer" | "consumer", Some(name)) => (owner, format!("client {name} ")),
        (_, Some(name)) => (Owner::Broker, format!("broker {name} ")),
        (_, None) => (Owner::Broker, String::new()),
    };
    let release = timeline.script().release();
    let (known, skipped) = parse_paste(text, owner, release);
    let mut view =
        PasteView { applied: Vec::new(), skipped: skipped.iter().map(unknown).collect() };
    for (key, value) in known {
        let name = key.spec().name_in(release).to_string();
        let value = key.spec().print_in(value, release);
        match timeline.perform(&format!("set {scope}{name}={value}")) {
            Ok(_) => view.applied.push(AppliedView { name, value }),
            Err(InsertError(errors)) => {
                let wrong = errors.first();
                view.skipped.extend(wrong.map(|e| refused(0, &name, &e.reason, Some(&e.accepted))));
            }
        }
    }
    view
}

fn unknown(skipped: &Skipped) -> SkippedView {
    let Skipped { line, name, reason, accepted } = skipped;
    refused(*line, name, reason, accepted.as_ref())
}

fn refused(line: u32, name: &str, reason: &Said, accepted: Option<&Said>) -> SkippedView {
    let (reason, accepted) = (SaidView::from(reason), accepted.map(SaidView::from));
    SkippedView { line, name: name.to_string(), reason, accepted }
}
