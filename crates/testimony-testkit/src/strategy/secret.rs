//! Made-up secrets in every disguise, somewhere in a text.

use proptest::prelude::{BoxedStrategy, Strategy, prop_oneof};
use proptest::sample::select;

use super::text::hostile_texts;
use crate::transform::{Transform, apply};

/// One of the disguises.
pub fn transforms() -> impl Strategy<Value = Transform> + Clone {
    select(&Transform::ALL[..])
}

/// A text that holds a secret in a disguise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hidden {
    /// The secret in the clear. It is made up and opens nothing.
    pub value: String,
    /// Its disguise.
    pub transform: Transform,
    /// The text that holds it.
    pub text: String,
}

/// What may stand between a secret and what follows it. Where a value is wrapped, the next line could be more of it, so
/// the next line follows at once as often as not.
const BEHIND: [&str; 5] = ["\n\n", "\n", "\r\n", "\n    ", " "];

/// Lines that have hidden where a wrapped value ends.
const NEXT_LINES: [&str; 8] = [
    "The office is closed on Fridays.",
    "Regards,\nAna",
    "KEY=1",
    "user: ana",
    "2031-05-01 meeting notes",
    "https://wiki.acme.example/page",
    "--------------------------------------------------------------------------------",
    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
];

/// What follows a secret.
fn after() -> BoxedStrategy<String> {
    let lines = (select(&NEXT_LINES[..]), hostile_texts());
    prop_oneof![
        2 => hostile_texts(),
        1 => lines.prop_map(|(line, text)| format!("{line}\n{text}")),
    ]
    .boxed()
}

/// Hides what `values` makes somewhere in a text, beside `lead`, which says what it is.
pub fn hidden(values: BoxedStrategy<String>, lead: &'static str) -> BoxedStrategy<Hidden> {
    let around = (hostile_texts(), select(&BEHIND[..]), after());
    (values, transforms(), around)
        .prop_map(move |(value, transform, (before, behind, after))| {
            let disguised = apply(transform, &value);
            Hidden {
                text: format!("{before}\n{lead}{disguised}{behind}{after}"),
                value,
                transform,
            }
        })
        .boxed()
}
