//! Noun phrases: whose, what, and under which circumstances.

use std::sync::LazyLock;

use super::attributes::{ENVIRONMENTS, SYNONYMS};
use super::class::*;
use super::referents::Referents;
use super::token::{Shape, Token, lower_case};
use super::words::Words;
use crate::lexicon::WordMap;

/// What is known of the conversation when a clause is read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scene {
    /// Who speaks, normalised.
    pub(crate) speaker: Option<String>,
    /// Whom and what the text has named.
    pub(crate) referents: Referents,
    /// The subject of the clause before, for a clause that leaves its own out.
    pub(crate) subject: Option<String>,
}

/// The subject of words that stand for a speaker whose name is not known.
pub(crate) const UNNAMED_SPEAKER: &str = "user";

/// A noun phrase.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Noun {
    /// Whose it is.
    pub(crate) owner: Option<Box<Noun>>,
    /// What it is, normalised.
    pub(crate) head: String,
    /// Under which circumstances.
    pub(crate) scope: String,
    /// Whether the head ends in a noun that names an attribute.
    pub(crate) ends_in_attribute: bool,
    /// Whether the head is a name.
    pub(crate) named: bool,
    /// Whether it is, or belongs to, somebody that a pronoun stands for.
    pub(crate) resolved: bool,
}

impl Noun {
    /// The whole phrase as a subject; empty where nobody knows whose it is.
    pub(crate) fn subject(&self) -> String {
        let Some(owner) = &self.owner else {
            return self.head.clone();
        };
        let owner = owner.subject();
        if owner.is_empty() || self.head.is_empty() {
            return owner;
        }
        format!("{owner} {}", self.head)
    }

    /// The first circumstances that the phrase or its owner names.
    pub(crate) fn any_scope(&self) -> String {
        if !self.scope.is_empty() {
            return self.scope.clone();
        }
        self.owner
            .as_ref()
            .map(|owner| owner.any_scope())
            .unwrap_or_default()
    }
}

/// Adjectives that say when rather than which.
const TIME_ADJECTIVES: &Words = &Words::of(&[
    "new", "current", "latest", "updated", "official", "actual", "final", "old", "former",
    "previous", "revised", "correct", "own", "neue", "neuer", "neues", "nouveau", "nouvelle",
    "nuevo", "nueva", "original", "aktuelle", "same",
]);

/// Words behind an environment that add nothing to it.
const ENVIRONMENT_NOUNS: &[&str] = &[
    "environment",
    "env",
    "environments",
    "umgebung",
    "instance",
    "system",
    "entorno",
    "environnement",
];

/// The word that counts for an environment.
pub(crate) fn environment(word: &str) -> Option<&'static str> {
    let lower = word.to_lowercase();
    ENVIRONMENTS
        .iter()
        .find(|(_, names)| names.contains(&lower.as_str()))
        .map(|(name, _)| *name)
}

/// The name that counts for an attribute.
pub(crate) fn attribute_name(words: &str) -> String {
    if let Some(name) = ATTRIBUTE_NAMES.of_synonyms.get(words) {
        return (*name).to_owned();
    }
    let spelled_alike = words.contains("our") || words.contains('-') || words.contains("lieblings");
    let spelled = if spelled_alike {
        words
            .replace("favourite", "favorite")
            .replace("colour", "color")
            .replace("lieblings", "favorite ")
            .replace('-', " ")
    } else {
        words.to_owned()
    };
    match ATTRIBUTE_NAMES.of_all.get(spelled.as_str()) {
        Some(name) => (*name).to_owned(),
        None => spelled,
    }
}

/// The name that counts for each attribute, by its synonyms alone and by all words for it; the first row counts.
struct AttributeNames {
    of_synonyms: WordMap<&'static str, &'static str>,
    of_all: WordMap<&'static str, &'static str>,
}

static ATTRIBUTE_NAMES: LazyLock<AttributeNames> = LazyLock::new(|| {
    let mut names = AttributeNames {
        of_synonyms: WordMap::default(),
        of_all: WordMap::default(),
    };
    for (name, others) in SYNONYMS {
        names.of_all.entry(name).or_insert(name);
        for other in *others {
            names.of_synonyms.entry(other).or_insert(name);
            names.of_all.entry(other).or_insert(name);
        }
    }
    names
});

/// Whether the tables know the words as one attribute.
pub(crate) fn is_attribute_name(words: &str) -> bool {
    ATTRIBUTE_NAMES.of_all.contains_key(words)
}

/// Short words for longer ones.
const SHORT_WORDS: &[(&str, &str)] = &[
    ("db", "database"),
    ("repo", "repository"),
    ("config", "configuration"),
    ("app", "application"),
    ("docs", "documentation"),
    ("k8s", "kubernetes"),
    ("auth", "authentication"),
    ("info", "information"),
];

fn written_out(word: &str) -> &str {
    SHORT_WORDS
        .iter()
        .find(|(short, _)| *short == word)
        .map_or(word, |(_, long)| long)
}

/// Reads the noun phrase in `tokens`.
pub(crate) fn noun(text: &str, tokens: &[Token], scene: &Scene) -> Noun {
    let tokens = trimmed(tokens);
    let own = tokens.iter().rposition(|token| {
        matches!(token.of(text), "'s" | "’s" | "'" | "’") && !token.is_mark('\'')
    });
    if let Some(place) = own.filter(|place| *place > 0 && place + 1 < tokens.len()) {
        let (owner, rest) = tokens.split_at_checked(place).unwrap_or((tokens, &[]));
        return Noun {
            owner: Some(Box::new(noun(text, owner, scene))),
            ..plain(text, rest.get(1..).unwrap_or_default())
        };
    }
    // "James' office": a name in -s with the mark behind it.
    let bare = tokens
        .iter()
        .position(|token| token.is_mark('\'') || token.is_mark('’'));
    if let Some(place) = bare.filter(|place| *place > 0 && place + 1 < tokens.len()) {
        let (owner, rest) = tokens.split_at_checked(place).unwrap_or((tokens, &[]));
        return Noun {
            owner: Some(Box::new(noun(text, owner, scene))),
            ..plain(text, rest.get(1..).unwrap_or_default())
        };
    }
    let joint = tokens.iter().position(|token| {
        matches!(
            token.of(text),
            "of" | "for"
                | "von"
                | "für"
                | "de"
                | "del"
                | "du"
                | "des"
                | "d'"
                | "der"
                | "in"
                | "at"
                | "on"
                | "im"
        ) || is_whose(text, token)
    });
    if let Some(place) = joint.filter(|place| *place > 0 && place + 1 < tokens.len()) {
        let (front, rest) = tokens.split_at_checked(place).unwrap_or((tokens, &[]));
        let whose = tokens.get(place).is_some_and(|token| is_whose(text, token));
        let rest = rest.get(usize::from(!whose)..).unwrap_or_default();
        let head = plain(text, front);
        let strict = whose
            || tokens
                .get(place)
                .is_some_and(|t| matches!(t.of(text), "of" | "von" | "de" | "del" | "du" | "d'"));
        if strict || head.ends_in_attribute {
            if let Some(scope) = scope_alone(text, rest) {
                return Noun {
                    scope,
                    ..noun(text, front, scene)
                };
            }
            if front.iter().any(|token| token.is(POSSESSIVE)) && !strict {
                return noun(text, front, scene);
            }
            return Noun {
                owner: Some(Box::new(noun(text, rest, scene))),
                ..head
            };
        }
    }
    pronoun(text, tokens, scene).unwrap_or_else(|| possessed(text, tokens, scene))
}

/// "Der Name meiner Katze": behind a noun it says whose that is.
fn is_whose(text: &str, token: &Token) -> bool {
    token.is(POSSESSIVE) && GENITIVES.hold(token, text)
}

const GENITIVES: &Words = &Words::of(&[
    "meiner", "meines", "deiner", "deines", "seiner", "seines", "ihrer", "ihres", "unserer",
    "unseres",
]);

/// "Staging", "the EU region": circumstances and nothing else.
pub(crate) fn scope_alone(text: &str, tokens: &[Token]) -> Option<String> {
    let mut words = tokens
        .iter()
        .filter(|token| !token.is(ARTICLE | POSSESSIVE) && !token.is_any_mark());
    let first = words.next()?;
    let rest_is_noun = words.all(|token| {
        ENVIRONMENT_NOUNS.contains(&token.of(text).to_lowercase().as_str())
            || token.of(text) == "region"
    });
    if !rest_is_noun {
        return None;
    }
    let word = first.of(text);
    if first.is(ENVIRONMENT) {
        return environment(word).map(str::to_owned);
    }
    (first.is(REGION) && (first.capital || word.contains('-'))).then(|| word.to_lowercase())
}

/// The tokens without marks around them and words in front that join clauses.
fn trimmed(tokens: &[Token]) -> &[Token] {
    let idle = |token: &Token| {
        (token.is_any_mark() && !token.is_mark('\''))
            || token.is(COORDINATOR)
            || (token.is(ADVERB) && !token.is(ATTRIBUTE))
    };
    let from = tokens
        .iter()
        .position(|token| !idle(token))
        .unwrap_or(tokens.len());
    let to = tokens
        .iter()
        .rposition(|token| {
            !token.is_any_mark() && (!token.is(ADVERB) || token.is(ATTRIBUTE | NUMBER))
        })
        .map_or(from, |place| place + 1);
    tokens.get(from..to.max(from)).unwrap_or_default()
}

fn speaker_of(scene: &Scene) -> String {
    scene
        .speaker
        .clone()
        .unwrap_or_else(|| UNNAMED_SPEAKER.to_owned())
}

/// Whom a word stands for; nobody where the text does not tell.
fn stands_for(text: &str, token: &Token, scene: &Scene) -> String {
    if token.is(PLURAL_FIRST) {
        return "we".to_owned();
    }
    if token.is(FIRST) {
        return speaker_of(scene);
    }
    if token.is(THIRD) {
        let meant = scene.referents.meant_by(text, token);
        return meant.map(|known| known.subject.clone()).unwrap_or_default();
    }
    let word = token.of(text).to_lowercase();
    match word.as_str() {
        "your" | "du" | "dein" | "deine" | "tu" | "ton" | "ta" => "you".to_owned(),
        _ => word,
    }
}

fn pronoun(text: &str, tokens: &[Token], scene: &Scene) -> Option<Noun> {
    let [token] = tokens else {
        return None;
    };
    token.is(PRONOUN | FIRST | PLURAL_FIRST).then(|| Noun {
        head: stands_for(text, token, scene),
        resolved: true,
        ..Noun::default()
    })
}

/// "My dog", or a phrase without an owner.
fn possessed(text: &str, tokens: &[Token], scene: &Scene) -> Noun {
    let Some((first, rest)) = tokens
        .split_first()
        .filter(|(first, rest)| first.is(POSSESSIVE) && !rest.is_empty())
    else {
        return plain(text, tokens);
    };
    let owner = Noun {
        head: stands_for(text, first, scene),
        resolved: true,
        ..Noun::default()
    };
    Noun {
        owner: Some(Box::new(owner)),
        ..plain(text, rest)
    }
}

/// Whether a word, given in lower case too, is an adjective that says when.
fn says_when(token: &Token, lower: &str) -> bool {
    (token.beyond_ascii || TIME_ADJECTIVES.may_hold(token)) && TIME_ADJECTIVES.hold_word(lower)
}

fn plain(text: &str, tokens: &[Token]) -> Noun {
    let mut read = Noun::default();
    let words: Vec<&Token> = tokens
        .iter()
        .filter(|token| !token.is_any_mark() && token.shape != Shape::Symbol)
        .collect();
    let count = words.iter().filter(|token| !token.is(ARTICLE)).count();
    for (place, token) in words.iter().enumerate() {
        let word = token.of(text);
        let lower = lower_case(word);
        let last = place + 1 == words.len();
        if token.is(ARTICLE) || (count > 1 && !last && says_when(token, &lower)) {
            continue;
        }
        let firm = || {
            matches!(
                environment(&lower),
                Some("staging" | "production" | "development" | "preview")
            ) || matches!(&*lower, "qa" | "uat")
        };
        let place_word = token.is(REGION) && lower.contains('-');
        if token.is(ENVIRONMENT)
            && (!last || (count == 1 && firm() && lower != "preview" && lower != "development"))
        {
            read.scope = environment(&lower).unwrap_or_default().to_owned();
            continue;
        }
        if (place_word || (token.is(REGION) && token.capital)) && !last && count > 1 {
            read.scope = lower.into_owned();
            continue;
        }
        if !read.scope.is_empty()
            && read.head.is_empty()
            && last
            && ENVIRONMENT_NOUNS.contains(&&*lower)
        {
            continue;
        }
        if !read.head.is_empty() {
            read.head.push(' ');
        }
        read.head.push_str(written_out(&lower));
    }
    if read.head.is_empty() && !read.scope.is_empty() {
        "environment".clone_into(&mut read.head);
    }
    read.ends_in_attribute = words.last().is_some_and(|token| token.is(ATTRIBUTE))
        || read.head.starts_with("favo")
        || read.head.starts_with("lieblings");
    read.named = words
        .iter()
        .any(|token| token.capital && !token.is(ARTICLE | POSSESSIVE | ATTRIBUTE))
        && words
            .iter()
            .filter(|t| !t.is(ARTICLE))
            .all(|token| token.capital && !token.is(ATTRIBUTE));
    let kept = read.head.trim_end_matches('.').len();
    read.head.truncate(kept);
    read
}
