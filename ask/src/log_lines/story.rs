//! What several lines tell together.

use super::Told;
use alloc::vec::Vec;

/// Something that happened, told by lines of several kinds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Story {
    /// Which: the page has words for it.
    pub code: &'static str,
    /// The kinds that tell it.
    pub by: Vec<&'static str>,
}

/// A story is told where one kind of each group is there.
const STORIES: &[(&str, &[&[&str]])] = &[
    (
        "lossAfterUnclean",
        &[
            &["election.unclean"],
            &[
                "truncate.belowHw",
                "truncate.byEpoch",
                "fetcher.outOfRange",
                "consumer.truncated",
                "consumer.outOfRange",
                "sequence.outOfOrder",
                "sequence.error",
                "log.halted",
            ],
        ],
    ),
    (
        "belowMinIsr",
        &[&["isr.shrinking", "broker.fenced"], &["produce.notEnough", "produce.notEnoughRetry"]],
    ),
    (
        "gaveUp",
        &[
            &["produce.expired"],
            &[
                "election.none",
                "produce.leaderNotAvailable",
                "connection.refused",
                "produce.notLeader",
            ],
        ],
    ),
    (
        "leaderDied",
        &[
            &["broker.fenced", "session.expired", "controller.brokerFailure", "connection.refused"],
            &["replica.leads", "election.selected"],
        ],
    ),
    (
        "deposed",
        &[
            &["isr.cachedVersion", "isr.rejected", "isr.alterFailed"],
            &["session.expired", "broker.fenced", "fetcher.olderEpoch"],
        ],
    ),
    (
        "recovered",
        &[&["recovery.unclean"], &["recovery.corrupt", "recovery.segment", "recovery.index"]],
    ),
    (
        "cleanStop",
        &[
            &["broker.shutdownAsked", "broker.shutdownDone"],
            &["replica.leads", "isr.shrinking", "produce.notLeader", "connection.lost"],
        ],
    ),
    ("flaps", &[&["isr.shrinking"], &["isr.expanding"]]),
    ("slowReader", &[&["consumer.memberFailed"], &["consumer.rebalance", "consumer.commitFailed"]]),
    (
        "truncatedReturn",
        &[&["replica.follows", "truncate.byEpoch"], &["truncate.byEpoch", "truncate.toHw"]],
    ),
];

pub(super) fn stories(told: &[Told]) -> Vec<Story> {
    let by = |groups: &[&[&'static str]]| -> Option<Vec<&'static str>> {
        let of_group = |group: &&[&'static str]| {
            group.iter().copied().find(|code| told.iter().any(|t| t.code == *code))
        };
        groups.iter().map(of_group).collect()
    };
    let found = STORIES.iter().filter_map(|(code, groups)| Some(Story { code, by: by(groups)? }));
    // One kind alone is no story.
    found.filter(|story| story.by.iter().any(|code| *code != story.by[0])).collect()
}
