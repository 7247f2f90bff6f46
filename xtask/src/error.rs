//! What goes wrong in a command, in words for the one who called it.

use std::fmt;

/// A message; what was being done stands in front of what failed.
#[derive(Debug)]
pub struct Error(String);

impl Error {
    /// An error with these words.
    pub fn new(message: impl Into<String>) -> Error {
        Error(message.into())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

/// Says what was being done when something failed.
pub trait Context<T> {
    /// `doing` is put in front: "cannot read docs/protocol.md".
    fn context(self, doing: impl fmt::Display) -> Result<T, Error>;
}

impl<T, E: fmt::Display> Context<T> for Result<T, E> {
    fn context(self, doing: impl fmt::Display) -> Result<T, Error> {
        self.map_err(|error| Error(format!("{doing}: {error}")))
    }
}
