//! The bundled scenarios: each proves its point, and no longer does when the setting, fault or line
//! that it names is taken away.
//!
//! `# takes away: TEXT => REPLACEMENT` names it: the one line that has TEXT, before and after. A
//! scenario may have several; each alone must make an `expect` line fail. Lessons say `# needs: ` instead.

use highwater_core::script::{self, Script, Statement};
use highwater_core::sim::Timeline;
use highwater_core::words::Micros;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

const TAKES_AWAY: [&str; 2] = ["# takes away: ", "# needs: "];
/// It proves nothing: the ground that people build on.
const PLAYGROUND: &str = "playground";

fn scenarios() -> BTreeMap<String, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../www/scenarios");
    let folders = [folder.join("anomalies"), folder.join("lessons"), folder];
    let entries = folders.iter().flat_map(|f| fs::read_dir(f).expect("the gallery"));
    let files = entries.map(|entry| entry.expect("an entry").path());
    let named = files.filter(|path| path.extension().is_some_and(|e| e == "hw")).map(|path| {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        (name, fs::read_to_string(path).expect("a scenario"))
    });
    named.collect()
}

fn lessons() -> impl Iterator<Item = (String, String)> {
    scenarios().into_iter().filter(|(name, _)| name != PLAYGROUND)
}

fn parse(name: &str, text: &str) -> Script {
    script::parse(text).unwrap_or_else(|errors| panic!("{name}: {}", errors[0]))
}

fn played(name: &str, text: &str) -> Timeline {
    let mut timeline = Timeline::new(parse(name, text)).expect("a cluster that can be set up");
    timeline.run_until(timeline.end());
    timeline
}

/// The expectations that did not hold, as `line: actual`.
fn broken(timeline: &Timeline) -> Vec<String> {
    let failed = timeline.world().outcomes().iter().filter(|outcome| !outcome.held);
    failed.map(|o| format!("line {} #{}: {}", o.line, o.place, o.actual)).collect()
}

/// The script without what makes its outcome, once for each piece that it names.
fn without_each_piece(name: &str, text: &str) -> Vec<(String, String)> {
    let piece =
        |line: &str| TAKES_AWAY.iter().find_map(|head| line.strip_prefix(head).map(str::to_owned));
    let pieces = text.lines().filter_map(piece);
    pieces.map(|piece| (piece.clone(), without(name, text, &piece))).collect()
}

fn without(name: &str, text: &str, piece: &str) -> String {
    let (taken, replacement) = piece.split_once(" =>").expect("TEXT => REPLACEMENT");
    let is_words = |line: &str| {
        ["#", "title ", "about ", "say ", "ask ", "answer ", "goal "]
            .iter()
            .any(|w| line.starts_with(w))
    };
    let is_it = |line: &&str| !is_words(line) && line.contains(taken);
    assert_eq!(text.lines().filter(is_it).count(), 1, "{name}: one line has {taken:?}");
    let lines = text.lines().map(|line| match is_it(&line) {
        true => line.replacen(taken, replacement.trim(), 1),
        false => line.to_owned(),
    });
    lines.map(|line| line + "\n").collect()
}

#[test]
fn every_scenario_proves_its_point() {
    for (name, text) in lessons() {
        let timeline = played(&name, &text);
        assert!(!timeline.world().outcomes().is_empty(), "{name} expects nothing");
        assert_eq!(broken(&timeline), [""; 0], "{name}");
        assert_eq!(timeline.unmatched_faults(), [], "{name}");
    }
}

#[test]
fn each_named_piece_makes_the_outcome() {
    for (name, text) in lessons() {
        let variants = without_each_piece(&name, &text);
        assert!(!variants.is_empty(), "{name} names nothing");
        for (piece, variant) in variants {
            assert_ne!(
                broken(&played(&name, &variant)),
                [""; 0],
                "{name} proves its point without {piece}"
            );
        }
    }
}

#[test]
fn words_are_in_both_languages_and_say_what_happens() {
    for (name, text) in scenarios() {
        let (mut titles, mut abouts, mut says, mut untils) = (0, 0, 0, 0);
        for (line, statement) in parse(&name, &text).statements() {
            let (count, words) = match statement {
                Statement::Title(words) => (&mut titles, words),
                Statement::About(words) => (&mut abouts, words),
                Statement::Say(_, words) => (&mut says, words),
                Statement::Until(_) => {
                    untils += 1;
                    continue;
                }
                _ => continue,
            };
            *count += 1;
            assert!(words.en.is_some() && words.zh.is_some(), "{name}:{line} lacks a language");
            let zh = words.zh.as_deref().unwrap_or_default();
            assert!(!has_half_width_punctuation(zh), "{name}:{line}: {zh}");
        }
        assert_eq!((titles, abouts, untils), (1, 1, 1), "{name}: title, about, until");
        assert!(name == PLAYGROUND || (2..=5).contains(&says), "{name} says {says} things");
    }
}

/// Western punctuation behind or before a Chinese character.
fn has_half_width_punctuation(zh: &str) -> bool {
    let chars: Vec<char> = zh.chars().collect();
    let is_han = |c: char| ('\u{4e00}'..='\u{9fff}').contains(&c);
    chars.windows(2).any(|w| is_han(w[0]) && ",.:;!?()".contains(w[1]))
        || chars.windows(2).any(|w| ",;!?(".contains(w[0]) && is_han(w[1]))
}

#[test]
fn every_scenario_round_trips() {
    for (name, text) in scenarios() {
        let printed = script::print(&parse(&name, &text));
        assert_eq!(script::print(&parse(&name, &printed)), printed, "{name}");
        assert_eq!(parse(&name, &printed), parse(&name, &text), "{name}");
    }
}

#[test]
fn the_gallery_is_whole() {
    let names: Vec<String> = scenarios().into_keys().collect();
    assert!(names.len() > 15, "{names:?}");
    let is_kebab = |name: &String| {
        name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
    };
    assert!(names.iter().all(is_kebab), "{names:?}");
}

/// A timer that is due again at once, until something else happens, would show as a storm of events.
#[test]
fn nothing_spins() {
    const WINDOW: Micros = Micros::from_ms(100);
    const MOST: u32 = 1_000;
    let bench = Path::new(env!("CARGO_MANIFEST_DIR")).join("../bench/ten-minutes.hw");
    let long = ("ten-minutes".to_owned(), fs::read_to_string(bench).expect("a scenario"));
    for (name, text) in lessons().chain([long]) {
        let mut timeline = Timeline::new(parse(&name, &text)).expect("a cluster");
        while timeline.world().now() < timeline.end() {
            let (at, before) = (timeline.world().now(), timeline.world().steps());
            timeline.run_until(at + WINDOW);
            let steps = timeline.world().steps() - before;
            assert!(steps <= MOST, "{name}: {steps} events in {WINDOW} after {at}");
        }
    }
}
