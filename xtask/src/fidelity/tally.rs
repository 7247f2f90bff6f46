use std::collections::BTreeSet;

/// How the checks of one area came out.
#[derive(Default)]
pub struct Tally {
    /// As recorded.
    pub passed: usize,
    /// Not, and listed with reasons in docs/fidelity.md.
    pub disputed: usize,
    /// All.
    pub total: usize,
}

impl Tally {
    /// Counts one check; a failure that nobody disputes is named.
    pub fn note(&mut self, name: &str, result: Result<(), String>, disputed: &Disputed) {
        self.total += 1;
        match result {
            Ok(()) => self.passed += 1,
            Err(difference) if disputed.has(name) => {
                self.disputed += 1;
                eprintln!("{name}: disputed: {difference}");
            }
            Err(difference) => eprintln!("{name}: {difference}"),
        }
    }

    /// Whether everything passed or is disputed.
    pub fn is_good(&self) -> bool {
        self.passed + self.disputed == self.total
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
