//! `testimony case`: what speaks for and against a memory.

use clap::Args;
use serde_json::Value;

use super::rows::{spoken, warnings};
use super::shared::LabelArguments;
use crate::door::Ask;
use crate::failure::{Done, Failure};
use crate::read::{is, maybe, part, rows, text, texts};
use crate::sheet::{Ink, Sheet};
use crate::shell::Shell;

const EXAMPLES: &str = "\
Examples:
  testimony case mem_018f…
  testimony case fact_018f… --question 'Who said so, and when?'";

/// Report what speaks for and against a memory, and what is missing.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CaseArguments {
    /// The memory, or a fact for its memory of now.
    #[arg(value_name = "ID")]
    id: String,

    /// A question of your own, answered from the evidence.
    #[arg(long, value_name = "TEXT")]
    question: Option<String>,

    #[command(flatten)]
    labels: LabelArguments,

    /// End with status 1 when there is no such memory.
    #[arg(long)]
    check: bool,
}

/// Reports.
pub(crate) fn run(arguments: &CaseArguments, shell: &mut Shell<'_>) -> Result<Done, Failure> {
    let ask = Ask::get(&["api", "v1", "memories", &arguments.id, "courtroom"])
        .with("query", arguments.question.clone());
    match shell.ask(&arguments.labels.on(ask)) {
        Ok(report) => {
            shell.show(&report, tell)?;
            Ok(Done::Yes)
        }
        Err(failure) if arguments.check && failure.is_missing() => Ok(Done::No),
        Err(failure) => Err(failure),
    }
}

fn tell(sheet: &mut Sheet, report: &Value) {
    let verdict = text(report, "final_verdict");
    sheet.line(0, &[(Ink::Bold, text(report, "statement"))]);
    let action = format!("  {}", spoken(text(report, "final_recommended_action")));
    sheet.line(
        0,
        &[
            (Ink::Plain, "Verdict: "),
            (Ink::of(verdict), &spoken(verdict)),
            (Ink::Dim, &action),
        ],
    );
    for sentence in texts(part(report, "deterministic_verdict"), "reason_sentences") {
        sheet.note(2, sentence);
    }
    let answer = part(report, "answer");
    if let Some(said) = maybe(answer, "text") {
        sheet.heading("To your question");
        sheet.line(2, &[(Ink::Plain, said)]);
    }
    exhibits(sheet, "For it", rows(report, "supporting_evidence"));
    exhibits(sheet, "Against it", rows(report, "contradicting_evidence"));
    let rivals = rows(report, "contradiction_hypotheses");
    if !rivals.is_empty() {
        sheet.heading("What it may contradict");
    }
    for rival in rivals {
        sheet.line(2, &[(Ink::Plain, text(rival, "redacted_excerpt"))]);
        sheet.note(
            4,
            &format!(
                "{}  {}",
                text(rival, "hypothesis_sentence"),
                text(rival, "memory_id")
            ),
        );
    }
    sentences(
        sheet,
        "Missing",
        &texts(report, "missing_evidence_sentences"),
    );
    let flags: Vec<&str> = rows(report, "risk_flags")
        .iter()
        .map(|flag| text(flag, "sentence"))
        .collect();
    sentences(sheet, "Risks", &flags);
    sentences(sheet, "Ask", &texts(report, "cross_examination_questions"));
    history(sheet, rows(report, "timeline"));
    warnings(sheet, report);
}

fn exhibits(sheet: &mut Sheet, heading: &str, exhibits: &[Value]) {
    if exhibits.is_empty() {
        return;
    }
    sheet.heading(heading);
    for exhibit in exhibits {
        sheet.block(2, text(exhibit, "redacted_excerpt"));
        let echo = if is(exhibit, "echo") {
            ", an echo of what was handed out"
        } else {
            ""
        };
        let class = spoken(text(exhibit, "class"));
        let (source, at) = (text(exhibit, "source"), text(exhibit, "observed_at"));
        sheet.note(4, &format!("{class}, {source}, {at}{echo}"));
    }
}

fn sentences(sheet: &mut Sheet, heading: &str, sentences: &[&str]) {
    if sentences.is_empty() {
        return;
    }
    sheet.heading(heading);
    for sentence in sentences {
        sheet.line(2, &[(Ink::Plain, sentence)]);
    }
}

fn history(sheet: &mut Sheet, timeline: &[Value]) {
    if timeline.is_empty() {
        return;
    }
    sheet.heading("History");
    let lines: Vec<Vec<(Ink, String)>> = timeline
        .iter()
        .map(|entry| {
            let event = maybe(entry, "event").unwrap_or_default();
            let by = maybe(entry, "actor")
                .map_or_else(String::new, |actor| format!("by {}", spoken(actor)));
            vec![
                (Ink::Dim, text(entry, "at").to_owned()),
                (Ink::Plain, spoken(text(entry, "moment"))),
                (Ink::Plain, spoken(event)),
                (Ink::Dim, by),
            ]
        })
        .collect();
    sheet.table(2, &lines);
}
