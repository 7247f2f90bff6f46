//! The wasm, the page, and all that lies in `dist/`.

use crate::error::{Context, Error};
use crate::{docs, ensure, repo, shell};
use highwater_core::words::Phrase;
use std::fs;
use std::path::Path;
use std::process::Command;

/// How much the page is worked on after bundling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finish {
    /// Everything smaller and faster: for others.
    Optimized,
    /// As soon as possible: for oneself, while working on it.
    Quick,
}

/// `cargo xtask dist`.
pub fn run(arguments: &[String]) -> Result<(), Error> {
    no_more(arguments)?;
    ensure::all(ensure::PAGE)?;
    wasm(shell::show)?;
    let out = repo::path("dist");
    dist(&out, Finish::Optimized)?;
    println!("{}", out.display());
    Ok(())
}

/// A wasm package: a feature of the crate `web`, and where `wasm-pack` puts it below `www/pkg`.
struct Package {
    feature: &'static str,
    name: &'static str,
    folder: &'static str,
}

/// All of them. They share the target directory, and no feature reaches below `web`: every crate but
/// that one is compiled once.
const PACKAGES: &[Package] = &[
    Package { feature: "engine", name: "highwater_web", folder: "" },
    Package { feature: "ask", name: "highwater_ask", folder: "ask" },
    Package { feature: "explore", name: "highwater_explore", folder: "explore" },
];

/// Builds each wasm and its glue into `www/pkg`, and the engine's phrases beside them; `run` runs a
/// command. `wasm-opt` comes later, in the page's own build. The first time `wasm-pack` builds
/// `wasm-bindgen`, which takes minutes: show it.
pub fn wasm(run: fn(Command) -> Result<(), Error>) -> Result<(), Error> {
    packages().try_for_each(run)?;
    let file = repo::path("www/pkg/phrases.js");
    fs::write(&file, phrases()).context(file.display())
}

/// The English of what the engine does not take, by the phrases' names: so that the words are written
/// once, and the wasm carries none of them.
fn phrases() -> String {
    let english = Phrase::ALL.iter().map(|phrase| (phrase.name(), phrase.english()));
    let table =
        serde_json::Map::from_iter(english.map(|(name, words)| (name.into(), words.into())));
    format!(
        "/** @type {{Record<string, string>}} */\nexport default {:#};\n",
        serde_json::Value::Object(table)
    )
}

fn packages() -> impl Iterator<Item = Command> {
    PACKAGES.iter().map(|Package { feature, name, folder }| {
        let arguments = ["build", "web", "--release", "--target", "web", "--no-opt", "--no-pack"];
        let mut command = shell::command("wasm-pack", &arguments);
        command.args(["--out-name", name, "--out-dir"]);
        command.arg(repo::path("www/pkg").join(folder));
        command.args(["--", "--no-default-features", "--features", feature]);
        command
    })
}

/// All static files: the page and the documents beside it.
pub fn dist(out: &Path, finish: Finish) -> Result<(), Error> {
    if out.exists() {
        fs::remove_dir_all(out).context(format_args!("cannot empty {}", out.display()))?;
    }
    page(out, finish)?;
    docs::write(&out.join("docs"))
}

/// The page alone, out of the wasm that is there.
pub fn page(out: &Path, finish: Finish) -> Result<(), Error> {
    let mut command = shell::command("node", &["www/build.mjs", "--out"]);
    command.arg(out);
    if finish == Finish::Quick {
        command.arg("--dev");
    }
    shell::catch(command).map(drop)
}

/// An error if an argument is left that nobody asked for.
pub fn no_more<S: AsRef<std::ffi::OsStr>>(rest: &[S]) -> Result<(), Error> {
    match rest.first() {
        Some(word) => Err(Error::new(format!("unexpected: {}", word.as_ref().to_string_lossy()))),
        None => Ok(()),
    }
}
