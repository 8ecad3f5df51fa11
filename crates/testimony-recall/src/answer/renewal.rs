//! Whether a later row says anew what an earlier one says that answers: signs with their weights, fitted on pairs of the
//! first row of a question about the present and rows that are newer, in worlds and in talks; `docs/quality.md` says how.

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
    weight: f64,
    of: fn(&Pair<'_>) -> f64,
}

/// Where nothing speaks for it.
const BIAS: f64 = -5.43;

/// From this chance on it takes its place.
const RENEWS_FROM: f64 = 0.4;

#[rustfmt::skip]
const SIGNS: &[Sign] = &[
    // What both say, and how long the earlier one is: "the code is 4711" is soon said anew.
    Sign { weight:  1.17, of: |it| it.says.in_common(it.said) },
    Sign { weight:  1.06, of: |it| yes(it.says.shares_a_name(it.said, it.reading)) },
    Sign { weight: -1.39, of: |it| it.said.length() },
    // What the later one says of what is asked, and how far it stands out from rows that only happen to be near: in a talk
    // many do, in a room of notes few.
    Sign { weight: 12.99, of: |it| it.later.evidence.lead },
    Sign { weight:  2.32, of: |it| it.later.evidence.wording.asked },
    Sign { weight:  1.87, of: |it| it.later.evidence.wording.missing },
    Sign { weight:  1.70, of: |it| it.later.fit.told.says },
    Sign { weight:  0.84, of: |it| place(it.later) },
    Sign { weight: -1.09, of: |it| place(it.earlier) },
    // Whether it says that something changed, and that it is what is asked.
    Sign { weight:  0.95, of: |it| yes(it.says.says_change) },
    Sign { weight:  1.53, of: |it| yes(it.says.changes_the_asked) },
];

/// What puts a row before others, as a logarithm.
fn place(row: &Judged<'_>) -> f64 {
    const LEAST: f64 = 1e-3;
    row.fit.place.max(LEAST).ln()
}

/// Whether `later` says anew what `earlier` says. What is said of somebody else does not: Ben's new salary is none of Ana's.
/// And who asks whether something is so asks for no value that a later row could say anew: that the lighthouse is closed says
/// nothing of its colour.
pub(super) fn renews(later: &Judged<'_>, earlier: &Judged<'_>, reading: &Reading) -> bool {
    let (Some(says), Some(said)) = (&later.statement, &earlier.statement) else {
        return false;
    };
    if later.is_of_other_subject() || reading.kind == QuestionKind::YesNo {
        return false;
    }
    let pair = Pair {
        later,
        earlier,
        says,
        said,
        reading,
    };
    let signs = SIGNS.iter().map(|sign| sign.weight * (sign.of)(&pair));
    BIAS + signs.sum::<f64>() >= odds(RENEWS_FROM)
}
