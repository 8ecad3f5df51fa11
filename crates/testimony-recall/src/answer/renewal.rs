//! Whether a later row says anew what an earlier one says that answers: signs with their weights, fitted on pairs of the
//! first row of a question about the present and rows that are newer, in worlds and in talks, by `xtask/fit/renewal.py`, with
//! weights of their own where both were read together.

use testimony_domain::MemoryId;

use super::judge::Judged;
use super::lanes::Ranked;
use super::succession::Statement;
use crate::candidate::Follows;
use crate::query::{QuestionKind, Reading};
use crate::score::{odds, yes};

/// A row that answers, and a later one, each with what it says.
struct Pair<'p> {
    later: &'p Judged<'p>,
    earlier: &'p Judged<'p>,
    says: &'p Statement,
    said: &'p Statement,
    reading: &'p Reading,
    newer: Newer,
    /// What was read of both, as the logarithm of the odds that the later one makes the earlier one out of date.
    read: Option<f64>,
    /// What was read of the later one with the question before it, as the logarithm of the odds that it answers.
    answers: Option<f64>,
}

/// The rows that are newer than one that answers, and may say it anew: how many, and what puts the first two of them before
/// others. In a room of notes one row says something anew; in a talk many could.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Newer {
    count: u32,
    first: f64,
    second: f64,
}

impl Newer {
    /// The same with one row more.
    pub(super) fn with(self, place: f64) -> Self {
        let (first, second) = match self.count {
            0 => (place, place),
            1 => (place.max(self.first), place.min(self.first)),
            _ if place > self.first => (place, self.first),
            _ => (self.first, place.max(self.second)),
        };
        Self {
            count: self.count + 1,
            first,
            second,
        }
    }

    /// How far a row that is one of them stands before the best of the others, or behind it.
    fn ahead(self, place: f64) -> f64 {
        let best = if place < self.first {
            self.first
        } else {
            self.second
        };
        place - best
    }

    /// The logarithm of how many there are, and one.
    fn many(self) -> f64 {
        f64::from(self.count + 1).ln()
    }
}

/// A sign that the later row takes the place of the earlier one, and how much it says by words, and where both were read.
struct Sign {
    name: &'static str,
    weights: [f64; 2],
    of: fn(&Pair<'_>) -> f64,
}

const fn sign(name: &'static str, weights: [f64; 2], of: fn(&Pair<'_>) -> f64) -> Sign {
    Sign { name, weights, of }
}

/// What signs say where nothing speaks for a pair: by words, and where both were read.
const BIASES: [f64; 2] = [-5.53, -3.18];

/// From this chance on the later row takes the place of the other: by words, and where both were read.
const RENEWS_FROM: [f64; 2] = [0.25, 0.2];

/// What is read to be so unlikely renews nothing, however much both share: "Ben owns the mail package", "Cleo owns the chat
/// package".
pub(super) const LEAST_SAID: f64 = -4.0;

/// No reading counts for more than this.
const MOST_SAID: f64 = 6.0;

#[rustfmt::skip]
const SIGNS: &[Sign] = &[
    // What was read of both, and of the later one with the question; what both say, and how long the earlier one is: "the code is 4711" is soon said anew.
    sign("read",               [ 0.00,  0.34], |it| it.read.map_or(0.0, |odds| odds.clamp(-MOST_SAID, MOST_SAID))),
    sign("answers",            [ 0.00,  0.41], |it| it.answers.map_or(0.0, |odds| odds.clamp(-MOST_SAID, MOST_SAID))),
    sign("in_common",          [ 2.49,  0.71], |it| it.says.in_common(it.said)),
    sign("shares_a_name",      [ 0.91,  0.55], |it| yes(it.says.shares_a_name(it.said, it.reading))),
    sign("length",             [-0.50,  0.00], |it| it.said.length()),
    // What the later one says of what is asked, which who reads both does not see, and how far it stands out from rows that
    // only happen to be near: in a talk many do, in a room of notes few.
    sign("lead",               [ 6.87,  2.31], |it| it.later.evidence.lead),
    sign("asked",              [ 3.28,  1.01], |it| it.later.evidence.wording.asked),
    sign("missing",            [ 1.80,  0.47], |it| it.later.evidence.wording.missing),
    sign("says",               [ 1.98,  0.83], |it| it.later.fit.told.says),
    sign("place_later",        [ 0.48,  0.18], |it| place(it.later)),
    sign("place_earlier",      [-0.46, -0.79], |it| place(it.earlier)),
    // How it stands among the others that are newer, which are not counted where both were read.
    sign("ahead",              [ 0.77,  0.00], |it| it.newer.ahead(place(it.later))),
    sign("many",               [-0.59,  0.00], |it| it.newer.many()),
    // What words alone decide by rule ([`may_renew`]).
    sign("direct",             [ 0.00,  0.21], |it| yes(it.later.fit.direct)),
    sign("of_another",         [ 0.00,  0.00], |it| yes(it.later.is_of_other_subject())),
    sign("yes_no",             [ 0.00,  0.40], |it| yes(it.reading.kind == QuestionKind::YesNo)),
    // Whether it says that something changed, and that it is what is asked.
    sign("says_change",        [ 0.67,  0.00], |it| yes(it.says.says_change)),
    sign("changes_the_asked",  [ 0.76,  0.16], |it| yes(it.says.changes_the_asked)),
];

/// What puts a row before others, as a logarithm.
pub(super) fn place(row: &Judged<'_>) -> f64 {
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

    /// Which of two weights counts: by words, or where both were read.
    const fn weight(&self, [by_words, as_read]: [f64; 2]) -> f64 {
        if self.read.is_some() {
            as_read
        } else {
            by_words
        }
    }

    /// How far what the signs say is above what renews, as a logarithm of odds.
    fn ahead(&self) -> f64 {
        let signs = self.signs().zip(SIGNS);
        let weighed = signs.map(|(says, sign)| self.weight(sign.weights) * says);
        self.weight(BIASES) + weighed.sum::<f64>() - odds(self.weight(RENEWS_FROM))
    }

    fn renews(&self) -> bool {
        self.read.is_none_or(|odds| odds >= LEAST_SAID) && self.ahead() >= 0.0
    }
}

/// How likely a row is to be found to say anew what an earlier one says, before both are read: how far it would be ahead if what
/// is read of both said all that it can, where that is ahead at all.
pub(super) fn promise(
    (later, says): (&Judged<'_>, &Statement),
    (earlier, said): (&Judged<'_>, &Statement),
    reading: &Reading,
) -> Option<f64> {
    let pair = Pair {
        later,
        earlier,
        says,
        said,
        reading,
        newer: Newer::default(),
        read: Some(MOST_SAID),
        answers: None,
    };
    Some(pair.ahead()).filter(|ahead| *ahead >= 0.0)
}

/// Whether a row may say anew what an earlier one says, as far as words tell. What is said of somebody else does not: Ben's new
/// salary is none of Ana's. And who asks whether something is so, or names a topic, asks for no value that a row could say anew
/// which does not answer by itself: that the lighthouse is closed says nothing of its colour.
pub(super) fn may_renew(later: &Judged<'_>, reading: &Reading) -> bool {
    let of_no_value = matches!(reading.kind, QuestionKind::YesNo | QuestionKind::Topic);
    let answers = later.fit.direct || !of_no_value;
    later.statement.is_some() && !later.is_of_other_subject() && answers
}

/// Both as pairs, where one may say anew what the other says: one for each way in which the other is the first. What was read
/// beside one row renews no other by its words: a stricter policy, which may have another first row, would show it.
fn pairs<'p>(
    later: &'p Ranked<'_>,
    earlier: &'p Ranked<'_>,
    reading: &'p Reading,
) -> impl Iterator<Item = Pair<'p>> {
    let follows = follows(later, earlier);
    let by_words = !later.judged.was_read_beside() && may_renew(&later.judged, reading);
    let newer = if by_words { &*earlier.newer } else { &[] };
    let as_read = follows.map(|_| Newer::default());
    let newer = newer.iter().copied().chain(as_read);
    newer.filter_map(move |newer| {
        let (later, earlier) = (&*later.judged, &*earlier.judged);
        Some(Pair {
            says: later.statement.as_ref()?,
            said: earlier.statement.as_ref()?,
            later,
            earlier,
            reading,
            newer,
            read: follows.map(|it| it.odds),
            answers: follows.and_then(|it| it.answers),
        })
    })
}

/// What was read of a row beside an earlier one.
fn follows(later: &Ranked<'_>, earlier: &Ranked<'_>) -> Option<Follows> {
    let follows = later.judged.candidate.follows;
    follows.filter(|it| it.earlier == earlier.judged.id())
}

/// Whether both were read together, and `later` says anew what `earlier` says.
pub(super) fn is_read_to_renew(
    later: &Ranked<'_>,
    earlier: &Ranked<'_>,
    reading: &Reading,
) -> bool {
    follows(later, earlier).is_some() && renews(later, earlier, reading)
}

/// Whether `later` says anew what `earlier` says.
pub(super) fn renews(later: &Ranked<'_>, earlier: &Ranked<'_>, reading: &Reading) -> bool {
    pairs(later, earlier, reading).any(|pair| pair.renews())
}

/// A newer row beside one that answers, and what speaks for its saying anew what that one says.
#[derive(Clone, Debug, PartialEq)]
pub struct Renewal {
    /// The newer row.
    pub later: MemoryId,
    /// The one that answers.
    pub earlier: MemoryId,
    /// Whether both were read together.
    pub read: bool,
    /// What each sign says, in the order of [`renewal_sign_names`].
    pub signs: Vec<f64>,
    /// Whether it takes the place of the other.
    pub renews: bool,
}

impl Renewal {
    pub(super) fn weighed(
        later: &Ranked<'_>,
        earlier: &Ranked<'_>,
        reading: &Reading,
    ) -> Option<Self> {
        let pair = pairs(later, earlier, reading).next()?;
        Some(Self {
            later: later.judged.id(),
            earlier: earlier.judged.id(),
            read: pair.read.is_some(),
            signs: pair.signs().collect(),
            renews: pair.renews(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Newer;

    #[test]
    fn the_best_of_the_newer_rows_is_compared_with_the_second_and_all_others_with_it() {
        let of = |places: &[f64]| {
            places
                .iter()
                .fold(Newer::default(), |it, place| it.with(*place))
        };
        assert!(of(&[]).many().abs() < 1e-9);
        assert!((of(&[-1.0]).ahead(-1.0), of(&[-1.0]).many()) == (0.0, 2.0_f64.ln()));
        let three = of(&[-3.0, -1.0, -2.0]);
        let ahead = [-1.0, -2.0, -3.0].map(|place| three.ahead(place));
        assert!(ahead == [1.0, -1.0, -2.0] && three.many() == 4.0_f64.ln());
        // Two that stand alike are ahead of nothing.
        assert!(of(&[-1.0, -1.0]).ahead(-1.0).abs() < 1e-9);
    }
}
