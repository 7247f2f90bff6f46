//! Which replica a consumer should read from (R7.8, KIP-392).

use crate::words::{BrokerId, Offset};

/// A replica that a consumer might read from, as its leader sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Readable {
    /// Its broker.
    pub broker: BrokerId,
    /// Its log end; −1 is unknown.
    pub end: Offset,
    /// Whether it is in the consumer's rack.
    pub same_rack: bool,
    /// Whether it is in the ISR.
    pub in_isr: bool,
}

/// The replica in the consumer's rack that has what it asks for: the leader if it is there,
/// otherwise the one that is furthest. None: it reads from the leader (R7.8).
pub fn preferred(
    leader: Readable,
    followers: impl Iterator<Item = Readable>,
    offset: Offset,
) -> Option<BrokerId> {
    if leader.same_rack {
        return None;
    }
    let fit = |r: &Readable| r.same_rack && r.in_isr && r.end >= offset;
    let furthest = followers.filter(fit).max_by_key(|r| (r.end, core::cmp::Reverse(r.broker)));
    furthest.map(|r| r.broker)
}
