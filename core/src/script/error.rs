//! What is wrong with a script, and how that is said.

use crate::words::Said;
use alloc::boxed::Box;
use core::fmt;

/// What is wrong with a script, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScriptError {
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, in characters.
    pub column: u32,
    /// What is wrong there.
    pub reason: Said,
    /// What would be accepted in its place.
    pub accepted: Said,
}

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ScriptError { line, column, reason, accepted } = self;
        write!(f, "line {line}, column {column}: {reason}; accepted: {accepted}")
    }
}

/// What is wrong with a line. Boxed, since every step of reading hands one on.
#[derive(Debug)]
pub(super) struct Fault(Box<Wrong>);

#[derive(Debug)]
struct Wrong {
    /// Where, in characters from 1.
    column: u32,
    reason: Said,
    accepted: Said,
}

impl Fault {
    pub fn new(column: u32, reason: impl Into<Said>, accepted: impl Into<Said>) -> Fault {
        Fault(Box::new(Wrong { column, reason: reason.into(), accepted: accepted.into() }))
    }

    /// The same fault, where something else would be accepted.
    pub fn accepting(mut self, accepted: Said) -> Fault {
        self.0.accepted = accepted;
        self
    }

    /// What is said of it, in that line of a script.
    pub fn on(self, line: u32) -> ScriptError {
        let Wrong { column, reason, accepted } = *self.0;
        ScriptError { line, column, reason, accepted }
    }
}
