//! Two statements compared by their wording alone, in any language: the same frame with one other answer in it.
//!
//! It is the second line of judgement, for pairs over which no slot is shared.

use super::Cue;
use super::nature::{
    are_events, are_marks, are_of_different_names, are_of_somebody, is_of_a_belonging,
    is_of_a_home, is_single_of_somebody, may_have_changed, says_what_it_is, share_beyond_subject,
};
use super::past;
use super::worded::{TABLES, Worded, plain_hour, raw, stem};
use super::wording_tables::{NAMING, Says};
use crate::claims::plain_amount;

/// An answer is at most so many words long, and twice as many characters where a script has no spaces.
const LONGEST_ANSWER: usize = 5;

/// What the wording of a pair says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wording {
    /// The same is said.
    Same,
    /// The same question is answered otherwise; the cue that says that it changed, if any.
    Otherwise(Option<Cue>),
    /// Another of those answers of which a thing has one.
    Exclusive,
    /// One of several answers that may all hold: what something is.
    Another,
    /// One denies what the other states.
    Denied,
    /// Both can hold, for this cue.
    Both(Cue),
}

/// Whether two statements speak of opposite events, of which each has its own time.
pub(super) fn opposite_events(new: &Worded, known: &Worded) -> bool {
    new.events.iter().any(|(pair, first)| {
        known.events.contains(&(*pair, !first)) && !new.events.contains(&(*pair, !first))
    })
}

/// Whether one speaks of how things were and the other of how they are.
pub(super) fn only_one_is_history(new: &Worded, known: &Worded) -> bool {
    let other = if new.is_history { known } else { new };
    new.is_history != known.is_history
        && new.change().is_none()
        && !past::is_told_in_the_past(other)
}

/// What the wording of `new` says beside that of `known`; `None` where they have too little in common.
pub(super) fn compare(new: &Worded, known: &Worded) -> Option<Wording> {
    if new.too_long || known.too_long || new.words.is_empty() || known.words.is_empty() {
        return None;
    }
    if opposite_events(new, known) {
        return Some(Wording::Both(Cue::OtherAttribute));
    }
    let only_new = without(new, known);
    let only_known = without(known, new);
    if new.says(Says::Briefly) != known.says(Says::Briefly) {
        return Some(Wording::Both(Cue::Temporary));
    }
    let denied = new.denies() != known.denies();
    let ended = denied && new.says(Says::Ended);
    let shared = new.words.len() - only_new.len();
    if only_new.is_empty() && only_known.is_empty() {
        return agree(new, denied, ended);
    }
    if !denied && opposite_outcomes(new, known, &only_new, &only_known) {
        return Some(if new.change().is_some() {
            Wording::Otherwise(new.change())
        } else {
            Wording::Exclusive
        });
    }
    let subjects_agree = subjects_agree(new, known, &only_new, &only_known);
    // "I quit smoking" ends the ten a day as well.
    let countless: Vec<usize> = only_known
        .iter()
        .copied()
        .filter(|at| !is_number(known, *at))
        .collect();
    let ends_it = ended && self::subjects_agree(new, known, &only_new, &countless);
    if only_new.is_empty() && (ends_it || subjects_agree && denied) {
        return Some(if ended {
            Wording::Otherwise(Some(Cue::Ended))
        } else {
            Wording::Denied
        });
    }
    let characters = only_new.iter().all(|at| {
        new.words
            .get(*at)
            .is_some_and(|word| word.number && !word.stem.is_ascii())
    });
    if only_known.is_empty() && characters && new.change().is_none() && !denied {
        // "九点" and "九点半".
        return Some(Wording::Otherwise(None));
    }
    if only_known.is_empty() && !denied && !ended && new.change().is_none() {
        let linked = shared == known.words.len() && are_linked(new, &only_new);
        return linked.then_some(Wording::Same);
    }
    if !subjects_agree || only_known.len() > longest(known) || only_new.is_empty() {
        return None;
    }
    if known.denies() && !new.denies() {
        return None;
    }
    if new.change().is_some() {
        return changed(new, known, &only_new, &only_known);
    }
    if denied || ended {
        return None;
    }
    one_other_answer(new, known, &only_new, &only_known)
}

/// Verbs that add nothing to "as": "we use a wiki as our archive".
const USING: &[&str] = &[
    "use",
    "uses",
    "have",
    "has",
    "nutzen",
    "verwenden",
    "utilisons",
    "usamos",
];

/// Whether what only one says is a reason, a source or a repetition: it stands behind the word that joins it, or in front
/// of "that". Another verb in it says something else: "resigned as".
fn are_linked(said: &Worded, only: &[usize]) -> bool {
    let place = |at: &usize| said.words.get(*at).map_or(0, |word| word.place);
    let is_link = |place: usize| {
        let word = said.raw.get(place).map(String::as_str);
        word.is_some_and(|word| TABLES.links.contains(word))
    };
    let Some(first) = (0..said.raw.len()).find(|place| is_link(*place)) else {
        return false;
    };
    let that = said.raw.iter().position(|word| {
        matches!(
            word.as_str(),
            "that" | "dass" | "que" | "che" | "dat" | "att" | "że" | "что"
        )
    });
    only.iter().all(|at| {
        let place = place(at);
        let used = said
            .raw
            .get(place)
            .is_some_and(|word| USING.contains(&word.as_str()));
        is_link(place) || used || place > first || that.is_some_and(|that| place < that)
    })
}

/// Whether another one of those is in use now of which one is in use at a time: "I now drive a Volvo".
pub(super) fn takes_the_place(new: &Worded, known: &Worded) -> bool {
    let verbs = one_at_a_time(new);
    let told = new.says(Says::Now) && !new.adds() && !replaces_another(new, known);
    told && !verbs.is_empty() && verbs == one_at_a_time(known)
}

/// "Instead of the Skoda", where no Skoda is known: it takes the place of something else.
fn replaces_another(new: &Worded, known: &Worded) -> bool {
    const INSTEAD: &[&str] = &["instead", "rather", "statt", "anstatt", "anstelle", "lieu"];
    const LINKS: &[&str] = &["of", "than", "de", "von", "des"];
    let Some(at) = new
        .raw
        .iter()
        .position(|word| INSTEAD.contains(&word.as_str()))
    else {
        return false;
    };
    let mut behind =
        new.raw.iter().skip(at + 1).filter(|word| {
            !LINKS.contains(&word.as_str()) && !TABLES.dropped.contains(word.as_str())
        });
    behind.next().is_some_and(|word| !known.raw.contains(word))
}

/// "The doctor raised my ramipril to 10 mg": whether another amount of the same is told, in the same unit.
pub(super) fn sets_the_amount(new: &Worded, known: &Worded) -> bool {
    if !new.says(Says::Amount) || new.denies() {
        return false;
    }
    let amount = |said: &'_ Worded| -> Option<(String, String, usize)> {
        let mut numbers = said.words.iter().filter(|word| word.number);
        let number = numbers.next().filter(|_| numbers.next().is_none())?;
        let unit = said.raw.get(number.place + 1)?;
        let is_unit =
            unit.chars().all(char::is_alphabetic) && !TABLES.placing.contains(unit.as_str());
        is_unit.then(|| (number.stem.clone(), unit.clone(), number.place))
    };
    let (Some((one, unit, at)), Some((other, known_unit, place))) = (amount(new), amount(known))
    else {
        return false;
    };
    let beside = |word: &&super::worded::Word| {
        !word.number && word.place < at && word.capital == (word.place == 0)
    };
    let named = new.words.iter().filter(beside).any(|word| {
        let mut same = known.words.iter().filter(|other| other.stem == word.stem);
        same.any(|other| !other.verb && other.place + 2 >= place && other.place < place)
    });
    unit == known_unit && one != other && named
}

/// The verbs of what is in use one at a time, where something is named: "drives a Volvo", and not "drives to work".
fn one_at_a_time(said: &Worded) -> Vec<&str> {
    let has_object = |place: usize| {
        said.raw.get(place + 1).is_some_and(|next| {
            !TABLES.placing.contains(next.as_str()) || TABLES.dropped.contains(next.as_str())
        })
    };
    let words = said.words.iter().filter(|word| {
        let raw = raw(said, word.place);
        TABLES.replacing.contains(raw) && has_object(word.place)
    });
    words.map(|word| word.stem.as_str()).collect()
}

fn longest(said: &Worded) -> usize {
    if said.words.iter().any(|word| word.character) {
        LONGEST_ANSWER * 2
    } else {
        LONGEST_ANSWER
    }
}

fn agree(new: &Worded, denied: bool, ended: bool) -> Option<Wording> {
    if ended {
        return Some(Wording::Otherwise(Some(Cue::Ended)));
    }
    if denied {
        return Some(Wording::Denied);
    }
    (new.words.len() > 1).then_some(Wording::Same)
}

/// Whether both name the one who holds the same role, and not the same one: "Ana is the treasurer of the club" and "the
/// treasurer of the club is Ben".
pub(super) fn same_role(new: &Worded, known: &Worded) -> bool {
    match (role(new), role(known)) {
        (Some(one), Some(other)) => one.what == other.what && one.who != other.who,
        _ => false,
    }
}

struct Role<'w> {
    who: &'w [String],
    what: &'w [String],
}

const COPULAS: &[&str] = &["is", "ist", "est", "es", "è", "é"];

#[rustfmt::skip]
const DEFINITE: &[&str] = &["the", "der", "die", "le", "la", "el", "il", "o", "a", "our", "unser", "unsere"];

/// Who holds which role, where a statement says no more than that.
fn role(said: &Worded) -> Option<Role<'_>> {
    let is = |list: &[&str], word: &String| list.contains(&word.as_str());
    let at = said.raw.iter().position(|word| is(COPULAS, word))?;
    let (before, behind) = (said.raw.get(..at)?, said.raw.get(at + 1..)?);
    let names = |words: &[String], from: usize| {
        let capital = (from..from + words.len()).all(|place| said.capitals.contains(&place));
        (1..=3).contains(&words.len())
            && capital
            && !words.iter().any(|word| TABLES.dropped.contains(word))
    };
    let defined = |words: &'_ [String]| {
        words
            .split_first()
            .is_some_and(|(the, what)| is(DEFINITE, the) && !what.is_empty())
    };
    if names(before, 0) && defined(behind) {
        return Some(Role {
            who: before,
            what: behind.get(1..)?,
        });
    }
    let turned = defined(before) && names(behind, at + 1);
    turned.then_some(Role {
        who: behind,
        what: before.get(1..)?,
    })
}

/// Whether the statement sets its own answer against the known one: "it is Bruna, not Bruno".
pub(super) fn takes_back(new: &Worded, known: &Worded) -> bool {
    let denied = |at: &usize| new.raw.get(*at).is_some_and(|word| is_plain_denial(word));
    let Some(at) = new.paused.iter().copied().find(denied) else {
        return false;
    };
    let carries = |word: &&String| {
        !TABLES.dropped.contains(word.as_str()) && !TABLES.placing.contains(word.as_str())
    };
    let taken_back = new.raw.iter().skip(at + 1).find(carries);
    let is_known = |word: &&String| known.raw.contains(word);
    let has_another = new.raw.iter().take(at).any(|word| !is_known(&word));
    taken_back.as_ref().is_some_and(is_known) && has_another && new.raw.len() - at <= LONGEST_ANSWER
}

/// What leads from what is denied to what holds; the second behind a pause: "the code isn't 4711, it's 4712".
const BUT: &[&str] = &[
    "but", "sondern", "mais", "sino", "ma", "mas", "maar", "utan", "lecz", "а",
];
const ANEW: &[&str] = &["it's", "it", "they're", "they", "rather"];

/// "Not Monday but Wednesday is the kickoff": the known answer, and the one that holds.
pub(super) fn says_not_but(new: &Worded, known: &Worded) -> bool {
    let carries = |word: &&String| {
        !TABLES.dropped.contains(word.as_str())
            && !TABLES.placing.contains(word.as_str())
            && !ANEW.contains(&word.as_str())
    };
    let Some(not) = new.raw.iter().position(|word| is_plain_denial(word)) else {
        return false;
    };
    let words = new.raw.iter().enumerate();
    let ahead = words.skip(not + 1).take(LONGEST_ANSWER);
    let starts_anew = |at: usize, word: &str| new.paused.contains(&at) && ANEW.contains(&word);
    let goes_on = |(at, word): &(usize, &String)| {
        BUT.contains(&word.as_str()) || starts_anew(*at, word.as_str())
    };
    let Some((but, _)) = ahead.clone().find(goes_on) else {
        return false;
    };
    let is_known = |word: &&String| known.raw.contains(word);
    let between = || {
        let words = ahead.clone().map(|(_, word)| word);
        words.take(but - not - 1).filter(carries)
    };
    let mut behind = new.raw.iter().enumerate().skip(but + 1);
    let Some((at, instead)) = behind.find(|(_, word)| carries(word)) else {
        return false;
    };
    let mut elsewhere = new
        .words
        .iter()
        .filter(|word| word.place > at || word.place < not);
    let meets = elsewhere.clone().count() > 0 && elsewhere.all(|word| known.has(&word.stem));
    between().count() > 0 && between().all(|word| is_known(&word)) && !is_known(&instead) && meets
}

fn is_plain_denial(word: &str) -> bool {
    matches!(
        word,
        "not"
            | "isn't"
            | "aren't"
            | "wasn't"
            | "weren't"
            | "nicht"
            | "pas"
            | "no"
            | "non"
            | "não"
            | "niet"
            | "inte"
            | "ikke"
            | "nie"
            | "не"
    )
}

/// Whether both say the same in the same order, but for numbers in words and "each" for "every".
pub(super) fn is_restated(new: &Worded, known: &Worded) -> bool {
    let plain = |said: &Worded| -> Vec<String> {
        let kept = said
            .raw
            .iter()
            .filter(|word| !TABLES.dropped.contains(word.as_str()));
        let worded = kept.map(|word| {
            let number = TABLES.numbers.get(word.as_str()).copied();
            number.unwrap_or_else(|| plain_hour(word)).to_owned()
        });
        with_amounts(&worded.collect::<Vec<_>>())
    };
    !new.too_long && !known.too_long && !new.words.is_empty() && plain(new) == plain(known)
}

/// The words with every number and its unit as one amount, so that "3 km" and "3000 m" are the same.
fn with_amounts(words: &[String]) -> Vec<String> {
    let mut out: Vec<String> = Vec::with_capacity(words.len());
    let mut rest = words.iter().peekable();
    // The amount that the words before ended with, so that "1 hour 15 minutes" becomes one.
    let mut open: Option<(f64, &'static str)> = None;
    while let Some(word) = rest.next() {
        let amount = rest
            .peek()
            .filter(|_| word.starts_with(|c: char| c.is_ascii_digit()))
            .and_then(|unit| plain_amount(word, unit));
        let Some((number, measures)) = amount else {
            open = None;
            out.push(word.clone());
            continue;
        };
        rest.next();
        let before = open.filter(|(_, of)| *of == measures);
        if before.is_some() {
            out.pop();
        }
        let sum = number + before.map_or(0.0, |(number, _)| number);
        open = Some((sum, measures));
        out.push(format!("{sum} {measures}"));
    }
    out
}

/// Whether the subjects that the wording shows are different ones.
pub(super) fn subjects_differ(new: &Worded, known: &Worded) -> bool {
    let outside = |said: &Worded, other: &Worded| {
        without(said, other)
            .iter()
            .any(|at| said.is_of_subject(*at))
    };
    !new.too_long && !known.too_long && outside(new, known) && outside(known, new)
}

/// The places of the words of one statement that the other lacks; each word of the other counts once.
fn without(said: &Worded, other: &Worded) -> Vec<usize> {
    // Longer texts are not compared, so there are few words to look through.
    let stems = other.words.iter().map(|word| word.stem.as_str());
    let mut left: Vec<&str> = stems.collect();
    let mut lacking = Vec::new();
    for (at, word) in said.words.iter().enumerate() {
        match left.iter().position(|stem| *stem == word.stem) {
            Some(found) => drop(left.swap_remove(found)),
            None => lacking.push(at),
        }
    }
    lacking
}

/// Words by which a statement tells what was before: "from 39 to 45".
const FROM: &[&str] = &["from", "von", "de", "da", "od", "van", "с"];

/// Whether two single words that differ are opposites of which only one can hold.
fn opposite_outcomes(
    new: &Worded,
    known: &Worded,
    only_new: &[usize],
    only_known: &[usize],
) -> bool {
    let single = |said: &'_ Worded, only: &[usize]| match only {
        [at] => said.words.get(*at).map(|word| word.stem.clone()),
        _ => None,
    };
    let (Some(one), Some(other)) = (single(new, only_new), single(known, only_known)) else {
        return false;
    };
    let undoes = |one: &str, other: &str| one.strip_prefix("un") == Some(other);
    if undoes(&one, &other) || undoes(&other, &one) {
        return true;
    }
    let pair = (
        TABLES.outcomes.get(&one).copied(),
        TABLES.outcomes.get(&other).copied(),
    );
    matches!(pair, (Some((one, first)), Some((other, second))) if one == other && first != second)
}

/// "Turnover rose in May", "fell in May": whether each tells that something moved, and the other way.
pub(super) fn move_oppositely(new: &Worded, known: &Worded) -> bool {
    matches!((moved(new), moved(known)), (Some((one, up)), Some((other, was_up))) if one == other && up != was_up)
}

/// In which direction something moved, where the word for it is a cue as well and stands among no words that are compared.
fn moved(said: &Worded) -> Option<(usize, bool)> {
    let is_compared = |at: usize| said.words.iter().any(|word| word.place == at);
    let mut raw = said.raw.iter().enumerate();
    raw.find_map(|(at, word)| {
        let outcome = TABLES.outcomes.get(&stem(word)).copied();
        outcome.filter(|_| !is_compared(at))
    })
}

fn tells_from(said: &Worded) -> bool {
    said.raw.iter().any(|word| FROM.contains(&word.as_str()))
}

/// Whether no word of either subject is lacking in the other.
fn subjects_agree(new: &Worded, known: &Worded, only_new: &[usize], only_known: &[usize]) -> bool {
    let outside = |said: &Worded, only: &[usize]| only.iter().any(|at| said.is_of_subject(*at));
    let retold = tells_from(new) || new.says(Says::Ended) || new.says(Says::Changed);
    let held = !outside(known, only_known);
    held && (!outside(new, only_new)
        || (retold && new.change().is_some() && shares_subject(new, known)))
}

/// Whether every word of the known subject is told again.
fn shares_subject(new: &Worded, known: &Worded) -> bool {
    let mut subject = known
        .words
        .iter()
        .enumerate()
        .filter(|(at, _)| known.is_of_subject(*at))
        .peekable();
    if subject.peek().is_none() {
        return new.opens_with_pronoun() && known.opens_with_pronoun();
    }
    subject.all(|(_, word)| new.has(&word.stem))
}

/// A statement that says that something changed.
fn changed(
    new: &Worded,
    known: &Worded,
    only_new: &[usize],
    only_known: &[usize],
) -> Option<Wording> {
    let replaces = takes_the_place(new, known);
    let fits = replaces || verb_fits(new, known, only_new, only_known);
    let elsewhere = !replaces && is_of_something_else(new, known, only_new, only_known);
    if is_of_a_belonging(new, known) || elsewhere || replaces_another(new, known) {
        return None;
    }
    let shared = new.words.len() - only_new.len();
    let answers = |said: &Worded, only: &[usize]| only.iter().all(|at| said.is_answer(*at));
    let short = only_known.len() <= 2
        && shared >= 1
        && answers(known, only_known)
        && answers(new, only_new);
    let meets = shared >= if fits { 1 } else { 2 }
        || short
        || share_beyond_subject(new, known, only_new, 1);
    if !meets || only_new.len() > longest(new) + 2 {
        return None;
    }
    if one_at_a_time(new).len() != one_at_a_time(known).len()
        && !fits
        && new.has_any(&TABLES.replacing)
        && known.has_any(&TABLES.replacing)
    {
        return None;
    }
    // "Now" alone says that the one answer changed; two places that differ are two questions.
    // The verb may be another one: "runs 14" and "is now on 16".
    let is_verb = |at: &usize| {
        known
            .words
            .get(*at)
            .is_some_and(|word| word.verb && !word.placed)
    };
    let answer: Vec<usize> = only_known
        .iter()
        .copied()
        .filter(|at| !is_verb(at))
        .collect();
    if !fits && !stand_together(&answer) {
        return None;
    }
    // "Uses Java 17", "is now on Java 21": of one thing there is one version.
    let counted = !answer.is_empty()
        && answer.iter().all(|at| is_number(known, *at))
        && only_new.iter().all(|at| is_number(new, *at));
    let many = known.has_any(&TABLES.many) && !fits && !counted && !new.says(Says::Ended);
    Some(if many {
        Wording::Both(Cue::ManyValued)
    } else {
        Wording::Otherwise(new.change())
    })
}

/// Whether a change in the life of somebody has nothing to do with what is known of them but their name.
fn is_of_something_else(
    new: &Worded,
    known: &Worded,
    only_new: &[usize],
    only_known: &[usize],
) -> bool {
    let moves = new.says(Says::Placed) && is_of_a_home(known);
    let marks = are_marks(new, only_new) && are_marks(known, only_known);
    are_of_somebody(new, known)
        && !moves
        && !marks
        && !may_have_changed(new, known, only_new, only_known)
}

/// Whether the verb of change is one that goes with what the known statement tells: a name, an amount, a place.
fn verb_fits(new: &Worded, known: &Worded, only_new: &[usize], only_known: &[usize]) -> bool {
    let named = || known.raw.iter().any(|word| NAMING.contains(&word.as_str()));
    // "Went up from 39 to 45" tells the known amount again.
    let told_again = || {
        let mut places = 0..known.words.len();
        tells_from(new) && places.any(|at| is_number(known, at) && !only_known.contains(&at))
    };
    let amount = || {
        only_new.iter().any(|at| is_number(new, *at))
            && (told_again() || only_known.iter().any(|at| is_number(known, *at)))
    };
    let is_place = |at: &usize| {
        known
            .words
            .get(*at)
            .is_some_and(|word| word.placed || word.number)
    };
    new.says(Says::Renamed) && named()
        || new.says(Says::Amount) && amount()
        || new.says(Says::Placed)
            && (only_known.iter().any(is_place)
                || tells_from(new)
                    && only_known.is_empty()
                    && known.words.iter().any(|word| word.placed))
        || new.says(Says::Changed)
        || new.says(Says::Corrected)
}

fn is_number(said: &Worded, at: usize) -> bool {
    said.words.get(at).is_some_and(|word| word.number)
}

/// The same frame with one other answer: the words that differ stand together, and are no verbs.
fn one_other_answer(
    new: &Worded,
    known: &Worded,
    only_new: &[usize],
    only_known: &[usize],
) -> Option<Wording> {
    let sides = [(new, only_new), (known, only_known)];
    let one_place = only_new.len() <= longest(new)
        && sides
            .iter()
            .all(|(said, only)| stand_together(only) && have_no_verb(said, only));
    if only_known.is_empty() || !one_place || are_of_different_names(new, known) {
        return None;
    }
    let number = |said: &Worded, only: &[usize]| only.iter().all(|at| is_number(said, *at));
    let counts = sides.iter().all(|(said, only)| number(said, only));
    if known.has_any(&TABLES.many) && !counts {
        return Some(Wording::Both(Cue::ManyValued));
    }
    if sides.iter().all(|(said, only)| excludes_others(said, only)) {
        return Some(Wording::Exclusive);
    }
    if new.words.len() == only_new.len() {
        return None;
    }
    let told = |single: bool, otherwise: Wording| {
        if single {
            Wording::Otherwise(None)
        } else {
            otherwise
        }
    };
    if are_of_somebody(new, known) || are_events(new, known) {
        let single = counts || is_single_of_somebody(new, known, only_new, only_known);
        return Some(told(single, Wording::Both(Cue::ManyValued)));
    }
    let single = counts || is_single_of_a_thing(sides);
    let one_frame = counts || is_one_frame(new, known, only_new);
    one_frame.then(|| told(single, Wording::Another))
}

fn have_no_verb(said: &Worded, places: &[usize]) -> bool {
    let mut words = places.iter().filter_map(|at| said.words.get(*at));
    !words.any(|word| word.verb && !word.placed)
}

/// Whether the one word is of those of which a thing has one at a time.
fn excludes_others(said: &Worded, places: &[usize]) -> bool {
    let word = match places {
        [at] => said.words.get(*at),
        _ => None,
    };
    word.is_some_and(|word| TABLES.exclusive.contains(word.stem.as_str()))
}

/// Whether one of two answers about a thing holds: both say of what kind it is, or more than the subject is asked for, or
/// both answer with a name.
fn is_single_of_a_thing([(new, only_new), (known, only_known)]: [(&Worded, &[usize]); 2]) -> bool {
    let of_kind = |said: &Worded| {
        said.raw.first().is_some_and(|word| word == "the")
            && said.raw.windows(2).any(
                |pair| matches!(pair, [is, a] if is == "is" && matches!(a.as_str(), "a" | "an")),
            )
    };
    let named = |said: &Worded, places: &[usize]| {
        let mut words = places.iter().filter_map(|at| said.words.get(*at));
        words.any(|word| word.capital)
    };
    let mut places = 0..known.words.len();
    of_kind(new) && of_kind(known)
        || places.any(|at| !only_known.contains(&at) && !known.is_of_subject(at))
        || named(new, only_new) && named(known, only_known)
}

/// Whether more than the subject is common, or both say what it is.
fn is_one_frame(new: &Worded, known: &Worded, only_new: &[usize]) -> bool {
    let unspaced = new.words.iter().any(|word| word.character);
    unspaced
        || says_what_it_is(new) && says_what_it_is(known)
        || share_beyond_subject(new, known, only_new, 1)
}

fn stand_together(places: &[usize]) -> bool {
    places
        .windows(2)
        .all(|pair| matches!(pair, [a, b] if *b == a + 1))
}
