use super::script_actions::Setup;
use super::tape::Tape;
use super::world::World;
use crate::script::{self, Script, ScriptError, Statement};
use crate::words::Micros;
use alloc::format;
use alloc::rc::Rc;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// How many events lie between two checkpoints at first, for a world of up to that many replicas;
/// larger ones have fewer, since each costs more to keep.
const SPACING: u32 = 1024;
/// The most checkpoints of a small world; beyond it every other one goes, and the spacing doubles.
const MAX_CHECKPOINTS: usize = 512;
/// The fewest that even the largest world may have.
const MIN_CHECKPOINTS: usize = 8;
/// How many replicas all checkpoints together may hold.
const MAX_REPLICAS: usize = 25_000;
/// The most virtual time that settling passes.
const SETTLE_LIMIT: Micros = Micros::from_secs(600);
/// The most events that settling passes.
const SETTLE_EVENTS: u32 = 5_000_000;
/// The most events between two looks at a scenario that plays: some milliseconds.
const MOST_AT_ONCE: u32 = 2_500;
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
/// History is the script: going back restores the nearest checkpoint and plays from there.
#[derive(Clone, Debug)]
pub struct Timeline {
    branches: Vec<Branch>,
    active: u32,
    world: World,
    tape: Tape,
    checkpoints: Vec<World>,
    spacing: u32,
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
            checkpoints: alloc::vec![world.clone()],
            world,
            tape,
            spacing: SPACING,
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

    // Driving.

    /// Carries out the next event; false if there is none.
    pub fn step(&mut self) -> bool {
        let went = self.world.step(&mut self.tape);
        if went {
            self.furthest = self.furthest.max((self.world.now, self.world.index));
            self.keep_checkpoint();
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
    /// where one leaves, and never more than some thousand events: what is left over is for the
    /// next frame.
    pub fn run_until_significant(&mut self, at: Micros) {
        let at = at.min(Micros::LIMIT);
        let quiet = !self.world.is_anything_moving();
        let most = self.world.steps.saturating_add(MOST_AT_ONCE);
        while self.world.next_time().is_some_and(|next| next <= at) {
            let before = self.world.next_passage;
            if self.world.steps >= most {
                return;
            }
            if !self.step() {
                break;
            }
            if quiet && self.world.next_passage > before {
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
        let fits = |w: &World| w.now < at || w.steps == 0;
        let nearer =
            self.checkpoints.iter().rfind(|w| fits(w)).is_some_and(|w| w.steps > self.world.steps);
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

    fn keep_checkpoint(&mut self) {
        let last = self.checkpoints.last().map_or(0, |w| w.steps);
        if self.world.steps < last.saturating_add(self.spacing) {
            return;
        }
        let replicas: usize = self.world.brokers.iter().map(|b| b.replicas.len()).sum();
        let most = (MAX_REPLICAS / replicas.max(1)).clamp(MIN_CHECKPOINTS, MAX_CHECKPOINTS);
        if self.checkpoints.len() >= most {
            let mut index = 0;
            self.checkpoints.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            self.spacing *= 2;
        }
        self.checkpoints.push(self.world.clone());
    }

    /// Goes back to the newest checkpoint that `fits`; the first one always does.
    fn restore(&mut self, fits: impl Fn(&World) -> bool) {
        let at = self.checkpoints.iter().rposition(fits).unwrap_or(0);
        self.world = self.checkpoints[at].clone();
    }

    // Acting.

    /// Adds what is written behind `at` in a script, or a fault of a message, at this moment.
    /// Acting in the past starts a branch; the other one is kept.
    pub fn perform(&mut self, text: &str) -> Result<Inserted, InsertError> {
        let moment = self.moment();
        let at = if self.world.index > 0 { self.world.now + Micros(1) } else { self.world.now };
        let (script, line) = with_line(self.script(), at, text)?;
        let setup = setup_of(&script)?;
        let in_past = self.furthest > (self.world.now, self.world.index);
        self.save();
        let branch = Branch {
            script: Rc::new(script),
            parent: Some(self.active),
            at,
            label: text.trim().to_string(),
        };
        if in_past {
            self.branches.push(branch);
            self.active = self.branches.len() as u32 - 1;
        } else {
            self.branches[self.active as usize].script = branch.script;
        }
        let faults = setup.faults.len();
        let new_fault = faults > self.world.faults.len();
        self.forget_future();
        for world in self.checkpoints.iter_mut().chain(core::iter::once(&mut self.world)) {
            world.setup = setup.clone();
            world.faults.resize(faults, Default::default());
        }
        if new_fault {
            self.replay_with_fault(faults - 1, moment);
        }
        Ok(Inserted { line, branched: in_past })
    }

    /// A message that is named now may have left already: plays again from before it left.
    fn replay_with_fault(&mut self, fault: usize, moment: Moment) {
        let name = self.world.setup.faults[fault].name.clone();
        let flights = self.world.flights();
        let left = flights.iter().find(|f| self.flight_name(f) == name).map(|f| f.sent);
        let Some(left) = left else { return };
        self.restore(|w| w.now < left || w.steps == 0);
        self.checkpoints.retain(|w| w.steps <= self.world.steps);
        self.cut_tape();
        self.seek(moment);
    }

    /// A message's name in scripts, by the first partition that it concerns.
    pub fn flight_name(&self, flight: &super::Flight<'_>) -> String {
        let world = &self.world;
        let partition = flight.body.partitions().first().copied();
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

    /// What comes after this moment will be different.
    fn forget_future(&mut self) {
        let steps = self.world.steps;
        self.checkpoints.retain(|w| w.steps <= steps);
        self.cut_tape();
        self.furthest = (self.world.now, self.world.index);
    }

    fn cut_tape(&mut self) {
        let world = &self.world;
        self.tape.cut(world.next_event, world.next_record, world.next_passage);
    }

    fn save(&mut self) {
        let saved = self.saved();
        self.undo.push(saved);
        self.redo.clear();
    }

    fn saved(&self) -> Saved {
        Saved { branches: self.branches.clone(), active: self.active, moment: self.moment() }
    }

    /// Takes the last action back; false if there is none.
    pub fn undo(&mut self) -> bool {
        let Some(saved) = self.undo.pop() else { return false };
        let now = self.saved();
        self.redo.push(now);
        self.load(saved);
        true
    }

    /// Does it again; false if there is nothing to do again.
    pub fn redo(&mut self) -> bool {
        let Some(saved) = self.redo.pop() else { return false };
        let now = self.saved();
        self.undo.push(now);
        self.load(saved);
        true
    }

    fn load(&mut self, saved: Saved) {
        self.branches = saved.branches;
        self.active = saved.active;
        self.replay(saved.moment);
    }

    /// Shows another branch, at the same moment; false if there is none of that number.
    pub fn switch_branch(&mut self, branch: u32) -> bool {
        if branch as usize >= self.branches.len() {
            return false;
        }
        let moment = self.moment();
        self.active = branch;
        self.replay(moment);
        true
    }

    /// Takes another text for the active branch's, at the same moment.
    pub fn replace_script(&mut self, script: Script) -> Result<(), InsertError> {
        setup_of(&script)?;
        self.save();
        let moment = self.moment();
        self.branches[self.active as usize].script = Rc::new(script);
        self.replay(moment);
        Ok(())
    }

    /// Plays the active branch's script from the beginning to a moment.
    fn replay(&mut self, moment: Moment) {
        let Ok(setup) = setup_of(self.script()) else {
            unreachable!("the script was accepted before");
        };
        self.tape = Tape::default();
        self.world = World::new(setup, &mut self.tape);
        self.checkpoints = alloc::vec![self.world.clone()];
        self.spacing = SPACING;
        self.furthest = (Micros::ZERO, 0);
        self.seek(moment);
    }
}

fn setup_of(script: &Script) -> Result<Rc<Setup>, InsertError> {
    Setup::of(script).map(Rc::new).map_err(|error| {
        let (line, column) = (1, 1);
        let reason = format!("{} {}", error.given, error.reason);
        let accepted = error.accepted;
        InsertError(alloc::vec![ScriptError { line, column, reason, accepted }])
    })
}

/// The script with one line more, and that line's number. A fault of a message goes behind the
/// last one, everything else behind the last line of that or an earlier time.
fn with_line(script: &Script, at: Micros, text: &str) -> Result<(Script, u32), InsertError> {
    let text = text.trim();
    let is_fault = ["drop ", "delay ", "duplicate "].iter().any(|verb| text.starts_with(verb));
    let statements = || script.statements();
    let times = || statements().filter_map(|(i, s)| Some((i, s.time()?)));
    let first_timed = times().map(|(i, _)| i).next();
    let index = if is_fault {
        let is_message = |s: &Statement| matches!(s, Statement::Message(_));
        statements().filter(|(_, s)| is_message(s)).map(|(i, _)| i + 1).last().or(first_timed)
    } else {
        times().filter(|(_, time)| *time <= at).map(|(i, _)| i + 1).last().or(first_timed)
    };
    let line = if is_fault { text.to_string() } else { format!("at {at} {text}") };
    let printed = script::print(script);
    let mut lines: Vec<&str> = printed.lines().collect();
    let index = index.unwrap_or(lines.len());
    lines.insert(index, &line);
    let parsed = script::parse(&lines.join("\n")).map_err(|errors| {
        let number = index as u32 + 1;
        let own: Vec<ScriptError> = errors.iter().filter(|e| e.line == number).cloned().collect();
        InsertError(if own.is_empty() { errors } else { own })
    })?;
    Ok((parsed, index as u32 + 1))
}
