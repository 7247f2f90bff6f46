//! Whose a setting is, as the text around it says.

use super::statement::Statement;
use alloc::vec::Vec;
use highwater_core::settings::Owner;

/// What a text says of whose settings follow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    Broker,
    Topic,
    Producer,
    Consumer,
    /// Producers and consumers.
    Clients,
    /// Something that is no part of this: an admin client, Connect, Streams.
    Other,
}

impl Place {
    pub(super) fn owners(self) -> &'static [Owner] {
        match self {
            Place::Broker => &[Owner::Broker],
            Place::Topic => &[Owner::Topic],
            Place::Producer => &[Owner::Producer],
            Place::Consumer => &[Owner::Consumer],
            Place::Clients => &[Owner::Producer, Owner::Consumer],
            Place::Other => &[],
        }
    }
}

/// What a heading names: a comment of few words, a file's name, a title of Markdown, the first line
/// of what `kafka-configs --describe` prints. Comments of Kafka's own files name nobody so.
pub(super) fn speaks_of(text: &str) -> Option<Place> {
    const SIGNS: &[char] =
        &['#', '/', '*', '-', '=', '[', ']', '>', '<', ':', '`', '!', ' ', ';', '(', ')'];
    let starts = ["#", "//", "--", "/*", "==", "<!--", ";", "**", "["];
    let is_comment = starts.iter().any(|s| text.starts_with(s));
    let bare = text.trim_matches(SIGNS).to_ascii_lowercase();
    if let Some(place) = described(&bare) {
        return Some(place);
    }
    let words: Vec<&str> = bare.split_whitespace().collect();
    if words.is_empty() || words.len() > 5 || bare.contains('=') {
        return None;
    }
    if let Some(file) = words.iter().find(|w| w.trim_matches(SIGNS).ends_with(".properties")) {
        return word_of(file);
    }
    // A key of YAML is part of a path.
    let is_title = is_comment || (text.ends_with(':') && words.len() > 1);
    if !is_title || words.len() > 3 || words.contains(&"internal") {
        return None;
    }
    words.iter().find_map(|word| word_of(word.trim_matches(SIGNS)))
}

/// `Dynamic configs for topic orders are`, `All configs for broker 1 are`.
fn described(bare: &str) -> Option<Place> {
    let (_, whose) = bare.split_once("configs for ")?;
    let place = match whose.split_whitespace().next()? {
        "topic" => Place::Topic,
        "broker" | "brokers" | "default" => Place::Broker,
        _ => Place::Other,
    };
    bare.contains(" are").then_some(place)
}

fn word_of(text: &str) -> Option<Place> {
    let has = |word: &str| text.contains(word);
    match () {
        () if has("producer") && has("consumer") => None,
        () if has("producer") => Some(Place::Producer),
        () if has("consumer") => Some(Place::Consumer),
        () if has("server.properties") || has("broker") => Some(Place::Broker),
        () if matches!(text, "topic" | "topics" | "topic.properties") => Some(Place::Topic),
        () => None,
    }
}

/// Whose a statement is: by its path, by what opened the dictionary, by the heading.
pub(super) fn place_of(statement: &Statement, heading: Option<Place>) -> Option<Place> {
    for segment in statement.path.iter().rev() {
        let segment = segment.to_ascii_lowercase();
        let has = |word: &str| segment.contains(word);
        let place = match () {
            () if has("producer") => Place::Producer,
            () if has("consumer") => Place::Consumer,
            () if has("admin") || has("streams") || has("connect") => Place::Other,
            () if has("kafkatopic") || segment == "topic" || has("newtopic") => Place::Topic,
            () if segment == "broker" => Place::Broker,
            () => continue,
        };
        return Some(place);
    }
    let is = |word: &str| statement.path.iter().any(|p| p == word);
    match () {
        () if is("kafka") && is("config") => Some(Place::Broker),
        () if is("spec") && is("config") => Some(heading.unwrap_or(Place::Topic)),
        () if is("spring") && is("kafka") => Some(Place::Clients),
        () if statement.is_environment => Some(Place::Broker),
        () => heading,
    }
}
