//! Made-up secrets in every disguise, somewhere in a text.

use proptest::prelude::{BoxedStrategy, Strategy};
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

/// Hides what `values` makes somewhere in a text, beside `lead`, which says what it is.
pub fn hidden(values: BoxedStrategy<String>, lead: &'static str) -> BoxedStrategy<Hidden> {
    (values, transforms(), hostile_texts(), hostile_texts())
        .prop_map(move |(value, transform, before, after)| {
            let disguised = apply(transform, &value);
            Hidden {
                // A blank line parts it from what follows: where a value is wrapped, the next line would be more of it.
                text: format!("{before}\n{lead}{disguised}\n\n{after}"),
                value,
                transform,
            }
        })
        .boxed()
}
