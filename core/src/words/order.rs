use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cmp::Reverse;

/// The items in ascending order of their keys; those with equal keys keep their order.
///
/// One heap of numbers serves every type of item (and the simulation's queue): the standard sorts
/// take some 5 KB of wasm for each type, and nothing that is sorted here is large.
pub fn ordered<T>(items: Vec<T>, key: impl Fn(&T) -> (u64, u32)) -> Vec<T> {
    let numbered = |(place, item)| {
        let (first, second) = key(item);
        Reverse((first, second, place))
    };
    let mut heap: BinaryHeap<Reverse<(u64, u32, u32)>> = (0..).zip(&items).map(numbered).collect();
    let mut items: Vec<Option<T>> = items.into_iter().map(Some).collect();
    let mut all = Vec::with_capacity(items.len());
    while let Some(Reverse((_, _, place))) = heap.pop() {
        all.extend(items[place as usize].take());
    }
    all
}
