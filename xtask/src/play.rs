//! Scenarios on the command line: `cargo xtask play FILE.hw …`.
//!
//! Plays each script to its end and judges its `expect` lines. The exit status is for CI: success
//! only if every script could be read and everything that it expects held.

use crate::error::{Context, Error};
use highwater_core::script;
use highwater_core::sim::{Timeline, World};
use highwater_core::wire::{Event, Param, Weight};
use serde_json::{Map, Value, json};
use std::fmt::Write;
use std::path::PathBuf;

/// `cargo xtask play FILE… [--json|--events]`.
pub fn run(arguments: &[String]) -> Result<(), Error> {
    let mut given = pico_args::Arguments::from_vec(arguments.iter().map(Into::into).collect());
    let as_json = given.contains("--json");
    let events = given.contains("--events");
    let files: Vec<PathBuf> = given.finish().into_iter().map(PathBuf::from).collect();
    if let Some(option) = files.iter().find(|f| f.to_string_lossy().starts_with('-')) {
        let option = option.display();
        return Err(Error::new(format!("unknown option {option}: --json or --events")));
    }
    if files.is_empty() {
        return Err(Error::new("which scenario? cargo xtask play FILE.hw …"));
    }
    let mut broken = 0;
    for file in &files {
        let name = file.display().to_string();
        let text = std::fs::read_to_string(file).context(&name)?;
        let played = match play(&text) {
            Ok(played) => played,
            Err(errors) => {
                errors.iter().for_each(|error| eprintln!("{name}:{error}"));
                broken += 1;
                continue;
            }
        };
        broken += usize::from(!played.holds());
        match (as_json, events) {
            (true, _) => println!("{}", played.to_json(&name)),
            (false, true) => print!("{}{}", played.history(), played.verdict(&name)),
            (false, false) => print!("{}", played.verdict(&name)),
        }
    }
    match broken {
        0 => Ok(()),
        n => Err(Error::new(format!("{n} of {} scenarios failed", files.len()))),
    }
}

/// A script that was played to its end.
struct Played(Timeline);

fn play(text: &str) -> Result<Played, Vec<String>> {
    let words =
        |errors: &[script::ScriptError]| errors.iter().map(ToString::to_string).collect::<Vec<_>>();
    let parsed = script::parse(text).map_err(|errors| words(&errors))?;
    let timeline = Timeline::new(parsed).map_err(|refused| words(&refused.0))?;
    let mut played = Played(timeline);
    played.0.run_until(played.0.end());
    Ok(played)
}

impl Played {
    fn world(&self) -> &World {
        self.0.world()
    }

    fn holds(&self) -> bool {
        self.world().outcomes().iter().all(|o| o.held) && self.0.unmatched_faults().is_empty()
    }

    /// A line for each expectation that did not hold, and for each message that never came by.
    fn verdict(&self, name: &str) -> String {
        let outcomes = self.world().outcomes();
        let mut out = String::new();
        for o in outcomes.iter().filter(|o| !o.held) {
            writeln!(out, "{name}:{} #{}: it is {}", o.line, o.place, o.actual).expect("room");
        }
        for (line, message) in self.0.unmatched_faults() {
            writeln!(out, "{name}:{line}: {message} never came by").expect("room");
        }
        let held = outcomes.iter().filter(|o| o.held).count();
        let counted = outcomes.len();
        writeln!(out, "{name}: {held} of {counted} expectations held").expect("room");
        out
    }

    fn history(&self) -> String {
        let events = self.0.tape().events().iter();
        let told = events.filter(|event| event.kind.weight() > Weight::Periodic);
        let line = |event: &Event| {
            let node = self.world().node_name(event.node);
            let params = params(self.world(), event);
            let params = params.iter().map(|(name, value)| format!(" {name}={}", plain(value)));
            format!("{} {node} {}{}\n", event.at, event.kind.code(), params.collect::<String>())
        };
        told.map(line).collect()
    }

    fn to_json(&self, name: &str) -> Value {
        let outcomes = self.world().outcomes();
        let expectations = outcomes.iter().map(
            |o| json!({ "line": o.line, "place": o.place, "held": o.held, "actual": o.actual }),
        );
        let events = self.0.tape().events().iter().map(|event| {
            json!({
                "at_us": event.at.0,
                "node": self.world().node_name(event.node),
                "code": event.kind.code(),
                "params": params(self.world(), event),
            })
        });
        json!({
            "scenario": name,
            "held": self.holds(),
            "fingerprint": self.world().fingerprint(),
            "expectations": expectations.collect::<Vec<_>>(),
            "events": events.collect::<Vec<_>>(),
        })
    }
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(all) if all.is_empty() => "none".into(),
        Value::Array(all) => all.iter().map(plain).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

/// An event's parameters by name. Times are in microseconds.
fn params(world: &World, event: &Event) -> Map<String, Value> {
    let mut all = Map::new();
    event.kind.visit(&mut |name, value| {
        let value = match value {
            Param::Partition(partition) => json!(world.partition_name(partition)),
            Param::Broker(broker) => json!(broker.0),
            Param::Brokers(brokers) => brokers.iter().map(|b| json!(b.0)).collect(),
            Param::Client(c) => json!(world.node_name(highwater_core::words::Node::Client(c))),
            Param::Node(node) => json!(world.node_name(node)),
            Param::Record(record) => json!(record.0),
            Param::Number(number) => json!(number),
            Param::Time(time) => json!(time.0),
            Param::Error(error) => json!(error.constant()),
            Param::Word(word) | Param::Text(word) => json!(word),
        };
        all.insert(name.to_string(), value);
    });
    all
}
