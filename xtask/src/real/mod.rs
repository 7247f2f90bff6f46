//! A scenario on a real Kafka beside the model: `cargo xtask real FILE.hw`.
//!
//! `--random N --seed S` plays scenarios of its own making instead of files.
//!
//! The cluster is started on this machine and ended with this program. What its clients did and heard
//! becomes a recording (fidelity/clients); what the model's did is compared with it.

mod artifacts;
mod cluster;
mod driver;
mod listen;
mod plan;
mod play;
mod process;
mod random;
mod show;

use crate::error::{Context, Error};
use crate::fidelity::clients::{Recording, model};
use crate::repo;
use artifacts::Artifacts;
use highwater_core::script::{self, Script};
use highwater_core::settings::Release;
use plan::Plan;
use std::path::PathBuf;

/// What the command was asked.
struct Asked {
    files: Vec<PathBuf>,
    /// Another release than the scripts'.
    kafka: Option<String>,
    /// So many scenarios of its own making, and the seed of the first.
    random: Option<(u64, u64)>,
    plays: usize,
    record: Option<PathBuf>,
    is_raw: bool,
}

/// `cargo xtask real FILE.hw … [--kafka VERSION] [--twice] [--record DIR] [--raw]`.
pub fn run(arguments: &[String]) -> Result<(), Error> {
    let asked = read(arguments)?;
    let mut differing = 0;
    let scenarios = scenarios(&asked)?;
    let count = scenarios.len();
    for (name, script) in scenarios {
        let version = artifacts::version_of(script.release()).to_owned();
        let artifacts = Artifacts::get(&version)?;
        let recording = record(&artifacts, script, &asked)?;
        if let Some(folder) = &asked.record {
            let file = folder.join(&version).join(format!("{name}.json"));
            repo::write(&file, recording.to_text())?;
        } else {
            let (log, opened) = &recording.plays[0];
            let own = model::play(&recording.script, opened, log).map_err(Error::new)?;
            print!("{}", show::side_by_side(log, &own));
        }
        match recording.check() {
            Ok(()) => println!("{name} on {version}: the model's clients agree"),
            Err(difference) => {
                differing += 1;
                println!("{name} on {version}:\n    {difference}");
            }
        }
    }
    match differing {
        0 => Ok(()),
        n => Err(Error::new(format!("{n} of {count} scenarios differ"))),
    }
}

fn read(arguments: &[String]) -> Result<Asked, Error> {
    let mut given = pico_args::Arguments::from_vec(arguments.iter().map(Into::into).collect());
    let wrong = "cannot read the arguments";
    let kafka = given.opt_value_from_str("--kafka").context(wrong)?;
    let plays = if given.contains("--twice") { 2 } else { 1 };
    let record = given.opt_value_from_str("--record").context(wrong)?;
    let is_raw = given.contains("--raw");
    let count: Option<u64> = given.opt_value_from_str("--random").context(wrong)?;
    let seed: Option<u64> = given.opt_value_from_str("--seed").context(wrong)?;
    let random = count.map(|count| (count, seed.unwrap_or(1)));
    let files: Vec<PathBuf> = given.finish().into_iter().map(PathBuf::from).collect();
    if let Some(option) = files.iter().find(|f| f.to_string_lossy().starts_with('-')) {
        let accepted = "--kafka VERSION, --random N, --seed S, --twice, --record DIR, --raw";
        return Err(Error::new(format!("unknown option {}: {accepted}", option.display())));
    }
    if files.is_empty() && random.is_none() {
        return Err(Error::new("which scenario? cargo xtask real FILE.hw … or --random N"));
    }
    Ok(Asked { files, kafka, random, plays, record, is_raw })
}

/// The scripts by name, each for the release that is to play it.
fn scenarios(asked: &Asked) -> Result<Vec<(String, Script)>, Error> {
    let release = asked.kafka.as_deref().map(release).transpose()?;
    let mut all = Vec::new();
    for file in &asked.files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let script = parse(&file.display().to_string(), &repo::read(file)?)?;
        all.push((name, on(script, release)));
    }
    if let Some((count, first)) = asked.random {
        for seed in first..first + count {
            let name = format!("random-{seed}");
            let text = random::script(seed, release.unwrap_or_default());
            all.push((name.clone(), parse(&name, &text)?));
        }
    }
    for (name, script) in &all {
        let refusals = plan::refusals(script);
        if !refusals.is_empty() {
            let refusals = refusals.join("\n");
            return Err(Error::new(format!("{name}: no real cluster can play this:\n{refusals}")));
        }
    }
    Ok(all)
}

fn parse(name: &str, text: &str) -> Result<Script, Error> {
    script::parse(text).map_err(|e| Error::new(format!("{name}:{}", e[0])))
}

fn release(version: &str) -> Result<Release, Error> {
    let is_it = |r: &Release| version == r.name() || version == artifacts::version_of(*r);
    Release::ALL.into_iter().find(is_it).ok_or_else(|| {
        let known = Release::ALL.map(artifacts::version_of).join(", ");
        Error::new(format!("--kafka {version}: there are {known}"))
    })
}

fn on(script: Script, release: Option<Release>) -> Script {
    let Some(release) = release.filter(|release| *release != script.release()) else {
        return script;
    };
    let (moved, dropped) = script::on_release(&script, release);
    for what in dropped {
        eprintln!("left out, since Kafka {release} has it not: {what}");
    }
    moved
}

/// Plays it as often as asked.
fn record(artifacts: &Artifacts, script: Script, asked: &Asked) -> Result<Recording, Error> {
    let plan = Plan::of(&script);
    let mut plays = Vec::new();
    for _ in 0..asked.plays {
        let heard = play::play(artifacts, &plan)?;
        if asked.is_raw {
            heard.lines.iter().for_each(|(at, line)| println!("{at}\t{line}"));
        }
        plays.push((listen::entries(&heard.lines), heard.opened));
    }
    Ok(Recording { script, kafka: artifacts.version.clone(), plays })
}
