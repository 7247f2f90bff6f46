use crate::partition::PendingIsr;

/// What a process has counted since it started, as its JMX meters do (R2.11, R2.26).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Meters {
    /// ISRs of its partitions that were made smaller.
    pub isr_shrinks: u32,
    /// ISRs of its partitions that were made larger.
    pub isr_expands: u32,
    /// Changes of an ISR that were refused or did not come about.
    pub failed_isr_updates: u32,
    /// Partitions of produce requests whose time was over before all had them.
    pub expired_produces: u32,
}

impl Meters {
    /// An ISR change that this broker asked for was made.
    pub fn changed_isr(&mut self, change: &PendingIsr) {
        match change {
            PendingIsr::Shrink { .. } => self.isr_shrinks += 1,
            PendingIsr::Expand { .. } => self.isr_expands += 1,
        }
    }
}
