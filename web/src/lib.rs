//! The face of `highwater-core` in a browser: handles in, plain versioned view structs out.

pub mod view;
