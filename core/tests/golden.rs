//! Small scripts with the history that the rules demand of them.
//!
//! Each `golden/NAME.hw` opens with prose that says, by rule numbers, what must happen; its `expect`
//! lines hold the core to that. `golden/NAME.txt` is the whole history but for periodic events, as
//! `time node code params`. `UPDATE_EXPECT=1` rewrites it, to be reviewed as a diff.

use expect_test::expect_file;
use highwater_core::script;
use highwater_core::sim::{Timeline, World};
use highwater_core::wire::{Event, Param, Weight};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// All scripts, in order of their names.
fn goldens() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let files =
        fs::read_dir(folder).expect("the goldens").map(|entry| entry.expect("an entry").path());
    let mut scripts: Vec<PathBuf> =
        files.filter(|f| f.extension().is_some_and(|e| e == "hw")).collect();
    scripts.sort();
    scripts
}

fn played(name: &str, text: &str) -> Timeline {
    let parsed = script::parse(text).unwrap_or_else(|errors| panic!("{name}: {}", errors[0]));
    let mut timeline = Timeline::new(parsed).expect("a cluster that can be set up");
    timeline.run_until(timeline.end());
    timeline
}

fn history(timeline: &Timeline) -> String {
    let events = timeline.tape().events().iter();
    let seen = events.filter(|event| event.kind.weight() > Weight::Periodic);
    seen.map(|event| line(timeline.world(), event)).collect()
}

fn line(world: &World, event: &Event) -> String {
    let mut line = format!("{} {} {}", event.at, world.node_name(event.node), event.kind.code());
    event.kind.visit(&mut |name, value| {
        write!(line, " {name}={}", shown(world, value)).expect("room for it");
    });
    line + "\n"
}

fn shown(world: &World, value: Param<'_>) -> String {
    match value {
        Param::Partition(partition) => world.partition_name(partition),
        Param::Broker(broker) => broker.0.to_string(),
        Param::Brokers(brokers) if brokers.is_empty() => "none".to_owned(),
        Param::Brokers(brokers) => {
            brokers.iter().map(|b| b.0.to_string()).collect::<Vec<_>>().join(",")
        }
        Param::Client(client) => world.node_name(highwater_core::words::Node::Client(client)),
        Param::Node(node) => world.node_name(node),
        Param::Record(record) => format!("record-{}", record.0),
        Param::Number(number) => number.to_string(),
        Param::Time(time) => time.to_string(),
        Param::Error(error) => error.constant().to_owned(),
        Param::Word(word) => word.to_owned(),
        Param::Text(text) => text.to_owned(),
    }
}

fn cites_a_rule(line: &str) -> bool {
    let mut words =
        line.split(|c: char| !c.is_ascii_alphanumeric()).filter_map(|w| w.strip_prefix('R'));
    words.any(|number| number.parse::<u32>().is_ok())
}

#[test]
fn every_history_is_as_reviewed() {
    let scripts = goldens();
    assert!(scripts.len() >= 40, "only {} goldens", scripts.len());
    for path in scripts {
        let text = fs::read_to_string(&path).expect("a script");
        let timeline = played(&path.display().to_string(), &text);
        expect_file![path.with_extension("txt")].assert_eq(&history(&timeline));
    }
}

#[test]
fn every_history_is_what_the_rules_demand() {
    let mut disagreements = String::new();
    for path in goldens() {
        let text = fs::read_to_string(&path).expect("a script");
        let name = path.file_stem().expect("a name").display().to_string();
        let mut prose = text.lines().take_while(|line| line.starts_with('#'));
        assert!(prose.any(cites_a_rule), "{name} opens without a rule");
        let timeline = played(&name, &text);
        let outcomes = timeline.world().outcomes();
        assert!(!outcomes.is_empty(), "{name} expects nothing");
        assert_eq!(timeline.unmatched_faults(), [], "{name}");
        for o in outcomes.iter().filter(|outcome| !outcome.held) {
            writeln!(disagreements, "{name}:{} #{}: {}", o.line, o.place, o.actual)
                .expect("room for it");
        }
    }
    assert_eq!(disagreements, "");
}
