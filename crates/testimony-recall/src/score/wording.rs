//! How far a row speaks of what is asked word by word: each word of the question against the nearest word of the row, by
//! form, by spelling or by meaning.

use super::row::RowText;
use crate::query::{FocusTerm, Likeness, Role};
use crate::text::{Shape, Word};

/// Two words are alike in meaning from this cosine on, and as good as the same from that.
const ALIKE_FROM: f64 = 0.25;
const ALIKE_FULLY: f64 = 0.85;
/// A word of the same meaning counts a little less than the word itself.
const MEANT: f64 = 0.9;
/// A slip of the pen counts as much as that.
const MISSPELT: f64 = 0.85;
/// Shorter words differ by a letter and mean something else.
const SHORTEST_SLIP: usize = 5;
/// Where only a name is asked for, a row that holds it need not answer.
const NAMED_ONLY: f64 = 0.5;
/// A relative by its beginning alone may be no relative.
const CERTAIN: f64 = 0.8;

/// The words of a question, each with how far the row speaks of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wording {
    /// How far the row is silent about what the question takes for granted: that somebody did something.
    pub untold: f64,
    /// The weighted share of the words that say what is asked.
    pub asked: f64,
    /// The weighted share of all words, names with them.
    pub whole: f64,
    /// How much the heaviest word that the row does not speak of weighs among those that say what is asked.
    pub missing: f64,
    /// The weighted share of the words that stand in other rows and not in this one, nor anything like them: the row
    /// rather speaks of something else.
    pub elsewhere: f64,
    /// The weighted share of the words that stand in no row, nor anything like them in this one.
    pub unseen: f64,
}

impl Wording {
    pub(crate) fn of<'f>(
        focus: impl Iterator<Item = &'f FocusTerm>,
        row: &RowText,
        likeness: Option<Likeness<'_>>,
    ) -> Self {
        let (mut asked, mut whole) = (Sum::default(), Sum::default());
        let mut untold: f64 = 0.0;
        let mut missing: f64 = 0.0;
        let (mut elsewhere, mut unseen) = (0.0, 0.0);
        for term in focus.filter(|term| term.role != Role::Goal) {
            let held = held(term, row, likeness);
            whole.add(term.weight, held);
            let lacks = term.weight * (1.0 - held);
            if term.is_unseen {
                unseen += lacks;
            } else {
                elsewhere += lacks;
            }
            if term.role != Role::Subject {
                asked.add(term.weight, held);
                if term.is_taken_for_granted {
                    untold = 1.0 - held;
                }
                missing = missing.max(term.weight * (1.0 - held));
            }
        }
        Self {
            untold,
            missing: if asked.all > 0.0 {
                missing / asked.all
            } else {
                0.0
            },
            asked: if asked.all > 0.0 {
                asked.share()
            } else {
                NAMED_ONLY * whole.share()
            },
            elsewhere: whole.of(elsewhere),
            unseen: whole.of(unseen),
            whole: whole.share(),
        }
    }
}

#[derive(Default)]
struct Sum {
    all: f64,
    held: f64,
}

impl Sum {
    fn add(&mut self, weight: f64, held: f64) {
        self.all += weight;
        self.held += weight * held;
    }

    fn share(&self) -> f64 {
        self.of(self.held)
    }

    fn of(&self, part: f64) -> f64 {
        if self.all > 0.0 { part / self.all } else { 0.0 }
    }
}

/// How far a row speaks of a word.
fn held(term: &FocusTerm, row: &RowText, likeness: Option<Likeness<'_>>) -> f64 {
    let by_form = row.holds(&term.sought);
    if by_form >= CERTAIN || term.is_rare_shape {
        return by_form;
    }
    let content = || {
        row.words
            .iter()
            .filter(|word| !word.stop && word.shape == Shape::Plain)
    };
    let misspelt = content().any(|word| is_slip(&term.raw, &word.raw));
    if misspelt {
        return MISSPELT;
    }
    let Some(likeness) = likeness.filter(|_| term.role != Role::Subject) else {
        return by_form;
    };
    let nearest = content()
        .map(|word| likeness(&term.raw, &word.raw))
        .fold(0.0, f64::max);
    let meant = (nearest - ALIKE_FROM) / (ALIKE_FULLY - ALIKE_FROM);
    by_form.max(MEANT * meant.clamp(0.0, 1.0))
}

/// Whether two longer words differ by one letter too many, missing, wrong or swapped with its neighbour, and not in
/// their first.
fn is_slip(one: &str, other: &str) -> bool {
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
    if same_start == 0 {
        return false;
    }
    let rest = |word: &str, skip: usize| word.chars().skip(same_start + skip).collect::<String>();
    let same = |skip: usize, of: usize| rest(one, skip) == rest(other, of);
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
    !ending && (same(1, 1) && !rest(one, 1).is_empty() || same(1, 0) || same(0, 1) || swapped())
}

/// Words that count toward the length of a row.
pub(super) fn length(words: &[Word]) -> f64 {
    const LONG: f64 = 30.0;
    let content = words
        .iter()
        .filter(|word| !word.stop && !word.whole)
        .count();
    let content = u16::try_from(content).unwrap_or(u16::MAX);
    (f64::from(content) / LONG).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::is_slip;

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
