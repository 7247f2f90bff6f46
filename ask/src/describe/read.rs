//! Reads what people paste: the layouts of every release, Windows consoles that put blanks for tabs,
//! lines that were wrapped, prompts and log lines between. What cannot be read is named.

use super::columns::{LABELS, Label, columns, first_word, ids, joins_label, part};
use super::described::{Described, DescribedPartition, DescribedSetting, Missing, Unread};
use super::noise::{is_command, is_divider, is_log, shown};
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

/// The settings that decide durability.
const SETTINGS: [&str; 2] = ["min.insync.replicas", "unclean.leader.election.enable"];

/// Reads a pasted text.
pub fn read(text: &str) -> Described {
    let mut reader = Reader::default();
    for (line, content) in unwrapped(text) {
        reader.line(line, &content);
    }
    reader.finish();
    reader.count();
    reader.described
}

/// Lines with their numbers, as a terminal shows them; where a line was wrapped within a label, both
/// parts as one.
fn unwrapped(text: &str) -> Vec<(u32, String)> {
    let mut lines: Vec<(u32, String)> = Vec::new();
    let shown = (1..).zip(text.lines()).map(|(number, line)| (number, shown(line)));
    for (number, line) in shown.flat_map(|(n, l)| l.into_iter().map(move |line| (n, line))) {
        if let Some((_, before)) = lines.last_mut()
            && joins_label(before, &line)
        {
            before.push_str(line.trim_start());
            continue;
        }
        lines.push((number, line));
    }
    lines
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

    /// Its columns, in one line.
    fn text(&self) -> String {
        let mut text = String::new();
        for (label, value) in &self.columns {
            let name = LABELS.iter().find(|(_, l)| l == label).map_or("", |(name, _)| *name);
            for part in [if text.is_empty() { "" } else { " " }, name, ": ", value] {
                text.push_str(part);
            }
        }
        text.trim().to_owned()
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
    /// Topics with how many partitions their headers count, and the headers' lines.
    headers: Vec<(String, u32, u32)>,
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
        let wraps = columns.first().is_some_and(|(label, _)| !self.begins_record(*label));
        let is_prefix = !columns.is_empty() && is_prefix(lead, wraps);
        if !lead.is_empty() && !is_prefix {
            match &mut self.record {
                Some(record)
                    if (wraps || columns.is_empty()) && record.goes_on_with(lead, wraps) =>
                {
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

    /// Whether a column with that label is the first one of another record.
    fn begins_record(&self, label: Label) -> bool {
        let has = |r: &Record| r.get(label).is_some();
        match label {
            Label::Topic => true,
            Label::Partition => self.record.as_ref().is_none_or(has),
            _ => self.record.is_none(),
        }
    }

    fn column(&mut self, line: u32, label: Label, value: &str) {
        if self.begins_record(label) {
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

    fn incomplete(&mut self, record: &Record) {
        let (line, text) = (record.line, record.text());
        self.described.unread.push(Unread { line, text, incomplete: true });
    }

    /// The record is complete.
    fn finish(&mut self) {
        let Some(record) = self.record.take() else { return };
        if let Some(topic) = record.get(Label::Topic) {
            let (name, rest) = first_word(topic);
            if !name.chars().all(is_name) {
                self.topic.clear();
                self.incomplete(&record);
                return;
            }
            self.topic = name.to_owned();
            if !rest.is_empty() {
                self.unread(record.line, rest);
            }
        }
        if let Some(count) = record.get(Label::PartitionCount).and_then(|c| c.parse().ok()) {
            self.headers.push((self.topic.clone(), count, record.line));
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

    /// Names the topics of which partitions are left out.
    fn count(&mut self) {
        for (topic, counted, line) in core::mem::take(&mut self.headers) {
            let of_topic = self.described.partitions.iter().filter(|p| p.topic == topic);
            let numbers: Vec<u32> = of_topic.map(|p| p.partition).collect();
            let mut numbers = numbers;
            numbers.sort_unstable();
            let repeated = numbers.windows(2).filter(|pair| pair[0] == pair[1]).count();
            let listed = (numbers.len() - repeated) as u32;
            if listed < counted {
                self.described.missing.push(Missing { topic, line, counted, listed });
            }
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
            // A list that breaks off behind a comma is not known.
            let known = part(value, 0..value.len().saturating_sub(rest.len()));
            let breaks_off = !rest.is_empty() && known.trim_end().ends_with(',');
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
                    whole &= list.as_ref().is_some_and(|l| !l.is_empty()) && !breaks_off;
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
            whole &= !breaks_off;
            rests.push(rest);
        }
        whole &= record.get(Label::Replicas).is_some() && record.get(Label::Leader).is_some();
        if whole {
            self.described.partitions.push(partition);
            rests.into_iter().filter(|r| !r.is_empty()).for_each(|r| self.unread(line, r));
        } else {
            self.incomplete(record);
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

/// Whether what stands before a line's first label is no part of it: signs that mail, chat, lists and
/// diffs put before what they quote, or the line's number, unless that goes on with a list.
fn is_prefix(lead: &str, wraps: bool) -> bool {
    let is_sign = |c| matches!(c, '>' | '|' | '*' | '-' | '+' | '•' | '`' | '"' | '\'');
    let is_number = |c: char| c.is_ascii_digit() || matches!(c, ':' | '.' | ')');
    lead.chars().all(is_sign) || (!wraps && lead.chars().all(is_number))
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-')
}
