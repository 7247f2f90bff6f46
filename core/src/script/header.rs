//! What every line of a script is read by: its release, its rules, its clients. They are found before
//! the lines are read, since a line may stand above what it goes by.

use super::cursor::Cursor;
use super::declarations::rules;
use super::lex::{Lexed, LexedLine, Token};
use crate::settings::{Key, Owner, Release, Rules};
use crate::words::{Map, Said};
use alloc::string::String;

/// The release that the script names; a wrong one is reported when its line is read.
pub(super) fn find_release(lines: &[LexedLine]) -> Release {
    let tokens = lines.iter().flatten().map(|l| l.tokens.as_slice());
    let named = tokens.filter_map(|t| match t {
        [kafka, name, ..] if kafka.text == "kafka" => Release::parse(&name.text),
        _ => None,
    });
    named.take(1).last().unwrap_or_default()
}

/// The rules that the script goes by; a wrong one is reported when its line is read.
pub(super) fn find_rules(lines: &[LexedLine], release: Release) -> Rules {
    let own = Rules::of(release, true);
    let is_rules = |l: &&Lexed| l.tokens.first().is_some_and(|t| t.text == "rules");
    let Some(lexed) = lines.iter().flatten().find(is_rules) else { return own };
    let none = Map::new();
    let mut cursor = Cursor::new(lexed, release, own, &none);
    let set = cursor.token(Said::verbatim("rules")).and_then(|_| rules(&mut cursor));
    own.with(&set.unwrap_or_default())
}

/// The clients that the script declares, and whose settings each has. A producer with a setting
/// that only the Scala producer knows is one.
pub(super) fn find_clients(lines: &[LexedLine], release: Release) -> Map<String, Owner> {
    let mut clients = Map::new();
    for tokens in lines.iter().flatten().map(|l| l.tokens.as_slice()) {
        let [kind, name, settings @ ..] = tokens else {
            continue;
        };
        match kind.text.as_str() {
            "producer" => clients.insert(name.text.clone(), producer_owner(settings, release)),
            "consumer" => clients.insert(name.text.clone(), Owner::Consumer),
            _ => None,
        };
    }
    clients
}

fn producer_owner(settings: &[Token], release: Release) -> Owner {
    let scala = |token: &Token| {
        let Some((name, _)) = token.assignment() else {
            return false;
        };
        let key = Key::named(name, Owner::ScalaProducer);
        Key::named(name, Owner::Producer).is_none()
            && key.is_some_and(|k| k.spec().default(release).is_some())
    };
    if settings.iter().any(scala) { Owner::ScalaProducer } else { Owner::Producer }
}
