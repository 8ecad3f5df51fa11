//! How fast admission is, as a whole and stage by stage, on a text of ordinary notes that is put together here.
//!
//! `cargo bench -p testimony-admission` prints throughputs. The floor reads the same bytes once as UTF-8 and once
//! through NFKC; on a machine that others use too, the ratio to it says more than any figure alone.

use std::fmt::Write as _;
use std::hint::black_box;

use divan::Bencher;
use divan::counter::BytesCount;
use testimony_admission::submission::{Policy, Submission};
use testimony_admission::{admit, claims, echo, injection, normalise, residue, secrets};
use testimony_domain::{EvidenceChannel, SourceClass, Timestamp};
use unicode_normalization::UnicodeNormalization;

const POLICY: Policy<'static> = Policy {
    exempt_rules: &[],
    allowed_fingerprints: &[],
    block_marks: &["<testimony-memory"],
    fingerprint_key: &[7; 32],
};
const SPOKEN_AT: Timestamp = Timestamp::constant(1_767_225_600, 0);
const CLASS: SourceClass = SourceClass::UserStatement;
/// How many notes a pass takes.
const NOTES: usize = 400;
const KILOBYTE: usize = 1_000;

fn main() {
    divan::main();
}

/// Ordinary notes: who does what, where, since when; with names, numbers, commits, links and other languages.
fn notes() -> Vec<String> {
    const WHO: [&str; 7] = [
        "Ana",
        "Rui",
        "The billing team",
        "Our landlord",
        "Mira",
        "Jonas",
        "Die Werkstatt",
    ];
    const WHAT: [&str; 9] = [
        "moved the nightly export to PostgreSQL 16",
        "prefers the train over flying",
        "keeps the staging cluster in Frankfurt",
        "signed the lease for the workshop",
        "is allergic to peanuts",
        "fixed the rounding of invoice totals in 4f1d9c2",
        "hat die Heizung am Montag repariert",
        "wrote the runbook at https://wiki.example.org/runbooks/export?page=2",
        "pays 1,250 EUR a month for the office",
    ];
    const WHEN: [&str; 5] = [
        "in March",
        "since 2021",
        "last Tuesday",
        "on 8 May 2023",
        "every Friday",
    ];
    (0..NOTES)
        .map(|at| {
            let mut note = String::new();
            for part in at..at + 1 + at % 3 {
                let pick = |words: &[&'static str]| words.get(part * 5 % words.len()).copied();
                let (who, what, when) = (pick(&WHO), pick(&WHAT), pick(&WHEN));
                let words = [who, what, when].map(Option::unwrap_or_default);
                let _ = write!(note, "{}. ", words.join(" "));
            }
            note
        })
        .collect()
}

fn submission(text: &str) -> Submission<'_> {
    Submission {
        text,
        channel: EvidenceChannel::Retain,
        class: CLASS,
        kind: None,
        speaker: None,
        observed_at: SPOKEN_AT,
        fields: &[],
        extract: true,
        review_requested: false,
        user_message: None,
        handed_out: &[],
    }
}

fn over_notes<T>(bencher: Bencher<'_, '_>, work: impl Fn(&str) -> T + Sync) {
    let notes = notes();
    let bytes: usize = notes.iter().map(String::len).sum();
    let pass = || {
        for note in &notes {
            black_box(work(black_box(note)));
        }
    };
    bencher.counter(BytesCount::new(bytes)).bench(pass);
}

#[divan::bench]
fn floor(bencher: Bencher<'_, '_>) {
    over_notes(bencher, |text| {
        (
            std::str::from_utf8(text.as_bytes()).is_ok(),
            text.nfkc().count(),
        )
    });
}

#[divan::bench]
fn whole_admission(bencher: Bencher<'_, '_>) {
    over_notes(bencher, |text| admit(&submission(text), &POLICY));
}

#[divan::bench]
fn one_kilobyte(bencher: Bencher<'_, '_>) {
    let mut text = notes().concat();
    text.truncate(text.floor_char_boundary(KILOBYTE));
    let work = || admit(&submission(black_box(&text)), &POLICY);
    bencher.counter(BytesCount::new(text.len())).bench(work);
}

#[divan::bench]
fn stage_1_normalise(bencher: Bencher<'_, '_>) {
    over_notes(bencher, |text| normalise::Reading::of(text).bytes());
}

#[divan::bench]
fn stage_2_secrets(bencher: Bencher<'_, '_>) {
    over_notes(bencher, |text| secrets::scan(text, &POLICY));
}

#[divan::bench]
fn stage_3_injection(bencher: Bencher<'_, '_>) {
    over_notes(bencher, |text| injection::examine([text], CLASS));
}

#[divan::bench]
fn stage_4_residue(bencher: Bencher<'_, '_>) {
    over_notes(bencher, residue::classify);
}

#[divan::bench]
fn stage_5_echo(bencher: Bencher<'_, '_>) {
    let context = echo::Context {
        handed_out: &["Ana moved to Oslo in March."],
        ..echo::Context::default()
    };
    over_notes(bencher, |text| echo::find_all(text, &context));
}

#[divan::bench]
fn stage_6_claims(bencher: Bencher<'_, '_>) {
    over_notes(bencher, |text| {
        let context = claims::Context {
            speaker: None,
            observed_at: SPOKEN_AT,
            kind: None,
            channel: EvidenceChannel::Retain,
            class: CLASS,
            residue: None,
        };
        claims::extract(text, &context).claims.len()
    });
}
