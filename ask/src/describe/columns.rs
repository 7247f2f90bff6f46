//! The columns of a line: labels with their values.

use alloc::vec::Vec;
use core::ops::Range;

/// What stands before a colon. One that ends like another comes first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Label {
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

pub(super) const LABELS: [(&str, Label); 16] = [
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

/// Whether the end of one line and the beginning of the next are the two halves of a label.
pub(super) fn joins_label(before: &str, after: &str) -> bool {
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
pub(super) fn label_at(text: &str) -> Option<(Label, usize)> {
    LABELS.iter().find_map(|(name, label)| {
        let head = text.as_bytes().get(..name.len())?;
        let named = head.eq_ignore_ascii_case(name.as_bytes());
        let colon = text.as_bytes().get(name.len()) == Some(&b':');
        (named && colon).then_some((*label, name.len() + 1))
    })
}

/// What people put around a line that they quote.
fn is_quote(c: char) -> bool {
    matches!(c, '`' | '"' | '\'')
}

/// What stands before the first label of a line, and the labels with their values.
pub(super) fn columns(line: &str) -> (&str, Vec<(Label, &str)>) {
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
        at_word = c.is_whitespace() || is_quote(c);
    }
    let ends = found.iter().skip(1).map(|(at, ..)| *at).chain([line.len()]);
    let values = found.iter().zip(ends);
    let values = values
        .map(|((at, label, length), end)| (*label, part(line, at + length..end).trim()))
        .map(|(label, value)| (label, value.trim_end_matches(is_quote).trim_end()));
    let lead = part(line, 0..found.first().map_or(line.len(), |(at, ..)| *at));
    (lead.trim(), values.collect())
}

/// `text[range]` without the panic that slicing brings along.
#[inline(never)]
pub(super) fn part(text: &str, range: Range<usize>) -> &str {
    text.get(range).unwrap_or_default()
}

pub(super) fn first_word(text: &str) -> (&str, &str) {
    text.split_once(char::is_whitespace).map_or((text, ""), |(word, rest)| (word, rest.trim()))
}

/// The brokers of a list, none for `N/A`, and what stands behind them.
#[inline(never)]
pub(super) fn ids(text: &str) -> (Option<Vec<u32>>, &str) {
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

/// How many columns of the tool a line has.
pub(crate) fn labels_in(line: &str) -> usize {
    columns(line).1.len()
}
