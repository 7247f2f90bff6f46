//! Whether the model's clients did what real ones did.

use super::entry::{Entry, Log};

/// How far apart the times of one thing may be, in milliseconds: what Java takes to wake up, to load a
/// class, and to connect.
const TOLERANCE: i64 = 500;
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
    is_it.then(|| format!("{} {} {}", entry.word, entry.of, entry.outcome))
}

fn request(entry: &Entry) -> Option<String> {
    match entry.word.as_str() {
        "produce" | "offset-commit" => {
            Some(format!("{} to {}: {}", entry.word, entry.of, or_none(&entry.outcome)))
        }
        // Any broker will do.
        "init-producer-id" => Some(format!("{}: {}", entry.word, or_none(&entry.outcome))),
        _ => None,
    }
}

fn group(entry: &Entry) -> Option<String> {
    match entry.word.as_str() {
        "join-group" | "sync-group" | "leave-group" | "offset-fetch" | "list-offsets"
        | "offsets-for-leader-epoch" => {
            Some(format!("{} to {}: {}", entry.word, entry.of, or_none(&entry.outcome)))
        }
        "find-coordinator" => Some(format!("{}: {}", entry.word, or_none(&entry.outcome))),
        _ => None,
    }
}

fn fetch(entry: &Entry) -> Option<String> {
    let is_it = entry.word == "fetch" && !entry.outcome.is_empty();
    is_it.then(|| format!("fetch from {}: {}", entry.of, entry.outcome))
}

fn timeout(entry: &Entry) -> Option<String> {
    (entry.word == "timed-out").then(|| format!("broker {} timed out", entry.of))
}

fn or_none(outcome: &str) -> &str {
    if outcome.is_empty() { "no answer" } else { outcome }
}

/// Compares with every play of the real cluster: where these differ among themselves, one has to fit.
/// An error lists every difference from the first play.
pub fn compare(real: &[Log], model: &Log) -> Result<(), String> {
    let Some(first) = real.first() else { return Err("nothing was played".into()) };
    let mut differences = Vec::new();
    for client in first.keys() {
        let own = model.get(client).map_or(&[][..], Vec::as_slice);
        let plays: Vec<&[Entry]> =
            real.iter().map(|log| log.get(client).map_or(&[][..], Vec::as_slice)).collect();
        for track in &TRACKS {
            let model = steps(track, own);
            let real: Vec<_> = plays.iter().map(|entries| steps(track, entries)).collect();
            differences.extend(difference(track, &real, &model).map(|d| format!("{client} {d}")));
        }
        differences.extend(metadata(&plays, own).map(|d| format!("{client} {d}")));
    }
    if differences.is_empty() { Ok(()) } else { Err(differences.join("\n    ")) }
}

/// The steps of a track, with their times.
fn steps(track: &Track, entries: &[Entry]) -> Vec<(i64, String)> {
    let mut all: Vec<(i64, String)> =
        entries.iter().filter_map(|e| Some((e.at, (track.label)(e)?))).collect();
    if track.is_folded {
        all.dedup_by(|next, former| next.1 == former.1);
    }
    if track.name == "application" {
        // Callbacks of one instant have no order of their own.
        all.sort_by_key(|(_, label)| order_of(label));
    }
    all
}

/// Records by number; what is read and what went wrong stays as it came.
fn order_of(label: &str) -> usize {
    let mut words = label.split(' ');
    match words.next() {
        Some("acked" | "failed") => words.next().and_then(|n| n.parse().ok()).unwrap_or(0),
        _ => 0,
    }
}

fn difference(
    track: &Track,
    real: &[Vec<(i64, String)>],
    model: &[(i64, String)],
) -> Option<String> {
    let labels = |steps: &[(i64, String)]| -> Vec<String> {
        steps.iter().map(|(_, label)| label.clone()).collect()
    };
    let fitting: Vec<_> = real.iter().filter(|play| labels(play) == labels(model)).collect();
    if fitting.is_empty() {
        return Some(format!("{}: {}", track.name, first_difference(&real[0], model)));
    }
    if !track.is_timed {
        return None;
    }
    for (index, (at, label)) in model.iter().enumerate() {
        let times = || fitting.iter().map(|play| play[index].0);
        let (least, most) = (times().min()?, times().max()?);
        let slack = TOLERANCE + (most - least);
        if *at < least - slack || *at > most + slack {
            return Some(format!("{}: {label} at {at} ms, really at {least} ms", track.name));
        }
    }
    None
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
fn metadata(plays: &[&[Entry]], model: &[Entry]) -> Option<String> {
    let count = |entries: &[Entry]| entries.iter().filter(|e| e.word == "metadata").count();
    let own = count(model);
    let fits = |real: usize| own.abs_diff(real) <= METADATA.0 + real * METADATA.1 / 100;
    let real: Vec<usize> = plays.iter().map(|entries| count(entries)).collect();
    let is_met = real.iter().any(|n| fits(*n));
    (!is_met).then(|| format!("metadata: asked {own} times, really {real:?} times"))
}
