//! The answer to a reader's own question: quoted from evidence with citations, read off the record, or the admission
//! that the evidence does not say.

use std::collections::{BTreeMap, BTreeSet};

use testimony_domain::{EvidenceId, Redacted, words as closed_set};

use crate::evidence::readable;
use crate::words::{all_words, sentences, topics};
use crate::{Bench, Bounds, DeterministicVerdict, Exhibit, Pen};

closed_set! {
    /// Where an answer comes from.
    pub enum AnswerStatus {
        /// From the words of the evidence.
        Quoted = "quoted",
        /// From the record of the case.
        OnRecord = "on_record",
        /// Nowhere: the evidence does not say.
        NotSaid = "evidence_does_not_say",
        /// The text is kept from this reader.
        Withheld = "withheld",
    }
}

/// One quote and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Citation {
    /// The evidence.
    pub evidence_id: EvidenceId,
    /// Its words.
    pub quote: Redacted,
}

/// The answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Where it comes from.
    pub status: AnswerStatus,
    /// The answer.
    pub text: Redacted,
    /// What it rests on.
    pub citations: Vec<Citation>,
}

/// How much of a question's topics a sentence must hold to answer it.
const ENOUGH_PER_CENT: usize = 60;
/// How many topics of a question are looked for.
const MOST_TOPICS: usize = 32;

struct RecordRow {
    /// Words of which the question must hold one from each list.
    cues: &'static [&'static [&'static str]],
    answer: fn(&Bench<'_>, &DeterministicVerdict) -> String,
}

/// Questions about the case itself, which the record answers; the first that fits.
#[rustfmt::skip]
const ON_RECORD: &[RecordRow] = &[
    RecordRow { cues: &[&["who"], &["approved", "approve"]], answer: |bench, _| approval(bench) },
    RecordRow { cues: &[&["how"], &["many"], &["origin", "origins", "source", "sources", "witness", "witnesses"]],
        answer: |bench, _| origins(bench) },
    RecordRow { cues: &[&["why"], &["trusted", "verdict", "caution", "rejected", "review", "pending", "blocked", "quarantined"]],
        answer: |_, verdict| grounds(verdict) },
    RecordRow { cues: &[&["when"], &["said", "stated", "observed", "recorded", "learned", "stored", "remembered"]],
        answer: |bench, _| dates(bench) },
    RecordRow { cues: &[&["is", "does", "still"], &["current", "hold", "holds", "valid", "still"], &["this", "it", "memory", "claim"]],
        answer: |_, verdict| format!("Its temporal state is {}, and the verdict is {}.", verdict.temporal_state, verdict.verdict) },
];

pub(crate) fn answer(
    bench: &Bench<'_>,
    verdict: &DeterministicVerdict,
    query: &str,
    pen: &Pen<'_>,
) -> Answer {
    let query: String = query.chars().take(Bounds::QUERY).collect();
    let plain = |status, text: &str| Answer {
        status,
        text: pen.write(text, Bounds::LINE),
        citations: Vec::new(),
    };
    let citations = match bench.withheld {
        None => quotes(bench, &query, pen),
        Some(_) => Vec::new(),
    };
    let record = on_record(bench, verdict, &query).filter(|_| !speaks_of_more(&citations, &query));
    if let Some(text) = record {
        return plain(AnswerStatus::OnRecord, &text);
    }
    if bench.withheld.is_some() {
        return plain(
            AnswerStatus::Withheld,
            "The text of this case is not shown to this key.",
        );
    }
    match citations.first() {
        None => plain(AnswerStatus::NotSaid, "The evidence does not say."),
        Some(best) => Answer {
            status: AnswerStatus::Quoted,
            text: best.quote.clone(),
            citations,
        },
    }
}

fn on_record(bench: &Bench<'_>, verdict: &DeterministicVerdict, query: &str) -> Option<String> {
    let asked: BTreeSet<String> = all_words(query).collect();
    let fits = |row: &&RecordRow| {
        let about_the_case = asked.len() <= 12;
        about_the_case
            && row
                .cues
                .iter()
                .all(|list| list.iter().any(|cue| asked.contains(*cue)))
    };
    let row = ON_RECORD.iter().find(fits)?;
    Some((row.answer)(bench, verdict))
}

/// Whether the best quote speaks of something that the question names beside the case: "Who approved the budget?" asks
/// what the memory says, "Who approved it?" what became of the memory.
fn speaks_of_more(citations: &[Citation], query: &str) -> bool {
    let of_the_case = ON_RECORD.iter().flat_map(|row| row.cues.iter().copied());
    let of_the_case: BTreeSet<String> = of_the_case.flatten().flat_map(|cue| topics(cue)).collect();
    let more: BTreeSet<String> = topics(query).difference(&of_the_case).cloned().collect();
    let best = citations.first();
    best.is_some_and(|best| crate::words::overlap(&more, best.quote.as_str()) > 0)
}

/// The sentences that hold enough of the question's topics, the fullest first, one per piece of evidence that the
/// report lists.
fn quotes(bench: &Bench<'_>, query: &str, pen: &Pen<'_>) -> Vec<Citation> {
    let wanted: BTreeSet<String> = topics(query).into_iter().take(MOST_TOPICS).collect();
    if wanted.is_empty() {
        return Vec::new();
    }
    let about = topics(bench.memory.content.as_str());
    let supporting = bench.supporting.iter().take(Bounds::EXHIBITS);
    let contradicting = bench.contradicting.iter().take(Bounds::EXHIBITS);
    let mut found: BTreeMap<(std::cmp::Reverse<usize>, usize), Citation> = BTreeMap::new();
    for (place, exhibit) in supporting.chain(contradicting).enumerate() {
        if let Some((hits, citation)) = best_sentence(exhibit, (&wanted, &about), pen) {
            found.insert((std::cmp::Reverse(hits), place), citation);
        }
    }
    found.into_values().take(Bounds::QUOTES).collect()
}

/// The sentence that holds enough of what is `wanted`; `about` is what the memory itself is about.
fn best_sentence(
    exhibit: &Exhibit<'_>,
    (wanted, about): (&BTreeSet<String>, &BTreeSet<String>),
    pen: &Pen<'_>,
) -> Option<(usize, Citation)> {
    let clean = readable(exhibit, about, pen);
    let mut best: Option<(usize, &str)> = None;
    for sentence in sentences(clean.as_str()) {
        let hits = crate::words::overlap(wanted, sentence);
        let enough = hits * 100 >= wanted.len() * ENOUGH_PER_CENT;
        if enough && best.is_none_or(|(most, _)| hits > most) {
            best = Some((hits, sentence));
        }
    }
    best.map(|(hits, sentence)| {
        let quote = pen.write(sentence, Bounds::EXCERPT);
        let evidence_id = exhibit.evidence.id;
        (hits, Citation { evidence_id, quote })
    })
}

fn approval(bench: &Bench<'_>) -> String {
    match (bench.memory.approved, bench.approval_is_on_record()) {
        (false, _) => "Nobody has approved it.".to_owned(),
        (true, Some(true)) => "A person approved it; the timeline says when.".to_owned(),
        (true, Some(false)) => {
            "It counts as approved, and no approval by a person is on record.".to_owned()
        }
        (true, None) => "It counts as approved; its history could not be read.".to_owned(),
    }
}

fn origins(bench: &Bench<'_>) -> String {
    let (rows, origins) = (bench.supporting.len(), bench.independent_origins());
    if bench.evidence_readable {
        format!(
            "Pieces of evidence that speak for it: {rows}. Independent origins among them: {origins}."
        )
    } else {
        "The evidence could not be read.".to_owned()
    }
}

fn grounds(verdict: &DeterministicVerdict) -> String {
    let sentences: Vec<&str> = verdict
        .reasons
        .iter()
        .map(|ground| ground.sentence())
        .collect();
    let because = if sentences.is_empty() {
        "Nothing speaks against it.".to_owned()
    } else {
        sentences.join(" ")
    };
    format!("The verdict is {}. {because}", verdict.verdict)
}

fn dates(bench: &Bench<'_>) -> String {
    let memory = bench.memory;
    let (said, kept) = (memory.observed_at, memory.created_at);
    format!("It was said at {said} and kept at {kept}.")
}
