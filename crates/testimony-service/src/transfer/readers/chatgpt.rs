//! `conversations.json` of `ChatGPT`: a list of conversations, each a graph of messages of which one path was shown last.
//!
//! What the person wrote becomes items. What the assistant answered is left out: it is a model's word, and what of it
//! matters is in the person's own words or was learnt from elsewhere.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::{Entry, Origin, Read, custom_id};
use crate::write::Item;

pub(super) fn conversation(entry: &Entry<'_>, read: &mut Read) {
    let id = entry.id(&["conversation_id", "id"]);
    let Some(mapping) = entry.value("mapping").and_then(Value::as_object) else {
        return read.leave_out(id, "It has no messages.");
    };
    let source = custom_id(id.as_deref());
    for message in shown(mapping, entry.text("current_node")) {
        one(&Entry { members: message }, entry, source.as_deref(), read);
    }
}

/// The messages of the path that was shown last, oldest first; all of them where nothing says which that is.
fn shown<'v>(
    mapping: &'v Map<String, Value>,
    last: Option<&'v str>,
) -> Vec<&'v Map<String, Value>> {
    let message = |node: &'v Value| node.get("message").and_then(Value::as_object);
    let Some(last) = last.filter(|last| mapping.contains_key(*last)) else {
        return mapping.values().filter_map(message).collect();
    };
    let (mut path, mut seen, mut at) = (Vec::new(), HashSet::new(), Some(last));
    // A file that leads in a circle ends where it began.
    while let Some(id) = at.filter(|id| seen.insert(*id)) {
        let node = mapping.get(id);
        path.extend(node.and_then(message));
        at = node
            .and_then(|node| node.get("parent"))
            .and_then(Value::as_str);
    }
    path.reverse();
    path
}

fn one(message: &Entry<'_>, conversation: &Entry<'_>, source: Option<&str>, read: &mut Read) {
    let author = message
        .value("author")
        .and_then(|author| author.get("role"));
    let id = message.id(&["id"]);
    match author.and_then(Value::as_str) {
        Some("user") => {}
        // What a program put there was never part of the conversation.
        Some("system" | "tool") | None => return,
        Some(_) => return read.leave_out(id, "It is the assistant's word."),
    }
    let named = source.zip(id).map(|(source, id)| format!("{source}:{id}"));
    let named = custom_id(named.as_deref());
    read.take(Item {
        source: Some(Origin::ChatGpt.as_str().to_owned()),
        source_ref: source.map(str::to_owned),
        custom_id: named,
        observed_at: message
            .date(&["create_time"])
            .or_else(|| conversation.date(&["create_time"])),
        metadata: conversation.metadata(&["title"]),
        ..Item::of(text(message))
    });
}

/// The texts of a message, without pictures and files.
fn text(message: &Entry<'_>) -> String {
    let content = message.value("content");
    let parts = content.and_then(|content| content.get("parts")?.as_array());
    let parts = parts.into_iter().flatten().filter_map(|part| {
        let inside = || part.get("text").and_then(Value::as_str);
        part.as_str().or_else(inside)
    });
    let parts: Vec<&str> = parts.collect();
    parts.join("\n")
}
