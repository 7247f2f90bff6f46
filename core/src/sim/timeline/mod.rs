//! History: a run that can be stepped, sought, branched and undone.

mod acting;
mod checkpoints;

use self::checkpoints::Checkpoints;
use super::setup::Setup;
use super::tape::Tape;
use super::world::World;
use crate::script::{Script, ScriptError};
use crate::settings::SettingError;
use crate::words::Micros;
use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

/// The most virtual time that settling passes.
const SETTLE_LIMIT: Micros = Micros::from_secs(600);
/// The most events that settling passes.
const SETTLE_EVENTS: u32 = 5_000_000;
/// How long a scenario goes on after its last line, if it does not say.
const AFTER_LAST_LINE: Micros = Micros::from_secs(15);

/// A moment of a run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Moment {
    /// The time.
    pub at: Micros,
    /// After so many events of that instant; none: after all of them.
    pub index: Option<u32>,
}

/// One course of history: a script, and where it left another.
#[derive(Clone, Debug)]
pub struct Branch {
    /// Its script.
    pub script: Rc<Script>,
    /// The branch that it left.
    pub parent: Option<u32>,
    /// Where it left that.
    pub at: Micros,
    /// The line that it began with.
    pub label: String,
}

/// Why a line could not be added.
#[derive(Clone, Debug)]
pub struct InsertError(pub Vec<ScriptError>);

#[derive(Clone, Debug)]
struct Saved {
    branches: Vec<Branch>,
    active: u32,
    moment: Moment,
}

/// A run that can be stepped, sought, branched and undone.
///
/// History is the script: going back restores the nearest checkpoint, or begins again, and plays
/// from there.
#[derive(Clone, Debug)]
pub struct Timeline {
    branches: Vec<Branch>,
    active: u32,
    world: World,
    tape: Tape,
    checkpoints: Checkpoints,
    /// The furthest that this branch was played.
    furthest: (Micros, u32),
    undo: Vec<Saved>,
    redo: Vec<Saved>,
}

/// What adding a line did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Inserted {
    /// The line's number, from 1.
    pub line: u32,
    /// Whether a branch was started.
    pub branched: bool,
}

impl Timeline {
    /// The beginning of a script that was parsed.
    pub fn new(script: Script) -> Result<Timeline, InsertError> {
        let mut tape = Tape::default();
        let world = World::new(setup_of(&script)?, &mut tape);
        let root = Branch {
            script: Rc::new(script),
            parent: None,
            at: Micros::ZERO,
            label: String::new(),
        };
        Ok(Timeline {
            branches: alloc::vec![root],
            active: 0,
            checkpoints: Checkpoints::default(),
            world,
            tape,
            furthest: (Micros::ZERO, 0),
            undo: Vec::new(),
            redo: Vec::new(),
        })
    }

    /// The cluster now.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Events and records.
    pub fn tape(&self) -> &Tape {
        &self.tape
    }

    /// The script of the branch on the screen.
    pub fn script(&self) -> &Script {
        &self.branches[self.active as usize].script
    }

    /// All branches; the first is the scenario as it was loaded.
    pub fn branches(&self) -> &[Branch] {
        &self.branches
    }

    /// Which of them is on the screen.
    pub fn active_branch(&self) -> u32 {
        self.active
    }

    /// Where playing stops: `until`, or a while after the last line.
    pub fn end(&self) -> Micros {
        let last = self.script().statements().filter_map(|(_, s)| s.time()).max();
        let open = last.unwrap_or(Micros::ZERO) + AFTER_LAST_LINE;
        self.script().until().unwrap_or(open)
    }

    /// Lines that name a message which never came by, once the scenario is over.
    pub fn unmatched_faults(&self) -> Vec<(u32, String)> {
        if self.world.now < self.end() {
            return Vec::new();
        }
        let named = self.world.setup.faults.iter().zip(&self.world.faults);
        let open = named.filter(|(_, state)| !state.matched);
        open.map(|(fault, _)| (fault.line, fault.name.clone())).collect()
    }

    /// Carries out the next event; false if there is none.
    pub fn step(&mut self) -> bool {
        let went = self.world.step(&mut self.tape);
        if went {
            self.furthest = self.furthest.max((self.world.now, self.world.index));
            self.checkpoints.keep(&self.world);
        }
        went
    }

    /// Takes the last event back; false at the beginning.
    pub fn step_back(&mut self) -> bool {
        let Some(target) = self.world.steps.checked_sub(1) else { return false };
        self.restore(|w| w.steps <= target);
        while self.world.steps < target && self.step() {}
        true
    }

    /// Plays until everything up to and at that time has happened.
    pub fn run_until(&mut self, at: Micros) {
        let at = at.min(Micros::LIMIT);
        while self.world.next_time().is_some_and(|next| next <= at) && self.step() {}
        self.world.advance_to(at, &self.tape);
        self.world.judge_until_now(&self.tape);
        self.furthest = self.furthest.max((self.world.now, self.world.index));
    }

    /// Plays until that time; but where no message that matters is under way, no further than to
    /// where one leaves, and no more than `enough`, which is asked after each event, lets it: what
    /// is left over is for the next frame.
    pub fn run_until_significant(&mut self, at: Micros, mut enough: impl FnMut() -> bool) {
        let at = at.min(Micros::LIMIT);
        let quiet = !self.world.is_anything_moving();
        while self.world.next_time().is_some_and(|next| next <= at) {
            let before = self.world.next_passage;
            if !self.step() {
                break;
            }
            if enough() || (quiet && self.world.next_passage > before) {
                return;
            }
        }
        self.run_until(at);
    }

    /// Goes to a moment, forward or back.
    pub fn seek(&mut self, moment: Moment) {
        let at = moment.at.min(Micros::LIMIT);
        let passed = match moment.index {
            Some(index) => (self.world.now, self.world.index) > (at, index),
            None => self.world.now > at,
        };
        let fits = |w: &World| w.now < at;
        let nearer = self.checkpoints.newest(fits).is_some_and(|w| w.steps > self.world.steps);
        if passed || nearer {
            self.restore(fits);
        }
        match moment.index {
            None => self.run_until(at),
            Some(index) => {
                while self.world.next_time().is_some_and(|next| next < at) && self.step() {}
                self.world.advance_to(at, &self.tape);
                while self.world.index < index
                    && self.world.next_time().is_some_and(|next| next == at)
                    && self.step()
                {}
            }
        }
    }

    /// Plays until nothing but periodic work is left; false if the limits came first.
    pub fn settle(&mut self) -> bool {
        let limit = self.world.now + SETTLE_LIMIT;
        let most = self.world.steps.saturating_add(SETTLE_EVENTS);
        loop {
            if self.world.is_settled() {
                return true;
            }
            // Time moves in small spans: looking costs more than an event.
            let next = self.world.next_time().unwrap_or(limit);
            let until = next.max(self.world.now + Micros::from_ms(10));
            if until > limit || self.world.steps > most {
                return false;
            }
            self.run_until(until);
        }
    }

    /// Goes back to the newest checkpoint that `fits`, or else to the beginning.
    fn restore(&mut self, fits: impl Fn(&World) -> bool) {
        self.world = match self.checkpoints.newest(fits) {
            Some(world) => world.clone(),
            None => World::new(self.world.setup.clone(), &mut self.tape),
        };
    }

    /// A message's name in scripts, by the first partition that it concerns.
    pub fn flight_name(&self, flight: &super::Flight<'_>) -> String {
        let world = &self.world;
        let partition = flight.body.first_partition();
        let partition = partition.map(|p| format!(" {}", world.partition_name(p)));
        format!(
            "{} {}>{}{} #{}",
            flight.body.kind().name(),
            world.node_name(flight.from),
            world.node_name(flight.to),
            partition.unwrap_or_default(),
            flight.ordinal
        )
    }

    /// This moment.
    pub fn moment(&self) -> Moment {
        let instant_is_over = self.world.next_time().is_none_or(|next| next > self.world.now);
        let index = (!instant_is_over).then_some(self.world.index);
        Moment { at: self.world.now, index }
    }

    /// Plays the active branch's script from the beginning to a moment.
    fn replay(&mut self, moment: Moment) {
        let Ok(setup) = setup_of(self.script()) else {
            unreachable!("the script was accepted before");
        };
        self.tape = Tape::default();
        self.world = World::new(setup, &mut self.tape);
        self.checkpoints = Checkpoints::default();
        self.furthest = (Micros::ZERO, 0);
        self.seek(moment);
    }
}

fn setup_of(script: &Script) -> Result<Rc<Setup>, InsertError> {
    Setup::of(script).map(Rc::new).map_err(|error| {
        let (line, column) = (1, 1);
        let SettingError { reason, accepted } = error;
        InsertError(alloc::vec![ScriptError { line, column, reason, accepted }])
    })
}
