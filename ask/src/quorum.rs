//! `kafka-metadata-quorum.sh --describe --status`: who leads the controllers, and how many of them
//! may be down (R5.4).

use alloc::vec::Vec;

/// What the tool says of the quorum.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Quorum {
    /// The line that it begins in, from 1.
    pub line: u32,
    /// The active controller; `None` if there is none.
    pub leader: Option<u32>,
    /// The voters.
    pub voters: Vec<u32>,
    /// How far the last follower is behind, in ms; `None` if nobody is, or the tool does not know.
    pub lag_ms: Option<u64>,
}

impl Quorum {
    /// How many voters may be down at once while the others still elect.
    pub fn may_be_down(&self) -> usize {
        self.voters.len().saturating_sub(1) / 2
    }
}

/// Whether a line is one of that tool's.
pub(crate) fn is_line(line: &str) -> bool {
    const LABELS: [&str; 8] = [
        "ClusterId:",
        "LeaderId:",
        "LeaderEpoch:",
        "HighWatermark:",
        "MaxFollowerLag:",
        "MaxFollowerLagTimeMs:",
        "CurrentVoters:",
        "CurrentObservers:",
    ];
    LABELS.iter().any(|label| line.trim_start().starts_with(label))
}

/// Reads what the tool printed; `None` if leader or voters are missing.
pub fn read(text: &str) -> Option<Quorum> {
    let mut quorum = Quorum::default();
    let (mut has_leader, mut has_voters) = (false, false);
    for (number, line) in (1u32..).zip(text.lines()).filter(|(_, line)| is_line(line)) {
        let (label, value) = line.trim().split_once(':')?;
        let value = value.trim();
        if quorum.line == 0 {
            quorum.line = number;
        }
        match label {
            "LeaderId" => {
                has_leader = true;
                quorum.leader = value.parse().ok();
            }
            "MaxFollowerLagTimeMs" => quorum.lag_ms = value.parse().ok().filter(|ms| *ms > 0),
            "CurrentVoters" => {
                quorum.voters = ids(value);
                has_voters = !quorum.voters.is_empty();
            }
            _ => {}
        }
    }
    (has_leader && has_voters).then_some(quorum)
}

/// `[1,2,3]`, and from 3.9 on `[{"id": 1, "directoryId": …}, …]`.
fn ids(text: &str) -> Vec<u32> {
    let number = |part: &str| {
        let digits = part.trim_start_matches([' ', '"', ':']);
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        digits[..end].parse().ok()
    };
    if text.contains('{') {
        return text.split("\"id\"").skip(1).filter_map(number).collect();
    }
    text.trim_matches(['[', ']']).split(',').filter_map(number).collect()
}
