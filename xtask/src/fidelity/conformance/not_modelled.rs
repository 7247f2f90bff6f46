//! What a case may ask for that no run of the model can bring about.
//!
//! A case is known by what it needs, not by its id: an input, a field of one, something that is
//! given, or something that is looked at. docs/fidelity.md says the same of the model as a whole.

use serde_json::Value;

/// How it shows that a case needs something.
enum Sign {
    /// An input of that name.
    Op(&'static str),
    /// A field of an input that is there, and neither null nor false.
    Input(&'static str),
    /// A field of an input that says that.
    Says(&'static str, &'static str),
    /// A field of what is given.
    Given(&'static str),
    /// A field that is looked at.
    Wanted(&'static str),
}

use Sign::{Given, Input, Op, Says, Wanted};

/// What the model leaves out, and how a case shows that it needs that. The first one counts.
const KINDS: &[(&str, &[Sign])] = &[
    (
        "transactions: no client writes one, and no coordinator ends one",
        &[
            Op("marker"),
            Input("txn"),
            Says("from", "coordinator"),
            Says("isolation", "read_committed"),
            Wanted("aborted"),
            Wanted("undecided"),
        ],
    ),
    ("verification of transactions (KIP-890)", &[Op("verify")]),
    (
        "a log start that moves: no retention, and nobody deletes records",
        &[
            Op("deleteRecordsTo"),
            Op("deleteRecordsBefore"),
            Op("deleteOldSegments"),
            Op("deleteSnapshotsBefore"),
            Op("truncateStart"),
        ],
    ),
    (
        "damage on a disk other than a lost end: a file is whole or gone",
        &[
            Op("corrupt"),
            Op("recoverSegment"),
            Op("truncateEpochEntries"),
            Op("addSnapshotFile"),
            Op("dropSnapshots"),
            Op("dropIndexes"),
            Given("snapshots"),
            Given("failSnapshotFlush"),
        ],
    ),
    ("several log directories", &[Given("dirs"), Op("breakDir")]),
    (
        "the clean-shutdown file as a file: it is there with its broker epoch, or it is not",
        &[Op("readMark"), Op("writeMark"), Op("removeMark")],
    ),
    ("a stop while logs are still being loaded", &[Input("stopAfter")]),
    (
        "look-ups in the epochs of a log that only tiered storage and reads by time make",
        &[Op("previous"), Op("next"), Op("epochAt")],
    ),
];

/// Why the model cannot be asked what the case asks, if it cannot.
pub fn reason(case: &Value) -> Option<&'static str> {
    KINDS.iter().find(|(_, signs)| signs.iter().any(|s| s.is_in(case))).map(|(reason, _)| *reason)
}

impl Sign {
    fn is_in(&self, case: &Value) -> bool {
        let mut inputs = case["when"].as_array().into_iter().flatten();
        match *self {
            Op(name) => inputs.any(|input| input["op"] == name),
            Input(name) => {
                inputs.any(|input| !matches!(input[name], Value::Null | Value::Bool(false)))
            }
            Says(name, text) => inputs.any(|input| input[name] == text),
            Given(name) => case["given"].get(name).is_some(),
            Wanted(name) => {
                let after = case["then"]["after"].as_array().into_iter().flatten();
                let mut wanted = after.chain(case["then"].get("final"));
                wanted.any(|wanted| wanted.get(name).is_some())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repo;

    /// The page has a row for each kind, with the cases of it, and says nothing of others.
    #[test]
    fn the_page_lists_what_is_not_modelled() {
        let page = repo::read(&repo::path("docs/fidelity.md")).expect("the page");
        let section = page.split("\n## ").find(|s| s.starts_with("Cases that are not modelled"));
        let listed: Vec<&str> = section
            .unwrap_or_default()
            .lines()
            .filter(|line| line.starts_with("| ") && !line.starts_with("| why "))
            .collect();
        assert_eq!(listed, rows());
    }

    fn rows() -> Vec<String> {
        let all = ["fidelity", "fidelity/own"].map(|folder| {
            let files = super::super::super::json_below(&repo::path(folder).join("conformance"));
            let cases = files.expect("the data").into_iter();
            let cases = cases.flat_map(|file| super::super::cases_of(&file));
            let case = |(id, case): (String, Result<super::super::Case, String>)| {
                let case = case.expect("a case");
                reason(&case.case).map(|reason| (reason, id))
            };
            cases.filter_map(case).collect::<Vec<_>>()
        });
        let of = |cases: &[(&str, String)], reason: &str| {
            let ids = cases.iter().filter(|(r, _)| *r == reason);
            ids.map(|(_, id)| format!("`{id}`")).collect::<Vec<_>>().join(", ")
        };
        let row = |(reason, _): &(&str, &[Sign])| {
            format!("| {reason} | {} | {} |", of(&all[0], reason), of(&all[1], reason))
        };
        KINDS.iter().map(row).collect()
    }

    #[test]
    fn a_case_is_known_by_what_it_needs() {
        let case = |input: Value, wanted: Value| serde_json::json!({"given": {}, "when": [input], "then": {"after": [wanted]}});
        let (append, none) = (serde_json::json!({"op": "append", "txn": false}), Value::Null);
        assert_eq!(reason(&case(append.clone(), none.clone())), None);
        let marker = serde_json::json!({"op": "marker"});
        assert!(reason(&case(marker, none)).is_some_and(|r| r.starts_with("transactions")));
        let aborted = serde_json::json!({"aborted": []});
        assert!(reason(&case(append, aborted)).is_some());
    }
}
