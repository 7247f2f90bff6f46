//! One switch set against its release, to see who notices.

use highwater_core::settings::Rules;
use highwater_core::settings::rules::{SWITCHES, SwitchSpec};
use std::fmt::Write;

/// What is set against a release: one switch, by its place and its value's, or nothing.
#[derive(Clone, Copy, Default)]
pub struct Against(pub(super) Option<(usize, usize)>);

impl Against {
    fn words(self) -> Option<(&'static str, &'static str)> {
        let (switch, value) = self.0?;
        let SwitchSpec { name, values, .. } = &SWITCHES[switch];
        Some((name, values[value]))
    }

    /// The rules with it.
    pub fn set_in(self, rules: Rules) -> Rules {
        rules.with(self.0.as_slice())
    }

    /// The script with it, unless that sets the same switch itself.
    pub fn written_into(self, text: &str) -> String {
        let Some((name, value)) = self.words() else { return text.to_string() };
        let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
        let own = lines.iter_mut().find(|line| line.starts_with("rules "));
        let at = |word: &str| lines_at(text, word).map(|at| at + 1);
        match own {
            Some(line) if line.contains(&format!(" {name}=")) => {}
            Some(line) => _ = write!(line, " {name}={value}"),
            None => {
                let at = at("kafka ").or(at("highwater ")).unwrap_or(0);
                lines.insert(at, format!("rules {name}={value}"));
            }
        }
        lines.join("\n")
    }
}

fn lines_at(text: &str, word: &str) -> Option<usize> {
    text.lines().position(|line| line.starts_with(word))
}
