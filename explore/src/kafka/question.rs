//! What is asked: a cluster, its settings, the faults allowed and the bounds.

use super::world::{self, MOST_BROKERS, MOST_EPOCHS, MOST_RECORDS, Set};
use core::ops::Deref;
use highwater_core::partition::election::Election;
use highwater_core::partition::high_watermark::effective_min_isr;
use highwater_core::settings::rules::{Coordination, IsrJoin, Truncation};
use highwater_core::settings::{Release, Rules};
use highwater_core::words::Brokers;

/// Too many of this release's violations cannot be played by the simulation yet: nobody could tell a
/// fault of Kafka's from one of the model's.
const UNPLAYED: Release = Release::V0_11;

/// Something that may go wrong, or be done to the cluster, so and so often.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Fault {
    /// A process is killed; its machine keeps what it wrote.
    Crash,
    /// A machine loses power: what was not flushed is gone.
    Power,
    /// A live broker's session ends: it is fenced and does not know.
    Session,
    /// A clean stop.
    Stop,
    /// The operator asks for an unclean election.
    UncleanElection,
    /// A live follower lags too long and leaves the ISR: a slow disk, a slow link, a long pause.
    Lag,
}

impl Fault {
    /// How many kinds there are.
    pub const COUNT: usize = 6;
    /// All of them.
    pub const ALL: [Fault; Fault::COUNT] = [
        Fault::Crash,
        Fault::Power,
        Fault::Session,
        Fault::Stop,
        Fault::UncleanElection,
        Fault::Lag,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Fault::Crash => "crash",
            Fault::Power => "power",
            Fault::Session => "session",
            Fault::Stop => "stop",
            Fault::UncleanElection => "unclean-election",
            Fault::Lag => "lag",
        }
    }
}

/// A promise that may be broken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Property {
    /// What was acknowledged survives.
    AckedSurvives,
    /// What a consumer saw stays.
    SeenStays,
    /// There is a leader while enough brokers live.
    HasLeader,
}

impl Property {
    /// All of them.
    pub const ALL: [Property; 3] =
        [Property::AckedSurvives, Property::SeenStays, Property::HasLeader];

    /// Its bit.
    pub const fn bit(self) -> u32 {
        1 << self as u32
    }
}

/// A question. Everything that is not in it is as the release's defaults have it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Question {
    /// The release.
    pub release: Release,
    /// Its rules; a test may take one away.
    pub rules: Rules,
    /// Brokers, each with a replica; 1 leads at first.
    pub brokers: u8,
    /// `acks`: 0, 1 or −1.
    pub acks: i32,
    /// `min.insync.replicas`.
    pub min_isr: u8,
    /// `unclean.leader.election.enable`.
    pub unclean: bool,
    /// `flush.messages=1`: every record is on the disk before it is acknowledged.
    pub flush_every_record: bool,
    /// Records to send.
    pub records: u8,
    /// The last leader epoch; the first is 0.
    pub max_epoch: u8,
    /// How often each fault may happen, in the order of [`Fault::ALL`].
    pub faults: [u8; Fault::COUNT],
    /// The promise.
    pub property: Property,
    /// For [`Property::HasLeader`]: so many brokers live and are not fenced.
    pub alive: u8,
}

/// A question, with what the model needs over and over again.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    question: Question,
    /// Every set of brokers as the kernel has it.
    sets: [Brokers; 1 << MOST_BROKERS],
    /// Whether the HW of a replica that does not lead can matter.
    pub(super) keeps_hw: bool,
}

impl Deref for Frame {
    type Target = Question;

    fn deref(&self) -> &Question {
        &self.question
    }
}

impl Frame {
    pub(super) fn new(question: Question) -> Frame {
        let rules = &question.rules;
        // A replica that begins to lead cannot have a HW above its log end, where its epoch begins:
        // who may join by the latter has reached the former, whatever it is (R2.17).
        let keeps_hw = question.checkpoints_matter() || rules.isr_join == IsrJoin::HighWatermark;
        let sets = core::array::from_fn(|set| world::brokers(set as Set));
        Frame { question, sets, keeps_hw }
    }

    /// The brokers of a set, in order of assignment.
    #[inline]
    pub(super) fn brokers(&self, set: Set) -> Brokers {
        self.sets[usize::from(set)]
    }
}

/// Why a question is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// Brokers: 1 to 5.
    Brokers,
    /// Records: 1 to 3.
    Records,
    /// Leader epochs: up to 7.
    Epochs,
    /// Faults: at most 3 of each.
    Faults,
    /// acks: 0, 1 or −1.
    Acks,
    /// min.insync.replicas: 1 to 5.
    MinIsr,
    /// The release cannot be asked about yet.
    Release,
    /// All of it together: a state would not fit.
    TooMuch,
}

impl Question {
    /// The durability recipe on a release: three brokers, acks=all, min ISR 2, no unclean election;
    /// one record and no fault yet.
    pub fn recipe(release: Release) -> Question {
        Question {
            release,
            rules: Rules::of(release, true),
            brokers: 3,
            acks: -1,
            min_isr: 2,
            unclean: false,
            flush_every_record: false,
            records: 1,
            max_epoch: 4,
            faults: [0; Fault::COUNT],
            property: Property::AckedSurvives,
            alive: 1,
        }
    }

    /// The same with a fault allowed so often.
    #[must_use]
    pub fn with(mut self, fault: Fault, times: u8) -> Question {
        self.faults[fault as usize] = times;
        self
    }

    /// Whether the model can answer it.
    ///
    /// # Errors
    /// The first bound that is passed.
    pub fn checked(&self) -> Result<(), Refusal> {
        let within = |value: u8, most: usize| value >= 1 && usize::from(value) <= most;
        let tests = [
            (self.release != UNPLAYED, Refusal::Release),
            (within(self.brokers, MOST_BROKERS), Refusal::Brokers),
            (within(self.records, MOST_RECORDS), Refusal::Records),
            (within(self.max_epoch, MOST_EPOCHS), Refusal::Epochs),
            (self.faults.iter().all(|f| *f <= 3), Refusal::Faults),
            ((-1..=1).contains(&self.acks), Refusal::Acks),
            (within(self.min_isr, MOST_BROKERS), Refusal::MinIsr),
        ];
        let refused = tests.into_iter().find(|(good, _)| !good);
        refused.map_or(Ok(()), |(_, refusal)| Err(refusal))
    }

    /// Whether ZooKeeper keeps the state.
    pub fn has_zookeeper(&self) -> bool {
        self.rules.coordination == Coordination::ZooKeeper
    }

    /// Whether a follower may cut its log by the HW that it read from its disk (R3.10–R3.13).
    pub(super) fn checkpoints_matter(&self) -> bool {
        self.rules.truncation != Truncation::Fetch
    }

    /// Every broker.
    pub fn everyone(&self) -> Set {
        ((1u16 << self.brokers) - 1) as Set
    }

    pub(super) fn effective_min_isr(&self) -> usize {
        effective_min_isr(self.rules.min_isr, self.min_isr.into(), self.brokers.into())
    }

    /// The election that events hold (R5.21).
    pub(super) fn election(&self) -> Election {
        if self.unclean { Election::Unclean } else { Election::Online }
    }
}
