//! Later rows that are read beside the first one that answers: that they say it anew stands in no word of theirs. "From July
//! Dr Faraday sees our people" is what became of "Our GP is Dr Wickham". Those that may make it out of date are read with the
//! question too: that a lecture has moved to another room says nothing of when it is.
//!
//! Which rows are read depends neither on the trust policy nor on a threshold: the first row is the first of those that the
//! strictest policy shows, and later ones are all that any policy does.

use std::collections::HashMap;
use std::rc::Rc;

use testimony_domain::{MemoryId, TrustPolicy, Verdict};

use super::judge::{Bench, Judged};
use super::reader::{text, within};
use super::renewal::{LEAST_SAID, promise};
use super::succession;
use super::talk::Talk;
use crate::candidate::Follows;
use crate::query::RowReader;

/// So many later rows are read.
const MOST_READ: usize = 6;

/// Reads later rows beside the first one that answers, where the question wants what holds now.
pub(super) fn read_beside<'a>(
    bench: &Bench<'_>,
    reader: &dyn RowReader,
    talk: &Talk<'_>,
    passed: &mut [Rc<Judged<'a>>],
    known: &[Judged<'a>],
) {
    if !succession::wants_the_newest(bench.reading) {
        return;
    }
    let rows = || {
        let rows = passed.iter().map(Rc::as_ref).chain(known);
        rows.filter(|row| row.is_result_of_some_policy())
    };
    let Some(first) = first(rows()).filter(|first| !talk.has(first)) else {
        return;
    };
    let earlier = first.id();
    let best = best_of_the_same(rows());
    let later = rows().filter(|row| !talk.has(row) && is_best(row, &best));
    let later = likeliest(bench, first, later);
    let texts: Vec<&str> = later.iter().map(|row| text(row)).collect();
    let odds = reader.renews(text(first), &texts);
    let answers = answers(bench, reader, &later, &odds);
    let ids: Vec<MemoryId> = later.iter().map(|row| row.id()).collect();
    for ((id, odds), answers) in ids.into_iter().zip(odds).zip(answers) {
        if let Some(row) = passed.iter_mut().find(|row| row.id() == id) {
            let row = Rc::make_mut(row);
            row.candidate.follows = Some(Follows {
                earlier,
                odds,
                answers,
            });
            row.statement = Some(bench.statement(row).into_owned());
        }
    }
}

/// How well a row answers by itself: those that answer go before those that are only relevant, and these before others.
fn answers_by_itself(row: &Judged<'_>) -> (bool, bool) {
    (row.is_relevant() && row.fit.direct, row.is_relevant())
}

/// Of rows that say the same, how well the best of them answers by itself. It stands for all of them where the policy shows it,
/// so the others are read under none.
fn best_of_the_same<'r, 'a: 'r>(
    rows: impl Iterator<Item = &'r Judged<'a>>,
) -> HashMap<u128, (bool, bool)> {
    let mut best: HashMap<u128, (bool, bool)> = HashMap::new();
    for row in rows {
        if let Some(same) = row.same {
            let known = best.entry(same).or_default();
            *known = answers_by_itself(row).max(*known);
        }
    }
    best
}

fn is_best(row: &Judged<'_>, best: &HashMap<u128, (bool, bool)>) -> bool {
    let best = row.same.and_then(|same| best.get(&same));
    best.is_none_or(|best| *best <= answers_by_itself(row))
}

/// What is read of later rows with the question before them, where that they make an earlier one out of date is not ruled out.
fn answers(
    bench: &Bench<'_>,
    reader: &dyn RowReader,
    later: &[&Judged<'_>],
    odds: &[f64],
) -> Vec<Option<f64>> {
    let is_open = |row: &Judged<'_>, odds: f64| odds >= LEAST_SAID && row.candidate.reads.is_none();
    let open = later
        .iter()
        .zip(odds)
        .filter(|(row, odds)| is_open(row, **odds));
    let texts: Vec<&str> = open.map(|(row, _)| text(row)).collect();
    let read = if texts.is_empty() {
        Vec::new()
    } else {
        reader.read(bench.request.query, &texts)
    };
    let mut read = read.into_iter();
    let each = later.iter().zip(odds);
    each.map(|(row, odds)| {
        if is_open(row, *odds) {
            read.next()
        } else {
            row.candidate.reads
        }
    })
    .collect()
}

/// The first of the rows that answer and that the strictest policy shows; of those that say the same the most trusted, into
/// which others are collapsed.
fn first<'r, 'a: 'r>(rows: impl Iterator<Item = &'r Judged<'a>>) -> Option<&'r Judged<'a>> {
    let trust = |row: &Judged<'_>| -> Verdict { row.candidate.memory.ruling().verdict };
    let answers = |row: &&Judged<'_>| row.fit.direct && row.is_relevant();
    rows.filter(|row| answers(row) && row.is_shown_under(TrustPolicy::Strict))
        .min_by(|one, other| {
            let by_place = other.fit.place.total_cmp(&one.fit.place);
            let by_trust = || trust(one).cmp(&trust(other));
            by_place
                .then_with(by_trust)
                .then_with(|| one.id().cmp(&other.id()))
        })
}

/// Later rows that may be found to say anew what the first says, the likeliest first, no more than take a few milliseconds.
fn likeliest<'r, 'a: 'r>(
    bench: &Bench<'_>,
    first: &Judged<'a>,
    rows: impl Iterator<Item = &'r Judged<'a>>,
) -> Vec<&'r Judged<'a>> {
    let said = bench.statement(first);
    let later = rows.filter(|row| succession::may_follow(row, first));
    let promising = later.filter_map(|row| {
        let says = bench.statement(row);
        let promise = promise((row, &says), (first, &said), bench.reading)?;
        Some((promise, row))
    });
    let mut later: Vec<(f64, &Judged<'a>)> = promising.collect();
    later.sort_by(|(one, a), (other, b)| other.total_cmp(one).then_with(|| a.id().cmp(&b.id())));
    let mut later: Vec<&Judged<'a>> = later.into_iter().map(|(_, row)| row).collect();
    later.truncate(within(&later, MOST_READ));
    later
}
