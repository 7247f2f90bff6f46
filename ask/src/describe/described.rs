use alloc::string::String;
use alloc::vec::Vec;

/// What a text says.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Described {
    /// Its partitions, in order.
    pub partitions: Vec<DescribedPartition>,
    /// The settings that decide durability, where a header gives them.
    pub settings: Vec<DescribedSetting>,
    /// What could not be read.
    pub unread: Vec<Unread>,
    /// Topics with fewer partitions in the text than their header counts.
    pub missing: Vec<Missing>,
}

/// One partition's line. A list is absent where the text has no such column or says `N/A`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct DescribedPartition {
    /// Its topic.
    pub topic: String,
    /// Its number.
    pub partition: u32,
    /// Its leader; none for `none` and `-1`.
    pub leader: Option<u32>,
    /// Its replicas, in order.
    pub replicas: Vec<u32>,
    /// The ISR.
    pub isr: Option<Vec<u32>>,
    /// Eligible leader replicas.
    pub elr: Option<Vec<u32>>,
    /// The last known ELR.
    pub last_known_elr: Option<Vec<u32>>,
    /// Replicas that a reassignment adds.
    pub adding: Option<Vec<u32>>,
    /// Replicas that it removes.
    pub removing: Option<Vec<u32>>,
    /// Replicas that are offline (Confluent).
    pub offline: Option<Vec<u32>>,
    /// Replicas that only observe (Confluent).
    pub observers: Option<Vec<u32>>,
    /// The line that it begins in, counted from 1.
    pub line: u32,
}

/// A setting of a topic.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DescribedSetting {
    /// The topic.
    pub topic: String,
    /// Its Kafka name.
    pub name: &'static str,
    /// Its value as it is written.
    pub value: String,
    /// The line of the header.
    pub line: u32,
}

/// Something that could not be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unread {
    /// Its line, counted from 1.
    pub line: u32,
    /// What stands there.
    pub text: String,
    /// It is a partition whose topic, number, leader or replicas are missing or no ids.
    pub incomplete: bool,
}

/// A topic of which partitions are left out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Missing {
    /// The topic.
    pub topic: String,
    /// The line of its header.
    pub line: u32,
    /// How many partitions that counts.
    pub counted: u32,
    /// How many of them have a line.
    pub listed: u32,
}
