//! Evidence as a report lists it: an excerpt of what matters, where it comes from, and what it shares a cause with.

use std::collections::BTreeSet;

use testimony_domain::{
    EvidenceId, Polarity, Redacted, SourceClass, State, Timestamp, words as closed_set,
};

use crate::words::{overlap, sentences, topics};
use crate::{Bench, Bounds, Exhibit, Pen};

closed_set! {
    /// Whether there is evidence to look at.
    pub enum EvidenceStatus {
        /// There is.
        Available = "available",
        /// There is none.
        None = "none",
        /// It could not be read.
        Unavailable = "unavailable",
        /// It is kept from this reader.
        Withheld = "withheld",
        /// It was erased.
        Erased = "erased",
    }
}

/// One piece of evidence in a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvidenceItem {
    /// Its id.
    pub evidence_id: EvidenceId,
    /// What it does for the memory.
    pub polarity: Polarity,
    /// The part of it that speaks of the same; empty where it is withheld.
    pub redacted_excerpt: Redacted,
    /// How much its source's word counts.
    pub class: SourceClass,
    /// Where it came from, in the caller's words.
    pub source: Redacted,
    /// Which group of shared causes it falls into, from 1; `None` for an echo.
    pub independence_group: Option<usize>,
    /// Whether it only repeats what this service had handed out.
    pub echo: bool,
    /// When it was said.
    pub observed_at: Timestamp,
    /// When it was kept.
    pub recorded_at: Timestamp,
}

/// How much evidence there is, also beyond what is listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EvidenceTotals {
    /// Pieces that speak for it.
    pub supporting: usize,
    /// Pieces that speak against it.
    pub contradicting: usize,
    /// Origins that speak for it and share no cause.
    pub independent_origins: usize,
    /// Pieces that only repeat what this service had handed out.
    pub echoes: usize,
}

pub(crate) fn status(bench: &Bench<'_>) -> EvidenceStatus {
    if bench.memory.state == State::Erased {
        EvidenceStatus::Erased
    } else if bench.withheld.is_some() {
        EvidenceStatus::Withheld
    } else if !bench.evidence_readable {
        EvidenceStatus::Unavailable
    } else if bench.supporting.is_empty() && bench.contradicting.is_empty() {
        EvidenceStatus::None
    } else {
        EvidenceStatus::Available
    }
}

pub(crate) fn totals(bench: &Bench<'_>) -> EvidenceTotals {
    EvidenceTotals {
        supporting: bench.supporting.len(),
        contradicting: bench.contradicting.len(),
        independent_origins: bench.independent_origins(),
        echoes: bench
            .supporting
            .iter()
            .filter(|one| one.origin.echo)
            .count(),
    }
}

pub(crate) fn items(bench: &Bench<'_>, side: &[Exhibit<'_>], pen: &Pen<'_>) -> Vec<EvidenceItem> {
    let wanted = topics(bench.memory.content.as_str());
    side.iter()
        .take(Bounds::EXHIBITS)
        .map(|exhibit| item(bench, exhibit, &wanted, pen))
        .collect()
}

fn item(
    bench: &Bench<'_>,
    exhibit: &Exhibit<'_>,
    wanted: &BTreeSet<String>,
    pen: &Pen<'_>,
) -> EvidenceItem {
    let evidence = exhibit.evidence;
    let shown = bench.withheld.is_none();
    let excerpt = shown.then(|| shown_text(exhibit, wanted, pen));
    EvidenceItem {
        evidence_id: evidence.id,
        polarity: exhibit.polarity,
        redacted_excerpt: excerpt.unwrap_or_default(),
        class: exhibit.origin.class,
        source: pen.write(evidence.label.as_str(), Bounds::NAME),
        independence_group: exhibit.group.map(|group| group + 1),
        echo: exhibit.origin.echo,
        observed_at: evidence.observed_at,
        recorded_at: evidence.recorded_at,
    }
}

/// What of an exhibit's text may be excerpted or quoted: all of it, or only the sentence that says most of what the
/// memory says.
pub(crate) fn readable(
    exhibit: &Exhibit<'_>,
    wanted: &BTreeSet<String>,
    pen: &Pen<'_>,
) -> Redacted {
    let clean = pen.clean(exhibit.evidence.text.as_str());
    if exhibit.claim_only {
        fullest_sentence(&clean, wanted).map_or_else(Redacted::default, |found| pen.clean(found))
    } else {
        clean
    }
}

fn shown_text(exhibit: &Exhibit<'_>, wanted: &BTreeSet<String>, pen: &Pen<'_>) -> Redacted {
    excerpt_of_clean(&readable(exhibit, wanted, pen), wanted, pen)
}

/// The beginning of a text that fits, else its sentence that says most of what is wanted; the first of equals.
///
/// The whole text is redacted before it is taken apart, so that a cut cannot make a secret unrecognisable.
pub(crate) fn excerpt(text: &str, wanted: &BTreeSet<String>, pen: &Pen<'_>) -> Redacted {
    excerpt_of_clean(&pen.clean(text), wanted, pen)
}

fn excerpt_of_clean(clean: &Redacted, wanted: &BTreeSet<String>, pen: &Pen<'_>) -> Redacted {
    if clean.as_str().chars().nth(Bounds::EXCERPT).is_none() {
        return clean.clone();
    }
    match fullest_sentence(clean, wanted) {
        None => clean.head(Bounds::EXCERPT),
        Some(sentence) => pen.write(sentence, Bounds::EXCERPT),
    }
}

/// The sentence that says most of what is wanted, the first of equals; `None` when none says anything of it.
fn fullest_sentence<'t>(clean: &'t Redacted, wanted: &BTreeSet<String>) -> Option<&'t str> {
    let mut best = (None, 0);
    for sentence in sentences(clean.as_str()) {
        let score = overlap(wanted, sentence);
        if score > best.1 {
            best = (Some(sentence), score);
        }
    }
    best.0
}
