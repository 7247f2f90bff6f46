use crate::words::EventId;

/// Whether a property must hold at every moment, or must be seen at some.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PropertyKind {
    /// Broken by a single event.
    Always,
    /// A run in which it never happens proves nothing about it.
    Sometimes,
}

/// A property of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Property {
    /// Its id in docs/protocol.md, section 11.1, or a name for what should happen sometimes.
    pub id: &'static str,
    /// Its kind.
    pub kind: PropertyKind,
}

/// How a property stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PropertyState {
    /// The event that broke it, or that showed it first.
    pub decided_by: Option<EventId>,
}

const fn always(id: &'static str) -> Property {
    Property { id, kind: PropertyKind::Always }
}

const fn sometimes(id: &'static str) -> Property {
    Property { id, kind: PropertyKind::Sometimes }
}

/// Every property, in the order of the page. I1–I7 are those of section 11.1.
pub const PROPERTIES: [Property; 14] = [
    always("I1"),
    always("I2"),
    always("I3"),
    always("I4"),
    always("I5"),
    always("I6"),
    always("I7"),
    sometimes("committed"),
    sometimes("refused"),
    sometimes("isr-shrunk"),
    sometimes("isr-expanded"),
    sometimes("elected"),
    sometimes("truncated"),
    sometimes("lost"),
];

/// Where a property stands in [`PROPERTIES`].
pub(super) fn index_of(id: &str) -> usize {
    PROPERTIES.iter().position(|p| p.id == id).expect("a property of the table")
}
