//! Other programs: run in the repository, shown or caught.

use crate::error::{Context, Error};
use crate::repo;
use std::io::Read;
use std::path::PathBuf;
use std::process::Command;

/// A program with its arguments, to be run in the repository's own folder.
pub fn command(program: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(repo::root());
    command
}

/// Runs it with its output on the screen.
pub fn show(mut command: Command) -> Result<(), Error> {
    let line = line_of(&command);
    let status = command.status().context(format_args!("cannot run `{line}`"))?;
    if status.success() { Ok(()) } else { Err(Error::new(format!("`{line}` failed ({status})"))) }
}

/// Runs it without showing anything. If it fails, the error is all that it said, in order.
pub fn catch(mut command: Command) -> Result<String, Error> {
    let line = line_of(&command);
    let doing = || format!("cannot run `{line}`");
    let (mut reader, writer) = std::io::pipe().context(doing())?;
    command.stdout(writer.try_clone().context(doing())?).stderr(writer);
    let mut child = command.spawn().context(doing())?;
    drop(command); // It holds the pipe's writing end open.
    let mut said = Vec::new();
    reader.read_to_end(&mut said).context(doing())?;
    let status = child.wait().context(doing())?;
    let said = String::from_utf8_lossy(&said).into_owned();
    if status.success() {
        Ok(said)
    } else {
        Err(Error::new(format!("{said}`{line}` failed ({status})")))
    }
}

/// What it prints on its standard output; nothing if it cannot be run or fails.
pub fn answer(program: &str, arguments: &[&str]) -> Option<String> {
    let output = command(program, arguments).output().ok().filter(|o| o.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Where a program lies on `PATH`.
pub fn find(program: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    let name = format!("{program}{}", std::env::consts::EXE_SUFFIX);
    std::env::split_paths(&folders).map(|folder| folder.join(&name)).find(|file| file.is_file())
}

fn line_of(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}
