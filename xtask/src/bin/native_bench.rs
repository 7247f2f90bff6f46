//! Runs a scenario natively and prints, as one line of JSON, how many events it has, how long they
//! took at best, the history's fingerprint, what share of the messages is work, and how fast the
//! explorer is.
//!
//! A program of its own, so that it is built as the wasm is: optimized.

use highwater_core::script;
use highwater_core::sim::Timeline;
use highwater_core::wire::{Body, MessageKind};
use highwater_core::words::Micros;
use highwater_explore::oracle::{Oracle, Protocol};
use highwater_explore::{Keep, Options, Search};
use std::collections::BTreeSet;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// The best of so many runs counts: what else the machine does only ever makes a run longer.
const RUNS: usize = 5;
/// The share of work is counted over so much of the scenario: looking at all messages after each
/// event is slow.
const LOOK_UNTIL: Micros = Micros(3_000_000);

fn main() -> ExitCode {
    match std::env::args().nth(1).ok_or_else(|| "which scenario?".to_owned()).and_then(measure) {
        Ok(line) => {
            println!("{line}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn measure(file: String) -> Result<String, String> {
    let text = std::fs::read_to_string(&file).map_err(|error| format!("{file}: {error}"))?;
    let mut best = Duration::MAX;
    let mut last = fresh(&text)?;
    for _ in 0..RUNS {
        last = fresh(&text)?;
        let start = Instant::now();
        last.run_until(last.end());
        best = best.min(start.elapsed());
    }
    let share = share_of_work(fresh(&text)?);
    let result = serde_json::json!({
        "events": last.world().steps(),
        "seconds": best.as_secs_f64(),
        "fingerprint": last.world().fingerprint(),
        "share": share,
        "explored_per_s": explored_per_s(),
    });
    Ok(result.to_string())
}

/// Distinct states a second of the explorer's yardstick.
fn explored_per_s() -> f64 {
    let options = Options { symmetric: false, wanted: 0, memory: 1 << 30, keep: Keep::States };
    let mut best = 0.0_f64;
    for _ in 0..RUNS {
        let oracle = Oracle::new(Protocol::Kip320, 3);
        let Ok(mut search) = Search::new(oracle, options) else { break };
        let start = Instant::now();
        while search.run(|_| true).is_none() {}
        best = best.max(search.progress().distinct as f64 / start.elapsed().as_secs_f64());
    }
    best
}

fn fresh(text: &str) -> Result<Timeline, String> {
    let parsed = script::parse(text).map_err(|errors| format!("{errors:?}"))?;
    Timeline::new(parsed).map_err(|error| format!("{error:?}"))
}

/// How many of the events are deliveries of produces with records, of fetches that bring some, and
/// of the answers to both.
fn share_of_work(mut timeline: Timeline) -> f64 {
    let mut seen = BTreeSet::new();
    let mut work = 0_u32;
    while timeline.world().now() < LOOK_UNTIL && timeline.step() {
        for flight in timeline.world().flights() {
            if seen.insert((flight.sent, flight.id)) {
                work += weight_of(flight.body);
            }
        }
    }
    f64::from(work) / f64::from(timeline.world().steps())
}

/// A fetch is known to bring records when its answer does: they count together.
fn weight_of(body: &Body) -> u32 {
    match body {
        Body::FetchResponse(parts) if parts.iter().any(|part| !part.batches.is_empty()) => 2,
        _ => u32::from(matches!(body.kind(), MessageKind::Produce | MessageKind::ProduceResponse)),
    }
}
