/// Java's `String.hashCode`, made positive: what the old Scala producer partitions by (R6.4), and
/// what a group's partition of the offsets topic goes by (R7.3).
pub fn java_hash(text: &str) -> u32 {
    let step = |hash: i32, unit: u16| hash.wrapping_mul(31).wrapping_add(i32::from(unit));
    (text.encode_utf16().fold(0, step) & i32::MAX) as u32
}
