//! The driver's processes: Kafka's own clients, moved by lines (fidelity/recorder).

use super::artifacts::Artifacts;
use super::process::{Process, java};
use crate::error::{Context, Error};
use std::io::{BufRead, BufReader, Write};
use std::process::{ChildStdin, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// An answer that takes longer will not come.
const ANSWER_WAIT: Duration = Duration::from_secs(60);

/// What clients tell of themselves in their log, and no more.
const LOGS: [&str; 4] = [
    "-Dorg.slf4j.simpleLogger.defaultLogLevel=off",
    "-Dorg.slf4j.simpleLogger.log.org.apache.kafka.clients.NetworkClient=debug",
    "-Dorg.slf4j.simpleLogger.log.org.apache.kafka.clients.Metadata=debug",
    "-Dorg.slf4j.simpleLogger.showThreadName=false",
];

/// Lines that drivers wrote, with milliseconds since 1970.
pub type Lines = Arc<Mutex<Vec<(u64, String)>>>;

/// One process with clients in it.
pub struct Driver {
    process: Process,
    input: ChildStdin,
    lines: Lines,
    is_dead: bool,
}

impl Driver {
    /// A process whose lines are added to those of others.
    pub fn start(artifacts: &Artifacts, lines: &Lines) -> Result<Driver, Error> {
        let mut command = java(artifacts, &LOGS, "highwater.Recorder", &[]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        let mut process = Process::spawn(command)?;
        let input = process.child().stdin.take().expect("it was asked for");
        let output = process.child().stdout.take().expect("it was asked for");
        let into = Arc::clone(lines);
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if let Some((time, rest)) = line.split_once('\t')
                    && let Ok(time) = time.parse()
                {
                    into.lock().expect("a list").push((time, rest.to_owned()));
                }
            }
        });
        Ok(Driver { process, input, lines: Arc::clone(lines), is_dead: false })
    }

    /// kill -9.
    pub fn kill(&mut self) {
        self.is_dead = true;
        self.process.kill();
    }

    /// STOP or CONT.
    pub fn signal(&self, name: &str) -> Result<(), Error> {
        self.process.signal(name)
    }

    /// Gives an order. One to a process that was killed goes nowhere.
    pub fn tell(&mut self, words: &[String]) -> Result<(), Error> {
        if self.is_dead {
            return Ok(());
        }
        let line: Vec<String> = words.iter().map(|word| word.replace(['\t', '\n'], " ")).collect();
        writeln!(self.input, "{}", line.join("\t"))
            .and_then(|()| self.input.flush())
            .context("the driver is gone")
    }

    /// Gives an order and waits for a line that begins so.
    pub fn ask(&mut self, words: &[&str], answer: &str) -> Result<(), Error> {
        let from = self.lines.lock().expect("a list").len();
        let words: Vec<String> = words.iter().map(ToString::to_string).collect();
        self.tell(&words)?;
        let began = Instant::now();
        while began.elapsed() < ANSWER_WAIT {
            std::thread::sleep(Duration::from_millis(10));
            let lines = self.lines.lock().expect("a list");
            for (_, line) in &lines[from..] {
                if line.starts_with(answer) {
                    return Ok(());
                }
                if line.starts_with("undone\t") || line.starts_with("refused\t") {
                    return Err(Error::new(format!("the cluster refuses: {line}")));
                }
            }
        }
        Err(Error::new(format!("no answer to {words:?}")))
    }
}
