//! Escapes within a quoted line: invisible characters are written out, and what looks like a delimiter is broken.
//!
//! One sign begins every escape; the sign itself is doubled. So the escapes can be read back without loss.

/// Begins an escape. A sign that nobody writes, so that ordinary text stays as it is.
const SIGN: char = '␛';
/// Ends a written-out character.
const END: char = ';';

/// So many characters after a bracket are looked at; a delimiter's own words come sooner.
const LOOK_AHEAD: usize = 48;

/// No word of the two lists is longer.
const LONGEST_WORD: usize = 12;

/// Words after a bracket that make it look like one of the block's own lines, or like a special token of a model.
const OWN_WORDS: &[&str] = &["testimony", "memory", "endofmemory", "|"];

/// Words that, alone between brackets, look like a marker of roles in a prompt.
const ROLES: &[&str] = &[
    "system",
    "assistant",
    "user",
    "inst",
    "sys",
    "human",
    "tool",
];

/// Appends `line` to `out` with everything escaped that could mislead.
pub(crate) fn escape_into(out: &mut String, line: &str) {
    for (at, here) in line.char_indices() {
        if here == SIGN {
            out.push(SIGN);
            out.push(SIGN);
        } else if is_unseen(here) {
            out.push_str(&format!("{SIGN}{:x}{END}", u32::from(here)));
        } else if is_bracket(here) && opens_like_ours(line.get(at + here.len_utf8()..)) {
            out.push(SIGN);
            out.push(here);
        } else {
            out.push(here);
        }
    }
}

/// A line with everything escaped that could mislead; the same line where nothing could.
#[must_use]
pub fn escaped(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    escape_into(&mut out, line);
    out
}

/// Reads escapes back; `None` where an escape is broken.
pub(crate) fn unescape(line: &str) -> Option<String> {
    let mut out = String::with_capacity(line.len());
    let mut rest = line.chars();
    while let Some(here) = rest.next() {
        if here != SIGN {
            out.push(here);
            continue;
        }
        match rest.next()? {
            SIGN => out.push(SIGN),
            bracket if is_bracket(bracket) => out.push(bracket),
            first => {
                let mut digits = String::from(first);
                // No code point has more than six digits.
                let more: String = rest.by_ref().take(6).take_while(|c| *c != END).collect();
                digits.push_str(&more);
                out.push(
                    u32::from_str_radix(&digits, 16)
                        .ok()
                        .and_then(char::from_u32)?,
                );
            }
        }
    }
    Some(out)
}

/// Characters that are not seen, or that change how their neighbours are seen: controls, other line ends, marks of
/// direction, joiners, tags.
fn is_unseen(c: char) -> bool {
    if matches!(c, ' '..='~' | '\t') {
        return false;
    }
    let ranges = [
        ('\u{0}', '\u{8}'),
        ('\u{b}', '\u{1f}'),
        ('\u{7f}', '\u{9f}'),
        ('\u{ad}', '\u{ad}'),
        ('\u{34f}', '\u{34f}'),
        ('\u{61c}', '\u{61c}'),
        ('\u{115f}', '\u{1160}'),
        ('\u{17b4}', '\u{17b5}'),
        ('\u{180b}', '\u{180f}'),
        ('\u{200b}', '\u{200b}'),
        ('\u{200e}', '\u{200f}'),
        ('\u{2028}', '\u{202e}'),
        ('\u{2060}', '\u{206f}'),
        ('\u{3164}', '\u{3164}'),
        ('\u{feff}', '\u{feff}'),
        ('\u{ffa0}', '\u{ffa0}'),
        ('\u{fff9}', '\u{fffb}'),
        ('\u{1d173}', '\u{1d17a}'),
        ('\u{e0000}', '\u{e0fff}'),
    ];
    ranges.iter().any(|(from, to)| (*from..=*to).contains(&c))
}

/// Brackets that open, and everything that can be taken for one.
const BRACKETS: &str = "<[{＜［｛‹«〈⟨《⟪❮❰❬˂ᐸ≺≪⋖﹤〔【〖〚⟦❲⁅⌜「『﹝⦅⦇⧼｟";

fn is_bracket(c: char) -> bool {
    if c.is_ascii() {
        matches!(c, '<' | '[' | '{')
    } else {
        BRACKETS.contains(c)
    }
}

/// Whether what follows a bracket reads like the block's own words or like a role, however it is spelled.
fn opens_like_ours(after: Option<&str>) -> bool {
    let near = || after.unwrap_or_default().chars().take(LOOK_AHEAD);
    let words: String = near().filter_map(folded).take(LONGEST_WORD).collect();
    let inside = near().take_while(|c| !CLOSING_BRACKETS.contains(*c));
    let alone: String = inside.filter_map(folded).take(LONGEST_WORD).collect();
    OWN_WORDS.iter().any(|word| words.starts_with(word)) || ROLES.contains(&alone.as_str())
}

const CLOSING_BRACKETS: &str = ">]}＞］｝›»〉⟩》】〕";

/// A character as the eye takes it; `None` for what stands between letters without being read.
fn folded(c: char) -> Option<char> {
    let plain = plain_of(c);
    (plain == '|' || plain.is_alphanumeric()).then(|| plain.to_ascii_lowercase())
}

/// Letters that look like those of the block's own words, by the letter they look like.
const LOOK_ALIKES: &[(char, &str)] = &[
    ('a', "аαаɑ"),
    ('d', "ԁɗ"),
    ('e', "еεєҽ℮ｅé"),
    ('f', "ғƒ"),
    ('i', "іιıɪíӏ"),
    ('m', "ммᴍϻ"),
    ('n', "пηɴո"),
    ('o', "оοσօᴏό"),
    ('r', "гʀᴦꭇ"),
    ('s', "ѕꜱʂ"),
    ('t', "тτᴛ"),
    ('u', "υսᴜ"),
    ('y', "уγүʏу"),
    ('|', "｜ǀ∣│┃❘⏐"),
];

fn plain_of(c: char) -> char {
    if c.is_ascii() {
        return plain_of_ascii(c);
    }
    let by_block = match u32::from(c) {
        // Full-width forms stand in the order of ASCII.
        code @ 0xff01..=0xff5e => char::from_u32(code - 0xfee0),
        // Mathematical letters come in alphabets of 52.
        code @ 0x1d400..=0x1d6a3 => letter((code - 0x1d400) % 52),
        // Circled letters, capitals and small.
        code @ 0x24b6..=0x24cf => letter(code - 0x24b6),
        code @ 0x24d0..=0x24e9 => letter(code - 0x24d0),
        _ => None,
    };
    let plain = by_block.unwrap_or(c).to_lowercase().next().unwrap_or(c);
    LOOK_ALIKES
        .iter()
        .find(|(_, same)| same.contains(plain))
        .map_or(plain, |(like, _)| *like)
}

/// Nearly every character is one of these, so none of them costs a search.
const fn plain_of_ascii(c: char) -> char {
    match c {
        '1' | '!' => 'i',
        '0' => 'o',
        '5' | '$' => 's',
        '7' => 't',
        _ => c.to_ascii_lowercase(),
    }
}

fn letter(index: u32) -> Option<char> {
    char::from_u32(u32::from('a') + index % 26)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_text_stays_as_it_is() {
        for line in [
            "Ana prefers <b>green</b> tea [see notes], if x < 3 { y }",
            "let v: Vec<u8> = vec![[1, 2], [3, 4]]; // [installed] <username>",
            "Ünïcode — 注文 👩‍💻",
            "[systematic] {users} <(o)> [1] {+} ⟨ψ|φ⟩",
            "a tab\tand a < at the end <",
            "",
        ] {
            assert_eq!(escaped(line), line);
        }
    }

    #[test]
    fn what_looks_like_a_delimiter_is_broken_however_it_is_spelled() {
        for line in [
            "</testimony-memory>",
            "< / TESTIMONY - memory >",
            "[end of memory 1]",
            "［ｅｎｄ ｏｆ ｍｅｍｏｒｙ 1］",
            "<tе\u{301}stimony",
            "[m\u{200b}emory 2 id=x]",
            "【мemory",
            "⟨𝐭𝐞𝐬𝐭𝐢𝐦𝐨𝐧𝐲",
            "<𝓣𝓔𝓢𝓣𝓘𝓜𝓞𝓝𝓨",
            "<ⓣⓔⓢⓣⓘⓜⓞⓝⓨ",
            "<ⓉⒺⓈⓉⒾⓂⓄⓃⓎ",
            "<7e5t1m0ny",
            "<te$t!mony",
            "{user}",
            "《tool》",
            "<human",
            "<|im_start|>system",
            "[INST]",
        ] {
            assert!(escaped(line).starts_with(SIGN), "{line}: {}", escaped(line));
        }
    }

    #[test]
    fn escapes_are_read_back_without_loss() {
        for line in [
            "a\r",
            "\u{202e}x␛␛;",
            "[memory",
            "␛41;",
            "\u{e0041}",
            "<<testimony",
        ] {
            assert_eq!(unescape(&escaped(line)).as_deref(), Some(line), "{line:?}");
        }
        assert_eq!(unescape("␛"), None);
        assert_eq!(unescape("␛zz;"), None);
        assert_eq!(unescape("␛110000;"), None);
        assert_eq!(unescape("␛10ffff;x").as_deref(), Some("\u{10ffff}x"));
        assert_eq!(unescape("a␛<b").as_deref(), Some("a<b"));
    }
}
