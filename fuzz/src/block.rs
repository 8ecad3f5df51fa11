//! Prompt blocks: any texts are composed and read back as they were, and any text is a block or none.

use testimony_domain::{MemoryId, MemoryKind, TrustBucket};
use testimony_recall::pack::{BlockRow, compose_block, parse_block};

/// Takes an input.
pub fn take(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let id: Option<MemoryId> = "mem_01a1fc4596ae7513ab4d650b2be04b60".parse().ok();
    let said = "2026-11-21".parse().ok();
    let (Some(id), Some(said)) = (id, said) else {
        return;
    };
    let rows: Vec<BlockRow> = text
        .split('\0')
        .map(|text| BlockRow {
            id,
            trust: TrustBucket::NeedsReview,
            kind: MemoryKind::Fact,
            said,
            speaker: text.lines().next().map(str::to_owned),
            text: text.to_owned(),
        })
        .collect();
    assert_eq!(parse_block(&compose_block(&rows)), Ok(rows));
    drop(parse_block(text));
}
