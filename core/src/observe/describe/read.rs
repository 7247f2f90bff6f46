//! Reads what people paste: the layouts of every release, Windows consoles that put blanks for tabs,
//! lines that were wrapped, prompts and log lines between. What cannot be read is named.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

/// What a text says.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Described {
    /// Its partitions, in order.
    pub partitions: Vec<DescribedPartition>,
    /// The settings that decide durability, where a header gives them.
    pub settings: Vec<DescribedSetting>,
    /// What could not be read.
    pub unread: Vec<Unread>,
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

/// The settings that decide durability.
const SETTINGS: [&str; 2] = ["min.insync.replicas", "unclean.leader.election.enable"];

/// What stands before a colon. One that ends like another comes first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Label {
    TopicId,
    Topic,
    PartitionCount,
    Partition,
    ReplicationFactor,
    Configs,
    MarkedForDeletion,
    Leader,
    AddingReplicas,
    RemovingReplicas,
    Replicas,
    Isr,
    LastKnownElr,
    Elr,
    Offline,
    Observers,
}

const LABELS: [(&str, Label); 16] = [
    ("TopicId", Label::TopicId),
    ("Topic", Label::Topic),
    ("PartitionCount", Label::PartitionCount),
    ("Partition", Label::Partition),
    ("ReplicationFactor", Label::ReplicationFactor),
    ("Configs", Label::Configs),
    ("MarkedForDeletion", Label::MarkedForDeletion),
    ("Leader", Label::Leader),
    ("Adding Replicas", Label::AddingReplicas),
    ("Removing Replicas", Label::RemovingReplicas),
    ("Replicas", Label::Replicas),
    ("Isr", Label::Isr),
    ("LastKnownElr", Label::LastKnownElr),
    ("Elr", Label::Elr),
    ("Offline", Label::Offline),
    ("Observers", Label::Observers),
];

/// Reads a pasted text.
pub fn read(text: &str) -> Described {
    let mut reader = Reader::default();
    for (line, content) in unwrapped(text) {
        reader.line(line, &content);
    }
    reader.finish();
    reader.described
}

/// Lines with their numbers; where a line was wrapped within a label, both parts as one.
fn unwrapped(text: &str) -> Vec<(u32, String)> {
    let mut lines: Vec<(u32, String)> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim_end_matches('\r');
        if let Some((_, before)) = lines.last_mut()
            && joins_label(before, line)
        {
            before.push_str(line.trim_start());
            continue;
        }
        lines.push((number, line.to_owned()));
    }
    lines
}

/// Whether the end of one line and the beginning of the next are the two halves of a label.
fn joins_label(before: &str, after: &str) -> bool {
    let tail = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    let joined = [tail, after.trim_start()].concat();
    !tail.is_empty()
        && LABELS.iter().any(|(name, _)| {
            let last = name.rsplit(' ').next().unwrap_or(name);
            last.starts_with(tail) && joined.strip_prefix(last).is_some_and(|r| r.starts_with(':'))
        })
}

/// A label at the start of `text`, and its length with the colon. 0.8.0 wrote them small.
#[inline(never)]
fn label_at(text: &str) -> Option<(Label, usize)> {
    LABELS.iter().find_map(|(name, label)| {
        let head = text.as_bytes().get(..name.len())?;
        let named = head.eq_ignore_ascii_case(name.as_bytes());
        let colon = text.as_bytes().get(name.len()) == Some(&b':');
        (named && colon).then_some((*label, name.len() + 1))
    })
}

/// What stands before the first label of a line, and the labels with their values.
fn columns(line: &str) -> (&str, Vec<(Label, &str)>) {
    let mut found: Vec<(usize, Label, usize)> = Vec::new();
    let mut at_word = true;
    let mut skip_to = 0;
    for (at, c) in line.char_indices() {
        if at >= skip_to
            && at_word
            && let Some((label, length)) = label_at(part(line, at..line.len()))
        {
            found.push((at, label, length));
            skip_to = at + length;
        }
        at_word = c.is_whitespace();
    }
    let ends = found.iter().skip(1).map(|(at, ..)| *at).chain([line.len()]);
    let values = found.iter().zip(ends);
    let values =
        values.map(|((at, label, length), end)| (*label, part(line, at + length..end).trim()));
    let lead = part(line, 0..found.first().map_or(line.len(), |(at, ..)| *at));
    (lead.trim(), values.collect())
}

/// A header or a partition, as far as it has come.
struct Record {
    line: u32,
    columns: Vec<(Label, String)>,
}

impl Record {
    fn get(&self, label: Label) -> Option<&str> {
        self.columns.iter().find(|(l, _)| *l == label).map(|(_, value)| value.as_str())
    }

    /// Whether `text` is the rest of the last column. `wraps`: labels follow it in its line.
    fn goes_on_with(&self, text: &str, wraps: bool) -> bool {
        let Some((label, value)) = self.columns.last() else { return false };
        let is_list = text.chars().all(|c| c.is_ascii_digit() || c == ',' || c == ' ');
        let is_word = !text.contains(char::is_whitespace);
        match label {
            Label::Configs => text.contains('=') || value.ends_with(',') || is_word,
            Label::Leader => value.is_empty() && (is_list || text == "none" || text == "-1"),
            Label::Replicas
            | Label::Isr
            | Label::Elr
            | Label::LastKnownElr
            | Label::AddingReplicas
            | Label::RemovingReplicas
            | Label::Offline
            | Label::Observers => is_list,
            _ => is_word && (wraps || value.is_empty()),
        }
    }
}

#[derive(Default)]
struct Reader {
    described: Described,
    record: Option<Record>,
    /// The topic of the last header or partition.
    topic: String,
    /// A command goes on in the next line.
    in_command: bool,
}

impl Reader {
    fn line(&mut self, number: u32, line: &str) {
        let text = line.trim();
        if self.in_command || is_command(text) {
            self.finish();
            self.in_command = text.ends_with('\\') || text.ends_with('^') || text.ends_with('`');
            return;
        }
        if text.is_empty() || is_log(text) || is_divider(text) {
            self.finish();
            return;
        }
        let (lead, columns) = columns(line);
        // Mail and chat put such signs before what they quote.
        let is_quoted = lead.chars().all(|c| matches!(c, '>' | '|' | '*' | '-' | '•'));
        if !lead.is_empty() && (columns.is_empty() || !is_quoted) {
            let wraps = !columns.is_empty();
            match &mut self.record {
                Some(record) if record.goes_on_with(lead, wraps) => {
                    if let Some((_, value)) = record.columns.last_mut() {
                        value.push_str(lead);
                    }
                }
                _ => self.unread(number, lead),
            }
        }
        for (label, value) in columns {
            self.column(number, label, value);
        }
    }

    fn column(&mut self, line: u32, label: Label, value: &str) {
        let has = |r: &Record| r.get(label).is_some();
        let begins = match label {
            Label::Topic => true,
            Label::Partition => self.record.as_ref().is_none_or(has),
            _ => self.record.is_none(),
        };
        if begins {
            self.finish();
            self.record = Some(Record { line, columns: Vec::new() });
        }
        if let Some(record) = &mut self.record {
            record.columns.push((label, value.to_owned()));
        }
    }

    fn unread(&mut self, line: u32, text: &str) {
        let text = text.to_owned();
        self.described.unread.push(Unread { line, text, incomplete: false });
    }

    /// The record is complete.
    fn finish(&mut self) {
        let Some(record) = self.record.take() else { return };
        if let Some(topic) = record.get(Label::Topic) {
            let (name, rest) = first_word(topic);
            self.topic = name.to_owned();
            if !rest.is_empty() {
                self.unread(record.line, rest);
            }
        }
        if record.get(Label::Partition).is_some() {
            self.partition(&record);
        } else if let Some(configs) = record.get(Label::Configs) {
            self.settings(configs, record.line);
        } else if record.get(Label::Topic).is_none() {
            let text = record.columns.first().map(|(_, value)| value.clone()).unwrap_or_default();
            self.unread(record.line, &text);
        }
    }

    fn partition(&mut self, record: &Record) {
        let line = record.line;
        let mut partition =
            DescribedPartition { topic: self.topic.clone(), line, ..Default::default() };
        let mut whole = !self.topic.is_empty();
        let mut rests: Vec<&str> = Vec::new();
        for (label, value) in &record.columns {
            let (list, rest) = ids(value);
            let into = match label {
                Label::Partition => {
                    let (number, rest) = first_word(value);
                    rests.push(rest);
                    match number.parse() {
                        Ok(number) => partition.partition = number,
                        Err(_) => whole = false,
                    }
                    continue;
                }
                Label::Leader => {
                    let (leader, rest) = first_word(value);
                    rests.push(rest);
                    match leader {
                        "none" | "None" | "-1" => partition.leader = None,
                        id => {
                            partition.leader = id.parse().ok();
                            whole &= partition.leader.is_some();
                        }
                    }
                    continue;
                }
                Label::Replicas => {
                    whole &= list.as_ref().is_some_and(|l| !l.is_empty());
                    partition.replicas = list.unwrap_or_default();
                    rests.push(rest);
                    continue;
                }
                Label::Isr => &mut partition.isr,
                Label::Elr => &mut partition.elr,
                Label::LastKnownElr => &mut partition.last_known_elr,
                Label::AddingReplicas => &mut partition.adding,
                Label::RemovingReplicas => &mut partition.removing,
                Label::Offline => &mut partition.offline,
                Label::Observers => &mut partition.observers,
                _ => continue,
            };
            *into = list;
            rests.push(rest);
        }
        whole &= record.get(Label::Replicas).is_some() && record.get(Label::Leader).is_some();
        if whole {
            self.described.partitions.push(partition);
            rests.into_iter().filter(|r| !r.is_empty()).for_each(|r| self.unread(line, r));
        } else {
            let mut text = String::new();
            for (label, value) in &record.columns {
                let name = LABELS.iter().find(|(_, l)| l == label).map_or("", |(name, _)| *name);
                for part in [if text.is_empty() { "" } else { " " }, name, ": ", value] {
                    text.push_str(part);
                }
            }
            let text = text.trim().to_owned();
            self.described.unread.push(Unread { line, text, incomplete: true });
        }
    }

    fn settings(&mut self, configs: &str, line: u32) {
        for name in SETTINGS {
            let mut values = configs.char_indices().filter_map(|(at, _)| {
                let value = part(configs, at..configs.len()).strip_prefix(name)?;
                let value = value.trim_start().strip_prefix('=')?.trim_start();
                let alone = part(configs, 0..at).chars().next_back().is_none_or(|c| !is_name(c));
                let end = value.find(|c: char| c == ',' || c.is_whitespace());
                alone.then_some(part(value, 0..end.unwrap_or(value.len())))
            });
            if let Some(value) = values.next() {
                let (topic, value) = (self.topic.clone(), value.to_owned());
                self.described.settings.push(DescribedSetting { topic, name, value, line });
            }
        }
    }
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-')
}

/// `text[range]` without the panic that slicing brings along.
#[inline(never)]
fn part(text: &str, range: Range<usize>) -> &str {
    text.get(range).unwrap_or_default()
}

fn first_word(text: &str) -> (&str, &str) {
    text.split_once(char::is_whitespace).map_or((text, ""), |(word, rest)| (word, rest.trim()))
}

/// The brokers of a list, none for `N/A`, and what stands behind them.
#[inline(never)]
fn ids(text: &str) -> (Option<Vec<u32>>, &str) {
    if let Some(rest) = text.strip_prefix("N/A") {
        return (None, rest.trim());
    }
    let in_list = |c: char| c.is_ascii_digit() || matches!(c, ',' | ' ' | '[' | ']');
    let end = text.find(|c| !in_list(c)).unwrap_or(text.len());
    let (list, rest) = (part(text, 0..end), part(text, end..text.len()));
    // Blanks part brokers only behind a comma.
    let list = list.trim().trim_matches(|c| c == '[' || c == ']');
    let parts = list.split(',').map(str::trim).filter(|p| !p.is_empty());
    let ids: Option<Vec<u32>> = parts.map(|p| p.parse().ok()).collect();
    match ids {
        Some(ids) => (Some(ids), rest.trim()),
        None => (None, text),
    }
}

/// A prompt, with or without a command, or a command alone.
fn is_command(text: &str) -> bool {
    const TOOLS: [&str; 8] =
        ["kafka-topics", "docker ", "kubectl ", "sudo ", "ssh ", "./bin/", "bin/", "export "];
    if label_at(text).is_some() {
        return false;
    }
    let mut places = text.char_indices();
    if places.any(|(at, _)| part(text, at..text.len()).starts_with(TOOLS[0]))
        || TOOLS.iter().any(|tool| text.starts_with(tool))
    {
        return true;
    }
    let Some(end) = text.find(['$', '#', '%', '>']) else { return false };
    let (place, behind) = (part(text, 0..end), part(text, end + 1..text.len()));
    if label_at(behind.trim_start()).is_some() {
        return false;
    }
    let is_place = place.is_empty()
        || place.contains(['@', '\\', '~'])
        || place.starts_with(['[', '(', '/'])
        || ["PS", "bash", "sh", "root", "kafka", "ubuntu"].iter().any(|p| place.starts_with(p));
    let few_words = place.split_whitespace().count() <= if place.contains('@') { 6 } else { 3 };
    let parted = behind.is_empty()
        || behind.starts_with(char::is_whitespace)
        || (part(text, end..text.len()).starts_with('>') && place.contains('\\'));
    is_place && few_words && parted
}

/// A line of a log, or of a tool that says something besides.
fn is_log(text: &str) -> bool {
    const LEVELS: [&str; 8] =
        ["TRACE", "DEBUG", "INFO", "WARN", "WARNING", "ERROR", "FATAL", "SEVERE"];
    const BEGINNINGS: [&str; 25] = [
        "OpenJDK",
        "Java HotSpot",
        "SLF4J",
        "log4j",
        "Picked up ",
        "Exception in thread",
        "Caused by:",
        "at ",
        "Error while executing",
        "Warning:",
        "WARNING",
        "Note:",
        "NOTE:",
        "Created topic",
        "Completed ",
        "Defaulted container",
        "Unable to use a TTY",
        "command terminated",
        "Reflections took",
        "Last login",
        "Using ",
        "org.apache.kafka.",
        "java.",
        "(org.apache.",
        "... ",
    ];
    if label_at(text).is_some() {
        return false;
    }
    let bare = text.trim_start_matches('[').as_bytes();
    let digits = |n: usize| bare.len() > n && bare[..n].iter().all(u8::is_ascii_digit);
    let dated = digits(4) && matches!(bare[4], b'-' | b'/' | b'.');
    let timed = digits(2) && bare[2] == b':';
    let mut words = text.split_whitespace().take(6);
    dated
        || timed
        || words.any(|w| LEVELS.contains(&w.trim_matches(|c: char| !c.is_ascii_alphabetic())))
        || BEGINNINGS.iter().any(|b| text.starts_with(b))
}

/// A heading of a script, a fence, or something left out.
fn is_divider(text: &str) -> bool {
    text.starts_with("==>")
        || text.starts_with("```")
        || text.starts_with("~~~")
        || text.chars().all(|c| matches!(c, '-' | '=' | '*' | '_' | '.' | '…' | '[' | ']'))
}
