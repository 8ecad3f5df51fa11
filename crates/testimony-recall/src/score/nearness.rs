//! How near words of rows come to the words of a question, by form, by spelling or by meaning. Rows share most of their
//! words, so each is compared once, however many rows hold it.

use std::cell::{OnceCell, RefCell};

use crate::mark::{ByMark, mark_of_pair};
use crate::query::{Compared, FocusTerm, Likeness, Role};
use crate::text::{Shape, Word};

/// Shorter words differ by a letter and mean something else.
const SHORTEST_SLIP: usize = 5;

/// So many comparisons are kept; where there are more, rows have few words in common.
const KEPT: usize = 1 << 18;

/// About so many different words are in the rows that a question meets: room for them is made at once.
const MET: usize = 512;

/// How near something comes to a word of a question.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Near {
    /// How far it is the word, by its form: 1 for the word itself, less for a relative of it.
    pub(crate) held: f64,
    /// Whether it is the word with a slip of the pen.
    pub(crate) misspelt: bool,
    /// How like it is in meaning, as a cosine; 0 for what has nothing to do with it.
    pub(crate) cosine: f64,
}

impl Near {
    fn or(self, other: Self) -> Self {
        Self {
            held: self.held.max(other.held),
            misspelt: self.misspelt || other.misspelt,
            cosine: self.cosine.max(other.cosine),
        }
    }
}

/// Compares the words of one question with words of rows.
pub(crate) struct Nearness<'r> {
    focus: &'r [FocusTerm],
    /// Those words of the question that another word can mean, by their places.
    meant: Vec<usize>,
    likeness: Option<Likeness<'r>>,
    /// Their meanings, looked up with the first word that is compared: where nothing was found there is none.
    compared: OnceCell<Compared<'r>>,
    known: RefCell<Known>,
}

/// What was compared so far.
#[derive(Default)]
struct Known {
    /// Where it stands, by the number of a word of a row.
    places: ByMark<usize>,
    /// Word after word, each in the order of the question's words.
    near: Vec<Near>,
    /// Those of the row that is looked at.
    numbers: Vec<u64>,
}

impl<'r> Nearness<'r> {
    pub(crate) fn of(focus: &'r [FocusTerm], likeness: Option<Likeness<'r>>) -> Self {
        let places = focus.iter().enumerate();
        let meant = places.filter(|(_, term)| can_be_meant(term));
        Self {
            focus,
            meant: meant.map(|(at, _)| at).collect(),
            likeness,
            compared: OnceCell::new(),
            known: RefCell::default(),
        }
    }

    /// What compares a word with those of the question that it can mean.
    fn compared(&self) -> Option<&Compared<'r>> {
        let likeness = self.likeness?;
        Some(self.compared.get_or_init(|| {
            let words = self.meant.iter().filter_map(|at| self.focus.get(*at));
            let words: Vec<&str> = words.map(|term| term.raw.as_str()).collect();
            likeness.to(&words)
        }))
    }

    /// How near the words of a row come to each word of the question, in their order.
    pub(crate) fn of_row(&self, words: &[Word]) -> Vec<Near> {
        let asked = self.focus.len();
        let mut nearest = vec![Near::default(); asked];
        let mut known = self.known.borrow_mut();
        let known = &mut *known;
        if known.near.len() > KEPT {
            *known = Known::default();
        }
        if known.near.is_empty() {
            known.near.reserve(MET * asked);
            known.places.reserve(MET);
        }
        // All of them before anything depends on one, so that words that lie apart are not waited for one by one.
        known.numbers.clear();
        known.numbers.extend(words.iter().map(number_of));
        for (word, number) in words.iter().zip(&known.numbers) {
            let place = *known.places.entry(*number).or_insert_with(|| {
                self.compare(word, &mut known.near);
                known.near.len() - asked
            });
            let near = known.near.get(place..place + asked);
            for (nearest, near) in nearest.iter_mut().zip(near.unwrap_or_default()) {
                *nearest = nearest.or(*near);
            }
        }
        nearest
    }

    fn compare(&self, word: &Word, into: &mut Vec<Near>) {
        let from = into.len();
        let tells = tells(word);
        into.extend(self.focus.iter().map(|term| Near {
            held: term.sought.is_held_by(word),
            misspelt: tells && is_slip(&term.raw, &word.raw),
            cosine: 0.0,
        }));
        if let Some(compared) = self.compared().filter(|_| tells) {
            let mut cosines = vec![0.0; self.meant.len()];
            compared(&word.raw, &mut cosines);
            for (at, cosine) in self.meant.iter().zip(cosines) {
                if let Some(near) = into.get_mut(from + at) {
                    near.cosine = cosine;
                }
            }
        }
    }
}

/// Names are held by themselves alone, and so is what has the shape of a number or an identifier.
fn can_be_meant(term: &FocusTerm) -> bool {
    term.role != Role::Subject && term.role != Role::Goal && !term.is_rare_shape
}

/// By what a word is known that is compared: the same letters have another stem in another language, are of another shape
/// at the end of an identifier, and mean something else beside another word.
fn number_of(word: &Word) -> u64 {
    let pair = word.pair.map_or(0, |pair| u64::from(pair.number()) + 1);
    mark_of_pair(word.raw_mark, word.mark) ^ (pair << 1) ^ u64::from(tells(word))
}

/// Whether it can be another word for one of a question.
fn tells(word: &Word) -> bool {
    !word.stop && word.shape == Shape::Plain
}

/// Whether two longer words differ by one letter too many, missing, wrong or swapped with its neighbour, and not in
/// their first.
fn is_slip<'a>(one: &'a str, other: &'a str) -> bool {
    // A slip in the first letter is none, and most words differ there.
    let differ = one.as_bytes().first() != other.as_bytes().first();
    // No letter takes more bytes than four.
    if differ || one.len().abs_diff(other.len()) > 4 || one.chars().next() != other.chars().next() {
        return false;
    }
    let lengths = (one.chars().count(), other.chars().count());
    if one == other || lengths.0.min(lengths.1) < SHORTEST_SLIP || lengths.0.abs_diff(lengths.1) > 1
    {
        return false;
    }
    let same_start = one
        .chars()
        .zip(other.chars())
        .take_while(|(a, b)| a == b)
        .count();
    let rest = |word: &'a str, skip: usize| word.chars().skip(same_start + skip);
    let same = |skip: usize, of: usize| rest(one, skip).eq(rest(other, of));
    let swapped = || {
        let pair = |word: &str| {
            let mut letters = word.chars().skip(same_start);
            letters.next().zip(letters.next())
        };
        pair(one)
            .zip(pair(other))
            .is_some_and(|((a, b), (c, d))| a == d && b == c)
            && same(2, 2)
    };
    // An ending alone is no slip: "train" and "trains" meet by their stems, "angel" and "angels" too.
    let ending = lengths.0 != lengths.1 && same_start >= lengths.0.min(lengths.1);
    !ending
        && (same(1, 1) && rest(one, 1).next().is_some() || same(1, 0) || same(0, 1) || swapped())
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::query::Reading;
    use crate::text::read;

    /// As many letters in common as both have, from the first on.
    fn alike(one: &str, other: &str) -> f64 {
        let same = one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b);
        same.count() as f64 / one.len().max(other.len()) as f64
    }

    fn means(term: &FocusTerm) -> bool {
        matches!(term.role, Role::Attribute | Role::Name) && !term.is_rare_shape
    }

    /// Counts how often it is asked.
    struct Counted(Cell<usize>);

    impl crate::query::Meanings for Counted {
        fn to<'s>(&'s self, asked: &[&str]) -> Compared<'s> {
            let asked: Vec<String> = asked.iter().map(|it| (*it).to_owned()).collect();
            Box::new(move |other, into| {
                for (asked, cosine) in asked.iter().zip(into) {
                    self.0.set(self.0.get() + 1);
                    *cosine = alike(asked, other);
                }
            })
        }
    }

    #[test]
    fn a_row_comes_as_near_as_the_nearest_of_its_words_and_each_is_compared_once() {
        let question = "Which dentist repairs Ana's bridgework in v2.1 of the plan?";
        let reading = Reading::of(question, Some("book a denture"), None, None);
        let counted = Counted(Cell::new(0));
        let nearness = Nearness::of(&reading.focus, Some(&counted));
        let texts = [
            "The dentsit repaired a bridge for Ana.",
            "Dentures and bridges, repaired by a dentist.",
            "Nothing of that.",
            "",
        ];
        for _ in 0..3 {
            for text in texts {
                let words = read(text);
                let near = nearness.of_row(&words);
                for (term, near) in reading.focus.iter().zip(near) {
                    let telling = || words.iter().filter(|word| tells(word));
                    let misspelt = telling().any(|word| is_slip(&term.raw, &word.raw));
                    let cosines = telling().filter(|_| means(term));
                    let cosines = cosines.map(|word| alike(&term.raw, &word.raw));
                    let cosine = cosines.fold(0.0, f64::max);
                    let held = words.iter().map(|word| term.sought.is_held_by(word));
                    let expected = Near {
                        held: held.fold(0.0, f64::max),
                        misspelt,
                        cosine,
                    };
                    assert_eq!(near, expected, "{} in {text}", term.raw);
                }
            }
        }
        let meant = reading.focus.iter().filter(|term| means(term));
        let texts: Vec<Word> = texts.iter().flat_map(|text| read(text)).collect();
        let words: std::collections::HashSet<&str> = texts
            .iter()
            .filter(|word| tells(word))
            .map(|word| word.raw.as_str())
            .collect();
        assert_eq!(counted.0.get(), meant.count() * words.len());
    }

    #[test]
    fn one_letter_may_slip_in_a_longer_word() {
        for (one, other) in [
            ("dentist", "dentsit"),
            ("dentist", "denist"),
            ("dentist", "denttist"),
            ("dentist", "dantist"),
        ] {
            assert!(is_slip(one, other), "{one} {other}");
        }
        for (one, other) in [
            ("train", "trains"),
            ("house", "mouse"),
            ("cat", "cut"),
            ("garden", "garnish"),
            ("meetings", "meetings"),
        ] {
            assert!(!is_slip(one, other), "{one} {other}");
        }
    }
}
