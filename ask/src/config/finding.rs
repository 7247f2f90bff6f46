use alloc::string::{String, ToString};
use alloc::vec::Vec;
use highwater_core::settings::Owner;
use highwater_core::words::Said;

/// What a finding can do to somebody, the worst first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Harm {
    /// It cannot start, or cannot join.
    Refused,
    /// Acknowledged records can be lost, or be skipped by a consumer.
    Loses,
    /// Records can be written or read twice.
    Duplicates,
    /// Records can change places.
    Reorders,
    /// One failure stops writes.
    StopsWrites,
    /// A leader's death is not survived.
    Failover,
    /// It does nothing.
    Nothing,
    /// The release does not have it.
    Unknown,
    /// Another name was meant.
    Misspelt,
}

impl Harm {
    /// All of them.
    pub const ALL: [Harm; 9] = [
        Harm::Refused,
        Harm::Loses,
        Harm::Duplicates,
        Harm::Reorders,
        Harm::StopsWrites,
        Harm::Failover,
        Harm::Nothing,
        Harm::Unknown,
        Harm::Misspelt,
    ];

    /// For the page's table of words.
    pub const fn code(self) -> &'static str {
        match self {
            Harm::Refused => "refused",
            Harm::Loses => "loses",
            Harm::Duplicates => "duplicates",
            Harm::Reorders => "reorders",
            Harm::StopsWrites => "stopsWrites",
            Harm::Failover => "failover",
            Harm::Nothing => "nothing",
            Harm::Unknown => "unknown",
            Harm::Misspelt => "misspelt",
        }
    }
}

/// A setting that mends a finding; without a value it is to be taken out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// Whose setting it is.
    pub owner: Owner,
    /// Its name.
    pub name: String,
    /// Its value; `None`: take it out.
    pub value: Option<String>,
}

/// One finding.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    /// Which it is, for the page's words.
    pub code: &'static str,
    /// What it can do.
    pub harm: Harm,
    /// The rule behind it, such as `R2.9`; empty where it is about a name.
    pub rule: &'static str,
    /// Its line; `None` where a default, and no line, makes it so.
    pub line: Option<u32>,
    /// Values for the words.
    pub params: Vec<(&'static str, String)>,
    /// What would be accepted, where a value is refused.
    pub accepted: Option<Said>,
    /// What mends it.
    pub changes: Vec<Change>,
    /// A scenario, built from the configuration, in which it happens.
    pub proof: Option<String>,
    /// The same with the change, in which it does not.
    pub mended: Option<String>,
    /// The settings are another client's; the model's producer is Java's.
    pub is_translated: bool,
}

impl Finding {
    pub(super) fn new(code: &'static str, harm: Harm, rule: &'static str) -> Finding {
        Finding {
            code,
            harm,
            rule,
            line: None,
            params: Vec::new(),
            accepted: None,
            changes: Vec::new(),
            proof: None,
            mended: None,
            is_translated: false,
        }
    }

    pub(super) fn at(mut self, line: Option<u32>) -> Finding {
        self.line = line;
        self
    }

    pub(super) fn with(mut self, name: &'static str, value: impl ToString) -> Finding {
        self.params.push((name, value.to_string()));
        self
    }

    pub(super) fn change(mut self, owner: Owner, name: &str, value: impl ToString) -> Finding {
        let (name, value) = (name.to_string(), Some(value.to_string()));
        self.changes.push(Change { owner, name, value });
        self
    }

    pub(super) fn remove(mut self, owner: Owner, name: &str) -> Finding {
        self.changes.push(Change { owner, name: name.to_string(), value: None });
        self
    }
}
