//! Documents and memory entries of supermemory: `{"memories": [{"id", "customId", "content", "containerTags", …}]}`, or
//! `{"memoryEntries": [{"id", "memory", "isLatest", "isForgotten", …}]}`.

use super::{Entry, Origin, Read, custom_id, person};
use crate::write::Item;

pub(super) fn entry(entry: &Entry<'_>, read: &mut Read) {
    let id = entry.id(&["customId", "id", "documentId"]);
    let named = custom_id(id.as_deref());
    if entry.flag("isForgotten") == Some(true) {
        return read.leave_out(id, "It was forgotten there.");
    }
    if entry.flag("isLatest") == Some(false) {
        return read.leave_out(id, "A later version took its place there.");
    }
    match person(room(entry).as_deref()) {
        Err(reason) => read.leave_out(id, reason),
        Ok(user) => read.take(Item {
            source: Some(Origin::Supermemory.as_str().to_owned()),
            source_ref: named.clone(),
            custom_id: named,
            user,
            observed_at: entry.date(&["updatedAt", "createdAt"]),
            tags: entry.tags("containerTags"),
            metadata: entry.metadata(&["title", "type", "url", "createdAt"]),
            ..Item::of(
                entry
                    .first(&["memory", "content", "summary"])
                    .unwrap_or_default(),
            )
        }),
    }
}

/// The tags of a container are a room of their own there: what lies in one is not seen from another, and stays so.
fn room(entry: &Entry<'_>) -> Option<String> {
    let alone = entry.first(&["containerTag", "spaceContainerTag"]);
    let tags = entry.texts("containerTags");
    alone
        .map(str::to_owned)
        .or_else(|| (!tags.is_empty()).then(|| tags.join(",")))
}
