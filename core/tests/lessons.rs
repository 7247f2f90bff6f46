//! The lessons: their goals are out of reach until the reader acts, and can be reached by the actions
//! that each names; and what the format says of questions, answers and goals.
//!
//! `# solve: at 6s crash 1` is one such action, at its time; `# solve: kafka 4.4` is another release.
//! `core/tests/gallery.rs` holds their outcomes and takes their pieces away.

use expect_test::{Expect, expect};
use highwater_core::script::{self, Script, Statement, on_release};
use highwater_core::settings::Release;
use highwater_core::sim::{Moment, Timeline};
use highwater_core::words::Micros;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

const SOLVE: &str = "# solve: ";
/// How long after the last action a goal may take.
const PATIENCE: Micros = Micros::from_ms(60_000);
const LOOK: Micros = Micros::from_ms(20);

fn lessons() -> BTreeMap<String, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../www/scenarios/lessons");
    let files = fs::read_dir(folder).expect("the lessons").map(|entry| entry.expect("one").path());
    let named = files.map(|path| {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        (name, fs::read_to_string(path).expect("a lesson"))
    });
    named.collect()
}

fn parsed(name: &str, text: &str) -> Script {
    script::parse(text).unwrap_or_else(|errors| panic!("{name}: {}", errors[0]))
}

/// Whether the only goal of the script is met now.
fn met(timeline: &Timeline) -> bool {
    let (_, expected) = timeline.script().goals().next().expect("a goal");
    timeline.world().meets(expected, timeline.tape())
}

/// Whether the goal is met at some moment from now to then.
fn met_until(timeline: &mut Timeline, end: Micros) -> bool {
    while !met(timeline) {
        let now = timeline.world().now();
        if now >= end {
            return false;
        }
        timeline.run_until(now + LOOK);
    }
    true
}

#[test]
fn each_goal_is_reached_by_acting_and_not_by_waiting() {
    for (name, text) in lessons() {
        let script = parsed(&name, &text);
        let from = script.goals().next().expect("a goal").0.at;
        let mut idle = Timeline::new(script).expect("a cluster");
        idle.run_until(from);
        assert!(!met_until(&mut idle, from + PATIENCE), "{name}: nothing has to be done");

        let mut timeline = Timeline::new(parsed(&name, &text)).expect("a cluster");
        timeline.run_until(from);
        let solution: Vec<&str> = text.lines().filter_map(|l| l.strip_prefix(SOLVE)).collect();
        assert!(!solution.is_empty(), "{name} names no solution");
        for action in solution {
            act(&name, &mut timeline, action);
        }
        let end = timeline.world().now() + PATIENCE;
        assert!(met_until(&mut timeline, end), "{name}: its solution does not reach its goal");
    }
}

fn act(name: &str, timeline: &mut Timeline, action: &str) {
    if let Some(release) = action.strip_prefix("kafka ") {
        let release = Release::parse(release).expect("a release");
        let now = timeline.world().now();
        let (script, _) = on_release(timeline.script(), release);
        *timeline = Timeline::new(script).expect("a cluster");
        timeline.seek(Moment { at: now, index: None });
        return;
    }
    let (time, action) =
        action.strip_prefix("at ").and_then(|a| a.split_once(' ')).expect("at TIME ACTION");
    let line = parsed(name, &format!("highwater 1\nuntil {time}\n"));
    timeline.run_until(line.until().expect("a time"));
    if let Err(refused) = timeline.perform(action) {
        panic!("{name}: {action}: {}", refused.0[0]);
    }
}

#[test]
fn a_lesson_asks_shows_and_hands_over() {
    for (name, text) in lessons() {
        let script = parsed(&name, &text);
        assert_eq!(text.matches("\n# row: M").count(), 1, "{name}: its row");
        assert_eq!(script.goals().count(), 1, "{name}: its goal");
        assert!(script.questions().count() >= 1, "{name}: its question");
        let steps = script.says().count() + script.questions().count() + 1;
        assert!((3..=7).contains(&steps), "{name} has {steps} steps");
        let (goal, _) = script.goals().next().expect("a goal");
        let last = script.statements().filter_map(|(_, s)| s.time()).max();
        assert_eq!(Some(goal.at), last, "{name}: its goal is its last step");
        for question in script.questions() {
            for answer in script.answers_to(question.line) {
                for words in [&answer.words, &answer.reply, question.words, goal.what] {
                    assert!(words.en.is_some() && words.zh.is_some(), "{name} lacks a language");
                }
            }
        }
    }
}

fn check(lines: &str, expected: Expect) {
    let frame = "highwater 1\ntopic orders partitions=1 replicas=3\nproducer p1 topic=orders\n";
    let told = match script::parse(&format!("{frame}{lines}\n")) {
        Ok(script) => script::print(&script).strip_prefix(frame).expect("the frame").to_owned(),
        Err(errors) => errors.iter().map(|e| format!("{e}\n")).collect(),
    };
    expected.assert_eq(&told);
}

#[test]
fn questions_and_goals_are_printed_as_they_were_read() {
    check(
        "ask 5s zh \"谁?\"  en \"Who?\"\nanswer right en \"reply\" reply zh \"对\"\n\
         at 6s crash 1\nanswer wrong en \"2\" reply en \"No.\"   # a slip\n\
         goal 7s en \"Lead.\" expect orders/0 leader=2 isr=2,3 p1.error=none",
        expect![[r#"
            ask 5s en "Who?" zh "谁?"
            answer right en "reply" reply zh "对"
            at 6s crash 1
            answer wrong en "2" reply en "No." # a slip
            goal 7s en "Lead." expect orders/0 leader=2 isr=2,3 p1.error=none
        "#]],
    );
}

#[test]
fn wrong_questions_and_goals_are_refused_with_place_and_reason() {
    check(
        "answer right en \"x\" reply en \"y\"\nask 1s en \"a?\"\nanswer right en \"x\" reply en \"y\"\n\
         ask 2s en \"b?\"\nanswer right en \"x\" reply en \"y\"\nanswer right en \"x\" reply en \"y\"",
        expect![[r#"
            line 4, column 1: an answer to no question; accepted: an ask line above it
            line 5, column 1: a question with 1 answers, 1 of them right; accepted: 2 … 6 answer lines below it, one of them right
            line 7, column 1: a question with 2 answers, 2 of them right; accepted: 2 … 6 answer lines below it, one of them right
        "#]],
    );
    let lines = [
        "ask 1s",
        "answer maybe en \"x\" reply en \"y\"",
        "answer wrong en \"x\"",
        "answer wrong reply en \"y\"",
        "goal 1s en \"x\"",
        "goal 1s expect orders/0.leader=1",
        "goal 1s en \"x\" expect",
        "goal 1s en \"x\" expect orders/7.leader=1",
    ];
    check(
        &lines.join("\n"),
        expect![[r#"
        line 4, column 7: the line ends here; accepted: en "…", zh "…" or both
        line 5, column 8: “maybe” is no verdict; accepted: right, wrong
        line 6, column 20: the line ends here; accepted: right or wrong, the answer in words, then reply and words
        line 7, column 14: “reply” is no language of the page; accepted: en "…", zh "…" or both
        line 8, column 15: the line ends here; accepted: words, then expect and what has to be seen
        line 9, column 9: “expect” is no language of the page; accepted: en "…", zh "…" or both
        line 10, column 22: the line ends here; accepted: a partition (orders/0), a replica (orders/0@2), a broker (2), a client (p1) or records
        line 11, column 23: topic orders has no partition 7; accepted: orders/0 … orders/0
    "#]],
    );
}

#[test]
fn a_click_between_a_question_and_its_answers_leaves_them_together() {
    let text = "highwater 1\nask 5s en \"?\"\nanswer right en \"a\" reply en \"b\"\n\
                answer wrong en \"c\" reply en \"d\"\nuntil 9s\n";
    let mut timeline = Timeline::new(parsed("a script", text)).expect("a cluster");
    timeline.run_until(Micros::from_ms(5_000));
    assert!(timeline.perform("crash 1").is_ok());
    let script = timeline.script();
    let question = script.questions().next().expect("the question");
    assert_eq!(script.answers_to(question.line).count(), 2);
    assert!(script.statements().any(|(_, s)| matches!(s, Statement::At(..))));
}
