//! Scenarios that nobody thought of: `cargo xtask real --random N --seed S`.
//!
//! Times are far enough apart for a real cluster's own to fall on the same side of them, and every
//! producer has a topic of its own, so that only what clients do is left to differ.

use fastrand::Rng;
use highwater_core::settings::Release;
use std::fmt::Write;

/// When faults begin, and how far apart they are, in milliseconds.
const FIRST_FAULT: u64 = 4000;
const APART: u64 = 4500;
/// How long clients have after the last fault.
const REST: u64 = 5000;

const PRODUCERS: usize = 4;
const FAULTS: u64 = 2;

/// What a producer is like; each line is drawn from with others.
const ACKS: [&str; 5] = [
    "acks=all enable.idempotence=true",
    "acks=all enable.idempotence=true max.in.flight.requests.per.connection=1",
    "acks=all enable.idempotence=false",
    "acks=1 enable.idempotence=false",
    "acks=0 enable.idempotence=false",
];
const LIMITS: [&str; 4] = [
    "",
    " request.timeout.ms=1000",
    " request.timeout.ms=800 delivery.timeout.ms=2000 linger.ms=0",
    " request.timeout.ms=1500 retry.backoff.ms=300",
];
const RETRIES: [&str; 4] = ["", "", " retries=1", " retries=3"];
const COMMITS: [&str; 4] = ["commit=after", "commit=before", "commit=async", "commit=auto"];

/// The script of one seed.
pub fn script(seed: u64, release: Release) -> String {
    let mut rng = Rng::with_seed(seed);
    let mut text = String::new();
    let session = match release {
        Release::V2_8 => "zookeeper.session.timeout.ms=4000",
        _ => "broker.session.timeout.ms=3000 broker.heartbeat.interval.ms=500",
    };
    write!(
        text,
        "highwater 1\nkafka {release}\nbrokers 3\n\
         set {session} offsets.topic.num.partitions=1\ntopic __consumer_offsets assignment=3\n"
    )
    .expect("room");
    clients(&mut text, &mut rng);
    let end = faults(&mut text, &mut rng) + REST;
    let mut times: Vec<u64> = (0..5).map(|_| rng.u64(25..(end - 2000) / 100) * 100).collect();
    times.push(2000);
    times.push(end - 2000);
    times.sort_unstable();
    for (number, at) in times.iter().enumerate() {
        for producer in 1..=PRODUCERS {
            let at = at + rng.u64(0..3) * 50;
            writeln!(text, "at {at}ms send p{producer} \"{producer}.{number}\"").expect("room");
        }
    }
    writeln!(text, "until {end}ms").expect("room");
    text
}

fn clients(text: &mut String, rng: &mut Rng) {
    for number in 1..=PRODUCERS {
        let replicas = ["1", "1,2", "2,1", "1,2"][rng.usize(0..4)];
        writeln!(text, "topic t{number} assignment={replicas}").expect("room");
    }
    for number in 1..=PRODUCERS {
        let acks = ACKS[rng.usize(0..ACKS.len())];
        let limits = LIMITS[rng.usize(0..LIMITS.len())];
        let is_idempotent = acks.contains("idempotence=true");
        let retries = if is_idempotent { "" } else { RETRIES[rng.usize(0..RETRIES.len())] };
        writeln!(text, "producer p{number} topic=t{number} {acks}{limits}{retries}").expect("room");
    }
    let commit = COMMITS[rng.usize(0..COMMITS.len())];
    let reset = "auto.offset.reset=earliest";
    writeln!(text, "consumer c1 topic=t1 {reset}").expect("room");
    writeln!(text, "consumer c2 topic=t2 group=g {commit} {reset}").expect("room");
}

/// Writes the faults, and says when the last one is over.
fn faults(text: &mut String, rng: &mut Rng) -> u64 {
    let mut is_down = [false; 3];
    let mut at = FIRST_FAULT;
    for _ in 0..FAULTS {
        at += rng.u64(0..10) * 100;
        let broker = rng.usize(1..3);
        match rng.u8(0..6) {
            _ if is_down[broker] => {
                writeln!(text, "at {at}ms start {broker}").expect("room");
                is_down[broker] = false;
                at += APART;
            }
            0 | 1 => {
                writeln!(text, "at {at}ms crash {broker}").expect("room");
                is_down[broker] = true;
            }
            2 => {
                writeln!(text, "at {at}ms stop {broker}").expect("room");
                is_down[broker] = true;
            }
            3 | 4 => {
                let until = at + [1200, 2100, 6000][rng.usize(0..3)];
                writeln!(text, "at {at}ms pause {broker}").expect("room");
                writeln!(text, "at {until}ms resume {broker}").expect("room");
                at = until;
            }
            _ => {
                let topic = rng.usize(1..=PRODUCERS);
                let to = ["2", "1,2", "2,1", "3"][rng.usize(0..4)];
                writeln!(text, "at {at}ms reassign t{topic}/0 {to}").expect("room");
            }
        }
        at += APART;
    }
    at
}
