//! Small talk: a text all of whose words are greetings, thanks, acknowledgements and the particles between them.

use std::sync::LazyLock;

use testimony_domain::Reason;

use super::Part;
use super::small_talk_words::{MADE_OF, PHRASES, Talk};
use crate::folded::{Folded, Key};
use crate::lexicon::{Keys, WordMap, WordSet, every_choice, is_unspaced, without_accents};

/// Small talk is short; a longer text is never only that.
const LONGEST: usize = 240;
/// The longest phrase of the list, in words; a sign of a script without spaces counts as a word.
const LONGEST_PHRASE: usize = 16;
/// How much of a text is read before the rest of it is worth reading.
const HEAD: usize = 48;
/// How many names may follow a greeting: "Hi Anna Maria".
const NAMES: usize = 2;

static TALK: LazyLock<WordMap<String, Talk>> = LazyLock::new(|| {
    let listed = PHRASES
        .iter()
        .flat_map(|(talk, _, list)| list.split('|').map(|phrase| (*talk, phrase.to_owned())));
    let made = MADE_OF
        .iter()
        .flat_map(|(talk, parts)| every_choice(parts).into_iter().map(|made| (*talk, made)));
    let mut phrases = WordMap::default();
    for (talk, phrase) in listed.chain(made) {
        for spelling in [without_accents(&phrase), phrase] {
            // The first row that has a phrase decides what it does.
            let words: Vec<String> = words(&spelling)
                .into_iter()
                .map(|word| word.lower)
                .collect();
            phrases.entry(words.join(" ")).or_insert(talk);
        }
    }
    phrases
});

/// The words with which phrases begin: most texts are told from small talk by their first word.
static FIRST_WORDS: LazyLock<WordSet<&'static str>> = LazyLock::new(|| {
    TALK.keys()
        .filter_map(|phrase| phrase.split(' ').next())
        .collect()
});

struct Word {
    lower: String,
    is_capital: bool,
    ends_clause: bool,
}

/// The words of a text, without its marks. Signs of a script without spaces are words of their own.
fn words(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut open = false;
    for character in text.chars() {
        let joins = matches!(character, '\'' | '’' | '-') && open;
        if is_unspaced(character) && character.is_alphanumeric() {
            words.push(Word {
                lower: character.to_string(),
                is_capital: false,
                ends_clause: false,
            });
            open = false;
        } else if character.is_alphanumeric() || joins {
            if !open {
                words.push(Word {
                    lower: String::new(),
                    is_capital: character.is_uppercase(),
                    ends_clause: false,
                });
                open = true;
            }
            if let Some(word) = words.last_mut() {
                let character = if character == '’' { '\'' } else { character };
                push_lower(&mut word.lower, character);
            }
        } else {
            open = false;
            if let Some(word) = words.last_mut().filter(|_| !character.is_whitespace()) {
                word.ends_clause = true;
            }
        }
    }
    words
}

/// Adds a letter in lower case.
fn push_lower(word: &mut String, letter: char) {
    if letter.is_ascii() {
        word.push(letter.to_ascii_lowercase());
    } else {
        word.extend(letter.to_lowercase());
    }
}

/// What the text is, where it is small talk and nothing else.
pub(super) fn small_talk(text: &str) -> Option<Reason> {
    if text.len() > LONGEST {
        return None;
    }
    if !may_be_small_talk(text) {
        return None;
    }
    let words = words(text);
    let mut rest = words.as_slice();
    let mut first: Option<Talk> = None;
    let mut thanked = false;
    let mut may_name = false;
    while !rest.is_empty() {
        let at = words.len() - rest.len();
        let signs = at.checked_sub(1).and_then(|last| words.get(last));
        let (talk, taken) = frame(rest, thanked)
            .or_else(|| (at == 0).then(|| salutation(rest)).flatten())
            .or_else(|| signs.and_then(|closing| signature(closing, rest)))
            .or_else(|| phrase(rest))
            .or_else(|| may_name.then(|| name(rest)).flatten())?;
        // "Thanks again for …": what carries nothing stands between thanks and what they are for.
        thanked = talk == Talk::Thanks || thanked && talk == Talk::Filler;
        if talk != Talk::Filler {
            first = first.or(Some(talk));
        }
        // "Kind regards, Miriam" names after its end as well.
        may_name = matches!(talk, Talk::Greeting | Talk::Thanks)
            || (talk == Talk::Filler
                && first.is_some_and(|talk| talk != Talk::Acknowledgement)
                && taken == 1);
        rest = rest.get(taken..)?;
    }
    match first? {
        Talk::Greeting => Some(Reason::ResidueGreeting),
        Talk::Thanks => Some(Reason::ResidueThanks),
        Talk::Acknowledgement => Some(Reason::ResidueAcknowledgement),
        Talk::Filler => None,
    }
}

/// Words after which thanks say what they are for.
const FOR: &[&str] = &[
    "for", "für", "pour", "por", "per", "voor", "za", "за", "pela", "pelo",
];
/// Words by which a clause tells of somebody, or hands over what is told: "for telling me that …".
const TELLING: &[&str] = &[
    "she", "he", "they", "she's", "he's", "they're", "that", "dass", "que", "che", "dat",
];
/// How wishes open: what follows names a day or a trip and nothing else.
const WISHES: &[(&[&str], Talk)] = &[
    (&["have", "a"], Talk::Thanks),
    (&["have", "an"], Talk::Thanks),
    (&["enjoy", "your"], Talk::Thanks),
    (&["enjoy", "the"], Talk::Thanks),
    (&["hope", "everyone's"], Talk::Greeting),
    (&["hope", "you"], Talk::Greeting),
    (&["hope", "you're"], Talk::Greeting),
    (&["i", "hope", "you"], Talk::Greeting),
    (&["i", "hope", "you're"], Talk::Greeting),
    (&["i", "hope", "everyone"], Talk::Greeting),
    (&["hope", "all"], Talk::Greeting),
    (&["hope", "your"], Talk::Greeting),
];
/// What a wish is about.
#[rustfmt::skip]
const WISHED: &[&str] = &[
    "day", "week", "weekend", "evening", "morning", "night", "trip", "flight", "time", "holiday", "holidays", "vacation", "well", "great", "good",
    "fine", "afternoon", "one", "rest", "break", "christmas", "journey", "ride", "meal",
];
/// How many words may follow the opening of a wish or of thanks.
const FRAME_WORDS: usize = 6;

/// A wish, or what thanks are for: an opening, and a few plain words up to the end of the clause.
fn frame(words: &[Word], thanked: bool) -> Option<(Talk, usize)> {
    let first = words.first()?;
    if thanked && FOR.contains(&first.lower.as_str()) {
        let taken = thanked_for(words);
        return taken.map(|taken| (Talk::Thanks, taken));
    }
    let mut wishes = WISHES.iter();
    let (opening, talk) = wishes.find(|(opening, _)| opens_with(words, opening))?;
    let taken = plain_clause(words, opening.len())?;
    let wished = words
        .get(opening.len()..taken)?
        .iter()
        .any(|word| WISHED.contains(&word.lower.as_str()));
    wished.then_some((*talk, taken))
}

/// What thanks are for: a few plain words, unless they tell of somebody else or hand over a statement.
fn thanked_for(words: &[Word]) -> Option<usize> {
    let behind = words.iter().skip(1).take(FRAME_WORDS + 1);
    let mut clause = behind.clone().take_while(|word| !word.ends_clause);
    if clause.any(|word| TELLING.contains(&word.lower.as_str())) {
        return None;
    }
    // Behind so many words only such may follow as say nothing anywhere.
    plain_clause(words, 1).or_else(|| {
        let mut head = behind.take(FRAME_WORDS);
        head.all(|word| is_plain(word) && !word.ends_clause)
            .then_some(FRAME_WORDS + 1)
            .filter(|taken| *taken <= words.len())
    })
}

/// How letters open: the words in front of the name of who is written to.
const SALUTATIONS: &[&[&str]] = &[
    &["dear"],
    &["sehr", "geehrte"],
    &["sehr", "geehrter"],
    &["liebe"],
    &["lieber"],
    &["cher"],
    &["chère"],
    &["estimado"],
    &["estimada"],
    &["querido"],
    &["querida"],
    &["gentile"],
    &["egregio"],
    &["caro"],
    &["cara"],
    &["prezado"],
    &["prezada"],
    &["geachte"],
    &["beste"],
];
/// Titles in front of a name; the mark behind a short one ends nothing.
const TITLES: &[&str] = &[
    "mr", "mrs", "ms", "mx", "dr", "prof", "sir", "madam", "herr", "frau", "señor", "señora", "sr",
    "sra", "monsieur", "madame", "mme", "signor", "signora", "senhor", "senhora", "meneer",
    "mevrouw",
];
/// So many words name who is written to at most.
const ADDRESSED: usize = 4;

/// "Dear Ms. Lindqvist,": an opening of a letter with a name, and the end of the clause or of the text.
fn salutation(words: &[Word]) -> Option<(Talk, usize)> {
    let opening = SALUTATIONS
        .iter()
        .find(|opening| opens_with(words, opening))?;
    let names = words.get(opening.len()..)?;
    let mut taken = opening.len();
    for word in names.iter().take(ADDRESSED) {
        let is_title = TITLES.contains(&word.lower.as_str());
        if !word.is_capital && !is_title {
            return None;
        }
        taken += 1;
        if word.ends_clause && !is_title || taken == words.len() {
            return Some((Talk::Greeting, taken));
        }
    }
    None
}

/// Words with which a letter closes in front of who signs it.
#[rustfmt::skip]
const CLOSINGS: &[&str] = &[
    "regards", "wishes", "cordially", "warmly", "thanks", "cheers", "sincerely", "truly", "faithfully", "yours", "respectfully", "grüße", "grüßen", "gruß", "gruss", "mfg", "lg", "saludos", "saludo", "atentamente", "cordialmente",
    "cordialement", "salutations", "saluti", "groeten", "groet",
];
/// Small words in the name of who signs.
#[rustfmt::skip]
const SIGNERS: &[&str] = &[
    "ihr", "ihre", "dein", "deine", "euer", "eure", "der", "die", "das", "von", "vom", "und", "the", "and", "of", "at", "your", "team", "el", "la", "los", "de", "del", "y", "su", "tu", "le", "les",
    "du", "des", "et", "votre", "van", "het",
];
/// So many words name who signs at most.
const SIGNED: usize = 7;

/// "Kind regards, Dr. Osei": everything behind the closing is who signs.
fn signature(closing: &Word, words: &[Word]) -> Option<(Talk, usize)> {
    let closes = CLOSINGS.contains(&closing.lower.as_str());
    let signs = |word: &Word| word.is_capital || SIGNERS.contains(&word.lower.as_str());
    let fits = closes && words.len() <= SIGNED && words.iter().all(signs);
    fits.then_some((Talk::Filler, words.len()))
}

fn opens_with(words: &[Word], opening: &[&str]) -> bool {
    let same = opening.iter().zip(words).filter(|(a, b)| **a == b.lower);
    same.count() == opening.len()
}

/// How many words lead to the end of the clause, where few do and none of them is a name or a number.
fn plain_clause(words: &[Word], opening: usize) -> Option<usize> {
    let rest = words.get(opening..)?;
    let end = rest
        .iter()
        .position(|word| word.ends_clause)
        .map_or(rest.len(), |at| at + 1);
    let fits = end > 0 && end <= FRAME_WORDS && rest.iter().take(end).all(is_plain);
    fits.then_some(opening + end)
}

fn is_plain(word: &Word) -> bool {
    !word.is_capital && !word.lower.chars().any(char::is_numeric)
}

/// The words of every phrase, as far as an apostrophe or a hyphen.
static OF_PHRASES: LazyLock<Keys> = LazyLock::new(|| {
    let words = TALK.keys().flat_map(|phrase| Folded::of(phrase).words);
    let signers = SIGNERS.iter().map(|word| Key::of_word(word).whole);
    Keys::of(words.map(|word| word.key.whole).chain(signers))
});

/// The words that open a frame, after which others may follow.
static OF_FRAMES: LazyLock<Keys> = LazyLock::new(|| {
    let wishes = WISHES.iter().filter_map(|(opening, _)| opening.first());
    let words = FOR.iter().chain(wishes);
    Keys::of(words.map(|word| Key::of_word(word).whole))
});

/// Whether a text may be small talk, told by the keys of its words; most texts are not.
///
/// Up to the opening of a frame, a small word that no phrase has settles the matter: only names are unknown.
pub(super) fn may_be(part: &Part<'_>) -> bool {
    if part.text.len() > LONGEST {
        return false;
    }
    let (text, folded) = part.around;
    for word in part.words.iter().filter(|word| word.made_of.is_word()) {
        if OF_FRAMES.may_hold(word.key.whole) {
            return true;
        }
        // Other alphabets have letters that this way of folding leaves large.
        if !word.made_of.is_ascii() || OF_PHRASES.may_hold(word.key.whole) {
            continue;
        }
        let before = text.get(..word.start).unwrap_or_default();
        let is_name = text
            .get(word.start..)
            .unwrap_or_default()
            .starts_with(char::is_uppercase)
            || before.ends_with(['\'', '’', '-']);
        let letters = folded.get(word.start..word.end).unwrap_or_default();
        if !is_name && !is_laughter(letters) {
            return false;
        }
    }
    true
}

/// Whether the text begins with a phrase, told by its first words alone.
fn may_be_small_talk(text: &str) -> bool {
    let first = first_word(text);
    if is_laughter(&first) {
        return true;
    }
    let wishes = WISHES
        .iter()
        .any(|(opening, _)| opening.first() == Some(&first.as_str()));
    let salutes = SALUTATIONS
        .iter()
        .any(|opening| opening.first() == Some(&first.as_str()));
    if !wishes && !salutes && !FIRST_WORDS.contains(first.as_str()) {
        return false;
    }
    let head = text.get(..text.floor_char_boundary(HEAD)).unwrap_or(text);
    let words = words(head);
    // The cut may have gone through a word of a long phrase; then its first word has to do.
    words.len() <= 2
        || phrase(&words).is_some()
        || frame(&words, false).is_some()
        || salutation(&words).is_some()
}

/// The first word of a text as [`words`] would cut it.
fn first_word(text: &str) -> String {
    let mut word = String::new();
    for character in text.chars().skip_while(|c| !c.is_alphanumeric()) {
        if is_unspaced(character) {
            if word.is_empty() {
                word.push(character);
            }
            break;
        }
        match character {
            '’' => word.push('\''),
            '\'' | '-' => word.push(character),
            _ if character.is_alphanumeric() => push_lower(&mut word, character),
            _ => break,
        }
    }
    word
}

/// The longest phrase that `words` begin with.
fn phrase(words: &[Word]) -> Option<(Talk, usize)> {
    let longest = words.len().min(LONGEST_PHRASE);
    if words
        .first()
        .is_none_or(|word| !FIRST_WORDS.contains(word.lower.as_str()) && !is_laughter(&word.lower))
    {
        return None;
    }
    let mut joined = String::new();
    let mut found = None;
    for (at, word) in words.iter().take(longest).enumerate() {
        if at > 0 {
            joined.push(' ');
        }
        joined.push_str(&word.lower);
        if let Some(talk) = TALK.get(joined.as_str()) {
            found = Some((*talk, at + 1));
        }
        if at == 0 && found.is_none() && is_laughter(&word.lower) {
            found = Some((Talk::Acknowledgement, 1));
        }
    }
    found
}

/// Up to two capitalised words, with which the clause ends: the one who is greeted.
fn name(words: &[Word]) -> Option<(Talk, usize)> {
    let names = words
        .iter()
        .take(NAMES)
        .take_while(|word| word.is_capital)
        .count();
    let last = words.get(..names)?.iter().position(|word| word.ends_clause);
    let taken = last.map_or(names, |at| at + 1);
    let ends = taken > 0
        && (last.is_some() || taken == words.len() || words.get(taken..).is_some_and(goes_on));
    ends.then_some((Talk::Filler, taken.max(1)))
}

/// Words between the name and what is said to its bearer: "Hi Ana and Ben", "thanks Ana for coming".
#[rustfmt::skip]
const BEHIND_NAMES: &[&str] = &["and", "und", "et", "y", "e", "en", "i", "again", "so", "very", "too"];

/// Whether small talk goes on behind a name: words that carry nothing join what states something as well.
fn goes_on(words: &[Word]) -> bool {
    let joins = |word: &Word| {
        let word = word.lower.as_str();
        BEHIND_NAMES.contains(&word) || FOR.contains(&word)
    };
    phrase(words).is_some_and(|(talk, _)| talk != Talk::Filler) || words.first().is_some_and(joins)
}

/// `hahaha`, `hehehe`, `jajaja`, `hmmm`, `yesss`: drawn out, however long.
fn is_laughter(word: &str) -> bool {
    const LETTERS: &[(char, char)] = &[
        ('h', 'a'),
        ('h', 'e'),
        ('h', 'i'),
        ('j', 'a'),
        ('x', 'd'),
        ('h', 'm'),
        ('l', 'o'),
        ('w', 'o'),
        ('a', 'w'),
        ('o', 'h'),
        ('а', 'х'),
        ('х', 'а'),
        ('y', 'e'),
    ];
    // Of three letters of two kinds, two are the same; few words begin so.
    if let Some([a, b, c]) = word.as_bytes().first_chunk()
        && word.is_ascii()
        && a != b
        && b != c
        && a != c
    {
        return false;
    }
    let is_of = |one: char, other: char| word.chars().all(|c| c == one || c == other);
    word.len() >= 3 && LETTERS.iter().any(|(one, other)| is_of(*one, *other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_text_without_anything_else_is_small_talk() {
        assert_eq!(
            small_talk("Hi Ana, how are you?"),
            Some(Reason::ResidueGreeting)
        );
        assert_eq!(small_talk("Hello Kitty is Ana's favourite brand."), None);
        assert_eq!(small_talk("谢谢你的帮助"), Some(Reason::ResidueThanks));
        assert_eq!(small_talk("42"), None);
        assert_eq!(small_talk(""), None);
    }
}
