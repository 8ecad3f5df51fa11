//! Of whom two statements are, by name: what is said of one is no word for what is said of another.
//!
//! No list holds all names, and "Will", "May" and "Mark" are words as well. A name is known by its capital and by where it
//! stands: in front of what is said of somebody, or where everything else is the same. Where nothing has a capital, as in
//! hasty talk and in scripts without, the first word alone may be one.

use super::worded::{TABLES, Worded, before, raw};
use crate::claims::{is_time_word, is_verb};

/// So many words may stand in front of a name: "our neighbour Ida".
const IN_FRONT: usize = 2;
/// So many words has a name at most.
const LENGTH: usize = 2;

/// What follows of whom one thing is said: what is said of several goes on otherwise.
const SAYS_OF: [&str; 16] = [
    "is", "isn't", "was", "wasn't", "has", "hasn't", "had", "can", "cannot", "can't", "doesn't",
    "never", "always", "will", "won't", "ist",
];
/// Words that carry nothing elsewhere, and are names of people in front of these.
const ALSO_NAMES: [&str; 10] = [
    "al", "an", "ben", "io", "mi", "mia", "mina", "per", "son", "jag",
];
/// What stands in front of what is said of anybody.
#[rustfmt::skip]
const NAMES_NOBODY: [&str; 28] = [
    "he", "she", "it", "they", "you", "who", "there", "this", "that", "one", "some", "most", "all", "both",
    "each", "everyone", "everybody", "everything", "someone", "somebody", "nobody", "nothing", "no", "usually", "mostly", "always", "never", "maybe",
];
/// Behind these stands where something is, or since when, and nobody.
const PLACES_IN_FRONT: [&str; 5] = ["in", "at", "on", "from", "of"];

/// "Mark cannot eat gluten", "Ida cannot eat gluten": whether all that one says is said by the other, of somebody who goes by
/// another name.
pub(super) fn says_it_of_another_name((new, known): (&Worded, &Worded)) -> bool {
    let opens = |raw: &String| !is_verb(raw) && !TABLES.placing.contains(raw.as_str());
    let (in_front, behind) = shared_around(new, known);
    in_front <= IN_FRONT
        && behind > 1
        && new.raw.iter().take(in_front).all(opens)
        && differ_in_a_name(new, known)
}

/// "Ida is a vegetarian", "Bo eats no meat": whether each is about somebody by a name that the other lacks, and neither about
/// somebody whom both name. Of whom something is said by name stands in front of a verb at least once.
pub(super) fn each_is_of_another_name((new, known): (&Worded, &Worded)) -> bool {
    says_it_of_another_name((new, known))
        || (has_a_name_beside(new, known, is_subject) && has_a_name_beside(known, new, may_be_one)
            || has_a_name_beside(known, new, is_subject)
                && has_a_name_beside(new, known, may_be_one))
            && !share_a_subject(new, known)
}

/// "The bicycle is Ida's", "the bicycle is Bo's": whether each names another, wherever the name stands.
pub(super) fn each_names_another((new, known): (&Worded, &Worded)) -> bool {
    each_is_of_another_name((new, known)) || differ_in_a_name(new, known)
}

/// Whether nothing but a name is another; behind an article stands none.
fn differ_in_a_name(new: &Worded, known: &Worded) -> bool {
    let (in_front, behind) = shared_around(new, known);
    let is_name = |said: &Worded| {
        let mut at = in_front..said.raw.len() - behind;
        let carries = |at| {
            let name = raw(said, at);
            has_capital(said, at)
                && !NAMES_NOBODY.contains(&name)
                && !TABLES.numbers.contains_key(name)
                && (!TABLES.dropped.contains(name) || ALSO_NAMES.contains(&name))
        };
        (1..=LENGTH).contains(&at.len()) && at.all(carries)
    };
    is_name(new) && is_name(known) && !TABLES.dropped.contains(before(new, in_front))
}

/// How many words both have in common in front of where they differ, and how many behind it.
fn shared_around(new: &Worded, known: &Worded) -> (usize, usize) {
    let in_front = alike(new.raw.iter(), known.raw.iter());
    let rest = new.raw.iter().skip(in_front).rev();
    (in_front, alike(rest, known.raw.iter().skip(in_front).rev()))
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

fn has_a_name_beside(said: &Worded, other: &Worded, is_name: fn(&Worded, usize) -> bool) -> bool {
    let mut names = said.capitals.iter().filter(|at| is_name(said, **at));
    names.any(|at| !stands_in(other, raw(said, *at)))
}

/// Whether both say something of somebody by the same name: "Ida", "Ida Berg".
fn share_a_subject(new: &Worded, known: &Worded) -> bool {
    let shares = |said: &Worded, other: &Worded| {
        let opens = |at: &usize| is_subject(other, *at) || other.capitals.contains(&(at + 1));
        let mut subjects = said.capitals.iter().filter(|at| is_subject(said, **at));
        subjects.any(|at| {
            let mut others = other.capitals.iter().filter(|at| opens(at));
            others.any(|other_at| raw(other, *other_at) == raw(said, *at))
        })
    };
    shares(new, known) || shares(known, new)
}

fn stands_in(said: &Worded, name: &str) -> bool {
    said.raw.iter().any(|raw| raw == name)
}

/// "Ida keeps", "Will has", "Bo's": a name of which something is said, whatever the word means elsewhere.
fn is_subject(said: &Worded, at: usize) -> bool {
    let (name, next, before) = (raw(said, at), raw(said, at + 1), before(said, at));
    let led_in = TABLES.dropped.contains(before) || TABLES.placing.contains(before);
    let does = is_verb(next) && (next.ends_with('s') || next.ends_with("ed"));
    let is_word = NAMES_NOBODY.contains(&name)
        || TABLES.dropped.contains(name) && !ALSO_NAMES.contains(&name)
        || TABLES.numbers.contains_key(name)
        || name.ends_with("ing") && name.len() > 4;
    let tells = SAYS_OF.contains(&next) || does || said.owners.contains(&at);
    // "Nurse Will": what has a capital itself says nothing.
    tells && !said.capitals.contains(&(at + 1)) && !led_in && !is_word
}

/// The same, or what is written as a name where a small letter would do: "belongs to Ida". Where and when something is are
/// written so as well.
fn may_be_one(said: &Worded, at: usize) -> bool {
    let before = before(said, at);
    let is_day = is_time_word(raw(said, at)) && TABLES.placing.contains(before) && before != "to";
    let names =
        at > 0 && !TABLES.dropped.contains(before) && !PLACES_IN_FRONT.contains(&before) && !is_day;
    names || is_subject(said, at)
}

fn has_capital(said: &Worded, at: usize) -> bool {
    said.capitals.contains(&at) || at == 0 && said.capitals.is_empty()
}
