//! Floor 2: every setting under its Kafka name, and which value is in force where.
//!
//! [`catalog`] is the one table of settings; [`Layers`] holds what a scenario gives and resolves
//! it by Kafka's precedence into dense [`Values`], which is all that the protocol reads.

pub mod catalog;
mod layers;
mod parse;
mod paste;
mod refusals;
mod release;
pub mod rules;
mod values;

pub use catalog::{Key, Kind, Owner, Owners, Spec, Unit};
pub use layers::{Layers, Scope, Source};
pub use parse::{SettingError, Value};
pub use paste::{MAX_PASTE_BYTES, Skipped, parse_paste};
pub use release::{Ability, Release, TopicsLayout};
pub use rules::Rules;
pub use values::Values;

pub(crate) use parse::nearest;
