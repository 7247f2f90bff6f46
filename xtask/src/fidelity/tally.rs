use std::collections::BTreeSet;

/// Why a check has not passed.
#[derive(Debug, PartialEq)]
pub enum Unmet {
    /// The first difference, or what cannot be read.
    Differs(String),
    /// The model leaves out what the check asks for; that is no failure.
    NotModelled(&'static str),
}

impl From<String> for Unmet {
    fn from(difference: String) -> Unmet {
        Unmet::Differs(difference)
    }
}

/// How the checks of one area came out.
#[derive(Default)]
pub struct Tally {
    /// As recorded.
    pub passed: usize,
    /// Not, and listed with reasons in docs/fidelity.md.
    pub disputed: usize,
    /// Not tried: the model leaves out what they ask for.
    pub not_modelled: usize,
    /// All.
    pub total: usize,
}

impl Tally {
    /// Counts one check; a failure that nobody disputes is named.
    pub fn note(&mut self, name: &str, result: Result<(), Unmet>, disputed: &Disputed) {
        self.total += 1;
        match result {
            Ok(()) => self.passed += 1,
            Err(Unmet::NotModelled(reason)) => {
                self.not_modelled += 1;
                eprintln!("{name}: not modelled: {reason}");
            }
            Err(Unmet::Differs(difference)) if disputed.has(name) => {
                self.disputed += 1;
                eprintln!("{name}: disputed: {difference}");
            }
            Err(Unmet::Differs(difference)) => eprintln!("{name}: {difference}"),
        }
    }

    /// How many failed.
    pub fn failed(&self) -> usize {
        self.total - self.passed - self.disputed - self.not_modelled
    }
}

/// The checks that docs/fidelity.md disputes: the rows of its table under the heading "Disputed",
/// each with the check's name in its first cell.
pub struct Disputed(BTreeSet<String>);

impl Disputed {
    /// Reads them off the page's text.
    pub fn of(page: &str) -> Disputed {
        let section = page.split("\n## ").find(|s| s.starts_with("Disputed"));
        let rows = section.unwrap_or_default().lines().filter_map(|line| {
            let cell = line.strip_prefix("| `")?;
            cell.split_once('`').map(|(name, _)| name.to_string())
        });
        Disputed(rows.collect())
    }

    /// Whether the check of that name is disputed.
    pub fn has(&self, name: &str) -> bool {
        self.0.contains(name)
    }
}
