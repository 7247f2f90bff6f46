//! The handle that the page holds.

use crate::convert::{self, Request};
use crate::described;
use crate::detail;
use crate::json::to_json;
use crate::view::{AppliedView, BranchView, MovedView, PasteView, PerformView};
use highwater_core::observe::{describe, metrics, why};
use highwater_core::script::{self, ScriptError};
use highwater_core::settings::{Owner, Release, parse_paste};
use highwater_core::sim::{InsertError, Moment, Timeline};
use highwater_core::words::{EventId, Micros, RecordId};
use wasm_bindgen::prelude::*;

/// A run: one scenario, its history and its branches.
#[wasm_bindgen]
pub struct Engine {
    timeline: Timeline,
}

#[wasm_bindgen]
impl Engine {
    /// The beginning of a scenario.
    ///
    /// # Errors
    /// `ErrorLineView[]` if the text is no good script.
    #[wasm_bindgen(constructor)]
    pub fn new(text: &str) -> Result<Engine, String> {
        console_error_panic_hook::set_once();
        let script = script::parse(text).map_err(|errors| thrown(&errors))?;
        let timeline = Timeline::new(script).map_err(|InsertError(errors)| thrown(&errors))?;
        Ok(Engine { timeline })
    }

    /// The engine's version: part of every link.
    pub fn version() -> String {
        env!("CARGO_PKG_VERSION").to_string()
    }

    /// What is wrong with a text; empty if nothing is.
    pub fn check(text: &str) -> String {
        to_json(&script::parse(text).err().map_or_else(Vec::new, |errors| detail::lines(&errors)))
    }

    /// Breaks on purpose, so that a test can see how the page recovers.
    #[wasm_bindgen(js_name = panicForTest)]
    pub fn panic_for_test() {
        panic!("asked for by a test");
    }

    /// The script of the branch on the screen.
    pub fn script(&self) -> String {
        script::print(self.timeline.script())
    }

    /// Short fingerprint of the history up to now.
    pub fn fingerprint(&self) -> String {
        self.timeline.world().fingerprint()
    }

    /// This moment, as far as the page asks for it.
    pub fn view(&self, request: &Request) -> String {
        to_json(&convert::view(&self.timeline, request))
    }

    /// Carries out the next event; false if there is none.
    pub fn step(&mut self) -> bool {
        self.timeline.step()
    }

    /// Takes the last event back; false at the beginning.
    #[wasm_bindgen(js_name = stepBack)]
    pub fn step_back(&mut self) -> bool {
        self.timeline.step_back()
    }

    /// Plays until nothing but periodic work is left; false if the limits came first.
    pub fn settle(&mut self) -> bool {
        self.timeline.settle()
    }

    /// Plays until everything up to that time, in microseconds, has happened.
    #[wasm_bindgen(js_name = runUntil)]
    pub fn run_until(&mut self, time: f64) {
        self.timeline.run_until(micros(time));
    }

    /// Plays until that time, in microseconds; but where no message that matters is under way, no
    /// further than to where one leaves, and no more than a frame has time for.
    #[wasm_bindgen(js_name = runUntilSignificant)]
    pub fn run_until_significant(&mut self, time: f64) {
        self.timeline.run_until_significant(micros(time));
    }

    /// Goes to a time, or to the n-th event of that instant.
    pub fn seek(&mut self, time: f64, index: Option<u32>) {
        self.timeline.seek(Moment { at: micros(time), index });
    }

    /// Adds an action of the script format, without `at`, at this moment.
    pub fn perform(&mut self, action: &str) -> String {
        to_json(&match self.timeline.perform(action) {
            Ok(inserted) => PerformView {
                ok: true,
                branched: inserted.branched,
                line: Some(inserted.line),
                errors: Vec::new(),
            },
            Err(InsertError(errors)) => PerformView {
                ok: false,
                branched: false,
                line: None,
                errors: detail::lines(&errors),
            },
        })
    }

    /// Takes another text for the script, at the same moment.
    ///
    /// # Errors
    /// As the constructor.
    #[wasm_bindgen(js_name = replaceScript)]
    pub fn replace_script(&mut self, text: &str) -> Result<(), String> {
        let script = script::parse(text).map_err(|errors| thrown(&errors))?;
        self.timeline.replace_script(script).map_err(|InsertError(errors)| thrown(&errors))
    }

    /// The releases, oldest first, with a comma and a blank between.
    pub fn releases() -> String {
        Release::NAMES.to_string()
    }

    /// The script on another release, and what that one does not have.
    #[wasm_bindgen(js_name = onRelease)]
    pub fn on_release(&self, release: &str) -> String {
        let release = Release::parse(release).unwrap_or_default();
        let (script, left_out) = script::on_release(self.timeline.script(), release);
        to_json(&MovedView { script: script::print(&script), left_out })
    }

    /// Takes the last action back.
    pub fn undo(&mut self) -> bool {
        self.timeline.undo()
    }

    /// Does it again.
    pub fn redo(&mut self) -> bool {
        self.timeline.redo()
    }

    /// The branches of the history.
    pub fn branches(&self) -> String {
        let active = self.timeline.active_branch();
        let branches = self.timeline.branches().iter().enumerate().map(|(id, b)| BranchView {
            id: id as u32,
            at: b.at.0 as i64,
            parent: b.parent,
            active: id as u32 == active,
            label: b.label.clone(),
        });
        to_json(&branches.collect::<Vec<_>>())
    }

    /// Shows another branch, at the same moment.
    #[wasm_bindgen(js_name = switchBranch)]
    pub fn switch_branch(&mut self, id: u32) -> bool {
        self.timeline.switch_branch(id)
    }

    /// One event; undefined if there is none of that id.
    pub fn event(&self, id: u32) -> Option<String> {
        convert::event(&self.timeline, EventId(id), None).map(|event| to_json(&event))
    }

    /// An event and the chain of its causes: the first one and what is behind it, then the next.
    pub fn why(&self, id: u32, depth: u32) -> String {
        let chain = why::chain(self.timeline.tape(), EventId(id), depth.min(200) as usize);
        let events: Vec<_> =
            chain.into_iter().filter_map(|id| convert::event(&self.timeline, id, None)).collect();
        to_json(&events)
    }

    /// The last event that changed a fact of a partition: `"leader"`, `"epoch"`, `"AR"`, `"ISR"`,
    /// `"OSR"`, `"ELR"` or `"minIsr"`; undefined if none did.
    pub fn fact(&self, partition: &str, name: &str) -> Option<u32> {
        detail::fact(&self.timeline, partition, name)
    }

    /// The life of one record; undefined if there is none of that id.
    pub fn record(&self, id: u32) -> Option<String> {
        convert::record(&self.timeline, RecordId(id)).map(|record| to_json(&record))
    }

    /// How far a consumer has come; undefined if there is none of that name.
    pub fn reading(&self, consumer: &str) -> Option<String> {
        detail::reading(&self.timeline, consumer).map(|reading| to_json(&reading))
    }

    /// LEO and HW of every replica over time.
    pub fn series(&self, partition: &str) -> String {
        to_json(&detail::series(&self.timeline, partition))
    }

    /// Messages of a span of time.
    pub fn spacetime(&self, from: f64, to: f64, limit: u32) -> String {
        to_json(&detail::spacetime(&self.timeline, micros(from), micros(to), limit as usize))
    }

    /// Partition × broker, as bytes.
    pub fn map(&self) -> String {
        to_json(&detail::map(&self.timeline))
    }

    /// Settings of a scope, with where their values come from.
    pub fn settings(&self, scope: &str, name: Option<String>) -> String {
        to_json(&detail::settings(&self.timeline, scope, name.as_deref()))
    }

    /// What holds for one setting of a topic or a client; undefined if the release has none of that
    /// name.
    pub fn value(&self, scope: &str, name: &str, key: &str) -> Option<String> {
        detail::value(self.timeline.world(), scope, name, key)
    }

    /// Applies the known keys of a pasted configuration, and names the others.
    #[wasm_bindgen(js_name = pasteConfig)]
    pub fn paste_config(&mut self, kind: &str, text: &str, name: Option<String>) -> String {
        let owner = detail::owner(self.timeline.world(), kind, name.as_deref());
        let (owner, scope) = match (kind, name) {
            ("topic", Some(name)) => (owner, format!("topic {name}")),
            ("producer" | "consumer", Some(name)) => (owner, format!("client {name}")),
            (_, Some(name)) => (Owner::Broker, format!("broker {name}")),
            (_, None) => (Owner::Broker, String::from("cluster")),
        };
        let release = self.timeline.script().release();
        let (known, skipped) = parse_paste(text, owner, release);
        let mut view = PasteView { applied: Vec::new(), skipped: detail::skipped(&skipped) };
        for (key, value) in known {
            let (name, value) = (key.spec().name_in(release), key.spec().print_in(value, release));
            let action = match scope.as_str() {
                "cluster" => format!("set {name}={value}"),
                scope => format!("set {scope} {name}={value}"),
            };
            match self.timeline.perform(&action) {
                Ok(_) => view.applied.push(AppliedView { name: name.to_string(), value }),
                Err(InsertError(errors)) => view.skipped.push(detail::refused(name, &errors)),
            }
        }
        to_json(&view)
    }

    /// `kafka-topics --describe` of a topic.
    pub fn describe(&self, topic: &str) -> Option<String> {
        describe::topic(self.timeline.world(), topic)
    }

    /// What a pasted `kafka-topics --describe` says, and the script that rebuilds it on `release`.
    #[wasm_bindgen(js_name = readDescribe)]
    pub fn read_describe(text: &str, release: &str) -> String {
        to_json(&described::view(text, Release::parse(release).unwrap_or_default()))
    }

    /// The JMX names that operators know; of one partition those of each replica, too.
    pub fn metrics(&self, partition: Option<String>) -> String {
        let world = self.timeline.world();
        let chosen = convert::find_partition(world, partition.as_deref());
        let metrics: Vec<_> = metrics::all(world, chosen)
            .into_iter()
            .map(|m| crate::view::MetricView {
                name: m.name,
                node: world.node_name(m.node),
                value: m.value,
            })
            .collect();
        to_json(&metrics)
    }
}

/// A time from the page; what is no time is the start.
fn micros(time: f64) -> Micros {
    if time.is_finite() && time > 0.0 {
        Micros(time as u64).min(Micros::LIMIT)
    } else {
        Micros::ZERO
    }
}

fn thrown(errors: &[ScriptError]) -> String {
    to_json(&detail::lines(errors))
}
