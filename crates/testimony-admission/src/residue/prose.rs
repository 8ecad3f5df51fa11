//! Generic prose: whole answers of an assistant, pages of the web, instructions for setting something up.

use testimony_domain::Reason;

use super::cues::Cue;
use crate::folded::Marks;
use crate::lexicon::{Hit, Mask, sentences};
use crate::listed::List;

/// The cues of a text, counted.
pub(super) struct Cues {
    pub(super) mask: Mask,
    counts: [u16; 16],
}

impl Cues {
    /// Counts the cues among what was found of all lists.
    pub(super) fn of<'h>(hits: impl Iterator<Item = &'h Hit>) -> Self {
        let mut cues = Self {
            mask: 0,
            counts: [0; 16],
        };
        for hit in hits {
            let mut rest = List::Cues.of(hit.mask);
            cues.mask |= rest;
            while rest != 0 {
                let bit = rest.trailing_zeros() as usize;
                if let Some(count) = cues.counts.get_mut(bit) {
                    *count = count.saturating_add(1);
                }
                rest &= rest - 1;
            }
        }
        cues
    }

    pub(super) const fn has(&self, cue: Cue) -> bool {
        self.mask & cue.bit() != 0
    }

    fn count(&self, cue: Cue) -> u16 {
        self.counts.get(cue as usize).copied().unwrap_or(0)
    }
}

/// Words with which somebody speaks of their own things, not of anybody's.
#[rustfmt::skip]
const OWN: &[&str] = &[
    "i ", "i'm ", "i've ", "my ", "our ", "we ", "we've ", "the team", "he ", "she ", "they ", "his ", "her ",
    "their ", "ich ", "wir ", "mein", "unser", "je ", "nous ", "mon ", "notre ", "yo ", "mi ", "nuestr", "io ", "nossa", "meu", "ik ", "ons ", "onze ",
    "wij ", "nasz", "мы ", "я ", "наш", "我", "私",
];

fn speaks_of_own(folded: &str) -> bool {
    let start = folded.trim_start_matches(|c: char| !c.is_alphanumeric());
    OWN.iter().any(|word| start.starts_with(word))
}

/// What a form of prose is, and the rule that says so.
pub(super) type Finding = (Reason, &'static str);

/// What the text is as a whole, where it is generic prose.
pub(super) fn generic_prose(folded: &str, cues: &Cues, marks: Marks) -> Option<Finding> {
    setup_prose(folded, cues)
        .or_else(|| answer_dump(folded, cues, marks))
        .or_else(|| web_prose(folded, cues))
}

/// How heavy each cue weighs for an answer of an assistant. Two and a half make one.
fn answer_dump(folded: &str, cues: &Cues, marks: Marks) -> Option<Finding> {
    const ANSWER: &[Cue] = &[
        Cue::Opener,
        Cue::HereIs,
        Cue::Closer,
        Cue::Identity,
        Cue::Generic,
    ];
    const ENOUGH: f64 = 2.5;
    let has_heading = || marks.has_any(b"#") && folded.contains('#');
    if !ANSWER.iter().any(|cue| cues.has(*cue)) && !has_heading() {
        return None;
    }
    let only_closes = !ANSWER
        .iter()
        .any(|cue| *cue != Cue::Closer && cues.has(*cue));
    if only_closes && super::states_after_a_colon(folded) {
        return None;
    }
    let shape = Shape::of(folded);
    let opens = cues.has(Cue::Opener);
    let weights = [
        (cues.has(Cue::Identity), 2.5),
        (cues.has(Cue::Closer), 1.5),
        (opens && cues.has(Cue::HereIs), 0.5),
        (cues.count(Cue::Closer) > 1, 1.0),
        (opens, 1.0),
        (cues.has(Cue::HereIs), 1.0),
        (cues.has(Cue::Generic), 1.0),
        (cues.count(Cue::Generic) > 1, 1.5),
        (shape.headings > 1, 1.0),
        (shape.bullets > 2, 1.0),
        (shape.bullets > 2 && cues.has(Cue::HereIs), 0.5),
        (shape.has_table || shape.has_code, 0.5),
        (shape.addresses > 1, 0.5),
        (shape.headings > 1 && shape.addresses > 0, 0.5),
        (shape.how_to, 1.0),
    ];
    let score: f64 = weights
        .iter()
        .filter(|(holds, _)| *holds)
        .map(|(_, weight)| weight)
        .sum();
    let mentioned = folded.contains(" was the ") || folded.contains(" is the name");
    // An answer that reports what somebody told about themselves is not generic.
    (score >= ENOUGH && !mentioned && !states_own_facts(folded))
        .then_some((Reason::ResidueAnswerDump, "dump.answer"))
}

/// The shape of a text: what an answer of an assistant is built of.
struct Shape {
    headings: usize,
    bullets: usize,
    addresses: usize,
    has_table: bool,
    has_code: bool,
    how_to: bool,
}

impl Shape {
    fn of(folded: &str) -> Self {
        let mut shape = Self {
            headings: 0,
            bullets: 0,
            addresses: folded.matches("you").take(3).count(),
            has_table: folded.contains("|---"),
            has_code: folded.contains("```"),
            how_to: false,
        };
        for line in folded.lines() {
            let line = line.trim_start();
            let is_heading = line.starts_with('#') && line.trim_start_matches('#').starts_with(' ');
            shape.headings += usize::from(is_heading);
            shape.how_to |= is_heading
                && [
                    "how to",
                    "guide",
                    "tips",
                    "ways to",
                    "introduction",
                    "overview",
                ]
                .iter()
                .any(|word| line.contains(word));
            shape.bullets += usize::from(is_bullet(line));
        }
        shape
    }
}

fn is_bullet(line: &str) -> bool {
    let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
    line.starts_with("- ")
        || line.starts_with("* ")
        || line.starts_with("• ")
        || (digits.len() < line.len() && (digits.starts_with(". ") || digits.starts_with(") ")))
}

/// Whether a sentence tells of the speaker or of "your" particular things, with a number or a date.
fn states_own_facts(folded: &str) -> bool {
    const OWN_FACTS: &[&str] = &[
        "my name is",
        "i live in",
        "i moved to",
        "my address",
        "i was born",
        "my birthday",
        "i am allergic",
        "i'm allergic",
        "my phone",
        "i work at",
        "i work as",
    ];
    OWN_FACTS.iter().any(|fact| folded.contains(fact))
}

fn setup_prose(folded: &str, cues: &Cues) -> Option<Finding> {
    if !cues.has(Cue::SetupCommand) && !cues.has(Cue::Setup) && !cues.has(Cue::SetupHint) {
        return None;
    }
    // Sentences about one's own things are facts, whatever commands they name.
    if sentences(folded).any(|(_, sentence)| speaks_of_own(sentence)) {
        return None;
    }
    let starts_with_command = starts_with_command(folded);
    let enough = cues.has(Cue::Setup)
        || (starts_with_command && cues.has(Cue::SetupHint))
        || (cues.has(Cue::SetupCommand)
            && (starts_with_command || opens_with_order(folded) || cues.has(Cue::SetupHint)))
        || cues.count(Cue::SetupCommand) > 1
        || (usize::from(cues.count(Cue::SetupHint)) > 1.max(numbered_steps(folded))
            && (opens_with_order(folded) || folded.trim_start().starts_with(['#', '{'])));
    let names_a_subject = is_statement(folded);
    (enough && !names_a_subject).then_some((Reason::ResidueSetupProse, "setup.instructions"))
}

/// How many steps the text numbers: anything may be told in steps, so they alone set nothing up.
fn numbered_steps(folded: &str) -> usize {
    ["step 1", "step 2"]
        .iter()
        .map(|step| folded.matches(step).count())
        .sum()
}

const COMMAND_NAMES: &[&str] = &[
    "git ",
    "npm ",
    "pip ",
    "pip3 ",
    "cargo ",
    "yarn ",
    "pnpm ",
    "docker ",
    "docker-compose ",
    "brew ",
    "sudo ",
    "apt",
    "make install",
    "make all",
    "make build",
    "python ",
    "python3 ",
    "conda ",
    "go ",
    "npx ",
    "curl ",
    "kubectl ",
    "helm ",
    "poetry ",
    "uv ",
    "cd ",
    "cp ",
    "export ",
    "chmod ",
    "$ ",
    "terraform ",
    "gem ",
    "bundle ",
    "composer ",
];

fn starts_with_command(folded: &str) -> bool {
    let start = folded.trim_start_matches(|c: char| c.is_whitespace() || c == '`' || c == '$');
    COMMAND_NAMES.iter().any(|name| start.starts_with(name))
}

/// Verbs with which instructions begin.
#[rustfmt::skip]
const ORDERS: &[&str] = &[
    "run ", "install ", "clone ", "copy ", "paste ", "rename ", "generate ", "requirements:", "create ", "set ", "add ", "open ", "navigate ", "download ", "make sure ", "ensure ",
    "first, ", "first ", "then ", "next, ", "finally, ", "to ", "use ", "start ", "build ", "import ", "configure ", "execute ", "edit ",
    "verify ", "activate ", "export ", "getting started", "quick start", "installation", "prerequisites", "step ", "you can ", "you need ", "you'll need ", "you will need ", "if you ", "once ", "after ", "before ", "update ", "follow ",
];

fn opens_with_order(folded: &str) -> bool {
    let start = folded.trim_start_matches(|c: char| !c.is_alphabetic());
    ORDERS.iter().any(|order| start.starts_with(order))
}

/// Whether the first sentence says something about a named thing: "the staging server runs", "the README says".
fn is_statement(folded: &str) -> bool {
    let first = sentences(folded)
        .next()
        .map_or("", |(_, sentence)| sentence);
    let start = first.trim_start_matches(|c: char| !c.is_alphanumeric());
    let mut words = start.split(' ');
    let article = words.next().is_some_and(|word| word == "the");
    // "Have Docker installed" asks for what "Ben installed Docker" tells.
    let asks = opens_with_order(first);
    article
        || command_is_the_subject(first)
        || first.split(' ').take(8).any(|word| {
            [
                "was",
                "were",
                "has",
                "says",
                "costs",
                "moved",
                "failed",
                "lives",
                "cloned",
                "uses",
                "prefers",
                "wants",
                "decided",
                "switched",
                "migrated",
                "installed",
            ]
            .contains(&word)
                && !(asks && ["installed", "has"].contains(&word))
        })
}

/// What is said about a command that stands as the subject of a sentence: "cargo build takes four minutes".
#[rustfmt::skip]
const SAID_OF_COMMANDS: &[&str] = &[
    "takes", "took", "fails", "needs", "breaks", "hangs", "is", "works", "requires", "crashes", "runs", "costs", "never", "must", "lasts", "stops",
    "aborts", "freezes", "ignores", "uses", "only", "still", "always", "sometimes", "stalls", "times",
];

fn command_is_the_subject(first: &str) -> bool {
    let words = first.split(' ').skip(1).take(6);
    starts_with_command(first)
        && !first.contains("&&")
        && words
            .take_while(|word| !word.ends_with([',', ';', ':', '`']))
            .any(|word| SAID_OF_COMMANDS.contains(&word))
}

fn web_prose(folded: &str, cues: &Cues) -> Option<Finding> {
    if is_menu(folded, cues) {
        return Some((Reason::ResidueWebProse, "web.menu"));
    }
    let hints = cues.count(Cue::WebHint);
    let short = folded.len() <= 200;
    let enough = cues.has(Cue::Web)
        || (hints > 1 && short && !folded.contains("](") && !has_statement_verb(folded));
    if !enough {
        return None;
    }
    let own = speaks_of_own(folded)
        && !folded.trim_start().starts_with("we ")
        && !["wir ", "nous ", "wij ", "onze ", "nossa", "ons "]
            .iter()
            .any(|word| folded.trim_start().starts_with(word));
    (!own && !has_past_or_number(folded)).then_some((Reason::ResidueWebProse, "web.phrases"))
}

/// Short items between separators, most of them words of a menu.
fn is_menu(folded: &str, cues: &Cues) -> bool {
    if !cues.has(Cue::Menu) || folded.len() > 400 || folded.contains("://") {
        return false;
    }
    let items: Vec<&str> = folded
        .split(['|', '·', '›', '»', '•', '\n'])
        .map(str::trim)
        .filter(|item| !item.is_empty())
        .collect();
    let short = items
        .iter()
        .filter(|item| item.split(' ').count() <= 3)
        .count();
    items.len() >= 3
        && short == items.len()
        && usize::from(cues.count(Cue::Menu)) * 2 >= items.len()
}

fn has_statement_verb(folded: &str) -> bool {
    folded.split(|c: char| !c.is_alphanumeric()).any(|word| {
        [
            "was", "has", "is", "were", "are", "had", "goes", "went", "said", "says", "signed",
            "loads", "follows", "updated", "covers",
        ]
        .contains(&word)
    })
}

/// Whether somebody did something in particular: a web page speaks of what it does always.
fn has_past_or_number(folded: &str) -> bool {
    folded.split(|c: char| !c.is_alphanumeric()).any(|word| {
        [
            "was",
            "were",
            "redesigned",
            "signed",
            "bought",
            "removed",
            "launched",
            "switched",
            "decided",
            "moved",
            "wrote",
            "said",
            "sold",
            "hired",
        ]
        .contains(&word)
    })
}
