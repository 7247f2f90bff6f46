//! From a run of the model to a scenario that breaks the same promise when it is played.
//!
//! The simulation is eager: a follower fetches as soon as it may, a controller answers at once. The
//! model's runs are not. So a scenario holds back what a run leaves out: a link is cut while its
//! follower has something to fetch and the run does not let it, and is healed where the run does.
//! Everything else happens by itself once its cause is there.

use super::action::Step;
use super::question::{Property, Question};
use super::steps;
use super::world::{self, MOST_BROKERS, Set, World};
use crate::kafka::Kafka;
use crate::model::Model;
use crate::trace;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;
use highwater_core::partition::isr;
use highwater_core::settings::{Key, Owner, Release};
use highwater_core::words::Micros;

/// The first thing happens here, in milliseconds.
const BEGIN: u64 = 3_000;
/// A broker hears within this from a controller that it was cut off from.
const BACK: u64 = 12_000;
/// A step and what follows from it by itself.
const STEP: u64 = 1_000;
/// How old a process's last heartbeat may be when it dies.
const HEARTBEAT: u64 = 2_500;
/// From a start to a registration and a loaded log.
const BOOT: u64 = 3_000;
/// How often HWs are written to the disk in a run that has them written.
const CHECKPOINT: u64 = 5_000;
/// How long followers may lag in a run in which the leader takes one out of the ISR.
const LAG: u64 = 30_000;
/// The same where it takes nobody out.
const NO_LAG: u64 = 3_600_000;

/// How much is held back that a run leaves out. The least that will do makes the best story.
#[derive(Clone, Copy, Debug)]
struct Hold {
    /// Which fetches are held back.
    links: Held,
    /// Whether a fetch that finds nothing new waits long, so that followers hear late of the HW.
    slow_hw: bool,
    /// To whom news of the stored state comes late.
    deaf: Deaf,
    /// `broker.session.timeout.ms`. A broker that is answered late must not be fenced for it.
    session: u64,
    /// Whether a broker that is to be fenced before one that has died earlier loses its session while
    /// it still lives.
    parts: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Held {
    /// None.
    Nothing,
    /// Those that the run leaves out, of those that the model could have made.
    Possible,
    /// All that the run leaves out.
    All,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Deaf {
    Nobody,
    Leaders,
    Everybody,
}

const HOLDS: [Hold; 16] = [
    hold(false, Deaf::Nobody, 9_000),
    hold(true, Deaf::Nobody, 9_000),
    hold(false, Deaf::Leaders, 9_000),
    hold(true, Deaf::Leaders, 9_000),
    hold(true, Deaf::Everybody, 9_000),
    hold(false, Deaf::Nobody, 90_000),
    hold(true, Deaf::Nobody, 90_000),
    hold(true, Deaf::Leaders, 90_000),
    hold(true, Deaf::Everybody, 90_000),
    Hold { parts: true, ..hold(false, Deaf::Nobody, 9_000) },
    Hold { parts: true, ..hold(true, Deaf::Leaders, 9_000) },
    Hold { parts: true, ..hold(false, Deaf::Nobody, 90_000) },
    Hold { parts: true, ..hold(true, Deaf::Everybody, 90_000) },
    Hold { links: Held::Nothing, ..SLOW_HW },
    Hold { links: Held::All, session: 90_000, ..SLOW_HW },
    Hold { links: Held::All, session: 90_000, parts: false, deaf: Deaf::Leaders, ..SLOW_HW },
];

const SLOW_HW: Hold = Hold { slow_hw: true, parts: true, ..hold(false, Deaf::Nobody, 9_000) };

const fn hold(all_links: bool, deaf: Deaf, session: u64) -> Hold {
    let links = if all_links { Held::All } else { Held::Possible };
    Hold { links, slow_hw: false, deaf, session, parts: false }
}

impl Hold {
    /// From a process's last heartbeat to its fencing: the session and a look.
    fn fenced(self) -> u64 {
        self.session + self.session / 8 + 1_000
    }

    /// How long a fetch that finds nothing new waits, and until it counts as lost.
    fn wait(self) -> u64 {
        if self.slow_hw { 20_000 } else { 500 }
    }

    /// A cut link is quiet after so long: a parked fetch has come back, and the next one is lost.
    fn quiet(self) -> u64 {
        self.wait() + 700
    }

    /// A healed link carries the next fetch within this: the lost one times out, and a pause follows.
    fn healed(self) -> u64 {
        self.wait() + 2_000
    }

    /// How late news is that is held back. Heartbeats are answered as late.
    fn late(self) -> u64 {
        self.session - 2_500
    }
}

/// A step that needs a line of the script, and the links that carry fetches until the next one.
#[derive(Default)]
struct Segment {
    step: Option<Step>,
    /// Fetches that the run lets happen, those of them that have no answer, and those that could
    /// happen besides.
    fetches: Links,
    unanswered: Links,
    possible: Links,
    /// Links whose followers lag first, if several lag.
    early: Links,
    /// Brokers that are unfenced.
    unfences: Set,
    /// Brokers that hear of something, and those that could and do not.
    hears: Set,
    deaf: Set,
    /// Those of the latter that take themselves for leaders.
    deaf_leaders: Set,
}

/// A set of links from follower to leader.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Links([u8; MOST_BROKERS]);

impl Links {
    /// Between all of so many brokers.
    fn all(brokers: usize) -> Links {
        let mut links = Links::default();
        for (a, b) in (0..brokers).flat_map(|a| (0..brokers).map(move |b| (a, b))) {
            if a != b {
                links.insert(a, b);
            }
        }
        links
    }

    fn insert(&mut self, follower: usize, leader: usize) {
        self.0[follower] |= 1 << leader;
    }

    fn each(self) -> impl Iterator<Item = (usize, usize)> {
        let leaders = move |f: usize| world::members(self.0[f]).map(move |l| (f, l));
        (0..MOST_BROKERS).flat_map(leaders)
    }

    fn both_ways(mut self) -> Links {
        self.each().for_each(|(follower, leader)| self.insert(leader, follower));
        self
    }

    fn without(mut self, other: Links) -> Links {
        self.0.iter_mut().zip(other.0).for_each(|(own, other)| *own &= !other);
        self
    }

    fn and(mut self, other: Links) -> Links {
        self.0.iter_mut().zip(other.0).for_each(|(own, other)| *own &= other);
        self
    }

    fn or(mut self, other: Links) -> Links {
        self.0.iter_mut().zip(other.0).for_each(|(own, other)| *own |= other);
        self
    }
}

/// Scenarios of a run, the least held back first. The first of them whose `expect` line holds when it
/// is played is the run's story. Each is another attempt to bring an eager simulation to the same end.
pub fn scenarios<const W: usize>(model: &Kafka<W>, run: &[trace::Step<[u64; W]>]) -> Vec<String> {
    let question = model.question();
    let run = in_order_of_fencing(model, run);
    let segments = segments(model, &run);
    let ends = |s: &Segment| matches!(s.step, Some(Step::Fence(_) | Step::Start(_)));
    let sessions_end = segments.iter().any(ends);
    let written = |hold: Hold| {
        // Where no session ends, none is to end meanwhile.
        let session = if sessions_end { hold.session } else { NO_LAG };
        let hold = Hold { session, ..hold };
        let mut script = Script::new(question, &segments, hold);
        segments.iter().for_each(|segment| script.play(segment));
        script.finish()
    };
    let mut scripts: Vec<String> = HOLDS.into_iter().map(written).collect();
    scripts.dedup();
    scripts
}

/// The same run, where that is possible with brokers dying in the order in which they are fenced:
/// sessions end in that order.
fn in_order_of_fencing<const W: usize>(
    model: &Kafka<W>,
    run: &[trace::Step<[u64; W]>],
) -> Vec<trace::Step<[u64; W]>> {
    let mut run = run.to_vec();
    let steps = |run: &[trace::Step<[u64; W]>]| -> Vec<Option<Step>> {
        run.iter().map(|step| step.action.map(Step::of)).collect()
    };
    let brokers = usize::from(model.question().brokers);
    for (late, early) in (0..brokers).flat_map(|a| (0..brokers).map(move |b| (a, b))) {
        let steps = steps(&run);
        let dies = |b: usize| {
            steps.iter().position(|s| matches!(s, Some(Step::Crash(x) | Step::Power(x)) if *x == b))
        };
        let fenced = |b: usize| steps.iter().position(|s| *s == Some(Step::Fence(b)));
        let (Some(from), Some(to), Some(first)) = (dies(late), dies(early), fenced(late)) else {
            continue;
        };
        if late != early && from > to && fenced(early).is_none_or(|second| second > first) {
            let mut order = run.clone();
            order[to..=from].rotate_right(1);
            run = replayed(model, &order).unwrap_or(run);
        }
    }
    run
}

/// The run of the same steps in another order; `None` if that is none, or breaks nothing.
fn replayed<const W: usize>(
    model: &Kafka<W>,
    order: &[trace::Step<[u64; W]>],
) -> Option<Vec<trace::Step<[u64; W]>>> {
    let mut run: Vec<trace::Step<[u64; W]>> = Vec::with_capacity(order.len());
    run.push(*order.first()?);
    for step in &order[1..] {
        let mut next = None;
        model.successors(&run.last()?.state, |action, state| {
            if Some(action) == step.action {
                next = Some(trace::Step { action: Some(action), state });
            }
        });
        run.push(next?);
    }
    (model.broken(&run.last()?.state) != 0).then_some(run)
}

fn segments<const W: usize>(model: &Kafka<W>, run: &[trace::Step<[u64; W]>]) -> Vec<Segment> {
    let mut segments: Vec<Segment> = Vec::new();
    for step in run {
        let done = step.action.map(Step::of);
        let by_itself = matches!(
            done,
            Some(
                Step::Fetch(..)
                    | Step::FetchUnanswered(..)
                    | Step::AskEnd(..)
                    | Step::Hear(_)
                    | Step::Alter(_)
                    | Step::Unfence(_)
            )
        );
        if !by_itself {
            segments.push(Segment { step: done, ..Segment::default() });
        }
        let segment = segments.last_mut().expect("a run begins with a state");
        match done {
            Some(Step::Fetch(f, l) | Step::AskEnd(f, l)) => segment.fetches.insert(f, l),
            Some(Step::FetchUnanswered(f, l)) => segment.unanswered.insert(f, l),
            Some(Step::Hear(b)) => segment.hears |= 1 << b,
            Some(Step::Unfence(b)) => segment.unfences |= 1 << b,
            _ => {}
        }
        let world: World = model.world(&step.state);
        steps::all(&model.question, &world, &mut |next, _| match next {
            Step::Fetch(f, l) | Step::FetchUnanswered(f, l) | Step::AskEnd(f, l) => {
                segment.possible.insert(f, l);
            }
            Step::Hear(b) => {
                segment.deaf |= 1 << b;
                segment.deaf_leaders |= u8::from(world.broker(b).leads(b)) << b;
            }
            _ => {}
        });
    }
    for segment in &mut segments {
        segment.unanswered = segment.unanswered.without(segment.fetches);
        segment.deaf &= !segment.hears;
        segment.deaf_leaders &= !segment.hears;
    }
    note_shrinks(&mut segments);
    segments
}

/// Notes for each segment which links lead to the next shrink of an ISR: their followers are cut off
/// a while before the others, so that they lag first.
fn note_shrinks(segments: &mut [Segment]) {
    let mut next = Links::default();
    for segment in segments.iter_mut().rev() {
        segment.early = next.without(segment.fetches).without(segment.unanswered);
        match segment.step {
            Some(Step::Shrink(leader, out)) => {
                next = Links::default();
                world::members(out).for_each(|f| next.insert(f, leader));
            }
            _ => next = segment.early,
        }
    }
}

/// A producer tries once, and waits for long.
const PRODUCER: [(&str, u64); 5] = [
    ("retries", 0),
    ("request.timeout.ms", 600_000),
    ("timeout.ms", 600_000),
    ("delivery.timeout.ms", 1_200_000),
    ("max.block.ms", 600_000),
];

/// Those of the settings that the release has, as a script names them.
fn known(release: Release, owner: Owner, settings: &[(&str, u64)]) -> String {
    let has = |name: &str| Key::find(name, owner, release).is_ok();
    let written = |(name, value): &(&str, u64)| format!(" {name}={value}");
    let mut all: String = settings.iter().filter(|(name, _)| has(name)).map(written).collect();
    if owner == Owner::Producer && has("enable.idempotence") {
        all.push_str(" enable.idempotence=false");
    }
    all
}

/// What there is from the start. With ZooKeeper the controller is a broker of its own.
fn header(question: &Question, hold: Hold, lag: u64, checkpoint: u64) -> String {
    let Question { release, brokers, min_isr, unclean, .. } = question;
    let controller = match question.has_zookeeper() {
        true => format!("brokers {0}\ncontroller {0}", brokers + 1),
        false => format!("brokers {brokers}"),
    };
    let settings = [
        ("replica.lag.time.max.ms", lag),
        ("replica.fetch.wait.max.ms", hold.wait()),
        ("replica.socket.timeout.ms", hold.wait() + 500),
        ("broker.session.timeout.ms", hold.session),
        ("zookeeper.session.timeout.ms", hold.session),
        ("replica.high.watermark.checkpoint.interval.ms", checkpoint),
    ];
    let settings = known(*release, Owner::Broker, &settings);
    let assignment: Vec<String> = (1..=*brokers).map(|b| format!("{b}")).collect();
    let flush = if question.flush_every_record { " flush.messages=1" } else { "" };
    format!(
        "highwater 1\nkafka {release}\nseed 1\n{controller}\n\
         set{settings} auto.leader.rebalance.enable=false\n\
         topic orders assignment={} min.insync.replicas={min_isr} \
         unclean.leader.election.enable={unclean}{flush}\n",
        assignment.join(","),
    )
}

/// A script that is being written.
struct Script<'a> {
    question: &'a Question,
    header: String,
    lines: String,
    now: u64,
    cut: Links,
    /// Brokers that the controller cannot hear, and those that it cannot tell anything.
    apart: Set,
    deaf: Set,
    hold: Hold,
    /// When each broker was heard of last.
    heard: [u64; MOST_BROKERS],
    producers: usize,
    /// How long until the next follower has lagged too long.
    lags: u64,
    /// At which segment each broker is fenced; none: late.
    fenced: [usize; MOST_BROKERS],
    /// Whether each broker dies in the run.
    dies: [bool; MOST_BROKERS],
}

/// See [`Script::fenced`].
fn fencings(segments: &[Segment]) -> [usize; MOST_BROKERS] {
    core::array::from_fn(|broker| {
        let fenced = segments.iter().position(|s| s.step == Some(Step::Fence(broker)));
        fenced.unwrap_or(usize::MAX)
    })
}

impl Script<'_> {
    fn new<'a>(question: &'a Question, segments: &[Segment], hold: Hold) -> Script<'a> {
        let shrinks = segments.iter().any(|s| matches!(s.step, Some(Step::Shrink(..))));
        let lag = if shrinks { LAG } else { NO_LAG };
        let writes_hw = segments.iter().any(|s| matches!(s.step, Some(Step::Checkpoint(_))));
        let checkpoint = if writes_hw { CHECKPOINT } else { NO_LAG };
        let mut script = Script {
            question,
            header: header(question, hold, lag, checkpoint),
            lines: String::new(),
            now: BEGIN,
            cut: Links::default(),
            apart: 0,
            deaf: 0,
            hold,
            heard: [0; MOST_BROKERS],
            producers: 0,
            lags: 0,
            fenced: fencings(segments),
            dies: core::array::from_fn(|broker| {
                let is_it = |s: Option<Step>| matches!(s, Some(Step::Crash(b) | Step::Power(b)) if b == broker);
                segments.iter().any(|segment| is_it(segment.step))
            }),
        };
        script.lags = LAG + script.look();
        script
    }

    /// Who keeps sessions.
    fn sessions(&self) -> &'static str {
        if self.question.has_zookeeper() { "zookeeper" } else { "controller" }
    }

    /// Who tells brokers what is stored.
    fn controller(&self) -> String {
        match self.question.has_zookeeper() {
            true => format!("{}", self.question.brokers + 1),
            false => String::from("controller"),
        }
    }

    /// How long it takes until a leader has found a follower that has lagged too long (R2.14).
    fn look(&self) -> u64 {
        let period = isr::check_period(self.question.rules.isr_check, Micros::from_ms(LAG));
        period.0 / 1_000 + STEP + STEP / 2
    }

    /// Before a broker dies: one that is fenced earlier has died so much earlier that what the run
    /// has between both fencings fits in between.
    fn let_sessions_part(&mut self, broker: usize) {
        let dead = |b: &usize| self.heard[*b] > 0 && self.fenced[*b] < self.fenced[broker];
        let last = (0..MOST_BROKERS).filter(dead).map(|b| self.heard[b]).max();
        let gap = self.hold.session / 3 * 2;
        self.now = self.now.max(last.map_or(0, |at| at + gap));
    }

    /// Before a broker dies: those that die later and are to be fenced earlier lose their session
    /// from now on.
    fn part_from_later_dead(&mut self, broker: usize) {
        let sooner = |b: &usize| {
            self.hold.parts
                && *b != broker
                && self.heard[*b] == 0
                && self.dies[*b]
                && self.fenced[*b] < self.fenced[broker]
        };
        let all: Vec<usize> = (0..usize::from(self.question.brokers)).filter(sooner).collect();
        for b in &all {
            self.line(self.now, &format!("cut {}-{}", b + 1, self.sessions()));
            self.heard[*b] = self.now;
            self.apart |= 1 << b;
        }
        if !all.is_empty() {
            self.now += self.hold.session / 3;
        }
    }

    fn line(&mut self, at: u64, action: &str) {
        let _ = writeln!(self.lines, "at {at}ms {action}");
    }

    /// Cuts and heals what the segment needs so, and does what it does.
    fn play(&mut self, segment: &Segment) {
        self.cut_links(segment);
        self.step(segment);
        let healed = self.cut.and(self.open(segment));
        for (follower, leader) in healed.each() {
            self.line(self.now, &format!("heal {}>{}", follower + 1, leader + 1));
        }
        self.cut = self.cut.without(healed);
        let back = self.apart & (segment.hears | segment.unfences);
        for broker in world::members(back) {
            self.line(self.now, &format!("heal {}-{}", broker + 1, self.sessions()));
        }
        self.apart &= !back;
        let told = self.deaf & segment.hears;
        for broker in world::members(told) {
            self.line(self.now, &format!("slow {}>{} default", self.controller(), broker + 1));
        }
        self.deaf &= !told;
        let waits = [
            (true, STEP),
            (healed != Links::default(), self.hold.healed()),
            (told != 0, self.hold.late() + STEP),
            (back != 0, BACK),
        ];
        self.now += waits.into_iter().filter(|w| w.0).map(|w| w.1).max().unwrap_or(STEP);
    }

    /// Cuts the links over which the run lets nobody fetch now.
    fn cut_links(&mut self, segment: &Segment) {
        let possible = match self.hold.links {
            Held::Nothing => Links::default(),
            Held::Possible => segment.possible,
            Held::All => Links::all(self.question.brokers.into()),
        };
        let cut = possible.without(self.open(segment)).without(self.cut);
        if cut == Links::default() {
            return;
        }
        let early = cut.and(segment.early);
        self.cut_all(early);
        let rest = cut.without(early);
        let in_turn = early != Links::default() && rest != Links::default();
        if in_turn {
            self.now += LAG;
        }
        self.lags = if in_turn { self.look() } else { LAG + self.look() };
        self.cut_all(rest);
        self.now += self.hold.quiet();
        self.cut = self.cut.or(cut);
    }

    /// The links that carry what the run lets happen. An answer needs the other direction, which is
    /// left open too where nothing else is at stake.
    fn open(&self, segment: &Segment) -> Links {
        let answered = segment.fetches.both_ways();
        let unanswered = match self.hold.links {
            Held::All => segment.unanswered,
            Held::Nothing | Held::Possible => segment.unanswered.both_ways(),
        };
        answered.or(unanswered)
    }

    fn cut_all(&mut self, links: Links) {
        for (follower, leader) in links.each() {
            self.line(self.now, &format!("cut {}>{}", follower + 1, leader + 1));
        }
    }

    /// From now on some brokers hear late of what is stored.
    fn deafen(&mut self, segment: &Segment) {
        let deaf = match self.hold.deaf {
            Deaf::Nobody => 0,
            Deaf::Leaders => segment.deaf_leaders,
            Deaf::Everybody => segment.deaf,
        };
        let fresh = deaf & !self.deaf & !self.apart;
        for broker in world::members(fresh) {
            let late = self.hold.late();
            self.line(self.now, &format!("slow {}>{} {late}ms", self.controller(), broker + 1));
        }
        self.deaf |= fresh;
    }

    fn step(&mut self, segment: &Segment) {
        let number = |b: usize| b + 1;
        let Some(step) = segment.step else { return };
        if !matches!(step, Step::Fence(_) | Step::Start(_)) {
            self.deafen(segment);
        }
        match step {
            Step::Produce(_) => {
                self.producers += 1;
                self.line(self.now, &format!("send p{0} \"r{0}\"", self.producers));
            }
            Step::Crash(b) | Step::Power(b) | Step::Stop(b) => {
                self.let_sessions_part(b);
                self.part_from_later_dead(b);
                let what = match step {
                    Step::Crash(_) => format!("crash {}", number(b)),
                    Step::Power(_) => format!("power-off {} lose=all", number(b)),
                    _ => format!("stop {}", number(b)),
                };
                self.line(self.now, &what);
                if self.apart & (1 << b) == 0 {
                    self.heard[b] = self.now;
                }
            }
            Step::Start(b) => {
                // A registration waits until the former session has ended.
                self.now = self.now.max(self.heard[b] + self.hold.fenced());
                self.deafen(segment);
                self.line(self.now, &format!("start {}", number(b)));
                self.now += BOOT;
            }
            Step::Fence(b) => {
                if self.heard[b] == 0 {
                    self.line(self.now, &format!("cut {}-{}", number(b), self.sessions()));
                    self.heard[b] = self.now;
                    self.apart |= 1 << b;
                }
                // Its last heartbeat may be an interval old.
                self.now = self.now.max(self.heard[b] + self.hold.session - HEARTBEAT);
                self.deafen(segment);
                self.now = self.now.max(self.heard[b] + self.hold.fenced());
            }
            Step::Shrink(..) => {
                self.now += self.lags;
                self.lags = LAG + self.look();
            }
            Step::UncleanElection => self.line(self.now, "elect unclean orders/0"),
            Step::Checkpoint(_) => self.now += CHECKPOINT,
            Step::Fetch(..)
            | Step::FetchUnanswered(..)
            | Step::AskEnd(..)
            | Step::Hear(_)
            | Step::Alter(_)
            | Step::Unfence(_) => {}
        }
    }

    fn finish(mut self) -> String {
        let Question { acks, property, .. } = self.question;
        let acks = if *acks < 0 { String::from("all") } else { format!("{acks}") };
        let options = known(self.question.release, Owner::Producer, &PRODUCER);
        for producer in 1..=self.producers {
            let _ = writeln!(self.header, "producer p{producer} topic=orders acks={acks}{options}");
        }
        if *property == Property::SeenStays {
            self.header.push_str("consumer c1 topic=orders\n");
        }
        let expected = match property {
            Property::AckedSurvives => "records.acked-lost>=1",
            Property::SeenStays => "records.lost>=1 c1.read>=1",
            Property::HasLeader => "orders/0.leader=none",
        };
        let end = self.now + STEP;
        let mut text = self.header;
        text.push_str(&self.lines);
        let _ = write!(text, "expect {end}ms {expected}\nuntil {end}ms\n");
        text
    }
}
