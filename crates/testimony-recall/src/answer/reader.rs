//! Which rows are read with the question before them: the few that are likeliest to answer, whatever becomes of them at the
//! gates of trust.

use std::rc::Rc;

use testimony_domain::{MemoryId, Reason};

use super::heirs::was_replaced;
use super::judge::{Bench, Held, Judged};
use super::talk::Talk;
use super::{Request, followed, sort_out};
use crate::candidate::Candidate;
use crate::gates::Stage;
use crate::query::{QuestionKind, RowReader};
use crate::text::QUESTION_MARKS;

/// So many rows are read. What stands further down the net hardly ever knows to answer, see `docs/reading.md`.
const MOST_READ: usize = 6;

/// So much of their texts, in bytes, as takes a few milliseconds; the likeliest two are read in any case.
const MOST_BYTES: usize = 640;
/// Of one row no more than this is read.
const MOST_BYTES_OF_ONE: usize = 240;

/// The candidates, with what whoever reads says of those that are read.
#[must_use]
pub fn read<'a>(request: &Request<'_>, candidates: &[Candidate<'a>]) -> Vec<Candidate<'a>> {
    let reading = request.reading();
    let (passed, held) = sort_out(&Bench::new(request, &reading), candidates);
    let passed = passed.iter().map(|judged| judged.candidate);
    passed
        .chain(held.iter().map(|held| held.candidate))
        .collect()
}

/// Judges rows again that were read, and has later rows read beside the first one that answers.
///
/// Which rows are read depends neither on the trust policy nor on a threshold: rows that the policy holds count among the
/// likeliest, so that a stricter one lets no other row be read. What was read of them stays with them.
pub(super) fn judge_again<'a>(
    bench: &Bench<'_>,
    passed: &mut [Rc<Judged<'a>>],
    held: &mut [Held<'a>],
) {
    let Some(reader) = bench.request.reader else {
        return;
    };
    let was_read = |row: &Candidate<'_>| row.reads.is_some() || row.follows.is_some();
    let of_held = held.iter().map(|held| &held.candidate);
    let mut candidates = passed.iter().map(|row| &row.candidate).chain(of_held);
    if candidates.any(was_read) || !is_to_be_read(bench) {
        return;
    }
    let known = held.iter().filter(|held| may_count(held));
    let mut known: Vec<Judged<'a>> = known
        .map(|held| bench.judge(held.candidate, held.outcome))
        .collect();
    let talk = Talk::among(passed.iter().map(Rc::as_ref).chain(&known));
    read_likeliest(bench, reader, &talk, (passed, &mut known));
    if bench.reading.kind.is_question() {
        followed::read_beside(bench, reader, &talk, passed, &known);
    }
    let counted = held.iter_mut().filter(|held| may_count(held));
    for (held, row) in counted.zip(known) {
        held.candidate = row.candidate;
    }
}

/// Whether a row that is held counts among the likeliest: it came as far as the trust policy, so that under another one it
/// may be shown, or what took its place answers for it. What no policy lets so far leaves the places to others.
fn may_count(held: &Held<'_>) -> bool {
    let reached_the_policy = matches!(
        held.outcome.stage,
        Some(Stage::TrustPolicy | Stage::Review | Stage::Conflict | Stage::Added)
    );
    reached_the_policy || was_replaced(held)
}

/// Has the likeliest rows read with the question before them, unless words alone decide.
fn read_likeliest<'a>(
    bench: &Bench<'_>,
    reader: &dyn RowReader,
    talk: &Talk<'_>,
    (passed, known): (&mut [Rc<Judged<'a>>], &mut [Judged<'a>]),
) {
    let mut likeliest: Vec<&Judged<'a>> = passed.iter().map(Rc::as_ref).chain(&*known).collect();
    likeliest.retain(|row| row.fit.reason != Some(Reason::WrongSubject) && !talk.has(row));
    likeliest.sort_by(|a, b| {
        let by_chance = b.fit.degree.total_cmp(&a.fit.degree);
        by_chance.then_with(|| a.id().cmp(&b.id()))
    });
    let certain = |row: &&Judged<'_>| row.fit.is_certain(bench.reading);
    if likeliest.first().is_some_and(certain) {
        return;
    }
    likeliest.truncate(within(&likeliest, MOST_READ));
    for (id, reads) in said(reader, bench.request.query, &likeliest) {
        let again = |row: &Judged<'a>| {
            let candidate = Candidate {
                reads: Some(reads),
                ..row.candidate
            };
            bench.judge_as(candidate, row.verdict, row.stage)
        };
        if let Some(row) = passed.iter_mut().find(|row| row.id() == id) {
            *row = Rc::new(again(row));
        } else if let Some(row) = known.iter_mut().find(|row| row.id() == id) {
            *row = again(row);
        }
    }
}

/// Whether somebody asks, or has something done: keywords without a question mark are looked up, and statements only said.
fn is_to_be_read(bench: &Bench<'_>) -> bool {
    let kind = bench.reading.kind;
    let looks_up = kind == QuestionKind::Topic && !bench.request.query.contains(QUESTION_MARKS);
    kind != QuestionKind::Statement && !looks_up
}

/// How many of some rows are read, `most` at most.
pub(super) fn within(likeliest: &[&Judged<'_>], most: usize) -> usize {
    let sizes = likeliest.iter().map(|row| text(row).len());
    let mut bytes = 0;
    let within = sizes.enumerate().take_while(|(at, size)| {
        bytes += size.min(&MOST_BYTES_OF_ONE);
        *at < 2 || bytes <= MOST_BYTES
    });
    within.count().min(most)
}

/// What is read of a row.
pub(super) fn text<'a>(row: &Judged<'a>) -> &'a str {
    row.candidate.memory.content.as_str()
}

fn said(reader: &dyn RowReader, question: &str, rows: &[&Judged<'_>]) -> Vec<(MemoryId, f64)> {
    let texts: Vec<&str> = rows.iter().map(|row| text(row)).collect();
    let ids = rows.iter().map(|row| row.id());
    ids.zip(reader.read(question, &texts)).collect()
}
