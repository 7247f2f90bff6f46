//! The engine's face: a module for each part of the screen, and the handle that answers with them.

mod broker;
mod budget;
mod cell;
mod client;
mod controller;
mod faults;
mod flight;
mod handle;
mod ledger;
mod lesson;
mod looks;
mod map;
mod metrics;
mod names;
mod narration;
mod partition;
mod paste;
mod script;
mod series;
mod settings;
mod spacetime;
mod story;
pub mod view;

pub use handle::Engine;
