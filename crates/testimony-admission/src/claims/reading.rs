//! A clause read into a slot: key and value first, then the forms of the table, then "S is V".

use testimony_domain::{Slot, SlotKey};

use super::attributes::{CATEGORIES, MANY_VALUED};
use super::class::*;
use super::copula::copula;
use super::direct_speech::read_spoken;
use super::leads::openers;
use super::noun::{Noun, Scene, attribute_name, noun};
use super::pattern::{Filled, Form, Hole, forms_at};
use super::quantity::quantity_at;
use super::reading_words::{EMPLOYERS, NO_ANSWERS, UNRESOLVED};
use super::statuses::{names_somebody, status_group};
use super::subject::{Subject, denied_behind, is_person, named_attribute, subject};
use super::token::{Shape, Token};
use super::value::{Value, View, normal_value, stay_end, value, value_end, words_of};
use super::words::{Words, any_of, sketches_of_first};

/// What a clause says: its slot, and what the next clause may lean on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Read {
    pub(crate) slot: Option<Slot>,
    /// The subject, for a following clause that leaves its own out.
    pub(crate) subject: Option<String>,
    /// Who is said to have said it.
    pub(crate) attributed_to: Option<String>,
}

/// Forms are looked for among so many tokens of a clause, so that reading stays linear.
pub(crate) const READ_AHEAD: usize = 60;

/// Behind these a word is a noun, though it may be a verb elsewhere: "of the play".
const DETERMINERS: &Words =
    &Words::of(&["the", "a", "an", "my", "our", "your", "his", "their", "its"]);

/// A clause is read no further than this, in tokens.
const LONGEST_READ: usize = 160;

/// Labels in front of a colon that say what kind of statement follows.
const LABELS: &[&str] = &[
    "note",
    "update",
    "correction",
    "fyi",
    "decision",
    "reminder",
    "fact",
    "preference",
    "info",
    "ps",
    "edit",
    "news",
    "warning",
    "important",
    "observation",
    "hinweis",
    "korrektur",
    "entscheidung",
    "nota",
    "corrección",
    "remember",
    "ps.",
    "heads-up",
    "summary",
];

/// What may stand before a statement without being part of it.
const LEAD_INS: &[&[&str]] = &[
    &["remember", "that"],
    &["note", "that"],
    &["please", "note", "that"],
    &["please", "remember", "that"],
    &["please", "remind", "me", "that"],
    &["remind", "me", "that"],
    &["remind", "us", "that"],
    &["please", "note"],
    &["please", "remember"],
    &["keep", "in", "mind", "that"],
    &["for", "the", "record"],
    &["just", "so", "you", "know"],
    &["fyi"],
    &["by", "the", "way"],
    &["btw"],
    &["in", "fact"],
    &["it", "turns", "out", "that"],
    &["it", "turns", "out"],
    &["turns", "out"],
    &["i", "should", "mention", "that"],
    &["as", "you", "know"],
    &["remember"],
    &["so"],
    &["well"],
    &["anyway"],
    &["however"],
    &["also"],
    &["then"],
    &["meanwhile"],
    &["unfortunately"],
    &["luckily"],
    &["fortunately"],
    &["scratch", "that"],
    &["hey"],
    &["no"],
    &["yes"],
    &["yeah"],
    &["oh"],
    &["sorry"],
    &["ok"],
    &["okay"],
    &["hi"],
    &["thanks"],
    &["nein"],
    &["ja"],
    &["my", "mistake"],
    &["my", "bad"],
    &["i", "was", "wrong"],
    &["i", "mistyped"],
    &["i", "misspoke"],
    &["i", "misremembered"],
    &["i", "mixed", "that", "up"],
    &["i", "got", "that", "wrong"],
    &["let", "me", "correct", "that"],
    &["let", "me", "correct", "myself"],
    &["small", "correction"],
    &["quick", "correction"],
    &["quick", "update"],
    &["short", "update"],
    &["heads", "up"],
    &["typo"],
    &["to", "be", "clear"],
    &["to", "clarify"],
    &["as", "i", "said"],
    &["like", "i", "said"],
    &["so", "yeah"],
    &["okay", "so"],
    &["ok", "so"],
    &["for", "what", "it", "'s", "worth"],
    &["we", "decided", "that"],
    &["good", "news"],
    &["from", "now", "on"],
    &["going", "forward"],
];

/// Reads a clause, of which the words that somebody else is quoted with are theirs.
pub(crate) fn read(view: &View<'_>) -> Read {
    read_spoken(view).unwrap_or_else(|| read_plain(view))
}

/// Reads a clause by its first tokens; the rest of a longer one says no more about its slot.
pub(super) fn read_plain(view: &View<'_>) -> Read {
    let tokens = view.part(0, view.tokens.len().min(LONGEST_READ));
    let dates = view
        .dates
        .iter()
        .position(|found| found.behind > tokens.len())
        .and_then(|cut| view.dates.get(..cut))
        .unwrap_or(view.dates);
    let view = &View {
        tokens,
        dates,
        ..*view
    };
    let start = statement_start(view);
    let (start, attributed_to) = attribution(view, start);
    let start = behind_heading(view, start);
    let mut read = label(view, start)
        .or_else(|| by_form(view, start))
        .or_else(|| copula(view, start))
        .unwrap_or_default();
    read.attributed_to = attributed_to;
    if let Some(slot) = &mut read.slot
        && slot.key.scope.is_empty()
    {
        slot.key.scope = leading_scope(view);
    }
    read.slot = read.slot.filter(|slot| {
        !slot.value.is_empty()
            && !slot.key.subject.is_empty()
            && !slot.key.attribute.is_empty()
            && !NO_ANSWERS.contains(&slot.value.as_str())
    });
    read
}

/// Where the statement begins: behind labels, lead-ins, joining words, and circumstances with a comma.
fn statement_start(view: &View<'_>) -> usize {
    const FIRST_WORDS: u64 = sketches_of_first(LEAD_INS);
    let mut at = 0;
    for _ in 0..4 {
        let before = at;
        while view.tokens.get(at).is_some_and(|t| {
            t.is_any_mark()
                || t.is(COORDINATOR)
                || t.shape == Shape::Symbol
                || (t.is(ADVERB) && !view.is(at + 1, VERB))
        }) && at < view.tokens.len()
        {
            at += 1;
        }
        at += openers(view.text, view.tokens, at);
        if view.word_is(at + 1, any_of![":"])
            && LABELS.contains(&view.word(at).to_lowercase().as_str())
        {
            at += 2;
        }
        let may_lead = |token: &Token| FIRST_WORDS >> token.sketch & 1 != 0;
        let leads = view.tokens.get(at).is_some_and(may_lead);
        let find_lead = || {
            let first = view.word(at);
            LEAD_INS.iter().find(|lead| {
                lead.first()
                    .is_some_and(|word| first.eq_ignore_ascii_case(word))
                    && lead
                        .iter()
                        .enumerate()
                        .all(|(n, word)| view.word(at + n).eq_ignore_ascii_case(word))
            })
        };
        if let Some(lead) = leads.then(find_lead).flatten() {
            let behind = at + lead.len();
            let pause = view.tokens.get(behind).is_some_and(Token::is_any_mark);
            if lead.len() > 1
                || pause
                || lead.first().is_some_and(|w| {
                    matches!(
                        *w,
                        "remember" | "fyi" | "btw" | "so" | "well" | "also" | "then"
                    )
                })
            {
                at = behind + usize::from(pause);
            }
        }
        at = behind_circumstances(view, at);
        if at == before {
            break;
        }
    }
    at
}

/// Behind "Last week,", "In staging,", "As of June 2024,": a date or a preposition in front, and a comma soon.
fn behind_circumstances(view: &View<'_>, at: usize) -> usize {
    let dated = view
        .date_from(at)
        .or_else(|| view.date_from(at + 1))
        .map(|found| found.behind);
    let opens =
        dated.is_some() || (view.is(at, PREPOSITION | SUBORDINATOR) && !view.is(at, PRONOUN));
    if !opens {
        return at;
    }
    let comma = (at..(at + 9).min(view.tokens.len())).find(|place| {
        view.tokens.get(*place).is_some_and(|t| t.is_mark(',')) && view.date_from(*place).is_none()
    });
    match (comma, dated) {
        (Some(place), _) => place + 1,
        (None, Some(behind))
            if view.is(behind, PRONOUN | ARTICLE | POSSESSIVE | FIRST)
                || view.tokens.get(behind).is_some_and(|t| t.capital) =>
        {
            behind
        }
        (None, _) => at,
    }
}

/// The environment that a clause opens with: "In staging, …", "On production the …".
fn leading_scope(view: &View<'_>) -> String {
    let opens = view
        .tokens
        .iter()
        .position(|token| token.is(PREPOSITION))
        .filter(|at| *at < 2);
    let found = opens.and_then(|at| {
        (2..5)
            .find_map(|length| super::noun::scope_alone(view.text, view.part(at + 1, at + length)))
    });
    found.unwrap_or_default()
}

/// "Ana says that …", "According to Ana, …": who says it, and where the statement begins.
fn attribution(view: &View<'_>, start: usize) -> (usize, Option<String>) {
    if view.word_is(start, any_of!["according", "laut", "selon", "según"]) {
        let from = start + 1 + usize::from(view.word_is(start + 1, any_of!["to"]));
        let comma = (from..(from + 6).min(view.tokens.len()))
            .find(|at| view.tokens.get(*at).is_some_and(|t| t.is_mark(',')));
        if let Some(comma) = comma {
            return (comma + 1, Some(words_of(view, from, comma)));
        }
    }
    let verb = (start + 1..(start + 7).min(view.tokens.len())).find(|at| view.is(*at, REPORT));
    let Some(verb) = verb else {
        return (start, None);
    };
    let subject = view.part(start, verb);
    let to_someone = view.word_is(verb + 1, any_of!["to"])
        || (view.word_is(verb, any_of!["reports", "report", "reported", "wrote"])
            && !view.word_is(verb + 1, any_of!["that", "the"]));
    let plain_subject = !subject.iter().any(|t| t.is(VERB) && !t.is(AUXILIARY));
    if to_someone || !plain_subject {
        return (start, None);
    }
    let mut behind = verb + 1;
    if view.word_is(verb, any_of!["told", "tells"]) {
        behind += 1;
    }
    while view
        .tokens
        .get(behind)
        .is_some_and(|t| t.is_any_mark() || t.is(NEAR_DAY))
    {
        behind += 1;
    }
    if view.word_is(behind, any_of!["that", "dass", "que"]) {
        behind += 1;
    }
    let rest = view.part(behind, view.tokens.len());
    if !rest.iter().any(|t| t.is(VERB)) {
        return (start, None);
    }
    let who = noun(view.text, subject, view.scene);
    (behind, Some(who.subject()))
}

/// "Field book: the north field is sown": the words in front of the colon say where it is noted, not of what.
fn behind_heading(view: &View<'_>, start: usize) -> usize {
    let Some(colon) = label_end(view, start) else {
        return start;
    };
    let states = view.is(colon + 1, ARTICLE | POSSESSIVE | PRONOUN)
        && view
            .part(colon + 2, (colon + 10).min(view.tokens.len()))
            .iter()
            .take_while(|token| !token.is_any_mark())
            .any(|token| token.is(VERB) && !token.is(ATTRIBUTE));
    let asked = || {
        let names = noun(view.text, view.part(start, colon), view.scene);
        names.ends_in_attribute || names_somebody(&names.head)
    };
    if states && !asked() { colon + 1 } else { start }
}

/// The colon behind the key of `key: value`.
fn label_end(view: &View<'_>, start: usize) -> Option<usize> {
    let colon = (start + 1..(start + 8).min(view.tokens.len())).find(|at| {
        view.tokens
            .get(*at)
            .is_some_and(|t| t.is_mark(':') || t.is_mark('='))
    })?;
    let says_more = |t: &Token| {
        t.is(VERB | PRONOUN) && !t.is(ATTRIBUTE) && t.of(view.text) != "'s" || t.is_mark(',')
    };
    (!view.part(start, colon).iter().any(says_more)).then_some(colon)
}

/// `key: value`, also inside a sentence's first words.
fn label(view: &View<'_>, start: usize) -> Option<Read> {
    let colon = label_end(view, start)?;
    let key = view.part(start, colon);
    let owner_and_name = noun(view.text, key, view.scene);
    let read = value(view, colon + 1, view.tokens.len());
    let (subject, attribute, scope) = named_attribute(&owner_and_name).unwrap_or_else(|| {
        (
            owner_and_name.subject(),
            owner_and_name.head.clone(),
            owner_and_name.any_scope(),
        )
    });
    if read.words.split(' ').count() > 12 {
        return None;
    }
    finish(subject, attribute, scope, read, &owner_and_name)
}

fn by_form(view: &View<'_>, start: usize) -> Option<Read> {
    let dates = shifted(view, start);
    let inner = View {
        tokens: view.part(start, view.tokens.len()),
        dates: &dates,
        ..*view
    };
    for at in start..view.tokens.len().min(start + READ_AHEAD) {
        let Some(token) = view.tokens.get(at) else {
            break;
        };
        if token.id() == 0 {
            continue;
        }
        let is_noun = at
            .checked_sub(1)
            .is_some_and(|before| view.word_is(before, DETERMINERS))
            && !token.is(COPULA | AUXILIARY | PAST);
        if is_noun {
            continue;
        }
        for form in forms_at(view.tokens, at) {
            if let Some(read) = form
                .fill(inner.tokens, at - start)
                .and_then(|filled| from_form(&inner, form, &filled, at - start))
            {
                return Some(read);
            }
        }
    }
    None
}

/// The dates of a view whose first `start` tokens are left out.
pub(super) fn shifted(view: &View<'_>, start: usize) -> Vec<super::dates::Found> {
    let kept = view
        .dates
        .iter()
        .filter(|found| found.behind > start)
        .cloned();
    kept.map(|mut found| {
        found.first = found.first.saturating_sub(start);
        found.behind -= start;
        found
    })
    .collect()
}

/// Verbs of moving: a person moves home, a thing its place.
const MOVES: &Words = &Words::of(&[
    "moved",
    "moving",
    "moves",
    "relocated",
    "relocates",
    "relocating",
]);

/// Whether a hole may hold what it asks for; it spares the reading of values that cannot fit.
fn promises(view: &View<'_>, kind: Hole, from: usize, to: usize) -> bool {
    match kind {
        Hole::Date => {
            !view.dates_behind(from).is_empty()
                || view.part(from, to.min(from + 8)).iter().any(|t| {
                    t.shape == Shape::Number
                        || t.lexeme.is_none()
                        || t.is(NUMBER | ADVERB)
                        || view.word_is(from, any_of!["noon", "midnight"])
                })
        }
        Hole::Number => view
            .part(from, to.min(from + 4))
            .iter()
            .any(|t| t.shape == Shape::Number || t.is(NUMBER)),
        Hole::Value | Hole::Plain | Hole::Subject | Hole::Attribute | Hole::Anything => true,
    }
}

fn from_form(view: &View<'_>, form: &Form, filled: &[Filled], at: usize) -> Option<Read> {
    let hole = |wanted: &[Hole]| {
        filled
            .iter()
            .find(|(hole, _, _)| wanted.contains(hole))
            .copied()
    };
    let (kind, from, to) = hole(&[Hole::Value, Hole::Number, Hole::Date, Hole::Plain])
        .or_else(|| hole(&[Hole::Anything]))?;
    if !promises(view, kind, from, to) {
        return None;
    }
    let to = stay_end(view, form.attribute, from, to);
    let read = value(view, from, to);
    let employs = !needs_an_employer(view, form, from) || names_an_employer(view, from, to);
    if !fits(view, form, kind, from, &read) || !employs || is_passive(view, form, at) {
        return None;
    }
    let (_, subject_from, subject_to) = hole(&[Hole::Subject])?;
    let trailing = subject_from > at;
    let subject_to = if trailing {
        value_end(view, subject_from, subject_to)
    } else {
        subject_to
    };
    let subject = subject(view, subject_from, subject_to)?;
    let value_first = trailing && from < at;
    if value_first && !plain_value(view, from, to) {
        return None;
    }
    let attribute_hole = hole(&[Hole::Attribute])
        .map(|(_, from, to)| words_of(view, from, value_end(view, from, to)));
    let mut read = read;
    // "Ana no longer leads the choir": in front of its verb a value may have a denial behind it, as a subject may.
    let denied = value_first && denied_behind(view, from, to);
    let mut negated = subject.negated || denied || negated_between(view, at, from);
    if form.attribute == "residence" && subject.phrase.ends_in_attribute && read.dated {
        return None;
    }
    let attribute = match (form.attribute, attribute_hole) {
        ("" | "role" | "pet name", Some(named)) => attribute_name(&named),
        ("preference", _) => {
            prefer(view, from, to, &mut read);
            category(&read)
        }
        ("", None) => return from_subject(&subject, read, negated),
        (fixed, _) => fixed.to_owned(),
    };
    let is_pet = form.attribute == "pet name";
    if form.attribute == "former employer" {
        negated = !negated;
    }
    let moved = view.word_is(at, MOVES);
    let attribute = match attribute.as_str() {
        "residence" if moved && !is_person(&subject) => "location".to_owned(),
        "former employer" if negated => "employer".to_owned(),
        "birth date" => "birthday".to_owned(),
        "name" | "nickname" if !is_pet => return name(&subject, read, negated, &attribute),
        _ => attribute,
    };
    read.negated ^= negated;
    let scope = subject.phrase.any_scope();
    let name = subject.phrase.subject();
    finish_subject(name, attribute, scope, read, &subject)
}

/// "I quit smoking", "I left the keys", "she works with clay": only some of these name who employs somebody.
fn needs_an_employer(view: &View<'_>, form: &Form, from: usize) -> bool {
    form.attribute == "former employer"
        || form.attribute == "employer"
            && view.word_is(
                from.wrapping_sub(1),
                any_of!["with", "by", "joined", "joins", "joining"],
            )
}

/// A name, or a noun for those who employ.
fn names_an_employer(view: &View<'_>, from: usize, to: usize) -> bool {
    let part = view.part(from, value_end(view, from, to));
    part.iter().any(|token| {
        token.capital && !token.is(PRONOUN | MONTH | WEEKDAY) || EMPLOYERS.hold(token, view.text)
    })
}

/// What only somebody who does it fills: "the final is played in Turin" says nothing of what the final plays.
const DONE_BY_SUBJECT: &[&str] = &[
    "plays",
    "likes",
    "dislikes",
    "uses",
    "owns",
    "speaks",
    "wants",
    "drives",
    "preference",
    "former employer",
];

/// Whether the verb of such a form stands in the passive.
fn is_passive(view: &View<'_>, form: &Form, at: usize) -> bool {
    let before = (at.saturating_sub(3)..at)
        .rev()
        .find(|place| !view.is(*place, ADVERB | NEGATION));
    DONE_BY_SUBJECT.contains(&form.attribute)
        && view.is(at, PAST)
        && !view.word_is(at, any_of!["migrated", "switched", "moved"])
        && before.is_some_and(|place| {
            let be = any_of![
                "is", "are", "was", "were", "be", "been", "being", "gets", "got"
            ];
            view.word_is(place, be)
        })
}

/// Whether a value is of the kind that its hole takes, and no longer than values are.
fn fits(view: &View<'_>, form: &Form, kind: Hole, from: usize, read: &Value) -> bool {
    let number = read.unit.is_some() || read.words.starts_with(|c: char| c.is_ascii_digit());
    let of_kind = match kind {
        Hole::Number => number && !read.dated,
        Hole::Date => read.dated,
        Hole::Plain => !read.dated && !number,
        Hole::Value | Hole::Subject | Hole::Attribute | Hole::Anything => true,
    };
    // "Takes 20 mg of citalopram" is a dose, no duration.
    let other_measure = form.attribute == "duration"
        && quantity_at(view.text, view.tokens, from)
            .is_some_and(|(quantity, _)| !quantity.may_be_time());
    of_kind && !other_measure && !read.words.is_empty() && read.words.split(' ').count() <= 14
}

/// A value in front of its verb is a plain noun phrase.
fn plain_value(view: &View<'_>, from: usize, to: usize) -> bool {
    to - from <= 6
        && !view
            .part(from, to)
            .iter()
            .any(|t| t.is(VERB | SUBORDINATOR))
}

fn negated_between(view: &View<'_>, at: usize, from: usize) -> bool {
    view.part(at, from).iter().any(|token| token.is(NEGATION))
}

/// "My dog is called Rex": the name of somebody's somebody is the answer to who that is.
fn name(subject: &Subject, read: Value, negated: bool, attribute: &str) -> Option<Read> {
    let mut read = read;
    read.negated ^= negated;
    let (owner, attribute) = match &subject.phrase.owner {
        Some(owner) if names_somebody(&subject.phrase.head) => {
            (owner.subject(), attribute_name(&subject.phrase.head))
        }
        _ => (subject.phrase.subject(), attribute.to_owned()),
    };
    let named = names_somebody(&subject.phrase.head) && !read.negated;
    let somebody = named.then(|| read.words.clone());
    let mut done = finish_subject(owner, attribute, subject.phrase.any_scope(), read, subject)?;
    if let Some(name) = somebody {
        done.speaks_of(name);
    }
    Some(done)
}

impl Read {
    /// "My apprentice is Lukas. He starts in May": what follows speaks of the one who was named.
    pub(crate) fn speaks_of(&mut self, name: String) {
        self.subject = Some(name);
    }
}

/// The attribute that a subject names ("the timeout of the API"), or the one that its value tells.
fn from_subject(subject: &Subject, read: Value, negated: bool) -> Option<Read> {
    let mut read = read;
    read.negated ^= negated;
    let named = named_attribute(&subject.phrase).or_else(|| {
        let attribute = match status_group(&read.words) {
            Some(group) => group,
            None if read.dated => "date",
            None if read.words.starts_with(|c: char| c.is_ascii_digit()) => "value",
            None => return None,
        };
        Some((
            subject.phrase.subject(),
            attribute.to_owned(),
            subject.phrase.any_scope(),
        ))
    });
    let (owner, attribute, scope) = named?;
    finish_subject(owner, attribute, scope, read, subject)
}

pub(crate) fn finish_subject(
    subject_name: String,
    attribute: String,
    scope: String,
    read: Value,
    subject: &Subject,
) -> Option<Read> {
    finish(subject_name, attribute, scope, read, &subject.phrase)
}

/// "My new number is 0412 883 019": so many digits are a telephone's.
fn is_phone_number(words: &str) -> bool {
    let digits = words.chars().filter(char::is_ascii_digit).count();
    let dials =
        |c: char| c.is_ascii_digit() || matches!(c, ' ' | '+' | '-' | '/' | '(' | ')' | '.');
    (7..=15).contains(&digits) && words.chars().all(dials)
}

/// What is asked, where the answer tells it: a number to dial, a time of day.
fn by_its_answer(attribute: String, read: &Value) -> String {
    match attribute.as_str() {
        "number" if is_phone_number(&read.words) => "phone".to_owned(),
        "date" if read.dated && read.words.get(2..3) == Some(":") => "time".to_owned(),
        _ => attribute,
    }
}

fn finish(
    subject: String,
    attribute: String,
    scope: String,
    read: Value,
    phrase: &Noun,
) -> Option<Read> {
    let scope = Some(scope).filter(|scope| !scope.is_empty());
    let scope = scope.unwrap_or_else(|| read.scope.clone());
    if UNRESOLVED.contains(&subject.as_str()) {
        return None;
    }
    let value = if matches!(attribute.as_str(), "email" | "url") {
        read.words.trim_start_matches("mailto:").to_owned()
    } else {
        normal_value(&read.words)
    };
    let attribute = by_its_answer(attribute, &read);
    let carried = phrase
        .owner
        .as_ref()
        .map_or_else(|| phrase.head.clone(), |_| phrase.subject());
    Some(Read {
        slot: Some(Slot {
            key: SlotKey {
                subject,
                attribute,
                scope,
            },
            value,
            unit: read.unit,
            negated: read.negated,
        }),
        subject: Some(carried),
        attributed_to: None,
    })
}

/// "X over Y", "X for Z": what is preferred, and for what.
fn prefer(view: &View<'_>, from: usize, to: usize, read: &mut Value) {
    let end = value_end(view, from, to);
    let over = (from + 1..end).find(|at| {
        view.word_is(
            *at,
            any_of![
                "over",
                "to",
                "than",
                "rather",
                "instead",
                "als",
                "à",
                "a",
                "gegenüber",
                "vor",
            ],
        )
    });
    if let Some(over) = over {
        let preferred = value(view, from, over);
        let passed_over = value(view, over + 1, end);
        let scope = if preferred.scope.is_empty() {
            passed_over.scope
        } else {
            preferred.scope.clone()
        };
        *read = Value { scope, ..preferred };
    }
    if let Some(place) = read.words.find(" for ").filter(|_| read.scope.is_empty()) {
        let (what, rest) = read
            .words
            .split_at_checked(place)
            .unwrap_or((&read.words, ""));
        read.scope = rest.trim_start_matches(" for ").to_owned();
        read.words = what.to_owned();
    }
}

/// The category of what is preferred: of one category somebody prefers one.
fn category(read: &Value) -> String {
    let words = read.words.as_str();
    let found = CATEGORIES
        .iter()
        .find(|(_, members)| members.contains(&words));
    let head = || words.rsplit_once(' ').map(|(_, last)| last);
    if let Some((what, _)) = words.split_once(" in ") {
        // "Answers in German": which answers are preferred is the question, in what the answer.
        return format!("preferred {what} in");
    }
    match found {
        Some((name, _)) => format!("preferred {name}"),
        None => head().map_or_else(
            || "preference".to_owned(),
            |head| format!("preferred {head}"),
        ),
    }
}

/// Whether an attribute takes many values at once.
pub(crate) fn is_many_valued(attribute: &str) -> bool {
    MANY_VALUED.contains(&attribute) || attribute == "preference"
}

/// No longer subject is carried to the next clauses, in bytes, or each of them would repeat it.
const LONGEST_CARRIED: usize = 512;

/// What the scene knows after a clause was read.
pub(crate) fn remember(scene: &mut Scene, read: &Read) {
    let fits = |subject: &&String| !subject.is_empty() && subject.len() <= LONGEST_CARRIED;
    if let Some(subject) = read.subject.as_ref().filter(fits) {
        scene.subject = Some(subject.clone());
    }
}
