//! What is wrong with a script, and how that is said.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use core::fmt::{self, Display};

/// What is wrong with a script, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScriptError {
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, in characters.
    pub column: u32,
    /// What is wrong there.
    pub reason: String,
    /// What would be accepted in its place.
    pub accepted: String,
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
    reason: String,
    accepted: String,
}

impl Fault {
    pub fn new(column: u32, reason: impl Display, accepted: impl Display) -> Fault {
        Fault::of(column, &reason, &accepted)
    }

    fn of(column: u32, reason: &dyn Display, accepted: &dyn Display) -> Fault {
        let (reason, accepted) = (reason.to_string(), accepted.to_string());
        Fault(Box::new(Wrong { column, reason, accepted }))
    }

    /// The same fault, with more that would be accepted.
    pub fn or(mut self, more: &str) -> Fault {
        self.0.accepted.insert_str(0, more);
        self
    }

    /// What is said of it, in that line of a script.
    pub fn on(self, line: u32) -> ScriptError {
        let Wrong { column, reason, accepted } = *self.0;
        ScriptError { line, column, reason, accepted }
    }
}
