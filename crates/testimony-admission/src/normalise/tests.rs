//! What each layer shows, and that every map leads back.

use super::{Layer, MAX_GROWTH, Reading, SMALL_TEXT};

/// Views of `text` that hold `shown`, as the spans of the original that it came from.
fn origins<'t>(text: &'t str, shown: &str) -> Vec<(Layer, &'t str)> {
    let reading = Reading::of(text);
    let found = reading.views().filter_map(|view| {
        let at = view.text().find(shown)?;
        Some((view.layer(), text.get(view.original(at..at + shown.len()))?))
    });
    found.collect()
}

fn shows(text: &str, shown: &str, from: &str) {
    let found = origins(text, shown);
    assert!(
        found.iter().any(|(_, origin)| *origin == from),
        "`{text}` should show `{shown}` from `{from}`, but: {found:?}"
    );
}

#[test]
fn a_plain_text_has_one_view() {
    for text in ["", "The deploy runs on Fridays.", "let x = a + b;"] {
        assert!(Reading::of(text).is_plain(), "{text}");
    }
}

#[test]
fn invisible_characters_vanish() {
    shows(
        "x he\u{200b}l\u{feff}lo y",
        "hello",
        "he\u{200b}l\u{feff}lo",
    );
    shows("so\u{ad}ft", "soft", "so\u{ad}ft");
    shows("\u{e0068}\u{e0069}!", "hi", "\u{e0068}\u{e0069}");
}

#[test]
fn characters_are_unified_and_words_of_other_scripts_stay() {
    shows("key ａｂｃ１", "abc1", "ａｂｃ１");
    shows("g\u{440}h_a\u{441}", "gph_ac", "g\u{440}h_a\u{441}");
    shows("a\u{a0}b", "a b", "a\u{a0}b");
    assert!(origins("сроки", "cpo").is_empty());
    shows("e\u{301}tat", "état", "e\u{301}tat");
}

#[test]
fn wrapped_pieces_are_joined() {
    shows("x abc123\ndef456 y", "abc123def456", "abc123\ndef456");
    shows(
        "x abc123\\\n    def456 y",
        "abc123def456",
        "abc123\\\n    def456",
    );
    shows("> abc123\r\n> def456", "abc123def456", "abc123\r\n> def456");
    assert!(origins("a line\nanother line", "lineanother").is_empty());
}

#[test]
fn concatenations_are_joined() {
    shows(r#"k = "abc" + "def";"#, "abcdef", r#"abc" + "def"#);
    shows("k = 'abc' \\\n 'def'", "abcdef", "abc' \\\n 'def");
    shows("`abc``def`", "abcdef", "abc``def");
    assert!(origins(r#"["abc", "def"]"#, "abcdef").is_empty());
}

#[test]
fn spaced_groups_are_joined() {
    shows(
        "it: abcd efgh ijkl mn (x)",
        "abcdefghijklmn",
        "abcd efgh ijkl mn",
    );
    shows("s e c r e t word", "secret", "s e c r e t");
}

#[test]
fn escapes_are_resolved() {
    shows("%68%65%6c%6C%6f", "hello", "%68%65%6c%6C%6f");
    shows("&#104;&#x65;llo", "hello", "&#104;&#x65;llo");
    shows(r"\u0068\x65ll\157", "hello", r"\u0068\x65ll\157");
    shows(r"\u{1f600}!", "\u{1f600}!", r"\u{1f600}!");
    shows(r"\ud83d\ude00", "\u{1f600}", r"\ud83d\ude00");
}

#[test]
fn encoded_stretches_are_decoded() {
    let base64 = "aGVsbG8gdGhlcmUsIHdvcmxk";
    shows(&format!("k={base64}."), "hello there, world", base64);
    shows(
        "say 68656c6c6f2074686572652c20776f726c64",
        "hello there, world",
        "68656c6c6f2074686572652c20776f726c64",
    );
    shows(
        "68 65 6c 6c 6f 20 74 68 65 72 65 2c 20",
        "hello there",
        "68 65 6c 6c 6f 20 74 68 65 72 65 ",
    );
    // Pairs of digits with a mark before each, and with colons or hyphens between them.
    for pairs in [
        "0x68 0x65 0x6c 0x6c 0x6f 0x20 0x74 0x68 0x65 0x72 0x65 0x2c 0x20 0x79 0x6f 0x75 0x20 0x61 0x6c 0x6c",
        "0x68, 0x65, 0x6c, 0x6c, 0x6f, 0x20, 0x74, 0x68, 0x65, 0x72, 0x65, 0x2c, 0x20, 0x79, 0x6f, 0x75, 0x20, 0x61, 0x6c, 0x6c",
        "68:65:6c:6c:6f:20:74:68:65:72:65:2c:20:79:6f:75:20:61:6c:6c",
        "68-65-6c-6c-6f-20-74-68-65-72-65-2c-20-79-6f-75-20-61-6c-6c",
    ] {
        let found = origins(pairs, "hello there, you");
        assert!(!found.is_empty(), "{pairs}");
    }
    let twice = "YUdWc2JHOGdkR2hsY21Vc0lIZHZjbXhr";
    shows(twice, "hello there, world", twice);
    shows(
        "aGVsbG8gdGhl\ncmUsIHdvcmxk",
        "hello there, world",
        "aGVsbG8gdGhl\ncmUsIHdvcmxk",
    );
}

#[test]
fn a_stretch_is_decoded_although_letters_stand_before_it() {
    for before in ["a", "ab", "abc", "abcd"] {
        let text = format!("{before}aGVsbG8gdGhlcmUsIHdvcmxk");
        shows(&text, "hello there, world", "aGVsbG8gdGhlcmUsIHdvcmxk");
    }
}

#[test]
fn views_stay_within_their_budget() {
    let wide = "\u{fdfa}".repeat(2_000);
    let nested = "%25".repeat(3_000);
    let mixed = "aGVsbG8gdGhlcmUsIHdvcmxk %41 \u{200b}abc1\ndef2 ".repeat(500);
    for text in [wide, nested, mixed] {
        assert!(Reading::of(&text).bytes() <= text.len() * MAX_GROWTH + SMALL_TEXT);
    }
}
