use super::{ClientEffects, ClientTimer};
use crate::wire::event::EventKind;
use crate::wire::message::Body;
use crate::words::{ErrorCode, EventId, Micros, Node};
use alloc::vec::Vec;

/// How long a command may take (`default.api.timeout.ms`).
const TIMEOUT: Micros = Micros::from_secs(60);
/// Before it is tried again.
const BACKOFF: Micros = Micros::from_ms(100);

/// The outcome of an operator's command.
#[derive(Clone, Debug)]
pub struct CommandResult {
    /// The line of the script that gave it.
    pub line: u32,
    /// The outcome; none: not yet.
    pub error: Option<ErrorCode>,
}

/// The operator's tools: commands to the controller, one after the other.
#[derive(Clone, Debug, Default)]
pub struct Operator {
    next_correlation: u32,
    waiting: Vec<Waiting>,
    results: Vec<CommandResult>,
}

#[derive(Clone, Debug)]
struct Waiting {
    result: usize,
    body: Body,
    deadline: Micros,
    why: EventId,
    /// The request under way; none: it is to be sent (again).
    correlation: Option<u32>,
    not_before: Micros,
}

impl Operator {
    /// Outcomes in the order of the commands.
    pub fn results(&self) -> &[CommandResult] {
        &self.results
    }

    /// Gives a command.
    pub fn command(&mut self, line: u32, body: Body, fx: &mut ClientEffects) {
        self.results.push(CommandResult { line, error: None });
        self.waiting.push(Waiting {
            result: self.results.len() - 1,
            body,
            deadline: fx.now + TIMEOUT,
            why: fx.cause(),
            correlation: None,
            not_before: Micros::ZERO,
        });
        self.poll(fx);
    }

    /// An answer came.
    pub fn receive(&mut self, correlation: u32, body: &Body, fx: &mut ClientEffects) {
        let error = match body {
            Body::CreateTopicsResponse(r)
            | Body::AlterConfigsResponse(r)
            | Body::ElectLeadersResponse(r)
            | Body::AlterPartitionReassignmentsResponse(r) => r.error,
            _ => return,
        };
        let at = self.waiting.iter().position(|w| w.correlation == Some(correlation));
        let Some(at) = at else { return };
        let done = self.waiting.remove(at);
        self.results[done.result].error = Some(error);
        self.poll(fx);
    }

    /// The controller is not there.
    pub fn disconnected(&mut self, fx: &mut ClientEffects) {
        for waiting in &mut self.waiting {
            if waiting.correlation.take().is_some() {
                waiting.not_before = fx.now + BACKOFF;
            }
        }
        self.poll(fx);
    }

    /// Sends what is to be sent; gives up what took too long.
    pub fn poll(&mut self, fx: &mut ClientEffects) {
        let now = fx.now;
        for late in self.waiting.extract_if(.., |w| w.deadline <= now) {
            self.results[late.result].error = Some(ErrorCode::Timeout);
            let error = ErrorCode::Timeout;
            let command = match late.body {
                Body::CreateTopics(_) => "create",
                Body::AlterConfigs(_) => "config",
                Body::ElectLeaders(_) => "elect",
                _ => "reassign",
            };
            fx.event_because(
                EventKind::CommandAnswered { command, error },
                [late.why, EventId::NONE],
            );
        }
        if let Some(first) = self.waiting.first_mut() {
            if first.correlation.is_none() && first.not_before <= now {
                self.next_correlation += 1;
                first.correlation = Some(self.next_correlation);
                fx.send(Node::Controller, self.next_correlation, first.body.clone(), first.why);
            }
            let next = if first.correlation.is_some() { first.deadline } else { first.not_before };
            fx.wake_by(next, ClientTimer::Poll);
        }
    }
}
