//! Cross-examination: the questions that a careful reader would put to this very claim.

use testimony_domain::{MemoryKind, Redacted, Slot, SlotKey, State, Timestamp};

use crate::guardrail::only_echoes;
use crate::{Bench, Bounds, Exhibit, Pen};

/// One question.
#[derive(Clone, Copy, Debug)]
pub struct QuestionRow {
    /// Its stable name.
    pub name: &'static str,
    /// The question, where it makes sense to ask it.
    pub ask: fn(&Bench<'_>, &Pen<'_>) -> Option<String>,
}

/// Every question, the most telling first; a report asks the first that make sense.
#[rustfmt::skip]
pub const QUESTIONS: &[QuestionRow] = &[
    QuestionRow { name: "which_value", ask: which_value },
    QuestionRow { name: "both_right", ask: both_right },
    QuestionRow { name: "since_contradicted", ask: since_contradicted },
    QuestionRow { name: "who_else", ask: who_else },
    QuestionRow { name: "independent_of_us", ask: independent_of_us },
    QuestionRow { name: "still_holds", ask: still_holds },
    QuestionRow { name: "begun", ask: begun },
    QuestionRow { name: "after_the_end", ask: after_the_end },
    QuestionRow { name: "circumstances", ask: circumstances },
    QuestionRow { name: "measured_how", ask: measured_how },
    QuestionRow { name: "first_hand", ask: first_hand },
    QuestionRow { name: "kind", ask: by_kind },
    QuestionRow { name: "why_replaced", ask: why_replaced },
    QuestionRow { name: "why_rejected", ask: why_rejected },
];

pub(crate) fn questions(bench: &Bench<'_>, pen: &Pen<'_>) -> Vec<Redacted> {
    QUESTIONS
        .iter()
        .filter_map(|row| (row.ask)(bench, pen))
        .take(Bounds::QUESTIONS)
        .map(|question| pen.write(&question, Bounds::LINE))
        .collect()
}

/// The slot, where the claim is open and its words may be shown.
fn open_slot(bench: &Bench<'_>, pen: &Pen<'_>) -> Option<Slot> {
    let may_quote = bench.withheld.is_none() && bench.memory.state.is_open();
    let slot = bench.memory.slot.as_ref().filter(|_| may_quote);
    slot.map(|slot| clean(slot, pen))
}

/// The slot without secrets: its parts are cut later, and half a secret would not be recognised.
fn clean(slot: &Slot, pen: &Pen<'_>) -> Slot {
    let clean = |part: &str| pen.clean(part).as_str().to_owned();
    let key = SlotKey {
        subject: clean(&slot.key.subject),
        attribute: clean(&slot.key.attribute),
        scope: clean(&slot.key.scope),
    };
    Slot {
        key,
        value: clean(&slot.value),
        unit: slot.unit.as_deref().map(clean),
        negated: slot.negated,
    }
}

/// Parts of a slot are short by nature; a long one is cut so that the question stays one.
fn short(part: &str) -> String {
    const LONGEST_PART: usize = 80;
    part.chars().take(LONGEST_PART).collect()
}

fn thing(slot: &Slot) -> String {
    let (attribute, subject) = (short(&slot.key.attribute), short(&slot.key.subject));
    format!("“{attribute}” of “{subject}”")
}

fn answer(slot: &Slot) -> String {
    let denied = if slot.negated { "not " } else { "" };
    let unit = slot.unit.as_deref().map(short);
    let unit = unit.map_or_else(String::new, |unit| format!(" {unit}"));
    format!("{denied}“{}{unit}”", short(&slot.value))
}

fn day(at: Timestamp) -> String {
    at.to_string().chars().take(10).collect()
}

fn which_value(bench: &Bench<'_>, pen: &Pen<'_>) -> Option<String> {
    let ours = open_slot(bench, pen)?;
    let rival = bench
        .rivals
        .iter()
        .filter_map(|rival| rival.slot.as_ref())
        .map(|theirs| clean(theirs, pen))
        .find(|theirs| theirs.key.subject == ours.key.subject && answer(theirs) != answer(&ours))?;
    let (thing, one, other) = (thing(&ours), answer(&ours), answer(&rival));
    Some(format!(
        "Is {thing} {one} or {other}, and which source would know?"
    ))
}

fn both_right(bench: &Bench<'_>, _: &Pen<'_>) -> Option<String> {
    let rival = bench.rivals.first()?;
    let (said, rival_said) = (day(bench.memory.observed_at), day(rival.observed_at));
    let open = bench.memory.state.is_open();
    open.then(|| {
        format!("Under which circumstances could both this, said on {said}, and the claim against it, said on {rival_said}, be right?")
    })
}

fn since_contradicted(bench: &Bench<'_>, _: &Pen<'_>) -> Option<String> {
    let last_for = last_said(&bench.supporting)?;
    let last_against = last_said(&bench.contradicting)?;
    (last_for < last_against).then(|| {
        let (last_for, last_against) = (day(last_for), day(last_against));
        format!("It was last said on {last_for} and denied on {last_against}: has anybody stated it since?")
    })
}

/// When something was last said by somebody who did not have it from us.
fn last_said(side: &[Exhibit<'_>]) -> Option<Timestamp> {
    let spoken = side.iter().rfind(|one| !one.origin.echo);
    spoken.map(|one| one.evidence.observed_at)
}

fn who_else(bench: &Bench<'_>, _: &Pen<'_>) -> Option<String> {
    let only = bench.supporting.iter().find(|one| !one.origin.echo)?;
    (bench.independent_origins() == 1).then(|| {
        let class = only.origin.class.as_str().replace('_', " ");
        let on = day(only.evidence.observed_at);
        format!("Who besides the one {class} of {on} can confirm it, without having it from there?")
    })
}

fn independent_of_us(bench: &Bench<'_>, _: &Pen<'_>) -> Option<String> {
    only_echoes(bench)
        .then(|| "Where was it first said, before this service handed it out?".to_owned())
}

fn still_holds(bench: &Bench<'_>, _: &Pen<'_>) -> Option<String> {
    let memory = bench.memory;
    let ended = [memory.expires_at, memory.validity.until]
        .into_iter()
        .flatten()
        .min();
    let ended = ended.filter(|end| *end <= bench.now)?;
    let matters = memory.state.is_open() || memory.state == State::Expired;
    matters.then(|| {
        format!(
            "Its time ran out on {}: does it hold any longer?",
            day(ended)
        )
    })
}

fn begun(bench: &Bench<'_>, _: &Pen<'_>) -> Option<String> {
    let start = bench
        .memory
        .validity
        .from
        .filter(|start| bench.now < *start)?;
    let open = bench.memory.state.is_open();
    open.then(|| format!("It is to hold from {}: what holds until then?", day(start)))
}

fn after_the_end(bench: &Bench<'_>, _: &Pen<'_>) -> Option<String> {
    let end = bench.memory.validity.until.filter(|end| bench.now < *end)?;
    let open = bench.memory.state.is_open();
    open.then(|| format!("It holds until {}: what holds after that?", day(end)))
}

fn circumstances(bench: &Bench<'_>, pen: &Pen<'_>) -> Option<String> {
    let slot = open_slot(bench, pen)?;
    let (thing, scope) = (thing(&slot), short(&slot.key.scope));
    let question = if scope.is_empty() {
        format!("Does what is said of {thing} hold everywhere, or only under some circumstances?")
    } else {
        format!("Does what is said of {thing} hold only under “{scope}”, or beyond it?")
    };
    Some(question)
}

fn measured_how(bench: &Bench<'_>, pen: &Pen<'_>) -> Option<String> {
    let slot = open_slot(bench, pen)?;
    slot.unit.as_ref().map(|_| {
        let on = day(bench.memory.observed_at);
        format!(
            "How was {} of {} measured, and has it been since {on}?",
            answer(&slot),
            thing(&slot)
        )
    })
}

fn first_hand(bench: &Bench<'_>, _: &Pen<'_>) -> Option<String> {
    let weak = !bench.memory.class.is_known_at_once() && bench.memory.state.is_open();
    weak.then(|| {
        let class = bench.memory.class.as_str().replace('_', " ");
        format!("What did the {class} rest on: was it seen, read or inferred?")
    })
}

fn by_kind(bench: &Bench<'_>, _: &Pen<'_>) -> Option<String> {
    let since = day(bench.memory.observed_at);
    let question = match bench.memory.kind {
        MemoryKind::Fact => format!("What would show that it is no longer so since {since}?"),
        MemoryKind::Preference => format!("Is it still wanted, or was it a wish of {since} only?"),
        MemoryKind::Decision => {
            format!("Who decided it on or before {since}, and can it have been revised since?")
        }
        MemoryKind::Artifact => format!("Is it still there, and unchanged since {since}?"),
        MemoryKind::Observation => {
            format!("Was it seen only once, on {since}, or can it be seen again?")
        }
        MemoryKind::Episode => {
            format!("Which part of what was told on {since} is remembered, and which is retold?")
        }
    };
    bench.memory.state.is_open().then_some(question)
}

fn why_replaced(bench: &Bench<'_>, _: &Pen<'_>) -> Option<String> {
    let replaced = bench.memory.state == State::Superseded;
    replaced.then(|| "What changed between it and the claim that took its place?".to_owned())
}

fn why_rejected(bench: &Bench<'_>, _: &Pen<'_>) -> Option<String> {
    let rejected = bench.memory.state == State::Rejected;
    rejected.then(|| "Who decided against it, and does the ground for that still hold?".to_owned())
}
