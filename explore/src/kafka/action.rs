//! What may be done, as a number and in words.

use crate::model::Action;

/// One step of a run. Brokers are places: 0 is broker 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// A producer sends a record to a broker that takes itself for the leader, and it is appended.
    Produce(usize),
    /// A follower fetches from a leader, and the answer arrives.
    Fetch(usize, usize),
    /// A follower fetches from a leader, and the answer is lost.
    FetchUnanswered(usize, usize),
    /// A broker hears of the newest stored state.
    Hear(usize),
    /// A leader asks for an ISR without these members: too long behind.
    Shrink(usize, u8),
    /// The controller works on what a leader has asked for.
    Alter(usize),
    /// A broker's session ends at the controller.
    Fence(usize),
    /// A broker has caught up and is unfenced.
    Unfence(usize),
    /// A process starts and registers.
    Start(usize),
    /// A process is killed.
    Crash(usize),
    /// A machine loses power.
    Power(usize),
    /// A clean stop.
    Stop(usize),
    /// An unclean election on request.
    UncleanElection,
    /// A follower asks a leader where its newest epoch ends, and cuts its log there.
    AskEnd(usize, usize),
    /// A broker writes its HW to the disk.
    Checkpoint(usize),
}

impl Step {
    /// As the search keeps it.
    pub fn code(self) -> Action {
        let (kind, a, b) = match self {
            Step::Produce(a) => (0, a, 0),
            Step::Fetch(a, b) => (1, a, b),
            Step::FetchUnanswered(a, b) => (2, a, b),
            Step::Hear(a) => (3, a, 0),
            Step::Shrink(a, set) => (4, a, set.into()),
            Step::Alter(a) => (5, a, 0),
            Step::Fence(a) => (6, a, 0),
            Step::Unfence(a) => (7, a, 0),
            Step::Start(a) => (8, a, 0),
            Step::Crash(a) => (9, a, 0),
            Step::Power(a) => (10, a, 0),
            Step::Stop(a) => (11, a, 0),
            Step::UncleanElection => (12, 0, 0),
            Step::AskEnd(a, b) => (13, a, b),
            Step::Checkpoint(a) => (14, a, 0),
        };
        kind | ((a as u32) << 8) | ((b as u32) << 16)
    }

    /// The step of a [`Step::code`].
    pub fn of(code: Action) -> Step {
        let (a, b) = (((code >> 8) & 0xff) as usize, ((code >> 16) & 0xff) as usize);
        match code & 0xff {
            0 => Step::Produce(a),
            1 => Step::Fetch(a, b),
            2 => Step::FetchUnanswered(a, b),
            3 => Step::Hear(a),
            4 => Step::Shrink(a, b as u8),
            5 => Step::Alter(a),
            6 => Step::Fence(a),
            7 => Step::Unfence(a),
            8 => Step::Start(a),
            9 => Step::Crash(a),
            10 => Step::Power(a),
            11 => Step::Stop(a),
            13 => Step::AskEnd(a, b),
            14 => Step::Checkpoint(a),
            _ => Step::UncleanElection,
        }
    }
}
