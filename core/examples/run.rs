//! Runs a scenario script and prints its history: `cargo run --example run -- FILE`.
#![allow(missing_docs)]
use highwater_core::script;
use highwater_core::sim::Timeline;
use highwater_core::wire::{Param, Weight};

fn main() {
    let path = std::env::args().nth(1).expect("a scenario file");
    let text = std::fs::read_to_string(&path).expect("a readable file");
    let parsed = match script::parse(&text) {
        Ok(parsed) => parsed,
        Err(errors) => {
            for error in errors {
                eprintln!("{path}: {error}");
            }
            std::process::exit(1);
        }
    };
    let mut timeline = Timeline::new(parsed).expect("a script that can be set up");
    timeline.run_until(timeline.end());
    let world = timeline.world();
    for (id, event) in timeline.tape().events().iter().enumerate() {
        if event.kind.weight() == Weight::Periodic {
            continue;
        }
        let mut params = String::new();
        event.kind.visit(&mut |name, param| {
            let value = match param {
                Param::Partition(p) => world.partition_name(p),
                other => format!("{other:?}"),
            };
            params += &format!(" {name}={value}");
        });
        println!(
            "{id:>5} {:>12} {:<10} {}{params} <- {:?}",
            event.at.to_string(),
            world.node_name(event.node),
            event.kind.code(),
            event.causes.iter().filter(|c| c.0 != u32::MAX).map(|c| c.0).collect::<Vec<_>>()
        );
    }
    println!("{:?}\nsteps {} {}", world.audit().counts(), world.steps(), world.fingerprint());
    for outcome in world.outcomes() {
        println!(
            "expect line {} #{}: {} ({})",
            outcome.line, outcome.place, outcome.held, outcome.actual
        );
    }
}
