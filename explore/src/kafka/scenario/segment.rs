//! A run, cut into what needs a line of the script and what happens by itself.

use super::links::Links;
use crate::kafka::action::Step;
use crate::kafka::world::{self, Set, World};
use crate::kafka::{Kafka, steps};
use crate::trace;
use alloc::vec::Vec;

/// A step that needs a line of the script, and the links that carry fetches until the next one.
#[derive(Default)]
pub(super) struct Segment {
    pub step: Option<Step>,
    /// Fetches that the run lets happen, those of them that have no answer, and those that could
    /// happen besides.
    pub fetches: Links,
    pub unanswered: Links,
    pub possible: Links,
    /// Links whose followers lag first, if several lag.
    pub early: Links,
    /// Brokers that are unfenced.
    pub unfences: Set,
    /// Brokers that hear of something, and those that could and do not.
    pub hears: Set,
    pub deaf: Set,
    /// Those of the latter that take themselves for leaders.
    pub deaf_leaders: Set,
}

pub(super) fn segments<const W: usize>(
    model: &Kafka<W>,
    run: &[trace::Step<[u64; W]>],
) -> Vec<Segment> {
    let mut segments: Vec<Segment> = Vec::new();
    for step in run {
        let done = step.action.map(Step::of);
        let by_itself = matches!(
            done,
            Some(
                Step::Fetch(..)
                    | Step::FetchUnanswered(..)
                    | Step::AskEnd(..)
                    | Step::Hear(_)
                    | Step::Alter(_)
                    | Step::Unfence(_)
            )
        );
        if !by_itself {
            segments.push(Segment { step: done, ..Segment::default() });
        }
        let segment = segments.last_mut().expect("a run begins with a state");
        match done {
            Some(Step::Fetch(f, l) | Step::AskEnd(f, l)) => segment.fetches.insert(f, l),
            Some(Step::FetchUnanswered(f, l)) => segment.unanswered.insert(f, l),
            Some(Step::Hear(b)) => segment.hears |= 1 << b,
            Some(Step::Unfence(b)) => segment.unfences |= 1 << b,
            _ => {}
        }
        let world: World = model.world(&step.state);
        steps::all(&model.question, &world, &mut |next, _| match next {
            Step::Fetch(f, l) | Step::FetchUnanswered(f, l) | Step::AskEnd(f, l) => {
                segment.possible.insert(f, l);
            }
            Step::Hear(b) => {
                segment.deaf |= 1 << b;
                segment.deaf_leaders |= u8::from(world.broker(b).leads(b)) << b;
            }
            _ => {}
        });
    }
    for segment in &mut segments {
        segment.unanswered = segment.unanswered.without(segment.fetches);
        segment.deaf &= !segment.hears;
        segment.deaf_leaders &= !segment.hears;
    }
    note_shrinks(&mut segments);
    segments
}

/// Notes for each segment which links lead to the next shrink of an ISR: their followers are cut off
/// a while before the others, so that they lag first.
pub(super) fn note_shrinks(segments: &mut [Segment]) {
    let mut next = Links::default();
    for segment in segments.iter_mut().rev() {
        segment.early = next.without(segment.fetches).without(segment.unanswered);
        match segment.step {
            Some(Step::Shrink(leader, out)) => {
                next = Links::default();
                world::members(out).for_each(|f| next.insert(f, leader));
            }
            _ => next = segment.early,
        }
    }
}
