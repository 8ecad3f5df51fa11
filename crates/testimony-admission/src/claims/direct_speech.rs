//! Direct speech: who is said to have said it, and which words are theirs, in which "I" is not who tells it.

use std::ops::Range;

use super::class::*;
use super::noun::{Scene, UNNAMED_SPEAKER, noun};
use super::reading::{Read, read_plain, shifted};
use super::token::{Shape, Token};
use super::value::{View, words_of};
use super::words::{Words, any_of};

/// Verbs that lead to what somebody said, or follow it; none that is a noun as well ("my claims: …") or an order.
#[rustfmt::skip]
const SAYING: &Words = &Words::of(&[
    "said", "says", "told", "tells", "wrote", "writes", "written", "replied", "replies", "answered", "added", "texted", "emailed", "messaged", "posted", "shouted", "whispered", "admitted", "mentioned", "claimed", "stated", "reported", "announced", "explained", "confirmed", "commented", "insisted", "complained", "joked", "declared", "yelled", "screamed", "exclaimed", "muttered", "swore", "repeated",
    "sagt", "sagte", "gesagt", "schreibt", "schrieb", "geschrieben", "meint", "meinte", "gemeint", "antwortet", "antwortete", "geantwortet", "erzählt", "erzählte", "erklärt", "erklärte", "berichtet", "berichtete",
    "dit", "disait", "écrit", "répond", "répondu", "raconte", "raconté", "explique", "expliqué", "ajoute", "ajouté", "annonce", "annoncé", "déclare", "déclaré",
    "dice", "dijo", "decía", "dicho", "escribe", "escribió", "escrito", "responde", "respondió", "contestó", "contó", "explica", "explicó", "añadió", "comentó", "afirmó",
]);

/// Whether a word, perhaps with a mark behind it, leads to what somebody said or follows it.
pub(super) fn is_saying(word: &str) -> bool {
    SAYING.hold_word(word.trim_end_matches(|c: char| !c.is_alphanumeric()))
}

/// What these take in front of a colon is whom one speaks to: "told Ivo: …" is said by somebody else.
const TAKES_A_HEARER: &Words = &Words::of(&["told", "tells", "texted", "emailed", "messaged"]);

/// To whom it was said, where that stands in front of the verb or behind it.
const HEARERS: &Words = &Words::of(&[
    "me", "us", "mir", "uns", "nos", "nous", "lui", "m'", "m’", "le", "les",
]);

/// Behind these it is told of what is quoted, and not by whom: "told me about the song „…“", "confirmed by the user: …".
const OF_WHAT: &Words = &Words::of(&[
    "about", "of", "by", "über", "von", "sur", "sobre", "de", "par", "por",
]);

/// A frame around direct speech has at most so many tokens.
const LONGEST_FRAME: usize = 12;

/// Direct speech, in tokens.
struct Spoken {
    /// Who says it.
    who: Range<usize>,
    /// What is said, without quotation marks.
    words: Range<usize>,
}

/// Reads what is said in somebody's own words as theirs.
pub(super) fn read_spoken(view: &View<'_>) -> Option<Read> {
    let Spoken { who, words } = spoken(view.text, view.tokens)?;
    let named = noun(view.text, view.part(who.start, who.end), view.scene).subject();
    let told_by = view.scene.speaker.as_deref().unwrap_or(UNNAMED_SPEAKER);
    let is_another = named != told_by;
    let words = words.start..first_sentence_end(view.text, view.tokens, words);
    let mut dates = shifted(view, words.start);
    dates.retain(|found| found.behind <= words.len());
    let scene = Scene {
        speaker: Some(named.clone()),
        referents: view.scene.referents.clone(),
        subject: None,
    };
    let mut read = read_plain(&View {
        text: view.text,
        tokens: view.part(words.start, words.end),
        dates: &dates,
        scene: &scene,
    });
    if is_another {
        // Whom the "we" of somebody else means is not told.
        let of_we = |subject: &str| subject == "we" || subject.starts_with("we ");
        read.slot = read.slot.filter(|slot| !of_we(&slot.key.subject));
        read.attributed_to = Some(match named.as_str() {
            "" => words_of(view, who.start, who.end),
            _ => named.clone(),
        });
    }
    read.subject = read.subject.or(Some(named));
    Some(read)
}

/// Whether a sentence quotes somebody who says "I" in it and of whom it is not told who that is: `her note read "I moved to
/// Bonn."`. A quotation without a frame is whoever's the sentences beside it say, and where it stands `alone` the writer's.
pub(super) fn quotes_another(text: &str, tokens: &[Token], alone: bool) -> bool {
    let opens_or_closes =
        |token: &Token| is_quote(token) && !token.of(text).starts_with(['\'', '‘', '’']);
    let Some(open) = tokens.iter().position(opens_or_closes) else {
        return false;
    };
    let (before, behind) = tokens.split_at_checked(open + 1).unwrap_or_default();
    let end = behind
        .iter()
        .position(opens_or_closes)
        .unwrap_or(behind.len());
    let (quoted, behind) = behind.split_at_checked(end).unwrap_or_default();
    let speaks = quoted.iter().any(|token| token.is(FIRST | PLURAL_FIRST));
    let states = quoted.iter().any(|token| token.is(VERB) && !token.capital);
    // "My favourite song is "I want to break free"", "a band called "We are sick"": a name that somebody or something has.
    let led_by = before.len().checked_sub(2).and_then(|at| before.get(at));
    let naming = any_of!["called", "named", "titled", "heißt", "is", "are", "was"];
    let names = led_by.is_some_and(|token| naming.hold(token, text));
    let framed = before
        .iter()
        .chain(behind)
        .any(|token| !token.is_any_mark());
    speaks && states && !names && (framed || !alone) && spoken(text, tokens).is_none()
}

/// Where the first of the sentences within a quotation ends: the next begins with a word that opens one.
fn first_sentence_end(text: &str, tokens: &[Token], words: Range<usize>) -> usize {
    let opens = |token: &Token| token.capital && token.is(PRONOUN | ARTICLE | POSSESSIVE);
    let ends = |at: &usize| {
        let token = tokens.get(*at);
        token.is_some_and(|token| matches!(token.of(text), "." | "!" | "?"))
            && tokens.get(at + 1).is_some_and(opens)
    };
    words.clone().find(ends).unwrap_or(words.end)
}

/// What somebody is said to have said in their own words: `Ivo wrote: I …`, `Ivo said "I …"`, `"I …," said Ivo`.
fn spoken(text: &str, tokens: &[Token]) -> Option<Spoken> {
    let found = if tokens.first().is_some_and(is_quote) {
        framed_behind(text, tokens)
    } else {
        framed_before(text, tokens)
    }?;
    let states = |token: &Token| token.is(VERB | FIRST);
    let words = tokens.get(found.words.clone())?;
    words.iter().any(states).then_some(found)
}

/// Whether a sentence is spoken to its end without a mark that closes it, and by somebody who says "I" in it: then no
/// clause of it stands for itself.
pub(super) fn is_spoken_to_the_end(text: &str, tokens: &[Token]) -> bool {
    let of_speaker = |token: &Token| token.is(FIRST | PLURAL_FIRST);
    spoken(text, tokens).is_some_and(|it| {
        let words = tokens.get(it.words).filter(|words| {
            words.last().map(|last| last.end) == tokens.last().map(|last| last.end)
        });
        words.is_some_and(|words| words.iter().any(of_speaker))
    })
}

const fn is_quote(token: &Token) -> bool {
    matches!(
        token.shape,
        Shape::Mark('"' | '“' | '”' | '„' | '«' | '»' | '\'' | '‘' | '’')
    )
}

/// `"I hate mornings," said Ivo`.
fn framed_behind(text: &str, tokens: &[Token]) -> Option<Spoken> {
    let close = 1 + tokens.iter().skip(1).position(is_quote)?;
    let behind = (close + 1)..(close + 1 + LONGEST_FRAME).min(tokens.len());
    let frame = tokens.get(behind)?;
    let ends = frame.iter().position(is_quote).unwrap_or(frame.len());
    let frame = frame.get(..ends)?;
    let verb = frame.iter().position(|token| says(text, token))?;
    let who = speaker(text, frame, verb)?;
    Some(Spoken {
        who: close + 1 + who.start..close + 1 + who.end,
        words: 1..close,
    })
}

/// `Ivo told me: I hate mornings`, `Ivo said, "I hate mornings"`.
fn framed_before(text: &str, tokens: &[Token]) -> Option<Spoken> {
    let opens = |token: &Token| token.is_mark(':') || is_quote(token);
    let end = tokens.iter().take(LONGEST_FRAME).position(opens)?;
    let frame = tokens.get(..end)?;
    let verb = frame.iter().rposition(|token| says(text, token))?;
    let who = speaker(text, frame, verb)?;
    let hearer = frame.get(verb + 1..)?;
    let led = who.end <= verb
        || verb > 0
            && !frame
                .get(verb)
                .is_some_and(|t| TAKES_A_HEARER.hold(t, text));
    let of_what = |token: &Token| token.is(VERB) || OF_WHAT.hold(token, text);
    if !led || hearer.iter().any(of_what) {
        return None;
    }
    let quoted = (end..end + 2).find(|at| tokens.get(*at).is_some_and(is_quote));
    let from = quoted.unwrap_or(end) + 1;
    let closes = |_: usize| tokens.iter().skip(from).position(is_quote);
    let to = quoted.and_then(closes).map_or(tokens.len(), |at| from + at);
    Some(Spoken {
        who,
        words: from..to,
    })
}

fn says(text: &str, token: &Token) -> bool {
    SAYING.hold(token, text)
        || token.beyond_ascii && SAYING.hold_word(&token.of(text).to_lowercase())
}

/// Who speaks in a frame: the first words that are neither its verbs nor say when and to whom.
fn speaker(text: &str, frame: &[Token], verb: usize) -> Option<Range<usize>> {
    // "Ivo was told: …" is said by nobody who is named.
    let passive = any_of!["was", "were", "been", "wurde", "wurden", "fue"];
    if verb
        .checked_sub(1)
        .and_then(|before| frame.get(before))
        .is_some_and(|before| passive.hold(before, text))
    {
        return None;
    }
    let ends = |at: usize, token: &Token| {
        token.is_any_mark()
            || token.is(ADVERB | NEAR_DAY | WEEKDAY | SUBORDINATOR | VERB)
                && !token.is(ATTRIBUTE)
                && !any_of!["'s", "’s"].hold(token, text)
            || says(text, token)
            || HEARERS.hold(token, text) && !token.is(ARTICLE)
            || at > verb && token.is(PREPOSITION) && !OF_WHAT.hold(token, text)
    };
    let leads = |at: usize, token: &Token| {
        ends(at, token) || token.is(COORDINATOR | PREPOSITION) || token.shape == Shape::Number
    };
    let from = (0..frame.len()).find(|at| frame.get(*at).is_some_and(|t| !leads(*at, t)))?;
    let to = (from..frame.len()).find(|at| frame.get(*at).is_some_and(|t| ends(*at, t)));
    Some(from..to.unwrap_or(frame.len()))
}
