//! How far a row speaks of what is asked word by word: each word of the question against the nearest word of the row, by
//! form, by spelling or by meaning.

use super::nearness::Near;
use crate::query::{FocusTerm, Role};
use crate::text::Word;

/// Two words are alike in meaning from this cosine on, and as good as the same from that.
const ALIKE_FROM: f64 = 0.25;
const ALIKE_FULLY: f64 = 0.85;
/// A word of the same meaning counts a little less than the word itself.
const MEANT: f64 = 0.9;
/// A slip of the pen counts as much as that.
const MISSPELT: f64 = 0.85;
/// Where only a name is asked for, or what is done with it in a word that says little, a row that holds it need not answer:
/// "why do we use Kafka".
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
    /// Of the words of a question, with how far the row holds each of them, and how near its own words come to it.
    pub(crate) fn of(focus: &[FocusTerm], by_form: &[f64], near: &[Near]) -> Self {
        let (mut asked, mut whole) = (Sum::default(), Sum::default());
        let (mut untold, mut missing) = (0.0, 0.0_f64);
        let (mut elsewhere, mut unseen) = (0.0, 0.0);
        let mut telling = false;
        let terms = focus.iter().zip(by_form.iter().zip(near));
        for (term, (by_form, near)) in terms.filter(|(term, _)| term.role != Role::Goal) {
            let held = held(term, *by_form, *near);
            whole.add(term.weight, held);
            let lacks = term.weight * (1.0 - held);
            if term.is_unseen {
                unseen += lacks;
            } else {
                elsewhere += lacks;
            }
            if term.role != Role::Subject {
                asked.add(term.weight, held);
                telling |= !term.is_light;
                if term.is_taken_for_granted {
                    untold = 1.0 - held;
                }
                missing = missing.max(lacks);
            }
        }
        let named_only = NAMED_ONLY * whole.share();
        Self {
            untold,
            missing: asked.of(missing) * if telling { 1.0 } else { NAMED_ONLY },
            asked: if telling {
                asked.share()
            } else {
                asked.share().max(named_only)
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

/// How far a row speaks of a word that it holds so far, and to which its own words come so near.
fn held(term: &FocusTerm, by_form: f64, near: Near) -> f64 {
    if by_form >= CERTAIN || term.is_rare_shape {
        return by_form;
    }
    if near.misspelt {
        return MISSPELT;
    }
    let meant = (near.cosine - ALIKE_FROM) / (ALIKE_FULLY - ALIKE_FROM);
    by_form.max(MEANT * meant.clamp(0.0, 1.0))
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
