//! Tables of token vectors: bytes are a table or an error, and a table gives every text a vector of length one or none.
//!
//! Bytes as they came hardly ever have the right sums, so they are read once more with sums that are right.

use sha2::{Digest as _, Sha256};
use testimony_embedding::StaticEmbedder;

/// Where the sums stand, and what stands behind them.
const OF_VOCABULARY: std::ops::Range<usize> = 40..72;
const OF_ALL: std::ops::Range<usize> = 72..104;

/// Takes an input.
pub fn take(bytes: &[u8]) {
    read(bytes);
    if let Some(sealed) = sealed(bytes) {
        read(&sealed);
    }
}

fn read(bytes: &[u8]) {
    if let Ok(table) = StaticEmbedder::from_bytes(bytes) {
        drop(table.embed_one("Ines keeps the lighthouse at Cabo Prior."));
    }
}

/// The same bytes with the sums that belong to them.
fn sealed(bytes: &[u8]) -> Option<Vec<u8>> {
    let size = |at: usize| {
        let number = bytes.get(at..at + 4)?.first_chunk::<4>()?;
        usize::try_from(u32::from_le_bytes(*number)).ok()
    };
    let [vocabulary, points, name] = [size(28)?, size(32)?, size(36)?];
    let from = OF_ALL
        .end
        .checked_add(name)?
        .checked_add(points.checked_mul(8)?)?;
    let mut sealed = bytes.to_vec();
    let words = Sha256::digest(bytes.get(from..from.checked_add(vocabulary)?)?);
    sealed.get_mut(OF_VOCABULARY)?.copy_from_slice(&words);
    let (head, rest) = (sealed.get(..OF_ALL.start)?, sealed.get(OF_ALL.end..)?);
    let all = Sha256::new()
        .chain_update(head)
        .chain_update(rest)
        .finalize();
    sealed.get_mut(OF_ALL)?.copy_from_slice(&all);
    Some(sealed)
}
