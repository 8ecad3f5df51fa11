//! What fuzzing found once stays found: every input that is kept goes through its target again.

#![expect(
    unreachable_pub,
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "it reads what lies in the repository, and a target that panics has found something"
)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

// Called by the targets, which lie elsewhere.
use form_urlencoded as _;
use testimony_models as _;

#[path = "../../fuzz/src/lib.rs"]
mod targets;

type Target = (&'static str, fn(&[u8]));

/// The targets, by their names; `snapshot` is of an index without tantivy, which this is not.
const TARGETS: &[Target] = &[
    ("admission", targets::admission::take),
    ("answers", targets::answers::take),
    ("block", targets::block::take),
    ("body", targets::body::take),
    ("import", targets::import::take),
    ("names", targets::names::take),
    ("query", targets::query::take),
    ("stream", targets::stream::take),
    ("table", targets::table::take),
];
/// Seeds of our own, and the least of what was found that reaches all that was reached.
const SEEDS: &str = "seeds";
const FOUND: &str = "found";
const ELSEWHERE: &str = "snapshot";
/// What is found there looks like credentials, and is kept by nobody.
const SEEDS_ALONE: &str = "admission";

fn fuzz() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz")
}

fn inside(folder: &Path) -> BTreeSet<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn what_is_kept_goes_through_its_target() {
    for (name, take) in TARGETS {
        let kept = [SEEDS, FOUND].map(|kept| fuzz().join(kept).join(name));
        for input in kept
            .iter()
            .filter(|it| it.exists())
            .flat_map(|it| inside(it))
        {
            // Shown where the next line panics.
            println!("{}", input.display());
            take(&std::fs::read(input).unwrap());
        }
    }
}

#[test]
fn every_target_has_seeds_and_what_was_found() {
    let stems = |folder: &str| -> BTreeSet<String> {
        let stem = |path: &PathBuf| path.file_stem().unwrap().to_string_lossy().into_owned();
        inside(&fuzz().join(folder)).iter().map(stem).collect()
    };
    let mut names: BTreeSet<String> = TARGETS.iter().map(|(name, _)| (*name).to_owned()).collect();
    names.insert(ELSEWHERE.to_owned());
    assert_eq!(stems("fuzz_targets"), names);
    assert_eq!(stems(SEEDS), names);
    names.remove(SEEDS_ALONE);
    assert_eq!(stems(FOUND), names);
}
