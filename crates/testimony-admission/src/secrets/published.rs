//! Credentials that their own issuers print for everybody, known by digest.
//!
//! A value that the vendor's documentation or sample code shows to the whole world opens nothing that is not open
//! already, so taking it out protects nobody, and holding back a note that quotes it costs the note.
//! Nobody can be hurt by the table: it holds digests of whole values, so only the very value that was printed passes,
//! never a value of the same shape, and who uses a printed key for something real has no secret to lose.
//! What merely looks like a sample has no place here: only values that the issuer itself has published, and that it
//! made itself (no word that a person might choose as a password).

use sha2::{Digest, Sha256};

/// SHA-256 of a published credential, in hexadecimal digits; the comment before each group says who prints it where.
#[rustfmt::skip]
const PUBLISHED: &[&str] = &[
    // Google: the API keys of the sample projects in the public source of its Firebase kits.
    "2037abcaffb2b77785da716cf7ccff4ff4d00c4ea930db0167b7d71f50af7eb4",
    "27a9a42931dff7eb2f8434e20a9bce976ea364e7bee49187f19d5cfeca9c7045",
    "37f8f09bdf12c2f2eae4ead7273a62ddb0c23459cbf902892f282b57f7ed6619",
    "3a8b61d0f636b007840c0d40ba12bcf48465dc054cdc1a68704a33521d84b665",
    "3f370c9dd8225c63b5c77de1f785edc9712958f18bb612d5fa2e0ae33aeca682",
    "49f777db995e8260da7ca9ffdf0c08d66f0453e97ec967018baf2cdfe3b582d0",
    "4c98242dcadc8b29005c6b4aad526552d5ea1842149154c0694adeec75847583",
    "8731261cb72d86267a32a532ebd3df429e2144e5e4ced7e13568bc9e6c8fb1b1",
    "a19f89ab3555eac10c40741f6df79ecf0935998f15569f8db9d67bce0181fff6",
    "a6c814bc555ae62c7bd8b58ec07bf559c7ed3a009976a1e0acc9cef0d4473b41",
    "dc0fcf046c61640cbd1e8b999ada3262d722c2ca4bf42dceac999020ffdbb614",
    "e4a5542bb7fd7b67e943c71ad29c34b5972c9840597e7eda53e666f44d5da0b9",
    "ea9bb1082cf95663f5faca23b8b15ef2aa0fce0a5c6df9c32dcb85b2e0a4513d",
    "eb540d2b6ee2a0a47c5779bc8a0141784c6b753840d4c6f4e2428a6e86e9e0b1",
    // Microsoft: the account key of its storage emulator, which its documentation prints and which opens only a local emulator.
    "0011cc25eb4320717494d2703e8cba85743e71b500283c21c8b88147992f9059",
];

/// Whether `value` is a credential that its issuer prints for everybody.
pub(super) fn is_published(value: &str) -> bool {
    let digest = Sha256::digest(value.as_bytes());
    let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    PUBLISHED.contains(&hex.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_published_value_is_known_and_its_neighbours_are_not() {
        let printed = [
            "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6",
            "IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==",
        ]
        .concat();
        assert!(is_published(&printed));
        assert!(!is_published(&printed.replace("Eby8", "Eby9")));
        assert!(!is_published(printed.trim_end_matches('=')));
    }

    #[test]
    fn every_digest_is_whole_and_stands_once() {
        let whole = |digest: &&str| {
            digest.len() == 64
                && digest
                    .bytes()
                    .all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
        };
        assert!(PUBLISHED.iter().all(whole));
        let mut seen = std::collections::HashSet::new();
        assert!(PUBLISHED.iter().all(|digest| seen.insert(digest)));
    }
}
