//! What holds for every script: the same script gives the same history however it is driven, and
//! Kafka's invariants (section 11.1 of docs/protocol.md) survive random faults.
//!
//! A failure prints its script; that is all it takes to look into it.

use highwater_core::audit::{PROPERTIES, PropertyKind};
use highwater_core::script;
use highwater_core::sim::{Moment, Timeline};
use highwater_core::words::{BrokerId, Micros, PartitionId, Rng};
use std::fmt::Write;

/// How many random scripts the large tests play.
const SEEDS: u64 = 400;
/// When the faults of a random script are over, and when what is down is started.
const FAULTS_END: Micros = Micros::from_secs(60);
/// When it is left alone.
const END: Micros = Micros::from_secs(90);
/// Not held here: I2 is about single crashes only, I7 about logs that lose nothing.
const INVARIANTS: &[&str] = &["I1", "I3", "I4", "I5", "I6"];
/// What is left when logs may be lost and reassignments leave foreign ids in ELR (A31).
const ROUGH_INVARIANTS: &[&str] = &["I3", "I5", "I6"];

/// Writes a script of random faults; the same seed, the same script.
struct Author {
    kind: Faults,
    rng: Rng,
    text: String,
    brokers: u64,
    states: Vec<State>,
    controller_is_up: bool,
}

/// What may happen in a script.
#[derive(Clone, Copy, PartialEq)]
enum Faults {
    /// Nothing that takes a byte from a disk, and no unclean election.
    Gentle,
    /// Power losses, wiped disks, unclean elections and reassignments too.
    Rough,
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    Up,
    Down,
    Paused,
}

impl Author {
    fn script(kind: Faults, seed: u64) -> String {
        let mut rng = Rng::new(seed);
        let brokers = 3 + rng.below(3);
        let states = vec![State::Up; brokers as usize];
        let mut author =
            Author { kind, rng, text: String::new(), brokers, states, controller_is_up: true };
        author.cluster(seed);
        author.message_faults();
        author.faults();
        author.healing();
        author.text
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.rng.below(bound)
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.rng.below(from.len() as u64) as usize]
    }

    fn line(&mut self, line: impl std::fmt::Display) {
        writeln!(self.text, "{line}").expect("room for it");
    }

    fn cluster(&mut self, seed: u64) {
        let brokers = self.brokers;
        let replicas = self.pick(&[2, 3, 3]);
        let (partitions, min_isr) = (1 + self.below(3), 1 + self.below(2));
        let (elr, latency, jitter) = (self.below(2), 1 + self.below(20), self.below(5));
        let lag = self.pick(&[2_000, 5_000, 30_000]);
        let acks = self.pick(&["0", "1", "all"]);
        self.line(format_args!("highwater 1\nkafka 4.4\nseed {seed}\nbrokers {brokers}"));
        self.line(format_args!(
            "set replica.lag.time.max.ms={lag} eligible.leader.replicas.version={elr}"
        ));
        self.line(format_args!("network latency={latency}ms jitter={jitter}ms"));
        self.line(format_args!(
            "topic orders partitions={partitions} replicas={replicas} min.insync.replicas={min_isr}"
        ));
        self.line("producer p1 topic=orders acks=all every=150ms until=60s");
        self.line(format_args!(
            "producer p2 topic=orders acks={acks} every=310ms keys=5 until=60s"
        ));
        self.line("consumer c1 topic=orders");
    }

    /// Some name messages that never come by: a script may say so.
    fn message_faults(&mut self) {
        let kinds = ["fetch", "fetch-response", "alter-partition", "alter-partition-response"];
        for _ in 0..self.below(4) {
            let (what, ordinal) = (self.pick(&["drop", "delay", "duplicate"]), 1 + self.below(100));
            let kind = self.pick(&kinds);
            let (a, b) = (1 + self.below(self.brokers), 1 + self.below(self.brokers));
            let to =
                if kind.starts_with("alter") { "controller".to_owned() } else { b.to_string() };
            let (from, to) = match kind.ends_with("response") {
                true => (to, a.to_string()),
                false => (a.to_string(), to),
            };
            if from != to {
                let by = if what == "delay" { " by 700ms" } else { "" };
                self.line(format_args!("{what} {kind} {from}>{to} #{ordinal}{by}"));
            }
        }
    }

    fn faults(&mut self) {
        let mut at = 1_500;
        while at < FAULTS_END.0 / 1_000 - 5_000 {
            let rough = self.kind == Faults::Rough && self.below(3) == 0;
            let fault = if rough { self.rough_fault() } else { self.fault() };
            self.line(format_args!("at {at}ms {fault}"));
            at += self.below(4_000);
        }
    }

    fn fault(&mut self) -> String {
        let broker = 1 + self.below(self.brokers);
        let state = &mut self.states[broker as usize - 1];
        match (self.rng.below(12), *state) {
            (0 | 1, State::Up) => {
                *state = State::Down;
                format!("crash {broker}")
            }
            (2, State::Up) => {
                *state = State::Down;
                format!("stop {broker}")
            }
            (3 | 4, State::Up) => {
                *state = State::Paused;
                format!("pause {broker}")
            }
            (0..=5, State::Down) => {
                *state = State::Up;
                format!("start {broker}")
            }
            (0..=5, State::Paused) => {
                *state = State::Up;
                format!("resume {broker}")
            }
            (6 | 7, _) => format!("cut {}", self.link(broker)),
            (8, _) => "heal all".to_owned(),
            (9, _) => format!("slow {} {}ms", self.link(broker), 20 + self.below(800)),
            (10, _) => format!("disk {broker} {}ms", self.below(2_000)),
            (11, _) if self.below(2) == 0 => {
                self.controller_is_up = !self.controller_is_up;
                let verb = if self.controller_is_up { "start" } else { "crash" };
                format!("{verb} controller")
            }
            _ => "elect preferred orders/0".to_owned(),
        }
    }

    fn rough_fault(&mut self) -> String {
        let broker = 1 + self.below(self.brokers);
        let state = &mut self.states[broker as usize - 1];
        match (self.rng.below(6), *state) {
            (0 | 1, State::Up) => {
                *state = State::Down;
                format!("power-off {broker} lose={}", self.pick(&["all", "seeded"]))
            }
            (0, State::Down) => format!("wipe {broker}"),
            (1, State::Down) => format!("lose {broker} orders/0 from={}", self.below(40)),
            (2, _) => "elect unclean orders/0".to_owned(),
            (3, _) => {
                let on = self.pick(&["true", "false"]);
                format!("set topic orders unclean.leader.election.enable={on}")
            }
            // No change of min.insync.replicas: it clears ELR and last known leader (R5.24), and a
            // partition that has no leader then may never get one.
            _ => {
                let other = 1 + broker % self.brokers;
                format!("reassign orders/0 {broker},{other}")
            }
        }
    }

    /// A link of `broker`, in one direction or both.
    fn link(&mut self, broker: u64) -> String {
        let sign = self.pick(&["-", ">"]);
        match 1 + self.below(self.brokers + 2) {
            peer if peer == broker || peer > self.brokers + 1 => format!("p1{sign}{broker}"),
            peer if peer > self.brokers => format!("{broker}{sign}controller"),
            peer => format!("{broker}{sign}{peer}"),
        }
    }

    fn healing(&mut self) {
        let end = FAULTS_END;
        self.line(format_args!("at {end} heal all"));
        if !self.controller_is_up {
            self.line(format_args!("at {end} start controller"));
        }
        for a in 1..=self.brokers {
            self.line(format_args!("at {end} disk {a} 0"));
            for b in (a + 1..=self.brokers)
                .map(|b| b.to_string())
                .chain(["controller", "p1"].map(str::to_owned))
            {
                self.line(format_args!("at {end} slow {a}-{b} default"));
            }
            if self.states[a as usize - 1] == State::Paused {
                self.line(format_args!("at {end} resume {a}"));
            }
            // Whoever it is: a clean stop that nobody answered for long may end only now.
            self.line(format_args!("at {}s start {a}", end.0 / 1_000_000 + 15));
        }
        self.line(format_args!("until {END}"));
    }
}

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

/// Every replica of every partition is in the ISR and has the leader's log.
fn assert_whole(timeline: &Timeline, text: &str) {
    let world = timeline.world();
    let image = world.controller().image();
    for (index, state) in image.partitions.iter().enumerate() {
        let id = PartitionId(index as u32);
        let name = world.partition_name(id);
        let leader = state.leader.unwrap_or_else(|| panic!("{name} has no leader\n{text}"));
        assert_eq!(state.isr.len(), state.replicas.len(), "ISR of {name}: {:?}\n{text}", state.isr);
        let log = |broker: BrokerId| {
            let replica =
                world.broker(broker).and_then(|b| b.replicas.get(&id)).expect("its replica");
            replica.log.batches().cloned().collect::<Vec<_>>()
        };
        for follower in state.replicas.iter() {
            assert!(
                log(*follower) == log(leader),
                "{name}: {follower:?} is not {leader:?}\n{text}"
            );
        }
    }
}

fn assert_sound(kind: Faults, invariants: &[&str], seeds: u64) {
    for seed in 0..seeds {
        let text = Author::script(kind, seed);
        let mut timeline = played(&text);
        assert_invariants(invariants, &timeline, &text);
        assert!(timeline.settle(), "seed {seed} does not settle\n{text}");
        assert_invariants(invariants, &timeline, &text);
        assert_whole(&timeline, &text);
    }
}

#[test]
fn invariants_survive_random_faults_and_all_comes_to_rest() {
    assert_sound(Faults::Gentle, INVARIANTS, SEEDS);
}

#[test]
fn even_rough_faults_come_to_rest() {
    assert_sound(Faults::Rough, ROUGH_INVARIANTS, SEEDS);
}

#[test]
fn random_faults_are_worth_the_name() {
    let mut seen = [false; PROPERTIES.len()];
    for seed in 0..20 {
        let timeline = played(&Author::script(Faults::Gentle, seed));
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
        let text = Author::script(Faults::Gentle, seed);
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
        let text = Author::script(Faults::Gentle, seed);
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
        let text = Author::script(Faults::Gentle, seed);
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
    let text = Author::script(Faults::Rough, 3);
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
