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
    let from = From { question, world };
    for broker in 0..usize::from(question.brokers) {
        from.broker_steps(broker, each);
        match question.has_zookeeper() {
            true => from.zookeeper_steps(broker, each),
            false => from.controller_steps(broker, each),
        }
        from.fault_steps(broker, each);
    }
    from.operator_steps(each);
}

/// A state that something happens to.
#[derive(Clone, Copy)]
pub struct From<'a> {
    pub question: &'a Frame,
    pub world: &'a World,
}
