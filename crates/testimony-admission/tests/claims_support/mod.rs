//! What the fixture tests of claims share: reading JSON lines, and counting what holds in the tuning and held-out halves.
#![expect(
    clippy::panic,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test that cannot read its fixtures has nothing else to do, and it prints what it misses"
)]

#[path = "../cases/known.rs"]
mod known;
#[path = "../cases/wrong.rs"]
mod wrong;

use std::path::Path;

use serde_json::Value;

/// The cases of `fixtures/<path>`.
pub(crate) fn cases(path: &str) -> Vec<Value> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fixtures")
        .join(path);
    #[expect(clippy::disallowed_methods, reason = "a test reads its fixtures")]
    let text = std::fs::read_to_string(&file)
        .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    text.lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| serde_json::from_str(line).expect(line))
        .collect()
}

/// A field of a case as text.
pub(crate) fn text<'v>(case: &'v Value, field: &str) -> &'v str {
    case[field].as_str().unwrap_or_default()
}

/// Whether a case is of the held-out half, by its own words.
fn is_held_out(key: &str) -> bool {
    (known::digest(key) >> 32) & 1 == 1
}

/// Checks the cases of a file, prints what is missed and both halves, requires `share` of each half, and that no others are
/// missed than are known to be.
pub(crate) fn require(
    file: &str,
    cases: &[Value],
    share: f64,
    check: impl Fn(&Value) -> Result<(), String>,
) {
    let mut counts = [[0_usize; 2]; 2];
    let mut missed = Vec::new();
    for case in cases {
        let key = case.to_string();
        let is_held_out = is_held_out(&key);
        let half = usize::from(is_held_out);
        counts[half][1] += 1;
        match check(case) {
            Ok(()) => counts[half][0] += 1,
            Err(miss) => {
                missed.push(wrong::listed(&key, is_held_out));
                println!("MISS[{half}] {miss}");
            }
        }
    }
    let [tuning, held_out] = counts;
    println!(
        "{file}: tuning {}/{}, held out {}/{}",
        tuning[0], tuning[1], held_out[0], held_out[1]
    );
    for [good, all] in counts {
        assert!(
            good as f64 >= share * all as f64,
            "{file}: {good} of {all} hold"
        );
    }
    let topic = file.trim_end_matches(".jsonl").replace('/', "-");
    missed.sort();
    known::same(&wrong::file(&topic), &missed);
}
