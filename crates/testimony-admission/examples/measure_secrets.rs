//! Measures the secrets stage on a folder of gzipped JSON lines: `cargo run --release --example measure_secrets -- FOLDER [SHOW]`.
#![expect(
    clippy::cast_precision_loss,
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a measuring program reads files, prints, and may stop where its data are not as described"
)]

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::time::Instant;

use flate2::read::GzDecoder;
use serde_json::Value;
use testimony_admission::normalise::Reading;
use testimony_admission::secrets::{scan, split_across};
use testimony_admission::submission::Policy;

const POLICY: Policy<'static> = Policy {
    exempt_rules: &[],
    allowed_fingerprints: &[],
    block_marks: &[],
    fingerprint_key: &[7; 32],
};

fn rows(folder: &str, name: &str) -> Vec<Value> {
    let file = File::open(format!("{folder}/{name}.jsonl.gz")).unwrap();
    BufReader::new(GzDecoder::new(file))
        .lines()
        .map(|line| serde_json::from_str(&line.unwrap()).unwrap())
        .collect()
}

fn text<'v>(row: &'v Value, key: &str) -> &'v str {
    row.get(key).and_then(Value::as_str).unwrap_or_default()
}

fn leaks(redacted: &str, secret: &str) -> bool {
    let reading = Reading::of(redacted);
    let bytes = secret.as_bytes();
    let windows: Vec<&[u8]> = if bytes.len() < 8 {
        vec![bytes]
    } else {
        bytes.windows(8).collect()
    };
    reading.views().any(|view| {
        windows
            .iter()
            .any(|w| view.text().as_bytes().windows(w.len()).any(|v| v == *w))
    })
}

fn positives(folder: &str, name: &str, show: &str) {
    let mut groups: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for row in rows(folder, name) {
        let (input, secret) = (text(&row, "text"), text(&row, "secret"));
        let result = scan(input, &POLICY);
        let caught = !result.findings.is_empty()
            && (secret.is_empty() || !leaks(result.redacted.as_str(), secret));
        let group = match (row.get("tier"), text(&row, "src")) {
            (Some(tier), _) => format!("tier {tier}"),
            (None, src) => src.to_owned(),
        };
        let entry = groups.entry(group.clone()).or_default();
        entry.0 += usize::from(caught);
        entry.1 += 1;
        if !caught && name.contains(show) && !show.is_empty() && group != "tier 3" {
            println!(
                "  MISS {} {} | {:.200} | {:.200}",
                text(&row, "rule"),
                text(&row, "transform"),
                input.escape_debug(),
                result.redacted.as_str().escape_debug()
            );
        }
    }
    for (group, (caught, of)) in groups {
        println!(
            "{name} {group}: {caught}/{of} = {:.2} %",
            caught as f64 * 100.0 / of as f64
        );
    }
}

fn negatives(folder: &str, name: &str, show: &str) {
    let (mut touched, mut of) = (0, 0);
    for row in rows(folder, name) {
        let input = text(&row, "text");
        let result = scan(input, &POLICY);
        of += 1;
        if !result.findings.is_empty() {
            touched += 1;
            if name.contains(show) && !show.is_empty() {
                let rules: Vec<_> = result.findings.iter().map(|f| f.rule).collect();
                println!(
                    "  HIT {} {} {rules:?} | {:.300}",
                    text(&row, "rule"),
                    text(&row, "cat"),
                    result.redacted.as_str().escape_debug()
                );
            }
        }
    }
    println!("{name}: {touched}/{of} touched");
}

/// Nanoseconds that this thread has run: other programs on the machine do not count.
fn ran_ns() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    text.split(' ').next().unwrap().parse().unwrap()
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().expect("a folder");
    let show = arguments.next().unwrap_or_default();
    for name in [
        "secrets/gitleaks-positives",
        "secrets/in-prose-positives",
        "secrets/kingfisher-positives",
        "secrets/obfuscated-positives",
    ] {
        positives(&folder, name, &show);
    }
    for name in [
        "secrets/gitleaks-negatives",
        "benign/lines",
        "benign/placeholders",
    ] {
        negatives(&folder, name, &show);
    }
    let split = rows(&folder, "secrets/split-across-rows");
    let caught = split.iter().filter(|row| {
        let parts: Vec<&str> = row["rows"]
            .as_array()
            .unwrap()
            .iter()
            .map(|r| r.as_str().unwrap())
            .collect();
        !split_across(&parts, &POLICY).is_empty()
            || parts
                .iter()
                .any(|part| !scan(part, &POLICY).findings.is_empty())
    });
    println!("split: {}/{}", caught.count(), split.len());
    let benign = rows(&folder, "benign/lines");
    let lines: Vec<&str> = benign.iter().map(|row| text(row, "text")).collect();
    for round in 0..4 {
        let bytes: usize = lines.iter().map(|line| line.len()).sum();
        let begin = ran_ns();
        let mut views = 0;
        for line in &lines {
            views += Reading::of(line).bytes();
        }
        let read = ran_ns() - begin;
        let begin = ran_ns();
        for line in &lines {
            std::hint::black_box(scan(line, &POLICY));
        }
        let all = ran_ns() - begin;
        println!(
            "round {round}: normalise {:.1} MB/s ({:.2}x), both {:.1} MB/s",
            bytes as f64 / (read / 1e9) / 1e6,
            views as f64 / bytes as f64,
            bytes as f64 / (all / 1e9) / 1e6
        );
    }
    let joined = lines.join("\n");
    let mut times: Vec<f64> = Vec::new();
    let mut chunk = String::new();
    for line in joined.lines() {
        chunk.push_str(line);
        chunk.push('\n');
        if chunk.len() >= 1000 {
            let once = || {
                let begin = Instant::now();
                std::hint::black_box(scan(&chunk, &POLICY));
                begin.elapsed().as_secs_f64() * 1e6
            };
            times.push((0..5).map(|_| once()).fold(f64::MAX, f64::min));
            chunk.clear();
        }
    }
    times.sort_by(f64::total_cmp);
    println!(
        "1 kB: p50 {:.0} us, p99 {:.0} us",
        times[times.len() / 2],
        times[times.len() * 99 / 100]
    );
}
