//! What leads to a value over the end of a question, or from one value to the next one.

use super::line::{BLANKS, Tokens, core};
use super::stated::Mention;
use super::stated_words::{ANSWERS, FROM, IS, OPENS, SETS, TO};

/// Longer than anything that an answer begins with, in letters.
const LONGEST_ANSWER: usize = 24;

/// What answers the question that ends here: "… my password? It is …".
pub(super) fn behind_question(text: &str) -> Option<&str> {
    let behind = text.strip_prefix('?')?.trim_start_matches(BLANKS);
    let behind = behind.strip_prefix('\n').unwrap_or(behind);
    let start: String = behind.chars().take(LONGEST_ANSWER).collect();
    let lower = start.to_lowercase();
    let answer = ANSWERS.iter().find(|answer| lower.starts_with(**answer))?;
    let answer = behind.get(answer.len()..)?;
    answer
        .starts_with(BLANKS)
        .then(|| answer.trim_start_matches(BLANKS))
}

/// "The key from … to …": whether a value is the one before another.
pub(super) fn was(gap: &str, behind: Option<&str>) -> bool {
    let behind = behind.and_then(|behind| behind.strip_prefix(' '));
    let goes_on = |behind: &str| {
        let mut rest = TO.iter().filter_map(|to| behind.strip_prefix(*to));
        rest.any(|rest| rest.starts_with(' '))
    };
    FROM.contains(&gap.trim()) && behind.is_some_and(goes_on)
}

/// What "it" may be called in the clause behind the one that says that something was set.
#[rustfmt::skip]
const IT: &[&str] = &[
    "it", "that", "the", "new", "one", "es", "das", "er", "sie", "der", "die", "neue", "neuer", "il", "elle", "le", "la", "nouveau", "nouvelle",
    "el", "nueva", "nuevo", "a", "o", "nova", "novo", "nuova", "nuovo", "de", "het", "nieuwe",
];
/// What may stand beside it.
#[rustfmt::skip]
const NOW: &[&str] = &[
    "and", "so", "now", "und", "jetzt", "nun", "et", "maintenant", "désormais", "y", "ahora", "e", "agora", "adesso", "ora", "en", "nu", "from",
];
/// So far behind the noun the value of a new clause begins, in bytes.
const REACH: usize = 80;

/// "They changed the code of the shed, it is now …": where the value begins that the next clause says.
pub(super) fn behind_change(noun: &Mention<'_>) -> Option<usize> {
    let mut words = Tokens::of(noun.text, noun.range.end, REACH);
    let mut set = noun.follows_change();
    let (mut apart, mut first) = (false, true);
    while !apart {
        let word = words.next()?;
        let plain = core(word.text);
        let sets = SETS.contains(&plain.as_str());
        // "The password policy": what a longer name names was changed.
        let goes_on = sets || plain.is_empty() || OPENS.contains(&plain.as_str());
        if first && !goes_on {
            return None;
        }
        (set, first) = (set || sets, false);
        apart = word.text.ends_with([',', ';', '.', ':', '–', '—']);
    }
    let mut linked = false;
    words
        .take_while(|_| set)
        .find_map(|word| {
            let plain = core(word.text);
            let (of_it, is) = plain.split_once(['\'', '’']).unwrap_or((&plain, ""));
            let says = IS.contains(&plain.as_str()) || is == "s" && IT.contains(&of_it);
            linked |= says;
            let leads =
                says || NOW.contains(&plain.as_str()) || !linked && IT.contains(&plain.as_str());
            (!leads).then_some((linked, word.start))
        })
        .filter(|(linked, _)| *linked)
        .map(|(_, at)| at)
}
