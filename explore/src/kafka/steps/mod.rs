//! What may happen next.

mod brokers;
mod controller;
mod faults;
mod start;
mod zookeeper;

use super::action::Step;
use super::question::Frame;
use super::world::World;

/// Takes each successor with the step that leads to it.
pub type Each<'a> = dyn FnMut(Step, &World) + 'a;

/// Calls `each` with every successor.
pub fn all(question: &Frame, world: &World, each: &mut Each<'_>) {
    let of = Successors { question, world };
    for broker in 0..usize::from(question.brokers) {
        of.broker_steps(broker, each);
        match question.has_zookeeper() {
            true => of.zookeeper_steps(broker, each),
            false => of.controller_steps(broker, each),
        }
        of.fault_steps(broker, each);
    }
    of.operator_steps(each);
}

/// The successors of a state.
#[derive(Clone, Copy)]
pub struct Successors<'a> {
    pub question: &'a Frame,
    pub world: &'a World,
}
