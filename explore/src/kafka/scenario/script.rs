//! A scenario's lines, one segment of the run after the other.

use super::header::{PRODUCER, header, known};
use super::hold::{Deaf, Held, Hold};
use super::links::Links;
use super::segment::Segment;
use super::{LAG, NO_LAG};
use crate::kafka::action::Step;
use crate::kafka::question::{Property, Question};
use crate::kafka::world::{self, MOST_BROKERS, Set};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;
use highwater_core::partition::isr;
use highwater_core::settings::Owner;
use highwater_core::words::Micros;

/// The first thing happens here, in milliseconds.
pub(super) const BEGIN: u64 = 3_000;
/// A broker hears within this from a controller that it was cut off from.
pub(super) const BACK: u64 = 12_000;
/// A step and what follows from it by itself.
pub(super) const STEP: u64 = 1_000;
/// How old a process's last heartbeat may be when it dies.
pub(super) const HEARTBEAT: u64 = 2_500;
/// From a start to a registration and a loaded log.
pub(super) const BOOT: u64 = 3_000;
/// How often HWs are written to the disk in a run that has them written.
pub(super) const CHECKPOINT: u64 = 5_000;
/// A script that is being written.
pub(super) struct Script<'a> {
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
pub(super) fn fencings(segments: &[Segment]) -> [usize; MOST_BROKERS] {
    core::array::from_fn(|broker| {
        let fenced = segments.iter().position(|s| s.step == Some(Step::Fence(broker)));
        fenced.unwrap_or(usize::MAX)
    })
}

impl Script<'_> {
    pub fn new<'a>(question: &'a Question, segments: &[Segment], hold: Hold) -> Script<'a> {
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
    pub fn play(&mut self, segment: &Segment) {
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

    pub fn finish(mut self) -> String {
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
