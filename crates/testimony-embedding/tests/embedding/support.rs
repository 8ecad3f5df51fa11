//! What several tests share: cases from files, hostile texts, and what a unit vector is.

use std::path::Path;

use proptest::prelude::*;
use proptest::test_runner::Config;
use serde::de::DeserializeOwned;

/// The cases of a file under `fixtures`, with their lines.
#[expect(clippy::disallowed_methods, reason = "tests read their fixtures")]
pub(crate) fn cases<T: DeserializeOwned>(file: &str) -> Vec<(usize, T)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fixtures")
        .join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{file}: {error}"));
    let case = |(line, json): (usize, &str)| match serde_json::from_str(json) {
        Ok(case) => (line, case),
        Err(error) => panic!("{file}:{line}: {error}"),
    };
    (1..).zip(text.lines()).map(case).collect()
}

/// 1,024 cases, unless the environment asks for another number.
#[expect(
    clippy::disallowed_methods,
    reason = "the number of cases is set from outside"
)]
pub(crate) fn config() -> Config {
    match std::env::var("PROPTEST_CASES") {
        Ok(_) => Config::default(),
        Err(_) => Config::with_cases(1_024),
    }
}

/// What breaks readers of text: any character, marks on marks, words without end, other scripts, special tokens.
pub(crate) fn hostile_text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        prop::collection::vec(any::<char>(), 0..200).prop_map(String::from_iter),
        "[a-z .,#\\[\\]]{0,80}",
        "\\PC{0,40}",
        ("[a-zA-Z]", 1usize..400).prop_map(|(letter, count)| letter.repeat(count)),
        ("[\u{300}-\u{36F}\u{591}-\u{5BD}\u{1D165}]{0,60}").prop_map(|marks| format!("e{marks}")),
        "[\u{4E00}-\u{4E20}\u{AC00}-\u{AC20}\u{3040}-\u{3060}\u{1F600}-\u{1F610}\u{200B}-\u{200F}]{0,40}",
        Just("[CLS] [SEP] [MASK] [PAD] [UNK]".to_owned()),
    ]
}

/// Whether numbers are finite and of length one.
pub(crate) fn is_unit(numbers: &[f32]) -> bool {
    let squares: f64 = numbers
        .iter()
        .map(|number| f64::from(*number).powi(2))
        .sum();
    numbers.iter().all(|number| number.is_finite()) && (squares.sqrt() - 1.0).abs() < 1e-5
}
