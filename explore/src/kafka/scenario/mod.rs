//! From a run of the model to a scenario that breaks the same promise when it is played.
//!
//! The simulation is eager: a follower fetches as soon as it may, a controller answers at once. The
//! model's runs are not. So a scenario holds back what a run leaves out: a link is cut while its
//! follower has something to fetch and the run does not let it, and is healed where the run does.
//! Everything else happens by itself once its cause is there.

mod header;
mod hold;
mod links;
mod order;
mod script;
mod segment;

use super::action::Step;
use crate::kafka::Kafka;
use crate::trace;
use alloc::string::String;
use alloc::vec::Vec;
use hold::{HOLDS, Hold};
use order::in_order_of_fencing;
use script::Script;
use segment::{Segment, segments};

/// How long followers may lag in a run in which the leader takes one out of the ISR.
const LAG: u64 = 30_000;
/// The same where it takes nobody out.
const NO_LAG: u64 = 3_600_000;

/// Scenarios of a run, the least held back first. The first of them whose `expect` line holds when it
/// is played is the run's story. Each is another attempt to bring an eager simulation to the same end.
pub fn scenarios<const W: usize>(model: &Kafka<W>, run: &[trace::Step<[u64; W]>]) -> Vec<String> {
    let question = model.question();
    let run = in_order_of_fencing(model, run);
    let segments = segments(model, &run);
    let ends = |s: &Segment| matches!(s.step, Some(Step::Fence(_) | Step::Start(_)));
    let sessions_end = segments.iter().any(ends);
    let written = |hold: Hold| {
        // Where no session ends, none is to end meanwhile.
        let session = if sessions_end { hold.session } else { NO_LAG };
        let hold = Hold { session, ..hold };
        let mut script = Script::new(question, &segments, hold);
        segments.iter().for_each(|segment| script.play(segment));
        script.finish()
    };
    let mut scripts: Vec<String> = HOLDS.into_iter().map(written).collect();
    scripts.dedup();
    scripts
}
