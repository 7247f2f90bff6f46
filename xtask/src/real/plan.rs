//! What a real cluster is to do: a script, turned into orders with times. Lines that it cannot play
//! are refused here, before anything is started.

use highwater_core::script::{
    Action, CommitMode, ConsumerDecl, Place, Placement, ProducerDecl, Scope, Script, Statement,
    TopicDecl,
};
use highwater_core::settings::{Key, Release, Value};
use highwater_core::words::{Brokers, Micros};
use std::collections::BTreeSet;

/// Connections of metrics say nothing of records, and come in between.
const QUIET: &str = "enable.metrics.push=false";

/// A script as a real cluster plays it.
pub struct Plan {
    pub release: Release,
    /// Ids and racks of the brokers.
    pub brokers: Vec<(u16, Option<String>)>,
    /// With ZooKeeper: the broker that is to be the controller.
    pub controller: u16,
    pub settings: Vec<String>,
    /// `create` orders for what is there from the start.
    pub topics: Vec<Vec<String>>,
    pub clients: Vec<Client>,
    /// In the order of their times; those of one instant in the order of the script.
    pub orders: Vec<(Micros, Order)>,
    pub until: Micros,
}

/// A producer or a consumer.
pub struct Client {
    pub name: String,
    /// The order that makes it: `producer p1 …`, without the settings that the cluster knows.
    pub order: Vec<String>,
    /// Whether the script kills, stops or pauses it, so that it needs a process of its own.
    pub is_alone: bool,
}

/// One thing to do.
#[derive(Clone, PartialEq, Debug)]
pub enum Order {
    /// What happens to a process.
    Process(Fate, Target),
    /// What a client is told.
    Client(String, Vec<String>),
    /// What the operator is told.
    Operator(Vec<String>),
}

/// What happens to a process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    Crash,
    Stop,
    Start,
    Pause,
    Resume,
}

/// Which process.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Target {
    Broker(u16),
    Coordinator,
    Client(String),
}

/// What a script asks for that no real cluster on one machine can do, line by line.
pub fn refusals(script: &Script) -> Vec<String> {
    let mut all = Vec::new();
    for (index, statement) in script.statements() {
        if let Err(why) = playable(statement) {
            all.push(format!("line {}: {why}", index + 1));
        }
    }
    if !matches!(script.release(), Release::V2_8 | Release::V3_9 | Release::V4_1 | Release::V4_4) {
        let release = script.release();
        all.push(format!("kafka {release}: a real cluster is 2.8, 3.9, 4.1 or 4.4"));
    }
    all
}

fn playable(statement: &Statement) -> Result<(), &'static str> {
    match statement {
        Statement::Rules(_) => Err("`rules` are the model's own: Kafka has them by its release"),
        Statement::Network { .. } => Err("`network`: the machine has the network that it has"),
        Statement::Message(_) => Err("a single message cannot be dropped, delayed or repeated"),
        Statement::Brokers(decl) if decl.ids.iter().any(|id| id.0 > 9) => {
            Err("broker ids up to 9 only")
        }
        Statement::Topic(decl) => placed(decl),
        Statement::Producer(decl) if decl.keys > 0 => Err("`keys=`: which key goes where differs"),
        Statement::At(_, action) => possible(action),
        _ => Ok(()),
    }
}

fn possible(action: &Action) -> Result<(), &'static str> {
    match action {
        Action::PowerOff { .. } => Err("`power-off`: crash, stop or pause it instead"),
        Action::Lose { .. } | Action::Wipe(_) | Action::Disk { .. } => {
            Err("disks are left alone on a real machine")
        }
        Action::Slow { .. } | Action::Cut(_) | Action::Heal(_) => {
            Err("links of one machine can be neither cut nor slowed: pause a process instead")
        }
        Action::Every { .. } => Err("`every` of a running producer: give it `from=` and `until=`"),
        Action::Set(Scope::Client(_), _) => Err("a running client keeps its settings"),
        Action::Create(decl) => placed(decl),
        _ => Ok(()),
    }
}

fn placed(decl: &TopicDecl) -> Result<(), &'static str> {
    match decl.placement {
        Placement::Manual(_) => Ok(()),
        Placement::Automatic { .. } => Err("give the topic `assignment=`: placements are drawn"),
    }
}

impl Plan {
    /// The plan of a script that [`refusals`] has nothing against.
    pub fn of(script: &Script) -> Plan {
        let release = script.release();
        let declared = script.brokers();
        let rack = |at: usize| declared.racks.get(at).cloned();
        let brokers: Vec<_> =
            declared.ids.iter().enumerate().map(|(at, id)| (id.0, rack(at))).collect();
        let first = brokers.first().map_or(1, |(id, _)| *id);
        let until = script.until().unwrap_or(Micros::from_secs(30));
        let mut plan = Plan {
            release,
            brokers,
            controller: script.controller().map_or(first, |id| id.0),
            settings: Vec::new(),
            topics: Vec::new(),
            clients: Vec::new(),
            orders: Vec::new(),
            until,
        };
        for (_, statement) in script.statements() {
            plan.take(statement);
        }
        let alone: BTreeSet<&Target> = plan.orders.iter().filter_map(|(_, o)| o.target()).collect();
        let is_alone = |name: &String| alone.contains(&Target::Client(name.clone()));
        let flags: Vec<bool> = plan.clients.iter().map(|c| is_alone(&c.name)).collect();
        plan.clients.iter_mut().zip(flags).for_each(|(c, flag)| c.is_alone = flag);
        plan.orders.sort_by_key(|(at, _)| *at);
        plan
    }

    /// A topic of the scenario's own that is there from the start.
    pub fn first_topic(&self) -> Option<&str> {
        self.topics.iter().map(|t| t[1].as_str()).find(|name| !name.starts_with("__"))
    }

    /// When clients are started again, in order.
    pub fn starts_of_clients(&self) -> Vec<(Micros, &Client)> {
        let client = |name: &str| self.clients.iter().find(|c| c.name == name);
        let starts = self.orders.iter().filter_map(|(at, order)| match order {
            Order::Process(Fate::Start, Target::Client(name)) => Some((*at, client(name)?)),
            _ => None,
        });
        starts.collect()
    }

    fn take(&mut self, statement: &Statement) {
        match statement {
            Statement::Set(_, config) => {
                self.settings.extend(assignments(config, self.release));
            }
            Statement::Topic(decl) => self.topics.push(create(decl, self.release)),
            Statement::Producer(decl) => {
                self.clients.push(producer(decl, self.release));
                self.ticks(decl);
            }
            Statement::Consumer(decl) => self.clients.push(consumer(decl, self.release)),
            Statement::At(at, action) => {
                if let Some(order) = order(action, self.release) {
                    self.orders.push((*at, order));
                }
            }
            _ => {}
        }
    }

    /// The records that a producer sends by itself.
    fn ticks(&mut self, decl: &ProducerDecl) {
        let Some(every) = decl.every.filter(|every| *every > Micros::ZERO) else { return };
        let end = decl.until.unwrap_or(self.until).min(self.until);
        let mut at = decl.from.unwrap_or(every);
        while at < end {
            let mut words = send(&decl.name, None, None);
            words.extend((0..decl.burst.max(1)).map(|i| format!("{at}.{i}")));
            self.orders.push((at, Order::Client(decl.name.clone(), words)));
            at += every;
        }
    }
}

impl Order {
    /// The process that it ends, stops or starts.
    pub fn target(&self) -> Option<&Target> {
        match self {
            Order::Process(_, target) => Some(target),
            _ => None,
        }
    }
}

fn words<const N: usize>(all: [&str; N]) -> Vec<String> {
    all.iter().map(ToString::to_string).collect()
}

fn assignments(config: &[(Key, Value)], release: Release) -> Vec<String> {
    config.iter().map(|(key, value)| assignment(*key, *value, release)).collect()
}

fn assignment(key: Key, value: Value, release: Release) -> String {
    let spec = key.spec();
    format!("{}={}", spec.name_in(release), spec.print_in(value, release))
}

fn ids(brokers: &Brokers) -> String {
    brokers.iter().map(|b| b.0.to_string()).collect::<Vec<_>>().join(",")
}

fn create(decl: &TopicDecl, release: Release) -> Vec<String> {
    let placement = match &decl.placement {
        Placement::Manual(all) => all.iter().map(ids).collect::<Vec<_>>().join(";"),
        Placement::Automatic { .. } => String::new(),
    };
    let mut order = words(["create", &decl.name, &placement]);
    order.extend(assignments(&decl.config, release));
    order
}

fn producer(decl: &ProducerDecl, release: Release) -> Client {
    let mut order = words(["producer", &decl.name, &decl.topic]);
    order.extend(assignments(&decl.config, release));
    order.push(format!("client.id={}", decl.name));
    order.push(QUIET.to_owned());
    Client { name: decl.name.clone(), order, is_alone: false }
}

fn consumer(decl: &ConsumerDecl, release: Release) -> Client {
    let commit = match decl.commit {
        CommitMode::Auto => "auto",
        CommitMode::Before => "before",
        CommitMode::After => "after",
        CommitMode::Async => "async",
    };
    let kind = if decl.group.is_some() { "group" } else { "alone" };
    let processing = (decl.processing.0 / 1000).to_string();
    let mut order = words(["consumer", &decl.name, &decl.topic, kind, commit, &processing]);
    order.extend(assignments(&decl.config, release));
    order.push(format!("client.id={}", decl.name));
    order.push(QUIET.to_owned());
    order.extend(decl.group.iter().map(|group| format!("group.id={group}")));
    order.extend(decl.rack.iter().map(|rack| format!("client.rack={rack}")));
    if decl.commit != CommitMode::Auto {
        order.push("enable.auto.commit=false".into());
    }
    Client { name: decl.name.clone(), order, is_alone: false }
}

fn send(producer: &str, partition: Option<u32>, key: Option<&str>) -> Vec<String> {
    let partition = partition.map_or_else(String::new, |p| p.to_string());
    words(["send", producer, &partition, key.unwrap_or_default()])
}

fn order(action: &Action, release: Release) -> Option<Order> {
    let fate = |fate, place: &Place| Some(Order::Process(fate, target(place)));
    match action {
        Action::Crash(place) => fate(Fate::Crash, place),
        Action::Stop(place) => fate(Fate::Stop, place),
        Action::Start(place) => fate(Fate::Start, place),
        Action::Pause(place) => fate(Fate::Pause, place),
        Action::Resume(place) => fate(Fate::Resume, place),
        Action::Create(decl) => Some(Order::Operator(create(decl, release))),
        Action::Set(scope, config) => Some(Order::Operator(set(scope, config, release))),
        Action::Elect { unclean, partition } => {
            let kind = if *unclean { "unclean" } else { "preferred" };
            let number = partition.partition.to_string();
            Some(Order::Operator(words(["elect", kind, &partition.topic, &number])))
        }
        Action::Reassign { partition, target } => {
            let to = target.as_ref().map_or_else(|| "cancel".into(), ids);
            let number = partition.partition.to_string();
            Some(Order::Operator(words(["reassign", &partition.topic, &number, &to])))
        }
        Action::Send { producer, values, key, partition } => {
            let mut words = send(producer, *partition, key.as_deref());
            words.extend(values.iter().cloned());
            Some(Order::Client(producer.clone(), words))
        }
        Action::Seek { consumer, partition, offset } => {
            let (number, offset) = (partition.partition.to_string(), offset.to_string());
            let words = words(["seek", consumer, &number, &offset]);
            Some(Order::Client(consumer.clone(), words))
        }
        _ => None,
    }
}

fn set(scope: &Scope, config: &[(Key, Option<Value>)], release: Release) -> Vec<String> {
    let mut order = match scope {
        Scope::Topic(topic) => words(["set", "topic", topic]),
        Scope::Broker(id) => words(["set", "broker", &id.0.to_string()]),
        Scope::Client(_) | Scope::Cluster => words(["set", "broker", ""]),
    };
    order.extend(config.iter().map(|(key, value)| match value {
        Some(value) => assignment(*key, *value, release),
        None => format!("{}=", key.spec().name_in(release)),
    }));
    order
}

fn target(place: &Place) -> Target {
    match place {
        Place::Broker(id) => Target::Broker(id.0),
        Place::Controller | Place::ZooKeeper => Target::Coordinator,
        Place::Client(name) => Target::Client(name.clone()),
    }
}
