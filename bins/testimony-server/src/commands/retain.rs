//! `testimony retain`: something to be remembered, and what became of it.

use clap::Args;
use serde_json::Value;

use super::rows::{spoken, warnings};
use super::shared::LabelArguments;
use crate::door::Ask;
use crate::failure::{Done, Failure};
use crate::read::{count, maybe, rows, text};
use crate::settings::{Given, Room};
use crate::sheet::{Ink, Sheet, counted};
use crate::shell::Shell;
use crate::text::TextArguments;

const EXAMPLES: &str = "\
Examples:
  testimony retain 'Mara works at the observatory.'
  testimony retain --tag meeting --observed-at 2026-03-01 --file notes.txt
  testimony retain --supersedes mem_018f… 'Mara works at the harbour office.'";

/// Keep a text as evidence, and what it claims as memory, and tell what became of it and why.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct RetainArguments {
    #[command(flatten)]
    text: TextArguments,

    #[command(flatten)]
    pub(crate) room: Given<Room>,

    #[command(flatten)]
    labels: LabelArguments,

    /// A word by which it is filtered; several times for several.
    #[arg(long, value_name = "TAG")]
    tag: Vec<String>,

    /// What kind of memory it is: fact, preference, decision, artifact, observation, episode.
    #[arg(long = "type", value_name = "TYPE")]
    kind: Option<String>,

    /// The class of its source, where it is weaker than your own word.
    #[arg(long, value_name = "CLASS", help = super::whose_word())]
    source_type: Option<String>,

    /// Where it came from, in your words.
    #[arg(long, value_name = "NAME")]
    source: Option<String>,

    /// The document or message that it was taken from.
    #[arg(long, value_name = "REF")]
    source_ref: Option<String>,

    /// Who said it.
    #[arg(long, value_name = "NAME")]
    speaker: Option<String>,

    /// When it was said: an instant, a date, or as people write it, such as "1:56 pm on 8 May, 2023".
    #[arg(long, value_name = "TIME")]
    observed_at: Option<String>,

    /// A memory that it replaces; several times for several.
    #[arg(long, value_name = "ID")]
    supersedes: Vec<String>,

    /// A memory that it takes back; several times for several.
    #[arg(long, value_name = "ID")]
    retracts: Vec<String>,

    /// Your own id of it; sent again with another text it becomes a revision.
    #[arg(long, value_name = "ID")]
    custom_id: Option<String>,

    /// Your name of this write; the same name with the same text is carried out once.
    #[arg(long, value_name = "ID")]
    request_id: Option<String>,

    /// After how many hours it expires.
    #[arg(long, value_name = "HOURS")]
    expires_in_hours: Option<f64>,

    /// Have a person look at it first.
    #[arg(long)]
    review: bool,

    /// Keep the text as it is, without drawing claims from it.
    #[arg(long)]
    verbatim: bool,

    /// End with status 1 when nothing of it came into memory.
    #[arg(long)]
    check: bool,
}

/// Keeps it.
pub(crate) fn run(arguments: &RetainArguments, shell: &mut Shell<'_>) -> Result<Done, Failure> {
    let content = arguments.text.read()?;
    let ask = Ask::in_container(shell.settings.container(), &["retain"]).with("content", content);
    let answer = shell.ask(&arguments.on(ask))?;
    shell.show(&answer, tell)?;
    Ok(Done::unless(
        arguments.check && count(&answer, "saved") == 0,
    ))
}

impl RetainArguments {
    fn on(&self, ask: Ask) -> Ask {
        let ask = ask
            .with("tags", self.tag.clone())
            .with("memory_type", self.kind.clone())
            .with(
                "source",
                self.source
                    .clone()
                    .unwrap_or_else(|| "command_line".to_owned()),
            )
            .with("source_type", self.source_type.clone())
            .with("source_ref", self.source_ref.clone())
            .with("speaker", self.speaker.clone())
            .with("observed_at", self.observed_at.clone())
            .with("supersedes", self.supersedes.clone())
            .with("retracts", self.retracts.clone())
            .with("custom_id", self.custom_id.clone())
            .with("request_id", self.request_id.clone())
            .with("expires_in_hours", self.expires_in_hours)
            .with("review_required", self.review.then_some(true))
            .with("auto_extract", self.verbatim.then_some(false));
        self.labels.on(ask)
    }
}

fn tell(sheet: &mut Sheet, answer: &Value) {
    let (kept, left) = (rows(answer, "memories"), rows(answer, "skipped"));
    let saved = count(answer, "saved");
    sheet.say(&format!(
        "{} came into memory.",
        counted(saved, "statement", "statements")
    ));
    if !kept.is_empty() {
        sheet.heading("Kept");
    }
    for row in kept {
        tell_kept(sheet, row);
    }
    if !left.is_empty() {
        sheet.heading("No memory");
    }
    for row in left {
        sheet.line(2, &[(Ink::Plain, text(row, "content"))]);
        reasons(sheet, row);
        if let Some(existing) = maybe(row, "existing_id") {
            sheet.note(4, &format!("It is known as {existing}."));
        }
    }
    warnings(sheet, answer);
}

fn tell_kept(sheet: &mut Sheet, row: &Value) {
    let (state, bucket) = (text(row, "lifecycle_state"), text(row, "trust_bucket"));
    sheet.line(2, &[(Ink::Bold, text(row, "content"))]);
    let id = format!("  {}", text(row, "id"));
    sheet.line(
        4,
        &[
            (Ink::of(state), state),
            (Ink::Plain, ", "),
            (Ink::of(bucket), &spoken(bucket)),
            (Ink::Dim, &id),
        ],
    );
    if state != "active" || bucket != "trusted" {
        reasons(sheet, row);
    }
    if let Some(case) = maybe(row, "case_id") {
        sheet.note(
            4,
            &format!("A person decides: `testimony review show {case}`."),
        );
    }
}

fn reasons(sheet: &mut Sheet, row: &Value) {
    for reason in rows(row, "reasons") {
        sheet.note(4, text(reason, "sentence"));
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use super::*;
    use crate::sheet::Colours;

    #[test]
    fn what_was_kept_and_what_was_not_is_told_with_its_reasons() {
        let reason = |sentence: &str| json!([{ "code": "x", "sentence": sentence }]);
        let answer = json!({
            "saved": 2,
            "memories": [
                { "id": "mem_1", "content": "Mara works here.", "lifecycle_state": "active", "trust_bucket": "trusted",
                  "reasons": reason("It is clean."), "case_id": null },
                { "id": "mem_2", "content": "Mara works there.", "lifecycle_state": "pending", "trust_bucket": "needs_review",
                  "reasons": reason("It contradicts what is known."), "case_id": "case_1" },
            ],
            "skipped": [{ "content": "Mara works here.", "reasons": reason("It is known already."), "existing_id": "mem_1" }],
            "warnings": [{ "pointer": "/colour", "detail": "Nobody knows this field." }],
        });
        let mut sheet = Sheet::new(Colours::Off);
        tell(&mut sheet, &answer);
        expect![[r#"
            2 statements came into memory.

            Kept
              Mara works here.
                active, trusted  mem_1
              Mara works there.
                pending, needs review  mem_2
                It contradicts what is known.
                A person decides: `testimony review show case_1`.

            No memory
              Mara works here.
                It is known already.
                It is known as mem_1.
            colour: Nobody knows this field.
        "#]]
        .assert_eq(&sheet.into_text());
    }
}
