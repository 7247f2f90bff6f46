//! Scripts and pastes that nobody would write: `cargo xtask fuzz [--minutes N]`.
//!
//! What lies in the repository is mixed: lines are moved, doubled, dropped and exchanged, so are
//! words, numbers and releases. What the parser accepts is played. Nothing may panic, hang, or want
//! more memory than a stated cap. Each mix comes of a seed, and the same seed makes the same again.
//!
//! A process of its own plays, with its memory limited by the shell, since one that is out of memory
//! cannot tell: it says each seed before it plays it.

use crate::error::{Context, Error};
use crate::repo;
use fastrand::Rng;
use highwater_ask::board::{Assumed, board};
use highwater_ask::recognise::kinds;
use highwater_ask::{config, describe, log_lines, quorum};
use highwater_core::script;
use highwater_core::settings::{Owner, Release, parse_paste};
use highwater_core::sim::Timeline;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Where scripts are taken from.
const SCRIPTS: [&str; 4] =
    ["www/scenarios", "core/tests/golden", "core/tests/faults", "fidelity/reports"];
/// Where pasted texts are taken from.
const PASTES: &str = "fidelity/describe";
/// A script is played for no more events than this.
const MAX_EVENTS: usize = 10_000;
/// What one process may use, in KiB of address space: 1 GiB.
const MAX_KIB: u64 = 1024 * 1024;
/// A seed that takes longer than this hangs.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long a run is, unless it is said.
const MINUTES: u64 = 1;
/// Numbers at the edges of what something is counted in.
const EDGES: [&str; 10] = [
    "0",
    "1",
    "-1",
    "15",
    "100",
    "65535",
    "65536",
    "2147483648",
    "4294967295",
    "9223372036854775807",
];

/// Runs the command.
pub fn run(arguments: &[String]) -> Result<(), Error> {
    let mut arguments =
        pico_args::Arguments::from_vec(arguments.iter().map(std::ffi::OsString::from).collect());
    let mut number = |name: &'static str| {
        let value: Result<Option<u64>, _> = arguments.opt_value_from_str(name);
        value.context("cannot read the arguments")
    };
    let (minutes, seed, from) = (number("--minutes")?, number("--seed")?, number("--play-from")?);
    let rest = arguments.finish();
    if !rest.is_empty() {
        return Err(Error::new(format!(
            "unknown arguments: {rest:?}; accepted: --minutes N, --seed N (to see one again)"
        )));
    }
    let corpus = Corpus::read()?;
    match (seed, from) {
        (Some(seed), _) => {
            println!("{}", corpus.mixed(seed));
            corpus.play(seed);
            Ok(())
        }
        (None, Some(from)) => (from..).try_for_each(|seed| {
            println!("{seed}");
            corpus.play(seed);
            Ok(())
        }),
        (None, None) => watch(&corpus, Duration::from_secs(60 * minutes.unwrap_or(MINUTES))),
    }
}

/// Watches the process that plays, for so long.
fn watch(corpus: &Corpus, time: Duration) -> Result<(), Error> {
    let own = std::env::current_exe().context("this program has no path")?;
    let limited = format!("ulimit -v {MAX_KIB}; exec \"$0\" fuzz --play-from 0");
    let mut player = Command::new("sh")
        .args([std::ffi::OsStr::new("-c"), limited.as_ref(), own.as_os_str()])
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot start a process that plays")?;
    let out = player.stdout.take().expect("its output is piped");
    let (tell, told) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(out).lines().map_while(Result::ok) {
            if tell.send(line).is_err() {
                return;
            }
        }
    });
    let began = Instant::now();
    let mut seed = None;
    let ended = loop {
        match told.recv_timeout(PATIENCE) {
            Ok(line) => seed = line.parse::<u64>().ok(),
            Err(RecvTimeoutError::Timeout) => break Some("it hangs"),
            Err(RecvTimeoutError::Disconnected) => {
                break Some("it panics or wants too much memory");
            }
        }
        if began.elapsed() >= time {
            break None;
        }
    };
    player.kill().context("cannot end the process that plays")?;
    player.wait().context("cannot end the process that plays")?;
    match (ended, seed) {
        (None, seed) => {
            println!("{} mixes: no panic, no hang, no more than {MAX_KIB} KiB", seed.unwrap_or(0));
            Ok(())
        }
        (Some(how), Some(seed)) => {
            let text = corpus.mixed(seed);
            Err(Error::new(format!(
                "{text}\nseed {seed}: {how} (`cargo xtask fuzz --seed {seed}`)"
            )))
        }
        (Some(how), None) => Err(Error::new(format!("before the first seed: {how}"))),
    }
}

/// What is mixed: texts by lines.
struct Corpus {
    scripts: Vec<Vec<String>>,
    pastes: Vec<Vec<String>>,
}

impl Corpus {
    fn read() -> Result<Corpus, Error> {
        let mut scripts = Vec::new();
        for folder in SCRIPTS {
            scripts.extend(texts(folder, "hw")?);
        }
        let mut pastes = texts(PASTES, "txt")?;
        // Settings as they stand in scripts are lines of a properties file.
        let words = scripts.iter().flatten().flat_map(|line| line.split_whitespace());
        pastes.push(words.filter(|word| word.contains('=')).map(String::from).collect());
        Ok(Corpus { scripts, pastes })
    }

    /// Every fourth seed mixes pastes.
    fn is_paste(seed: u64) -> bool {
        seed % 4 == 3
    }

    fn mixed(&self, seed: u64) -> String {
        let mut rng = Rng::with_seed(seed);
        let texts = if Corpus::is_paste(seed) { &self.pastes } else { &self.scripts };
        let mut lines = texts[rng.usize(..texts.len())].clone();
        for _ in 0..rng.usize(1..8) {
            mix(&mut lines, texts, &mut rng);
        }
        lines.join("\n")
    }

    /// Plays a seed.
    fn play(&self, seed: u64) {
        let text = self.mixed(seed);
        if Corpus::is_paste(seed) {
            read_paste(&text);
        } else {
            play_script(&text);
        }
    }
}

fn texts(folder: &str, extension: &str) -> Result<Vec<Vec<String>>, Error> {
    let is_text = |p: &Path| p.is_dir() || p.extension().is_some_and(|e| e == extension);
    let files = repo::files_below(&repo::path(folder), &is_text)?;
    let lines = |text: String| text.lines().map(String::from).collect();
    files.iter().map(|file| repo::read(file).map(lines)).collect()
}

/// One change to a text.
fn mix(lines: &mut Vec<String>, texts: &[Vec<String>], rng: &mut Rng) {
    let other = &texts[rng.usize(..texts.len())];
    if lines.is_empty() || other.is_empty() {
        return;
    }
    let (at, to) = (rng.usize(..lines.len()), rng.usize(..lines.len()));
    let foreign = &other[rng.usize(..other.len())];
    match rng.u8(..8) {
        0 => drop(lines.remove(at)),
        1 => lines.insert(to, lines[at].clone()),
        2 => lines.swap(at, to),
        3 => lines.insert(at, foreign.clone()),
        4 => lines[at] = foreign.clone(),
        5 => lines[at] = with_word(&lines[at], foreign, rng),
        6 => lines[at] = with_number(&lines[at], foreign, rng),
        _ => exchange_release(lines, rng),
    }
}

/// A word of another line in the place of one.
fn with_word(line: &str, foreign: &str, rng: &mut Rng) -> String {
    let mut words: Vec<&str> = line.split_whitespace().collect();
    let others: Vec<&str> = foreign.split_whitespace().collect();
    if words.is_empty() || others.is_empty() {
        return line.into();
    }
    let at = rng.usize(..words.len());
    words[at] = others[rng.usize(..others.len())];
    words.join(" ")
}

/// Another number in the place of one: of another line, or from the edge of what can be counted.
fn with_number(line: &str, foreign: &str, rng: &mut Rng) -> String {
    let (own, others) = (numbers(line), numbers(foreign));
    if own.is_empty() {
        return line.into();
    }
    let (start, end) = own[rng.usize(..own.len())];
    let new = match others.is_empty() || rng.bool() {
        true => EDGES[rng.usize(..EDGES.len())],
        false => {
            let (start, end) = others[rng.usize(..others.len())];
            &foreign[start..end]
        }
    };
    format!("{}{new}{}", &line[..start], &line[end..])
}

/// Where the numbers of a line stand.
fn numbers(line: &str) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    for (at, _) in line.char_indices().filter(|(_, c)| c.is_ascii_digit()) {
        match found.last_mut() {
            Some((_, end)) if *end == at => *end = at + 1,
            _ => found.push((at, at + 1)),
        }
    }
    found
}

fn exchange_release(lines: &mut [String], rng: &mut Rng) {
    let release = Release::ALL[rng.usize(..Release::ALL.len())];
    if let Some(line) = lines.iter_mut().find(|line| line.starts_with("kafka ")) {
        *line = format!("kafka {release}");
    }
}

fn play_script(text: &str) {
    let Ok(parsed) = script::parse(text) else { return };
    let Ok(mut timeline) = Timeline::new(parsed) else { return };
    let end = timeline.end();
    for _ in 0..MAX_EVENTS {
        if timeline.world().now() > end || !timeline.step() {
            break;
        }
    }
    timeline.world().fingerprint();
}

/// Reads a text as each file that it may be of, and plays the cluster that it describes.
fn read_paste(text: &str) {
    let described = describe::read(text);
    let kinds = kinds(text);
    assert_eq!(kinds.len(), text.lines().count());
    for release in Release::ALL {
        for owner in Owner::ALL {
            parse_paste(text, owner, release);
        }
        config::check(text, release);
        log_lines::read(text, release);
        quorum::read(text);
        board(&described, release, &Assumed::default());
        if let Some(script) = describe::scenario(&described, release) {
            play_script(&script);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_hundred_mixes_do_no_harm() {
        let corpus = Corpus::read().expect("the texts of the repository");
        let mut accepted = 0;
        for seed in 0..200 {
            let text = corpus.mixed(seed);
            assert_eq!(text, corpus.mixed(seed), "the same seed makes the same");
            let played = std::panic::catch_unwind(|| corpus.play(seed));
            assert!(played.is_ok(), "seed {seed}\n{text}");
            accepted += usize::from(!Corpus::is_paste(seed) && script::parse(&text).is_ok());
        }
        // A mix that is always refused would find nothing.
        assert!(accepted >= 20, "{accepted} scripts were played");
    }

    #[test]
    fn numbers_are_found_where_they_stand() {
        assert_eq!(numbers("at 10s lose 2 t/0"), [(3, 5), (12, 13), (16, 17)]);
    }
}
