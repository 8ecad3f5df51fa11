//! A line of prose in parts: its words one after the other, a word without its marks, what stands between quotes.

use std::ops::Range;

/// The longest phrase, in bytes.
pub(super) const LONGEST_PHRASE: usize = 128;
/// Blanks inside a line.
pub(super) const BLANKS: [char; 2] = [' ', '\t'];

/// A text without the mark of bold type that it begins with, of either end.
pub(super) fn without_bold(text: &str) -> &str {
    text.strip_prefix("**").unwrap_or(text)
}

/// A word without the marks around it, in lower case.
pub(super) fn core(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric())
        .to_lowercase()
}

/// A stretch of text between blanks.
pub(super) struct Token<'t> {
    pub(super) text: &'t str,
    pub(super) start: usize,
}

/// The tokens of a line from a place on.
pub(super) struct Tokens<'t> {
    text: &'t str,
    at: usize,
    end: usize,
}

impl<'t> Tokens<'t> {
    pub(super) fn of(text: &'t str, at: usize, reach: usize) -> Self {
        let ceiling = text.floor_char_boundary(at.saturating_add(reach).min(text.len()));
        let line = text.get(at..ceiling).unwrap_or_default();
        let len = line.find('\n').unwrap_or(line.len());
        Self {
            text,
            at,
            end: at + len,
        }
    }
}

impl<'t> Iterator for Tokens<'t> {
    type Item = Token<'t>;

    fn next(&mut self) -> Option<Token<'t>> {
        let rest = self.text.get(self.at..self.end)?;
        let word = rest.trim_start();
        let len = word.find(char::is_whitespace).unwrap_or(word.len());
        let start = self.end - word.len();
        self.at = start + len;
        let text = word.get(..len).filter(|text| !text.is_empty())?;
        Some(Token { text, start })
    }
}

/// What stands between quotes that open at `at`, on one line.
pub(super) fn quoted(text: &str, at: usize) -> Option<Range<usize>> {
    const QUOTES: [(char, char); 8] = [
        ('"', '"'),
        ('\'', '\''),
        ('`', '`'),
        ('“', '”'),
        ('‘', '’'),
        ('«', '»'),
        ('„', '“'),
        ('「', '」'),
    ];
    let rest = text.get(at..)?;
    let rest = without_bold(rest);
    let rest = rest.strip_prefix('\\').unwrap_or(rest);
    let first = rest.chars().next()?;
    let (_, close) = QUOTES.iter().find(|(open, _)| *open == first)?;
    let start = text.len() - rest.len() + first.len_utf8();
    let ceiling = text.floor_char_boundary((start + LONGEST_PHRASE).min(text.len()));
    let inside = text.get(start..ceiling)?;
    let len = inside.find(*close)?;
    let value = inside.get(..len)?.trim_end_matches('\\');
    let trimmed = value.trim();
    let lead = value.len() - value.trim_start().len();
    (!trimmed.is_empty() && !value.contains('\n'))
        .then(|| start + lead..start + lead + trimmed.len())
}

/// The token at `at`, without the marks of the sentence around it.
pub(super) fn bare_token(text: &str, at: usize) -> Range<usize> {
    let rest = text.get(at..).unwrap_or_default();
    let bold = rest
        .strip_prefix("**")
        .or_else(|| rest.strip_prefix(['(', '"', '“', '‘', '«', '`']))
        .unwrap_or(rest);
    let start = text.len() - bold.len();
    let ends = |c: char| c.is_whitespace() || matches!(c, '"' | '`' | '<' | '>' | '，' | '。');
    let token: usize = bold
        .chars()
        .take(LONGEST_PHRASE)
        .take_while(|c| !ends(*c))
        .map(char::len_utf8)
        .sum();
    let token = bold.get(..token).unwrap_or_default();
    let bare = token.trim_end_matches([
        '.', ',', ':', ';', '?', ')', '\'', '”', '’', '»', ']', '}', '\\', '…',
    ]);
    let bare = bare.strip_suffix("**").unwrap_or(bare);
    start..start + bare.len()
}
