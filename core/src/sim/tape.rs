use crate::wire::message::MessageKind;
use crate::wire::{Event, Param};
use crate::words::{ClientId, EventId, Micros, Node, PartitionId, RecordId};
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

/// What a record says.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RecordInfo {
    /// The producer that it was handed to.
    pub producer: ClientId,
    /// Its key.
    pub key: Option<Rc<str>>,
    /// Its value.
    pub value: Rc<str>,
}

impl RecordInfo {
    /// Its size in a batch, in bytes: key, value and what a record has beside them.
    pub fn bytes(&self) -> u32 {
        (self.key.as_ref().map_or(0, |k| k.len()) + self.value.len() + 7) as u32
    }
}

/// A message that mattered: for the space-time diagram.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Passage {
    /// Its kind.
    pub kind: MessageKind,
    /// Its sender.
    pub from: Node,
    /// Its receiver.
    pub to: Node,
    /// When it left.
    pub sent: Micros,
    /// When it arrives; [`Micros::NEVER`] if it was lost.
    pub arrives: Micros,
    /// The first partition that it concerns.
    pub partition: Option<PartitionId>,
    /// Which of its name it is, from 1.
    pub ordinal: u32,
}

/// What only grows while time goes on. Going back keeps it: the same inputs write the same again,
/// and only another input, on a new branch, cuts it.
#[derive(Clone, Debug, Default)]
pub struct Tape {
    pub(super) events: Vec<Event>,
    pub(super) records: Vec<RecordInfo>,
    pub(super) passages: Vec<Passage>,
    /// Stands for what Kafka itself writes.
    own: RecordInfo,
}

impl Tape {
    /// An event of the history.
    pub fn event(&self, id: EventId) -> Option<&Event> {
        self.events.get(id.0 as usize)
    }

    /// All events that were ever reached on this branch, oldest first.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// A record; one without value for what Kafka itself writes.
    pub fn record(&self, id: RecordId) -> &RecordInfo {
        self.records.get(id.0 as usize).unwrap_or(&self.own)
    }

    /// Notes the event with that id, unless it is there from an earlier pass.
    pub(super) fn note(&mut self, id: u32, event: Event) {
        if self.events.len() == id as usize {
            self.events.push(event);
        } else {
            debug_assert_eq!(self.events[id as usize], event, "a run repeats itself exactly");
        }
    }

    pub(super) fn add_record(&mut self, id: u32, info: RecordInfo) {
        if self.records.len() == id as usize {
            self.records.push(info);
        }
    }

    /// Messages that mattered, in the order in which they left, as far as this branch was played.
    pub fn passages(&self) -> &[Passage] {
        &self.passages
    }

    pub(super) fn add_passage(&mut self, id: u32, passage: Passage) {
        if self.passages.len() == id as usize {
            self.passages.push(passage);
        }
    }

    pub(super) fn cut(&mut self, events: u32, records: u32, passages: u32) {
        self.events.truncate(events as usize);
        self.records.truncate(records as usize);
        self.passages.truncate(passages as usize);
    }
}

/// A running hash of a history: the same on every machine. FNV-1a over 64-bit words, with a final
/// mix; it tells runs apart, and guards against nobody.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Fingerprint(u64);

impl Fingerprint {
    pub const START: Fingerprint = Fingerprint(0xcbf2_9ce4_8422_2325);

    pub fn word(&mut self, word: u64) {
        let mixed = (self.0 ^ word).wrapping_mul(0x0000_0100_0000_01b3);
        self.0 = mixed ^ (mixed >> 29);
    }

    fn text(&mut self, text: &str) {
        self.word(text.len() as u64);
        for chunk in text.as_bytes().chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.word(u64::from_le_bytes(word));
        }
    }

    fn node(&mut self, node: Node) {
        self.word(match node {
            Node::Broker(b) => u64::from(b.0),
            Node::Controller => 1 << 32,
            Node::Client(c) => (2 << 32) + u64::from(c.0),
        });
    }

    pub fn event(&mut self, event: &Event) {
        self.word(event.at.0);
        self.node(event.node);
        self.word(event.kind.index());
        event.kind.visit(&mut |_, param| match param {
            Param::Partition(p) => self.word(u64::from(p.0)),
            Param::Broker(b) => self.word(u64::from(b.0)),
            Param::Brokers(list) => {
                self.word(list.len() as u64);
                list.iter().for_each(|b| self.word(u64::from(b.0)));
            }
            Param::Client(c) => self.word(u64::from(c.0)),
            Param::Node(node) => self.node(node),
            Param::Record(r) => self.word(u64::from(r.0)),
            Param::Number(n) => self.word(n as u64),
            Param::Time(t) => self.word(t.0),
            Param::Error(e) => self.word(e as u64),
            Param::Word(w) => self.text(w),
            Param::Text(t) => self.text(t),
        });
    }

    /// Ten characters of it, for links.
    pub fn short(self) -> String {
        alloc::format!("{:010x}", (self.0 ^ (self.0 >> 40)) & 0xff_ffff_ffff)
    }
}
