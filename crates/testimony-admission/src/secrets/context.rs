//! Values beside names: what stands where a name for a credential, or its provider, says that one stands.

use std::ops::Range;

use super::find::Match;
use super::led::{behind_question, was};
use super::name::{Name, Operator, last_name, squash};
use super::nouns::names_a_code;
use super::phrase::{Voice, is_passphrase};
use super::reference::{is_numbered_thing, is_part_of_a_name, is_reference};
use super::rule::Form;
use super::stated::CODE_RULE;
use super::table::{KeywordHit, RuleIndex, TABLE};
use super::token::{ends_token, token_start};
use super::typed::{is_number, is_technical};
use super::value::{
    Class, SHORTEST_WORD, classify, could_go_on, has_benign_prefix, is_typed_along,
    names_an_artifact,
};
use super::words::{BENIGN_PREFIXES, HEADS, Head, KINDS, LINKERS, OWNERS, USES};
use crate::normalise::{Layer, View};
use crate::work::steps;

/// How far before a name a value may stand.
const BEFORE: usize = 160;
/// How far behind it.
const AFTER: usize = 240;
/// How near a provider's name has to be to a value that nothing else links to it.
const NEAR: usize = 70;
/// The longest value.
const LONGEST_VALUE: usize = 4_096;
/// Longer than any word that announces a value.
const LONGEST_USE: usize = 32;

/// Every value in `view` that stands beside a name. `hits` are the keywords of names.
pub(super) fn beside_names(view: &View<'_>, hits: &[KeywordHit]) -> Vec<Match> {
    let text = view.text();
    let mut found = Vec::new();
    let mut region: Option<Range<usize>> = None;
    let mut sorted = hits.to_vec();
    sorted.sort_unstable_by_key(|hit| hit.start);
    for hit in &sorted {
        let reach = hit.start.saturating_sub(BEFORE)..(hit.end + AFTER).min(text.len());
        match &mut region {
            Some(open) if reach.start <= open.end => open.end = open.end.max(reach.end),
            _ => {
                if let Some(done) = region.replace(reach) {
                    scan_region(view, &done, &sorted, &mut found);
                }
            }
        }
    }
    if let Some(done) = region {
        scan_region(view, &done, &sorted, &mut found);
    }
    found
}

fn scan_region(
    view: &View<'_>,
    region: &Range<usize>,
    hits: &[KeywordHit],
    found: &mut Vec<Match>,
) {
    let text = view.text();
    let mut at = token_start(text, region.start);
    while let Some(candidate) = next_candidate(text, at, region.end) {
        at = candidate.range.end.max(at + 1);
        let candidate = candidate.without_strangers(view);
        let value = text.get(candidate.range.clone()).unwrap_or_default();
        if is_plain_word(text, &candidate, value) {
            continue;
        }
        let near = hits_near(hits, &candidate.range);
        if let Some((rule, range)) = behind_its_provider(text, &candidate, near) {
            found.push(Match {
                rule,
                span: view.original(range.clone()),
                value: text.get(range).unwrap_or_default().to_owned(),
            });
            continue;
        }
        let class = classify(value);
        let short_word = class == Class::Word && value.len() < SHORTEST_WORD;
        if class == Class::Nothing
            || short_word
            || is_code(text, &candidate)
            || is_encrypted(text, &candidate)
        {
            continue;
        }
        let seamed = view.layer() == Layer::Joined;
        let crosses = view.original(candidate.range.clone()).len() != candidate.range.len();
        if seamed && !(crosses && class >= Class::Digest) {
            continue;
        }
        let link = Link::of(text, &candidate, near);
        if let Some(rule) = link.accepts(class, value, candidate.quoted) {
            found.push(Match {
                rule,
                span: view.original(candidate.range.clone()),
                value: value.to_owned(),
            });
        }
    }
}

/// A stretch of text that could be a value.
#[derive(Debug)]
struct Candidate {
    range: Range<usize>,
    quoted: bool,
}

impl Candidate {
    /// The same without the next lines that are none of it.
    fn without_strangers(mut self, view: &View<'_>) -> Self {
        self.range.end = up_to_strangers(view, &self.range);
        self
    }
}

/// Where a value ends when the next lines that it seems to run into are none of it.
pub(super) fn up_to_strangers(view: &View<'_>, value: &Range<usize>) -> usize {
    let breaks = view.breaks_in(value);
    let strange = |end: &&usize| !could_go_on(view.behind_break(**end));
    let last = breaks.iter().rev().take_while(strange).last();
    last.copied().unwrap_or(value.end)
}

/// The next candidate from `from` on that begins before `end`.
fn next_candidate(text: &str, from: usize, end: usize) -> Option<Candidate> {
    let bytes = text.as_bytes();
    let rest = bytes.get(from..)?;
    let skipped = rest.iter().take_while(|b| ends_token(**b)).count();
    let start = from + skipped;
    if start >= end {
        return None;
    }
    let quote = start
        .checked_sub(1)
        .and_then(|before| bytes.get(before))
        .copied()
        .filter(|b| matches!(b, b'"' | b'\'' | b'`'));
    if let Some(stop) = quote.and_then(|quote| closing_quote(bytes, start, quote)) {
        return Some(trimmed(text, start..stop, true));
    }
    let token = bytes.get(start..)?.iter().take(LONGEST_VALUE);
    let len = token.take_while(|b| !ends_token(**b)).count();
    steps(skipped + len);
    let token = text
        .get(start..text.floor_char_boundary(start + len))
        .unwrap_or_default();
    let composed = token.contains(['=', ':']);
    let range = if composed && !has_benign_prefix(token) && !names_an_artifact(token) {
        behind_its_name(bytes, start..start + len)
    } else {
        start..start + len
    };
    Some(trimmed(text, range, false))
}

/// The end of a quoted value without blanks.
fn closing_quote(bytes: &[u8], start: usize, quote: u8) -> Option<usize> {
    let inside = bytes.get(start..)?.iter().take(LONGEST_VALUE);
    let len = inside.take_while(|b| **b != quote && **b > b' ').count();
    steps(len);
    let closed = bytes.get(start + len) == Some(&quote);
    (closed && len > 0).then_some(start + len)
}

/// `name=value` and `name:value` are a name and a value.
fn behind_its_name(bytes: &[u8], range: Range<usize>) -> Range<usize> {
    let mut start = range.start;
    for _ in 0..3 {
        let token = bytes.get(start..range.end).unwrap_or_default();
        let name = token
            .iter()
            .take(64)
            .take_while(|b| {
                b.is_ascii_alphanumeric()
                    || matches!(b, b'_' | b'-' | b'.' | b'$' | b'@')
                    || **b >= 0x80
            })
            .count();
        let operator = token.get(name..).unwrap_or_default();
        let signs = operator
            .iter()
            .take_while(|b| matches!(b, b'=' | b':' | b'?' | b'+' | b'~'))
            .count();
        let assigns = operator
            .iter()
            .take(signs)
            .any(|b| matches!(b, b'=' | b':'));
        let names_something = token
            .get(..name)
            .is_some_and(|name| name.iter().any(|b| b.is_ascii_alphabetic() || *b >= 0x80));
        let value = range.end - (start + name + signs);
        let next_is_sign = operator.get(signs).is_some_and(|b| matches!(b, b'/'));
        if name == 0 || !assigns || value < 4 || !names_something || next_is_sign {
            break;
        }
        // A long random left side is part of the value, as in `id:secret`.
        let left = token.get(..name).unwrap_or_default();
        let left = std::str::from_utf8(left).unwrap_or_default();
        let digest_name = format!("{left}:").to_ascii_lowercase();
        let algorithm = BENIGN_PREFIXES
            .iter()
            .any(|known| digest_name.ends_with(known));
        if algorithm || classify(left) >= Class::Digest {
            break;
        }
        start += name + signs;
    }
    start..range.end
}

/// Without the punctuation of the sentence around it.
fn trimmed(text: &str, range: Range<usize>, quoted: bool) -> Candidate {
    let start = text.ceil_char_boundary(range.start);
    let end = text.floor_char_boundary(range.end).max(start);
    let value = text.get(start..end).unwrap_or_default();
    let is_bare = matches!(value.as_bytes(), [first, .., last]
        if first.is_ascii_alphanumeric() && last.is_ascii_alphanumeric());
    if quoted || is_bare {
        return Candidate {
            range: start..end,
            quoted,
        };
    }
    let marks = [
        '.', ',', ':', ';', '!', '?', '*', '…', '。', '，', '、', '»', '”', '’', '）', '」',
    ];
    let value_end = start + value.trim_end_matches(marks).len();
    let value = text.get(start..value_end).unwrap_or_default();
    let lead = value.len()
        - value
            .trim_start_matches(['*', '«', '“', '‘', '（', '「', '：', ':', '='])
            .len();
    Candidate {
        range: start + lead..value_end.max(start + lead),
        quoted,
    }
}

/// Calls and indexing, and what was cut short with dots.
fn is_code(text: &str, candidate: &Candidate) -> bool {
    let rest = text
        .as_bytes()
        .get(candidate.range.end..)
        .unwrap_or_default();
    let before = text
        .as_bytes()
        .get(..candidate.range.start)
        .unwrap_or_default();
    let inside = matches!(before, [.., b'$', b'{' | b'('] | [.., b'{', b'{']);
    let opens = matches!(rest, [b'"' | b'\'', ..]) && text_ends_with_operator(text, candidate);
    !candidate.quoted && (inside || opens || matches!(rest, [b'(' | b'[', ..] | [b'.', b'.', ..]))
}

/// `ENC[AES256_GCM,data:…,iv:…,tag:…,type:str]`: what stands in the parts of an encrypted value.
fn is_encrypted(text: &str, candidate: &Candidate) -> bool {
    let floor = text.ceil_char_boundary(candidate.range.start.saturating_sub(LONGEST_VALUE));
    let before = text.get(floor..candidate.range.start).unwrap_or_default();
    let names_part = [",data:", ",iv:", ",tag:", ",type:"]
        .iter()
        .any(|part| before.ends_with(part));
    let opened = || before.rfind("ENC[").and_then(|at| before.get(at..));
    names_part && opened().is_some_and(|inside| !inside.contains(']'))
}

/// A word of a sentence: most candidates are, so this is asked before anything that costs more.
fn is_plain_word(text: &str, candidate: &Candidate, value: &str) -> bool {
    let assigned = candidate
        .range
        .start
        .checked_sub(1)
        .and_then(|before| text.as_bytes().get(before))
        .is_some_and(|before| *before == b'=');
    let letters = value.bytes().all(|b| b.is_ascii_alphabetic() || b >= 0x80);
    value.len() < 4 || (letters && value.len() < 20 && !candidate.quoted && !assigned)
}

/// `NAME=` before a quoted value.
fn text_ends_with_operator(text: &str, candidate: &Candidate) -> bool {
    let value = text.get(candidate.range.clone()).unwrap_or_default();
    value.ends_with(['=', ':'])
}

/// `provider-SECRET-value` in one word.
fn behind_its_provider(
    text: &str,
    candidate: &Candidate,
    hits: &[KeywordHit],
) -> Option<(RuleIndex, Range<usize>)> {
    let hit = hits
        .iter()
        .filter(|hit| is_provider(hit) && stands_alone(text, hit))
        .find(|hit| hit.start == candidate.range.start && hit.end < candidate.range.end)?;
    let rest = text.get(hit.end..candidate.range.end)?;
    let signs = ['-', '_', '.', ':', '='];
    let mut value = rest.trim_start_matches(signs);
    let mut apart = value.len() < rest.len();
    for _ in 0..4 {
        let word = value
            .split(|c: char| !c.is_ascii_alphabetic())
            .next()
            .unwrap_or_default();
        let behind = value.get(word.len()..).unwrap_or_default();
        let squashed = word.to_ascii_lowercase();
        let kind = KINDS.iter().any(|kind| squashed.starts_with(kind)) && word.len() <= 16;
        if !kind || !behind.starts_with(signs) {
            break;
        }
        value = behind.trim_start_matches(signs);
        apart = true;
    }
    let start = candidate.range.end - value.len();
    let telling = apart && classify(value) >= Class::Digest && value.len() >= 15;
    telling.then_some((hit.rule, start..candidate.range.end))
}

/// The hits in reach of a candidate, in order.
fn hits_near<'h>(hits: &'h [KeywordHit], candidate: &Range<usize>) -> &'h [KeywordHit] {
    let from = candidate.start.saturating_sub(AFTER);
    let to = candidate.end + BEFORE;
    let first = hits.partition_point(|hit| hit.start < from);
    let last = hits.partition_point(|hit| hit.start < to);
    steps(last - first);
    hits.get(first..last).unwrap_or_default()
}

/// What links a value to a name. What costs more than the name is asked only where it decides.
#[derive(Debug, Default)]
struct Link<'t> {
    /// An assignment to a name that ends in a credential word.
    assigned: Option<Head>,
    /// The name before it ends in a credential word, with nothing but a blank between.
    adjoins: Option<Head>,
    /// An equals sign assigns it.
    equals: bool,
    /// What stands around it; nothing where a name is given rather than read.
    around: Option<Around<'t>>,
}

/// A value in its text.
#[derive(Debug)]
struct Around<'t> {
    text: &'t str,
    candidate: &'t Candidate,
    hits: &'t [KeywordHit],
    name: Name,
    /// Whether the name says that its value is no credential.
    excluded: bool,
}

impl Around<'_> {
    /// What a name of its own holds is not what the words before that name speak of.
    fn is_named_otherwise(&self) -> bool {
        self.excluded && self.name.operator == Operator::Assigns
    }

    /// The value is the number of a thing or a case.
    fn refers(&self) -> bool {
        is_reference(
            self.text
                .get(self.candidate.range.clone())
                .unwrap_or_default(),
        )
    }

    /// A sentence says that the credential is this.
    fn said(&self) -> Option<Head> {
        let is_thing = || self.refers() && is_numbered_thing(self.text, self.candidate.range.start);
        if self.is_named_otherwise() || is_thing() {
            return None;
        }
        said(self.text, self.candidate, self.hits)
    }

    /// A sentence says in so many words that this is what a login wants.
    fn stated(&self) -> bool {
        let (text, candidate) = (self.text, self.candidate);
        !self.is_named_otherwise() && could_be_stated(text, candidate) && stated(text, candidate)
    }

    /// The provider whose name is part of the name that it is assigned to, or stands right before it.
    fn provider_assigned(&self) -> Option<RuleIndex> {
        if self.excluded {
            return None;
        }
        provider_of(&self.name, self.text, self.hits)
    }

    /// A provider that is named near it.
    fn provider(&self) -> Option<RuleIndex> {
        if self.excluded {
            return None;
        }
        provider_near(self.text, self.candidate, self.hits)
    }

    /// The name is written like an environment variable, and the value ends its line.
    fn is_shell(&self) -> bool {
        self.name.is_shell(self.text) && ends_line(self.text, self.candidate.range.end)
    }
}

impl<'t> Link<'t> {
    fn of(text: &'t str, candidate: &'t Candidate, hits: &'t [KeywordHit]) -> Self {
        let name = Name::before(text, candidate.range.start);
        let head = name.head();
        Self {
            assigned: head.filter(|_| name.operator == Operator::Assigns),
            adjoins: head.filter(|_| name.operator == Operator::Blank),
            equals: name.equals,
            around: Some(Around {
                text,
                candidate,
                hits,
                excluded: head.is_none() && name.is_excluded(),
                name,
            }),
        }
    }

    /// The rule that takes the value for a secret, if one does.
    fn accepts(&self, class: Class, value: &str, quoted: bool) -> Option<RuleIndex> {
        let head = self.head_for(class, value, quoted);
        let by_head = head.and_then(|head| {
            let around = self.around.as_ref();
            let named = around.and_then(|around| {
                let assigned = around.provider_assigned();
                assigned.or_else(|| around.provider())
            });
            // Whatever a provider issues is taken at its word; without one, what was typed along the keyboard is nothing.
            let plain = || (!is_typed_along(value)).then(|| TABLE.index_of(head.rule()));
            named.or_else(|| plain().flatten())
        });
        by_head.or_else(|| self.provider_for(class, value))
    }

    fn head_for(&self, class: Class, value: &str, quoted: bool) -> Option<Head> {
        let long = value.len() >= 8;
        let telling = telling(class, value);
        let assigned = self.assigned.filter(|head| match (head, class) {
            (_, Class::Random | Class::Digest) | (Head::Password, Class::Mixed) => true,
            (Head::Password, Class::Word) => {
                long && (self.is_shell() || quoted || has_digit_and_letter(value))
                    && chosen_word(value, self.equals)
            }
            (Head::Secret, Class::Word) => long && self.is_shell() && chosen_word(value, false),
            (Head::Secret, Class::Mixed) => long || quoted,
            (Head::Token | Head::Key, Class::Mixed) => is_issued(class, value),
            (_, Class::Word | Class::Nothing) => false,
        });
        let adjoins = || {
            let tells = class >= Class::Digest || telling;
            let around = self.around.as_ref();
            let refers = || around.is_some_and(Around::refers);
            self.adjoins.filter(|_| tells && !refers())
        };
        let taken = assigned.or_else(adjoins);
        taken.or_else(|| self.head_in_words(class, value))
    }

    fn is_shell(&self) -> bool {
        self.around.as_ref().is_some_and(Around::is_shell)
    }

    /// What a sentence says that the value is.
    fn head_in_words(&self, class: Class, value: &str) -> Option<Head> {
        let around = self.around.as_ref()?;
        let issued = is_issued(class, value);
        let said = around.said().filter(|head| match head {
            Head::Password => {
                let chosen = class == Class::Mixed && value.len() >= 7;
                class >= Class::Digest || chosen && !is_technical(&value.to_lowercase())
            }
            Head::Secret | Head::Token | Head::Key => class >= Class::Digest || issued,
        });
        let stated = || class >= Class::Word && around.stated();
        said.or_else(|| stated().then_some(Head::Secret))
    }

    fn provider_for(&self, class: Class, value: &str) -> Option<RuleIndex> {
        let around = self.around.as_ref()?;
        let issued = is_issued(class, value);
        let enough = class >= Class::Digest || issued && around.name.squashed.ends_with("key");
        let assigned = if enough {
            around.provider_assigned()
        } else {
            None
        };
        if assigned.is_some() || class != Class::Random {
            return assigned;
        }
        let provider = around.provider()?;
        let spoken_of = word_near(around.text, around.candidate, around.hits);
        spoken_of.then_some(provider)
    }
}

/// The shortest key or token that anybody issues without a shape of its own.
const SHORTEST_ISSUED: usize = 10;

/// Whether a value is what somebody issues as a key or a token.
pub(super) fn is_issued(class: Class, value: &str) -> bool {
    telling(class, value) && value.len() >= SHORTEST_ISSUED
}

/// Long enough, with letters and digits.
fn telling(class: Class, value: &str) -> bool {
    class == Class::Mixed && value.len() >= 8 && has_digit_and_letter(value)
}

fn has_digit_and_letter(value: &str) -> bool {
    value.bytes().any(|b| b.is_ascii_digit()) && value.bytes().any(|b| b.is_ascii_alphabetic())
}

/// A word that somebody chose as a password rather than a label: lower case, no blank, no sentence.
/// Behind a colon, what repeats the word for a password is a label; behind an equals sign it may be a bad password.
fn chosen_word(value: &str, equals: bool) -> bool {
    let lower = value.to_lowercase();
    let label = !equals
        && HEADS
            .iter()
            .flat_map(|(_, words)| words.iter())
            .any(|word| word.len() > 3 && lower.contains(word));
    !label
        && value
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
}

/// The provider whose name is this name, part of it, or the word before a `key`, `token` or the like.
fn provider_of(name: &Name, text: &str, hits: &[KeywordHit]) -> Option<RuleIndex> {
    if name.operator == Operator::None || name.is_about() {
        return None;
    }
    let own = text.get(name.range.clone()).map(squash).unwrap_or_default();
    let kind = KINDS.iter().any(|kind| own.ends_with(kind));
    let reach = if kind { &name.wide } else { &name.range };
    provider_in(text, hits, reach)
}

/// The provider whose keyword lies in a name.
fn provider_in(text: &str, hits: &[KeywordHit], name: &Range<usize>) -> Option<RuleIndex> {
    hits.iter()
        .filter(|hit| is_provider(hit) && hit.start < name.end && hit.end > name.start)
        .filter(|hit| stands_alone(text, hit))
        .max_by_key(|hit| hit.end - hit.start)
        .map(|hit| hit.rule)
}

fn is_provider(hit: &KeywordHit) -> bool {
    form(hit).is_some_and(|form| matches!(form, Form::Beside))
}

fn is_word(hit: &KeywordHit) -> bool {
    form(hit).is_some_and(|form| matches!(form, Form::Word))
}

fn form(hit: &KeywordHit) -> Option<Form> {
    TABLE.rule(hit.rule).map(|rule| rule.form)
}

/// The text between a hit and a value, whichever comes first.
fn between<'t>(text: &'t str, hit: &KeywordHit, candidate: &Range<usize>) -> &'t str {
    if hit.end <= candidate.start {
        text.get(hit.end..candidate.start).unwrap_or_default()
    } else {
        text.get(candidate.end..hit.start).unwrap_or_default()
    }
}

fn outside(hit: &KeywordHit, candidate: &Range<usize>) -> bool {
    hit.end <= candidate.start || hit.start >= candidate.end
}

/// The nearest provider on the same line.
fn provider_near(text: &str, candidate: &Candidate, hits: &[KeywordHit]) -> Option<RuleIndex> {
    hits.iter()
        .filter(|hit| is_provider(hit) && outside(hit, &candidate.range) && stands_alone(text, hit))
        .map(|hit| (between(text, hit, &candidate.range), hit))
        .filter(|(gap, _)| gap.len() <= NEAR && gap.matches('\n').count() <= 1)
        .min_by_key(|(gap, _)| gap.len())
        .map(|(_, hit)| hit.rule)
}

/// A provider's name is no part of another word.
fn stands_alone(text: &str, hit: &KeywordHit) -> bool {
    let bytes = text.as_bytes();
    let before = hit.start.checked_sub(1).and_then(|at| bytes.get(at));
    let after = bytes.get(hit.end);
    let long = hit.end - hit.start >= 6;
    !before.is_some_and(u8::is_ascii_alphanumeric)
        && (long || !after.is_some_and(u8::is_ascii_lowercase))
}

fn word_near(text: &str, candidate: &Candidate, hits: &[KeywordHit]) -> bool {
    hits.iter()
        .filter(|hit| is_word(hit) && outside(hit, &candidate.range))
        .map(|hit| between(text, hit, &candidate.range))
        .any(|gap| gap.len() <= NEAR && gap.matches('\n').count() <= 1)
}

/// What a sentence says the value is: `the password for the printer is …`, `use … when the login asks`.
fn said(text: &str, candidate: &Candidate, hits: &[KeywordHit]) -> Option<Head> {
    let before = hits
        .iter()
        .rev()
        .filter(|hit| is_word(hit) && hit.end <= candidate.range.start);
    for hit in before.take(6) {
        let gap = between(text, hit, &candidate.range);
        let linked = links(gap) || was(gap, text.get(candidate.range.end..));
        let head = linked.then(|| full_head(text, hit)).flatten();
        if head.is_some() {
            return head;
        }
    }
    let after = hits
        .iter()
        .filter(|hit| is_word(hit) && hit.start >= candidate.range.end);
    let explained = after.take(3).find(|hit| {
        let gap = between(text, hit, &candidate.range);
        gap.len() <= NEAR
            && !ends_sentence(gap)
            && (announced(text, candidate) || explains(gap))
            && !is_part_of_a_name(text, hit.end)
    });
    explained.and_then(head_named)
}

/// Whether a value is so long and of so many parts that it counts on the mere word of a sentence.
fn could_be_stated(text: &str, candidate: &Candidate) -> bool {
    let value = text.get(candidate.range.clone()).unwrap_or_default();
    value.len() >= 8 && value.contains(['.', '-', '_'])
}

/// `the credential is …`, `use … when the login asks for it`.
fn stated(text: &str, candidate: &Candidate) -> bool {
    let floor = text.ceil_char_boundary(candidate.range.start.saturating_sub(24));
    let before = text
        .get(floor..candidate.range.start)
        .unwrap_or_default()
        .to_lowercase();
    let is_credential = [
        "credential is ",
        "credentials are ",
        "credential: ",
        "credential is: ",
    ]
    .iter()
    .any(|words| before.trim_end_matches(['"', '\'', '`']).ends_with(words));
    let ceiling = text.floor_char_boundary((candidate.range.end + NEAR).min(text.len()));
    let after = text
        .get(candidate.range.end..ceiling)
        .unwrap_or_default()
        .to_lowercase();
    let first = after.split(['.', '\n']).next().unwrap_or_default();
    let asked = ["when ", "if ", "once "].iter().any(|word| {
        first
            .trim_start()
            .trim_start_matches(['"', '\'', '`', ' '])
            .starts_with(word)
    }) && [
        "login asks",
        "login prompts",
        "sign-in asks",
        "asks for a password",
        "asks for the password",
        "login wants",
    ]
    .iter()
    .any(|words| first.contains(words));
    is_credential || (asked && announced(text, candidate))
}

/// What the whole name around a hit names: `credentialId` names an id, `cache key` a place.
fn full_head(text: &str, hit: &KeywordHit) -> Option<Head> {
    let rest = text.get(hit.end..).unwrap_or_default();
    // No name is so long, and reading on from every hit would not be linear.
    let rest = rest
        .get(..rest.floor_char_boundary(LONGEST_VALUE))
        .unwrap_or(rest);
    let more = rest
        .char_indices()
        .find(|(_, c)| !(c.is_alphanumeric() || matches!(c, '_' | '-')))
        .map_or(rest.len(), |(at, _)| at);
    steps(more);
    let name = Name::before(text, hit.end + more);
    name.head()
}

fn head_named(hit: &KeywordHit) -> Option<Head> {
    let id = TABLE.rule(hit.rule)?.id;
    [Head::Password, Head::Secret, Head::Token, Head::Key]
        .into_iter()
        .find(|head| head.rule() == id)
}

/// Whether the words between a credential word and a value say that the one is the other.
fn links(gap: &str) -> bool {
    if let Some(answer) = behind_question(gap) {
        return answer
            .trim_start_matches(['"', '\'', '`', '“', '«', '*'])
            .is_empty();
    }
    if gap.len() > 72 || ends_sentence(gap) || gap.contains(['\n', ';']) {
        return false;
    }
    let words: Vec<&str> = gap
        .split(|c: char| !c.is_alphanumeric())
        .filter(|w| !w.is_empty())
        .collect();
    let last = words.last().map(|word| word.to_lowercase());
    let linked = last.is_some_and(|word| LINKERS.contains(&word.as_str()));
    let pointed = gap
        .trim_end_matches([' ', '"', '\'', '`', '“', '«', '*'])
        .ends_with([':', '=', '：', '→', '>']);
    words.len() <= 8 && (linked || pointed)
}

fn ends_sentence(gap: &str) -> bool {
    gap.contains(". ") || gap.contains("! ") || gap.contains("? ")
}

/// `use`, `enter` and the like right before a value.
fn announced(text: &str, candidate: &Candidate) -> bool {
    let before = text.get(..candidate.range.start).unwrap_or_default();
    let before = before
        .trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | ':' | '“'));
    // None of the words is so long, and reading back from every candidate would not be linear.
    let near = before.ceil_char_boundary(before.len().saturating_sub(LONGEST_USE));
    let (word, _) = last_name(before.get(near..).unwrap_or(before));
    USES.contains(&word.to_lowercase().as_str())
}

/// `… is the password`, `… as the token`.
fn explains(gap: &str) -> bool {
    let words: Vec<String> = gap
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let mut words = words.iter().map(String::as_str);
    let count = words.len();
    let linked = match words.next() {
        // "Is about the login" and "is assigned to" say something else about it.
        Some("is" | "was" | "ist" | "est" | "es") => {
            words.next().is_none_or(|word| OWNERS.contains(&word))
        }
        Some("as" | "for" | "when") => true,
        Some(_) | None => false,
    };
    count <= 6 && linked
}

fn ends_line(text: &str, at: usize) -> bool {
    let rest = text.get(at..).unwrap_or_default();
    rest.trim_start_matches(['"', '\'', ' ', '\t', '\r', '\\'])
        .chars()
        .next()
        .is_none_or(|c| c == '\n')
}

/// The rule that takes all of a field of this name: `/metadata/db_password` holds a password, `/metadata/door_code` a
/// number.
pub(super) fn rule_of_field(name: &str, value: &str) -> Option<&'static str> {
    let last = name
        .rsplit('/')
        .find(|part| !part.is_empty() && part.bytes().any(|b| !b.is_ascii_digit()))?;
    match Name::head_of_given(last) {
        Some(head) => is_secret_of(head, value).then(|| head.rule()),
        None => (is_number(value, "") && names_a_code(last)).then_some(CODE_RULE),
    }
}

/// Whether a value that is assigned to a name of this head is a secret.
fn is_secret_of(head: Head, value: &str) -> bool {
    let link = Link {
        assigned: Some(head),
        ..Link::default()
    };
    let class = classify(value);
    let chosen = matches!(head, Head::Password | Head::Secret);
    let one_word = !value.contains(char::is_whitespace) && value.len() >= 6;
    let typed = chosen && class >= Class::Word && one_word;
    let phrase = chosen && is_passphrase(value, Voice::Quoted);
    typed || phrase || link.head_for(class, value, true).is_some()
}
