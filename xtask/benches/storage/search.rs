//! Hybrid search in one container, beside a bare tantivy query and a bare scan of the same data.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use pulp::Arch;
use tantivy::collector::TopDocs;
use tantivy::query::{BooleanQuery, Occur, Query, TermQuery};
use tantivy::schema::{IndexRecordOption, Schema, TEXT};
use tantivy::{Term, doc};
use testimony_service::ports::embedder::Vector;
use xtask::bench::{Bar, Report, Wanted};

use crate::shared::data::Data;
use crate::shared::machine::Times;
use crate::world::{CANDIDATES, HYBRID, MEANING, Questions, WORDS, index_in, take_in};

const QUESTIONS: usize = 300;
const ROUNDS: usize = 7;

pub(crate) fn measure(wanted: &Wanted, report: &mut Report) {
    for (hard, name) in [(false, "Zipf"), (true, "80 words")] {
        measure_one(wanted, &Data::new(wanted.seed, hard, 1), name, report);
    }
}

fn measure_one(wanted: &Wanted, data: &Data, name: &str, report: &mut Report) {
    let rows = wanted.rows.unwrap_or(100_000);
    let rows = if wanted.quick { 1_000 } else { rows };
    let folder = tempfile::tempdir_in(&wanted.out).unwrap();
    let index = index_in(folder.path());
    take_in(&index, data, 0..rows);
    index.flush().unwrap();
    let questions = Questions::of(data, QUESTIONS);
    let [hybrid, words, meaning] = [HYBRID, WORDS, MEANING].map(|by| {
        Times::of(QUESTIONS, ROUNDS, |which| {
            questions.ask(&index, which, by).len()
        })
    });
    let bare_words = bare_words(data, rows, &questions);
    let bare_scan = bare_scan(data, rows, &questions.meanings);
    let ratio = |share: f64| hybrid.at(share) / (bare_words.at(share) + bare_scan.at(share));
    let mut add = |what: &str, value: f64, unit, bar| {
        report.add("search", format!("{name}: {what}"), value, unit, bar);
    };
    add(
        "hybrid, 200 candidates, filters, p50",
        hybrid.at(0.5),
        "ms",
        Bar::AtMost(3.0),
    );
    add("hybrid, p99", hybrid.at(0.99), "ms", Bar::AtMost(12.0));
    add("words alone, p50", words.at(0.5), "ms", Bar::None);
    add("meaning alone, p50", meaning.at(0.5), "ms", Bar::None);
    add(
        "bare tantivy query, p50",
        bare_words.at(0.5),
        "ms",
        Bar::None,
    );
    add("bare scan, p50", bare_scan.at(0.5), "ms", Bar::None);
    add(
        "hybrid by the sum of both, p50",
        ratio(0.5),
        "times",
        Bar::AtMost(2.0),
    );
    add(
        "hybrid by the sum of both, p99",
        ratio(0.99),
        "times",
        Bar::None,
    );
}

fn bare_words(data: &Data, rows: usize, questions: &Questions) -> Times {
    let mut schema = Schema::builder();
    let text = schema.add_text_field("text", TEXT);
    let index = tantivy::Index::create_in_ram(schema.build());
    let mut writer: tantivy::IndexWriter = index.writer_with_num_threads(1, 100 << 20).unwrap();
    for row in 0..rows {
        writer.add_document(doc!(text => data.text(row))).unwrap();
    }
    writer.commit().unwrap();
    let searcher = index.reader().unwrap().searcher();
    Times::of(questions.len(), ROUNDS, |which| {
        let terms = questions.words[which].iter().map(|word| {
            let term = Term::from_field_text(text, word);
            let query: Box<dyn Query> =
                Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs));
            (Occur::Should, query)
        });
        let top = TopDocs::with_limit(CANDIDATES).order_by_score();
        let query = BooleanQuery::new(terms.collect());
        searcher.search(&query, &top).unwrap().len()
    })
}

fn eight_bits(vector: &Vector) -> Vec<i8> {
    let numbers = vector.as_slice().iter();
    numbers.map(|number| (number * 127.0) as i8).collect()
}

fn bare_scan(data: &Data, rows: usize, questions: &[Vector]) -> Times {
    let vectors = (0..rows).flat_map(|row| eight_bits(&data.meaning(&data.text(row))));
    let all: Vec<i8> = vectors.collect();
    let asked: Vec<Vec<i8>> = questions.iter().map(eight_bits).collect();
    Times::of(asked.len(), ROUNDS, |which| scan(&all, &asked[which]))
}

fn scan(all: &[i8], asked: &[i8]) -> usize {
    let mut best: BinaryHeap<Reverse<(i32, usize)>> = BinaryHeap::new();
    Arch::new().dispatch(
        #[inline(always)]
        || {
            for (row, vector) in all.chunks_exact(asked.len()).enumerate() {
                let pairs = vector.iter().zip(asked);
                let score: i32 = pairs
                    .map(|(a, b)| i32::from(i16::from(*a) * i16::from(*b)))
                    .sum();
                if best.len() < CANDIDATES {
                    best.push(Reverse((score, row)));
                } else if best.peek().is_some_and(|worst| score > worst.0.0) {
                    best.pop();
                    best.push(Reverse((score, row)));
                }
            }
        },
    );
    best.len()
}
