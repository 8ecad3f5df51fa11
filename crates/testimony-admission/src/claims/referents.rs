//! Whom and what a text has named, so that "he", "her", "it" and "they" can be told; where two could be meant, none is.

use std::ops::Range;

use super::class::*;
use super::drawn::Instead;
use super::entities::name_end;
use super::instead;
use super::noun::{Scene, noun};
use super::referent_words::{
    ARTICLES, ELSEWHERE, FEMALE, GROUPS, LEADS_TO_A_PLACE, MALE, MANY, PLACE_PREPOSITIONS, PRONOUNS,
};
use super::statuses::names_somebody;
use super::token::{Shape, Token, lower_case};
use super::words::{Words, any_of};

/// By which pronouns somebody or something may be meant.
pub(super) type Pronouns = u8;
pub(super) const HE: Pronouns = 1;
pub(super) const SHE: Pronouns = 2;
pub(super) const IT: Pronouns = 4;
pub(super) const THEY: Pronouns = 8;

/// So many are remembered; the oldest is forgotten first.
const MOST_REFERENTS: usize = 12;

/// What was named within so many clauses stands nearer than everything before.
const NEAR: usize = 4;

/// No longer name is remembered, in bytes.
const LONGEST_NAME: usize = 128;

/// Somebody or something that the text has named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Referent {
    /// As subjects of slots name it.
    pub(crate) subject: String,
    /// As the text does.
    pub(crate) name: String,
    /// As it can be spoken of again, where nothing is left open by that.
    said: Option<String>,
    by: Pronouns,
    /// In which clause it was last spoken of.
    clause: usize,
}

/// Whom and what a text has named so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Referents {
    /// Whether more than one clause is heard; else nobody can be meant by what was said before.
    pub(crate) listens: bool,
    known: Vec<Referent>,
    clause: usize,
}

impl Referents {
    /// The only one that a pronoun can mean: among what was named a few clauses ago, else among all before.
    fn only(&self, by: Pronouns) -> Option<&Referent> {
        let meant = |near: bool| {
            let fits = self.known.iter().filter(move |known| known.by & by != 0);
            fits.filter(move |known| !near || known.clause + NEAR >= self.clause)
        };
        let mut found = meant(true).peekable();
        if found.peek().is_some() {
            return found.next().filter(|_| found.next().is_none());
        }
        let mut found = meant(false);
        found.next().filter(|_| found.next().is_none())
    }

    /// How the text names the subject of a slot.
    pub(crate) fn name_of(&self, subject: &str) -> Option<&str> {
        let known = self.known.iter().find(|known| known.subject == subject)?;
        Some(&known.name)
    }

    /// What the pronoun at `token` stands for.
    pub(crate) fn meant_by(&self, text: &str, token: &Token) -> Option<&Referent> {
        if self.known.is_empty() {
            return None;
        }
        self.only(pronouns(text, token)?)
    }

    /// As what is the subject of a slot can be spoken of again.
    fn said_of(&self, subject: &str) -> Option<&str> {
        let known = self.known.iter().find(|known| known.subject == subject)?;
        known.said.as_deref()
    }

    fn name(&mut self, subject: String, name: &str, said: Option<String>, by: Pronouns) {
        if subject.is_empty() || name.len() > LONGEST_NAME {
            return;
        }
        let clause = self.clause;
        let same = |known: &&mut Referent| known.subject == subject;
        if let Some(known) = self.known.iter_mut().find(same) {
            let agreed = known.by & by;
            known.by = if agreed == 0 { by } else { agreed };
            known.clause = clause;
            return;
        }
        if self.known.len() >= MOST_REFERENTS {
            self.known.remove(0);
        }
        self.known.push(Referent {
            subject,
            name: name.to_owned(),
            said,
            by,
            clause,
        });
    }

    /// The noun of this clause that somebody's name follows, since both are one.
    fn forget_now(&mut self, noun: &str) {
        let clause = self.clause;
        let is_noun = |name: &str| name.rsplit(' ').next() == Some(noun);
        self.known
            .retain(|known| known.clause != clause || !is_noun(&known.name));
    }

    /// Whom a pronoun meant is a man or a woman from then on.
    fn settle(&mut self, by: Pronouns) {
        let meant = self.only(by).map(|known| known.subject.clone());
        let clause = self.clause;
        let known = self.known.iter_mut();
        for known in known.filter(|known| Some(&known.subject) == meant.as_ref()) {
            known.by &= by;
            known.clause = clause;
        }
    }
}

/// The row of a table for a word.
fn row(table: &[(&str, Pronouns)], word: &str) -> Option<Pronouns> {
    let found = table.iter().find(|(known, _)| *known == word);
    found.map(|(_, by)| *by)
}

/// By which pronouns a word may mean somebody; "sie" in front of a verb of many is "they".
fn pronouns(text: &str, token: &Token) -> Option<Pronouns> {
    if !token.is(THIRD) && !ELSEWHERE.hold(token, text) {
        return None;
    }
    let word = lower_case(token.of(text));
    let rest = text.get(token.end..).unwrap_or_default();
    let verb = || rest.split_whitespace().next().unwrap_or_default();
    match &*word {
        "sie" if verb().ends_with("en") || verb() == "sind" => Some(THEY),
        "sie" => Some(SHE),
        // "Il pleut" speaks of nobody.
        "il" if matches!(
            verb().trim_end_matches([',', '.']),
            "pleut" | "neige" | "faut" | "y"
        ) =>
        {
            None
        }
        word => row(PRONOUNS, word),
    }
}

/// What a clause leans on: whom its first pronoun means, and where that stands.
#[derive(Default)]
pub(super) struct Leaning {
    /// As the text names it; nothing where a name stands before the pronoun.
    on: Option<String>,
    at: usize,
    /// What can be put in the pronoun's place.
    instead: Option<Instead>,
    /// Whether it opens with a pronoun of which nobody knows whom it means.
    pub(super) is_open: bool,
}

impl Leaning {
    /// Whom its clause speaks of by a pronoun, or by no word where it leaves its subject out.
    pub(super) fn speaks_of(&self, scene: &Scene, elided: bool) -> Option<String> {
        let carried = scene.subject.as_ref().filter(|_| elided);
        let carried = || scene.referents.name_of(carried?).map(str::to_owned);
        self.on.clone().or_else(carried)
    }

    /// What a clause is told with, so that it can be read alone: `before` is the clause to which it leaves its subject.
    pub(super) fn told_with(
        &self,
        text: &str,
        tokens: &[Token],
        before: Option<&[Token]>,
        scene: &Scene,
    ) -> Option<Instead> {
        let left_out = || {
            let carried = scene.subject.as_deref();
            let said = carried.and_then(|subject| scene.referents.said_of(subject));
            instead::of_left_out(text, before?, tokens.first()?.start, said)
        };
        self.instead.clone().or_else(left_out)
    }
}

/// Hears a clause up to its first pronoun, so that it can be read.
pub(super) fn begin(text: &str, tokens: &[Token], scene: &mut Scene) -> Leaning {
    if !scene.referents.listens {
        return Leaning::default();
    }
    let pronoun = tokens.iter().position(|t| pronouns(text, t).is_some());
    let at = pronoun.unwrap_or(tokens.len());
    let names_before = note(text, tokens, 0..at, scene);
    let meant = tokens
        .get(at)
        .and_then(|token| scene.referents.meant_by(text, token));
    let on = meant
        .map(|known| known.name.clone())
        .filter(|_| !names_before);
    let said = meant
        .filter(|_| !names_before)
        .and_then(|it| it.said.as_deref());
    let instead = said.and_then(|said| instead::of_pronoun(text, tokens, at, said));
    let opens = tokens
        .iter()
        .take(at)
        .all(|token| token.is_any_mark() || token.is(COORDINATOR | ADVERB));
    let is_open = pronoun.is_some() && opens && on.is_none();
    if is_open {
        // Nobody knows of whom it speaks, so that what follows must not speak of the one before.
        scene.subject = None;
    }
    Leaning {
        on,
        at,
        instead,
        is_open,
    }
}

/// Hears the rest of the clause.
pub(super) fn end(text: &str, tokens: &[Token], leaning: &Leaning, scene: &mut Scene) {
    if scene.referents.listens {
        note(text, tokens, leaning.at..tokens.len(), scene);
        scene.referents.clause += 1;
    }
}

/// Hears a clause that is not read.
pub(super) fn hear(text: &str, tokens: &[Token], scene: &mut Scene) {
    end(text, tokens, &Leaning::default(), scene);
}

/// Remembers whom these tokens name, and says whether any of them is a name.
fn note(text: &str, tokens: &[Token], places: Range<usize>, scene: &mut Scene) -> bool {
    let mut named = false;
    let mut at = places.start;
    while at < places.end {
        let Some(token) = tokens.get(at) else {
            break;
        };
        if let Some(by) = pronouns(text, token) {
            scene.referents.settle(by);
        }
        let name_ends = name_end(text, tokens, at, at == 0);
        let is_name = name_ends > at;
        let behind = name_ends.max(at + 1);
        let led = at.checked_sub(1).and_then(|before| tokens.get(before));
        let led = led.is_some_and(|before| before.is(ARTICLE | POSSESSIVE | NEGATION));
        // "Meine Schwester Anna": in German a noun is written like a name.
        let role = led && names_somebody(&lower_case(token.of(text)));
        if is_name && (!led || role && behind > at + 1) {
            named |= note_name(text, tokens, at + usize::from(role)..behind, scene);
        } else if token.shape == Shape::Word {
            note_noun(text, tokens, behind - 1, scene);
        }
        at = behind;
    }
    named
}

/// "Luis", "my brother Luis", "my brother is called Luis": whether it names somebody.
fn note_name(text: &str, tokens: &[Token], places: Range<usize>, scene: &mut Scene) -> bool {
    let at = places.start;
    let part = tokens.get(places).unwrap_or_default();
    let (Some(first), Some(last)) = (part.first(), part.last()) else {
        return false;
    };
    let name = text.get(first.start..last.end).unwrap_or_default();
    let acronym = name.chars().nth(1).is_some() && !name.chars().any(char::is_lowercase);
    if first.shape != Shape::Word || acronym || is_a_place(text, tokens, at) {
        return false;
    }
    let noun_before = noun_before(text, tokens, at);
    let word = noun_before.and_then(|place| tokens.get(place));
    let word = word.map(|token| lower_case(token.of(text)));
    let role = word.as_deref().filter(|word| names_somebody(word));
    let group = word.as_deref().is_some_and(|word| GROUPS.hold_word(word));
    let titled = gender(&lower_case(first.of(text)));
    let by = match titled.or_else(|| gender(role?)) {
        Some(by) => by,
        None if group => IT | THEY,
        None if role.is_none() && is_of_a_thing(text, tokens, at) => IT,
        None => HE | SHE,
    };
    if let Some(noun) = noun_before.and_then(|place| tokens.get(place)) {
        scene.referents.forget_now(noun.of(text));
    }
    let subject = noun(text, part, scene).subject();
    let said = Some(name.to_owned());
    scene.referents.name(subject, name, said, by);
    true
}

/// "Moved to Lisbon", "lives in Porto", "works for Equinor".
fn is_a_place(text: &str, tokens: &[Token], at: usize) -> bool {
    let word_is = |back: usize, words: &Words| {
        at.checked_sub(back)
            .and_then(|place| tokens.get(place))
            .is_some_and(|token| words.hold(token, text))
    };
    word_is(1, PLACE_PREPOSITIONS)
        || word_is(1, any_of!["to", "for"]) && word_is(2, LEADS_TO_A_PLACE)
}

/// "A small studio called Fjell": what has this name is nobody.
fn is_of_a_thing(text: &str, tokens: &[Token], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| tokens.get(before));
    before.is_some_and(|before| any_of!["called", "named"].hold(before, text))
}

/// Where the noun stands whose name begins at `at`: in front, a verb and a comma aside.
fn noun_before(text: &str, tokens: &[Token], at: usize) -> Option<usize> {
    let naming = any_of![
        "called", "named", "heißt", "llama", "appelle", "chiama", "chama", "heet", "si", "se",
        "s'", "s’",
    ];
    let passed = |token: &Token| {
        token.is_mark(',') || token.is(COPULA | PAST_COPULA) || naming.hold(token, text)
    };
    let mut place = at.checked_sub(1)?;
    while tokens.get(place).is_some_and(passed) {
        place = place.checked_sub(1)?;
    }
    Some(place)
}

fn gender(word: &str) -> Option<Pronouns> {
    if MALE.hold_word(word) {
        return Some(HE);
    }
    FEMALE.hold_word(word).then_some(SHE)
}

/// How a noun that is nobody's name is told as a subject: with its possessive.
fn subject_of_noun(text: &str, tokens: &[Token], at: usize, scene: &Scene) -> String {
    let from = determiner(text, tokens, at).unwrap_or(at);
    let part = tokens.get(from..=at).unwrap_or_default();
    noun(text, part, scene).subject()
}

/// The article or possessive of the noun at `at`.
fn determiner(text: &str, tokens: &[Token], at: usize) -> Option<usize> {
    let plain = |token: &Token| {
        token.shape == Shape::Word
            && !token.is(VERB | PREPOSITION | PRONOUN | COORDINATOR)
            && !is_like_a_verb(text, token)
            && !names_somebody(&lower_case(token.of(text)))
    };
    (at.saturating_sub(LONGEST_PHRASE)..at)
        .rev()
        .take_while(|place| {
            let next = tokens.get(place + 1);
            *place + 1 == at || next.is_some_and(plain)
        })
        .find(|place| {
            tokens
                .get(*place)
                .is_some_and(|t| t.is(ARTICLE | POSSESSIVE))
        })
}

/// So many tokens at most stand between a noun and its article.
const LONGEST_PHRASE: usize = 3;

/// "My sister", "the retry loop", "the visitors": a noun behind its article or possessive.
fn note_noun(text: &str, tokens: &[Token], at: usize, scene: &mut Scene) {
    let no_noun = ARTICLE | POSSESSIVE | PRONOUN | PREPOSITION | ADVERB | FUNCTION | CALENDAR;
    let goes_on = tokens.get(at + 1).is_some_and(|next| {
        next.shape == Shape::Word
            && !next.is(VERB | PREPOSITION | ADVERB | FUNCTION | PRONOUN | COORDINATOR)
            && !next.is(SUBORDINATOR | NEGATION | AUXILIARY)
            && !is_like_a_verb(text, next)
    });
    let Some(token) = tokens
        .get(at)
        .filter(|token| !goes_on && !token.is(no_noun))
    else {
        return;
    };
    let Some((led_by, article)) =
        determiner(text, tokens, at).and_then(|place| Some((place, tokens.get(place)?)))
    else {
        return;
    };
    if token.is(VERB) && led_by + 1 < at {
        return;
    }
    let by = noun_pronouns(&lower_case(token.of(text)), &lower_case(article.of(text)));
    if is_in_passing(text, tokens, led_by, by) {
        return;
    }
    let first = tokens.get(led_by + 1).map_or(token.start, |t| t.start);
    let name = text.get(first..token.end).unwrap_or_default();
    let mut subject = subject_of_noun(text, tokens, at, scene);
    if subject.is_empty() {
        subject = name.to_lowercase();
    }
    let said = instead::again(text, article, name);
    scene.referents.name(subject, name, said, by);
}

/// "My doctor suggested patches": a word of no table that ends like one of the past.
fn is_like_a_verb(text: &str, token: &Token) -> bool {
    token.lexeme.is_none() && token.of(text).ends_with("ed")
}

/// "… is a plumber", "… as a plumber" say what was named is; "in the garden" says where.
fn is_in_passing(text: &str, tokens: &[Token], led_by: usize, by: Pronouns) -> bool {
    let before = led_by.checked_sub(1).and_then(|before| tokens.get(before));
    let somebody = by & IT == 0 && by != THEY;
    before.is_some_and(|before| {
        before.is(COPULA | PAST_COPULA)
            || any_of!["as", "als", "como", "comme", "been", "became"].hold(before, text)
            || before.is(PREPOSITION) && !somebody
    })
}

/// By which pronouns a noun may be meant: by what it names, else by its article, else by its ending.
fn noun_pronouns(word: &str, article: &str) -> Pronouns {
    let ending = word.ends_with('s') && !word.ends_with("ss") && !word.ends_with("us");
    let many = ending || MANY.hold_word(word);
    let told = row(ARTICLES, article);
    let person = || told.map(|by| by & (HE | SHE)).filter(|by| *by != 0);
    if let Some(by) = gender(word) {
        by
    } else if names_somebody(word) {
        person().unwrap_or(HE | SHE)
    } else {
        told.unwrap_or(if many { THEY } else { IT })
    }
}
