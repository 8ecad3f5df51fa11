//! Checksums as names are made of them.

/// The first 8 bytes of a checksum in hexadecimal digits: enough to tell revisions apart.
pub(crate) fn short_hex(digest: &[u8]) -> String {
    digest
        .iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
