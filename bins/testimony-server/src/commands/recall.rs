//! `testimony recall`: what is known that answers a question, or that nothing is.

use clap::Args;
use serde_json::Value;

use super::rows::{found, health, held_back, nothing, under, warnings};
use super::shared::LabelArguments;
use crate::door::Ask;
use crate::failure::{Done, Failure};
use crate::read::{is, part, rows};
use crate::settings::{Given, Room};
use crate::sheet::Sheet;
use crate::shell::Shell;
use crate::text::TextArguments;

const EXAMPLES: &str = "\
Examples:
  testimony recall 'Where does Mara work?'
  testimony recall --trust-policy strict --limit 3 'Where does Mara work?'
  testimony recall --time historical 'Where did Mara work?'";

/// Ask what is known; where nothing answers, it says so and why.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct RecallArguments {
    #[command(flatten)]
    text: TextArguments,

    #[command(flatten)]
    pub(crate) room: Given<Room>,

    #[command(flatten)]
    labels: LabelArguments,

    /// How many rows at most.
    #[arg(long, value_name = "COUNT")]
    limit: Option<u32>,

    /// How strict: off, balanced, strict.
    #[arg(long, value_name = "POLICY", default_value = "balanced")]
    trust_policy: String,

    /// Which time is asked about: current, historical, `as_of:DATE`, any; what the question says where nothing is given.
    #[arg(long, value_name = "TIME")]
    time: Option<String>,

    /// Your own floor for relevance, from 0 to 1; the system's holds below it.
    #[arg(long, value_name = "SCORE")]
    threshold: Option<f64>,

    /// Only rows with this tag; several times for several.
    #[arg(long, value_name = "TAG")]
    tag: Vec<String>,

    /// What is shown: assistant, review, forensic.
    #[arg(long, value_name = "VIEW")]
    view: Option<String>,

    /// End with status 1 when nothing answers.
    #[arg(long)]
    check: bool,
}

/// Asks.
pub(crate) fn run(arguments: &RecallArguments, shell: &mut Shell<'_>) -> Result<Done, Failure> {
    let query = arguments.text.read()?;
    let ask = Ask::in_container(shell.settings.container(), &["recall"])
        .with("query", query.trim())
        .with("limit", arguments.limit)
        .with("trust_policy", arguments.trust_policy.clone())
        .with("time_query", arguments.time.clone())
        .with("threshold", arguments.threshold)
        .with("tags", arguments.tag.clone())
        .with("view", arguments.view.clone());
    let answer = shell.ask(&arguments.labels.on(ask))?;
    shell.show(&answer, tell)?;
    let abstained = is(part(&answer, "diagnostics"), "abstained");
    Ok(Done::unless(arguments.check && abstained))
}

fn tell(sheet: &mut Sheet, answer: &Value) {
    let results = rows(answer, "results");
    if results.is_empty() {
        nothing(sheet, answer);
    }
    for (number, row) in (1..).zip(results) {
        found(sheet, &format!("{number}. "), row);
    }
    under(
        sheet,
        "Related, and no answer",
        rows(answer, "related_context"),
    );
    under(
        sheet,
        "To be confirmed first",
        rows(answer, "needs_confirmation"),
    );
    held_back(sheet, answer);
    health(sheet, answer);
    warnings(sheet, answer);
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use super::*;
    use crate::sheet::Colours;

    fn told(answer: &Value) -> String {
        let mut sheet = Sheet::new(Colours::Off);
        tell(&mut sheet, answer);
        sheet.into_text()
    }

    fn row(content: &str, answers: &str) -> Value {
        json!({ "id": "mem_1", "content": content, "score": 0.8312, "answer_match_type": answers,
            "trust_bucket": "trusted", "lifecycle_state": "active", "marked": null })
    }

    #[test]
    fn results_are_numbered_and_scored() {
        let answer = json!({
            "results": [row("Mara works at the observatory.", "direct_answer")],
            "suppressed": [
                { "id": "mem_2", "reason": { "sentence": "It was superseded." } },
                { "id": "mem_3", "reason": { "sentence": "It was superseded." } },
            ],
        });
        expect![[r#"
            1. Mara works at the observatory.
               0.83  direct answer  trusted  active  mem_1

            Held back
              2 rows: It was superseded.
        "#]]
        .assert_eq(&told(&answer));
    }

    #[test]
    fn silence_explains_itself() {
        let answer = json!({
            "results": [],
            "related_context": [row("Mara has a telescope.", "supporting_context")],
            "diagnostics": { "abstained": true, "fallback_reason": "no_direct_answer_above_threshold",
                "min_relevance_threshold": 0.1, "source_health_status": "degraded_keyword_only" },
        });
        expect![[r#"
            No answer. Something related is known, and none of it answers this.
            What scores below 0.10 is not taken for relevant. `testimony why` tells about one memory.

            Related, and no answer
              Mara has a telescope.
              0.83  supporting context  trusted  active  mem_1
            Not every part is well (degraded keyword only), so more may be known than is found.
        "#]]
        .assert_eq(&told(&answer));
    }
}
