//! What is said of a script or a setting that is not taken: a phrase by its name, and values.
//!
//! The English is here, once; `www/strings/zh.errors.js` has the Chinese under the same names.

mod phrases;

pub use phrases::Phrase;

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::{self, Display};

/// A phrase with its values, in the order of its places.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Said {
    /// Which phrase.
    pub phrase: Phrase,
    /// What stands in its places: as it was given, or a word that [`Phrase::english`] marks `{*}`.
    pub values: Vec<String>,
}

impl Said {
    /// What reads the same in every language: a list of words, a piece of a script.
    pub fn verbatim(text: impl Display) -> Said {
        Phrase::Verbatim.of(&[&text])
    }
}

impl Phrase {
    /// The phrase with its values.
    pub fn of(self, values: &[&dyn Display]) -> Said {
        Said { phrase: self, values: values.iter().map(ToString::to_string).collect() }
    }
}

impl From<Phrase> for Said {
    fn from(phrase: Phrase) -> Said {
        phrase.of(&[])
    }
}

/// In English.
impl Display for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut values = self.values.iter();
        let mut rest = self.phrase.english();
        while let Some(at) = rest.find('{') {
            let (before, place) = rest.split_at(at);
            f.write_str(before)?;
            f.write_str(values.next().map_or("", String::as_str))?;
            rest = place.split_once('}').map_or("", |(_, behind)| behind);
        }
        f.write_str(rest)
    }
}
