//! Stored text as it is shown: escaped, apart from what stands around it, with what cannot be seen made visible, and cut
//! where it is long.

use maud::{Markup, html};

/// So many characters are shown before the rest has to be opened.
const AT_ONCE: usize = 700;

/// Characters that change how what follows is read, or that nobody sees.
const fn is_unseen(character: char) -> bool {
    matches!(
        character,
        '\u{0}'..='\u{8}'
            | '\u{b}'..='\u{1f}'
            | '\u{7f}'..='\u{9f}'
            | '\u{ad}'
            | '\u{61c}'
            | '\u{200b}'
            | '\u{200e}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{e0000}'..='\u{e007f}'
    )
}

/// A piece of a text: what can be read, or one character that cannot.
enum Piece {
    Seen(String),
    Unseen(char),
}

fn pieces(text: impl Iterator<Item = char>) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for character in text {
        match pieces.last_mut() {
            _ if is_unseen(character) => pieces.push(Piece::Unseen(character)),
            Some(Piece::Seen(seen)) => seen.push(character),
            _ => pieces.push(Piece::Seen(character.to_string())),
        }
    }
    pieces
}

fn written(text: impl Iterator<Item = char>) -> Markup {
    html! {
        @for piece in pieces(text) {
            @match piece {
                Piece::Seen(seen) => (seen),
                Piece::Unseen(character) => {
                    span.unseen title="A character that cannot be seen" {
                        "U+" (format!("{:04X}", u32::from(character)))
                    }
                }
            }
        }
    }
}

/// A piece of a text as part of a line.
pub(crate) fn inline(text: &str) -> Markup {
    written(text.chars())
}

/// The beginning of a text where no markup can stand, such as in a choice.
pub(crate) fn beginning(text: &str, length: usize) -> String {
    pieces(text.chars().take(length))
        .into_iter()
        .map(|piece| match piece {
            Piece::Seen(seen) => seen,
            Piece::Unseen(character) => format!("U+{:04X}", u32::from(character)),
        })
        .collect()
}

/// A short text, such as a name.
pub(crate) fn short(text: &str) -> Markup {
    html! { bdi { (written(text.chars().take(AT_ONCE))) @if text.chars().nth(AT_ONCE).is_some() { "…" } } }
}

/// A text whole, however long.
pub(crate) fn whole(text: &str) -> Markup {
    html! { p.said dir="auto" { (written(text.chars())) } }
}

/// A text; what is long is opened on demand, without a script.
pub(crate) fn text(text: &str) -> Markup {
    let length = text.chars().count();
    if length <= AT_ONCE {
        return whole(text);
    }
    html! {
        p.said dir="auto" { (written(text.chars().take(AT_ONCE))) "…" }
        details.rest {
            summary { "All " (crate::text::count(length as u64)) " characters" }
            // It scrolls by itself, so whoever has no mouse has to get there.
            p.said dir="auto" tabindex="0" { (written(text.chars())) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stored_is_text_and_nothing_else() {
        let shown = text("<script>alert(1)</script> & \"quoted\"").into_string();
        assert!(!shown.contains("<script"), "{shown}");
        assert!(shown.contains("&lt;script&gt;"), "{shown}");
    }

    #[test]
    fn what_turns_the_order_of_reading_is_seen() {
        let shown = text("pay \u{202e}lufkaew\u{200b} now").into_string();
        assert!(
            shown.contains("U+202E") && shown.contains("U+200B"),
            "{shown}"
        );
        assert!(!shown.contains('\u{202e}'), "{shown}");
    }

    #[test]
    fn a_long_text_is_cut_and_all_there() {
        let long = "é".repeat(50_000);
        let shown = text(&long).into_string();
        assert!(shown.contains("<details") && shown.matches('é').count() == 50_000 + AT_ONCE);
    }
}
