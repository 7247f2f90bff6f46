//! Everything that must hold, step by step: `cargo xtask test`.

use crate::build::{self, Finish};
use crate::ensure::{self, Browser, Need};
use crate::error::{Context, Error};
use crate::{agreement, docs, repo, shell};
use std::io::Write;
use std::time::Instant;

/// One check. A step that needs an earlier one's output names it in `after`.
struct Step {
    name: &'static str,
    needs: &'static [&'static [Need]],
    after: &'static [&'static str],
    run: fn() -> Result<(), Error>,
}

const WASM: &[Need] = &[Need::Target("wasm32-unknown-unknown")];
const BARE: &[Need] = &[Need::Target("thumbv7em-none-eabi")];
const NODE: &[Need] = &[Need::Node, Need::NodeModules];

/// In this order: what is quick to fail comes first.
const STEPS: &[Step] = &[
    Step {
        name: "format",
        needs: &[],
        after: &[],
        run: || cargo(&["fmt", "--all", "--check", "--", "--color=never"]),
    },
    Step { name: "biome", needs: &[NODE], after: &[], run: || npx(&["biome", "check"]) },
    Step { name: "docs", needs: &[], after: &[], run: docs::check },
    Step { name: "workflows", needs: &[NODE], after: &[], run: workflows },
    Step { name: "lint", needs: &[], after: &[], run: lint },
    Step { name: "lint-wasm", needs: &[WASM], after: &[], run: lint_wasm },
    Step { name: "web", needs: &[ensure::PAGE], after: &[], run: web },
    Step { name: "rust", needs: &[], after: &[], run: || cargo(&["test", "--workspace"]) },
    Step { name: "no-std", needs: &[BARE], after: &[], run: no_std },
    Step { name: "rustdoc", needs: &[], after: &[], run: rustdoc },
    Step { name: "wasm", needs: &[ensure::PAGE], after: &[], run: wasm },
    Step {
        name: "types",
        needs: &[NODE],
        after: &["wasm"],
        run: || npx(&["tsc", "--project", "www"]),
    },
    Step { name: "dist", needs: &[NODE], after: &["wasm"], run: dist },
    Step {
        name: "agreement",
        needs: &[NODE, ensure::BROWSERS],
        after: &["wasm", "dist"],
        run: agreement::check,
    },
    Step { name: "page", needs: &[NODE, ensure::BROWSERS], after: &["wasm", "dist"], run: page },
];

/// `cargo xtask test`.
pub fn run(arguments: &[String]) -> Result<(), Error> {
    let mut given = pico_args::Arguments::from_vec(arguments.iter().map(Into::into).collect());
    let only: Option<String> = given.opt_value_from_str("--only").context("--only")?;
    build::no_more(&given.finish())?;
    let steps = chosen(only.as_deref())?;
    let needs: Vec<Need> = steps.iter().flat_map(|step| step.needs.concat()).collect();
    ensure::all(&needs)?;
    for (passed, step) in steps.iter().enumerate() {
        if let Err(error) = timed(step) {
            println!("\n{error}\n\n{passed} passed, 1 failed");
            std::process::exit(1); // The count is the last line of all.
        }
    }
    println!("\n{} passed, 0 failed", steps.len());
    Ok(())
}

/// All steps, or one and those whose output it needs.
fn chosen(only: Option<&str>) -> Result<Vec<&'static Step>, Error> {
    let Some(name) = only else {
        return Ok(STEPS.iter().collect());
    };
    let names: Vec<&str> = STEPS.iter().map(|step| step.name).collect();
    let step = STEPS.iter().find(|step| step.name == name);
    let step = step.ok_or_else(|| Error::new(format!("no step {name:?}: {}", names.join(", "))))?;
    Ok(STEPS.iter().filter(|s| s.name == name || step.after.contains(&s.name)).collect())
}

fn timed(step: &Step) -> Result<(), Error> {
    print!("{:<12}", step.name);
    std::io::stdout().flush().context("cannot print")?;
    let start = Instant::now();
    let outcome = (step.run)();
    let verdict = if outcome.is_ok() { "" } else { "  failed" };
    println!("{:>7.1} s{verdict}", start.elapsed().as_secs_f64());
    outcome
}

fn cargo(arguments: &[&str]) -> Result<(), Error> {
    shell::catch(shell::command("cargo", arguments)).map(drop)
}

/// A tool of package-lock.json.
fn npx(arguments: &[&str]) -> Result<(), Error> {
    shell::catch(shell::command("npx", &[&["--no-install"], arguments].concat())).map(drop)
}

fn lint() -> Result<(), Error> {
    cargo(&["clippy", "--workspace", "--all-features", "--all-targets", "--", "-D", "warnings"])
}

/// Each package as it is built: what is unused in one may be used in another.
fn lint_wasm() -> Result<(), Error> {
    for feature in ["engine", "ask", "explore"] {
        let what = ["clippy", "--package", "highwater-web", "--no-default-features"];
        let how = ["--target", "wasm32-unknown-unknown", "--", "-D", "warnings"];
        cargo(&[&what[..], &["--features", feature], &how].concat())?;
    }
    Ok(())
}

/// The core, what reads pastes and the explorer have no standard library to lean on: this target has
/// none.
fn no_std() -> Result<(), Error> {
    let what = ["highwater-core", "highwater-ask", "highwater-explore"];
    let packages = what.iter().flat_map(|name| ["--package", *name]).collect::<Vec<_>>();
    let how = ["--lib", "--target", "thumbv7em-none-eabi"];
    cargo(&[&["build"], &packages[..], &how].concat())
}

fn rustdoc() -> Result<(), Error> {
    let mut command = shell::command("cargo", &["doc", "--workspace", "--no-deps"]);
    command.env("RUSTDOCFLAGS", "-D warnings");
    shell::catch(command).map(drop)
}

fn workflows() -> Result<(), Error> {
    for file in repo::files_below(&repo::path(".github/workflows"), &|_| true)? {
        let mut command = shell::command("npx", &["--no-install", "action-validator"]);
        command.arg(file); // It takes one at a time.
        shell::catch(command)?;
    }
    Ok(())
}

/// The face in JavaScript's hands, in Node.
fn web() -> Result<(), Error> {
    shell::catch(shell::command("wasm-pack", &["test", "--node", "web", "--all-features"]))
        .map(drop)
}

fn wasm() -> Result<(), Error> {
    println!();
    build::wasm(shell::show)
}

fn dist() -> Result<(), Error> {
    build::dist(&repo::path("dist"), Finish::Optimized)
}

fn page() -> Result<(), Error> {
    let is_test = |path: &std::path::Path| path.to_string_lossy().ends_with(".test.mjs");
    let files = repo::files_below(&repo::path("www/test"), &|path| path.is_dir() || is_test(path))?;
    let mut command = shell::command("node", &["--test", "--test-reporter=spec"]);
    command.args(files);
    for browser in [Browser::Chromium, Browser::Firefox] {
        command.envs(browser.find().map(|file| (browser.variable(), file)));
    }
    shell::catch(command).map(drop)
}
