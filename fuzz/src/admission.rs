//! Texts on their way in: the first line says of what class and where, what stands behind it is the text, and behind a NUL a
//! field beside it.

use std::sync::LazyLock;

use testimony_admission::admit;
use testimony_admission::secrets::scan;
use testimony_admission::submission::{Field, Policy, Submission};
use testimony_domain::{EvidenceChannel, SourceClass, Timestamp};

const OPEN: Policy<'static> = Policy {
    exempt_rules: &[],
    allowed_fingerprints: &[],
    block_marks: &["<testimony-memory rows=\"", "</testimony-memory>"],
    fingerprint_key: &[9; 32],
};

static CLASSES: LazyLock<Vec<SourceClass>> = LazyLock::new(|| {
    SourceClass::WORDS
        .iter()
        .filter_map(|word| SourceClass::parse("class", word).ok())
        .collect()
});

/// Takes an input.
pub fn take(bytes: &[u8]) {
    let Some((first, rest)) = bytes.split_first() else {
        return;
    };
    let text = String::from_utf8_lossy(rest);
    let (text, beside) = text.split_once('\0').unwrap_or((&text, ""));
    let fields = [Field {
        name: "/metadata/note",
        text: beside,
    }];
    let class = CLASSES[usize::from(*first) % CLASSES.len()];
    let submission = Submission {
        text,
        channel: EvidenceChannel::Retain,
        class,
        kind: None,
        speaker: None,
        observed_at: Timestamp::UNIX_EPOCH,
        fields: &fields,
        extract: first & 0x40 != 0,
        review_requested: false,
        user_message: (first & 0x80 != 0).then_some(text),
        handed_out: &[],
    };
    let ruling = admit(&submission, &OPEN);
    // What was taken out stays out: a second look finds nothing new where the first stood.
    let again = scan(ruling.text.as_str(), &OPEN);
    for finding in &again.findings {
        assert!(ruling.text.as_str().get(finding.span.clone()).is_some());
    }
}
