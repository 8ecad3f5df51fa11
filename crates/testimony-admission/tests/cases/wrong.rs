//! Cases that are decided otherwise than their label says.

use super::known::digest;

/// A case as it is listed: what rules are tuned on by its words, and what nobody looks at by a number alone.
pub(crate) fn listed(case: &str, is_held_out: bool) -> String {
    if is_held_out {
        format!("held out {:016x}", digest(case))
    } else {
        format!("tuning {case}")
    }
}

/// The file in which the wrong cases of a topic are listed.
pub(crate) fn file(topic: &str) -> String {
    format!("known_wrong/{topic}.txt")
}
