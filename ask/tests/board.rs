//! The board against the simulation: what it says of a cluster is what happens when it is played.

use highwater_ask::board::{Assumed, Blow, Board, Row, board};
use highwater_ask::config::check;
use highwater_ask::describe::read;
use highwater_core::observe::describe::topic;
use highwater_core::script;
use highwater_core::settings::Release;
use highwater_core::sim::Timeline;
use highwater_core::words::Micros;
use proptest::prelude::*;
use std::fmt::Write;

/// A cluster that is drawn: partitions with their replicas, and brokers that are down in it.
#[derive(Clone, Debug)]
struct Drawn {
    release: Release,
    partitions: Vec<Vec<u32>>,
    min_isr: u32,
    unclean: bool,
    down: Vec<u32>,
}

const BROKERS: u32 = 6;

fn drawn() -> impl Strategy<Value = Drawn> {
    let ids: Vec<u32> = (2..=BROKERS).collect();
    let of = ids.clone();
    let partitions = (1usize..=3).prop_flat_map(move |factor| {
        let replicas = prop::sample::subsequence(of.clone(), factor).prop_shuffle();
        prop::collection::vec(replicas, 1..6)
    });
    let down = prop::sample::subsequence(ids, 0..=2);
    let release = prop::sample::select(Release::ALL.to_vec());
    (release, partitions, 1u32..=3, any::<bool>(), down).prop_map(
        |(release, partitions, min_isr, unclean, down)| Drawn {
            release,
            partitions,
            min_isr,
            unclean,
            down,
        },
    )
}

impl Drawn {
    /// Its script up to where it has come to rest; broker 1 has no replicas, so that a ZooKeeper
    /// cluster keeps its controller.
    fn script(&self) -> String {
        let placed: Vec<String> = self.partitions.iter().map(|r| list(r)).collect();
        let mut text = format!(
            "highwater 1\nkafka {}\nbrokers {BROKERS}\n\
             set auto.leader.rebalance.enable=false\n\
             topic t assignment={} min.insync.replicas={} unclean.leader.election.enable={}\n",
            self.release,
            placed.join(";"),
            self.min_isr,
            self.unclean,
        );
        for broker in &self.down {
            let _ = writeln!(text, "at 5s crash {broker}");
        }
        text
    }
}

fn list(ids: &[u32]) -> String {
    ids.iter().map(u32::to_string).collect::<Vec<_>>().join(",")
}

/// When a cluster has come to rest, and when a blow has been digested: longer than a session and
/// than a follower may lag.
const AT_REST: u64 = 100;
const DIGESTED: u64 = 200;

fn played(text: &str, until: u64) -> Timeline {
    let script = script::parse(text).unwrap_or_else(|e| panic!("{}\n{text}", e[0]));
    let mut timeline = Timeline::new(script).expect("a cluster");
    timeline.run_until(Micros::from_secs(until));
    timeline
}

fn described(timeline: &Timeline) -> String {
    topic(timeline.world(), "t").expect("the topic")
}

fn ask(text: &str, release: Release) -> Board {
    let assumed = Assumed { min_isr: 1, ..Assumed::default() };
    board(&read(text), release, &assumed).expect("a cluster")
}

/// Partitions without a leader, and those that have one and refuse acks=all.
fn seen(timeline: &Timeline, drawn: &Drawn) -> (Vec<u32>, Vec<u32>) {
    let read = read(&described(timeline));
    let capped = drawn.release >= Release::V3_9;
    let (mut leaderless, mut refusing) = (Vec::new(), Vec::new());
    for partition in &read.partitions {
        let replicas = partition.replicas.len() as u32;
        let min = if capped { drawn.min_isr.min(replicas) } else { drawn.min_isr };
        let isr = partition.isr.as_ref().map_or(0, Vec::len) as u32;
        if partition.leader.is_none() {
            leaderless.push(partition.partition);
        } else if isr < min {
            refusing.push(partition.partition);
        }
    }
    (leaderless, refusing)
}

/// What a row says is what comes out.
fn compare(drawn: &Drawn, before: &Timeline, row: &Row, blow: Blow) -> Result<(), String> {
    let mut text = drawn.script();
    // The controller and then the brokers, at once.
    for broker in &row.brokers {
        let what = match blow {
            Blow::Stop => "stop",
            Blow::Crash => "crash",
            Blow::PowerLoss => "power-off",
        };
        let _ = writeln!(text, "at {AT_REST}s {what} {broker}");
    }
    let after = played(&text, DIGESTED);
    let ((was_out, was_refusing), (out, refusing)) = (seen(before, drawn), seen(&after, drawn));
    let new = |now: &[u32], before: &[u32]| now.iter().filter(|p| !before.contains(p)).count();
    let fate = &row.fates[Blow::ALL.iter().position(|b| *b == blow).unwrap_or(0)];
    let came = (new(&out, &was_out), new(&refusing, &[was_refusing, was_out].concat()));
    let said = (fate.leaderless as usize, fate.refused as usize);
    if came == said {
        return Ok(());
    }
    Err(format!(
        "{blow:?} of {:?}: leaderless, refusing are {came:?}, said {said:?}\n{text}before\n{}after\n{}",
        row.brokers,
        described(before),
        described(&after)
    ))
}

/// New cases in each run; `BOARD_CASES` says how many.
fn config(cases: u32) -> ProptestConfig {
    let cases = std::env::var("BOARD_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(cases);
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

#[test]
fn what_the_board_says_of_random_clusters_comes_out() {
    let config = config(1_000);
    proptest!(config, |(drawn in drawn(), pick in any::<prop::sample::Index>(), how in 0usize..3)| {
        let before = played(&drawn.script(), AT_REST);
        let board = ask(&described(&before), drawn.release);
        let rows: Vec<&Row> = board.singles.iter().chain(&board.pairs).collect();
        prop_assume!(!rows.is_empty());
        let row = rows[pick.index(rows.len())];
        if let Err(error) = compare(&drawn, &before, row, Blow::ALL[how]) {
            prop_assert!(false, "{error}");
        }
    });
}

#[test]
fn acknowledged_records_are_lost_only_where_the_board_says_so() {
    let lost_somewhere = core::cell::Cell::new(false);
    proptest!(config(300), |(drawn in drawn(), pick in any::<prop::sample::Index>(), how in 0usize..3)| {
        let retries = if drawn.release < Release::V2_8 { " retries=100" } else { "" };
        let writes = format!("producer p1 topic=t every=200ms until=90s acks=all{retries}\n");
        let script = drawn.script() + &writes;
        let before = played(&script, AT_REST);
        let board = ask(&described(&before), drawn.release);
        let rows: Vec<&Row> = board.singles.iter().chain(&board.pairs).collect();
        prop_assume!(!rows.is_empty());
        let (row, blow) = (rows[pick.index(rows.len())], ["stop", "crash", "power-off"][how]);
        let mut text = script;
        for broker in &row.brokers {
            let _ = writeln!(text, "at {AT_REST}s {blow} {broker}");
        }
        for broker in &row.brokers {
            let _ = writeln!(text, "at {DIGESTED}s start {broker}");
        }
        let lost = |t: &Timeline| t.world().audit().counts().acked_lost;
        let came = lost(&played(&text, 2 * DIGESTED)) > lost(&before);
        lost_somewhere.set(lost_somewhere.get() || came);
        let said = row.fates[how].may_lose > 0;
        prop_assert!(!came || said, "{blow} {:?} loses\n{text}{}", row.brokers, described(&before));
    });
    assert!(lost_somewhere.get(), "nothing was ever lost");
}

#[test]
fn fifty_brokers_and_a_thousand_partitions_are_asked_at_once() {
    let mut text = String::new();
    for partition in 0u32..1_000 {
        let at = |n: u32| 1 + (partition * 7 + n * (1 + partition % 5)) % 50;
        let _ = writeln!(
            text,
            "\tTopic: t\tPartition: {partition}\tLeader: {}\tReplicas: {},{},{}\tIsr: {},{},{}",
            at(0),
            at(0),
            at(1),
            at(2),
            at(0),
            at(1),
            at(2)
        );
    }
    let read = read(&text);
    assert_eq!(read.partitions.len(), 1_000);
    let assumed = Assumed { min_isr: 2, ..Assumed::default() };
    let board = board(&read, Release::V4_1, &assumed).expect("a cluster");
    assert_eq!((board.singles.len(), board.rolling.order.len()), (50, 50));
    assert!(board.singles.iter().all(|row| row.fates.iter().all(|f| f.is_harmless())));
    assert!(!board.pairs.is_empty(), "two of three replicas at once are too many");
}

#[test]
fn what_a_description_leaves_open_comes_from_the_brokers_settings_or_the_release() {
    let assumed = |settings: &str, racks: &str, release| {
        let assumed = Assumed::of(&check(settings, release).units, racks, release);
        let Assumed { min_isr, min_isr_given, unclean, racks, unread_racks } = assumed;
        format!("{min_isr} {min_isr_given} {unclean} {racks:?} {unread_racks:?}")
    };
    let server = "node.id=3\nbroker.rack=b\nlog.dirs=/d\nmin.insync.replicas=2\n";
    for (settings, racks, release, expected) in [
        // Only a topic's own value counts there (R2.7), and unclean elections are on (R5.11).
        (server, "", Release::V0_8_2, "1 false true [(\"b\", [3])] []"),
        (server, "", Release::V2_8, "2 true false [(\"b\", [3])] []"),
        (server, "a=1,2;b:4", Release::V4_4, "2 true false [(\"a\", [1, 2]), (\"b\", [4, 3])] []"),
        ("", "", Release::V0_11, "1 false false [] []"),
        ("", "a=1,x b =2 c", Release::V4_1, "1 false false [] [\"a=1,x\", \"b\", \"=2\", \"c\"]"),
    ] {
        assert_eq!(assumed(settings, racks, release), expected, "{release} {racks}");
    }
}
