use crate::words::Micros;
use alloc::string::String;

/// How one expectation came out.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// When it was looked at.
    pub at: Micros,
    /// Its line, and its place in the line, from 0.
    pub line: u32,
    /// Its place among the line's expectations.
    pub place: u32,
    /// Whether it held.
    pub held: bool,
    /// What was there.
    pub actual: String,
}
