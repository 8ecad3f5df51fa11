//! What tells one thing from another of its kind: a word before its noun ("the orders database", "the API keys", "the
//! spring tournament"), or a name behind it ("the flight to Japan"). A row that says another one in its place speaks of
//! another thing.

use crate::mark::Marks;
use crate::score::Sought;
use crate::text::{Shape, Word};
use crate::words::{Cell, Cue};

/// A word of a question that says which of several things is meant, and the number of the noun that they share.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Telling {
    word: Sought,
    noun: Sought,
    by_name: bool,
    /// Whether any other word in its place, in front of the noun, tells of another one.
    by_any_word: bool,
    /// The words that exclude it, which tell of another one before any noun.
    cells: &'static [Cell],
}

/// What stands before a name that says which or where something is.
const PLACING: &[&str] = &[
    "of", "for", "to", "in", "at", "on", "from", "with", "about", "by", "against", "near", "into",
    "through", "via", "de", "del", "en", "con", "para", "à", "dans", "pour", "avec",
];

/// A noun of the same meaning is the same kind of thing.
const BY_MEANING: f64 = 0.8;

/// Whether a name may follow that says which or where something is.
pub(super) fn places(word: &Word) -> bool {
    PLACING.contains(&word.raw.as_str())
}

/// What tells things apart in a question; not what names its subject, which is looked for in a row anyway.
pub(super) fn tellings(words: &[Word], subject: &[Word]) -> Vec<Telling> {
    let spoken: Vec<&Word> = words.iter().filter(|word| !word.whole).collect();
    let tells = |word: &Word| is_thing(word) || is_name_of_letters(word);
    let things = spoken.iter().enumerate().filter(|(_, word)| tells(word));
    let is_subject = |word: &Word| subject.iter().any(|it| it.raw_mark == word.raw_mark);
    let things = things.filter(|(_, word)| !is_subject(word));
    let told = things.filter_map(|(at, word)| {
        let by_name = word.is_name();
        let (by_any_word, noun) = if by_name {
            noun_beside(&spoken, at)?
        } else {
            let noun = *spoken.get(at + 1).filter(|noun| is_thing(noun))?;
            (is_one_of_several(&spoken, at, noun), noun)
        };
        let tells = by_name || by_any_word || !word.cells.is_empty();
        tells.then(|| Telling {
            word: Sought::of(word),
            noun: Sought::of(noun),
            by_name,
            by_any_word,
            cells: word.cells,
        })
    });
    told.collect()
}

/// What a name tells from others of its kind: the noun behind all of it, or the one before it.
fn noun_beside<'w>(words: &[&'w Word], at: usize) -> Option<(bool, &'w Word)> {
    let is_name = |word: &&&Word| word.is_name();
    let more = words.iter().skip(at).take_while(is_name).count();
    let fewer = words.iter().take(at).rev().take_while(is_name).count();
    let thing = |noun: &&Word| is_thing(noun);
    let behind = words.get(at + more).copied().filter(thing);
    let before = || noun_before(words, at - fewer).filter(thing);
    behind
        .map(|noun| (true, noun))
        .or_else(|| Some((false, before()?)))
}

fn is_thing(word: &Word) -> bool {
    !word.stop && word.shape == Shape::Plain && !word.is(Cue::Light) && !word.possessive
}

/// A name of letters alone, in whatever case they are.
fn is_name_of_letters(word: &Word) -> bool {
    word.is_name() && !word.possessive && word.raw.chars().all(char::is_alphabetic)
}

/// "The data team", "of the orders table": there is more than one such thing.
fn is_one_of_several(words: &[&Word], at: usize, noun: &Word) -> bool {
    let before = |back: usize| at.checked_sub(back).and_then(|at| words.get(at));
    let article = before(1).is_some_and(|word| word.is(Cue::Article));
    let of = before(2).is_some_and(|word| matches!(word.raw.as_str(), "of" | "de"));
    article && (of || noun.is(Cue::Several))
}

/// In "the flight to Japan", the flight.
fn noun_before<'w>(words: &[&'w Word], at: usize) -> Option<&'w Word> {
    let before = |back: usize| at.checked_sub(back).and_then(|at| words.get(at).copied());
    let article = before(1).is_some_and(|word| word.is(Cue::Article));
    let back = if article { 2 } else { 1 };
    before(back).filter(|word| places(word))?;
    before(back + 1)
}

impl Telling {
    /// Whether a row says another word where this one stands, and nowhere this one.
    pub(crate) fn is_another_in(&self, row: &[Word], asked: &Marks) -> bool {
        let spoken: Vec<&Word> = row.iter().filter(|word| !word.whole).collect();
        let held = row.iter().any(|word| self.word.is_held_by(word) > 0.0);
        let is_asked = |at: usize| spoken.get(at).is_some_and(|word| asked.hold(word.mark));
        let places = (0..spoken.len()).filter(|at| !is_asked(*at));
        let mut words = places.filter(|at| self.may_be_another(&spoken, *at));
        !held && words.any(|at| self.is_beside_noun(&spoken, at))
    }

    fn may_be_another(&self, words: &[&Word], at: usize) -> bool {
        let Some(word) = words.get(at) else {
            return false;
        };
        if self.by_name && (word.is_name() || word.first && word.capital && !word.stop) {
            return true;
        }
        let excludes = |own: &Cell| word.cells.iter().any(|other| own.excludes(*other));
        if self.cells.iter().any(excludes) {
            return true;
        }
        let before = at.checked_sub(1).and_then(|at| words.get(at));
        let article = before.is_some_and(|before| before.is(Cue::Article));
        self.by_any_word && article && is_thing(word) && !word.is(Cue::Change)
    }

    fn is_beside_noun(&self, words: &[&Word], at: usize) -> bool {
        let is_name = |word: &&&Word| self.by_name && word.is_name();
        let is_noun = |noun: &Word| self.noun.is_held_by(noun) >= BY_MEANING;
        let more = words.iter().skip(at + 1).take_while(is_name).count();
        let at_end = at + more;
        let owned = if words.get(at).is_some_and(|word| word.possessive) {
            2
        } else {
            1
        };
        let mut behind = words.iter().skip(at_end + 1).take(owned);
        let fewer = words.iter().take(at).rev().take_while(is_name).count();
        let before = || noun_before(words, at - fewer).is_some_and(is_noun);
        behind.any(|noun| is_noun(noun)) || self.by_name && before()
    }
}
