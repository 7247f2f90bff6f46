//! "Why is the ISR so?": the event that made a fact of a partition what it is.

use crate::sim::Tape;
use crate::wire::EventKind;
use crate::words::{EventId, PartitionId};

/// What a partition's state says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fact {
    /// Who leads, and under which epoch.
    Leader,
    /// The assigned replicas.
    Assignment,
    /// Which of them are in sync, and so which are not.
    Isr,
    /// The eligible leader replicas.
    Elr,
    /// How many replicas must be in sync.
    MinIsr,
}

impl Fact {
    /// By the short name that it has on the screen and in Kafka's own output.
    pub fn parse(name: &str) -> Option<Fact> {
        match name {
            "leader" | "epoch" => Some(Fact::Leader),
            "AR" => Some(Fact::Assignment),
            "ISR" | "OSR" => Some(Fact::Isr),
            "ELR" => Some(Fact::Elr),
            "minIsr" => Some(Fact::MinIsr),
            _ => None,
        }
    }

    /// Whether an event of this partition may have changed it.
    fn is_made_by(self, kind: &EventKind) -> bool {
        use EventKind as K;
        match self {
            Fact::Leader => matches!(
                kind,
                K::PartitionCreated { .. }
                    | K::LeaderElected { .. }
                    | K::LeaderFromElr { .. }
                    | K::LeaderLastKnown { .. }
                    | K::LeaderUnclean { .. }
                    | K::LeaderEpochRaised { .. }
                    | K::LeaderNone { .. }
            ),
            Fact::Assignment => matches!(
                kind,
                K::PartitionCreated { .. }
                    | K::ReassignmentStarted { .. }
                    | K::ReassignmentCompleted { .. }
                    | K::ReassignmentCancelled { .. }
            ),
            Fact::Isr => matches!(
                kind,
                K::PartitionCreated { .. }
                    | K::IsrShrunk { .. }
                    | K::IsrExpanded { .. }
                    | K::LeaderFromElr { .. }
                    | K::LeaderLastKnown { .. }
                    | K::LeaderUnclean { .. }
            ),
            Fact::Elr => matches!(kind, K::ElrChanged { .. }),
            Fact::MinIsr => false,
        }
    }
}

/// The last of the first `count` events that changed a fact of a partition; none if none did.
pub fn maker(tape: &Tape, count: usize, partition: PartitionId, fact: Fact) -> Option<EventId> {
    let past = tape.events().get(..count)?;
    let changes = |kind: &EventKind| match kind {
        EventKind::SettingChanged { name, .. } => {
            fact == Fact::MinIsr && *name == "min.insync.replicas"
        }
        kind => fact.is_made_by(kind) && kind.of_partition() == Some(partition),
    };
    past.iter().rposition(|event| changes(&event.kind)).map(|at| EventId(at as u32))
}
