//! What a pasted `kafka-topics --describe` says, for the page.

use crate::detail::lines;
use crate::view::{
    DescribedPartitionView, DescribedSettingView, DescribedView, MissingView, UnreadView,
};
use highwater_core::observe::describe::{self, DescribedPartition};
use highwater_core::script;
use highwater_core::settings::Release;

pub(crate) fn view(text: &str, release: Release) -> DescribedView {
    let described = describe::read(text);
    let script = describe::scenario(&described, release);
    let errors = script.as_deref().and_then(|script| script::parse(script).err());
    let settings = described.settings.into_iter();
    let unread = described.unread.into_iter();
    let missing = described.missing.into_iter();
    DescribedView {
        script,
        errors: lines(&errors.unwrap_or_default()),
        partitions: described.partitions.into_iter().map(partition).collect(),
        settings: settings
            .map(|s| DescribedSettingView { topic: s.topic, name: s.name, value: s.value })
            .collect(),
        unread: unread
            .map(|u| UnreadView { line: u.line, text: u.text, incomplete: u.incomplete })
            .collect(),
        missing: missing
            .map(|m| MissingView {
                topic: m.topic,
                line: m.line,
                counted: m.counted,
                listed: m.listed,
            })
            .collect(),
    }
}

fn partition(p: DescribedPartition) -> DescribedPartitionView {
    DescribedPartitionView {
        name: format!("{}/{}", p.topic, p.partition),
        line: p.line,
        leader: p.leader,
        replicas: p.replicas,
        isr: p.isr,
        elr: p.elr,
        last_known_elr: p.last_known_elr,
        adding: p.adding,
        removing: p.removing,
        offline: p.offline,
        observers: p.observers,
    }
}
