use alloc::string::String;
use alloc::vec::Vec;
use highwater_core::settings::Owner;

/// Whose names a setting is written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Dialect {
    /// Kafka's own: Java clients, brokers, topics, and Spring, which hands them on.
    #[default]
    Kafka,
    /// librdkafka, and what is built on it: confluent-kafka for Python, Go and .NET, node-rdkafka.
    Librdkafka,
    /// kafka-python.
    KafkaPython,
    /// Sarama.
    Sarama,
    /// KafkaJS.
    KafkaJs,
}

impl Dialect {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Dialect::Kafka => "Java",
            Dialect::Librdkafka => "librdkafka",
            Dialect::KafkaPython => "kafka-python",
            Dialect::Sarama => "Sarama",
            Dialect::KafkaJs => "KafkaJS",
        }
    }
}

/// One setting as it stands in the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its line, from 1.
    pub line: u32,
    /// Its name as it is written.
    pub written: String,
    /// Kafka's name for it.
    pub name: String,
    /// Its value, without quotes.
    pub value: String,
}

/// The settings of one process, topic or client.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unit {
    /// Whose they are.
    pub owner: Owner,
    /// Whether the text says so; else it was told by the names.
    pub is_certain: bool,
    /// In whose names they are written.
    pub dialect: Dialect,
    /// Its first line.
    pub line: u32,
    /// How many replicas the topic has, where the text says so.
    pub replicas: Option<u32>,
    /// The settings, in the order of the text.
    pub entries: Vec<Entry>,
}

impl Unit {
    /// The entry that counts: Kafka takes the last one of a name.
    pub fn entry(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().rev().find(|e| e.name == name)
    }

    /// The value of that name, if it is given.
    pub fn given(&self, name: &str) -> Option<&str> {
        self.entry(name).map(|e| e.value.as_str())
    }
}
