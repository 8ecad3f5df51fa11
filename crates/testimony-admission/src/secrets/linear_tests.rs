//! Property 11 for reading and secrets: the work grows with the text and no faster, whatever the text repeats.

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use super::scan;
use crate::normalise::Reading;
use crate::submission::Policy;
use crate::tries::many;
use crate::work::growth;

/// Steps for each byte that a reading may take: it holds at most `MAX_GROWTH` bytes for each, and every step that makes
/// a view looks at each of them a few times.
const READING: usize = 400;
/// Steps for each byte that the stage may take: the keywords of some rules stand within two or three bytes, and the
/// pattern of each is tried there.
const SECRETS: usize = 2_000;

const OPEN: Policy<'static> = Policy {
    exempt_rules: &[],
    allowed_fingerprints: &[],
    block_marks: &[],
    fingerprint_key: &[7; 32],
};

/// What somebody would repeat who wants a reader to read on and on, or to begin anew again and again.
#[rustfmt::skip]
const HOSTILE: &[&str] = &[
    "%41", "%ff", "%41%ff", "%25", "%", "&#65;", "&amp;", "&", "\\u0041", "\\x41", "\\", "\\n",
    "aGVsbG8gd29ybGQhIQ", "aGVsbG8gdGhlcmUsIHdvcmxk\n", "68656c6c6f20776f726c64", "68 65 6c ", "0x68, ", "0x", "00:",
    "\n", "\r\n  ", " \n", "> ", "abc1\n", "abc1\\\n  ", "a b c d ", "abcd efgh ", "'a' 'b' ", "\"+\"", "\"", "'\"`", "``",
    "\u{fdfa}", "\u{200b}", "\u{430}a ", "e\u{301}", "\u{e9}", "\u{ff21}", "=", "==== ", ":", "::", "://", "|", "{", "${",
    "https://a:", "https://ann:b7k2m@e.io ", "key", "key ", "token is ", "password=", "password: hunter7x9q ", "use ",
    "the credential is ", "api_key: 7f3k9Qz2LmX5tR8v ", "s3cr3t-Pa55 ", "sk-", "sk-ant-", "AKIA", "eyJ", "eyJhbGciOiJ-",
    "private key", "-----BEGIN PRIVATE KEY-----", ",iv:x", "ENC[,data:aaaa", "xxxx", "a", "Z9", "a1b2c3d4e5f6a7b8c9d0 ",
    "| password | ", "password,", ",", "\t", "|---|---|\n", "name: token\nvalue: Sommer-19 ", "? it is ", "password from s3cr3t-Pa55 to ",
    "the gate needs ", "use 4471 at the lobby door ", "4471 opens the ", "to get in press ", "gib am Tor 88 12 ein ", "the password is set to ",
];

/// A failing case is remembered beside this file.
fn config() -> Config {
    Config {
        source_file: Some(file!()),
        ..many()
    }
}

/// One to four pieces that are repeated together.
fn unit() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        6 => prop::sample::select(HOSTILE).prop_map(str::to_owned),
        1 => "\\PC{1,6}",
    ];
    prop::collection::vec(piece, 1..=4).prop_map(|pieces| pieces.concat())
}

fn holds(most: usize, work: impl Fn(&str)) -> Result<(), String> {
    let checked = TestRunner::new(config()).run(&unit(), |unit| {
        growth::check(&unit, most, &work).map_err(TestCaseError::fail)
    });
    checked.map_err(|error| error.to_string())
}

fn read(text: &str) {
    let _ = Reading::of(text);
}

fn redact(text: &str) {
    let _ = scan(text, &OPEN);
}

#[test]
fn a_reading_grows_with_the_text_and_no_faster() {
    assert_eq!(holds(READING, read), Ok(()));
}

#[test]
fn the_stage_grows_with_the_text_and_no_faster() {
    assert_eq!(holds(SECRETS, redact), Ok(()));
}

/// Does the work anew from every place where `piece` stands, as a sweep does that forgets how far it was.
fn from_every(piece: &str, text: &str, work: impl Fn(&str)) {
    let starts = text.match_indices(piece).map(|(at, _)| at);
    starts.for_each(|at| work(text.get(at..).unwrap_or_default()));
}

#[test]
fn the_property_catches_a_reader_that_begins_anew_at_every_escape() {
    let twin = |text: &str| from_every("%", text, read);
    assert!(growth::check("%ff", READING, twin).is_err());
}

#[test]
fn the_property_catches_a_scanner_that_begins_anew_at_every_line() {
    let twin = |text: &str| from_every("\n", text, redact);
    assert!(growth::check("key \n", SECRETS, twin).is_err());
}
