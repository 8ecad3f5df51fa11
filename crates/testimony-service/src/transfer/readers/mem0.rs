//! Memories of mem0: `{"results": [{"id", "memory", "user_id", "categories", "metadata", "created_at", "updated_at"}]}`.

use super::{Entry, Origin, Read, custom_id, person};
use crate::write::Item;

pub(super) fn entry(entry: &Entry<'_>, read: &mut Read) {
    let id = entry.id(&["id", "memory_id"]);
    let named = custom_id(id.as_deref());
    match person(entry.text("user_id")) {
        Err(reason) => read.leave_out(id, reason),
        Ok(user) => read.take(Item {
            source: Some(Origin::Mem0.as_str().to_owned()),
            source_ref: named.clone(),
            custom_id: named,
            user,
            // A text that was changed was last said then.
            observed_at: entry.date(&["updated_at", "created_at"]),
            tags: entry.tags("categories"),
            metadata: entry.metadata(&[
                "agent_id",
                "app_id",
                "run_id",
                "created_at",
                "expiration_date",
            ]),
            ..Item::of(entry.first(&["memory", "text", "data"]).unwrap_or_default())
        }),
    }
}
