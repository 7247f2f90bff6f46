//! LEO and HW of every replica over time: what is plotted.

use crate::engine::names::{find_partition, us};
use highwater_core::sim::Timeline;
use highwater_core::wire::{Event, EventKind, Weight};
use highwater_core::words::{BrokerId, Node, Offset, PartitionId};
use js_sys::Float64Array;
use serde::Serialize;
use tsify::Tsify;

/// LEO and HW of every replica over time, in steps.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct SeriesView {
    /// The brokers, one for each line.
    pub brokers: Vec<u16>,
    /// When something changed.
    #[serde(with = "serde_wasm_bindgen::preserve")]
    #[tsify(type = "Float64Array")]
    pub times: Float64Array,
    /// The first broker's LEO at each of these times, then the next one's.
    #[serde(with = "serde_wasm_bindgen::preserve")]
    #[tsify(type = "Float64Array")]
    pub leo: Float64Array,
    /// Their HW in the same order.
    #[serde(with = "serde_wasm_bindgen::preserve")]
    #[tsify(type = "Float64Array")]
    pub hw: Float64Array,
    /// What is marked beside the lines.
    pub marks: Vec<MarkView>,
}

/// An event that is marked in a plot.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct MarkView {
    /// When.
    pub time: i64,
    /// Its code.
    pub code: &'static str,
    /// Where.
    pub node: String,
    /// Its id.
    pub id: u32,
}

pub(crate) fn view(timeline: &Timeline, partition: &str) -> SeriesView {
    let world = timeline.world();
    let brokers: Vec<BrokerId> = world.brokers().iter().map(|b| b.id).collect();
    let mut lines = Lines::new(brokers.len());
    let mut marks = Vec::new();
    if let Some(id) = find_partition(world, Some(partition)) {
        let count = world.event_count() as usize;
        for (index, event) in timeline.tape().events().iter().take(count).enumerate() {
            let at = us(event.at);
            if let Node::Broker(b) = event.node
                && let Some(column) = brokers.iter().position(|x| *x == b)
                && let Some(change) = change_of(event, id)
            {
                lines.set(at as f64, column, change);
            }
            if is_mark(event) {
                let (code, node) = (event.kind.code(), world.node_name(event.node));
                marks.push(MarkView { time: at, code, node, id: index as u32 });
            }
        }
        lines.end(us(world.now()) as f64);
    }
    SeriesView {
        brokers: brokers.iter().map(|b| b.0).collect(),
        times: Float64Array::from(&lines.times[..]),
        leo: Float64Array::from(&lines.leo.concat()[..]),
        hw: Float64Array::from(&lines.hw.concat()[..]),
        marks,
    }
}

enum Change {
    Leo(Offset),
    Hw(Offset),
}

fn change_of(event: &Event, wanted: PartitionId) -> Option<Change> {
    let (partition, change) = match &event.kind {
        EventKind::Appended { partition, last, .. }
        | EventKind::Replicated { partition, last, .. } => (partition, Change::Leo(last + 1)),
        EventKind::Truncated { partition, to, .. } => (partition, Change::Leo(*to)),
        EventKind::TruncatedFully { partition, start, .. } => (partition, Change::Leo(*start)),
        EventKind::LogCut { partition, from, .. } => (partition, Change::Leo(*from)),
        EventKind::LogRecovered { partition, end, .. } => (partition, Change::Leo(*end)),
        EventKind::HwAdvanced { partition, to, .. }
        | EventKind::HwFollowed { partition, to, .. } => (partition, Change::Hw(*to)),
        _ => return None,
    };
    (*partition == wanted).then_some(change)
}

fn is_mark(event: &Event) -> bool {
    let of_node = !matches!(event.node, Node::Client(_));
    of_node && event.kind.weight() == Weight::Striking
}

/// Step lines that share their times.
struct Lines {
    times: Vec<f64>,
    leo: Vec<Vec<f64>>,
    hw: Vec<Vec<f64>>,
}

impl Lines {
    fn new(columns: usize) -> Lines {
        Lines { times: vec![0.0], leo: vec![vec![0.0]; columns], hw: vec![vec![0.0]; columns] }
    }

    fn set(&mut self, at: f64, column: usize, change: Change) {
        self.end(at);
        let (values, value) = match change {
            Change::Leo(to) => (&mut self.leo[column], to),
            Change::Hw(to) => (&mut self.hw[column], to),
        };
        if let Some(last) = values.last_mut() {
            *last = value as f64;
        }
    }

    /// Goes on to `at` with the same values.
    fn end(&mut self, at: f64) {
        if self.times.last().is_none_or(|last| *last < at) {
            self.times.push(at);
            for values in self.leo.iter_mut().chain(&mut self.hw) {
                values.push(values.last().copied().unwrap_or(0.0));
            }
        }
    }
}
