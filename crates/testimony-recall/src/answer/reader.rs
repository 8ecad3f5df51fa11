//! Which rows are read with the question before them: the few that are likeliest to answer, whatever becomes of them at the
//! gates of trust.

use std::rc::Rc;

use testimony_domain::{MemoryId, Reason};

use super::judge::{Bench, Held, Judged};
use super::{Request, sort_out};
use crate::candidate::{Candidate, Channel};
use crate::query::{QuestionKind, RowReader};

/// So many rows are read. Of the questions of several sets whose answer is among the candidates, hardly any has it further down.
const MOST_READ: usize = 6;

/// So much of their texts, in bytes, as takes a few milliseconds; the likeliest two are read in any case.
const MOST_BYTES: usize = 640;
/// Of one row no more than this is read.
const MOST_BYTES_OF_ONE: usize = 240;

/// From this chance on that the likeliest row states what is asked, words alone decide: what they say for certain needs no
/// reading.
const CERTAIN: f64 = 0.82;

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

/// Judges rows again that were read.
///
/// Which rows are read depends neither on the trust policy nor on a threshold: rows that the policy holds count among the
/// likeliest, so that a stricter one lets no other row be read.
pub(super) fn judge_again<'a>(bench: &Bench<'_>, passed: &mut [Rc<Judged<'a>>], held: &[Held<'a>]) {
    let Some(reader) = bench.request.reader else {
        return;
    };
    let are_read = passed.iter().any(|row| row.candidate.reads.is_some());
    if are_read || !is_to_be_read(bench) {
        return;
    }
    let known = held.iter().filter(|held| held.outcome.is_known_to_caller());
    let known: Vec<Judged<'a>> = known
        .map(|held| bench.judge(held.candidate, held.outcome))
        .collect();
    let mut likeliest: Vec<&Judged<'a>> = passed.iter().map(Rc::as_ref).chain(&known).collect();
    likeliest.retain(|row| row.fit.reason != Some(Reason::WrongSubject) && !is_of_a_talk(row));
    likeliest.sort_by(|a, b| {
        let by_chance = b.fit.degree.total_cmp(&a.fit.degree);
        by_chance.then_with(|| a.id().cmp(&b.id()))
    });
    let certain = |row: &&Judged<'_>| row.fit.direct && row.fit.stated >= CERTAIN;
    if likeliest.first().is_some_and(certain) {
        return;
    }
    likeliest.truncate(read_of(&likeliest));
    let said = said(reader, bench.request.query, &likeliest);
    for (id, reads) in said {
        if let Some(row) = passed.iter_mut().find(|row| row.id() == id) {
            let candidate = Candidate {
                reads: Some(reads),
                ..row.candidate
            };
            *row = Rc::new(bench.judge_as(candidate, row.verdict, row.stage));
        }
    }
}

/// Whether somebody asks: keywords without a question mark are looked up, and tasks are done.
fn is_to_be_read(bench: &Bench<'_>) -> bool {
    let kind = bench.reading.kind;
    kind.is_question() && (kind != QuestionKind::Topic || bench.request.query.contains('?'))
}

/// How many of the likeliest rows are read.
fn read_of(likeliest: &[&Judged<'_>]) -> usize {
    let sizes = likeliest
        .iter()
        .map(|row| row.candidate.memory.content.as_str().len());
    let mut bytes = 0;
    let within = sizes.enumerate().take_while(|(at, size)| {
        bytes += size.min(&MOST_BYTES_OF_ONE);
        *at < 2 || bytes <= MOST_BYTES
    });
    within.count().min(MOST_READ)
}

/// Turns of a talk answer each other: who reads one of them alone, just before or after which another was said, misses what
/// it is about.
fn is_of_a_talk(row: &Judged<'_>) -> bool {
    let goes_on = |channel| row.evidence.channel(channel) > 0.0;
    let said = row.candidate.memory.speaker.is_some();
    said && [Channel::Before, Channel::After].into_iter().any(goes_on)
}

fn said(reader: &dyn RowReader, question: &str, rows: &[&Judged<'_>]) -> Vec<(MemoryId, f64)> {
    let texts: Vec<&str> = rows
        .iter()
        .map(|row| row.candidate.memory.content.as_str())
        .collect();
    let ids = rows.iter().map(|row| row.id());
    ids.zip(reader.read(question, &texts)).collect()
}
