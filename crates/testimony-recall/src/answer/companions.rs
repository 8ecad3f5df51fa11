//! Who asks two things wants what says the one and what says the other: where a row answers, one that stands high enough and
//! says something of what is asked answers too. Which of the two it says is not told apart.
//!
//! Whether anything is answered at all is decided before: what is taken in here never stands alone.

use super::judge::Judged;
use super::lanes::Ranked;
use super::succession::answering;
use crate::query::Reading;

/// So much has to put it before other rows.
const PLACED_FROM: f64 = 0.06;
/// And so much of what is asked it has to speak of.
const SAYS_FROM: f64 = 0.1;
/// And by so much it has to stand out: in a talk, where many rows are near what is asked, few of them are asked for.
const LEADS_FROM: f64 = 0.01;

/// Takes in what comes with an answer where two things are asked.
pub(crate) fn take_in<'a>(
    direct: &mut Vec<Ranked<'a>>,
    related: &mut Vec<Ranked<'a>>,
    reading: &Reading,
) {
    // It is no more relevant than what it comes with, so that no threshold leaves it alone.
    let most = direct.iter().map(|answer| answer.relevance.get());
    let Some(most) = most.reduce(f64::max).filter(|_| !reading.parts.is_empty()) else {
        return;
    };
    let (taken, left) = related.drain(..).partition(|row| accompanies(&row.judged));
    *related = left;
    direct.extend(Vec::into_iter(taken).map(|row: Ranked<'a>| answering(&row, most)));
}

/// Whether a row says enough to come with what answers.
fn accompanies(row: &Judged<'_>) -> bool {
    let evidence = &row.evidence;
    row.fit.place >= PLACED_FROM
        && evidence.wording.asked >= SAYS_FROM
        && evidence.lead >= LEADS_FROM
        && !(row.is_of_other_subject() || evidence.excluded || evidence.denied)
}
