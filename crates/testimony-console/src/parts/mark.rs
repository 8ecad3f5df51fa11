//! Marks of trust: a shape and a word, so that neither colour nor sight is needed to tell them apart.

use maud::{Markup, html};

use crate::text::words;

/// The shape of a verdict or of a bucket of trust: a full disc, a half one, a quarter, a ring that is struck out.
fn shape(word: &str) -> Markup {
    html! {
        svg.mark aria-hidden="true" viewBox="0 0 12 12" width="12" height="12" {
            @match word {
                "trusted" => circle.full cx="6" cy="6" r="5" {},
                "needs_review" | "caution" => {
                    circle.ring cx="6" cy="6" r="4.5" {}
                    path.half d="M6 1.5a4.5 4.5 0 0 0 0 9z" {}
                }
                _ => {
                    circle.ring cx="6" cy="6" r="4.5" {}
                    path.stroke d="M2.8 9.2 9.2 2.8" {}
                }
            }
        }
    }
}

/// A verdict or a bucket of trust.
pub(crate) fn trust(word: &str) -> Markup {
    html! { span class={ "trust " (word) } { (shape(word)) (words(word)) } }
}

/// A state of the lifecycle.
pub(crate) fn state(word: &str) -> Markup {
    html! { span class={ "state " (word) } { (words(word)) } }
}

/// Whether a part is well.
pub(crate) fn health(word: &str) -> Markup {
    let as_trust = match word {
        "healthy" | "ready" | "passed" => "trusted",
        "degraded" | "skipped" => "needs_review",
        _ => "blocked",
    };
    html! { span class={ "trust " (as_trust) } { (shape(as_trust)) (words(word)) } }
}
