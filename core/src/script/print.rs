use super::DEFAULT_BROKERS;
use super::ast::{
    Action, Answer, BrokersDecl, CommitMode, ConsumerDecl, Expectation, Line, Link, MessageFault,
    MessageFaultKind, PartitionName, Place, Placement, PowerLoss, ProducerDecl, Relation, Scope,
    Script, Statement, Subject, Text, TopicDecl,
};
use super::declarations::{COMMIT_MODES, RACK};
use crate::settings::rules::SWITCHES;
use crate::settings::{Key, Release, Value};
use crate::words::Micros;
use alloc::string::String;
use core::fmt;

/// Writes a script in its one canonical form: what [`super::parse`] read, with single spaces,
/// times in their largest whole unit, and options in a fixed order.
pub fn print(script: &Script) -> String {
    let release = script.release();
    let mut out = String::new();
    for line in &script.lines {
        print_line(&mut out, line, release);
        out.push('\n');
    }
    out
}

/// What is written goes to a string, which takes everything.
fn put(out: &mut String, words: fmt::Arguments<'_>) {
    let written = fmt::Write::write_fmt(out, words);
    debug_assert!(written.is_ok());
}

macro_rules! put {
    ($out:expr, $($words:tt)*) => { put($out, format_args!($($words)*)) };
}

fn print_line(out: &mut String, line: &Line, release: Release) {
    if let Some(statement) = &line.statement {
        print_statement(out, statement, release);
    }
    if let Some(comment) = &line.comment {
        if line.statement.is_some() {
            out.push(' ');
        }
        out.push('#');
        let plain = |c: char| if c.is_control() && c != '\t' { ' ' } else { c };
        out.extend(comment.chars().map(plain));
    }
}

fn print_statement(out: &mut String, statement: &Statement, release: Release) {
    match statement {
        Statement::Highwater(version) => put!(out, "highwater {version}"),
        Statement::Title(text) => {
            out.push_str("title");
            print_text(out, text);
        }
        Statement::About(text) => {
            out.push_str("about");
            print_text(out, text);
        }
        Statement::Kafka(release) => put!(out, "kafka {release}"),
        Statement::Seed(seed) => put!(out, "seed {seed}"),
        Statement::Rules(switches) => print_rules(out, switches),
        Statement::Controller(broker) => put!(out, "controller {broker}"),
        Statement::Brokers(brokers) => print_brokers(out, brokers),
        Statement::Set(scope, config) => {
            print_scope(out, scope);
            print_config(out, config, release);
        }
        Statement::Network { latency, jitter } => {
            put!(out, "network latency={latency} jitter={jitter}");
        }
        Statement::Topic(decl) => {
            out.push_str("topic");
            print_topic(out, decl, release);
        }
        Statement::Producer(decl) => print_producer(out, decl, release),
        Statement::Consumer(decl) => print_consumer(out, decl, release),
        Statement::At(at, action) => {
            put!(out, "at {at} ");
            print_action(out, action, release);
        }
        Statement::Message(fault) => print_message(out, fault),
        Statement::Say(at, text) => {
            put!(out, "say {at}");
            print_text(out, text);
        }
        Statement::Ask(at, text) => {
            put!(out, "ask {at}");
            print_text(out, text);
        }
        Statement::Answer(answer) => print_answer(out, answer),
        Statement::Goal(at, text, expected) => {
            put!(out, "goal {at}");
            print_text(out, text);
            out.push_str(" expect");
            print_expected(out, expected);
        }
        Statement::Expect(at, expected) => {
            put!(out, "expect {at}");
            print_expected(out, expected);
        }
        Statement::Until(at) => put!(out, "until {at}"),
    }
}

fn print_rules(out: &mut String, switches: &[(usize, usize)]) {
    out.push_str("rules");
    for (switch, value) in switches {
        if let Some(spec) = SWITCHES.get(*switch) {
            put!(out, " {}={}", spec.name, spec.values.get(*value).unwrap_or(&""));
        }
    }
}

/// Words in quotes. What the format cannot hold, other control characters, becomes a space.
fn quote(out: &mut String, words: &str) {
    out.push('"');
    for c in words.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out.push('"');
}

/// A value behind `=`, in quotes only where it needs them.
fn print_value(out: &mut String, value: &str) {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"_-.,:+*/".contains(&b);
    if !value.is_empty() && value.bytes().all(plain) {
        out.push_str(value);
    } else {
        quote(out, value);
    }
}

fn print_text(out: &mut String, text: &Text) {
    for (language, words) in [("en", &text.en), ("zh", &text.zh)] {
        if let Some(words) = words {
            put!(out, " {language} ");
            quote(out, words);
        }
    }
}

fn print_answer(out: &mut String, answer: &Answer) {
    out.push_str(if answer.right { "answer right" } else { "answer wrong" });
    print_text(out, &answer.words);
    out.push_str(" reply");
    print_text(out, &answer.reply);
}

fn print_brokers(out: &mut String, brokers: &BrokersDecl) {
    let count = u16::try_from(brokers.ids.len()).unwrap_or(DEFAULT_BROKERS);
    if brokers.counted {
        put!(out, "brokers {count}");
    } else {
        // A comma behind a single id makes it a list.
        put!(out, "brokers {}{}", brokers.ids, if count == 1 { "," } else { "" });
    }
    if !brokers.racks.is_empty() {
        put!(out, " racks={}", brokers.racks.join(","));
    }
}

fn print_scope(out: &mut String, scope: &Scope) {
    match scope {
        Scope::Cluster => out.push_str("set"),
        Scope::Broker(id) => put!(out, "set broker {id}"),
        Scope::Topic(name) => put!(out, "set topic {name}"),
        Scope::Client(name) => put!(out, "set client {name}"),
    }
}

fn print_config(out: &mut String, config: &[(Key, Value)], release: Release) {
    for (key, value) in config {
        print_setting(out, *key, Some(*value), release);
    }
}

fn print_setting(out: &mut String, key: Key, value: Option<Value>, release: Release) {
    let spec = key.spec();
    put!(out, " {}=", spec.name_in(release));
    match value {
        Some(value) => print_value(out, &spec.print_in(value, release)),
        None => out.push_str("default"),
    }
}

fn print_topic(out: &mut String, decl: &TopicDecl, release: Release) {
    put!(out, " {}", decl.name);
    match &decl.placement {
        Placement::Automatic { partitions, replicas } => {
            if let Some(partitions) = partitions {
                put!(out, " partitions={partitions}");
            }
            if let Some(replicas) = replicas {
                put!(out, " replicas={replicas}");
            }
        }
        Placement::Manual(lists) => {
            for (i, list) in lists.iter().enumerate() {
                put!(out, "{}{list}", if i == 0 { " assignment=" } else { ";" });
            }
        }
    }
    print_config(out, &decl.config, release);
}

fn print_producer(out: &mut String, decl: &ProducerDecl, release: Release) {
    put!(out, "producer {} topic={}", decl.name, decl.topic);
    for (name, time) in [("every", decl.every), ("from", decl.from), ("until", decl.until)] {
        if let Some(time) = time {
            put!(out, " {name}={time}");
        }
    }
    if decl.burst != 1 {
        put!(out, " burst={}", decl.burst);
    }
    if decl.keys != 0 {
        put!(out, " keys={}", decl.keys);
    }
    print_config(out, &decl.config, release);
}

fn print_consumer(out: &mut String, decl: &ConsumerDecl, release: Release) {
    put!(out, "consumer {} topic={}", decl.name, decl.topic);
    if let Some(group) = &decl.group {
        put!(out, " group={group}");
    }
    if decl.commit != CommitMode::Auto {
        let name = COMMIT_MODES.iter().find(|(_, mode)| *mode == decl.commit).map(|(n, _)| *n);
        put!(out, " commit={}", name.unwrap_or("auto"));
    }
    if decl.processing != Micros::ZERO {
        put!(out, " processing={}", decl.processing);
    }
    if let Some(rack) = &decl.rack {
        put!(out, " {RACK}={rack}");
    }
    print_config(out, &decl.config, release);
}

fn print_action(out: &mut String, action: &Action, release: Release) {
    match action {
        Action::Crash(place) => put!(out, "crash {place}"),
        Action::PowerOff { broker, lose } => {
            let lose = if *lose == PowerLoss::Seeded { " lose=seeded" } else { "" };
            put!(out, "power-off {broker}{lose}");
        }
        Action::Lose { broker, partition, from } => {
            put!(out, "lose {broker} {partition} from={from}");
        }
        Action::Stop(place) => put!(out, "stop {place}"),
        Action::Start(place) => put!(out, "start {place}"),
        Action::Pause(place) => put!(out, "pause {place}"),
        Action::Resume(place) => put!(out, "resume {place}"),
        Action::Wipe(broker) => put!(out, "wipe {broker}"),
        Action::Disk { broker, partition: None, delay } => put!(out, "disk {broker} {delay}"),
        Action::Disk { broker, partition: Some(partition), delay } => {
            put!(out, "disk {broker} {partition} {delay}");
        }
        Action::Slow { link, latency: Some(latency) } => put!(out, "slow {link} {latency}"),
        Action::Slow { link, latency: None } => put!(out, "slow {link} default"),
        Action::Cut(link) => put!(out, "cut {link}"),
        Action::Heal(Some(link)) => put!(out, "heal {link}"),
        Action::Heal(None) => out.push_str("heal all"),
        command => print_command(out, command, release),
    }
}

/// What clients and operators do, as opposed to what befalls machines and links.
fn print_command(out: &mut String, action: &Action, release: Release) {
    match action {
        Action::Create(decl) => {
            out.push_str("create");
            print_topic(out, decl, release);
        }
        Action::Set(scope, changes) => {
            print_scope(out, scope);
            changes.iter().for_each(|(key, value)| print_setting(out, *key, *value, release));
        }
        Action::Elect { unclean, partition } => {
            put!(out, "elect {} {partition}", if *unclean { "unclean" } else { "preferred" });
        }
        Action::Reassign { partition, target: Some(list) } => {
            put!(out, "reassign {partition} {list}");
        }
        Action::Reassign { partition, target: None } => put!(out, "reassign {partition} cancel"),
        Action::Send { producer, values, key, partition } => {
            put!(out, "send {producer}");
            for value in values {
                out.push(' ');
                quote(out, value);
            }
            if let Some(key) = key {
                out.push_str(" key=");
                quote(out, key);
            }
            if let Some(partition) = partition {
                put!(out, " partition={partition}");
            }
        }
        Action::Every { producer, every: Some(every) } => put!(out, "every {producer} {every}"),
        Action::Every { producer, every: None } => put!(out, "every {producer} off"),
        Action::Seek { consumer, partition, offset } => {
            put!(out, "seek {consumer} {partition} {offset}");
        }
        fault => debug_assert!(false, "print_action prints {fault:?} itself"),
    }
}

fn print_message(out: &mut String, fault: &MessageFault) {
    out.push_str(match fault.kind {
        MessageFaultKind::Drop => "drop ",
        MessageFaultKind::Delay(_) => "delay ",
        MessageFaultKind::Duplicate => "duplicate ",
    });
    let name = &fault.message;
    put!(out, "{} {}>{}", name.kind, name.from, name.to);
    if let Some(partition) = &name.partition {
        put!(out, " {partition}");
    }
    put!(out, " #{}", name.ordinal);
    if let MessageFaultKind::Delay(by) = fault.kind {
        put!(out, " by {by}");
    }
}

/// A subject with one expectation is `subject.field=value`; one with more stands before them.
fn print_expected(out: &mut String, expected: &[Expectation]) {
    for group in expected.chunk_by(|a, b| a.subject == b.subject) {
        match group {
            [one] => put!(out, " {}.", one.subject),
            _ => put!(out, " {} ", group[0].subject),
        }
        for (i, expectation) in group.iter().enumerate() {
            if i > 0 {
                out.push(' ');
            }
            put!(out, "{}{}", expectation.field, expectation.relation);
            print_value(out, &expectation.value);
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Broker(id) => id.fmt(f),
            Place::Controller => f.write_str("controller"),
            Place::ZooKeeper => f.write_str("zookeeper"),
            Place::Client(name) => f.write_str(name),
        }
    }
}

impl fmt::Display for PartitionName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.topic, self.partition)
    }
}

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.from, if self.both { '-' } else { '>' }, self.to)
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Subject::Partition(name) => name.fmt(f),
            Subject::Replica(name, broker) => write!(f, "{name}@{broker}"),
            Subject::Broker(id) => id.fmt(f),
            Subject::Client(name) => f.write_str(name),
            Subject::Records => f.write_str("records"),
        }
    }
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Relation::Is => "=",
            Relation::IsNot => "!=",
            Relation::AtLeast => ">=",
            Relation::AtMost => "<=",
        })
    }
}
