//! The wire: what requests carry and what answers say, as pure functions between JSON and the use cases.
//!
//! Every request is read by a table of [`field::Field`]s, which says of each field what it has to be, what holds when it
//! is absent and what comes of it; a description of the interface can be written from the same tables.
//! All that is wrong with a request is found at once.

pub mod accounts;
mod common;
pub mod context;
pub mod courtroom;
pub mod fault;
pub mod field;
pub mod gateway;
pub mod governance;
pub mod item;
pub mod json;
pub mod machine;
pub mod page;
pub mod parts;
pub mod reader;
pub mod recall;
pub mod reflect;
pub mod retain;
pub mod rows;
pub mod shape;
mod told;
pub mod transfer;
pub mod writeback;
pub mod written;

use serde_json::{Value, json};

pub(crate) use common::NAMES;
pub use common::{Notes, Sent};
use fault::Pointer;
use field::Effect;

/// Notes as they are sent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Noted {
    /// What is worth a word.
    pub warnings: Vec<Value>,
    /// Fields that count for nothing.
    pub ignored_fields: Vec<Value>,
    /// Fields that are kept and do nothing.
    pub recorded_only_fields: Vec<Value>,
}

impl Notes {
    /// The notes as they are sent. Names of unknown fields are their sender's, so they go through `redact`.
    #[must_use]
    pub fn as_sent(&self, redact: impl Fn(&str) -> String) -> Noted {
        let warnings = self.warnings.iter().map(|warning| {
            json!({
                "code": warning.notice.as_str(),
                "pointer": shortened(&looked_through(warning.pointer.as_str(), &redact)),
                "detail": warning.detail,
            })
        });
        let idle = |wanted: fn(&Effect) -> Option<&'static str>| -> Vec<Value> {
            let named = self.idle.iter().filter_map(|(field, effect)| {
                Some(json!({ "field": field, "reason": wanted(effect)? }))
            });
            named.collect()
        };
        Noted {
            warnings: warnings.collect(),
            ignored_fields: idle(ignored),
            recorded_only_fields: idle(recorded),
        }
    }
}

/// A pointer whose names were looked through one by one, each as its sender wrote it: behind a slash, and with its own
/// slashes escaped, a credential has another form.
fn looked_through(pointer: &str, redact: impl Fn(&str) -> String) -> String {
    let names = pointer.split('/').skip(1);
    let written = names.map(|name| name.replace("~1", "/").replace("~0", "~"));
    let kept = written.fold(Pointer::root(), |above, name| above.below(redact(&name)));
    kept.as_str().to_owned()
}

/// Names of fields are short; what is longer is no name.
fn shortened(text: &str) -> String {
    const LONGEST: usize = 200;
    text.chars().take(LONGEST).collect()
}

const fn ignored(effect: &Effect) -> Option<&'static str> {
    match effect {
        Effect::Ignored(because) => Some(because),
        Effect::Counts | Effect::Recorded(_) => None,
    }
}

const fn recorded(effect: &Effect) -> Option<&'static str> {
    match effect {
        Effect::Recorded(because) => Some(because),
        Effect::Counts | Effect::Ignored(_) => None,
    }
}
