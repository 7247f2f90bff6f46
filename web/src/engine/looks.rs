//! The handle again: what the page asks for when somebody looks closer.

use crate::engine::Engine;
use crate::engine::client::{self, ReadingView};
use crate::engine::ledger::{self, RecordView};
use crate::engine::map::{self, MapView};
use crate::engine::metrics::{self, MetricView};
use crate::engine::names::micros;
use crate::engine::paste::{self, PasteView};
use crate::engine::script::{self, ErrorLineView};
use crate::engine::series::{self, SeriesView};
use crate::engine::settings::{self, SettingView};
use crate::engine::spacetime::{self, PassageView};
use crate::engine::story::{self, EventView};
use crate::thrown;
use highwater_core::observe::describe;
use highwater_core::script as scripts;
use highwater_core::words::{EventId, RecordId};
use js_sys::Error;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

/// No answer here is an error that a script or a reader can cause: an `Err` says that a value could
/// not be written for JavaScript.
#[wasm_bindgen]
impl Engine {
    /// What is wrong with a text; empty if nothing is.
    pub fn check(text: &str) -> Result<Vec<Ts<ErrorLineView>>, Error> {
        thrown::each(&scripts::parse(text).err().map_or_else(Vec::new, |e| script::lines(&e)))
    }

    /// One event; undefined if there is none of that id.
    pub fn event(&self, id: u32) -> Result<Option<Ts<EventView>>, Error> {
        thrown::maybe(story::event(&self.timeline, EventId(id), None))
    }

    /// An event and the chain of its causes: the first one and what is behind it, then the next.
    pub fn why(&self, id: u32, depth: u32) -> Result<Vec<Ts<EventView>>, Error> {
        thrown::each(&story::chain(&self.timeline, EventId(id), depth))
    }

    /// The last event that changed a fact of a partition: `"leader"`, `"epoch"`, `"AR"`, `"ISR"`,
    /// `"OSR"`, `"ELR"` or `"minIsr"`; undefined if none did.
    pub fn fact(&self, partition: &str, name: &str) -> Option<u32> {
        story::maker(&self.timeline, partition, name)
    }

    /// The life of one record; undefined if there is none of that id.
    pub fn record(&self, id: u32) -> Result<Option<Ts<RecordView>>, Error> {
        thrown::maybe(ledger::record(&self.timeline, RecordId(id)))
    }

    /// How far a consumer has come; undefined if there is none of that name.
    pub fn reading(&self, consumer: &str) -> Result<Option<Ts<ReadingView>>, Error> {
        thrown::maybe(client::reading(&self.timeline, consumer))
    }

    /// LEO and HW of every replica over time.
    pub fn series(&self, partition: &str) -> Result<Ts<SeriesView>, Error> {
        series::view(&self.timeline, partition).into_ts().map_err(thrown::misshapen)
    }

    /// Messages of a span of time.
    pub fn spacetime(&self, from: f64, to: f64, limit: u32) -> Result<Vec<Ts<PassageView>>, Error> {
        let (from, to) = (micros(from), micros(to));
        thrown::each(&spacetime::passages(&self.timeline, from, to, limit as usize))
    }

    /// Partition × broker, as bytes.
    pub fn map(&self) -> Result<Ts<MapView>, Error> {
        map::view(&self.timeline).into_ts().map_err(thrown::misshapen)
    }

    /// Settings of a scope, with where their values come from.
    pub fn settings(
        &self,
        scope: &str,
        name: Option<String>,
    ) -> Result<Vec<Ts<SettingView>>, Error> {
        thrown::each(&settings::all(&self.timeline, scope, name.as_deref()))
    }

    /// What holds for one setting of a topic or a client; undefined if the release has none of that
    /// name.
    pub fn value(&self, scope: &str, name: &str, key: &str) -> Option<String> {
        settings::value(self.timeline.world(), scope, name, key)
    }

    /// Applies the known keys of a pasted configuration, and names the others.
    #[wasm_bindgen(js_name = pasteConfig)]
    pub fn paste_config(
        &mut self,
        kind: &str,
        text: &str,
        name: Option<String>,
    ) -> Result<Ts<PasteView>, Error> {
        let view = paste::apply(&mut self.timeline, kind, text, name.as_deref());
        view.into_ts().map_err(thrown::misshapen)
    }

    /// `kafka-topics --describe` of a topic.
    pub fn describe(&self, topic: &str) -> Option<String> {
        describe::topic(self.timeline.world(), topic)
    }

    /// The JMX names that operators know; of one partition those of each replica, too.
    pub fn metrics(&self, partition: Option<String>) -> Result<Vec<Ts<MetricView>>, Error> {
        thrown::each(&metrics::all(self.timeline.world(), partition.as_deref()))
    }
}
