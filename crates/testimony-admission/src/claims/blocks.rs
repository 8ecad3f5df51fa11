//! Lines, and what they are before anybody reads them as sentences: code, tables, list items, dialogue, headings, prose.

use std::ops::Range;

use super::labels::{is_key_value, speaker, takes_turns};
use super::titles;
use super::wraps;
use crate::work::steps;

/// What a block of text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockKind {
    /// Running text.
    Prose,
    /// An item of a list.
    Item,
    /// A `key: value` line.
    KeyValue,
    /// Code, kept whole.
    Code,
    /// A table, kept whole: a row says nothing without its header.
    Table,
    /// A heading, or a line that introduces what follows.
    Heading,
    /// A short line on top of others, which heads them if it states nothing.
    Title,
    /// The same on top of sentences, which has to be worded as a title.
    TitleOfProse,
}

/// A block, its content without list marker and speaker, and who speaks in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) kind: BlockKind,
    pub(crate) span: Range<usize>,
    pub(crate) speaker: Option<Range<usize>>,
}

/// A line without its end and without white space around it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'t> {
    start: usize,
    pub(super) text: &'t str,
    pub(super) indent: usize,
    code: CodeSign,
    /// Whether the lines among which it stands may be one text that an editor wrapped.
    pub(super) wrapped: bool,
}

/// How much a line looks like one of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CodeSign {
    /// As a line of any text does.
    None,
    /// As a line of code, where others of code stand beside it.
    Like,
    /// It can hardly be anything else.
    Sure,
}

impl Line<'_> {
    fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

/// Code without a fence is taken in pieces of at most this many lines.
const LONGEST_CODE: usize = 40;
/// Room for the lines of most texts.
const FEW: usize = 4;

/// The blocks of `text`, in order, without overlaps.
pub(crate) fn blocks(text: &str) -> Vec<Block> {
    steps(text.len());
    let lines = lines(text);
    let mut out: Vec<Block> = Vec::with_capacity(FEW);
    let mut rest = lines.as_slice();
    let mut joinable = false;
    while let Some((line, tail)) = rest.split_first() {
        if line.text.is_empty() {
            joinable = false;
            rest = tail;
            continue;
        }
        let whole = whole_block(rest);
        if let Some((kind, taken)) = whole {
            let end = rest
                .get(taken.saturating_sub(1))
                .map_or(line.end(), Line::end);
            out.push(Block {
                kind,
                span: line.start..end,
                speaker: None,
            });
            rest = rest.get(taken..).unwrap_or_default();
            joinable = false;
            continue;
        }
        let turns = out.last().and_then(|last| text.get(last.speaker.clone()?));
        let block = line_block(line, turns.is_some_and(takes_turns));
        match out.last_mut() {
            Some(before)
                if joinable
                    && block.kind == BlockKind::Prose
                    && block.speaker.is_none()
                    && wraps::goes_on(text, before, line) =>
            {
                before.span.end = line.end();
            }
            _ => out.push(block),
        }
        joinable = out
            .last()
            .is_some_and(|last| matches!(last.kind, BlockKind::Prose | BlockKind::Item));
        rest = tail;
    }
    out.retain(|block| !block.span.is_empty());
    titles::mark(text, &mut out);
    out
}

fn lines(text: &str) -> Vec<Line<'_>> {
    let mut at = 0;
    let mut out = Vec::with_capacity(FEW);
    for raw in text.split_inclusive('\n') {
        let body = raw.trim_end();
        let inner = body.trim_start();
        let indent = body.len() - inner.len();
        out.push(Line {
            start: at + indent,
            text: inner,
            indent,
            // Told once a line: a run of lines is looked ahead at from each of its lines.
            code: code_sign(inner, indent),
            wrapped: true,
        });
        at += raw.len();
    }
    for paragraph in out.split_mut(|line| line.text.is_empty()) {
        let wrapped = wraps::may_be_wrapped(paragraph);
        for line in paragraph {
            line.wrapped = wrapped;
        }
    }
    out
}

/// The mark that opens and closes a stretch of code.
fn fence_of(text: &str) -> Option<&'static str> {
    if text.starts_with("```") {
        Some("```")
    } else {
        text.starts_with("~~~").then_some("~~~")
    }
}

/// Code and tables: what is kept whole, and how many lines it takes.
fn whole_block(lines: &[Line<'_>]) -> Option<(BlockKind, usize)> {
    let first = lines.first()?;
    if let Some(fence) = fence_of(first.text) {
        let inner = lines
            .iter()
            .skip(1)
            .position(|line| line.text.starts_with(fence));
        steps(inner.unwrap_or(lines.len()));
        return Some((
            BlockKind::Code,
            inner.map_or(lines.len(), |place| place + 2),
        ));
    }
    if first.text.starts_with('|') {
        let rows = lines
            .iter()
            .take_while(|line| line.text.starts_with('|'))
            .count();
        steps(rows);
        return (rows > 1).then_some((BlockKind::Table, rows));
    }
    if let Some(taken) = nested_code(lines).or_else(|| query(lines)) {
        return Some((BlockKind::Code, taken));
    }
    let run = lines.iter().take(LONGEST_CODE).map(|line| line.code);
    let run = run.take_while(|code| *code != CodeSign::None);
    let (code, strong) = run.fold((0, false), |(count, strong), code| {
        steps(1);
        (count + 1, strong || code == CodeSign::Sure)
    });
    let whole = if code > 1 {
        strong
    } else {
        first.code == CodeSign::Sure
    };
    whole.then_some((BlockKind::Code, code))
}

/// How lines may begin, in ASCII, and the first bytes of all of these: most lines are told apart by one look at those.
struct Starts {
    starts: &'static [&'static str],
    firsts: u128,
}

impl Starts {
    const fn of(starts: &'static [&'static str]) -> Self {
        let mut firsts = 0;
        let mut rest = starts;
        while let [start, others @ ..] = rest {
            if let [first, ..] = start.as_bytes() {
                firsts |= 1_u128.unbounded_shl(*first as u32);
            }
            rest = others;
        }
        Self { starts, firsts }
    }

    /// Whether `text` begins so.
    fn begin(&self, text: &str) -> bool {
        let Some(first) = text.as_bytes().first() else {
            return false;
        };
        let begins =
            |start: &&str| start.as_bytes().first() == Some(first) && text.starts_with(*start);
        self.firsts.unbounded_shr(u32::from(*first)) & 1 != 0 && self.starts.iter().any(begins)
    }
}

/// How lines of code begin that open a body of indented lines.
const BODY_STARTS: Starts = Starts::of(&[
    "for ",
    "while ",
    "if ",
    "with ",
    "def ",
    "class ",
    "try:",
    "async ",
    "fn ",
    "pub ",
    "function ",
    "func ",
    "impl ",
    "struct ",
    "enum ",
    "switch ",
    "match ",
    "export ",
    "const ",
    "public ",
    "private ",
    "static ",
    "void ",
    "int ",
    "module ",
    "interface ",
    "trait ",
    "loop {",
    "do {",
    "elif ",
    "else",
    "except",
    "finally",
    "catch",
    "}",
]);

/// How many lines an opening line with an indented body takes; the body holds what only code holds.
fn nested_code(lines: &[Line<'_>]) -> Option<usize> {
    let (first, body) = lines.split_first()?;
    let opens =
        |line: &Line<'_>| line.text.ends_with(['{', ':', '(', '[']) && BODY_STARTS.begin(line.text);
    let second = body.first()?;
    if !opens(first) || second.indent < first.indent + 2 {
        return None;
    }
    let inside = |line: &&Line<'_>| {
        !line.text.is_empty()
            && (line.indent > first.indent || opens(line) || is_closing(line.text))
    };
    let taken = body.iter().take(LONGEST_CODE).take_while(inside).count();
    let coded = body
        .iter()
        .take(taken)
        .any(|line| is_closing(line.text) || is_bodied(line.text));
    coded.then_some(taken + 1)
}

fn is_closing(text: &str) -> bool {
    matches!(
        text,
        "{" | "}" | ")" | "]" | "}," | "];" | ");" | "};" | "end"
    )
}

/// Whether a line of a body could hardly be prose.
fn is_bodied(text: &str) -> bool {
    text.ends_with([')', ';', '{', ':'])
        || text.contains(" = ")
        || text.contains("+= ")
        || text.starts_with("return")
        || matches!(text, "pass" | "break" | "continue")
}

/// How a query over several lines begins.
const QUERY_STARTS: Starts =
    Starts::of(&["SELECT", "UPDATE ", "INSERT INTO ", "DELETE FROM ", "WITH "]);

/// How the lines of a query go on.
const QUERY_LINES: Starts = Starts::of(&[
    "FROM ",
    "WHERE ",
    "JOIN ",
    "LEFT JOIN ",
    "INNER JOIN ",
    "GROUP BY ",
    "ORDER BY ",
    "HAVING ",
    "LIMIT ",
    "SET ",
    "VALUES",
    "AND ",
    "OR ",
    "ON ",
    "UNION",
]);

/// How many lines a query over several lines takes.
fn query(lines: &[Line<'_>]) -> Option<usize> {
    let (first, rest) = lines.split_first()?;
    if !QUERY_STARTS.begin(first.text) {
        return None;
    }
    let goes_on = |line: &&Line<'_>| {
        QUERY_LINES.begin(line.text) || line.indent >= 2 && !line.text.is_empty()
    };
    let taken = rest.iter().take(LONGEST_CODE).take_while(goes_on).count();
    (taken > 0).then_some(taken + 1)
}

/// How lines of code begin.
const CODE_STARTS: Starts = Starts::of(&[
    "fn ",
    "pub ",
    "let ",
    "const ",
    "import ",
    "from ",
    "def ",
    "class ",
    "function ",
    "return ",
    "if (",
    "for (",
    "while (",
    "} else",
    "#include",
    "#!/",
    "package ",
    "use ",
    "SELECT ",
    "INSERT ",
    "UPDATE ",
    "CREATE TABLE",
    "$ ",
    ">>> ",
    "var ",
    "async ",
    "@",
    "//",
    "/*",
    "impl ",
    "struct ",
    "enum ",
    "FROM ",
    "RUN ",
    "else:",
    "try:",
    "except",
]);

fn is_surely_code(text: &str) -> bool {
    let ends = text.ends_with(['{', ';'])
        || text.ends_with("};")
        || text.ends_with("})")
        || text.ends_with("):");
    let opens = CODE_STARTS.begin(text);
    let marks = || {
        [
            "()", " = ", "=>", "->", "::", "!=", "==", "&&", "</", "/>", "({", "SELECT ",
        ]
        .iter()
        .any(|mark| text.contains(mark))
    };
    if !ends && !opens && !text.starts_with("SELECT ") && !text.starts_with("$ ") {
        return false;
    }
    (ends
        && !text.contains(". ")
        && (marks() || opens || !text.contains(' ') || text.ends_with('{')))
        || (opens && (marks() || ends) && !text.ends_with('.'))
        || (text.starts_with("SELECT ") && text.contains(" FROM "))
        || (text.starts_with("$ ")
            && text
                .get(2..3)
                .is_some_and(|c| c.chars().all(|c| c.is_ascii_lowercase() || c == '.')))
}

fn code_sign(text: &str, indent: usize) -> CodeSign {
    if is_surely_code(text) {
        return CodeSign::Sure;
    }
    let like = matches!(text, "{" | "}" | ")" | "]" | "}," | "];" | ");" | "end")
        || (indent >= 2
            && !text.is_empty()
            && list_marker(text) == 0
            && (text.ends_with([':', ',', '(', ')', '{', '}', ']'])
                || text.contains(" = ")
                || text.starts_with("return")
                || text.contains('(')))
        || (text.starts_with("import ") && !text.ends_with('.'))
        || (text.starts_with("print(") || text.starts_with("console."));
    if like { CodeSign::Like } else { CodeSign::None }
}

/// What stands before an item of a list that is not numbered.
const BULLETS: &[&str] = &[
    "- [ ] ", "- [x] ", "* [ ] ", "* [x] ", "- ", "* ", "• ", "– ", "+ ", "‣ ", "▪ ", "○ ", "● ",
];

/// The length of a list marker with the space behind it; 0 where there is none.
fn list_marker(text: &str) -> usize {
    let worded = text.starts_with(|c: char| c.is_ascii_alphanumeric());
    let bullet = BULLETS
        .iter()
        .find(|bullet| !worded && text.starts_with(**bullet));
    if let Some(bullet) = bullet {
        return bullet.len();
    }
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let letters = usize::from(digits == 0 && text.starts_with(|c: char| c.is_ascii_lowercase()));
    let marker = if (1..=3).contains(&digits) {
        digits
    } else {
        letters
    };
    let behind = text.get(marker..).unwrap_or_default();
    let closed = behind.starts_with(") ") || (digits > 0 && behind.starts_with(". "));
    if marker > 0 && closed { marker + 2 } else { 0 }
}

fn line_block(line: &Line<'_>, in_conversation: bool) -> Block {
    let text = line.text;
    if text.starts_with('#') {
        let hashes = text.bytes().take_while(|b| *b == b'#').count();
        if text.get(hashes..).is_some_and(|rest| rest.starts_with(' ')) {
            return Block {
                kind: BlockKind::Heading,
                span: line.start + hashes + 1..line.end(),
                speaker: None,
            };
        }
    }
    let quote = text
        .bytes()
        .take_while(|b| *b == b'>' || *b == b' ')
        .count();
    let quote = if text.starts_with('>') { quote } else { 0 };
    let marker = quote + text.get(quote..).map_or(0, list_marker);
    let content = text.get(marker..).unwrap_or_default();
    let start = line.start + marker;
    let kind = if marker > quote {
        BlockKind::Item
    } else {
        BlockKind::Prose
    };
    if let Some((name, body)) = speaker(content, in_conversation) {
        return Block {
            kind,
            span: start + body..line.end(),
            speaker: Some(start + name.start..start + name.end),
        };
    }
    if content.ends_with(':') && !content.contains(". ") && content.len() < 90 && marker == quote {
        return Block {
            kind: BlockKind::Heading,
            span: start..line.end(),
            speaker: None,
        };
    }
    let kind = if kind == BlockKind::Prose && is_key_value(content) {
        BlockKind::KeyValue
    } else {
        kind
    };
    Block {
        kind,
        span: start..line.end(),
        speaker: None,
    }
}
