//! The order in which brokers die, and in which their sessions end.

use crate::kafka::Kafka;
use crate::kafka::action::Step;
use crate::model::Model;
use crate::trace;
use alloc::vec::Vec;

/// The same run, where that is possible with brokers dying in the order in which they are fenced:
/// sessions end in that order.
pub(super) fn in_order_of_fencing<const W: usize>(
    model: &Kafka<W>,
    run: &[trace::Step<[u64; W]>],
) -> Vec<trace::Step<[u64; W]>> {
    let mut run = run.to_vec();
    let steps = |run: &[trace::Step<[u64; W]>]| -> Vec<Option<Step>> {
        run.iter().map(|step| step.action.map(Step::of)).collect()
    };
    let brokers = usize::from(model.question().brokers);
    for (late, early) in (0..brokers).flat_map(|a| (0..brokers).map(move |b| (a, b))) {
        let steps = steps(&run);
        let dies = |b: usize| {
            steps.iter().position(|s| matches!(s, Some(Step::Crash(x) | Step::Power(x)) if *x == b))
        };
        let fenced = |b: usize| steps.iter().position(|s| *s == Some(Step::Fence(b)));
        let (Some(from), Some(to), Some(first)) = (dies(late), dies(early), fenced(late)) else {
            continue;
        };
        if late != early && from > to && fenced(early).is_none_or(|second| second > first) {
            let mut order = run.clone();
            order[to..=from].rotate_right(1);
            run = replayed(model, &order).unwrap_or(run);
        }
    }
    run
}

/// The run of the same steps in another order; `None` if that is none, or breaks nothing.
pub(super) fn replayed<const W: usize>(
    model: &Kafka<W>,
    order: &[trace::Step<[u64; W]>],
) -> Option<Vec<trace::Step<[u64; W]>>> {
    let mut run: Vec<trace::Step<[u64; W]>> = Vec::with_capacity(order.len());
    run.push(*order.first()?);
    for step in &order[1..] {
        let mut next = None;
        model.successors(&run.last()?.state, |action, state| {
            if Some(action) == step.action {
                next = Some(trace::Step { action: Some(action), state });
            }
        });
        run.push(next?);
    }
    (model.broken(&run.last()?.state) != 0).then_some(run)
}
