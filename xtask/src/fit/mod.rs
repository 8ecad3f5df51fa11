//! `cargo xtask fit`: the tables of how texts and pairs of claims are worded, learnt anew from the labelled ones in
//! `fixtures/`.
//!
//! `crates/testimony-admission/src/wording` says what a table is and asks it. Learning takes the same signs that asking
//! does, from the same code, and draws nothing by chance: on one machine the same fixtures give the same table.
//! `fixtures/unseen_texts` is never read here; a test measures with it.

mod descent;
mod regression;
mod samples;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;

use testimony_admission::wording::ONE;

use crate::{Outcome, Task, Trouble, shell};
use regression::{Fitted, Sample};
use samples::Read;

/// Where the tables stand, from the root of the repository.
const TABLES: &str = "crates/testimony-admission/src";
/// Signs of fewer texts say nothing about the next one.
const FEWEST_TEXTS: usize = 2;
/// A sign whose weights are all smaller is left out.
const LEAST_WEIGHT: f64 = 0.15;
/// A weight that is smaller is left out.
const LEAST_CELL: i64 = 4;

/// Learns both tables and writes them.
///
/// # Errors
/// [`Trouble`] when a fixture cannot be read or a table not be written.
pub fn run(out: &mut dyn Write) -> Task {
    let root = shell::repository_root();
    for (name, about, read) in [
        (
            "wording/attacks",
            "a sentence that instructs its reader",
            samples::attacks as fn(&Path) -> Result<Read, Trouble>,
        ),
        (
            "wording/records",
            "a row of a trial, a log, a program or a terminal, or prose of an assistant, a page or a manual",
            samples::records,
        ),
        (
            "reconcile/together",
            "the same, a newer value or something that stands against it",
            samples::pairs,
        ),
    ] {
        let read = read(&root)?;
        let table = learn(&read, about);
        let path = root.join(TABLES).join(format!("{name}.tsv"));
        shell::write(&path, &table)?;
        let (texts, lines) = (read.texts.len(), table.lines().count());
        let said = writeln!(out, "{name}: {lines} lines from {texts} texts");
        said.map_err(|source| Trouble::File {
            path: "standard output".to_owned(),
            source,
        })?;
    }
    Ok(Outcome::Held)
}

/// A table, as it is written.
fn learn(read: &Read, about: &str) -> String {
    let mut signs = frequent(read);
    // What weighs hardly anything goes, and what is left is weighed again without it.
    let fitted = fit(read, &signs);
    let mut number = 0..;
    signs.retain(|_| {
        number
            .next()
            .is_some_and(|number| fitted.heaviest(number) >= LEAST_WEIGHT)
    });
    write_table(read, &signs, &fit(read, &signs), about)
}

/// Every sign of more texts than one, in order.
fn frequent(read: &Read) -> Vec<String> {
    let mut texts_of: BTreeMap<&str, usize> = BTreeMap::new();
    for text in &read.texts {
        let mut signs: Vec<&str> = text.pieces.iter().flatten().map(String::as_str).collect();
        signs.sort_unstable();
        signs.dedup();
        for sign in signs {
            *texts_of.entry(sign).or_default() += 1;
        }
    }
    let frequent = texts_of
        .into_iter()
        .filter(|(_, texts)| *texts >= FEWEST_TEXTS);
    frequent.map(|(sign, _)| sign.to_owned()).collect()
}

/// Fits, first without the texts of which only some piece is of its kind, then with the piece of each that is likeliest.
fn fit(read: &Read, signs: &[String]) -> Fitted {
    let texts = numbered(read, signs);
    let certain = || {
        let each = read.texts.iter().zip(&texts);
        each.flat_map(|(text, pieces)| {
            let pieces = text.kinds.iter().zip(pieces);
            pieces.filter_map(|(kind, signs)| {
                let signs = signs.clone();
                kind.map(|kind| Sample { kind, signs })
            })
        })
    };
    let known: Vec<Sample> = certain().collect();
    let mut fitted = regression::fit(&known, read.kinds.len(), signs.len());
    for _ in 0..2 {
        let open = read.texts.iter().zip(&texts);
        let open = open.filter(|(text, _)| text.kinds.contains(&None));
        let likeliest = open.filter_map(|(text, pieces)| likeliest(text.kind, pieces, &fitted));
        let samples: Vec<Sample> = certain().chain(likeliest).collect();
        fitted = regression::fit(&samples, read.kinds.len(), signs.len());
    }
    fitted
}

/// The known signs of each piece of each text, by number, each once.
fn numbered(read: &Read, signs: &[String]) -> Vec<Vec<Vec<usize>>> {
    let numbers: BTreeMap<&str, usize> = signs.iter().map(String::as_str).zip(0..).collect();
    let known = |piece: &Vec<String>| {
        let known = piece.iter().filter_map(|sign| numbers.get(sign.as_str()));
        let mut known: Vec<usize> = known.copied().collect();
        known.sort_unstable();
        known.dedup();
        known
    };
    let texts = read.texts.iter();
    texts
        .map(|text| text.pieces.iter().map(known).collect())
        .collect()
}

/// The piece that is likeliest of a kind.
fn likeliest(kind: usize, pieces: &[Vec<usize>], fitted: &Fitted) -> Option<Sample> {
    let odds = |signs: &Vec<usize>| {
        let odds = fitted.odds(signs);
        odds.get(kind.saturating_sub(1))
            .copied()
            .unwrap_or_default()
    };
    let signs = pieces.iter().max_by(|a, b| odds(a).total_cmp(&odds(b)))?;
    let signs = signs.clone();
    Some(Sample { kind, signs })
}

#[expect(clippy::cast_possible_truncation, reason = "weights are small numbers")]
fn hundredths(weight: f64) -> i64 {
    (weight * ONE).round() as i64
}

fn write_table(read: &Read, signs: &[String], fitted: &Fitted, about: &str) -> String {
    let mut table = format!(
        "# How likely it is {about}, by the signs in it: hundredths of a logarithm of odds, `kind:weight`.\n\
         # Learnt by `cargo xtask fit` from the labelled texts in fixtures/; no line is written by hand.\n"
    );
    for (kind, base) in read.kinds.iter().zip(fitted.base()) {
        let _ = writeln!(table, "={kind}\t{}", hundredths(*base));
    }
    for (number, sign) in signs.iter().enumerate() {
        let cells = fitted
            .weights_of(number)
            .iter()
            .map(|weight| hundredths(*weight))
            .enumerate();
        let cells: Vec<String> = cells
            .filter(|(_, weight)| weight.abs() >= LEAST_CELL)
            .map(|(kind, weight)| format!("\t{kind}:{weight}"))
            .collect();
        // A sign without weights is known all the same.
        let _ = writeln!(table, "{sign}{}", cells.concat());
    }
    table
}
