//! Faults that the model once had: each script of `faults/` was recorded with, or read in the source
//! of, Kafka's own client or broker of its release, and its `expect` lines say what comes out there.

use highwater_core::script;
use highwater_core::sim::Timeline;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// The most events of the simulation (messages delivered, timers fired) that one virtual second of
/// these scripts may take. A loop without a timer takes thousands.
const MOST_STEPS_A_SECOND: u32 = 1500;

fn scripts() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults");
    let files = fs::read_dir(folder).expect("the scripts").map(|f| f.expect("a file").path());
    let mut scripts: Vec<PathBuf> =
        files.filter(|f| f.extension().is_some_and(|e| e == "hw")).collect();
    scripts.sort();
    scripts
}

#[test]
fn what_was_wrong_once_is_right() {
    let mut disagreements = String::new();
    let scripts = scripts();
    assert!(scripts.len() >= 16, "only {} scripts", scripts.len());
    for path in scripts {
        let name = path.file_stem().expect("a name").display().to_string();
        let text = fs::read_to_string(&path).expect("a script");
        let parsed = script::parse(&text).unwrap_or_else(|errors| panic!("{name}: {}", errors[0]));
        let mut timeline = Timeline::new(parsed).expect("a cluster that can be set up");
        let (mut second, mut steps) = (0, 0);
        while timeline.world().now() < timeline.end() && timeline.step() {
            let world = timeline.world();
            if timeline.world().now().0 / 1_000_000 > second {
                let taken = world.steps() - steps;
                if taken > MOST_STEPS_A_SECOND {
                    writeln!(disagreements, "{name}: {taken} steps after {second} s")
                        .expect("room");
                }
                (second, steps) = (timeline.world().now().0 / 1_000_000, world.steps());
            }
        }
        timeline.run_until(timeline.end());
        for o in timeline.world().outcomes().iter().filter(|outcome| !outcome.held) {
            writeln!(disagreements, "{name}:{} #{}: {}", o.line, o.place, o.actual).expect("room");
        }
    }
    assert_eq!(disagreements, "");
}
