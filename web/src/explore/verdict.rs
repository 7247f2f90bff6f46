//! How a search goes, and what it found.

use highwater_explore::kafka::Step;
use highwater_explore::{Progress, Verdict};
use serde::Serialize;
use tsify::Tsify;

/// How far a search has come.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct SearchView {
    /// Different states seen.
    pub distinct: f64,
    /// States generated.
    pub generated: f64,
    /// Every run of so many steps was looked at.
    pub steps: u32,
    /// States still to be expanded.
    pub waiting: f64,
    /// Bytes in use.
    pub bytes: f64,
    /// The verdict, once there is one.
    pub verdict: Option<VerdictName>,
    /// Steps of the shortest run that breaks the promise.
    pub length: Option<u32>,
}

/// What a finished search says.
#[derive(Clone, Copy, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub enum VerdictName {
    /// The promise can be broken.
    Broken,
    /// It cannot, within the bounds.
    Safe,
    /// The memory bound came first: nothing was found within `steps`.
    Memory,
}

impl SearchView {
    pub(super) fn of(progress: &Progress, verdict: Option<Verdict>, length: Option<u32>) -> Self {
        SearchView {
            distinct: progress.distinct as f64,
            generated: progress.generated as f64,
            steps: progress.depth.saturating_sub(1),
            waiting: progress.waiting as f64,
            bytes: progress.bytes as f64,
            verdict: verdict.map(|verdict| match verdict {
                Verdict::Broken => VerdictName::Broken,
                Verdict::Exhausted => VerdictName::Safe,
                Verdict::OutOfMemory | Verdict::OutOfMachine | Verdict::TooManyStates => {
                    VerdictName::Memory
                }
            }),
            length: length.map(|states| states.saturating_sub(1)),
        }
    }
}

/// One step of a run.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct StepView {
    /// What is done.
    pub kind: StepName,
    /// The broker that does it, or to which it happens; 0: none.
    pub broker: u32,
    /// The leader that is fetched from.
    pub leader: Option<u32>,
    /// Those that leave the ISR.
    pub out: Vec<u32>,
}

/// What a step does.
#[derive(Clone, Copy, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "the names of highwater_explore::kafka::Step")]
pub enum StepName {
    Produce,
    Fetch,
    FetchUnanswered,
    Hear,
    Shrink,
    Alter,
    Fence,
    Unfence,
    Start,
    Crash,
    Power,
    Stop,
    UncleanElection,
    AskEnd,
    Checkpoint,
}

impl StepView {
    pub(super) fn of(step: Step) -> StepView {
        let (kind, broker, leader, out) = match step {
            Step::Produce(b) => (StepName::Produce, Some(b), None, 0),
            Step::Fetch(f, l) => (StepName::Fetch, Some(f), Some(l), 0),
            Step::FetchUnanswered(f, l) => (StepName::FetchUnanswered, Some(f), Some(l), 0),
            Step::Hear(b) => (StepName::Hear, Some(b), None, 0),
            Step::Shrink(b, out) => (StepName::Shrink, Some(b), None, out),
            Step::Alter(b) => (StepName::Alter, Some(b), None, 0),
            Step::Fence(b) => (StepName::Fence, Some(b), None, 0),
            Step::Unfence(b) => (StepName::Unfence, Some(b), None, 0),
            Step::Start(b) => (StepName::Start, Some(b), None, 0),
            Step::Crash(b) => (StepName::Crash, Some(b), None, 0),
            Step::Power(b) => (StepName::Power, Some(b), None, 0),
            Step::Stop(b) => (StepName::Stop, Some(b), None, 0),
            Step::UncleanElection => (StepName::UncleanElection, None, None, 0),
            Step::AskEnd(f, l) => (StepName::AskEnd, Some(f), Some(l), 0),
            Step::Checkpoint(b) => (StepName::Checkpoint, Some(b), None, 0),
        };
        let id = |place: usize| place as u32 + 1;
        StepView {
            kind,
            broker: broker.map_or(0, id),
            leader: leader.map(id),
            out: (0..8).filter(|b| out & (1 << b) != 0).map(id).collect(),
        }
    }
}
