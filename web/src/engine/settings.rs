//! Settings: what holds, and where it comes from.

use crate::said::SaidView;
use highwater_core::settings::{Key, Kind, Layers, Owner, Scope, Source, Value, Values};
use highwater_core::sim::{Client, Timeline, World};
use highwater_core::words::BrokerId;
use serde::Serialize;
use tsify::Tsify;

/// What a setting takes.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub enum SettingKind {
    /// A number.
    Int,
    /// Yes or no.
    Bool,
    /// One of several words.
    Choice,
}

/// Where a value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub enum SettingSource {
    /// The release.
    Default,
    /// All brokers' own configuration.
    Cluster,
    /// One broker's.
    Broker,
    /// The topic's.
    Topic,
    /// The client's.
    Client,
}

/// A setting and where its value comes from.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct SettingView {
    /// Kafka's name.
    pub name: &'static str,
    /// Whose it is: `"broker"`, `"topic"`, `"producer"`, `"consumer"`.
    pub scope: &'static str,
    /// Effective value as Kafka writes it.
    pub value: String,
    /// The release's default.
    pub default: String,
    /// Where the value comes from.
    pub source: SettingSource,
    /// `"ms"`, `"bytes"` … or empty.
    pub unit: &'static str,
    /// What it takes.
    pub kind: SettingKind,
    /// Accepted range or choices.
    pub accepts: SaidView,
    /// The choices, if that is what it takes.
    pub choices: Vec<String>,
    /// Where `www/strings/settings.json` says what it does.
    pub doc: u16,
    /// Whether it can change while running.
    pub dynamic: bool,
    /// Whether it changes nothing here.
    pub inert: bool,
}

/// Settings of a scope, with where their values come from.
pub(crate) fn all(timeline: &Timeline, scope: &str, name: Option<&str>) -> Vec<SettingView> {
    let world = timeline.world();
    let layers = world.settings();
    let owner = owner(world, scope, name);
    let at = scope_of(scope, name);
    let values = values_of(layers, owner, name);
    let release = layers.release();
    let known = Key::ALL
        .iter()
        .copied()
        .filter(|k| k.spec().owners.contains(owner) && k.spec().default(release).is_some());
    let view = |key: Key| {
        let spec = key.spec();
        let print = |value: i64| spec.print_in(Value(value), release);
        let (kind, unit, choices) = match spec.kind {
            Kind::Int { unit, .. } => (SettingKind::Int, unit.name(), Vec::new()),
            Kind::Bool => (SettingKind::Bool, "", Vec::new()),
            Kind::Choice(words) => {
                (SettingKind::Choice, "", words.iter().map(|w| w.to_string()).collect())
            }
        };
        SettingView {
            name: spec.name_in(release),
            scope: owner.name(),
            value: print(values.get(key)),
            default: print(spec.default(release).unwrap_or(0)),
            source: source(layers.source(key, &at, None)),
            unit,
            kind,
            accepts: SaidView::from(&spec.accepted(release)),
            choices,
            doc: key.index() as u16,
            dynamic: spec.dynamic,
            inert: spec.inert,
        }
    };
    known.map(view).collect()
}

/// What holds for one setting in a scope; `None` if the release has none of that name.
pub(crate) fn value(world: &World, scope: &str, name: &str, key: &str) -> Option<String> {
    let layers = world.settings();
    let (owner, release) = (owner(world, scope, Some(name)), layers.release());
    let key = Key::find(key, owner, release).ok()?;
    Some(key.spec().print_in(Value(values_of(layers, owner, Some(name)).get(key)), release))
}

/// Whose settings a scope has; a producer may be the old Scala one.
pub(crate) fn owner(world: &World, scope: &str, name: Option<&str>) -> Owner {
    let producer = |client: &Client| match client {
        Client::Producer(sender) if Some(sender.decl.name.as_str()) == name => {
            Some(sender.decl.owner())
        }
        _ => None,
    };
    match scope {
        "topic" => Owner::Topic,
        "producer" => world.clients().iter().find_map(producer).unwrap_or(Owner::Producer),
        "consumer" => Owner::Consumer,
        _ => Owner::Broker,
    }
}

fn values_of(layers: &Layers, owner: Owner, name: Option<&str>) -> Values {
    match (owner, name) {
        (Owner::Topic, Some(topic)) => layers.topic(topic, None),
        (Owner::Producer | Owner::ScalaProducer | Owner::Consumer, Some(client)) => {
            layers.client(client, owner)
        }
        (Owner::Broker, Some(id)) => match id.parse() {
            Ok(id) => layers.broker(BrokerId(id)),
            Err(_) => layers.cluster(),
        },
        _ => layers.cluster(),
    }
}

fn source(source: Source) -> SettingSource {
    match source {
        Source::Default => SettingSource::Default,
        Source::Cluster => SettingSource::Cluster,
        Source::Broker => SettingSource::Broker,
        Source::Topic => SettingSource::Topic,
        Source::Client => SettingSource::Client,
    }
}

/// Where settings are given, as the page names it.
fn scope_of(scope: &str, name: Option<&str>) -> Scope {
    match (scope, name) {
        ("topic", Some(name)) => Scope::Topic(name.to_string()),
        ("producer" | "consumer", Some(name)) => Scope::Client(name.to_string()),
        ("broker", Some(id)) => match id.parse() {
            Ok(id) => Scope::Broker(BrokerId(id)),
            Err(_) => Scope::Cluster,
        },
        _ => Scope::Cluster,
    }
}
