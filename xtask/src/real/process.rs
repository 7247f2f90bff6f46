//! A Java process that this program starts, and ends with itself.

use super::artifacts::Artifacts;
use crate::error::{Context, Error};
use crate::shell;
use std::fs::File;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A clean stop that takes longer counts as one that hangs.
const STOP_WAIT: Duration = Duration::from_secs(40);

/// Small heaps and a quick start: the point is order, not speed.
const JVM: [&str; 4] = ["-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto"];

/// What every process that serves logs.
const SERVER_LOG: &str = "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn";

/// A process. It is killed when it is dropped.
pub struct Process(Child);

/// A Java program with its arguments.
pub fn java(artifacts: &Artifacts, options: &[&str], main: &str, arguments: &[&str]) -> Command {
    let mut words = vec!["java"];
    // Where the system can end a child with its parent, nothing outlives this program.
    if shell::find("setpriv").is_some() {
        words.splice(0..0, ["setpriv", "--pdeathsig", "KILL"]);
    }
    words.extend(JVM);
    words.extend(options);
    words.extend(["-cp", &artifacts.classes, main]);
    words.extend(arguments);
    shell::command(words[0], &words[1..])
}

impl Process {
    /// A broker, a controller or ZooKeeper; what it says goes to a file.
    pub fn server(
        artifacts: &Artifacts,
        main: &str,
        arguments: &[&str],
        log: &Path,
    ) -> Result<Process, Error> {
        let doing = format!("cannot write {}", log.display());
        let file = File::options().create(true).append(true).open(log).context(&doing)?;
        let other = file.try_clone().context(&doing)?;
        let options = [SERVER_LOG, "-Dzookeeper.admin.enableServer=false"];
        let mut command = java(artifacts, &options, main, arguments);
        command.stdin(Stdio::null()).stdout(file).stderr(other);
        Process::spawn(command)
    }

    pub fn spawn(mut command: Command) -> Result<Process, Error> {
        Ok(Process(command.spawn().context("cannot start Java")?))
    }

    pub fn child(&mut self) -> &mut Child {
        &mut self.0
    }

    pub fn signal(&self, name: &str) -> Result<(), Error> {
        let id = self.0.id().to_string();
        shell::show(shell::command("kill", &[&format!("-{name}"), &id]))
    }

    /// Whether it has ended by itself.
    pub fn has_ended(&mut self) -> bool {
        !matches!(self.0.try_wait(), Ok(None))
    }

    /// kill -9, whether it runs or stands still. Nobody waits for its end here: others may be to die in
    /// the same instant.
    pub fn kill(&mut self) {
        // An error here says that it has ended already.
        let _ = self.0.kill();
    }

    fn end(&mut self) {
        self.kill();
        let _ = self.0.wait();
    }

    /// Waits for the end of a clean stop.
    pub fn await_end(&mut self) {
        let began = Instant::now();
        while !self.has_ended() && began.elapsed() < STOP_WAIT {
            std::thread::sleep(Duration::from_millis(10));
        }
        self.end();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}
