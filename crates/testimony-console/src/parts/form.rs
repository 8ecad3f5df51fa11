//! Forms: each shows the token of its session, and goes by itself without a script.

use maud::{Markup, html};

use crate::serve::Room;
use crate::text::words;

/// The token of the session, in every form that does something.
pub(crate) fn token(room: &Room<'_>) -> Markup {
    let token = room.person().map(|person| person.page_token.as_str());
    html! { input type="hidden" name="csrf" value=(token.unwrap_or_default()); }
}

/// Something that a form carries unseen.
pub(crate) fn hidden(name: &str, value: &str) -> Markup {
    html! { @if !value.is_empty() { input type="hidden" name=(name) value=(value); } }
}

/// A choice from words; the first stands for none.
pub(crate) fn choice(
    label: &str,
    name: &str,
    none: Option<&str>,
    all: &[&str],
    chosen: &str,
) -> Markup {
    html! {
        label.field {
            span { (label) }
            select name=(name) {
                @if let Some(none) = none { option value="" { (none) } }
                @for word in all {
                    option value=(word) selected[*word == chosen] { (words(word)) }
                }
            }
        }
    }
}

/// A line of text.
pub(crate) fn line(label: &str, name: &str, value: &str, hint: &str) -> Markup {
    html! {
        label.field {
            span { (label) }
            input type="text" name=(name) value=(value) placeholder=(hint) autocomplete="off" spellcheck="false";
        }
    }
}

/// A password. Browsers are told whether it is the one that holds or a new one.
pub(crate) fn password(label: &str, name: &str, is_new: bool) -> Markup {
    let kind = if is_new {
        "new-password"
    } else {
        "current-password"
    };
    let least = is_new.then_some("12");
    html! {
        label.field {
            span { (label) }
            input type="password" name=(name) required autocomplete=(kind) minlength=[least] maxlength="256";
        }
    }
}

/// A value that can be copied; without a script it is marked and copied by hand.
pub(crate) fn to_copy(value: &str, what: &str) -> Markup {
    html! {
        div.copy {
            pre tabindex="0" aria-label=(what) { code { (value) } }
            button.quiet type="button" hidden data-copy aria-label={ "Copy " (what) } { "Copy" }
        }
    }
}

/// A form of one button, for what needs no more to be said.
pub(crate) fn button(room: &Room<'_>, action: &str, fields: &[(&str, &str)], text: &str) -> Markup {
    html! {
        form.inline method="post" action=(action) {
            (token(room))
            @for (name, value) in fields { (hidden(name, value)) }
            button.quiet type="submit" { (text) }
        }
    }
}
