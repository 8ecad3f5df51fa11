//! Tables of token vectors: bytes are a table or an error, and a table gives every text a vector of length one or none.
#![no_main]

use libfuzzer_sys::fuzz_target;
use testimony_embedding::StaticEmbedder;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(table) = StaticEmbedder::from_bytes(bytes) {
        drop(table.embed_one("Ines keeps the lighthouse at Cabo Prior."));
    }
});
