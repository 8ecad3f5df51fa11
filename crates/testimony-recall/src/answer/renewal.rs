//! Whether a later row says anew what an earlier one says that answers: signs with their weights, fitted on pairs of the
//! first row of a question about the present and rows that are newer, in worlds and in talks, by `xtask/fit/renewal.py`.

use testimony_domain::MemoryId;

use super::judge::Judged;
use super::succession::Statement;
use crate::query::{QuestionKind, Reading};
use crate::score::{odds, yes};

/// A row that answers, and a later one, each with what it says.
struct Pair<'p> {
    later: &'p Judged<'p>,
    earlier: &'p Judged<'p>,
    says: &'p Statement,
    said: &'p Statement,
    reading: &'p Reading,
}

/// A sign that the later row takes the place of the earlier one, and how much it says.
struct Sign {
    name: &'static str,
    weight: f64,
    of: fn(&Pair<'_>) -> f64,
}

const fn sign(name: &'static str, weight: f64, of: fn(&Pair<'_>) -> f64) -> Sign {
    Sign { name, weight, of }
}

/// Where nothing speaks for it.
const BIAS: f64 = -5.43;

/// From this chance on it takes its place.
const RENEWS_FROM: f64 = 0.4;

#[rustfmt::skip]
const SIGNS: &[Sign] = &[
    // What both say, and how long the earlier one is: "the code is 4711" is soon said anew.
    sign("in_common",           1.17, |it| it.says.in_common(it.said)),
    sign("shares_a_name",       1.06, |it| yes(it.says.shares_a_name(it.said, it.reading))),
    sign("length",             -1.39, |it| it.said.length()),
    // What the later one says of what is asked, and how far it stands out from rows that only happen to be near: in a talk
    // many do, in a room of notes few.
    sign("lead",               12.99, |it| it.later.evidence.lead),
    sign("asked",               2.32, |it| it.later.evidence.wording.asked),
    sign("missing",             1.87, |it| it.later.evidence.wording.missing),
    sign("says",                1.70, |it| it.later.fit.told.says),
    sign("place_later",         0.84, |it| place(it.later)),
    sign("place_earlier",      -1.09, |it| place(it.earlier)),
    // Whether it says that something changed, and that it is what is asked.
    sign("says_change",         0.95, |it| yes(it.says.says_change)),
    sign("changes_the_asked",   1.53, |it| yes(it.says.changes_the_asked)),
];

/// What puts a row before others, as a logarithm.
fn place(row: &Judged<'_>) -> f64 {
    const LEAST: f64 = 1e-3;
    row.fit.place.max(LEAST).ln()
}

/// The names of the signs, in their order.
pub fn renewal_sign_names() -> impl Iterator<Item = &'static str> {
    SIGNS.iter().map(|sign| sign.name)
}

impl Pair<'_> {
    /// What each sign says.
    fn signs(&self) -> impl Iterator<Item = f64> {
        SIGNS.iter().map(|sign| (sign.of)(self))
    }

    fn renews(&self) -> bool {
        let weighed = self.signs().zip(SIGNS);
        let sum: f64 = weighed.map(|(says, sign)| sign.weight * says).sum();
        BIAS + sum >= odds(RENEWS_FROM)
    }
}

/// Both as a pair, where one may say anew what the other says. What is said of somebody else does not: Ben's new salary is none
/// of Ana's. And who asks whether something is so asks for no value that a row could say anew which does not answer by itself: that
/// the lighthouse is closed says nothing of its colour.
fn pair<'p>(
    later: &'p Judged<'p>,
    earlier: &'p Judged<'p>,
    reading: &'p Reading,
) -> Option<Pair<'p>> {
    let (says, said) = (later.statement.as_ref()?, earlier.statement.as_ref()?);
    let may =
        !later.is_of_other_subject() && (later.fit.direct || reading.kind != QuestionKind::YesNo);
    may.then_some(Pair {
        later,
        earlier,
        says,
        said,
        reading,
    })
}

/// Whether `later` says anew what `earlier` says.
pub(super) fn renews(later: &Judged<'_>, earlier: &Judged<'_>, reading: &Reading) -> bool {
    pair(later, earlier, reading).is_some_and(|pair| pair.renews())
}

/// A newer row beside one that answers, and what speaks for its saying anew what that one says.
#[derive(Clone, Debug, PartialEq)]
pub struct Renewal {
    /// The newer row.
    pub later: MemoryId,
    /// The one that answers.
    pub earlier: MemoryId,
    /// What each sign says, in the order of [`renewal_sign_names`].
    pub signs: Vec<f64>,
    /// Whether it takes the place of the other.
    pub renews: bool,
}

impl Renewal {
    pub(super) fn weighed(
        later: &Judged<'_>,
        earlier: &Judged<'_>,
        reading: &Reading,
    ) -> Option<Self> {
        let pair = pair(later, earlier, reading)?;
        Some(Self {
            later: later.id(),
            earlier: earlier.id(),
            signs: pair.signs().collect(),
            renews: pair.renews(),
        })
    }
}
