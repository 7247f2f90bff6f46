//! The face of `highwater-core` in a browser: a handle in, plain versioned view structs out.
//!
//! Each module has what one part of the screen shows: its structs, whose TypeScript types are
//! generated, and how they are made from the core. They are converted by hand, so that the core can
//! be reshaped without breaking the page or a link.
//!
//! Each feature is a wasm package of its own: `engine` plays scenarios, `ask` reads what people
//! paste, and `explore` looks at every order of things. A page loads those two only when they are
//! wanted.
//!
//! Times are microseconds of virtual time and offsets are counts; both fit a JavaScript number
//! exactly. Ids of events and records are indexes in order of time. A node is named as in scripts:
//! `"2"`, `"controller"`, `"p1"`. What is absent is `undefined`.

#[cfg(feature = "ask")]
mod ask;
#[cfg(feature = "engine")]
mod engine;
#[cfg(feature = "explore")]
mod explore;
#[cfg(any(feature = "ask", feature = "engine"))]
mod said;
mod thrown;

#[cfg(feature = "ask")]
pub use ask::Ask;
#[cfg(feature = "engine")]
pub use engine::{Engine, view};
#[cfg(feature = "explore")]
pub use explore::Explorer;
