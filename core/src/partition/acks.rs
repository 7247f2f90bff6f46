//! What an answer to a producer needs (R2.6–R2.12).

use crate::settings::rules::Acks;
use crate::words::{ErrorCode, Offset};

/// `acks=all`.
pub const ALL: i32 = -1;

/// Whether the number is one that brokers accept (R2.9).
pub fn is_valid(rule: Acks, acks: i32) -> bool {
    match rule {
        Acks::AnyNumber => true,
        Acks::Three => (-1..=1).contains(&acks),
    }
}

/// Whether the answer waits for other replicas: not with 0, which is not answered, nor with 1,
/// which is answered at once (R2.9).
pub fn waits(acks: i32) -> bool {
    acks != 0 && acks != 1
}

/// The test before the append: only acks=all looks at the committed ISR, and only if it is exactly
/// −1 (R2.7).
pub fn before_append(acks: i32, isr_size: usize, min_isr: usize) -> Result<(), ErrorCode> {
    if acks == ALL && isr_size < min_isr {
        return Err(ErrorCode::NotEnoughReplicas);
    }
    Ok(())
}

/// A partition as a waiting request sees it (R2.10).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Standing {
    /// The high watermark.
    pub hw: Offset,
    /// The HW that the request needs: behind its last record.
    pub required: Offset,
    /// Size of the maximal ISR.
    pub isr_size: usize,
    /// Effective min ISR.
    pub min_isr: usize,
    /// How many of the ISR, the leader included, have the request's records.
    pub reached: usize,
}

/// Whether a waiting request can be answered, and how (R2.10, R2.12). Below zero: once the HW has
/// passed its last record, well if the maximal ISR is large enough, with an error if not. Above one
/// (0.8): once so many of the ISR have it, whatever the HW and min ISR.
pub fn after_append(acks: i32, at: Standing) -> Option<ErrorCode> {
    if acks >= 0 {
        let enough = at.reached >= acks.unsigned_abs() as usize;
        return enough.then_some(ErrorCode::None);
    }
    if at.hw < at.required {
        None
    } else if at.isr_size < at.min_isr {
        Some(ErrorCode::NotEnoughReplicasAfterAppend)
    } else {
        Some(ErrorCode::None)
    }
}
