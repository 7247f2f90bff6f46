use crate::words::Phrase;
use core::fmt;

/// A release of Apache Kafka that the model knows, oldest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Release {
    /// 0.8.2: ZooKeeper, message-lag ISR, truncation to the high watermark.
    V0_8_2,
    /// 0.11: ZooKeeper, the first leader epochs.
    V0_11,
    /// 2.8: ZooKeeper, AlterIsr, divergence found in fetches.
    V2_8,
    /// 3.9: KRaft without ELR.
    V3_9,
    /// 4.1: KRaft with ELR.
    V4_1,
    /// 4.4: KRaft with ELR; current.
    #[default]
    V4_4,
}

impl Release {
    /// Every release, oldest first.
    pub const ALL: [Release; Release::COUNT] = [
        Release::V0_8_2,
        Release::V0_11,
        Release::V2_8,
        Release::V3_9,
        Release::V4_1,
        Release::V4_4,
    ];

    /// How many there are.
    pub const COUNT: usize = 6;

    /// The names of all of them, for messages.
    pub const NAMES: &str = "0.8.2, 0.11, 2.8, 3.9, 4.1, 4.4";

    /// The release called `name`, such as `4.4`.
    pub fn parse(name: &str) -> Option<Release> {
        Release::ALL.into_iter().find(|r| r.name() == name)
    }

    /// Its name, such as `4.4`.
    pub const fn name(self) -> &'static str {
        match self {
            Release::V0_8_2 => "0.8.2",
            Release::V0_11 => "0.11",
            Release::V2_8 => "2.8",
            Release::V3_9 => "3.9",
            Release::V4_1 => "4.1",
            Release::V4_4 => "4.4",
        }
    }

    /// How its `kafka-topics --describe` looks.
    pub fn topics_layout(self) -> TopicsLayout {
        match self {
            Release::V0_8_2 | Release::V0_11 => TopicsLayout::Tight,
            Release::V2_8 => TopicsLayout::Spaced,
            Release::V3_9 | Release::V4_1 | Release::V4_4 => TopicsLayout::WithElr,
        }
    }

    /// Whether one can ask for that.
    pub fn has(self, ability: Ability) -> bool {
        self >= ability.since()
    }

    /// Its place in [`Release::ALL`] (0 … 5).
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What people and clients can ask for only from some release on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ability {
    /// Brokers have racks (R5.33).
    Racks,
    /// A consumer has one, and may read there (R7.8).
    ClientRack,
    /// An unclean election by command (R5.15).
    UncleanElection,
    /// A reassignment that is under way is taken back (R5.37).
    CancelledReassignment,
    /// Brokers count partitions at and under their minimum ISR, and failed ISR changes (R2.26).
    MinIsrMetrics,
}

impl Ability {
    /// The first release that has it.
    pub const fn since(self) -> Release {
        match self {
            Ability::Racks => Release::V0_11,
            Ability::ClientRack
            | Ability::UncleanElection
            | Ability::CancelledReassignment
            | Ability::MinIsrMetrics => Release::V2_8,
        }
    }

    /// That a release, the phrase's value, does not have it.
    pub const fn lacking(self) -> Phrase {
        match self {
            Ability::Racks => Phrase::NoRacks,
            Ability::ClientRack => Phrase::NoClientRack,
            Ability::UncleanElection => Phrase::NoUncleanElection,
            Ability::CancelledReassignment => Phrase::NoCancelledReassignment,
            Ability::MinIsrMetrics => Phrase::NoMinIsrMetrics,
        }
    }
}

/// The columns of `kafka-topics --describe` (docs/protocol.md, section 13).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TopicsLayout {
    /// No space behind the header's colons, and no topic id.
    Tight,
    /// With spaces, the topic's id, and the lists of a reassignment.
    Spaced,
    /// And with `Elr` and `LastKnownElr`.
    WithElr,
}
