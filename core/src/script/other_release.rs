//! The same scenario on another release.

use super::ast::{Action, Link, MessageName, Place, Script, Statement};
use crate::settings::rules::Coordination;
use crate::settings::{Ability, Key, Layers, Release, Rules, Scope, Value};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The script on `release`, and what was left out because that release does not have it: settings
/// and values, racks, commands, the broker that is the controller. KRaft's controller and
/// ZooKeeper stand in for each other.
pub fn on_release(script: &Script, release: Release) -> (Script, Vec<String>) {
    let mut script = script.clone();
    let rules = Rules::of(release, true).with(&script.switches());
    let mut moving = Moving { release, rules, left_out: Vec::new() };
    let is_release = |s: &Statement| matches!(s, Statement::Kafka(_));
    if !script.statements().any(|(_, s)| is_release(s)) {
        let first = script.statements().next().map_or(0, |(at, _)| at + 1);
        let statement = Some(Statement::Kafka(release));
        script.lines.insert(first, super::Line { statement, comment: None });
    }
    for line in &mut script.lines {
        if let Some(statement) = &mut line.statement
            && !moving.moves(statement)
        {
            line.statement = None;
        }
    }
    (script, moving.left_out)
}

struct Moving {
    release: Release,
    rules: Rules,
    left_out: Vec<String>,
}

impl Moving {
    /// Changes a statement; false if nothing is left of it.
    fn moves(&mut self, statement: &mut Statement) -> bool {
        let zookeeper = self.rules.coordination == Coordination::ZooKeeper;
        match statement {
            Statement::Kafka(release) => *release = self.release,
            Statement::Brokers(decl)
                if !decl.racks.is_empty() && !self.release.has(Ability::Racks) =>
            {
                self.left_out.push(format!("racks={}", decl.racks.join(",")));
                decl.racks.clear();
            }
            Statement::Controller(broker) if !zookeeper => {
                self.left_out.push(format!("controller {broker}"));
                return false;
            }
            Statement::Set(scope, config) => {
                self.keep_settings(scope, config);
                return !config.is_empty();
            }
            Statement::Topic(decl) => {
                self.keep_settings(&Scope::Topic(decl.name.clone()), &mut decl.config);
            }
            Statement::Producer(decl) => {
                self.keep_settings(&Scope::Client(decl.name.clone()), &mut decl.config);
            }
            Statement::Consumer(decl) => {
                self.keep_settings(&Scope::Client(decl.name.clone()), &mut decl.config);
                if !self.rules.follower_fetching
                    && let Some(rack) = decl.rack.take()
                {
                    self.left_out.push(format!("client.rack={rack}"));
                }
            }
            Statement::At(_, action) => return self.moves_action(action),
            Statement::Message(fault) => {
                let MessageName { from, to, .. } = &mut fault.message;
                self.places(from);
                self.places(to);
            }
            _ => {}
        }
        true
    }

    fn moves_action(&mut self, action: &mut Action) -> bool {
        match action {
            Action::Elect { unclean: true, partition }
                if !self.release.has(Ability::UncleanElection) =>
            {
                self.left_out.push(format!("elect unclean {partition}"));
                return false;
            }
            Action::Reassign { target: None, partition }
                if !self.release.has(Ability::CancelledReassignment) =>
            {
                self.left_out.push(format!("reassign {partition} cancel"));
                return false;
            }
            Action::Set(scope, changes) => {
                let scope = scope.clone();
                changes.retain(|(key, value)| self.keeps(&scope, *key, *value));
                return !changes.is_empty();
            }
            Action::Create(decl) => {
                self.keep_settings(&Scope::Topic(decl.name.clone()), &mut decl.config);
            }
            Action::Crash(place)
            | Action::Stop(place)
            | Action::Start(place)
            | Action::Pause(place)
            | Action::Resume(place) => self.places(place),
            Action::Cut(link) | Action::Heal(Some(link)) | Action::Slow { link, .. } => {
                let Link { from, to, .. } = link;
                self.places(from);
                self.places(to);
            }
            _ => {}
        }
        true
    }

    fn places(&self, place: &mut Place) {
        if matches!(place, Place::Controller | Place::ZooKeeper) {
            *place = match self.rules.coordination {
                Coordination::KRaft => Place::Controller,
                Coordination::ZooKeeper => Place::ZooKeeper,
            };
        }
    }

    fn keep_settings(&mut self, scope: &Scope, config: &mut Vec<(Key, Value)>) {
        config.retain(|(key, value)| self.keeps(scope, *key, Some(*value)));
    }

    /// Whether the release has the setting, and takes the value.
    fn keeps(&mut self, scope: &Scope, key: Key, value: Option<Value>) -> bool {
        let spec = key.spec();
        let taken = spec.default(self.release).is_some()
            && Layers::new(self.release).set(scope, key, value).is_ok();
        if !taken {
            let value = value.map_or("default".to_string(), |v| spec.print(v));
            self.left_out.push(format!("{}={value}", spec.name));
        }
        taken
    }
}
