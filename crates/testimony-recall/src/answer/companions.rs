//! Who asks for several things wants what several rows say: where a row answers, one that stands high enough and says
//! something of what is asked answers too, and so does one that goes on with what the answer tells. Which of the things each
//! of them says is not told apart.
//!
//! Whether anything is answered at all is decided before: what is taken in here never stands alone.

use std::rc::Rc;

use super::judge::Judged;
use super::lanes::Ranked;
use super::succession::answering;
use crate::query::Reading;

/// So much has to put it before other rows.
const PLACED_FROM: f64 = 0.06;
/// And so much of what is asked it has to speak of, where it does not name whom or what is asked about.
const SAYS_FROM: f64 = 0.1;
/// And by so much it has to stand out: in a talk, where many rows are near what is asked, few of them are asked for.
const LEADS_FROM: f64 = 0.01;
/// What speaks of so much of what is asked need not stand out.
const SAYS_MUCH: f64 = 0.4;
/// So many words that the question lacks have both what answers and what goes on with it.
const GOES_ON_WITH: usize = 2;
/// And this share of the shorter one's words.
const GOES_ON_FROM: f64 = 0.3;

/// Takes in what comes with an answer where several things are asked.
pub(crate) fn take_in<'a>(
    direct: &mut Vec<Ranked<'a>>,
    related: &mut Vec<Ranked<'a>>,
    reading: &Reading,
) {
    // It is no more relevant than what it comes with, so that no threshold leaves it alone.
    let most = direct.iter().map(|answer| answer.relevance.get());
    let Some(most) = most.reduce(f64::max).filter(|_| reading.asks_for_several) else {
        return;
    };
    let answers: Vec<Rc<Judged<'a>>> = direct.iter().map(|it| Rc::clone(&it.judged)).collect();
    let comes_with = |row: &Judged<'_>| {
        let mut answers = answers.iter();
        accompanies(row) || answers.any(|answer| goes_on(row, answer, reading))
    };
    let (taken, left) = related
        .drain(..)
        .partition(|row| !row.judged.speaks_against() && comes_with(&row.judged));
    *related = left;
    direct.extend(Vec::into_iter(taken).map(|row: Ranked<'a>| answering(&row, most)));
}

/// Whether a row says enough to come with what answers.
fn accompanies(row: &Judged<'_>) -> bool {
    let evidence = &row.evidence;
    row.fit.place >= PLACED_FROM
        && (evidence.wording.asked >= SAYS_FROM || evidence.names_the_subject())
        && (evidence.lead >= LEADS_FROM || evidence.wording.asked >= SAYS_MUCH)
}

/// Whether a row goes on with what an answer tells: both say what the question does not.
fn goes_on(row: &Judged<'_>, answer: &Judged<'_>, reading: &Reading) -> bool {
    let (Some(says), Some(said)) = (&row.statement, &answer.statement) else {
        return false;
    };
    says.both_untold(said, reading) >= GOES_ON_WITH && says.in_common(said) >= GOES_ON_FROM
}
