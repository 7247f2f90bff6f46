//! What a pasted configuration can do, for the page.

use crate::said::SaidView;
use highwater_ask::config::{Change, Checked, Finding, Unit};
use serde::Serialize;
use tsify::Tsify;

/// A configuration that was checked.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct CheckedView {
    /// What was read, by owner.
    pub units: Vec<UnitView>,
    /// The findings, in order of harm.
    pub findings: Vec<FindingView>,
}

/// The settings of one process, topic or client.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct UnitView {
    /// `"broker"`, `"topic"`, `"producer"`, `"Scala producer"` or `"consumer"`.
    pub owner: &'static str,
    /// Whether the text says so.
    pub certain: bool,
    /// Whose names they are: `"Java"`, `"librdkafka"` …
    pub client: &'static str,
    /// Its first line.
    pub line: u32,
    /// How many settings it has.
    pub count: u32,
    /// Names that are another's, with Kafka's: `"RequiredAcks"`, `"acks"`.
    pub translated: Vec<(String, String)>,
}

/// One finding.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct FindingView {
    /// Which it is: the page has words for it.
    pub code: &'static str,
    /// What it can do.
    pub harm: &'static str,
    /// The rule behind it, or empty.
    pub rule: &'static str,
    /// Its line; absent where a default makes it so.
    pub line: Option<u32>,
    /// Values for the words.
    pub params: Vec<(&'static str, String)>,
    /// What would be accepted, where a value is refused.
    pub accepted: Option<SaidView>,
    /// What mends it.
    pub changes: Vec<ChangeView>,
    /// A scenario in which it happens.
    pub proof: Option<String>,
    /// The same with the change, in which it does not.
    pub mended: Option<String>,
    /// The settings are another client's than Java's.
    pub translated: bool,
}

/// A setting that mends a finding.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct ChangeView {
    /// Whose setting it is.
    pub owner: &'static str,
    /// Its name.
    pub name: String,
    /// Its value; absent: it is to be taken out.
    pub value: Option<String>,
}

pub(super) fn view(checked: Checked) -> CheckedView {
    let Checked { units, findings } = checked;
    CheckedView {
        units: units.iter().map(unit).collect(),
        findings: findings.into_iter().map(finding).collect(),
    }
}

fn unit(unit: &Unit) -> UnitView {
    let Unit { owner, is_certain, dialect, line, entries, .. } = unit;
    let others = entries.iter().filter(|e| e.written != e.name);
    UnitView {
        owner: owner.name(),
        certain: *is_certain,
        client: dialect.name(),
        line: *line,
        count: entries.len() as u32,
        translated: others.map(|e| (e.written.clone(), e.name.clone())).collect(),
    }
}

fn finding(finding: Finding) -> FindingView {
    let change = |Change { owner, name, value }| ChangeView { owner: owner.name(), name, value };
    FindingView {
        code: finding.code,
        harm: finding.harm.code(),
        rule: finding.rule,
        line: finding.line,
        params: finding.params,
        accepted: finding.accepted.as_ref().map(SaidView::from),
        changes: finding.changes.into_iter().map(change).collect(),
        proof: finding.proof,
        mended: finding.mended,
        translated: finding.is_translated,
    }
}
