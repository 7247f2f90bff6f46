//! What operators ask of the controller: a node each, which waits for one (R5.15, R5.36).

use super::ZooKeeper;
use crate::controller::ControllerEffects;
use crate::wire::message::Body;
use crate::words::{BrokerId, Node};

#[derive(Clone, Debug)]
pub(super) struct Command {
    number: u32,
    from: Node,
    correlation: u32,
    body: Body,
    /// The controller that has it.
    pub(super) sent_to: Option<BrokerId>,
}

impl ZooKeeper {
    pub(super) fn hand_on(
        &mut self,
        from: Node,
        correlation: u32,
        body: Body,
        fx: &mut ControllerEffects,
    ) {
        self.next_command += 1;
        let number = self.next_command;
        self.commands.push(Command { number, from, correlation, body, sent_to: None });
        self.send_commands(fx);
    }

    pub(super) fn send_commands(&mut self, fx: &mut ControllerEffects) {
        let Some(controller) = self.log.image.controller else { return };
        for command in self.commands.iter_mut().filter(|c| c.sent_to.is_none()) {
            command.sent_to = Some(controller);
            fx.send(Node::Broker(controller), command.number, command.body.clone(), fx.cause());
        }
    }

    pub(super) fn hand_back(&mut self, number: u32, body: Body, fx: &mut ControllerEffects) {
        let Some(at) = self.commands.iter().position(|c| c.number == number) else { return };
        let command = self.commands.remove(at);
        fx.send(command.from, command.correlation, body, fx.cause());
    }
}
