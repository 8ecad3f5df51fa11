//! `testimony why`: why a memory is recalled for a question, or is not.

use clap::Args;
use serde_json::Value;

use super::rows::spoken;
use super::shared::LabelArguments;
use crate::door::Ask;
use crate::failure::{Done, Failure};
use crate::read::{count, maybe, part, score, text};
use crate::sheet::{Ink, Sheet};
use crate::shell::Shell;
use crate::text::TextArguments;

const EXAMPLES: &str = "\
Examples:
  testimony why mem_018f… 'Where does Mara work?'
  testimony why mem_018f… --trust-policy strict \\
      --agent scribe 'Where does Mara work?'";

/// Tell why a memory is recalled for a question, or is not; for operators.
///
/// It is the first gate that removed it, or its score against the floor. It is asked as whoever wrote the memory, unless
/// a key or an agent is named.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct WhyArguments {
    /// Which memory.
    #[arg(value_name = "MEMORY_ID")]
    id: String,

    #[command(flatten)]
    text: TextArguments,

    #[command(flatten)]
    labels: LabelArguments,

    /// Ask as the holder of this key.
    #[arg(long, value_name = "KEY_ID")]
    as_key: Option<String>,

    /// Ask as this agent.
    #[arg(long, value_name = "AGENT")]
    agent: Option<String>,

    /// How strict: off, balanced, strict.
    #[arg(long, value_name = "POLICY", default_value = "balanced")]
    trust_policy: String,

    /// How many rows are shown.
    #[arg(long, value_name = "COUNT")]
    limit: Option<u32>,

    /// End with status 1 when it is not recalled.
    #[arg(long)]
    check: bool,
}

/// Tells.
pub(crate) fn run(arguments: &WhyArguments, shell: &mut Shell<'_>) -> Result<Done, Failure> {
    let query = arguments.text.read()?;
    let ask = Ask::post(&["api", "v1", "admin", "memories", &arguments.id, "why"])
        .with("query", query.trim())
        .with("key_id", arguments.as_key.clone())
        .with("agent_id", arguments.agent.clone())
        .with("trust_policy", arguments.trust_policy.clone())
        .with("limit", arguments.limit);
    let answer = shell.ask(&arguments.labels.on(ask))?;
    shell.show(&answer, tell)?;
    let recalled = text(&answer, "outcome") == "recalled";
    Ok(Done::unless(arguments.check && !recalled))
}

/// What became of it, in words.
const OUTCOMES: &[(&str, Ink, &str)] = &[
    ("recalled", Ink::Good, "It is recalled."),
    (
        "related",
        Ink::Careful,
        "It stands near the question, and does not answer it.",
    ),
    (
        "awaits_confirmation",
        Ink::Careful,
        "It is shown as something to be confirmed first.",
    ),
    (
        "over_limit",
        Ink::Careful,
        "More relevant memories fill the limit.",
    ),
    ("duplicate", Ink::Careful, "Another memory says the same."),
    ("not_relevant", Ink::Bad, "It is not relevant enough."),
    (
        "wrong_subject",
        Ink::Bad,
        "It speaks of somebody or something else.",
    ),
    ("held", Ink::Bad, "A gate removes it."),
    ("hidden", Ink::Bad, "It does not exist for whoever asks."),
    (
        "unknown",
        Ink::Bad,
        "Nothing of it is found for this question.",
    ),
];

fn tell(sheet: &mut Sheet, answer: &Value) {
    let outcome = text(answer, "outcome");
    let known = OUTCOMES.iter().find(|(word, ..)| *word == outcome);
    let (ink, sentence) = known.map_or((Ink::Plain, outcome), |(_, ink, sentence)| {
        (*ink, *sentence)
    });
    sheet.line(0, &[(ink, sentence)]);
    if let Some(reason) = maybe(part(answer, "reason"), "sentence") {
        sheet.line(2, &[(Ink::Plain, reason)]);
    }
    for (name, told) in [
        ("stage", "gate"),
        ("gate", "added gate"),
        ("hidden_by", "hidden by"),
        ("duplicate_of", "like"),
    ] {
        if let Some(word) = maybe(answer, name) {
            sheet.pair(2, 10, told, &spoken(word));
        }
    }
    tell_scores(sheet, answer);
    let asked = part(answer, "asked_as");
    let whom = maybe(asked, "agent_id").unwrap_or("nobody in particular");
    sheet.pair(2, 10, "asked as", whom);
    if let Some(found) = answer.get("found_by").and_then(Value::as_object) {
        for (source, said) in found {
            sheet.pair(2, 10, &spoken(source), &said.to_string());
        }
    }
}

fn tell_scores(sheet: &mut Sheet, answer: &Value) {
    if answer.get("relevance").is_some() {
        let floor = answer.get("floor").map_or_else(String::new, |_| {
            format!(", and {} is the floor", score(answer, "floor"))
        });
        sheet.pair(
            2,
            10,
            "relevance",
            &format!("{}{floor}", score(answer, "relevance")),
        );
    }
    if answer.get("rank").is_some() {
        sheet.pair(2, 10, "rank", &count(answer, "rank").to_string());
    }
}
