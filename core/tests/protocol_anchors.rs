//! Every rule that the code, the page, the scenarios or the documents cite can be read: its number
//! is an anchor of `docs/protocol.md`. The page links to these anchors.

use highwater_core::wire::EventKind;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Where rules are cited.
const PLACES: &[&str] =
    &["core/src", "core/tests", "ask/src", "web/src", "www", "docs", "index.html"];
/// What a citation can stand in.
const KINDS: &[&str] = &["rs", "js", "mjs", "html", "css", "hw", "md", "txt"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Files that can cite a rule, below a place; not what a build leaves there.
fn files_below(place: &Path, found: &mut Vec<PathBuf>) {
    if place.is_file() {
        let kind = place.extension().and_then(|e| e.to_str()).unwrap_or_default();
        found.extend(KINDS.contains(&kind).then(|| place.to_owned()));
    } else if place.is_dir() && !place.ends_with("www/pkg") {
        for entry in fs::read_dir(place).expect("a folder that can be read") {
            files_below(&entry.expect("an entry").path(), found);
        }
    }
}

/// All anchors of the rules page, in order: an id, and the text behind it.
fn anchors(page: &str) -> Vec<(&str, &str)> {
    let pieces = page.split("<a id=\"").skip(1);
    pieces.map(|rest| rest.split_once("\"></a>").expect("an anchor is empty and closed")).collect()
}

/// Rule numbers in a text: `R` digits `.` digits, maybe `.` digits of a numbered case. Nothing but
/// the rules is written so; `A1`, `E7` and `I3` could be anything.
fn cited(text: &str) -> Vec<String> {
    let pieces = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '.' || c == '_'));
    pieces.filter_map(rule_at_start).collect()
}

fn rule_at_start(piece: &str) -> Option<String> {
    let numbers = piece.strip_prefix('R')?.trim_end_matches('.');
    let parts: Vec<&str> = numbers.split('.').collect();
    let digits = |part: &&str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    ((2..=3).contains(&parts.len()) && parts.iter().all(digits)).then(|| format!("R{numbers}"))
}

fn anchor_of(rule: &str) -> String {
    rule.to_ascii_lowercase().replace('.', "-")
}

#[test]
fn every_cited_rule_has_its_anchor() {
    let page = fs::read_to_string(root().join("docs/protocol.md")).expect("the rules");
    let known: BTreeSet<&str> = anchors(&page).into_iter().map(|(id, _)| id).collect();
    let mut files = Vec::new();
    for place in PLACES {
        files_below(&root().join(place), &mut files);
    }
    let mut missing = BTreeSet::new();
    let mut count = 0;
    for file in &files {
        for rule in cited(&fs::read_to_string(file).expect("a text")) {
            count += 1;
            if !known.contains(anchor_of(&rule).as_str()) {
                missing.insert(format!("{}: {rule}", file.display()));
            }
        }
    }
    assert!(count > 500, "only {count} citations in {} files: are they looked for?", files.len());
    assert!(missing.is_empty(), "no such rule in docs/protocol.md: {missing:#?}");
}

#[test]
fn every_event_names_a_rule() {
    let page = fs::read_to_string(root().join("docs/protocol.md")).expect("the rules");
    let known: BTreeSet<&str> = anchors(&page).into_iter().map(|(id, _)| id).collect();
    for (code, rule, _) in EventKind::ALL {
        assert!(known.contains(anchor_of(rule).as_str()), "{code}: no rule {rule}");
    }
}

#[test]
fn no_anchor_stands_twice_and_each_names_its_rule() {
    let page = fs::read_to_string(root().join("docs/protocol.md")).expect("the rules");
    let all = anchors(&page);
    let known: BTreeSet<&str> = all.iter().map(|(id, _)| *id).collect();
    assert_eq!(all.len(), known.len(), "an anchor stands twice");
    for kind in ["r", "a", "e", "i", "section-"] {
        let of_kind = |(id, _): &&(&str, &str)| {
            id.strip_prefix(kind).is_some_and(|n| n.starts_with(char::is_numeric))
        };
        assert!(all.iter().filter(of_kind).count() > 5, "hardly any {kind} anchors");
    }
    for (id, text) in all {
        let name = text.trim_start_matches('*').split([' ', '*']).next().expect("a word");
        let case_of_a_rule = id.starts_with('r') && id.matches('-').count() == 2;
        let named = anchor_of(name.trim_end_matches('.'));
        assert!(case_of_a_rule || id == named || id == format!("section-{named}"), "{id}: {name}");
    }
}

#[test]
fn citations_are_recognized() {
    assert_eq!(cited("(R2.18, R2.17.5). See R5.3."), ["R2.18", "R2.17.5", "R5.3"]);
    assert_eq!(cited("\"R6.11\" R0.4–R0.5 [`R1.1`]"), ["R6.11", "R0.4", "R0.5", "R1.1"]);
    assert!(cited("R2 R2D2 XR2.1 A1 R2.x R.1").is_empty());
}

/// What the page's tests hold its sentences against; `UPDATE_EXPECT=1` writes it.
#[test]
fn the_page_is_told_every_event() {
    let event = |(code, _, params): &(&str, &str, &[&str])| {
        format!("  {{ \"code\": {code:?}, \"params\": {params:?} }}")
    };
    let events: Vec<String> = EventKind::ALL.iter().map(event).collect();
    let text = format!("[\n{}\n]\n", events.join(",\n"));
    expect_test::expect_file!["../../www/test/events.json"].assert_eq(&text);
}
