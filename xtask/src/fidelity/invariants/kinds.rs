use super::random_faults::{Cluster, Faults};
use highwater_core::settings::rules::{Coordination, SWITCHES};
use highwater_core::settings::{Release, Rules};
use std::fmt;

/// A kind of run: a cluster and what happens to it.
#[derive(Clone, Copy)]
pub struct Kind(pub Cluster);

const fn kind(release: Release, elr: bool, faults: Faults) -> Kind {
    Kind(Cluster { release, elr: Some(elr), rules: "", faults, moves: false })
}

const fn with_moves(release: Release, elr: bool) -> Kind {
    Kind(Cluster { moves: true, ..kind(release, elr, Faults::Gentle).0 })
}

const fn ruled(release: Release, rules: &'static str, faults: Faults) -> Kind {
    Kind(Cluster { rules, ..kind(release, true, faults).0 })
}

/// The runs in which invariants must hold.
pub const KINDS: &[Kind] = &[
    kind(Release::V0_8_2, false, Faults::Gentle),
    kind(Release::V0_11, false, Faults::Gentle),
    kind(Release::V2_8, false, Faults::Gentle),
    kind(Release::V2_8, false, Faults::Hasty),
    with_moves(Release::V3_9, false),
    kind(Release::V4_1, false, Faults::Gentle),
    kind(Release::V4_4, false, Faults::Gentle),
    with_moves(Release::V4_1, true),
    with_moves(Release::V4_4, true),
    kind(Release::V4_1, true, Faults::OneLoses),
    kind(Release::V4_4, true, Faults::OneLoses),
    ruled(Release::V4_1, "last-known-leader=unused", Faults::Gentle),
    ruled(Release::V4_4, "last-known-leader=unused", Faults::Gentle),
];

/// How a truncation protocol that the data names is played: on 2.8, with what belonged to it.
pub fn under(protocol: &str) -> Option<Kind> {
    let rules = match protocol {
        "highWatermark" => {
            "truncation=high-watermark fetch-fencing=off epoch-entries=none \
             epoch-assignment=ignores follower-restart=new-leader isr-join=high-watermark"
        }
        "kip101" => {
            "truncation=kip-101 fetch-fencing=off epoch-entries=first-append \
             epoch-assignment=ignores follower-restart=new-leader"
        }
        "kip279" => "truncation=kip-279 fetch-fencing=off",
        _ => return None,
    };
    Some(ruled(Release::V2_8, rules, Faults::Hasty))
}

impl Kind {
    /// The rules of its cluster.
    pub fn rules(&self) -> Rules {
        let set = |word: &str| {
            let (name, value) = word.split_once('=')?;
            let switch = Rules::switch(name)?;
            let value = SWITCHES[switch].values.iter().position(|v| *v == value)?;
            Some((switch, value))
        };
        let switches: Vec<_> = self.0.rules.split_whitespace().filter_map(set).collect();
        Rules::of(self.0.release, self.0.elr == Some(true)).with(&switches)
    }

    /// Whether an invariant of that era is claimed of it; none: there is no such era.
    pub fn is_of_era(&self, era: &str) -> Option<bool> {
        match era {
            "0.8" => Some(true),
            "4.x" => Some(self.rules().coordination == Coordination::KRaft),
            _ => None,
        }
    }

    /// Whether no disk loses anything.
    pub fn loses_nothing(&self) -> bool {
        matches!(self.0.faults, Faults::Gentle | Faults::Hasty)
    }

    /// Whether fewer replicas lose something than the minimum ISR counts. Without ELR a controller
    /// does not heed such a loss (A13).
    pub fn loses_few(&self) -> bool {
        self.loses_nothing() || (self.0.faults == Faults::OneLoses && self.rules().elr)
    }

    /// Its description as the name of a file.
    pub fn file_name(&self) -> String {
        let text = self.to_string().to_lowercase();
        let words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|w| !w.is_empty());
        words.collect::<Vec<_>>().join("-")
    }

    /// Whether a partition is moved.
    pub fn moves(&self) -> bool {
        self.0.moves || self.0.faults == Faults::Rough
    }

    /// Whether all that was broken is whole again in the end, and a partition was moved.
    pub fn comes_to_rest(&self) -> bool {
        self.0.moves
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Cluster { release, elr, rules, faults, moves } = self.0;
        let elr = if elr == Some(true) { " with ELR" } else { "" };
        let moves = if moves { " and a move" } else { "" };
        write!(f, "{release}{elr}, {faults:?} faults{moves}")?;
        if rules.is_empty() { Ok(()) } else { write!(f, ", {rules}") }
    }
}
