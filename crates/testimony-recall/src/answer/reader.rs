//! Which rows are read with the question before them: the few that are likeliest to answer, whatever becomes of them at the
//! gates of trust.

use std::rc::Rc;

use testimony_domain::{Memory, MemoryId, Reason};

use super::judge::{Bench, Held, Judged};
use super::{Request, sort_out};
use crate::candidate::Candidate;
use crate::query::RowReader;

/// So many rows are read. Of the questions of several sets whose answer is among the candidates, hardly any has it further down.
const MOST_READ: usize = 6;

/// The candidates, with what whoever reads says of those that are read.
#[must_use]
pub fn read<'a>(request: &Request<'_>, candidates: &[Candidate<'a>]) -> Vec<Candidate<'a>> {
    let reading = request.reading();
    let (passed, held) = sort_out(&Bench::new(request, &reading), candidates);
    let passed = passed.iter().map(|judged| judged.candidate);
    passed.chain(held.iter().map(|held| held.candidate)).collect()
}

/// Judges rows again that were read.
///
/// Which rows are read depends neither on the trust policy nor on a threshold: rows that the policy holds count among the
/// likeliest, so that a stricter one lets no other row be read.
pub(super) fn judge_again<'a>(
    bench: &Bench<'_>,
    passed: &mut [Rc<Judged<'a>>],
    held: &[Held<'a>],
) {
    let Some(reader) = bench.request.reader else {
        return;
    };
    let are_read = passed.iter().any(|row| row.candidate.reads.is_some());
    if are_read || !bench.reading.kind.is_question() {
        return;
    }
    let known = held.iter().filter(|held| held.outcome.is_known_to_caller());
    let known: Vec<Rc<Judged<'a>>> = known
        .map(|held| Rc::new(bench.judge(held.candidate, held.outcome)))
        .collect();
    let mut likeliest: Vec<&Rc<Judged<'a>>> = passed.iter().chain(&known).collect();
    likeliest.retain(|row| row.fit.reason != Some(Reason::WrongSubject));
    likeliest.sort_by(|a, b| {
        let by_chance = b.fit.degree.total_cmp(&a.fit.degree);
        by_chance.then_with(|| a.id().cmp(&b.id()))
    });
    likeliest.truncate(MOST_READ);
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

/// A row as it is read: behind the name of whoever said it.
fn as_told(memory: &Memory) -> String {
    let text = memory.content.as_str();
    match &memory.speaker {
        Some(speaker) => format!("{}: {text}", speaker.as_str()),
        None => text.to_owned(),
    }
}

fn said(
    reader: &dyn RowReader,
    question: &str,
    rows: &[&Rc<Judged<'_>>],
) -> Vec<(MemoryId, f64)> {
    let texts: Vec<String> = rows.iter().map(|row| as_told(row.candidate.memory)).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let ids = rows.iter().map(|row| row.id());
    ids.zip(reader.read(question, &texts)).collect()
}
