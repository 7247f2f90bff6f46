//! What is to be said of the controllers' quorum, for the page.

use highwater_ask::quorum::Quorum;
use serde::Serialize;
use tsify::Tsify;

/// The quorum of the controllers.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct QuorumView {
    /// The line that it begins in.
    pub line: u32,
    /// The active controller.
    pub leader: Option<u32>,
    /// The voters.
    pub voters: Vec<u32>,
    /// How many of them may be down at once.
    pub may_be_down: u32,
    /// How far the last follower is behind, in ms.
    pub lag_ms: Option<f64>,
}

pub(super) fn view(quorum: Quorum) -> QuorumView {
    let may_be_down = quorum.may_be_down() as u32;
    let Quorum { line, leader, voters, lag_ms } = quorum;
    QuorumView { line, leader, voters, may_be_down, lag_ms: lag_ms.map(|ms| ms as f64) }
}
