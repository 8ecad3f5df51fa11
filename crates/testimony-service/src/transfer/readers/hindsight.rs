//! Memory units of a bank of Hindsight: `{"items": [{"id", "text", "fact_type", "mentioned_at", "occurred_start", …}]}`.

use testimony_domain::{MemoryKind, SourceClass};

use super::{Entry, Origin, Read, custom_id};
use crate::write::Item;

pub(super) fn entry(entry: &Entry<'_>, read: &mut Read) {
    let id = entry.id(&["id"]);
    let named = custom_id(id.as_deref());
    let kind = entry.first(&["fact_type", "type"]);
    read.take(Item {
        source: Some(Origin::Hindsight.as_str().to_owned()),
        source_ref: entry
            .first(&["document_id"])
            .map(str::to_owned)
            .or(named.clone()),
        custom_id: named,
        kind: kind.and_then(kind_of),
        class: kind.and_then(class_of),
        observed_at: entry.date(&["mentioned_at", "date", "occurred_start", "created_at"]),
        tags: entry.tags("tags"),
        metadata: entry.metadata(&[
            "context",
            "entities",
            "fact_type",
            "occurred_start",
            "occurred_end",
            "chunk_id",
        ]),
        ..Item::of(entry.first(&["text", "content"]).unwrap_or_default())
    });
}

fn kind_of(word: &str) -> Option<MemoryKind> {
    match word {
        "world" => Some(MemoryKind::Fact),
        "experience" | "bank" | "observation" => Some(MemoryKind::Observation),
        _ => None,
    }
}

/// What a model concluded there is no more than that here.
fn class_of(word: &str) -> Option<SourceClass> {
    matches!(word, "opinion" | "observation").then_some(SourceClass::ModelInference)
}
