//! What a consumer's settings can do.

use super::check::Context;
use super::entry::Unit;
use super::finding::{Finding, Harm};
use super::proof::Proof;
use super::refused::is_refused;
use alloc::vec::Vec;
use highwater_core::settings::{Owner, Release};

pub(super) fn check(context: &Context<'_>, unit: &Unit, all: &mut Vec<Finding>) {
    let line = |name: &str| unit.entry(name).map(|e| e.line);
    let setup = context.setup().with(unit);
    let is_refused = is_refused(context, unit);
    let old = context.release == Release::V0_8_2;
    let (latest, earliest) = if old { ("largest", "smallest") } else { ("latest", "earliest") };
    if unit.given("auto.offset.reset") == Some(latest) {
        let finding = Finding::new("reset.latest", Harm::Loses, "R7.5")
            .at(line("auto.offset.reset"))
            .with("value", latest)
            .change(Owner::Consumer, "auto.offset.reset", earliest);
        let mended = setup.changed(&finding.changes);
        let played = |setup| Proof::NewReader.script(setup).filter(|_| !is_refused);
        all.push(Finding { proof: played(&setup), mended: played(&mended), ..finding });
    }
    let auto = if old { "auto.commit.enable" } else { "enable.auto.commit" };
    if unit.given(auto).is_some_and(|v| v.eq_ignore_ascii_case("true")) {
        // Without it the application commits: no setting does that.
        let finding = Finding::new("commit.auto", Harm::Duplicates, "R7.4").at(line(auto)).change(
            Owner::Consumer,
            auto,
            "false",
        );
        let proof = Proof::ReaderDies.script(&setup).filter(|_| !is_refused);
        all.push(Finding { proof, ..finding });
    }
    let committed = unit.given("isolation.level") == Some("read_committed");
    let transactional = context.of(Owner::Producer).find_map(|p| p.entry("transactional.id"));
    if let Some(entry) = transactional
        && !committed
        && context.release > Release::V0_8_2
    {
        let finding = Finding::new("isolation.uncommitted", Harm::Duplicates, "R7.1")
            .at(line("isolation.level").or(Some(unit.line)))
            .with("line", entry.line)
            .change(Owner::Consumer, "isolation.level", "read_committed");
        all.push(finding);
    }
}
