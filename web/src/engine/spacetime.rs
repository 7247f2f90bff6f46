//! The space-time diagram.

use crate::engine::names::us;
use highwater_core::sim::Timeline;
use highwater_core::words::Micros;
use serde::Serialize;
use tsify::Tsify;

/// No message that is drawn was longer on its way than that.
const LONGEST: Micros = Micros::from_secs(60);
/// The most messages of one diagram.
const MOST: usize = 5000;

/// A message of the space-time diagram.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct PassageView {
    /// Its kind.
    pub kind: &'static str,
    /// Sender.
    pub from: String,
    /// Receiver.
    pub to: String,
    /// When it left.
    pub sent: i64,
    /// When it arrives; negative: never.
    pub arrives: i64,
    /// Its name.
    pub name: String,
}

/// Messages that mattered and were on their way between two moments.
pub(crate) fn passages(
    timeline: &Timeline,
    from: Micros,
    to: Micros,
    limit: usize,
) -> Vec<PassageView> {
    let world = timeline.world();
    let passages = timeline.tape().passages();
    let first = passages.partition_point(|p| p.sent + LONGEST < from);
    let shown = passages[first..].iter().take_while(|p| p.sent <= to.min(world.now()));
    shown
        .filter(|p| p.arrives >= from)
        .take(limit.min(MOST))
        .map(|p| {
            let partition = p.partition.map(|id| format!(" {}", world.partition_name(id)));
            let (from, to) = (world.node_name(p.from), world.node_name(p.to));
            PassageView {
                kind: p.kind.name(),
                name: format!(
                    "{} {from}>{to}{} #{}",
                    p.kind.name(),
                    partition.unwrap_or_default(),
                    p.ordinal
                ),
                from,
                to,
                sent: us(p.sent),
                arrives: if p.arrives == Micros::NEVER { -1 } else { us(p.arrives) },
            }
        })
        .collect()
}
