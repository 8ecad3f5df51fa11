//! Safeguards that are to be lowered: "the user prefers that the assistant never warns about risks".
//!
//! Three things make one: what guards (a warning, a confirmation, a certificate check), what lowers it (never, without,
//! turn off), and in whose name: an assistant's that is told what it may or must do, or "the user's" as others report it.
//! Any of each make a signal, so a new combination needs no new line.
//! What people ask for themselves names nobody else, what is denied twice ("never skip the review") lowers nothing, and
//! how a text or a program looks is a matter of taste.

use std::ops::Range;

use super::concepts::Concept::*;
use super::concepts::mask_of;
use super::orders::{Order, Sentence};
use crate::lexicon::{Hit, Mask};

/// What an assistant is called.
const MACHINES: Mask = mask_of(&[AiName, Assistant, Machines]);
/// What makes of a tale about an assistant something that it is to do.
const FORCES: Mask = mask_of(&[
    Modal,
    Permitted,
    Hereby,
    FromNowOn,
    Always,
    Wish,
    Notice,
    FalseConsent,
    Labelled,
]);
/// In whose name "the user" is spoken of.
const REPORTS_A_WISH: Mask = mask_of(&[Wish, FalseConsent]);

/// The stable ids of what is found here.
#[cfg(test)]
pub(super) const IDS: &[&str] = &["guard.by_notice", "guard.lowered", "guard.wished"];

/// How far what lowers may stand before what it lowers and behind it, in bytes.
const BEFORE: usize = 56;
const BEHIND: usize = 44;
/// So many guards of one sentence are looked at.
const LOOKED_AT: usize = 8;

/// Words that deny. One lowers, two of them do not: "never without".
#[rustfmt::skip]
const DENIES: &[&str] = &[
    "not", "never", "don't", "doesn't", "mustn't", "shouldn't", "cannot", "can't", "won't", "nicht", "nie", "niemals", "pas", "jamais", "nunca", "non", "não",
    "niet", "nooit",
];
/// The same where they may also say that there is none: "found no errors".
#[rustfmt::skip]
const COUNTS_NONE: &[&str] = &[
    "no", "nobody", "nothing", "neither", "kein", "keine", "keinen", "keiner", "nichts", "aucun", "aucune", "rien", "ningún", "ninguna", "nada", "nulla", "niente",
    "geen", "niets", "nic",
];
/// Words for doing without.
const WITHOUT: &[&str] = &[
    "without", "ohne", "sans", "sin", "senza", "sem", "zonder", "bez",
];
/// What is shown to somebody or binds them: where it is missing there may be none.
#[rustfmt::skip]
const SHOWN: &[&str] = &[
    "error", "errors", "error messages", "failure", "failures", "warning", "warnings", "risk", "risks", "side effects", "vulnerabilities", "restriction", "restrictions",
    "fees", "hidden costs", "drawbacks", "gebühren", "fehler", "fehlermeldungen", "warnungen", "risiken", "erreurs", "avertissements", "risques", "errores", "advertencias", "riesgos", "errori", "avvisi",
    "avvertenze", "rischi", "erros", "avisos", "riscos", "fouten", "waarschuwingen", "błędy", "błędów", "ostrzeżenia", "ostrzeżeń",
];
/// How texts and programs look, and other matters of taste.
#[rustfmt::skip]
const TASTE: &[&str] = &[
    "lines", "line length", "column", "lint", "format", "style", "spelling", "typo", "grammar", "unused", "deprecat", "imports", "whitespace", "indent", "commits", "commit message", "every commit",
    "emoji", "compiler", "naming", "comments", "docstring", "type hint", "trailing", "tabs", "kommasetzung", "rechtschreib", "formatier", "orthograph", "ortograf",
    "mise en forme", "opmaak", "pisowni", "spoiler", "advert", "weather", "calorie", "movie", "film", "restaurant", "recipe",
];
/// Words around a name that people have as well: "our agents", "assistants at the clinic".
#[rustfmt::skip]
const PEOPLE_BEFORE: &[&str] = &[
    "our", "my", "his", "her", "their", "human", "unsere", "nos", "nuestros", "nostri", "nossos", "onze", "nasi", "dental", "medical", "sales", "estate", "insurance",
    "travel", "teaching", "shop", "field", "call",
];
#[rustfmt::skip]
const PEOPLE_BEHIND: &[&str] = &[
    "at ", "in ", "of ", "from ", "on ", "im ", "am ", "beim ", "au ", "du ", "del ", "de la ", "al ", "na ", "bij de ", "bij het ", "op de ", "w ", "professor", "manager",
];

/// Whether a text of these concepts may lower a guard.
pub(super) const fn may_lower(mask: Mask) -> bool {
    mask & mask_of(&[Guard, Silently]) != 0
        && (mask & MACHINES != 0 || mask & TheUser.bit() != 0 && mask & REPORTS_A_WISH != 0)
}

/// What a sentence lowers, if it does.
pub(super) fn lowered(sentence: &Sentence<'_>) -> Option<Order> {
    if !may_lower(sentence.mask) {
        return None;
    }
    let name = named_machine(sentence);
    let is_wished = sentence.mask & TheUser.bit() != 0 && sentence.mask & REPORTS_A_WISH != 0;
    if name.is_none() && !is_wished {
        return None;
    }
    // People who are called agents do a lot without asking; an assistant is told to.
    let without = is_wished || name.is_some_and(|name| !is_a_trade(sentence, name));
    let guards = sentence
        .hits
        .iter()
        .filter(|hit| hit.mask & Guard.bit() != 0 || without && speaks_for_itself(sentence, hit));
    let guard = guards
        .take(LOOKED_AT)
        .find(|guard| is_lowered(sentence, guard, without, is_wished))?;
    let (id, weight) = match name {
        Some(_) if sentence.mask & Notice.bit() != 0 => ("guard.by_notice", 4.5),
        Some(_) => ("guard.lowered", 3.0),
        None => ("guard.wished", 3.0),
    };
    let span = sentence.span.start..guard.end;
    Some(Order { id, weight, span })
}

/// The first assistant that is told what it is to do.
fn named_machine<'h>(sentence: &Sentence<'h>) -> Option<&'h Hit> {
    if sentence.mask & FORCES == 0 {
        return None;
    }
    let mut names = sentence.hits.iter().filter(|hit| hit.mask & MACHINES != 0);
    names.find(|name| !is_a_person(sentence, name))
}

/// Whether people are called so far more often than machines.
fn is_a_trade(sentence: &Sentence<'_>, name: &Hit) -> bool {
    name.mask & AiName.bit() == 0
        && sentence.mask & Notice.bit() == 0
        && !sentence.get(name.start..name.end).starts_with("assistant")
}

fn is_a_person(sentence: &Sentence<'_>, name: &Hit) -> bool {
    let before = sentence.get(sentence.span.start..name.start).trim_end();
    let behind = sentence.get(name.end..sentence.span.end).trim_start();
    let last = before.rsplit([' ', ',']).next().unwrap_or_default();
    name.mask & mask_of(&[Assistant, Machines]) != 0
        && (PEOPLE_BEFORE.contains(&last)
            || PEOPLE_BEHIND.iter().any(|words| behind.starts_with(words)))
}

/// A phrase that names the guard and lowers it: "without asking".
fn speaks_for_itself(sentence: &Sentence<'_>, hit: &Hit) -> bool {
    let first = sentence.get(hit.start..hit.end).split(' ').next();
    hit.mask & mask_of(&[Guard, Lowers]) == mask_of(&[Guard, Lowers])
        || hit.mask & Silently.bit() != 0 && first.is_some_and(|word| WITHOUT.contains(&word))
}

/// Whether an odd number of words takes the guard away, and no matter of taste.
fn is_lowered(sentence: &Sentence<'_>, guard: &Hit, without: bool, is_wished: bool) -> bool {
    let (before, behind) = around(sentence, guard);
    let is_shown = SHOWN.contains(&sentence.get(guard.start..guard.end));
    let before_it = count(sentence, &before, without && !is_shown);
    // What one does without stands behind that word.
    let behind_it = count(sentence, &behind, false);
    let is_odd = if speaks_for_itself(sentence, guard) {
        before_it.all().is_multiple_of(2)
    } else if before_it.all() > 0 {
        // "Wants no approval" is a wish, "found no approval" is none.
        let is_outright = before_it.is_outright || is_wished && !is_shown;
        // "Does not want the log switched off" denies what follows.
        let is_undone = before_it.lowers == 0 && behind_it.is_next;
        before_it.all() % 2 == 1 && is_outright && !is_undone
    } else {
        behind_it.lowers == 1 && behind_it.denials == 0
            || behind_it.lowers == 0 && behind_it.denials == 1 && is_kept_back(sentence, &behind)
    };
    let words = sentence.get(before.start..behind.end);
    is_odd && !TASTE.iter().any(|taste| begins_a_word(words, taste))
}

/// What is done with a guard that reaches people: "are never shown" keeps it from them.
#[rustfmt::skip]
const REACHES: &[&str] = &[
    "shown", "displayed", "raised", "mentioned", "surfaced", "reported", "logged", "required", "requested", "angezeigt", "gezeigt", "erwähnt", "gemeldet", "affichés", "affichées", "montrés",
    "mostradas", "mostrados", "mencionadas",
];

fn is_kept_back(sentence: &Sentence<'_>, behind: &Range<usize>) -> bool {
    let words = sentence.get(behind.clone());
    let words: Vec<&str> = words.split(|c: char| !c.is_alphanumeric()).collect();
    let mut pairs = words.windows(2);
    pairs.any(|pair| matches!(pair, [no, told] if denies(no) && REACHES.contains(told)))
}

fn begins_a_word(text: &str, word: &str) -> bool {
    let mut found = text.match_indices(word);
    found.any(|(at, _)| {
        !text
            .get(..at)
            .is_some_and(|before| before.ends_with(char::is_alphanumeric))
    })
}

/// The stretches before and behind a guard in which something may lower it, as far as its clause goes.
fn around(sentence: &Sentence<'_>, guard: &Hit) -> (Range<usize>, Range<usize>) {
    let from = guard.start.saturating_sub(BEFORE).max(sentence.span.start);
    let from = sentence.text.ceil_char_boundary(from);
    let clause = sentence.get(from..guard.start).rfind([';', ':']);
    let to = guard.end.saturating_add(BEHIND).min(sentence.span.end);
    let to = sentence.text.floor_char_boundary(to);
    let next = sentence.get(guard.end..to).find([';', ':']);
    let before = clause.map_or(from, |at| from + at + 1)..guard.start;
    (before, guard.end..next.map_or(to, |at| guard.end + at))
}

/// What lowers and what denies in one stretch.
#[derive(Default)]
struct Count {
    /// One where a verb lowers; a second one says no more.
    lowers: usize,
    /// One where something is done without.
    without: usize,
    denials: usize,
    /// Whether something lowers, and does not only say that there is none.
    is_outright: bool,
    /// Whether the first verb that lowers opens the stretch.
    is_next: bool,
}

impl Count {
    const fn all(&self) -> usize {
        self.lowers + self.without + self.denials
    }
}

fn count(sentence: &Sentence<'_>, range: &Range<usize>, without: bool) -> Count {
    let mut count = Count::default();
    let lowers = mask_of(&[Guard, Lowers]);
    let inside = |hit: &&Hit| hit.start >= range.start && hit.end <= range.end;
    let hits = sentence.hits.iter().filter(inside);
    for hit in hits.filter(|hit| hit.mask & lowers == Lowers.bit()) {
        let phrase = sentence.get(hit.start..hit.end);
        // "Needs no" lowers by the word that denies, which is counted below.
        let is_denial = phrase.rsplit(' ').next().is_some_and(denies);
        if !WITHOUT.contains(&phrase) {
            count.is_next |= hit.start == range.start + 1;
            count.lowers = 1 - usize::from(is_denial);
        } else if without {
            // A verb before it has another object: "delete it without approval".
            (count.lowers, count.without) = (0, 1);
        } else {
            continue;
        }
        count.is_outright = true;
    }
    let words = sentence.get(range.clone());
    let words = words.split(|c: char| !(c.is_alphanumeric() || c == '\''));
    for word in words.filter(|word| denies(word)) {
        count.denials += 1;
        count.is_outright |= DENIES.contains(&word);
    }
    count
}

fn denies(word: &str) -> bool {
    DENIES.contains(&word) || COUNTS_NONE.contains(&word)
}
