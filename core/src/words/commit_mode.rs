/// When a consumer of a group commits (R7.4).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CommitMode {
    /// By itself, every `auto.commit.interval.ms`, if `enable.auto.commit` says so.
    #[default]
    Auto,
    /// `commitSync` before it processes what it fetched: at most once.
    Before,
    /// `commitSync` after it processed it: at least once.
    After,
    /// `commitAsync` after it processed it: nothing waits for it, and it is not tried again.
    Async,
}
