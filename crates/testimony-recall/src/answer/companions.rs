//! Who asks two things wants what says the one and what says the other: where a row answers one of them, a row that says
//! something of the other answers too.
//!
//! Whether anything is answered at all is decided before: what is taken in here never stands alone.

use super::judge::Judged;
use super::lanes::Ranked;
use super::succession::answering;
use crate::query::Reading;

/// So much has to put it before other rows.
const PLACED_FROM: f64 = 0.06;
/// And so much of what is asked it has to speak of.
const SPEAKS_OF_IT: f64 = 0.1;

/// Takes in what says the other of the two things that are asked.
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

/// Whether a row says enough of one of the two to come with what answers the other.
fn accompanies(row: &Judged<'_>) -> bool {
    let evidence = &row.evidence;
    row.fit.place >= PLACED_FROM
        && evidence.wording.asked >= SPEAKS_OF_IT
        && !(row.is_of_other_subject() || evidence.excluded || evidence.denied)
}
