//! What a scenario script says, line by line, before anything is run.

pub use crate::settings::Scope;
use crate::settings::{Key, Release, Value};
pub use crate::words::CommitMode;
use crate::words::{BrokerId, BrokerList, Brokers, Micros};
use alloc::string::String;
use alloc::vec::Vec;

/// A script as a list of lines. Printing gives back the very text that was parsed, up to spacing.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Script {
    /// Every line in order, comments and blank lines too.
    pub lines: Vec<Line>,
}

/// One line: what it says and the comment behind it.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// What it says; a blank or comment line says nothing.
    pub statement: Option<Statement>,
    /// The text after `#`, without it and without trailing space.
    pub comment: Option<String>,
}

/// A statement. Those before [`Statement::At`] describe the start; the rest is what happens.
#[allow(missing_docs, reason = "a variant's line names its fields as the script does")]
#[derive(Clone, PartialEq, Debug)]
pub enum Statement {
    /// `highwater 1`: the format's version; the first statement of every script.
    Highwater(u32),
    /// `title en "…" zh "…"`.
    Title(Text),
    /// `about en "…" zh "…"`: what is to be learnt here, in a sentence or two.
    About(Text),
    /// `kafka 4.4`: the release, and its defaults.
    Kafka(Release),
    /// `seed 7`: the start of all chance (0 … 2^53 − 1).
    Seed(u64),
    /// `rules truncation=kip-279 …`: rules set against the release, by place in
    /// [`crate::settings::rules::SWITCHES`] and index of the word.
    Rules(Vec<(usize, usize)>),
    /// `controller 4`: with ZooKeeper, the broker that is the controller at the start.
    Controller(BrokerId),
    /// `brokers 3` (ids 1, 2, 3) or `brokers 1,2,5`; `racks` gives each a rack, in order.
    Brokers(BrokersDecl),
    /// `set name=value …`: settings of all brokers (cluster-wide), from the start.
    Set(Scope, Assignments),
    /// `network latency=1ms jitter=0`: one-way time of every link, and the most chance adds to it.
    Network { latency: Micros, jitter: Micros },
    /// `topic orders partitions=1 replicas=3 name=value …`: exists from the start.
    Topic(TopicDecl),
    /// `producer p1 topic=orders acks=all every=200ms …`.
    Producer(ProducerDecl),
    /// `consumer c1 topic=orders …`.
    Consumer(ConsumerDecl),
    /// `at 5200ms crash 2`.
    At(Micros, Action),
    /// `drop fetch 2>1 orders/0 #14`: holds from the start; named by ordinal, not by time.
    Message(MessageFault),
    /// `say 14800ms en "…" zh "…"`.
    Say(Micros, Text),
    /// `ask 6s en "…" zh "…"`: a question to guess at; the lines below it are its answers.
    Ask(Micros, Text),
    /// `answer right en "…" zh "…" reply en "…" zh "…"`.
    Answer(Answer),
    /// `goal 30s en "…" zh "…" expect records.acked-lost>=1`: to be reached from there on by what
    /// the reader does.
    Goal(Micros, Text, Vec<Expectation>),
    /// `expect 15s orders/0 isr=1 p1.error=NOT_ENOUGH_REPLICAS`.
    Expect(Micros, Vec<Expectation>),
    /// `until 30s`: where playing stops.
    Until(Micros),
}

/// Words for people, in both languages of the page. At least one is there.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Text {
    /// English.
    pub en: Option<String>,
    /// 中文.
    pub zh: Option<String>,
}

/// One of the answers to choose among.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    /// Whether it is the right one.
    pub right: bool,
    /// The answer.
    pub words: Text,
    /// What is said to whoever chooses it.
    pub reply: Text,
}

/// The brokers that exist.
#[derive(Clone, PartialEq, Debug)]
pub struct BrokersDecl {
    /// Their ids, ascending.
    pub ids: BrokerList,
    /// Whether the script gave a count (ids from 1) and not a list.
    pub counted: bool,
    /// Their racks, one for each id, or none at all.
    pub racks: Vec<String>,
}

/// Settings given in one place, in the order of the text.
pub type Assignments = Vec<(Key, Value)>;

/// A topic to create.
#[derive(Clone, PartialEq, Debug)]
pub struct TopicDecl {
    /// Its name, as Kafka allows it.
    pub name: String,
    /// Placed by the release's placer, or by hand.
    pub placement: Placement,
    /// Its own settings.
    pub config: Assignments,
}

/// Where the replicas of a new topic go (R5.32–R5.35).
#[allow(missing_docs, reason = "a variant's line names its fields as the script does")]
#[derive(Clone, PartialEq, Debug)]
pub enum Placement {
    /// `partitions=6 replicas=3`; an absent number is the broker default.
    Automatic { partitions: Option<u32>, replicas: Option<u16> },
    /// `assignment=1,2,3;2,3,1`: the replicas of each partition, preferred leader first.
    Manual(Vec<Brokers>),
}

/// A producer.
#[derive(Clone, PartialEq, Debug)]
pub struct ProducerDecl {
    /// Its name: a letter, then letters, digits, `_`. No `-`, which joins the ends of a link.
    pub name: String,
    /// The topic that it writes to.
    pub topic: String,
    /// A record each so often; none: it sends only when told.
    pub every: Option<Micros>,
    /// How many records one tick sends (default 1).
    pub burst: u32,
    /// The first tick (default: `every` after the start).
    pub from: Option<Micros>,
    /// No tick at or after this.
    pub until: Option<Micros>,
    /// How many different keys its records cycle through; 0: records without key (default).
    pub keys: u32,
    /// Its settings.
    pub config: Assignments,
}

/// A consumer.
#[derive(Clone, PartialEq, Debug)]
pub struct ConsumerDecl {
    /// Its name.
    pub name: String,
    /// The topic that it reads.
    pub topic: String,
    /// Its group, if it commits offsets; it is the group's only member.
    pub group: Option<String>,
    /// When it commits (default `auto`: by its settings).
    pub commit: CommitMode,
    /// How long it processes what a fetch brought (default: no time).
    pub processing: Micros,
    /// Its rack (`client.rack`), as in `brokers … racks=`.
    pub rack: Option<String>,
    /// Its settings.
    pub config: Assignments,
}

/// A process that an action names.
#[derive(Clone, PartialEq, Debug)]
pub enum Place {
    /// `2`.
    Broker(BrokerId),
    /// `controller`: KRaft's.
    Controller,
    /// `zookeeper`: in its place, in older releases.
    ZooKeeper,
    /// `p1`.
    Client(String),
}

/// `orders/0`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct PartitionName {
    /// The topic.
    pub topic: String,
    /// The partition's number in it.
    pub partition: u32,
}

/// What happens at a moment.
#[allow(missing_docs, reason = "a variant's line names its fields as the script does")]
#[derive(Clone, PartialEq, Debug)]
pub enum Action {
    /// `crash 2`: kill -9; the page cache survives (R1.20).
    Crash(Place),
    /// `power-off 2 lose=all|seeded`: unflushed bytes may be lost (R1.21, R1.24).
    PowerOff { broker: BrokerId, lose: PowerLoss },
    /// `lose 2 orders/0 from=90`: a stopped broker's log ends before that offset.
    Lose { broker: BrokerId, partition: PartitionName, from: i64 },
    /// `stop 2`: clean stop by controlled shutdown (R1.12, R5.6).
    Stop(Place),
    /// `start 2`.
    Start(Place),
    /// `pause 2`: a long GC pause; what arrives waits in the sockets.
    Pause(Place),
    /// `resume 2`.
    Resume(Place),
    /// `wipe 2`: a new, empty disk in a broker that is down.
    Wipe(BrokerId),
    /// `disk 2 20ms` or `disk 2 orders/0 20ms`: each append takes so long; 0 ends it.
    Disk { broker: BrokerId, partition: Option<PartitionName>, delay: Micros },
    /// `slow 1>2 50ms` or `slow 1-2 50ms`: one-way time of a link; `slow 1>2 default` ends it.
    Slow { link: Link, latency: Option<Micros> },
    /// `cut 1>2` or `cut 1-2`: nothing gets through; no connection is refused.
    Cut(Link),
    /// `heal 1-2`, `heal all`.
    Heal(Option<Link>),
    /// `create orders partitions=1 replicas=3 name=value …`.
    Create(TopicDecl),
    /// `set topic orders name=value …`; `set name=default` takes a value back.
    Set(Scope, Vec<(Key, Option<Value>)>),
    /// `elect preferred orders/0` or `elect unclean orders/0` (R5.15, R5.38).
    Elect { unclean: bool, partition: PartitionName },
    /// `reassign orders/0 2,3,4` or `reassign orders/0 cancel` (R5.36, R5.37).
    Reassign { partition: PartitionName, target: Option<Brokers> },
    /// `send p1 "value" "value" key="k" partition=0`: each value is a record, in order.
    Send { producer: String, values: Vec<String>, key: Option<String>, partition: Option<u32> },
    /// `every p1 50ms`, `every p1 off`: how often a producer sends from now on.
    Every { producer: String, every: Option<Micros> },
    /// `seek c1 orders/0 0`: where a consumer reads next.
    Seek { consumer: String, partition: PartitionName, offset: i64 },
}

/// What a power loss takes of the bytes that were not flushed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PowerLoss {
    /// All of them: the worst case.
    #[default]
    All,
    /// A suffix whose length the seed decides, per replica.
    Seeded,
}

/// A link between two processes, in one direction or both.
#[derive(Clone, PartialEq, Debug)]
pub struct Link {
    /// From here …
    pub from: Place,
    /// … to here,
    pub to: Place,
    /// … and back as well (`1-2` in place of `1>2`).
    pub both: bool,
}

/// A fault of one message.
#[derive(Clone, PartialEq, Debug)]
pub struct MessageFault {
    /// What happens to it.
    pub kind: MessageFaultKind,
    /// Which message.
    pub message: MessageName,
}

/// What happens to a message in flight.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MessageFaultKind {
    /// `drop NAME`: it never arrives.
    Drop,
    /// `delay NAME by 50ms`: it, and what follows it on its connection, arrives so much later.
    Delay(Micros),
    /// `duplicate NAME`: it arrives twice.
    Duplicate,
}

/// A message's name: `fetch 2>1 orders/0 #14` is the 14th fetch (from 1) that 2 sent to 1 and
/// that concerns `orders/0`.
#[derive(Clone, PartialEq, Debug)]
pub struct MessageName {
    /// One of the names of `wire::MessageKind`, such as `fetch` or `fetch-response`.
    pub kind: String,
    /// The sender.
    pub from: Place,
    /// The receiver.
    pub to: Place,
    /// The partition that it concerns; none for messages that concern none, or any of them.
    pub partition: Option<PartitionName>,
    /// Which of them, from 1.
    pub ordinal: u32,
}

/// One `subject.field=value` of an `expect` line.
#[derive(Clone, PartialEq, Debug)]
pub struct Expectation {
    /// What is looked at.
    pub subject: Subject,
    /// The field, such as `isr`, `leader`, `hw`, `lost`; which there are depends on the subject.
    pub field: String,
    /// How it is compared.
    pub relation: Relation,
    /// The value as written; lists of ids are comma-separated and compared as sets, `none` is the
    /// empty list.
    pub value: String,
}

/// What an expectation looks at.
#[derive(Clone, PartialEq, Debug)]
pub enum Subject {
    /// `orders/0`: the partition as its leader and the controller have it.
    Partition(PartitionName),
    /// `orders/0@2`: one replica.
    Replica(PartitionName, BrokerId),
    /// `2`: a broker.
    Broker(BrokerId),
    /// `p1`, `c1`.
    Client(String),
    /// `records`: the audit's counts over all records.
    Records,
}

/// How an expectation compares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    /// `=`
    Is,
    /// `!=`
    IsNot,
    /// `>=`
    AtLeast,
    /// `<=`
    AtMost,
}
