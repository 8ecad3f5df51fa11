//! Of whom two statements are, by name: what is said of one is no word for what is said of another.
//!
//! No list holds all names, and "Will", "May" and "Mark" are words as well. A name is known by its capital and by where it
//! stands: in front of what is said of somebody, or where everything else is the same.

use super::worded::{TABLES, Worded, stem};
use crate::claims::{is_time_word, is_verb};

/// So many words may stand in front of a name: "our neighbour Ida".
const IN_FRONT_OF_A_NAME: usize = 2;
/// So many words has a name at most.
const OF_A_NAME: usize = 2;

/// What follows of whom one thing is said: what is said of several ends otherwise.
const SAYS_OF: [&str; 11] = [
    "is", "was", "has", "had", "can", "cannot", "can't", "never", "always", "will", "ist",
];

/// "Mark cannot eat gluten", "Ida cannot eat gluten": whether all that one says is said by the other, of somebody who goes by
/// another name.
pub(super) fn says_it_of_another_name((new, known): (&Worded, &Worded)) -> bool {
    let opens = |word: &String| !is_verb(word) && !TABLES.placing.contains(word.as_str());
    let (in_front, behind) = shared_around(new, known);
    in_front <= IN_FRONT_OF_A_NAME
        && behind > 1
        && new.raw.iter().take(in_front).all(opens)
        && differ_in_a_name(new, known)
}

/// "Ida is a vegetarian", "Bo eats no meat": whether each is about somebody by a name that the other lacks. Of whom something is
/// said by name stands in front of a verb at least once.
pub(super) fn each_is_of_another_name((new, known): (&Worded, &Worded)) -> bool {
    let names = |said, other, is_name| name_beside(said, other, is_name);
    names(new, known, is_subject) && names(known, new, is_somebody)
        || names(known, new, is_subject) && names(new, known, is_somebody)
        || says_it_of_another_name((new, known))
}

/// "The bicycle is Ida's", "the bicycle is Bo's": whether each names another, wherever the name stands.
pub(super) fn each_names_another((new, known): (&Worded, &Worded)) -> bool {
    each_is_of_another_name((new, known)) || differ_in_a_name(new, known)
}

/// Whether nothing but a name is another. It may be a word of ours as well, so that it is known by its capital; behind an
/// article stands none.
fn differ_in_a_name(new: &Worded, known: &Worded) -> bool {
    let (in_front, behind) = shared_around(new, known);
    let is_name = |said: &Worded| {
        let name = in_front..said.raw.len() - behind;
        let is_article = |at| TABLES.dropped.contains(word(said, at));
        (1..=OF_A_NAME).contains(&name.len())
            && name.clone().all(|at| said.capitals.contains(&at))
            && !(in_front.saturating_sub(1)..name.end).any(is_article)
    };
    let are_one = stem(word(new, in_front)) == stem(word(known, in_front));
    is_name(new) && is_name(known) && !are_one
}

/// How many words both have in common in front of where they differ, and how many behind it.
fn shared_around(new: &Worded, known: &Worded) -> (usize, usize) {
    let in_front = alike(new.raw.iter(), known.raw.iter());
    let rest = new.raw.iter().skip(in_front).rev();
    (in_front, alike(rest, known.raw.iter().skip(in_front).rev()))
}

fn name_beside(said: &Worded, other: &Worded, is_name: fn(&Worded, usize) -> bool) -> bool {
    let mut names = said.capitals.iter().filter(|at| is_name(said, **at));
    names.any(|at| {
        let name = stem(word(said, *at));
        let mut known = (0..other.raw.len()).map(|at| stem(word(other, at)));
        !known.any(|known| known == name)
    })
}

/// "Ida keeps", "Will has", "Bo's": a name of which something is said, whatever the word means elsewhere.
fn is_subject(said: &Worded, at: usize) -> bool {
    let (name, next) = (word(said, at), word(said, at + 1));
    let before = at.checked_sub(1).map_or("", |at| word(said, at));
    let led_in = TABLES.dropped.contains(before) || TABLES.placing.contains(before);
    let tells =
        SAYS_OF.contains(&next) || next.ends_with('s') && !next.ends_with("ss") || is_verb(next);
    let is_word =
        TABLES.dropped.contains(name) || TABLES.numbers.contains_key(name) || name.ends_with("ing");
    (tells || said.owners.contains(&at)) && !led_in && !is_word
}

/// The same, or a word that is written as a name where none has to be.
fn is_somebody(said: &Worded, at: usize) -> bool {
    let before = at.checked_sub(1).map_or("", |at| word(said, at));
    let is_day = is_time_word(word(said, at))
        && TABLES.placing.contains(before)
        && !["to", "with", "for"].contains(&before);
    at > 0 && !TABLES.dropped.contains(before) && !is_day || is_subject(said, at)
}

/// A word as it stands, without what marks an owner.
fn word(said: &Worded, at: usize) -> &str {
    let raw = said.raw.get(at).map_or("", String::as_str);
    raw.strip_suffix("'s").unwrap_or(raw)
}

/// How many words both have in common before they differ.
fn alike<'w>(
    new: impl Iterator<Item = &'w String>,
    known: impl Iterator<Item = &'w String>,
) -> usize {
    new.zip(known)
        .take_while(|(one, other)| one == other)
        .count()
}
