//! What is decided otherwise than its label says stands in `fixtures/known_wrong`, so that every change shows what it mends
//! and what it breaks. `UPDATE_EXPECT=1` writes the lists anew.

use std::path::Path;

use expect_test::expect_file;

/// A case as it is listed: what rules are tuned on by its words, and what nobody looks at by a number alone.
pub(crate) fn listed(case: &str, is_held_out: bool) -> String {
    if is_held_out {
        format!("held out {:016x}", digest(case))
    } else {
        format!("tuning {case}")
    }
}

/// A number of a text, the same for ever.
pub(crate) fn digest(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Fails where other cases of a topic are wrong than its list says.
pub(crate) fn are_known(topic: &str, mut wrong: Vec<String>) {
    wrong.sort();
    let list: String = wrong.iter().map(|case| format!("{case}\n")).collect();
    let lists = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/known_wrong");
    expect_file![lists.join(format!("{topic}.txt"))].assert_eq(&list);
}
