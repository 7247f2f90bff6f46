//! Scripts of random faults: the same cluster and seed, the same script.

use highwater_core::settings::{Key, Release};
use highwater_core::words::{Micros, Rng};
use std::fmt::Write;

/// When the faults of a random script are over, and when what is down is started.
pub const FAULTS_END: Micros = Micros::from_secs(60);
/// When it is left alone.
pub const END: Micros = Micros::from_secs(90);

/// The orders in which the replicas of a hasty script may be assigned.
const HASTY_REPLICAS: [&[&str]; 3] =
    [&["1,2", "2,1"], &["1,2,3", "2,3,1", "3,1,2"], &["1,2,3", "2,1,3"]];

/// Writes a script of random faults; the same seed, the same script.
pub struct Author {
    cluster: Cluster,
    rng: Rng,
    text: String,
    brokers: u64,
    states: Vec<State>,
    controller_is_up: bool,
}

/// What a script is about.
#[derive(Clone, Copy)]
pub struct Cluster {
    /// Its release.
    pub release: Release,
    /// Whether ELR is on, where the release has it; none: by the seed.
    pub elr: Option<bool>,
    /// Rules set against the release, as a script says them; empty: none.
    pub rules: &'static str,
    /// What may happen.
    pub faults: Faults,
    /// Whether a partition is moved, too.
    pub moves: bool,
}

/// What may happen in a script.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Faults {
    /// Nothing that takes a byte from a disk, and no unclean election.
    Gentle,
    /// Power losses, wiped disks, unclean elections and reassignments too.
    Rough,
    /// One broker loses power now and then, and what it had not flushed; the others stop cleanly.
    /// The minimum ISR is two.
    OneLoses,
    /// One leader follows another in no time, while the controller is slow to tell some of them
    /// and old leaders go on: what truncation protocols are made for.
    Hasty,
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    Up,
    Down,
    Paused,
}

impl Author {
    /// The script of that seed.
    pub fn script(cluster: Cluster, seed: u64) -> String {
        let mut rng = Rng::new(seed);
        let brokers = 3 + rng.below(3);
        let states = vec![State::Up; brokers as usize];
        let mut author =
            Author { cluster, rng, text: String::new(), brokers, states, controller_is_up: true };
        if cluster.faults == Faults::Hasty {
            author.hasty_cluster(seed);
        } else {
            author.cluster(seed);
            author.message_faults();
            author.faults();
        }
        author.healing();
        author.text
    }

    /// Who keeps the cluster's truth.
    fn coordinator(&self) -> String {
        let zookeeper = Key::ZookeeperSessionTimeoutMs.spec().default(self.cluster.release);
        if zookeeper.is_some() { "zookeeper" } else { "controller" }.to_owned()
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
        let min_isr = if self.cluster.faults == Faults::OneLoses { 2 } else { min_isr };
        let (elr, latency, jitter) = (self.below(2), 1 + self.below(20), self.below(5));
        let lag = self.pick(&[2_000, 5_000, 30_000]);
        let acks = self.pick(&["0", "1", "all"]);
        self.head(seed, elr);
        self.line(format_args!("brokers {brokers}"));
        self.line(format_args!("set replica.lag.time.max.ms={lag}"));
        self.line(format_args!("network latency={latency}ms jitter={jitter}ms"));
        self.line(format_args!(
            "topic orders partitions={partitions} replicas={replicas} min.insync.replicas={min_isr} \
             unclean.leader.election.enable=false"
        ));
        self.line("producer p1 topic=orders acks=all every=150ms until=60s");
        self.line(format_args!(
            "producer p2 topic=orders acks={acks} every=310ms keys=5 until=60s"
        ));
        self.line("consumer c1 topic=orders");
    }

    /// Release and rules, and what the whole cluster is set to.
    fn head(&mut self, seed: u64, elr: u64) {
        let Cluster { release, rules, .. } = self.cluster;
        self.line(format_args!("highwater 1\nkafka {release}\nseed {seed}"));
        if !rules.is_empty() {
            self.line(format_args!("rules {rules}"));
        }
        if self.coordinator() == "zookeeper" {
            // A clean stop that nobody answers is over before all is started again.
            self.line("set replica.socket.timeout.ms=3000 controlled.shutdown.max.retries=1");
        }
        if Key::EligibleLeaderReplicasVersion.spec().default(release).is_some() {
            let level = self.cluster.elr.map_or(elr, u64::from);
            self.line(format_args!("set eligible.leader.replicas.version={level}"));
        }
    }

    /// Replicas on up to three brokers. With ZooKeeper a fourth is the controller, to which nothing
    /// happens; deaths are noticed soon.
    fn hasty_cluster(&mut self, seed: u64) {
        self.brokers = 3;
        let replicas = self.pick(&HASTY_REPLICAS);
        let (elr, lag) = (self.below(2), self.pick(&[2_000, 10_000, 30_000]));
        self.head(seed, elr);
        if self.coordinator() == "zookeeper" {
            self.line("brokers 4\ncontroller 4\nset zookeeper.session.timeout.ms=1500");
        } else {
            self.line("brokers 3\nset broker.heartbeat.interval.ms=400");
            self.line("set broker.session.timeout.ms=1500");
        }
        self.line(format_args!("set replica.lag.time.max.ms={lag}"));
        self.line("network latency=2ms jitter=3ms");
        let first = replicas[0];
        self.line(format_args!("topic orders assignment={first} min.insync.replicas=1"));
        self.line("producer p1 topic=orders acks=1 every=40ms until=60s");
        self.line("producer p2 topic=orders acks=all every=150ms until=60s");
        self.line("consumer c1 topic=orders");
        self.hasty_faults(replicas);
    }

    fn hasty_faults(&mut self, replicas: &[&str]) {
        let mut at = 1_500;
        while at < FAULTS_END.0 / 1_000 - 5_000 {
            if self.below(3) == 0 {
                // Another leader while all are up: the preferred one changes.
                let order = self.pick(replicas);
                self.line(format_args!("at {at}ms reassign orders/0 {order}"));
                at += 50 + self.below(200);
                self.line(format_args!("at {at}ms elect preferred orders/0"));
            } else {
                let fault = self.hasty_fault();
                self.line(format_args!("at {at}ms {fault}"));
            }
            at += self.below(1_500);
        }
    }

    fn hasty_fault(&mut self) -> String {
        let (broker, other) = (1 + self.below(3), 1 + self.below(3));
        let teller = if self.coordinator() == "zookeeper" { "4" } else { "controller" };
        let state = &mut self.states[broker as usize - 1];
        match (self.rng.below(10), *state) {
            (0..=7, State::Down) => {
                *state = State::Up;
                format!("start {broker}")
            }
            (0 | 1, _) => {
                *state = State::Down;
                format!("crash {broker}")
            }
            (2, _) => {
                *state = State::Down;
                format!("stop {broker}")
            }
            (3 | 4, _) => format!("slow {teller}>{broker} {}ms", self.below(3_000)),
            (5, _) => format!("slow {teller}>{broker} default"),
            (6, _) if broker != other => format!("cut {broker}>{other}"),
            (7, _) => "heal all".to_owned(),
            _ => "elect preferred orders/0".to_owned(),
        }
    }

    /// Some name messages that never come by: a script may say so.
    fn message_faults(&mut self) {
        let kinds = ["fetch", "fetch-response", "alter-partition", "alter-partition-response"];
        for _ in 0..self.below(4) {
            let (what, ordinal) = (self.pick(&["drop", "delay", "duplicate"]), 1 + self.below(100));
            let kind = self.pick(&kinds);
            let (a, b) = (1 + self.below(self.brokers), 1 + self.below(self.brokers));
            let to = if kind.starts_with("alter") { self.coordinator() } else { b.to_string() };
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
            let rough = self.cluster.faults == Faults::Rough && self.below(3) == 0;
            let fault = if rough { self.rough_fault() } else { self.fault() };
            self.line(format_args!("at {at}ms {fault}"));
            at += self.below(4_000);
        }
        if self.cluster.moves {
            let (a, b) = (1 + self.below(self.brokers), self.below(self.brokers - 1));
            let b = 1 + (a + b) % self.brokers;
            self.line(format_args!("at 50s reassign orders/0 {a},{b}"));
        }
    }

    fn fault(&mut self) -> String {
        let broker = 1 + self.below(self.brokers);
        let state = &mut self.states[broker as usize - 1];
        let faults = self.cluster.faults;
        match (self.rng.below(12), *state) {
            (0 | 1, State::Up) => {
                *state = State::Down;
                match (faults, broker) {
                    (Faults::OneLoses, 1) => format!("power-off {broker} lose=all"),
                    (Faults::OneLoses, _) => format!("stop {broker}"),
                    _ => format!("crash {broker}"),
                }
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
                format!("{verb} {}", self.coordinator())
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
            peer if peer > self.brokers => format!("{broker}{sign}{}", self.coordinator()),
            peer => format!("{broker}{sign}{peer}"),
        }
    }

    fn healing(&mut self) {
        let end = FAULTS_END;
        self.line(format_args!("at {end} heal all"));
        if !self.controller_is_up {
            self.line(format_args!("at {end} start {}", self.coordinator()));
        }
        for a in 1..=self.brokers {
            self.line(format_args!("at {end} disk {a} 0"));
            if self.cluster.faults == Faults::Hasty && self.coordinator() == "zookeeper" {
                self.line(format_args!("at {end} slow {a}-4 default"));
            }
            for b in (a + 1..=self.brokers)
                .map(|b| b.to_string())
                .chain([self.coordinator(), "p1".to_owned()])
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
