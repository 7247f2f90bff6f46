//! Canonical forms under permutations of interchangeable brokers.

/// Most lanes that can be permuted.
pub const MOST_LANES: usize = 5;

/// An order of lanes: which old lane comes to each place.
pub type Order = [usize; MOST_LANES];

/// The smallest of the states that `permuted` makes of all orders in which the lanes' keys ascend.
///
/// A key must not name any lane, so that it is the same whichever lane its owner is. Lanes with
/// different keys have one place each; only ties are tried in every order.
#[inline]
pub fn canonical<S: Ord>(keys: &[u64], permuted: impl Fn(&Order) -> S) -> S {
    let lanes = keys.len();
    let mut order: Order = [0, 1, 2, 3, 4];
    for i in 1..lanes {
        let mut at = i;
        while at > 0 && keys[order[at - 1]] > keys[order[at]] {
            order.swap(at - 1, at);
            at -= 1;
        }
    }
    let ties = (1..lanes).any(|i| keys[order[i - 1]] == keys[order[i]]);
    let first = permuted(&order);
    if ties { smallest(keys, &mut order, 0, first, &permuted) } else { first }
}

/// Tries every lane of the same key at place `at`, then those of the places after it.
fn smallest<S: Ord>(
    keys: &[u64],
    order: &mut Order,
    at: usize,
    mut best: S,
    permuted: &impl Fn(&Order) -> S,
) -> S {
    if at == keys.len() {
        return best.min(permuted(order));
    }
    for other in at..keys.len() {
        if keys[order[other]] == keys[order[at]] {
            order.swap(at, other);
            best = smallest(keys, order, at + 1, best, permuted);
            order.swap(at, other);
        }
    }
    best
}

/// A set of lanes (bit i: lane i) after `order` put them elsewhere.
#[inline]
pub fn permuted_set(set: u32, order: &[usize]) -> u32 {
    let places = order.iter().enumerate();
    places.fold(0, |all, (place, lane)| all | (((set >> lane) & 1) << place))
}

/// The place of each lane in `order`.
#[inline]
pub fn places(order: &[usize]) -> Order {
    let mut places = [0; MOST_LANES];
    order.iter().enumerate().for_each(|(place, lane)| places[*lane] = place);
    places
}
