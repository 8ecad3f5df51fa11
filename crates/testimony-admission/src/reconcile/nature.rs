//! Whether what is asked has one answer by nature, as far as the wording tells.
//!
//! Of somebody many things hold at once: what they do, see, enjoy, plan and went through. Another one of these is one
//! more, and never another answer to the same question. Where somebody lives, how many, at what hour and under which
//! address has one answer; so has most of what is said of a thing.

use super::worded::{TABLES, Word, Worded, raw};
use super::wording_tables::PLACES;
use crate::claims::{is_time_word, is_verb};

/// So many words must be common beside the subject where the place of something is told by any verb.
const FRAME: usize = 2;

/// Whether one is about somebody and the other about somebody else, or about what belongs to them.
pub(super) fn are_of_different_names(new: &Worded, known: &Worded) -> bool {
    open_with_other_names(new, known)
        || is_of_a_belonging(new, known)
        || is_of_a_belonging(known, new)
}

/// Whether both open with a name, and not with the same.
pub(super) fn open_with_other_names(new: &Worded, known: &Worded) -> bool {
    is_of_name(new) && is_of_name(known) && new.raw.first() != known.raw.first()
}

/// Whether both statements are about somebody of one name: what begins with a small letter inside a sentence is none.
pub(super) fn are_of_somebody(new: &Worded, known: &Worded) -> bool {
    let name = known.raw.first();
    let small = |said: &Worded| {
        let mut words = said.raw.iter().enumerate();
        words.any(|(at, word)| at > 0 && Some(word) == name && !said.capitals.contains(&at))
    };
    is_of_somebody(known) && !small(new)
}

/// Whether the statement is about somebody, or about something that goes by a bare name: "Mara", "I", "we".
fn is_of_somebody(said: &Worded) -> bool {
    said.opens_with_pronoun() || is_of_name(said)
}

fn is_of_name(said: &Worded) -> bool {
    let named = said.capitals.contains(&0) && !said.owners.contains(&0);
    let is_word_of_ours = said.raw.first().is_none_or(|first| {
        TABLES.dropped.contains(first.as_str())
            || TABLES.placing.contains(first.as_str())
            || is_verb(first) && !said.has_verb
    });
    // "Team lunch is on Friday" is about a lunch.
    let goes_on = said.words.get(1).is_some_and(|second| {
        let next = raw(said, 2);
        let verb_follows = next.len() > 1 && (TABLES.placing.contains(next) || is_verb(next));
        verb_follows && !second.capital && !second.verb && second.place == 1
    });
    named && !is_word_of_ours && !goes_on
}

/// Whether the new statement is about what belongs to the one whom the known one is about: "Nate's game" is not Nate.
pub(super) fn is_of_a_belonging(new: &Worded, known: &Worded) -> bool {
    let opens_alike = new.raw.first() == known.raw.first();
    opens_alike && new.owners.contains(&0) && !known.owners.contains(&0)
}

/// Whether the two share at least `least` words that do more than name the subject.
pub(super) fn share_beyond_subject(
    new: &Worded,
    known: &Worded,
    only_new: &[usize],
    least: usize,
) -> bool {
    let known_beyond = |stem: &str| {
        let mut words = known.words.iter().enumerate();
        words.any(|(place, other)| other.stem == stem && !known.is_of_subject(place))
    };
    let words = new.words.iter().enumerate();
    let shared = words.filter(|(at, word)| !only_new.contains(at) && known_beyond(&word.stem));
    shared.take(least).count() == least
}

/// Whether the known statement says where somebody lives.
pub(super) fn is_of_a_home(said: &Worded) -> bool {
    said.has_any(&TABLES.living)
}

/// Whether one frame with two answers asks for one of them, where it is about somebody.
pub(super) fn is_single_of_somebody(
    new: &Worded,
    known: &Worded,
    only_new: &[usize],
    only_known: &[usize],
) -> bool {
    let both =
        |holds: fn(&Worded, &[usize]) -> bool| holds(new, only_new) && holds(known, only_known);
    if both(are_marks) || is_of_a_home(new) && is_of_a_home(known) {
        return true;
    }
    if !both(are_places) || tells_of_an_event(new) || tells_of_an_event(known) {
        return false;
    }
    stands_at_once(new) && stands_at_once(known)
        || share_beyond_subject(new, known, only_new, FRAME)
}

fn words_at<'w>(said: &'w Worded, places: &'w [usize]) -> impl Iterator<Item = &'w Word> {
    places.iter().filter_map(|at| said.words.get(*at))
}

/// Days, numbers and addresses.
pub(super) fn are_marks(said: &Worded, places: &[usize]) -> bool {
    words_at(said, places).all(|word| {
        let raw = raw(said, word.place);
        word.number || raw.contains(['@', '/']) || is_time_word(raw)
    })
}

/// Whether the first of the words stands behind a word that says where.
fn are_places(said: &Worded, places: &[usize]) -> bool {
    let Some(first) = words_at(said, places).next() else {
        return false;
    };
    let before = said.raw.iter().take(first.place).rev();
    let mut before = before.skip_while(|word| TABLES.dropped.contains(word.as_str()));
    before
        .next()
        .is_some_and(|word| PLACES.contains(&word.as_str()))
        || said
            .raw
            .get(first.place)
            .is_some_and(|word| PLACES.contains(&word.as_str()))
        || first.placed && !first.stem.is_ascii()
}

/// Whether it says in one word what somebody is or where: "is on the night shift", not "is working on a plan".
fn stands_at_once(said: &Worded) -> bool {
    let is = |word: &String| LIVING_COPULAS.contains(&word.as_str());
    let Some(at) = said.raw.iter().take(4).position(is) else {
        return false;
    };
    said.raw.get(at + 1).is_some_and(|next| {
        TABLES.dropped.contains(next.as_str()) || PLACES.contains(&next.as_str())
    })
}

const LIVING_COPULAS: &[&str] = &[
    "is", "am", "are", "ist", "bin", "sind", "est", "suis", "es", "soy", "está", "è", "é",
];

/// So much may differ where little more than the name is common.
const LITTLE: usize = 3;

/// Whether a word that says that something changed may speak of what is known of somebody: much has to be common, or little
/// different, and what somebody is doing at the time has no successor.
pub(super) fn may_have_changed(
    new: &Worded,
    known: &Worded,
    only_new: &[usize],
    only_known: &[usize],
) -> bool {
    let little = only_new.len() <= LITTLE && only_known.len() <= LITTLE;
    share_beyond_subject(new, known, only_new, 1) && little && !goes_on(known)
}

/// Whether both tell what happened: what was agreed once and what was agreed another time both hold.
pub(super) fn are_events(new: &Worded, known: &Worded) -> bool {
    tells_of_an_event(new) && tells_of_an_event(known)
}

/// Whether it has no verb but one that says what something is, or none that is known.
pub(super) fn says_what_it_is(said: &Worded) -> bool {
    let verbs = said.words.iter().filter(|word| word.verb).count();
    let placing = said
        .raw
        .iter()
        .any(|word| TABLES.placing.contains(word.as_str()));
    verbs == 0 && placing && !tells_of_an_event(said)
}

/// Whether it tells what somebody is doing: "is reading a novel".
fn goes_on(said: &Worded) -> bool {
    let mut words = said.raw.windows(2).take(4);
    words.any(|pair| {
        matches!(pair, [is, doing] if LIVING_COPULAS.contains(&is.as_str()) && doing.ends_with("ing"))
            || matches!(pair, [now, doing] if matches!(now.as_str(), "currently" | "now") && doing.ends_with("ing"))
    })
}

/// Whether it tells what happened or goes on, which happens again: "visited", "is running for office".
pub(super) fn tells_of_an_event(said: &Worded) -> bool {
    let happened = |word: &&Word| {
        let raw = raw(said, word.place);
        let stands = word.place.checked_sub(1).and_then(|at| said.raw.get(at));
        let is_state = stands.is_some_and(|word| LIVING_COPULAS.contains(&word.as_str()));
        raw.ends_with("ing") && is_state || raw.ends_with("ed") && !is_state
    };
    said.words.iter().take(3).any(|word| happened(&word))
}
