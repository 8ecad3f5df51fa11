//! Measures what the junk stages do with a file of JSON lines that have a `text`, plain or gzipped.
//!
//! `measure_junk FILE [CLASS]` prints each text that is not admitted, the counts, and the speed of the stages together.
#![expect(
    clippy::disallowed_methods,
    reason = "an example measures time and reads files"
)]
#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "an example may stop and speak"
)]

use std::io::Read;
use std::time::Instant;

use flate2::read::GzDecoder;
use testimony_admission::injection::{Grade, examine};
use testimony_admission::residue::classify;
use testimony_domain::SourceClass;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().expect("a file");
    let class = arguments
        .next()
        .unwrap_or_else(|| "external_document".to_owned());
    let class = SourceClass::parse("class", &class).expect("a class");
    let texts = read(&path);
    let (mut weak, mut strong, mut residue) = (0, 0, 0);
    for text in &texts {
        let found = examine([text.as_str()], class);
        let signals: Vec<_> = found
            .signals
            .iter()
            .map(|signal| (signal.id, text.get(signal.span.clone())))
            .collect();
        let line: String = text.chars().take(160).collect();
        match found.grade {
            Grade::None => {}
            Grade::Weak => weak += 1,
            Grade::Strong => strong += 1,
        }
        if found.grade != Grade::None {
            println!("{} {:.1} {signals:?}: {line:?}", found.grade, found.score);
        }
        if let Some(finding) = classify(text) {
            residue += 1;
            println!("{} by {}: {line:?}", finding.reason, finding.rule);
        }
    }
    println!(
        "{} texts: {weak} weak, {strong} strong, {residue} residue",
        texts.len()
    );
    speed("injection", &texts, |text| {
        examine([text], class).signals.len()
    });
    speed("residue", &texts, |text| {
        usize::from(classify(text).is_some())
    });
}

fn speed(name: &str, texts: &[String], stage: impl Fn(&str) -> usize) {
    let bytes: usize = texts.iter().map(String::len).sum();
    let rounds = (20_000_000 / bytes.max(1)).max(1);
    let start = Instant::now();
    let mut found = 0;
    for _ in 0..rounds {
        found += texts.iter().map(|text| stage(text)).sum::<usize>();
    }
    #[expect(clippy::cast_precision_loss, reason = "a rate")]
    let rate = (bytes * rounds) as f64 / start.elapsed().as_secs_f64() / 1e6;
    println!("{name}: {rate:.1} MB/s ({found} findings)");
}

fn read(path: &str) -> Vec<String> {
    let bytes = std::fs::read(path).expect("a readable file");
    let mut content = String::new();
    if path.ends_with(".gz") {
        GzDecoder::new(bytes.as_slice())
            .read_to_string(&mut content)
            .expect("a gzipped text");
    } else {
        content = String::from_utf8(bytes).expect("a text");
    }
    let rows = content
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    rows.filter_map(|row| {
        row.get("text")
            .and_then(|text| text.as_str())
            .map(str::to_owned)
    })
    .collect()
}
