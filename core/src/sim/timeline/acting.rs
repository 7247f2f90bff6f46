//! Acting on history: lines added at a moment, branches, undo.

use super::{Branch, InsertError, Inserted, Moment, Saved, Timeline, setup_of};
use crate::script::{self, Script, ScriptError, Statement};
use crate::words::Micros;
use alloc::format;
use alloc::rc::Rc;
use alloc::string::ToString;
use alloc::vec::Vec;

impl Timeline {
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
        self.restore(|w| w.now < left);
        self.checkpoints.cut(self.world.steps);
        self.cut_tape();
        self.seek(moment);
    }

    /// What comes after this moment will be different.
    fn forget_future(&mut self) {
        self.checkpoints.cut(self.world.steps);
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
