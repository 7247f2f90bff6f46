//! What holds for every script: the same script gives the same history however it is driven, and
//! Kafka's invariants (section 11.1 of docs/protocol.md) survive random faults.
//!
//! A failure prints its script; that is all it takes to look into it.

mod random_faults;

use highwater_core::audit::{PROPERTIES, PropertyKind};
use highwater_core::script;
use highwater_core::settings::Release;
use highwater_core::sim::{Moment, Timeline};
use highwater_core::words::{BrokerId, Micros, PartitionId, Rng};
use random_faults::{Author, Cluster, END, Faults};

/// How many random scripts the large tests play.
const SEEDS: u64 = 400;
/// Not held here: I2 is about single crashes only, I7 about logs that lose nothing.
const INVARIANTS: &[&str] = &["I1", "I3", "I4", "I5", "I6"];
/// What is left when logs may be lost and reassignments leave foreign ids in ELR (A31).
const ROUGH_INVARIANTS: &[&str] = &["I3", "I5", "I6"];

fn timeline(text: &str) -> Timeline {
    let parsed = script::parse(text).unwrap_or_else(|errors| panic!("{}\n{text}", errors[0]));
    Timeline::new(parsed).unwrap_or_else(|error| panic!("{error:?}\n{text}"))
}

fn played(text: &str) -> Timeline {
    let mut timeline = timeline(text);
    timeline.run_until(timeline.end());
    timeline
}

fn assert_invariants(invariants: &[&str], timeline: &Timeline, text: &str) {
    let all = PROPERTIES.iter().zip(timeline.world().audit().properties());
    for (property, state) in all.filter(|(p, _)| invariants.contains(&p.id)) {
        assert_eq!(property.kind, PropertyKind::Always);
        let broken = state.decided_by.map(|id| timeline.tape().event(id));
        assert!(broken.is_none(), "{} broken by {broken:?}\n{text}", property.id);
    }
}

/// Every replica of every partition is in the ISR and has the leader's log; where releases cut by HW
/// or by KIP-101, one of its length (A2, A3).
fn assert_whole(timeline: &Timeline, text: &str) {
    let world = timeline.world();
    let alike = !matches!(world.release(), Release::V0_8_2 | Release::V0_11);
    let image = world.controller().image();
    for (index, state) in image.partitions.iter().enumerate() {
        let id = PartitionId(index as u32);
        let name = world.partition_name(id);
        let leader = state.leader.unwrap_or_else(|| panic!("{name} has no leader\n{text}"));
        assert_eq!(state.isr.len(), state.replicas.len(), "ISR of {name}: {:?}\n{text}", state.isr);
        let log = |broker: BrokerId| {
            let replica =
                world.broker(broker).and_then(|b| b.replicas.get(&id)).expect("its replica");
            &replica.log
        };
        for follower in state.replicas.iter() {
            let (own, leaders) = (log(*follower), log(leader));
            let equal = !alike || own.batches().eq(leaders.batches());
            assert!(
                own.end() == leaders.end() && equal,
                "{name}: {follower:?} is not {leader:?}\n{text}"
            );
        }
    }
}

/// Today's release, with and without ELR.
fn today(faults: Faults) -> Cluster {
    Cluster { release: Release::V4_4, elr: None, rules: "", faults, moves: false }
}

fn assert_sound(cluster: Cluster, invariants: &[&str], seeds: u64) {
    for seed in 0..seeds {
        let text = Author::script(cluster, seed);
        let mut timeline = played(&text);
        assert_invariants(invariants, &timeline, &text);
        assert!(timeline.settle(), "seed {seed} does not settle\n{text}");
        assert_invariants(invariants, &timeline, &text);
        assert_whole(&timeline, &text);
    }
}

#[test]
fn invariants_survive_random_faults_and_all_comes_to_rest() {
    assert_sound(today(Faults::Gentle), INVARIANTS, SEEDS);
}

#[test]
fn even_rough_faults_come_to_rest() {
    assert_sound(today(Faults::Rough), ROUGH_INVARIANTS, SEEDS);
    assert_sound(today(Faults::OneLoses), ROUGH_INVARIANTS, SEEDS / 8);
    assert_sound(today(Faults::Hasty), INVARIANTS, SEEDS / 8);
}

/// What holds in a release whatever its known faults (section 11.1): logs may differ in those that
/// truncate to the HW or by KIP-101.
#[test]
fn older_releases_come_to_rest_too() {
    for (release, invariants) in [
        (Release::V0_8_2, &["I3", "I4", "I6"] as &[&str]),
        (Release::V0_11, &["I3", "I4", "I6"]),
        (Release::V2_8, &["I1", "I3", "I4", "I5", "I6"]),
        (Release::V3_9, INVARIANTS),
        (Release::V4_1, INVARIANTS),
    ] {
        let cluster = Cluster { release, ..today(Faults::Gentle) };
        assert_sound(cluster, invariants, SEEDS / 4);
    }
}

/// The script with two members of a group that commit in different ways, and clients that die.
fn with_a_group(text: &str, release: Release) -> String {
    let second = match release {
        Release::V0_8_2 => "consumer c2 topic=orders group=g2 commit=before",
        _ => "consumer c2 topic=orders group=g1 session.timeout.ms=6000",
    };
    let lines = format!(
        "consumer c1 topic=orders group=g1 commit=after\n{second}\n\
         at 20s crash c2\nat 24s start c2\nat 33s crash p1\nat 35s start p1\n\
         at 40s stop c1\nat 41s start c1"
    );
    assert!(text.contains("consumer c1 topic=orders\n"), "{text}");
    text.replacen("consumer c1 topic=orders", &lines, 1)
}

/// No loop without a timer, whoever is down: events of the simulation are bounded, whatever a client
/// waits for.
#[test]
fn nothing_spins_under_random_faults() {
    const WINDOW: Micros = Micros::from_ms(100);
    const MOST: u32 = 1_000;
    for release in Release::ALL {
        for seed in 0..SEEDS / 16 {
            let faults = if release == Release::V4_4 { Faults::Rough } else { Faults::Gentle };
            let cluster = Cluster { release, ..today(faults) };
            let text = with_a_group(&Author::script(cluster, seed), release);
            let mut timeline = timeline(&text);
            while timeline.world().now() < timeline.end() {
                let (at, before) = (timeline.world().now(), timeline.world().steps());
                timeline.run_until(at + WINDOW);
                let steps = timeline.world().steps() - before;
                assert!(steps <= MOST, "{steps} events in {WINDOW} after {at}\n{text}");
            }
        }
    }
}

#[test]
fn random_faults_are_worth_the_name() {
    let mut seen = [false; PROPERTIES.len()];
    for seed in 0..20 {
        let timeline = played(&Author::script(today(Faults::Gentle), seed));
        for (seen, state) in seen.iter_mut().zip(timeline.world().audit().properties()) {
            *seen |= state.decided_by.is_some();
        }
    }
    for (property, seen) in PROPERTIES.iter().zip(seen) {
        assert!(seen || property.kind == PropertyKind::Always, "{} never happens", property.id);
    }
}

#[test]
fn the_same_script_gives_the_same_history() {
    for seed in 0..20 {
        let text = Author::script(today(Faults::Gentle), seed);
        let (one, other) = (played(&text), played(&text));
        assert_eq!(one.world().fingerprint(), other.world().fingerprint(), "{text}");
        assert!(one.tape().events() == other.tape().events(), "{text}");
        let printed = script::print(&script::parse(&text).expect("parsed before"));
        assert_eq!(one.world().fingerprint(), played(&printed).world().fingerprint(), "{text}");
    }
}

#[test]
fn seeking_is_playing() {
    for seed in 0..15 {
        let text = Author::script(today(Faults::Gentle), seed);
        let mut rng = Rng::new(seed);
        let mut moments: Vec<u64> = (0..25).map(|_| rng.below(END.0)).collect();
        moments.sort_unstable();
        let mut straight = timeline(&text);
        let expected: Vec<String> = moments
            .iter()
            .map(|at| {
                straight.run_until(Micros(*at));
                straight.world().fingerprint()
            })
            .collect();
        let mut sought = timeline(&text);
        for _ in 0..40 {
            let place = rng.below(moments.len() as u64) as usize;
            sought.seek(Moment { at: Micros(moments[place]), index: None });
            assert_eq!(
                sought.world().fingerprint(),
                expected[place],
                "at {} us\n{text}",
                moments[place]
            );
        }
    }
}

#[test]
fn stepping_back_undoes_steps() {
    for seed in 0..10 {
        let text = Author::script(today(Faults::Gentle), seed);
        let mut timeline = timeline(&text);
        timeline.run_until(Micros::from_secs(20));
        let mut trail = Vec::new();
        for _ in 0..60 {
            let now = timeline.moment();
            trail.push((now, timeline.world().steps(), timeline.world().fingerprint()));
            assert!(timeline.step());
        }
        for (moment, steps, fingerprint) in trail.into_iter().rev() {
            assert!(timeline.step_back());
            assert_eq!(timeline.world().steps(), steps);
            assert_eq!(timeline.world().fingerprint(), fingerprint, "back to {moment:?}\n{text}");
        }
    }
}

#[test]
fn a_moment_is_a_time_and_an_index() {
    let text = Author::script(today(Faults::Rough), 3);
    let mut timeline = timeline(&text);
    timeline.run_until(Micros::from_secs(12));
    for _ in 0..50 {
        assert!(timeline.step());
        let (moment, fingerprint) = (timeline.moment(), timeline.world().fingerprint());
        timeline.seek(Moment { at: Micros::from_secs(3), index: None });
        timeline.seek(moment);
        assert_eq!(timeline.world().fingerprint(), fingerprint, "{moment:?}");
    }
}
