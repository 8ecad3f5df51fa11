//! What is known of the cases of a fixture stands in files beside them, so that every change shows what it mends and what
//! it breaks. `UPDATE_EXPECT=1` writes them anew.

#![expect(
    clippy::panic,
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test reads its files, and stops at what it does not expect"
)]

use std::path::Path;

/// So many differences are shown.
const SHOWN: usize = 20;

/// A number of a text, the same for ever.
pub(crate) fn digest(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Fails where `lines` are not those of `fixtures/<file>`, and shows how they differ.
pub(crate) fn same(file: &str, lines: &[String]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fixtures")
        .join(file);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        return write(&path, lines);
    }
    // Where nothing is known there is no file.
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    let known: Vec<&str> = known.lines().collect();
    if lines == known {
        return;
    }
    let gone = known
        .iter()
        .filter(|line| !lines.iter().any(|new| new == *line));
    let new = lines.iter().filter(|line| !known.contains(&line.as_str()));
    let gone = gone.map(|line| format!("- {line}"));
    let differs: Vec<String> = gone.chain(new.map(|line| format!("+ {line}"))).collect();
    panic!(
        "{} lines differ, or their order does, from fixtures/{file}; if they ought to, write it anew with UPDATE_EXPECT=1\n{}",
        differs.len(),
        differs.get(..SHOWN).unwrap_or(&differs).join("\n")
    );
}

fn write(path: &Path, lines: &[String]) {
    if lines.is_empty() {
        // It may have been none before.
        let _ = std::fs::remove_file(path);
    } else {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        std::fs::write(path, text).unwrap();
    }
}
