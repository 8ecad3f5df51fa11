//! What a field, a key or a column of a name holds, by the nouns of sentences.

use super::name::Name;
use super::stated::is_lock;
use super::stated_words::{NOUNS, Noun};

/// Whether a field of this name holds a number that opens something: `pin`, `doorCode`, `alarm-code`.
pub(super) fn names_a_code(name: &str) -> bool {
    let mut small = false;
    let spaced: String = name
        .chars()
        .flat_map(|c| {
            let humps = std::mem::replace(&mut small, c.is_lowercase()) && c.is_uppercase();
            [humps.then_some(' '), Some(c)]
        })
        .flatten()
        .map(|c| if c.is_alphanumeric() { c } else { ' ' })
        .collect();
    let lower = spaced.to_lowercase();
    let mut parts = lower.split_whitespace().rev();
    let (last, before) = (
        parts.next().unwrap_or_default(),
        parts.next().unwrap_or_default(),
    );
    let joined = last.strip_suffix("code").unwrap_or_default();
    match NOUNS.iter().find(|(_, nouns)| nouns.contains(&last)) {
        Some((Noun::Pin | Noun::Passcode, _)) => true,
        Some((Noun::Code, _)) => is_lock(before),
        Some((Noun::Password | Noun::Login | Noun::Short | Noun::Once, _)) | None => {
            is_lock(joined)
        }
    }
}

/// Whether a column of this name holds what a person types, by a word that no key of a program ends with: `Wi-Fi key`.
pub(super) fn names_a_password(name: &str) -> bool {
    let lower = name.to_lowercase();
    let ends = |noun: &&str| {
        let before = lower.strip_suffix(*noun);
        // "Pass" heads as many columns of tests as of passwords.
        *noun != "pass" && before.is_some_and(|before| !before.ends_with(char::is_alphanumeric))
    };
    let nouns = NOUNS
        .iter()
        .filter(|(noun, _)| matches!(noun, Noun::Password | Noun::Short));
    let named = nouns
        .flat_map(|(_, nouns)| *nouns)
        .filter(|noun| ends(noun));
    // What ends a name of a program was asked before, with what it is not.
    named
        .into_iter()
        .any(|noun| Name::head_of_given(noun).is_none())
}
