//! Where a stretch of text ends that could be a value.

/// Which bytes end a token.
#[expect(
    clippy::indexing_slicing,
    reason = "evaluated by the compiler, which refuses what is out of bounds"
)]
const ENDS_TOKEN: [bool; 256] = {
    let mut table = [false; 256];
    let mut at = 0;
    while at <= b' ' as usize {
        table[at] = true;
        at += 1;
    }
    let signs = b"\"'`<>()[]{},;|\\";
    let mut at = 0;
    while at < signs.len() {
        table[signs[at] as usize] = true;
        at += 1;
    }
    table
};

/// Whether a byte ends a token.
pub(super) fn ends_token(byte: u8) -> bool {
    ENDS_TOKEN.get(usize::from(byte)).copied().unwrap_or(true)
}

/// Where the token around `at` begins, not too far back.
pub(super) fn token_start(text: &str, at: usize) -> usize {
    let before = text.as_bytes().get(..at).unwrap_or_default();
    let back = before
        .iter()
        .rev()
        .take(64)
        .take_while(|b| !ends_token(**b))
        .count();
    at - back
}
