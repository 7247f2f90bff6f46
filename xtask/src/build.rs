//! The wasm, the page, and all that lies in `dist/`.

use crate::error::{Context, Error};
use crate::{docs, ensure, repo, shell};
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
    shell::show(wasm())?;
    let out = repo::path("dist");
    dist(&out, Finish::Optimized)?;
    println!("{}", out.display());
    Ok(())
}

/// The wasm and its glue, into `www/pkg`. `wasm-opt` comes later, in the page's own build.
pub fn wasm() -> Command {
    let arguments = ["build", "web", "--release", "--target", "web", "--out-dir", "../www/pkg"];
    let mut command = shell::command("wasm-pack", &arguments);
    command.arg("--no-opt");
    command
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
