//! What real clients did beside what the model's did.

use crate::fidelity::clients::entry::{Entry, Log};
use std::fmt::Write;

/// Words that make most of a log and say little: they are compared, not shown.
const FOLDED: [&str; 4] = ["fetch", "heartbeat", "connect", "lost"];

/// Two columns for each client, in the order of time.
pub fn side_by_side(real: &Log, model: &Log) -> String {
    let mut out = String::new();
    for (client, entries) in real {
        let own = model.get(client).map_or(&[][..], Vec::as_slice);
        writeln!(out, "{client:<52}  the model").expect("room");
        let (mut left, mut right) = (shown(entries).into_iter(), shown(own).into_iter());
        loop {
            let (a, b) = (left.next(), right.next());
            if a.is_none() && b.is_none() {
                break;
            }
            let (a, b) = (a.unwrap_or_default(), b.unwrap_or_default());
            writeln!(out, "{a:<52}  {b}").expect("room");
        }
    }
    out
}

fn shown(entries: &[Entry]) -> Vec<String> {
    let told = entries.iter().filter(|e| !FOLDED.contains(&e.word.as_str()));
    told.map(|e| format!("{:>7} {} {} {}", e.at, e.word, e.of, e.outcome)).collect()
}
