//! Whether a statement tells how things were: "the rent was 820 euros back in 2019", "Pavel drove a Lada before".
//!
//! What was stands against nothing that is. So a word that says when it was has to meet a verb of a state that was; what
//! happened then may hold until now: "the code was changed last week".

use super::same::is_participle;
use super::split::split;
use super::worded::{TABLES, Worded, before, raw};
use crate::lexicon::WordMap;
use std::sync::LazyLock;

/// How it is told that something was once so, and no more.
#[rustfmt::skip]
const ONCE: &[&str] = &[
    "previously", "formerly", "originally", "initially", "ago", "before that", "before then", "back in", "back then", "back when", "at first", "in the past", "in the beginning", "in those days", "at that time", "until recently", "until last", "till last", "last year", "last month", "last week", "last season", "last term", "last quarter", "last summer", "last winter", "last spring", "last autumn", "the year before", "as a child", "as a kid", "as a boy", "as a girl", "as a teenager", "as a student", "in the fifties", "in the sixties", "in the seventies", "in the eighties", "in the nineties", "in his twenties", "in her twenties", "in my twenties", "in their twenties", "was young", "were young", "was little", "were little",
    "früher", "damals", "ursprünglich", "anfangs", "zuvor", "letztes jahr", "voriges jahr", "letzten monat", "letzte woche", "bis letztes jahr",
    "autrefois", "jadis", "avant", "à l'origine", "au début", "à l'époque", "l'année dernière", "l'an dernier", "le mois dernier", "la semaine dernière",
    "antes", "antiguamente", "originalmente", "al principio", "en aquella época", "el año pasado", "el mes pasado", "la semana pasada",
    "prima", "un tempo", "all'inizio", "originariamente", "l'anno scorso", "il mese scorso", "la settimana scorsa",
    "vroeger", "destijds", "oorspronkelijk", "vorig jaar", "vorige week", "kiedyś", "раньше",
];

/// States and habits, in the past.
const STATES: &str = "had lived worked drove taught drank woke wore cost played ate slept studied owned earned spoke liked loved preferred belonged stood hung weighed measured kept used needed hosted ran hatte hatten wohnte arbeitete kostete hieß fuhr avait avaient habitait travaillait coûtait tenía tenían vivía trabajaba costaba aveva avevano viveva lavorava costava";

struct Lists {
    /// The phrases of [`ONCE`] by their first word.
    once: WordMap<String, Vec<Vec<String>>>,
    states: Vec<&'static str>,
}

static LISTS: LazyLock<Lists> = LazyLock::new(|| {
    let mut once: WordMap<String, Vec<Vec<String>>> = WordMap::default();
    for words in ONCE.iter().map(|phrase| split(phrase)) {
        if let Some(first) = words.first().cloned() {
            once.entry(first).or_default().push(words);
        }
    }
    Lists {
        once,
        states: STATES.split(' ').collect(),
    }
});

/// Whether a statement tells how things were at a time that is over.
pub(super) fn tells_of_the_past(said: &Worded) -> bool {
    let names_a_year = || said.raw.iter().any(|word| is_year(word));
    (names_a_year() || says_once(said)) && tells_a_past_state(said)
}

/// A year of this century or the one before.
pub(super) fn is_year(word: &str) -> bool {
    word.len() == 4
        && (word.starts_with("19") || word.starts_with("20"))
        && word.parse::<u16>().is_ok()
}

fn says_once(said: &Worded) -> bool {
    // "Drove a Lada before": in front of something else it says which comes first.
    let at_the_end = || said.raw.last().is_some_and(|word| word == "before");
    at_the_end()
        || (0..said.raw.len()).any(|at| {
            let phrases = LISTS.once.get(raw(said, at));
            let begins =
                |words: &Vec<String>| said.raw.get(at..at + words.len()) == Some(words.as_slice());
            // "Since last year" is still so.
            let since = matches!(
                before(said, at),
                "since" | "seit" | "depuis" | "desde" | "dal" | "dall" | "sinds"
            );
            !since && phrases.is_some_and(|phrases| phrases.iter().any(begins))
        })
}

/// Whether it says by a verb that something was so: "was in Rome", "lived there", and not "was moved", "has lived".
fn tells_a_past_state(said: &Worded) -> bool {
    (0..said.raw.len()).any(|at| {
        let helped = matches!(
            before(said, at),
            "has"
                | "have"
                | "had"
                | "is"
                | "are"
                | "be"
                | "been"
                | "the"
                | "a"
                | "'ve"
                | "hat"
                | "habe"
        );
        let was = TABLES.was.contains(raw(said, at)) && !is_participle(raw(said, at + 1));
        was || LISTS.states.contains(&raw(said, at)) && !helped
    })
}

/// Whether it has a verb of the past, of a state or not.
pub(super) fn is_told_in_the_past(said: &Worded) -> bool {
    said.has_any(&TABLES.was)
        || said
            .raw
            .iter()
            .any(|word| LISTS.states.contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_is_told_from_what_happened_and_from_what_is_still_so() {
        for (text, was) in [
            ("The rent was 820 euros in 2019.", true),
            ("Originally the code was 5520.", true),
            ("Pavel drove a Lada before.", true),
            ("Until last week the librarian was Mr Falk.", true),
            ("Früher war mein Passwort Apfel.", true),
            ("The code was changed last week.", false),
            ("The code has been 5520 since last year.", false),
            ("The code was 5520.", false),
            ("Rita is originally from Cork.", false),
            ("Pills are taken before meals.", false),
            ("The office moved to Sopot last month.", false),
        ] {
            assert_eq!(tells_of_the_past(&Worded::read(text)), was, "{text}");
        }
    }
}
