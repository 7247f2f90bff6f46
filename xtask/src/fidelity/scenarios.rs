//! The anomalies of docs/protocol.md, section 11, and the reports of people who run Kafka, as
//! bundled scenarios.
//!
//! A scenario proves its point by its `expect` lines. It says in comments where else it holds, and
//! where it does not:
//!
//! ```text
//! # anomaly: A1
//! # present in 0.8.2 acks=three
//! # absent in 2.8: records.acked-lost=0 orders/0@3.leo=11
//! ```
//!
//! The same script is played with that release and with those rules set against it. Where it is
//! present, every `expect` line holds; where it is absent, what stands behind the colon
//! holds at the time of the last one, and not every `expect` line does.

use crate::repo;
use highwater_core::script::{self, Script, Statement};
use highwater_core::settings::Release;
use highwater_core::sim::Timeline;
use highwater_core::wire::event::{Event, Weight};
use serde_json::Value;
use std::path::Path;

/// How many anomalies section 11 has.
pub const ANOMALIES: usize = 33;

/// Every anomaly with the outcome of its scenario.
pub fn anomalies() -> Vec<(String, Result<(), String>)> {
    let check = |number: usize| {
        let (name, text) =
            named(&repo::path("www/scenarios/anomalies"), &format!("a{number:02}-"))?;
        let id = format!("# anomaly: A{number}");
        if !text.lines().any(|line| line == id) {
            return Err(format!("{name} does not say {id:?}"));
        }
        check_places(&text).map_err(|e| format!("{name}: {e}"))
    };
    (1..=ANOMALIES).map(|n| (format!("A{n}"), check(n))).collect()
}

/// Every report with the outcome of its scenario.
pub fn reports(reports: &Value) -> Vec<(String, Result<(), String>)> {
    let all = reports.as_array().into_iter().flatten();
    let check = |id: &str, url: &str| {
        let (name, text) =
            named(&repo::path("fidelity/reports"), &format!("{}-", id.to_lowercase()))?;
        if !text.lines().any(|line| line.starts_with('#') && line.contains(url)) {
            return Err(format!("{name} does not name its source, {url}"));
        }
        check_places(&text).map_err(|e| format!("{name}: {e}"))
    };
    all.map(|report| {
        let id = report["id"].as_str().unwrap_or("a report without id");
        (id.to_string(), check(id, report["url"].as_str().unwrap_or_default()))
    })
    .collect()
}

/// The scenario whose name begins so.
fn named(folder: &Path, prefix: &str) -> Result<(String, String), String> {
    let is_it = |p: &Path| {
        let name = p.file_name().unwrap_or_default().to_string_lossy().into_owned();
        p.extension().is_some_and(|e| e == "hw") && name.starts_with(prefix)
    };
    let found = repo::files_below(folder, &is_it).map_err(|e| e.to_string())?;
    let [file] = found.as_slice() else {
        return Err(format!("{} scenarios are called {prefix}…", found.len()));
    };
    let text = repo::read(file).map_err(|e| e.to_string())?;
    Ok((file.file_stem().unwrap_or_default().to_string_lossy().into_owned(), text))
}

fn check_places(text: &str) -> Result<(), String> {
    play(text)?.all_hold().map_err(|e| format!("where it is at home: {e}"))?;
    for line in text.lines() {
        if let Some(place) = line.strip_prefix("# present in ") {
            let outcome = play(&moved(text, place)?).map_err(|e| format!("in {place}: {e}"))?;
            outcome.all_hold().map_err(|e| format!("present in {place}: {e}"))?;
        } else if let Some(rest) = line.strip_prefix("# absent in ") {
            let (place, instead) = rest.split_once(": ").ok_or("absent in PLACE: EXPECTATIONS")?;
            let there = moved(text, place)?;
            let outcome = play(&there).map_err(|e| format!("in {place}: {e}"))?;
            if outcome.all_hold().is_ok() {
                return Err(format!("it is present in {place}"));
            }
            let outcome = play(&expecting(&there, instead)?)?;
            outcome.all_hold().map_err(|e| format!("absent in {place}: {e}"))?;
        }
    }
    Ok(())
}

/// The script on another release, and with other rules: `2.8 isr-join=high-watermark`.
fn moved(text: &str, place: &str) -> Result<String, String> {
    let (name, rules) = place.split_once(' ').unwrap_or((place, ""));
    let release = Release::parse(name).ok_or_else(|| format!("no such release: {name}"))?;
    let parsed = script::parse(text).map_err(|errors| errors[0].to_string())?;
    let (moved, _) = script::on_release(&parsed, release);
    let printed = script::print(&moved);
    let own_rules = printed.lines().filter(|line| !line.starts_with("rules "));
    let mut lines: Vec<String> = own_rules.map(str::to_string).collect();
    if !rules.is_empty() {
        let kafka = lines.iter().position(|l| l.starts_with("kafka ")).ok_or("no kafka line")?;
        lines.insert(kafka + 1, format!("rules {rules}"));
    }
    Ok(lines.join("\n"))
}

/// The script with other expectations, at the time of its last ones.
fn expecting(text: &str, instead: &str) -> Result<String, String> {
    let is_expect = |line: &&str| line.starts_with("expect ");
    let last = text.lines().rfind(is_expect).ok_or("it expects nothing")?;
    let time = last.split_whitespace().nth(1).ok_or("no time")?;
    let mut lines: Vec<&str> = text.lines().filter(|l| !is_expect(l)).collect();
    let line = format!("expect {time} {instead}");
    lines.push(&line);
    Ok(lines.join("\n"))
}

/// The release that a script is about.
pub fn release_of(text: &str) -> Option<Release> {
    script::parse(text).ok().map(|parsed| parsed.release())
}

/// Whether a script can be played and all that it expects comes out.
pub fn holds(text: &str) -> bool {
    play(text).is_ok_and(|outcome| outcome.broken.is_empty())
}

/// A script's history but for periodic events.
pub fn history(text: &str) -> Option<Vec<Event>> {
    let mut timeline = Timeline::new(script::parse(text).ok()?).ok()?;
    timeline.run_until(timeline.end());
    let events = timeline.tape().events().iter();
    Some(events.filter(|e| e.kind.weight() > Weight::Periodic).cloned().collect())
}

/// What became of a script's expectations.
struct Outcome {
    broken: Vec<String>,
    judged: usize,
}

impl Outcome {
    fn all_hold(&self) -> Result<(), String> {
        match self.broken.first() {
            Some(first) => Err(first.clone()),
            None if self.judged == 0 => Err("it expects nothing".into()),
            None => Ok(()),
        }
    }
}

fn play(text: &str) -> Result<Outcome, String> {
    let parsed: Script = script::parse(text).map_err(|errors| errors[0].to_string())?;
    let says = |s: &Statement| matches!(s, Statement::Expect(..));
    let judged = parsed.statements().filter(|(_, s)| says(s)).count();
    let mut timeline = Timeline::new(parsed).map_err(|e| format!("{:?}", e.0))?;
    timeline.run_until(timeline.end());
    let failed = timeline.world().outcomes().iter().filter(|o| !o.held);
    let lines: Vec<&str> = text.lines().collect();
    let broken = failed.map(|o| {
        let line = lines.get(o.line as usize - 1).unwrap_or(&"");
        format!("line {}: {line}: {}", o.line, o.actual)
    });
    let mut broken: Vec<String> = broken.collect();
    let unmatched = timeline.unmatched_faults();
    broken.extend(unmatched.iter().map(|f| format!("no such message came by: {f:?}")));
    Ok(Outcome { broken, judged })
}
