//! Kafka's own model: one partition by the kernel's rules, every order of what may happen to it.
//!
//! A state is unpacked into plain values, the kernel of `highwater-core` is called with its own
//! types on the stack, and what comes out is packed again. No rule of Kafka is written here: what
//! this module decides is which steps there are and what a step leaves out (docs/explorer.md).

mod action;
mod bits;
mod packing;
mod question;
mod scenario;
mod steps;
mod world;

pub use action::Step;
pub use question::{Fault, Property, Question, Refusal};
pub use scenario::scenarios;
pub use world::{Broker, Control, Leading, Pending, Rest, Set, World};

use crate::model::{Action, Model};
use packing::{Lanes, Layout};
use question::Frame;

/// The model of a question, with states of `W` words.
#[derive(Clone, Copy, Debug)]
pub struct Kafka<const W: usize> {
    question: Frame,
    layout: Layout,
}

/// How many words the states of a question take.
///
/// # Errors
/// What is wrong with the question.
pub fn words(question: &Question) -> Result<usize, Refusal> {
    question.checked()?;
    Layout::of(question).words().ok_or(Refusal::TooMuch)
}

impl<const W: usize> Kafka<W> {
    /// The model; `None` if a state takes more than `W` words.
    ///
    /// # Errors
    /// What is wrong with the question.
    pub fn new(question: Question) -> Result<Option<Kafka<W>>, Refusal> {
        let fits = words(&question)? <= W;
        Ok(fits.then(|| Kafka { question: Frame::new(question), layout: Layout::of(&question) }))
    }

    /// The question.
    pub fn question(&self) -> &Question {
        &self.question
    }

    /// A state, unpacked.
    pub fn world(&self, state: &[u64; W]) -> World {
        self.layout.unpacked(state).0
    }
}

impl<const W: usize> Model for Kafka<W> {
    type State = [u64; W];

    fn initial(&self, mut each: impl FnMut([u64; W])) {
        each(self.layout.packed(&World::formed(&self.question), &Lanes::default()));
    }

    fn successors(&self, state: &[u64; W], mut each: impl FnMut(Action, [u64; W])) {
        let (world, lanes) = self.layout.unpacked(state);
        steps::all(&self.question, &world, &mut |step, next: &World| {
            each(step.code(), self.layout.packed(next, &lanes));
        });
    }

    fn broken(&self, state: &[u64; W]) -> u32 {
        if !self.layout.may_break(state, &self.question) {
            return 0;
        }
        let (world, _) = self.layout.unpacked(state);
        u32::from(world.breaks(&self.question)) * self.question.property.bit()
    }
}
