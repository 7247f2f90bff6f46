//! Floor 11: observers that read a run and never steer it.

pub mod describe;
pub mod facts;
pub mod metrics;
pub mod why;
