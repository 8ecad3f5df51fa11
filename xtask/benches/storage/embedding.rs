//! What the vector of a sentence costs.

use std::path::Path;

use testimony_embedding::Embedder;
use testimony_embedding::transformer::Transformer;
use xtask::bench::{Bar, Report, Wanted};

use crate::shared::data::Data;
use crate::shared::machine::Times;

const SENTENCES: usize = 500;
const ROUNDS: usize = 9;

pub(crate) fn measure(wanted: &Wanted, report: &mut Report) {
    let data = Data::new(wanted.seed, false, 1);
    let texts: Vec<String> = (0..SENTENCES).map(|row| data.text(row)).collect();
    let times = Times::of(SENTENCES, ROUNDS, |which| {
        data.embedder().embed(&[&texts[which]]).unwrap().len()
    });
    let micros = times.at(0.5) * 1e3;
    let name = "table, a sentence of 15 words, p50";
    report.add("embedding", name, micros, "µs", Bar::AtMost(50.0));
    if let Some(folder) = &wanted.model {
        measure_model(folder, &texts, report);
    }
}

fn measure_model(folder: &Path, texts: &[String], report: &mut Report) {
    const FEW: usize = 20;
    let model = Transformer::open(folder).unwrap();
    // Made-up words fall into many pieces, so a sentence of usual words is measured too.
    let usual =
        "The committee approved the annual budget after a long debate on Tuesday in the town";
    let times = Times::of(FEW, 5, |_| model.embed(&[usual]).unwrap().len());
    let name = "local transformer, a sentence of 15 words, p50";
    report.add("embedding", name, times.at(0.5), "ms", Bar::AtMost(12.0));
    let times = Times::of(FEW, 3, |which| model.embed(&[&texts[which]]).unwrap().len());
    let name = "local transformer, 15 made-up words, p50";
    report.add("embedding", name, times.at(0.5), "ms", Bar::None);
}
