//! Whose a setting is, as the text around it says.

use super::statement::Statement;
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

/// What a heading names: a comment of few words, a file's name, a title of Markdown.
pub(super) fn speaks_of(text: &str) -> Option<Place> {
    let signs: &[char] = &['#', '/', '*', '-', '=', '[', ']', '>', '<', ':', '`', '!', ' ', ';'];
    let is_comment =
        ["#", "//", "--", "/*", "==", "<!--", ";", "**"].iter().any(|s| text.starts_with(s));
    let ends = text.ends_with(':') || text.ends_with(".properties") || text.starts_with('[');
    let bare = text.trim_matches(signs).to_ascii_lowercase();
    let words = bare.split_whitespace().count();
    if !(is_comment || ends) || words == 0 || words > 6 || bare.contains('=') {
        return None;
    }
    if !is_comment && words > 3 && !bare.contains(".properties") {
        return None;
    }
    let is_yaml_key = !is_comment && text.ends_with(':') && words == 1;
    if is_yaml_key && !bare.contains(".properties") {
        return None; // A key of YAML: its path says it.
    }
    word_of(&bare)
}

fn word_of(text: &str) -> Option<Place> {
    let has = |word: &str| text.contains(word);
    match () {
        () if has("producer") && has("consumer") => None,
        () if has("producer") => Some(Place::Producer),
        () if has("consumer") => Some(Place::Consumer),
        () if has("server.properties") || has("broker") || has("kraft/") => Some(Place::Broker),
        () if has("topic") => Some(Place::Topic),
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
