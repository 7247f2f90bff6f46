//! Whether the model's clients did what real ones did.

use super::entry::{Entry, Log};
use super::model::Opened;

/// How far apart the times of one thing may be, in milliseconds: what Java takes to wake up, to load a
/// class, and to connect.
const TOLERANCE: i64 = 500;
/// A client that joined its group, or found where to read, before this was starting up; how late it was
/// is added.
const WARM: i64 = 3000;
/// What is added then, and while a broker comes up: its port is open before it has its partitions.
const STARTING: i64 = 1500;
const STARTS_WITHIN: i64 = 4000;
/// How far the model may count off the requests for metadata: so many, and so many in a hundred.
const METADATA: (usize, usize) = (2, 35);

/// One kind of thing that is compared in order.
struct Track {
    name: &'static str,
    /// The entry as it is compared; `None` if it belongs to another track.
    label: fn(&Entry) -> Option<String>,
    /// Whether the same thing over and over counts as one.
    is_folded: bool,
    is_timed: bool,
}

const TRACKS: [Track; 5] = [
    Track { name: "application", label: heard, is_folded: false, is_timed: true },
    Track { name: "requests", label: request, is_folded: false, is_timed: true },
    Track { name: "group", label: group, is_folded: true, is_timed: true },
    Track { name: "fetches", label: fetch, is_folded: true, is_timed: false },
    Track { name: "timeouts", label: timeout, is_folded: true, is_timed: true },
];

/// The records of a producer by their number, what a consumer read by its place.
fn heard(entry: &Entry) -> Option<String> {
    let is_it = matches!(entry.word.as_str(), "acked" | "failed" | "read" | "error");
    // Want of memory has an exception of its own from 2.6 on: a kind of TimeoutException.
    let outcome = match entry.outcome.as_str() {
        "BufferExhaustedException" => "TimeoutException",
        outcome => outcome,
    };
    is_it.then(|| format!("{} {} {outcome}", entry.word, entry.of))
}

fn request(entry: &Entry) -> Option<String> {
    match entry.word.as_str() {
        "produce" => Some(format!("produce to {}: {}", entry.of, or_none(&entry.outcome))),
        // Any broker will do.
        "init-producer-id" => Some(format!("{}: {}", entry.word, or_none(&entry.outcome))),
        _ => None,
    }
}

fn group(entry: &Entry) -> Option<String> {
    match entry.word.as_str() {
        "leave-group" => Some(format!("leave-group to {}", entry.of)),
        "join-group"
        | "sync-group"
        | "offset-fetch"
        | "list-offsets"
        | "offsets-for-leader-epoch"
        | "offset-commit" => {
            Some(format!("{} to {}: {}", entry.word, entry.of, or_none(&entry.outcome)))
        }
        "find-coordinator" => Some(format!("{}: {}", entry.word, or_none(&entry.outcome))),
        _ => None,
    }
}

/// Whom it reads from. Whether it asks the old leader once more is a race with new metadata.
fn fetch(entry: &Entry) -> Option<String> {
    let is_it = entry.word == "fetch" && entry.outcome == "ok";
    is_it.then(|| format!("fetch from {}", entry.of))
}

fn timeout(entry: &Entry) -> Option<String> {
    (entry.word == "timed-out").then(|| format!("broker {} timed out", entry.of))
}

fn or_none(outcome: &str) -> &str {
    if outcome.is_empty() { "no answer" } else { outcome }
}

/// One play of a real cluster, and the model's with the same inputs.
pub struct Played<'a> {
    pub real: &'a Log,
    pub opened: &'a Opened,
    pub model: Log,
}

/// Compares each play with the model's. Where the plays differ among themselves, the model has to fit
/// one of them. An error lists every difference from the first.
pub fn compare(plays: &[Played<'_>]) -> Result<(), String> {
    let Some(first) = plays.first() else { return Err("nothing was played".into()) };
    let mut differences = Vec::new();
    for client in first.real.keys() {
        let pairs: Vec<Pair<'_>> = plays.iter().map(|play| Pair::of(play, client)).collect();
        for track in &TRACKS {
            let all = pairs.iter().map(|pair| difference(track, pair, &pairs));
            let all: Vec<Option<String>> = all.collect();
            if all.iter().all(Option::is_some) {
                differences
                    .extend(all.into_iter().next().flatten().map(|d| format!("{client} {d}")));
            }
        }
        differences.extend(metadata(&pairs).map(|d| format!("{client} {d}")));
    }
    if differences.is_empty() { Ok(()) } else { Err(differences.join("\n    ")) }
}

/// One client in one play.
struct Pair<'a> {
    real: &'a [Entry],
    model: &'a [Entry],
    opened: &'a Opened,
    /// Whether its application commits: what commits by itself does so when its clock ticks, which began
    /// when the client was ready.
    commits: bool,
    /// How much later than the model's it was ready: Java takes its time.
    lag: i64,
}

impl<'a> Pair<'a> {
    fn of(play: &'a Played<'_>, client: &str) -> Pair<'a> {
        let entries = |log: &'a Log| log.get(client).map_or(&[][..], Vec::as_slice);
        let (real, model) = (entries(play.real), entries(&play.model));
        let group = &TRACKS[2];
        let (ours, theirs) = (steps(group, model), steps(group, real));
        let pairs = theirs.iter().zip(&ours).filter(|((at, _), _)| *at < WARM);
        let lag = pairs.map(|((real, _), (own, _))| (real - own).abs()).max().unwrap_or(0);
        let commits = real.iter().any(|e| e.word == "committed");
        Pair { real, model, opened: play.opened, commits, lag }
    }
}

/// Answers that the model's brokers do not give: the first id of a fresh broker's block, and the id
/// that a new member is given before it may join (docs/fidelity.md). The client asks again.
const PASSED_OVER: [&str; 2] = ["COORDINATOR_LOAD_IN_PROGRESS", "MEMBER_ID_REQUIRED"];

/// The steps of a track, with their times.
fn steps(track: &Track, entries: &[Entry]) -> Vec<(i64, String)> {
    let told = entries.iter().filter(|e| !PASSED_OVER.contains(&e.outcome.as_str()));
    let mut all: Vec<(i64, String)> =
        told.filter_map(|e| Some((e.at, (track.label)(e)?))).collect();
    forget_answers_to_a_close(&mut all);
    if track.is_folded {
        all.dedup_by(|next, former| next.1 == former.1);
    }
    if track.name == "application" {
        // Callbacks of one instant, and partitions, have no order among each other.
        all.sort_by_key(|(_, label)| order_of(label));
    }
    all
}

/// A consumer that closes commits and leaves; the model's does not wait for what comes of it.
fn forget_answers_to_a_close(steps: &mut [(i64, String)]) {
    for index in 1..steps.len() {
        let (before, after) = steps.split_at_mut(index);
        let (Some(commit), Some(leave)) = (before.last_mut(), after.first()) else { continue };
        if leave.1.starts_with("leave-group") && commit.1.starts_with("offset-commit") {
            commit.1 = "offset-commit at the close".into();
        }
    }
}

/// Records by number, what is read by partition; what went wrong stays as it came.
fn order_of(label: &str) -> usize {
    let mut words = label.split(' ');
    match words.next() {
        Some("acked" | "failed" | "read") => words.next().and_then(|n| n.parse().ok()).unwrap_or(0),
        _ => usize::MAX,
    }
}

fn difference(track: &Track, pair: &Pair<'_>, all: &[Pair<'_>]) -> Option<String> {
    let (real, model) = (steps(track, pair.real), steps(track, pair.model));
    if labels(&real) != labels(&model) {
        return Some(format!("{}: {}", track.name, first_difference(&real, &model)));
    }
    if !track.is_timed {
        return None;
    }
    let others: Vec<_> = all.iter().map(|other| steps(track, other.real)).collect();
    let is_timed = |label: &str| pair.commits || !label.starts_with("offset-commit");
    for (index, ((at, label), (own, _))) in real.iter().zip(&model).enumerate() {
        if !is_timed(label) {
            continue;
        }
        let alike = others.iter().filter(|other| labels(other) == labels(&real));
        let spread = alike.map(|other| (other[index].0 - at).abs()).max().unwrap_or(0);
        let comes_up = |(_, up): &(u16, i64)| (0..STARTS_WITHIN).contains(&(at - up));
        let starts = *at < WARM || pair.opened.iter().any(comes_up);
        let slack = TOLERANCE + pair.lag + spread + if starts { STARTING } else { 0 };
        if (own - at).abs() > slack {
            return Some(format!("{}: {label} at {own} ms, really at {at} ms", track.name));
        }
    }
    None
}

fn labels(steps: &[(i64, String)]) -> Vec<&str> {
    steps.iter().map(|(_, label)| label.as_str()).collect()
}

fn first_difference(real: &[(i64, String)], model: &[(i64, String)]) -> String {
    let at = real.iter().zip(model).take_while(|((_, a), (_, b))| a == b).count();
    let show = |steps: &[(i64, String)]| {
        let end = || "nothing".to_owned();
        steps.get(at).map_or_else(end, |(time, label)| format!("{label} ({time} ms)"))
    };
    format!("step {} is {}, really {}", at + 1, show(model), show(real))
}

/// Requests for metadata are counted: their times are a race with everything else.
fn metadata(pairs: &[Pair<'_>]) -> Option<String> {
    let count = |entries: &[Entry]| entries.iter().filter(|e| e.word == "metadata").count();
    let counts: Vec<_> = pairs.iter().map(|pair| (count(pair.model), count(pair.real))).collect();
    let fits =
        |(own, real): &(usize, usize)| own.abs_diff(*real) <= METADATA.0 + real * METADATA.1 / 100;
    let (own, real) = *counts.first()?;
    (!counts.iter().any(fits)).then(|| format!("metadata: asked {own} times, really {real} times"))
}
