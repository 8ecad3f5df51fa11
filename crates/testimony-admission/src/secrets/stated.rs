//! Credentials that a sentence or a key states in words: weak ones, which only their place gives away.
//!
//! A noun that names a credential opens a frame: `the PIN for the vault is …`, `das Passwort wurde auf … gesetzt`,
//! `passphrase: …`.
//! What stands in the hole of the frame is taken where it could be chosen or issued, and left where it speaks about the
//! credential (`the password is changed every month`).
//! Every noun is followed for a bounded number of words, so the work stays in proportion to the text.

use std::iter::Peekable;
use std::ops::Range;

use super::find::Match;
use super::led::{behind_change, behind_question};
use super::line::{BLANKS, LONGEST_PHRASE, Token, Tokens, bare_token, core, quoted, without_bold};
use super::locks::{LOCK_RULE, stated_number};
use super::name::Name;
use super::phrase::{Voice, is_passphrase};
use super::plain::{PLAIN_RULE, stated_word};
use super::rule::Form;
use super::stated_words::{
    AS, ASIDES, AT_LAST, BY_TO, CARDS, DEVICES, ENTERS, FROM, INSTANCES, IS, LOCKS, NETWORKS,
    NOUNS, Noun, OF_CARDS, OPENS, OTHER_CODES, OTHER_PASSES, PARTICLES, POSTAL, SETS, SHORT_PARTS,
    SPELLINGS, STILL, TO, USERS,
};
use super::table::{KeywordHit, TABLE};
use super::typed::{
    digits_in_groups, is_drawn_by_place, is_grouped_like, is_long_number, is_number, is_once,
    is_pair, is_quoted_word, is_typed, key_in_groups,
};
use crate::lexicon::is_unspaced;
use crate::normalise::{Layer, View};

/// So many words may stand between a noun and its value.
const MOST_WORDS: usize = 10;
/// So far behind a noun its value may begin.
const REACH: usize = 160;
/// A shorter number is no password, unless a lock is named.
const SHORTEST_NUMBER: usize = 6;
/// The rule for whatever a person types.
pub(super) const PASSWORD_RULE: &str = "beside_password";
/// The rule for numbers that open one thing.
pub(super) const CODE_RULE: &str = "beside_code";

/// Every value that a noun among `hits` leads to.
pub(super) fn in_sentences(view: &View<'_>, hits: &[KeywordHit]) -> Vec<Match> {
    if view.layer() == Layer::Joined {
        return Vec::new();
    }
    let text = view.text();
    let stated = hits.iter().flat_map(|hit| values_at(text, hit)).flatten();
    let stated = stated.filter_map(|(rule, value)| Match::in_view(view, rule, &value));
    stated.collect()
}

/// The values that a noun leads to, by the rule whose word it is.
fn values_at(text: &str, hit: &KeywordHit) -> [Option<(&'static str, Range<usize>)>; 2] {
    let keyword = hit.start..hit.end;
    let told = |rule, value: Option<Range<usize>>| value.map(|value| (rule, value));
    let rule = TABLE.rule(hit.rule);
    match rule.map(|rule| (rule.id, rule.form)) {
        Some((PLAIN_RULE, _)) => {
            let noun = Mention::at(text, keyword);
            [
                told(PLAIN_RULE, noun.and_then(|noun| stated_word(&noun))),
                None,
            ]
        }
        Some((LOCK_RULE, _)) => {
            let noun = Mention::of_a_lock(text, keyword);
            [
                told(LOCK_RULE, noun.and_then(|noun| stated_number(&noun))),
                None,
            ]
        }
        Some((_, Form::Word | Form::Sentence)) => {
            Mention::at(text, keyword).map_or([None, None], |noun| {
                let value = noun.value().or_else(|| noun.value_before());
                [
                    told(noun.rule(), value),
                    told(noun.rule(), noun.former_value()),
                ]
            })
        }
        Some((_, Form::Beside | Form::Shape(_) | Form::Block(_))) | None => [None, None],
    }
}

/// A noun in a text.
pub(super) struct Mention<'t> {
    pub(super) text: &'t str,
    noun: Noun,
    pub(super) range: Range<usize>,
}

/// How a value is said to be the credential.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Said {
    /// A word says so.
    InWords,
    /// A sign assigns it.
    BySign,
    /// Nothing but a blank.
    ByPlace,
}

impl<'t> Mention<'t> {
    /// The noun of a keyword that stands as a word of its own, or ends one.
    fn at(text: &'t str, keyword: Range<usize>) -> Option<Self> {
        let word = text.get(keyword.clone())?.to_lowercase();
        let known = NOUNS
            .iter()
            .find(|(_, nouns)| nouns.contains(&word.as_str()));
        let (noun, _) = known?;
        let behind = text.get(keyword.end..)?;
        let plural = *noun == Noun::Login && behind.starts_with('s');
        let end = keyword.end + usize::from(plural);
        let goes_on = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        let rest = text.get(end..)?;
        let linked = PARTICLES.iter().any(|particle| rest.starts_with(particle));
        if rest.starts_with(goes_on) && (word.is_ascii() || !linked) {
            return None;
        }
        let mention = Self {
            text,
            noun: *noun,
            range: keyword.start..end,
        };
        mention.stands_for_itself().then_some(mention)
    }

    /// The word for a lock, or for what one does at it, that stands as a word of its own.
    fn of_a_lock(text: &'t str, range: Range<usize>) -> Option<Self> {
        let touches = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        let behind = text.get(range.end..)?;
        let apart = !behind.starts_with(touches) && !text.get(..range.start)?.ends_with(touches);
        let noun = Noun::Code;
        apart.then_some(Self { text, noun, range })
    }

    /// Whether what touches the noun from before leaves it its meaning: `barcode` is no code.
    fn stands_for_itself(&self) -> bool {
        let prefix = self.prefix();
        match self.noun {
            Noun::Pin | Noun::Once => prefix.is_empty(),
            Noun::Short => prefix.is_empty() && !self.is_another_pass(),
            Noun::Code => prefix.is_empty() || is_lock(&prefix),
            Noun::Password | Noun::Passcode | Noun::Login => {
                let named = !Name::before(self.text, self.range.end).is_excluded();
                (named || self.noun == Noun::Login) && !self.ends_another_word()
            }
        }
    }

    /// "Słupsk": letters go straight into a noun that is too short to be told from the end of a word.
    fn ends_another_word(&self) -> bool {
        let noun = self.text.get(self.range.clone()).unwrap_or_default();
        let touched = || self.before().ends_with(char::is_alphabetic);
        SHORT_PARTS
            .iter()
            .any(|short| noun.eq_ignore_ascii_case(short))
            && touched()
    }

    /// "The boarding pass", "the tests pass".
    fn is_another_pass(&self) -> bool {
        let word = self.before().split_whitespace().next_back().map(core);
        let noun = self.text.get(self.range.clone()).unwrap_or_default();
        noun.eq_ignore_ascii_case("pass")
            && word.is_some_and(|word| OTHER_PASSES.contains(&word.as_str()))
    }

    /// The letters that touch the noun from before, in lower case.
    fn prefix(&self) -> String {
        let before = self.text.get(..self.range.start).unwrap_or_default();
        let touching = before.chars().rev().take(24);
        let touching = touching.take_while(|c| c.is_alphanumeric() || *c == '-' || *c == '_');
        let reversed: Vec<char> = touching.collect();
        let prefix: String = reversed.into_iter().rev().collect();
        prefix.trim_matches(['-', '_']).to_lowercase()
    }

    const fn rule(&self) -> &'static str {
        match self.noun {
            Noun::Password | Noun::Login | Noun::Short => PASSWORD_RULE,
            Noun::Passcode | Noun::Pin | Noun::Code | Noun::Once => CODE_RULE,
        }
    }

    /// The value that what stands behind the noun leads to.
    fn value(&self) -> Option<Range<usize>> {
        let rest = self.rest(self.range.end);
        let open = rest.trim_start_matches(CLOSING);
        let from = self.range.end + rest.len() - open.len();
        let particle = PARTICLES
            .iter()
            .find(|particle| open.starts_with(**particle));
        if let Some(particle) = particle {
            let behind = open.get(particle.len()..)?.trim_start_matches(BLANKS);
            return self.hole(self.text.len() - behind.len(), Said::InWords, from);
        }
        let answer = behind_question(open).map(|answer| self.text.len() - answer.len());
        match self.behind_sign(open).or(answer) {
            Some(at) => self.hole(at, Said::BySign, from),
            None => match self.former_value() {
                Some(former) => self.behind_former_value(&former, from),
                None => self.behind_words(from).or_else(|| {
                    let at = behind_change(self)?;
                    self.hole(at, Said::InWords, from)
                }),
            },
        }
    }

    /// "… to …": the value that it has now.
    fn behind_former_value(&self, former: &Range<usize>, from: usize) -> Option<Range<usize>> {
        let mut words = Tokens::of(self.text, former.end, REACH);
        words.find(|word| TO.contains(&core(word.text).as_str()))?;
        self.hole(words.next()?.start, Said::InWords, from)
    }

    fn rest(&self, at: usize) -> &'t str {
        self.text.get(at..).unwrap_or_default()
    }

    /// Where a value begins that a sign assigns, or the flag of a command line.
    fn behind_sign(&self, rest: &str) -> Option<usize> {
        let sign = rest.trim_start_matches(BLANKS);
        let value = sign.trim_start_matches([':', '=', '：', '＝', '>', '→']);
        let assigns = value.len() < sign.len() && !sign.starts_with("::") && !sign.starts_with('>');
        // "**Gate code:** …": bold type ends behind the sign.
        let value = value.strip_prefix("** ").unwrap_or(value);
        let value = value.trim_start_matches(BLANKS);
        let flag =
            self.text.get(..self.range.start)?.ends_with("--") && value.starts_with(['"', '\'']);
        (assigns || flag).then(|| self.text.len() - value.len())
    }

    /// The value that the words of the sentence lead to.
    fn behind_words(&self, from: usize) -> Option<Range<usize>> {
        if !self.rest(from).starts_with(BLANKS) {
            return None;
        }
        let mut changed = None;
        let mut words = Tokens::of(self.text, from, REACH)
            .take(MOST_WORDS)
            .peekable();
        if let Some(at) = self
            .follows_at_once(from)
            .or_else(|| self.ends_the_clause(from))
        {
            return self.hole(at, Said::ByPlace, from);
        }
        while let Some(word) = words.next() {
            let plain = core(word.text);
            let is = |known: &[&str]| known.contains(&plain.as_str());
            let next = words.peek().map(|next| next.start);
            if word.text.ends_with([':', '=', '→', '：']) && !is(INSTANCES) {
                return self.hole(next?, Said::InWords, from);
            }
            if word.text.ends_with(['.', '!', '?', ';']) {
                return None;
            }
            if is(IS) || is(TO) && self.is_linked_by_to() {
                if let Some(at) = behind_is(&mut words) {
                    return self.hole(at, Said::InWords, from);
                }
            } else if is(TO) && *changed.get_or_insert_with(|| self.follows_change()) {
                let value = self.hole(next?, Said::InWords, from);
                if value.is_some() {
                    return value;
                }
            }
            if is(SETS) {
                changed = Some(true);
            }
        }
        None
    }

    /// Where something stands right behind the noun, or behind the name of a network, that opens no sentence about it.
    fn follows_at_once(&self, from: usize) -> Option<usize> {
        let mut words = Tokens::of(self.text, from, REACH);
        let first = words.next()?;
        if !may_open(first.text) {
            return Some(first.start);
        }
        let word = core(first.text);
        let says_nothing = [NETWORKS, ASIDES]
            .iter()
            .any(|known| known.contains(&word.as_str()));
        let passed = says_nothing && !first.text.ends_with([':', '=']);
        let second = words.next().filter(|_| passed)?;
        (!may_open(second.text)).then_some(second.start)
    }

    /// "Пароль от роутера …": what ends the clause a few words behind the noun, where it was drawn rather than chosen.
    fn ends_the_clause(&self, from: usize) -> Option<usize> {
        const MOST: usize = 5;
        let mut words = Tokens::of(self.text, from, REACH);
        let opens = words
            .next()
            .filter(|word| OPENS.contains(&core(word.text).as_str()));
        opens?;
        let goes_on = |word: &Token<'_>| word.text.ends_with(char::is_alphabetic);
        let value = words.take(MOST).find(|word| {
            let token = bare_token(self.text, word.start);
            !goes_on(word) || self.text.get(token).is_some_and(is_drawn_by_place)
        })?;
        let token = bare_token(self.text, value.start);
        let drawn = self.text.get(token.clone()).is_some_and(is_drawn_by_place);
        (drawn && ends_clause(self.rest(token.end))).then_some(value.start)
    }

    /// "Changed my password from … to …": the value that it had.
    fn former_value(&self) -> Option<Range<usize>> {
        let mut words = Tokens::of(self.text, self.range.end, REACH);
        let is = |word: &Token<'_>, known: &[&str]| known.contains(&core(word.text).as_str());
        let at = words
            .next()
            .filter(|word| is(word, FROM))
            .and(words.next())?;
        let led = words.next().is_some_and(|word| is(&word, TO));
        let set = led && self.follows_change();
        set.then(|| self.hole(at.start, Said::InWords, self.range.end))?
    }

    /// "Hasło do routera to …": in Polish the word for "to" says what something is.
    fn is_linked_by_to(&self) -> bool {
        let noun = self.text.get(self.range.clone()).unwrap_or_default();
        let noun = noun.to_lowercase();
        BY_TO.contains(&noun.as_str())
    }

    /// Whether a word before the noun says that it is set.
    pub(super) fn follows_change(&self) -> bool {
        let clause = self.before().rsplit(['.', '\n', ';', '!', '?']).next();
        let words = clause.unwrap_or_default().split_whitespace().rev().take(6);
        words.map(core).any(|word| SETS.contains(&word.as_str()))
    }

    /// A bounded stretch before the noun, on its line.
    pub(super) fn before(&self) -> &'t str {
        let floor = self
            .text
            .ceil_char_boundary(self.range.start.saturating_sub(REACH));
        let before = self.text.get(floor..self.range.start).unwrap_or_default();
        before.rsplit('\n').next().unwrap_or_default()
    }

    /// `… is the wifi password`: the value stands before the noun.
    fn value_before(&self) -> Option<Range<usize>> {
        let ends = self.rest(self.range.end).trim_start_matches(CLOSING);
        let closed = ends.is_empty() || ends.starts_with(['.', ',', ';', '!', '\n']);
        // A list without blanks is one word, which may be as long as the text.
        let goes_on = || {
            let next = ends.strip_prefix(' ')?.split_whitespace().next()?;
            let next = core(next);
            Some(OPENS.contains(&next.as_str()) || ENTERS.contains(&next.as_str()))
        };
        if !closed && goes_on() != Some(true) {
            return None;
        }
        let before = self.before();
        let mut words = before.split_whitespace().rev().take(5);
        let links =
            |word: &str| IS.contains(&word) || self.noun != Noun::Login && AS.contains(&word);
        words.find(|word| links(word))?;
        let value = words.next()?;
        let at = self.range.start - before.len()
            + (value.as_ptr() as usize).checked_sub(before.as_ptr() as usize)?;
        let found = self.hole(at, Said::ByPlace, at)?;
        (found.end <= at + value.len()).then_some(found)
    }

    /// The value at `at`, if what stands there could be one. The words that lead to it begin at `from`.
    fn hole(&self, at: usize, said: Said, from: usize) -> Option<Range<usize>> {
        let network = self.noun == Noun::Code && self.names_a_network(said);
        if self.noun == Noun::Code && !network && !self.names_a_lock(from..at, said) {
            return None;
        }
        if let Some(inside) = quoted(self.text, at) {
            return self.in_quotes(inside).filter(|inside| {
                let value = self.text.get(inside.clone()).unwrap_or_default();
                !self.is_postal(value, said, from..at)
            });
        }
        if said != Said::ByPlace
            && let Some(letters) = self.spelled_out(at).or_else(|| self.in_groups(at))
        {
            return Some(letters);
        }
        if network {
            let token = bare_token(self.text, at);
            let value = self.text.get(token.clone())?;
            return (is_typed(value, false) || is_number(value, self.rest(token.end)))
                .then_some(token);
        }
        self.bare(at, said, from)
    }

    /// "The wifi is … and the code is …": a code that lets devices in, of any kind of characters.
    fn names_a_network(&self, said: Said) -> bool {
        const REACH: usize = 8;
        let clause = self.before().rsplit([';', '.', '(']).next();
        let words = clause.unwrap_or_default().split_whitespace().rev();
        let mut words = words.take(REACH).map(core);
        let other = |word: String| OTHER_CODES.contains(&word.as_str());
        let mut clause = words.clone();
        let is_other = words.next().is_some_and(other);
        let named = clause.any(|word| NETWORKS.contains(&word.as_str()));
        said != Said::ByPlace && named && !is_other
    }

    /// A value at `at` without quotes.
    fn bare(&self, at: usize, said: Said, from: usize) -> Option<Range<usize>> {
        let token = bare_token(self.text, at);
        let token = token.start..self.up_to_ideographs(&token);
        let value = self.text.get(token.clone())?;
        let behind = self.rest(token.end);
        let by_place = said == Said::ByPlace;
        let number = is_number(value, behind) && !self.is_postal(value, said, from..at);
        let locked = || self.names_a_lock(from..at, said);
        let taken = match self.noun {
            Noun::Login => {
                return is_pair(self.line_from(at)).map(|pass| at + pass.start..at + pass.end);
            }
            Noun::Once => return self.listed_codes(at, said),
            Noun::Short => is_typed(value, true) && (!by_place || self.is_short_for_sure()),
            Noun::Code => number || self.is_on_the_card(value, from..at),
            Noun::Pin if self.is_of_a_card() => {
                (3..=4).contains(&value.len()) && value.bytes().all(|b| b.is_ascii_digit())
            }
            Noun::Pin => number && (!by_place || self.is_in_capitals() || locked()),
            Noun::Passcode => number || is_typed(value, by_place),
            Noun::Password => {
                let long = number && (value.len() >= SHORTEST_NUMBER || locked());
                self.is_password(value, behind, by_place, long)
            }
        };
        let phrase = || self.noun == Noun::Password && !by_place;
        if taken {
            Some(token)
        } else {
            phrase().then(|| self.phrase(at, said))?
        }
    }

    /// Whether `value` is a password, or a `number` that is as long as one.
    fn is_password(&self, value: &str, behind: &str, by_place: bool, number: bool) -> bool {
        let by_place = by_place && !(ends_clause(behind) && self.follows_user());
        let told =
            || number || is_long_number(value) || is_quoted_word(value) && remarks_case(behind);
        is_typed(value, by_place) || !by_place && told()
    }

    /// A value written without blanks ends where letters of another script go on: `Sakura8812です`.
    fn up_to_ideographs(&self, token: &Range<usize>) -> usize {
        let noun = self.text.get(self.range.clone()).unwrap_or_default();
        let value = self.text.get(token.clone()).unwrap_or_default();
        let wide = noun
            .starts_with(is_unspaced)
            .then(|| value.find(is_unspaced));
        wide.flatten().map_or(token.end, |at| token.start + at)
    }

    /// One letter after the other with blanks between: `W a l n u t 9 3`.
    fn spelled_out(&self, at: usize) -> Option<Range<usize>> {
        const FEWEST: usize = 6;
        let line = self.line_from(at);
        let mut letters = String::new();
        let mut end = 0;
        for word in line.split(' ') {
            let bare = word.trim_end_matches(['.', ',', ';', ')']);
            let mut characters = bare.chars();
            let (Some(one), None) = (characters.next(), characters.next()) else {
                break;
            };
            letters.push(one);
            end += bare.len() + 1;
            if bare.len() < word.len() {
                break;
            }
        }
        let many = letters.chars().count() >= FEWEST;
        let plain = letters.chars().all(char::is_alphanumeric);
        let typed = self.noun != Noun::Code && (plain || is_typed(&letters, false));
        (many && (typed || is_number(&letters, ""))).then(|| at..at + end - 1)
    }

    /// Groups of digits with a blank between, as they are printed below a router or on a note at a door.
    fn in_groups(&self, at: usize) -> Option<Range<usize>> {
        let line = self.line_from(at);
        let len = match self.noun {
            Noun::Password => key_in_groups(line),
            Noun::Code | Noun::Passcode => digits_in_groups(line),
            Noun::Pin => digits_in_groups(line).filter(|_| !self.is_of_a_card()),
            Noun::Login | Noun::Short | Noun::Once => None,
        };
        len.map(|len| at..at + len)
    }

    /// "The security code is 147" where a payment card is named before it: digits on the back of it.
    fn is_on_the_card(&self, value: &str, gap: Range<usize>) -> bool {
        let digits = (3..=4).contains(&value.len()) && value.bytes().all(|b| b.is_ascii_digit());
        let gap = self.text.get(gap).unwrap_or_default();
        let words = || {
            self.before()
                .split_whitespace()
                .chain(gap.split_whitespace())
                .map(core)
        };
        digits
            && words().any(|word| OF_CARDS.contains(&word.as_str()))
            && words().any(|word| CARDS.contains(&word.as_str()))
    }

    /// "User admin, password …": a name to log in with stands before it.
    fn follows_user(&self) -> bool {
        let words = self.before().split_whitespace().rev().take(4).map(core);
        words.into_iter().any(|word| USERS.contains(&word.as_str()))
    }

    /// The three or four digits on the back of a card.
    fn is_of_a_card(&self) -> bool {
        let noun = self.text.get(self.range.clone()).unwrap_or_default();
        noun.get(..2)
            .is_some_and(|start| start.eq_ignore_ascii_case("cv"))
    }

    /// Nobody calls anything else so, or a name to log in with stands before it.
    fn is_short_for_sure(&self) -> bool {
        let noun = self.text.get(self.range.clone()).unwrap_or_default();
        let named =
            |word: &str| ["user", "username", "login", "usr"].contains(&core(word).as_str());
        !noun.eq_ignore_ascii_case("pass")
            || self.before().split_whitespace().rev().take(3).any(named)
    }

    /// Codes that let somebody in once, from the first to the last of their list.
    fn listed_codes(&self, at: usize, said: Said) -> Option<Range<usize>> {
        let lettered = |value: &str| value.bytes().any(|b| b.is_ascii_alphabetic());
        let listed: Vec<(usize, &str)> = self.list_from(at);
        let sure = |value: &str| is_once(value) && (said != Said::ByPlace || lettered(value));
        let (_, sample) = listed.iter().find(|(_, value)| sure(value))?;
        let codes = listed
            .iter()
            .take_while(|(_, value)| sure(value) || is_grouped_like(value, sample));
        codes.last().map(|(end, _)| at..*end)
    }

    /// What stands one behind the other from `at` on, each with its end.
    fn list_from(&self, at: usize) -> Vec<(usize, &'t str)> {
        const MOST: usize = 24;
        let mut listed = Vec::new();
        let mut from = Some(at);
        while let Some(start) = from.filter(|_| listed.len() < MOST) {
            let token = bare_token(self.text, start);
            let rest = self.rest(token.end);
            let next = AND.iter().find_map(|and| rest.strip_prefix(and));
            from = next.map(|next| self.text.len() - next.len());
            listed.push((token.end, self.text.get(token).unwrap_or_default()));
        }
        listed
    }

    /// Whether a number is a postal code, as `PIN code 560001` is where letters are sorted by six digits: nothing is said
    /// to open with it, and it stands right there or in an address.
    fn is_postal(&self, value: &str, said: Said, gap: Range<usize>) -> bool {
        let six = value.len() == 6 && !value.starts_with('0');
        if !six || !value.bytes().all(|b| b.is_ascii_digit()) {
            return false;
        }
        let behind = self.text.get(gap).unwrap_or_default();
        let around = self
            .before()
            .split_whitespace()
            .chain(behind.split_whitespace());
        let words: Vec<String> = around.map(core).collect();
        let before = self.before().split_whitespace().next_back().map(core);
        let named = match self.noun {
            Noun::Pin => behind.split_whitespace().next().map(core).as_deref() == Some("code"),
            Noun::Code => self.prefix() == "pin" || before.as_deref() == Some("pin"),
            Noun::Password | Noun::Passcode | Noun::Login | Noun::Short | Noun::Once => false,
        };
        let opens = words.iter().any(|word| word != "pin" && is_lock(word));
        let addressed = words.iter().any(|word| POSTAL.contains(&word.as_str()));
        named && !opens && (addressed || said == Said::ByPlace || self.prefix() == "pin")
    }

    /// A `pin` may hold two boards together; a `PIN` is a number.
    fn is_in_capitals(&self) -> bool {
        let noun = self.text.get(self.range.clone()).unwrap_or_default();
        noun.bytes().all(|b| b.is_ascii_uppercase())
    }

    /// What stands in quotes was set apart by its writer, so a plain word counts too.
    fn in_quotes(&self, inside: Range<usize>) -> Option<Range<usize>> {
        let value = self.text.get(inside.clone())?;
        let taken = match self.noun {
            Noun::Login => {
                return is_pair(value)
                    .map(|pass| inside.start + pass.start..inside.start + pass.end);
            }
            Noun::Pin | Noun::Code => is_number(value, ""),
            Noun::Once => is_once(value),
            Noun::Short => is_typed(value, false),
            Noun::Passcode => is_number(value, "") || is_typed(value, false),
            Noun::Password if value.contains(char::is_whitespace) => {
                is_passphrase(value, Voice::Quoted)
            }
            Noun::Password => is_typed(value, false) || is_quoted_word(value),
        };
        taken.then_some(inside)
    }

    /// A phrase without quotes, to the end of its clause.
    fn phrase(&self, at: usize, said: Said) -> Option<Range<usize>> {
        let line = self.line_from(at);
        let clause = line
            .split(['.', ',', ';', '!', '?', '"', '(', '#'])
            .next()?;
        let phrase = clause.trim_end();
        let opens_line = self
            .before()
            .trim_start_matches(['-', '*', '"', '\'', ' ', '\t'])
            .is_empty();
        let voice = if said == Said::BySign && opens_line {
            Voice::Assigned
        } else {
            Voice::Told
        };
        is_passphrase(phrase, voice).then(|| at..at + phrase.len())
    }

    /// The line from `at` on, as far as a value may reach.
    fn line_from(&self, at: usize) -> &'t str {
        let ceiling = self
            .text
            .floor_char_boundary((at + LONGEST_PHRASE).min(self.text.len()));
        let reach = self.text.get(at..ceiling).unwrap_or_default();
        reach.split('\n').next().unwrap_or_default()
    }

    /// Whether a lock is named before the noun in its clause, or between it and the value. What is said in words stands
    /// near; a number right behind its noun may belong to a lock further off.
    fn names_a_lock(&self, gap: Range<usize>, said: Said) -> bool {
        let clause = self.before().rsplit([',', ';', '.', '(']).next();
        let reach = if said == Said::InWords { 3 } else { 8 };
        let before: Vec<String> = clause
            .unwrap_or_default()
            .split_whitespace()
            .rev()
            .take(reach)
            .map(core)
            .collect();
        let other = |word: &String| OTHER_CODES.iter().any(|kind| word == kind);
        if before.first().is_some_and(other) {
            return false;
        }
        let behind = self.text.get(gap).unwrap_or_default();
        let words = behind.split_whitespace().map(core);
        // "The boiler shows code …": what tells its faults by numbers has to be said to have a code.
        let shown = |word: &str| said == Said::ByPlace && DEVICES.contains(&word);
        let locks = |word: String| is_lock(&word) && !shown(&word);
        locks(self.prefix()) || before.into_iter().chain(words).any(locks)
    }
}

/// Whether nothing of the clause is left.
pub(super) fn ends_clause(behind: &str) -> bool {
    let ends =
        |rest: &str| rest.is_empty() || rest.starts_with(['.', ',', ';', '!', ')', '\n', '\r']);
    let behind = without_bold(behind);
    let rest = behind.trim_start_matches(BLANKS);
    let mut now = AT_LAST.iter().filter_map(|now| rest.strip_prefix(now));
    ends(rest) || rest.len() < behind.len() && now.any(ends)
}

/// "(all lower case)", ", no spaces": who says how letters are typed has just said which.
fn remarks_case(behind: &str) -> bool {
    let remark = behind.trim_start_matches(|c: char| " ,;(–—-".contains(c));
    let apart = remark.len() + 1 < behind.len();
    let head: String = remark.chars().take(LONGEST_REMARK).collect();
    let head = head.to_lowercase();
    apart && SPELLINGS.iter().any(|spelling| head.starts_with(spelling))
}

/// Longer than any beginning of such a remark, in letters.
const LONGEST_REMARK: usize = 24;

/// What stands between the codes of a list, the longest first.
const AND: [&str; 12] = [
    ", and ", ", ", " and ", " und ", " et ", " y ", " e ", " en ", " / ", "; ", "\n", " ",
];

/// What may close the notation around a noun.
const CLOSING: [char; 10] = ['"', '\'', '`', '*', '»', '”', '’', ')', ']', '\\'];

/// Whether a word is one of the words for locks, or several of them joined.
pub(super) fn is_lock(word: &str) -> bool {
    const SHORTEST_LAST_PART: usize = 5;
    word.split(['-', '_', '\'', '’']).any(|part| {
        let joined = |lock: &&&str| lock.len() >= SHORTEST_LAST_PART && part.ends_with(**lock);
        LOCKS.contains(&part) || LOCKS.iter().any(|lock| joined(&lock))
    })
}

/// Whether a sentence about the noun may go on with this word before it says what the value is.
fn may_open(word: &str) -> bool {
    let plain = core(word);
    let elided = plain
        .split_once(['\'', '’'])
        .is_some_and(|(article, _)| article.len() <= 4);
    word.starts_with('(')
        || elided
        || is_lock(&plain)
        || [OPENS, IS, SETS]
            .iter()
            .any(|known| known.contains(&plain.as_str()))
}

/// Where a value begins behind `is`; nowhere where the word only helps another (`was changed to`).
fn behind_is<'t>(words: &mut Peekable<impl Iterator<Item = Token<'t>>>) -> Option<usize> {
    let still = |word: &Token<'_>| STILL.contains(&core(word.text).as_str());
    while words.next_if(still).is_some() {}
    let next = words.peek()?;
    let helps = SETS.contains(&core(next.text).as_str());
    (!helps).then_some(next.start)
}
