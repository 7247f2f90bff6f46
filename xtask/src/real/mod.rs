//! A scenario on a real Kafka beside the model: `cargo xtask real FILE.hw`.

mod artifacts;
mod cluster;
mod driver;
mod plan;
mod play;
mod process;

use crate::error::{Context, Error};
use artifacts::Artifacts;
use highwater_core::script;
use plan::Plan;
use std::path::PathBuf;

/// `cargo xtask real FILE.hw [--kafka VERSION] [--twice] [--record DIR] [--raw]`.
pub fn run(arguments: &[String]) -> Result<(), Error> {
    let mut given = pico_args::Arguments::from_vec(arguments.iter().map(Into::into).collect());
    let raw = given.contains("--raw");
    let files: Vec<PathBuf> = given.finish().into_iter().map(PathBuf::from).collect();
    for file in &files {
        let text = std::fs::read_to_string(file).context(file.display())?;
        let script = script::parse(&text).map_err(|e| Error::new(e[0].to_string()))?;
        let refusals = plan::refusals(&script);
        if !refusals.is_empty() {
            return Err(Error::new(refusals.join("\n")));
        }
        let plan = Plan::of(&script);
        let artifacts = Artifacts::get(artifacts::version_of(plan.release))?;
        let heard = play::play(&artifacts, &plan)?;
        if raw {
            for (at, line) in &heard.lines {
                println!("{at}\t{line}");
            }
            println!("{:?}", heard.opened);
        }
    }
    Ok(())
}
