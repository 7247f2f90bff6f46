//! What an answer to a producer needs (R2.6–R2.12).

use crate::words::{ErrorCode, Offset};

/// `acks=all`.
pub const ALL: i32 = -1;

/// Whether the number is one that brokers accept (R2.9).
pub fn is_valid(acks: i32) -> bool {
    (-1..=1).contains(&acks)
}

/// The test before the append: only acks=all looks at the committed ISR (R2.7).
pub fn before_append(acks: i32, isr_size: usize, min_isr: usize) -> Result<(), ErrorCode> {
    if acks == ALL && isr_size < min_isr {
        return Err(ErrorCode::NotEnoughReplicas);
    }
    Ok(())
}

/// Whether a waiting acks=all request can be answered: once the HW has passed its last record, well
/// if the maximal ISR is large enough, with an error if not (R2.10, R2.12).
pub fn after_append(
    hw: Offset,
    required: Offset,
    maximal_isr_size: usize,
    min_isr: usize,
) -> Option<ErrorCode> {
    if hw < required {
        None
    } else if maximal_isr_size < min_isr {
        Some(ErrorCode::NotEnoughReplicasAfterAppend)
    } else {
        Some(ErrorCode::None)
    }
}
