//! Cases that are decided otherwise than their label says.

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

/// The file in which the wrong cases of a topic are listed.
pub(crate) fn file(topic: &str) -> String {
    format!("known_wrong/{topic}.txt")
}
