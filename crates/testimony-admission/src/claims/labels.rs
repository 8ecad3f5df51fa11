//! What stands in front of a colon: who speaks, or of what the words behind it tell.

use std::ops::Range;

use testimony_domain::Slot;

use super::class::*;
use super::statuses::names_somebody;

/// A speaker's name has at most this many words.
const SPEAKER_WORDS: usize = 3;

/// No key of a `key: value` line and no speaker is longer, in bytes.
const LONGEST_LABEL: usize = 48;

/// What stands before and behind the first `: `, where it comes early enough for a key or a speaker.
fn split_label(content: &str) -> Option<(&str, &str)> {
    let bytes = content.as_bytes();
    let early = bytes.iter().take(LONGEST_LABEL + 1).enumerate();
    let mut colons = early.filter(|(_, byte)| **byte == b':');
    let (at, _) = colons.find(|(at, _)| bytes.get(at + 1) == Some(&b' '))?;
    Some((content.get(..at)?, content.get(at + 2..)?))
}

/// A short key without a verb, a colon, a value.
pub(super) fn is_key_value(content: &str) -> bool {
    let Some((key, value)) = split_label(content) else {
        return false;
    };
    let words = key.split_whitespace().count();
    words <= 5
        && key.len() <= LONGEST_LABEL
        && !value.trim().is_empty()
        && !key.contains(['.', ',', '!', '?', '"', ';'])
}

/// Words that open a `key: value` line and are nobody's name.
#[rustfmt::skip]
const NOT_SPEAKERS: &[&str] = &[
    "note", "update", "warning", "todo", "correction", "decision", "deadline", "budget", "owner", "status", "version", "name", "email", "date", "time", "port", "host", "url", "fact", "preference", "summary", "important",
    "reminder", "subject", "title", "address", "phone", "location", "language", "database", "price", "cost", "action", "result", "answer", "question", "example", "tip", "info", "error", "re", "fwd", "cc", "bcc", "to", "from",
    "editor", "timezone", "birthday", "role", "team", "goal", "priority", "contact", "allergies", "allergy", "diet", "hobbies", "frist", "hinweis", "fecha", "fyi", "ps", "edit", "tl;dr", "type", "region", "environment", "env",
    "theme", "id", "agenda", "attendees", "topic", "age", "city", "country", "company", "employer", "framework", "nota", "korrektur", "entscheidung", "decisión", "corrección", "aktualisierung", "standort", "salary", "size",
    "lead", "manager", "scope", "severity", "assignee", "reporter", "author", "venue", "where", "when", "who", "what", "why", "how", "total", "maintainer", "launch", "reviewer", "timeout", "capacity", "motto", "slogan", "rule",
    "outcome", "upshot", "lesson", "moral", "log", "diary", "journal", "logbook", "recap", "background", "context", "rollback", "restore", "reset", "build", "deploy", "install", "test", "run", "usage", "setup", "start", "stop",
    "release", "backup", "cleanup", "migrate", "lint", "format", "debug", "upgrade", "seed", "publish",
];

/// Who takes turns in a conversation is told by these, whatever else they name.
#[rustfmt::skip]
const TURN_TAKERS: &[&str] = &[
    "user", "assistant", "speaker", "interviewer", "interviewee", "moderator", "host", "guest", "narrator", "human", "ai", "bot", "chatbot", "system", "agent", "customer", "caller", "client", "patient", "operator", "support", "visitor", "respondent", "participant",
    "nutzer", "benutzer", "kunde", "kundin", "sprecher", "sprecherin", "utilisateur", "utilisatrice", "cliente", "usuario", "usuaria",
];

/// Whether this is what somebody is called as one side of a conversation, so that the other side may be called by a noun too.
pub(super) fn takes_turns(name: &str) -> bool {
    TURN_TAKERS.contains(&name.to_lowercase().as_str())
}

/// Nouns with which somebody labels who or what they have, beside those of people that other tables know.
#[rustfmt::skip]
const COMMON_LABELS: &[&str] = &[
    "vet", "optician", "optometrist", "builder", "decorator", "painter", "roofer", "gardener", "handyman", "locksmith", "glazier", "joiner", "tiler", "plasterer", "mechanic", "garage", "hairdresser", "barber", "solicitor", "notary", "bookkeeper", "broker", "insurer", "insurance", "bank", "pharmacy", "chemist", "surgery", "clinic", "hospital", "midwife", "therapist", "osteopath", "orthodontist", "dermatologist", "psychologist", "psychiatrist", "cardiologist", "surgeon",
    "sitter", "dogsitter", "walker", "groomer", "driver", "courier", "caterer", "florist", "photographer", "videographer", "printer", "supplier", "vendor", "contractor", "surveyor", "architect", "concierge", "doorman", "neighbour", "neighbor", "school", "nursery", "kindergarten", "library", "council", "gym", "club", "church", "hotel", "airline", "bakery", "butcher", "bookshop", "shop", "office", "emergency", "reception", "helpdesk", "hotline",
    "boiler", "heating", "furnace", "fridge", "freezer", "oven", "cooker", "dishwasher", "washer", "dryer", "kettle", "router", "modem", "wifi", "wi-fi", "internet", "broadband", "network", "laptop", "computer", "keyboard", "monitor", "server", "car", "van", "bike", "bicycle", "boat", "parking", "garden", "kitchen", "bathroom", "cellar", "attic", "roof", "electricity", "gas", "water", "power", "rent", "deposit", "mortgage", "lease", "keys", "key", "alarm", "bins", "rubbish", "recycling", "post", "mail",
    "breakfast", "lunch", "dinner", "medication", "medicine", "dose", "vitamins", "glasses", "shoes", "blood", "insulin", "passport", "visa", "licence", "license", "password", "login", "account", "tariff", "contract", "warranty", "invoice", "invoices", "payment", "payments", "billing", "taxes", "pension", "staging", "production", "backend", "frontend", "storage", "cache", "queue", "hosting", "domain", "repo", "repository", "branch", "docs", "documentation", "monitoring", "logging", "logs", "testing", "tests", "auth", "authentication",
    "wlan", "heizung", "auto", "miete", "strom", "wasser", "garten", "küche", "keller", "schule", "kita", "werkstatt", "elektriker", "elektrikerin", "putzfrau", "friseur", "friseurin", "steuerberater", "steuerberaterin", "anwalt", "anwältin", "apotheke", "versicherung", "handwerker", "gärtner", "gärtnerin", "passwort", "konto",
    "électricien", "médecin", "pédiatre", "coiffeur", "coiffeuse", "comptable", "avocat", "avocate", "garagiste", "jardinier", "chaudière", "voiture", "loyer", "école", "electricista", "médico", "médica", "pediatra", "peluquero", "peluquera", "abogado", "abogada", "mecánico", "caldera", "coche", "alquiler", "escuela",
];

/// Endings of nouns for what somebody does or what is done, with which no name ends.
const NOUN_ENDINGS: &[&str] = &["ician", "ologist", "tion", "ware", "keeper"];

/// The next speaker in a line that already has one, and where the words begin: "Ana: Who has it? Ben: I do."
pub(crate) fn turn(said: &str, heard: [&str; 2]) -> Option<(Range<usize>, usize)> {
    let (label, _) = split_label(said)?;
    let (name, behind) = speaker(said, heard.into_iter().any(takes_turns)).or_else(|| {
        // Who spoke before may say a word only.
        let known = heard.into_iter().find(|name| label.ends_with(name))?;
        let from = label.len() - known.len();
        Some((from..label.len(), label.len() + 2))
    })?;
    let shown = said.get(name.clone())?;
    let words: Vec<&str> = shown.split_whitespace().collect();
    let body = said.get(behind..)?;
    (!body.trim().is_empty()
        && (heard.contains(&shown) || is_one_name(&words) || opens_in_first_person(body)))
    .then_some((name, behind))
}

/// The name before `: ` where it can only be a speaker's: capitals, no attribute, and a sentence behind it.
pub(super) fn speaker(content: &str, in_conversation: bool) -> Option<(Range<usize>, usize)> {
    let (label, said) = split_label(content)?;
    let behind = 1 + said.len() - said.trim_start().len();
    if label.len() > 40 || said.trim().is_empty() {
        return None;
    }
    let shown = label.trim_matches(|c: char| matches!(c, '*' | '[' | ']' | '_' | ' '));
    let without_time = shown.rsplit("] ").next().unwrap_or(shown);
    let words: Vec<&str> = without_time.split_whitespace().collect();
    let capital = |word: &&str| {
        word.starts_with(char::is_uppercase)
            && word
                .chars()
                .all(|c| c.is_alphabetic() || matches!(c, '.' | '-' | '\''))
    };
    let known = || {
        let lower = words.first().map(|word| word.to_lowercase());
        lower.is_some_and(|word| NOT_SPEAKERS.contains(&word.trim_end_matches('.')))
    };
    let named = !words.is_empty() && words.len() <= SPEAKER_WORDS && words.iter().all(capital);
    if !named || known() || is_list_of_pairs(said) {
        return None;
    }
    let common = match words.as_slice() {
        [word] => is_common_noun(word),
        [.., last] => is_role(&last.to_lowercase()),
        [] => false,
    };
    if common && !in_conversation && !speaks_to_somebody(said) {
        return None;
    }
    if words.len() == 1 && !says_something(said)
        || words.len() > 1
            && !(opens_in_first_person(said) || is_one_name(&words) && says_something(said))
    {
        return None;
    }
    let from = label.rfind(without_time)?;
    Some((from..from + without_time.len(), label.len() + 1 + behind))
}

/// Two names in a row, and no word that attributes end in ("Launch Date").
fn is_one_name(words: &[&str]) -> bool {
    !words
        .iter()
        .any(|word| super::lexicon::lexicon().find(word).is_some())
}

fn opens_in_first_person(said: &str) -> bool {
    let first = said
        .trim_start()
        .split([' ', '\'', '’', ','])
        .next()
        .unwrap_or_default();
    matches!(
        first,
        "I" | "We"
            | "My"
            | "Our"
            | "Ich"
            | "Wir"
            | "Je"
            | "Nous"
            | "Mein"
            | "Meine"
            | "Yo"
            | "Hi"
            | "Hey"
            | "Hello"
            | "Yes"
            | "No"
    )
}

/// "Cleaner", "GP", "Boiler": what somebody may have as well as who may speak, so that the words have to tell which it is.
fn is_common_noun(word: &str) -> bool {
    let lower = word.to_lowercase();
    let acronym = word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_uppercase());
    let common = acronym
        || COMMON_LABELS.contains(&lower.as_str())
        || NOUN_ENDINGS.iter().any(|end| lower.ends_with(end))
        || names_somebody(&lower);
    common && !takes_turns(&lower)
}

/// "Window Cleaner", of which the last word tells that it is nobody's name.
fn is_role(last: &str) -> bool {
    names_somebody(last) && !takes_turns(last)
}

/// "Doctor: You should rest.", "Mum: When are you home?": it is said to somebody, so that somebody says it.
fn speaks_to_somebody(said: &str) -> bool {
    let first = said.split_whitespace().next().unwrap_or_default();
    opens_in_first_person(said)
        || matches!(
            first,
            "You" | "Your" | "You're" | "You’re" | "You'll" | "You’ll"
        )
        || said.trim_end().ends_with('?')
}

/// What a word may be in any language; nothing where no table has it.
fn classes_of(word: &str) -> Class {
    let lexeme = super::lexicon::lexicon().find(word);
    lexeme.map_or(0, super::lexicon::Lexeme::classes_in_any)
}

/// "Bins: green on Monday, blue on Thursday": to whom or what each belongs, which nobody says.
fn is_list_of_pairs(said: &str) -> bool {
    let said = said.trim().trim_end_matches('.');
    let classes = |word: &str| classes_of(&word.to_lowercase());
    let is_plain = |word: &str| {
        let small = classes(word) & (PREPOSITION | MONTH | WEEKDAY | RELATIVE) != 0;
        small || classes(word) & (PRONOUN | VERB | COPULA | AUXILIARY) == 0
    };
    let is_pair = |part: &str| {
        let mut words = part.split_whitespace();
        let count = words.clone().take(LONGEST_PAIR + 1).count();
        let led = words
            .clone()
            .next()
            .is_none_or(|it| classes(it) & PREPOSITION != 0);
        (2..=LONGEST_PAIR).contains(&count) && !led && words.all(is_plain)
    };
    let separated = said.contains([',', ';']) && !said.ends_with(['!', '?']);
    separated && said.split([',', ';']).all(is_pair)
}

/// "Allergies: Ben nuts, Mia dairy": a label for many and such a list are many answers, and none to a question about the label.
pub(super) fn lists_pairs(said: &str) -> bool {
    let listed = split_label(said).filter(|(label, _)| label.ends_with('s'));
    listed.is_some_and(|(_, list)| is_list_of_pairs(list))
}

/// "Cleaner: Maria comes on Tuesdays": an answer to who or what a label is for, where a sentence stands behind it.
pub(super) fn labels_a_sentence(slot: &Slot, said: &str) -> bool {
    let classes = |word: &str| classes_of(word.trim_end_matches(['.', ',', ';']));
    let verb = |word: &str| {
        let verb = classes(word) & VERB != 0 || word.len() > 4 && word.ends_with("ed");
        verb && classes(word) & (ATTRIBUTE | PREPOSITION | ARTICLE) == 0
    };
    let carries = |word: &str| classes(word) & (COPULA | PAST_COPULA) != 0 && verb(word);
    split_label(said).is_some_and(|(label, told)| {
        let first = told.split([',', ';']).next().unwrap_or_default();
        slot.key.subject == slot.key.attribute
            && slot.key.subject == label.to_lowercase()
            && is_common_noun(label.rsplit(' ').next().unwrap_or_default())
            && (first.split_whitespace().skip(1).any(verb)
                || told.split_whitespace().skip(1).any(carries))
    })
}

/// A pair of a list has so many words at most.
const LONGEST_PAIR: usize = 4;

/// More than a value: several words, or an end mark.
fn says_something(said: &str) -> bool {
    let said = said.trim();
    said.split_whitespace().count() >= 3 && said.ends_with(['.', '!', '?', '…', '"', ')'])
        || opens_in_first_person(said)
        || said.split_whitespace().count() >= 5
        || said.ends_with(['!', '?'])
}
