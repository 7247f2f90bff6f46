//! The face of `highwater-core` in a browser: a handle in, plain versioned view structs out.
//!
//! Each module has what one part of the screen shows: its structs, whose TypeScript types are
//! generated, and how they are made from the core. They are converted by hand, so that the core can
//! be reshaped without breaking the page or a link.
//!
//! Times are microseconds of virtual time and offsets are counts; both fit a JavaScript number
//! exactly. Ids of events and records are indexes in order of time. A node is named as in scripts:
//! `"2"`, `"controller"`, `"p1"`. What is absent is `undefined`.

mod broker;
mod budget;
mod cell;
mod client;
mod controller;
mod described;
mod engine;
mod faults;
mod flight;
mod ledger;
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
mod thrown;
pub mod view;

pub use engine::Engine;
