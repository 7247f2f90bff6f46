//! The developer commands, as `cargo xtask COMMAND`. CI calls the very same ones.
//!
//! | module | what it is |
//! |---|---|
//! | `ensure` | what a command needs from the machine: found, installed, or named in a line |
//! | `build` | wasm, then `dist/` |
//! | `docs` | `docs/*.md` as pages, with links that are checked |
//! | `serve` | the page on localhost, rebuilt when a file changes |
//! | `test` | everything that must hold before a change lands |
//! | `agreement` | one history natively, in Node and in both browsers |
//! | `fidelity` | recordings of real clusters, replayed |
//! | `fuzz` | scripts and pastes that nobody would write |
//! | `play` | scenarios on the command line |
//! | `real` | the same scenario on a real Kafka beside the model |
//! | `bench` | the numbers to hold |

mod agreement;
mod bench;
mod build;
mod docs;
mod ensure;
mod error;
mod fidelity;
mod fuzz;
mod play;
mod real;
mod repo;
mod serve;
mod shell;
mod test;

use error::Error;
use std::process::ExitCode;

/// One command: its name, what its arguments look like, what it does, and how.
struct Command {
    name: &'static str,
    arguments: &'static str,
    about: &'static str,
    run: fn(&[String]) -> Result<(), Error>,
}

const COMMANDS: &[Command] = &[
    Command {
        name: "serve",
        arguments: "[--port N]",
        about: "build the page, serve it on localhost, rebuild it when a file changes",
        run: serve::run,
    },
    Command {
        name: "test",
        arguments: "[--only STEP]",
        about: "check everything, headless, in Chromium and Firefox",
        run: test::run,
    },
    Command {
        name: "dist",
        arguments: "",
        about: "build dist/: static files, the one-file page, the documents",
        run: build::run,
    },
    Command {
        name: "fidelity",
        arguments: "[--json] [--data DIR]",
        about: "replay recordings of real clusters and compare",
        run: fidelity::run,
    },
    Command {
        name: "fuzz",
        arguments: "[--minutes N|--seed N]",
        about: "play mixed-up scripts and pastes: no panic, no hang, bounded memory",
        run: fuzz::run,
    },
    Command {
        name: "play",
        arguments: "FILE.hw … [--json|--events]",
        about: "play scenarios, and judge what they expect",
        run: play::run,
    },
    Command {
        name: "real",
        arguments: "FILE.hw … [--kafka V] [--twice] [--record DIR]",
        about: "play scenarios on a real Kafka of this machine, beside the model",
        run: real::run,
    },
    Command {
        name: "bench",
        arguments: "[--json]",
        about: "measure sizes, speed and frames in real browsers",
        run: bench::run,
    },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((name, rest)) = arguments.split_first() else {
        print!("{}", usage());
        return ExitCode::SUCCESS;
    };
    let Some(command) = COMMANDS.iter().find(|c| c.name == name) else {
        eprint!("there is no command {name:?}\n\n{}", usage());
        return ExitCode::FAILURE;
    };
    match (command.run)(rest) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn usage() -> String {
    let lines = COMMANDS.iter().map(|c| {
        let call = format!("{} {}", c.name, c.arguments);
        format!("  cargo xtask {call:<22} {}\n", c.about)
    });
    lines.collect()
}
