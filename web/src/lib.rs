//! The face of `highwater-core` in a browser: handles in, plain versioned view structs out.

mod convert;
mod described;
mod detail;
mod engine;
mod json;
pub mod view;

pub use engine::Engine;
