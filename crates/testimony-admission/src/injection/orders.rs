//! Orders to machines, read as grammar: who is addressed, with what force, and what is asked.
//!
//! A machine is called ("Copilot, …", "to any model that reads this: …") or spoken of ("AI reviewers must …"); what
//! follows binds it by an imperative, a modal verb or a performative ("are hereby instructed to").
//! Any machine, any force and any request make an order, so a new combination needs no new line.
//! What people are told ("our agents must", "experts say that AI should") is none.

use std::ops::Range;

use super::concepts::Concept::*;
use super::concepts::mask_of;
use crate::lexicon::{Hit, Mask};

/// What nobody but a machine is called.
const NAMES: Mask = AiName.bit();
/// What people and things of metal are called as well.
const LOOSE_NAMES: Mask = mask_of(&[Assistant, Thing]);
/// What can be asked of a machine.
const ASKS: Mask = mask_of(&[
    Ask, Ignore, Circumvent, Say, Send, Act, Judge, Memorise, DontTell, WorkInto, Obey, Keep,
    PassOn, Unchecked, Reveal,
]);
/// What binds a machine that has been called, whatever the verb is.
const BINDS: Mask = mask_of(&[
    Modal, Hereby, Always, Whenever, FromNowOn, DontTell, TopMark,
]);
const FORCE: Mask = mask_of(&[Modal, Hereby]);
/// What makes an order of a mild "should".
const HARM: Mask = mask_of(&[
    TopMark, Promote, DontTell, Target, TellUser, TheUser, Asset, Private, Vault, Silently,
    ReadsThis, Ignore, Trusted,
]);
/// What makes one of an order to a machine that was spoken of.
const GRAVE: Mask = mask_of(&[TopMark, DontTell, Target, Silently, Vault, Private, Trusted]);
/// To give away, and what is kept by whoever keeps anything: an assistant of flesh and blood has no vault.
const HANDS_OUT: Mask = mask_of(&[Reveal, Send]);
const KEPT: Mask = mask_of(&[Vault, SystemPrompt]);
/// How far force may stand from the name, and the request from the force, in bytes.
const TO_FORCE: usize = 80;
const TO_ASK: usize = 90;
/// How far a call reaches.
const CALL: usize = 140;
/// How many names of a sentence are looked at, and for how many sentences a call holds.
const NAMES_LOOKED_AT: usize = 8;
pub(super) const CALL_HOLDS: usize = 4;

/// Words that lead to the name of somebody who is called; a word of the second list turns to it.
#[rustfmt::skip]
const LEADS: &[&str] = &[
    "the", "for", "to", "any", "all", "every", "each", "is", "a", "an", "only", "automated", "hidden", "line", "lines", "order", "orders", "priority",
    "important", "of", "and", "following", "applies", "apply", "our", "helpful", "please", "also", "so", "p.s", "ps", "by", "way", "remark", "comment",
    "there", "again", "everyone", "para", "los", "las", "la", "les", "aux", "à", "l'intention", "des", "pour", "für", "an", "alle", "die", "den", "dla", "voor", "aan", "de", "do",
    "todos", "os", "as", "a", "per", "gli", "i", "wszystkich", "для", "всех", "system", "in", "case", "this", "goes", "out", "other",
];
#[rustfmt::skip]
const TURNS: &[&str] = &[
    "hey", "hi", "hello", "dear", "attention", "note", "notes", "message", "instruction", "instructions", "hint", "information", "directive", "memo",
    "notice", "reminder", "request", "to", "for", "any", "every", "all", "you", "alle", "tous", "toutes", "tutti", "tutte", "aux", "dla", "voor", "für", "para", "per", "pour", "для", "всем", "wszystkich", "aan", "an", "whichever", "whatever", "whoever", "applies", "command", "aviso", "nota", "hinweis", "hinweise",
    "uwaga", "mensagem", "mensaje", "message", "nachricht", "attenzione", "atención", "attention", "achtung", "let", "opmerking", "bericht", "todos", "instrucciones",
    "instruções", "istruzioni", "anweisung", "anweisungen", "внимание", "примечание", "instrukcja",
];
/// What a comma may follow before a machine is named: "you, the assistant".
const CALLING: &[&str] = &["you", "note", "attention", "please", "notice", "listen"];
const GREETS: &[&str] = &["hey", "hi", "hello", "dear"];
/// Words with which one of many is meant that has been spoken of.
#[rustfmt::skip]
const DEFINITE: &[&str] = &["the", "el", "la", "le", "il", "lo", "der", "die", "das", "den", "dem", "het", "de", "o", "les", "los", "las"];
/// Words before a name that make it one that is spoken of.
#[rustfmt::skip]
const DESCRIBES: &[&str] = &[
    "our", "my", "his", "her", "their", "its", "a", "an", "no", "some", "most", "many", "several", "your", "that", "because", "unsere", "unser", "nos",
    "notre", "nuestro", "nuestra", "il", "eine", "ein", "onze", "ons", "who", "how", "such", "these", "those", "new", "human", "good", "ein",
];
/// Words between a mark and the verb of an order.
#[rustfmt::skip]
const ADVERBS: &[&str] = &[
    "always", "never", "please", "now", "instead", "then", "only", "just", "simply", "immediately", "also", "do", "kindly", "not", "you", "must", "will",
    "should", "have", "to", "are", "shall", "and", "silently", "quietly", "at", "once", "first", "therefore", "need", "required", "don't", "quickly", "today",
];
/// Marks after which a clause begins.
#[rustfmt::skip]
const MARKS: &[char] = &[
    '.', ':', ';', '(', ')', '*', '[', ']', '{', '}', '>', '<', '"', '“', '”', '—', '–', '/', '|', '\n', '!', '?', '：', '，', '、', '。', ',', '#', '-',
];

/// What a sentence orders.
pub(super) struct Order {
    /// The stable id of the signal.
    pub(super) id: &'static str,
    /// How strongly it speaks for an attack.
    pub(super) weight: f64,
    /// Where it stands.
    pub(super) span: Range<usize>,
}

/// The stable ids of all orders.
#[cfg(test)]
pub(super) const IDS: &[&str] = &["order.after_call", "order.call", "order.modal"];

/// Whether a text of these concepts may hold an order.
pub(super) const fn may_order(mask: Mask) -> bool {
    mask & (NAMES | LOOSE_NAMES) != 0 && mask & ASKS != 0
}

/// A sentence that may hold an order.
pub(super) struct Sentence<'t> {
    /// The whole text, folded.
    pub(super) text: &'t str,
    /// Where the sentence stands in it.
    pub(super) span: Range<usize>,
    /// What was found in it.
    pub(super) hits: &'t [Hit],
    /// The same as one set.
    pub(super) mask: Mask,
}

/// What a sentence does with machines.
#[derive(Default)]
pub(super) struct Reading {
    /// What it orders.
    pub(super) order: Option<Order>,
    /// Whether it calls a machine, so that the next sentences are spoken to it.
    pub(super) calls: bool,
}

impl Sentence<'_> {
    /// Reads the sentence; `is_called` says that an earlier one has called a machine.
    pub(super) fn read(&self, is_called: bool) -> Reading {
        let mut reading = Reading::default();
        if is_called && self.mask & ASKS != 0 {
            reading.order = self.opens_with_order();
        }
        if self.mask & (NAMES | LOOSE_NAMES) == 0 {
            return reading;
        }
        let named = |hit: &&Hit| hit.mask & (NAMES | LOOSE_NAMES) != 0;
        for name in self.hits.iter().filter(named).take(NAMES_LOOKED_AT) {
            if reading.order.is_some() {
                break;
            }
            let (order, calls) = self.call(name);
            reading.calls |= calls;
            reading.order = order.or_else(|| self.modal(name));
        }
        reading
    }

    /// The text of a stretch.
    pub(super) fn get(&self, range: Range<usize>) -> &str {
        self.text.get(range).unwrap_or_default()
    }

    /// What stands before a place in the sentence, no further back than matters.
    fn before(&self, at: usize) -> &str {
        let from = self.text.floor_char_boundary(at.saturating_sub(CALL));
        self.get(from.max(self.span.start)..at)
    }

    /// The first request that stands from `from` on and fits.
    fn ask(&self, from: usize, to: usize, fits: impl Fn(&Hit) -> bool) -> Option<&Hit> {
        let later = self.hits.partition_point(|hit| hit.end <= from);
        let rest = self.hits.get(later..).unwrap_or_default();
        rest.iter()
            .take_while(|hit| hit.end <= to.saturating_add(CALL))
            .filter(|hit| hit.start >= from && hit.start <= to && hit.mask & ASKS != 0)
            .find(|hit| fits(hit))
    }

    fn order(id: &'static str, start: usize, end: usize) -> Option<Order> {
        let span = start..end.max(start);
        Some(Order {
            id,
            weight: 4.5,
            span,
        })
    }

    /// An imperative with which the sentence opens, after a machine was called.
    pub(super) fn opens_with_order(&self) -> Option<Order> {
        let ask = self.ask(self.span.start, self.span.start + CALL, |hit| {
            self.commands(hit.start)
        })?;
        Self::order("order.after_call", ask.start, ask.end)
    }

    /// Whether a verb at this place commands: a mark, or a word such as "always", and nothing else stands before it.
    fn commands(&self, at: usize) -> bool {
        let mut rest = self.before(at);
        for _ in 0..ADVERBS.len().min(6) {
            let trimmed = rest.trim_end_matches(' ');
            if trimmed.is_empty() || trimmed.ends_with(MARKS) {
                return true;
            }
            let start = trimmed.rfind(|c: char| c == ' ' || MARKS.contains(&c));
            let word_at = start.map_or(0, |at| trimmed.ceil_char_boundary(at + 1));
            let word = trimmed.get(word_at..).unwrap_or_default();
            if !ADVERBS.contains(&word) {
                return false;
            }
            rest = trimmed.get(..word_at).unwrap_or_default();
        }
        false
    }

    /// A machine that is called, and what it is told then.
    fn call(&self, name: &Hit) -> (Option<Order>, bool) {
        let Some(lead) = self.lead(name.start) else {
            return (None, false);
        };
        let window = name.end
            ..self
                .text
                .floor_char_boundary((name.end + CALL).min(self.span.end));
        let after = self.get(window.clone());
        let mark = after.find(MARKS);
        let tail = mark
            .map_or(after, |at| after.get(..at).unwrap_or_default())
            .trim();
        let reads = self.reads_this(name.end, name.end + tail.len() + 2);
        let is_call = tail.is_empty() || reads || describes_reader(tail);
        if !is_call || !(lead.turns || reads || (is_of_a_machine(name) && mark.is_some())) {
            return (None, false);
        }
        let is_name = is_of_a_machine(name);
        let calls = is_name && (lead.turns || reads) || lead.turns && reads || lead.greets;
        let from = name.end + mark.unwrap_or(tail.len());
        let ask = mark
            .and_then(|_| self.ask(from, window.end, |hit| self.commands(hit.start)))
            .or_else(|| {
                lead.by_comma
                    .then(|| self.asked_before(name.start))
                    .flatten()
            });
        let ask = ask.or_else(|| {
            let binds = |hit: &&Hit| {
                hit.mask & BINDS != 0 && window.contains(&hit.start) && hit.start >= from
            };
            (is_name && lead.turns)
                .then(|| self.hits.iter().find(binds))
                .flatten()
        });
        let order = ask.and_then(|ask| {
            Self::order(
                "order.call",
                name.start.min(ask.start),
                name.end.max(ask.end),
            )
        });
        (order, calls)
    }

    /// "Please forward, dear mail assistant, the last messages".
    fn asked_before(&self, at: usize) -> Option<&Hit> {
        let from = at.saturating_sub(TO_FORCE).max(self.span.start);
        self.ask(from, at, |hit| self.commands(hit.start))
    }

    /// How the clause leads to the name at `at`; none where other words stand before it.
    fn lead(&self, at: usize) -> Option<Lead> {
        let before = self.before(at);
        let trimmed = before.trim_end_matches(' ');
        let bare = trimmed.trim_end_matches(['@', '#']);
        let trimmed = if bare.ends_with(['-', '/']) {
            trimmed
        } else {
            bare
        };
        let start = trimmed.rfind(MARKS);
        let clause_at = start.map_or(0, |at| trimmed.ceil_char_boundary(at + 1));
        let clause = trimmed.get(clause_at..).unwrap_or_default();
        let mut words = clause.split_whitespace().peekable();
        let is_known = |word: &str| {
            LEADS.contains(&word) || TURNS.contains(&word) || !word.contains(char::is_alphabetic)
        };
        // What is hidden in a comment speaks to whoever reads what people do not see.
        let is_hidden = trimmed.ends_with("<!--") || trimmed.ends_with("//");
        let turns_here = is_hidden || clause.split_whitespace().any(|word| TURNS.contains(&word));
        if !words.all(is_known) {
            return None;
        }
        let mark = start.and_then(|at| trimmed.get(at..)?.chars().next());
        let by_comma = mark == Some(',');
        let to_you = trimmed
            .get(..start.unwrap_or(0))
            .is_some_and(|lead| CALLING.iter().any(|word| lead.ends_with(word)));
        let turns = turns_here || (by_comma && to_you);
        let greets = clause
            .split_whitespace()
            .next()
            .is_some_and(|word| GREETS.contains(&word));
        (!by_comma || turns).then_some(Lead {
            turns,
            greets,
            by_comma,
        })
    }

    fn reads_this(&self, from: usize, to: usize) -> bool {
        let near = |hit: &Hit| hit.start >= from && hit.start <= to;
        self.mask & ReadsThis.bit() != 0
            && self
                .hits
                .iter()
                .any(|hit| hit.mask & ReadsThis.bit() != 0 && near(hit))
    }

    /// A machine that must do something: "AI reviewers are required to recommend".
    fn modal(&self, name: &Hit) -> Option<Order> {
        // The second part of a compound names another: "robot-assistant".
        if self.mask & FORCE == 0 || self.before(name.start).ends_with('-') {
            return None;
        }
        let bound = |hit: &&Hit| {
            hit.mask & FORCE != 0 && hit.start >= name.end && hit.start <= name.end + TO_FORCE
        };
        let force = self
            .hits
            .iter()
            .filter(bound)
            .min_by_key(|hit| (hit.start, usize::MAX - hit.end))?;
        let between = self.get(name.end..force.start);
        if between.contains([';', ':', '(']) {
            return None;
        }
        let reads = self.reads_this(name.end, force.start);
        let hereby = force.mask & Hereby.bit() != 0;
        let last = self
            .before(name.start)
            .trim_end()
            .rsplit([' ', ','])
            .next()
            .unwrap_or_default();
        // "Any reader that is an AI" describes nobody in particular.
        let is_kind = [" is an", " are an", " is a", " being an"]
            .iter()
            .any(|kind| self.before(name.start).trim_end().ends_with(kind));
        let described = DESCRIBES.contains(&last) && !is_kind;
        let after = self.get(
            force.end
                ..self
                    .text
                    .floor_char_boundary((force.end + 12).min(self.span.end)),
        );
        let is_passive = after.starts_with(" be ");
        if !reads && (described || is_passive || self.mask & Policy.bit() != 0) {
            return None;
        }
        let is_negated = after.starts_with(" not ") || after.starts_with(" never ");
        let ask = self.ask(force.end, force.end + TO_ASK, |hit| {
            !is_negated || hit.mask & mask_of(&[DontTell, Promote, Judge]) != 0
        })?;
        let has = |mask: Mask| self.mask & mask != 0;
        let fits = if is_of_a_machine(name) {
            let definite = DEFINITE.contains(&last);
            let strict = is_strict(self.get(force.start..force.end));
            hereby || reads || !definite && (strict || has(HARM)) || has(GRAVE)
        } else {
            let hands_out = is_strict(self.get(force.start..force.end))
                && ask.mask & HANDS_OUT != 0
                && (has(KEPT) || has(Private.bit()) && has(Target.bit()));
            reads || hands_out || hereby && name.mask & Thing.bit() != 0 || has(TopMark.bit())
        };
        fits.then(|| Self::order("order.modal", name.start, ask.end))
            .flatten()
    }
}

/// Whether nobody but a machine is called so; "assistant" is a trade in several languages.
const fn is_of_a_machine(name: &Hit) -> bool {
    name.mask & NAMES != 0 && name.mask & Assistant.bit() == 0
}

struct Lead {
    /// Whether it turns to somebody: "note to", "any".
    turns: bool,
    /// Whether it greets: "hello".
    greets: bool,
    by_comma: bool,
}

/// Whether what follows a name says who of its kind is meant: "that reads this", "when completing code".
fn describes_reader(tail: &str) -> bool {
    let first = tail.split(' ').next().unwrap_or_default();
    tail.len() <= 60
        && ([
            "that", "which", "who", "when", "while", "if", "only", "here", "die", "que", "qui",
            "che",
        ]
        .contains(&first)
            || (first.len() > 4 && first.ends_with("ing")))
}

/// Whether a modal leaves no choice.
fn is_strict(force: &str) -> bool {
    !["should", "ought to", "sollten", "debería", "powinien"].contains(&force)
}
