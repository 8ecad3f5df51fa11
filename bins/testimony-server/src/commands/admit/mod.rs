//! `testimony admit`: a ruling, explained, with nothing stored.

mod report;
mod wire;

use clap::Args;
use testimony_admission::ruling::{Route, Ruling};
use testimony_admission::submission::{Field, Policy, Submission};
use testimony_domain::{EvidenceChannel, Invalid, Problem, SourceClass, Speaker, Timestamp};

use crate::failure::{Done, Failure};
use crate::shell::Shell;
use crate::text::TextArguments;

/// The entrance of admission.
type Admit = fn(&Submission<'_>, &Policy<'_>) -> Ruling;

/// Nothing is stored under this key, so a fingerprint made with it says nothing, and none is shown.
const NO_KEY: [u8; 32] = [0; 32];
const SPEAKER_FIELD: &str = "/speaker";

const EXAMPLES: &str = "\
Examples:
  testimony admit --explain 'Ana moved to Lisbon in March.'
  testimony admit --explain --class external_document --file page.txt
  git log -1 --format=%B | testimony admit --explain --class tool_result --json";

/// Tell what would become of a text, and why, without storing it.
///
/// The text is read as it would be on its way into memory: secrets are taken out, instructions to the reader,
/// test rows and residue are told from facts, and what it claims is drawn from it. Nothing is stored or sent, no
/// model is asked, and a secret is never printed.
#[derive(Args, Debug, Default)]
#[command(after_help = EXAMPLES)]
pub(crate) struct AdmitArguments {
    #[command(flatten)]
    text: TextArguments,

    /// Explain the ruling and store nothing; `testimony retain` stores, so this has to be said.
    #[arg(long, required = true)]
    explain: bool,

    /// Whose word it is.
    #[arg(long, value_name = "CLASS", default_value = SourceClass::UserStatement.as_str(), help = super::whose_word())]
    class: String,

    /// The way in.
    #[arg(long, value_name = "CHANNEL", default_value = EvidenceChannel::Retain.as_str(), help = way_in())]
    source_channel: String,

    /// Who speaks in it, so that "I" can be resolved.
    #[arg(long, value_name = "NAME")]
    speaker: Option<String>,

    /// When it was said, so that "yesterday" can be resolved: an instant such as 2026-03-01T09:30:00Z, or a date.
    /// Now, where nothing is given.
    #[arg(long, value_name = "TIME")]
    observed_at: Option<String>,

    /// End with status 1 when nothing of the text would come into memory.
    #[arg(long)]
    check: bool,
}

fn way_in() -> String {
    let words = EvidenceChannel::WORDS.join(", ");
    format!("The way in, which can only weaken the class: {words}")
}

/// Whether something of the text would come into memory.
fn comes_in(ruling: &Ruling) -> bool {
    let mut routes = ruling.claims.iter().map(|claim| claim.route);
    ruling.route == Route::Admit || routes.any(|route| route == Route::Admit)
}

/// Rules on the text and explains the ruling.
pub(crate) fn run(arguments: &AdmitArguments, shell: &mut Shell<'_>) -> Result<Done, Failure> {
    rule(arguments, testimony_admission::admit, super::now(), shell)
}

fn rule(
    arguments: &AdmitArguments,
    admit: Admit,
    now: Timestamp,
    shell: &mut Shell<'_>,
) -> Result<Done, Failure> {
    let context = Context::read(arguments, now)?;
    let text = arguments.text.read()?;
    let (submission, ruling) = context.rule(&text, admit)?;
    if shell.json {
        shell.write(&format!("{:#}\n", wire::ruling(&submission, &ruling)))?;
    } else {
        let written = report::write(&submission, &ruling, shell.out());
        written.map_err(Failure::doing("the report", "written"))?;
    }
    Ok(Done::unless(arguments.check && !comes_in(&ruling)))
}

/// What the arguments say about a text.
struct Context<'a> {
    channel: EvidenceChannel,
    class: SourceClass,
    observed_at: Timestamp,
    speaker: Option<&'a str>,
    fields: Vec<Field<'a>>,
}

impl<'a> Context<'a> {
    fn read(arguments: &'a AdmitArguments, now: Timestamp) -> Result<Self, Invalid> {
        let channel = EvidenceChannel::parse("--source-channel", &arguments.source_channel)?;
        let class = SourceClass::parse("--class", &arguments.class)?;
        let speaker = arguments.speaker.as_deref();
        speaker
            .map(|name| Speaker::new("--speaker", name))
            .transpose()?;
        let said = arguments.observed_at.as_deref().map(instant).transpose()?;
        Ok(Self {
            channel,
            class: class.min(channel.ceiling()),
            observed_at: said.unwrap_or(now),
            speaker,
            fields: speaker
                .map(|text| Field {
                    name: SPEAKER_FIELD,
                    text,
                })
                .into_iter()
                .collect(),
        })
    }

    fn rule<'b>(
        &'b self,
        text: &'b str,
        admit: Admit,
    ) -> Result<(Submission<'b>, Ruling), Failure> {
        let submission = Submission {
            text,
            channel: self.channel,
            class: self.class,
            kind: None,
            speaker: self.speaker,
            observed_at: self.observed_at,
            fields: &self.fields,
            extract: true,
            review_requested: false,
            user_message: None,
            handed_out: &[],
        };
        let policy = Policy {
            exempt_rules: &[],
            allowed_fingerprints: &[],
            block_marks: &[],
            fingerprint_key: &NO_KEY,
        };
        let ruling = admit(&submission, &policy);
        // The speaker's name goes into every claim, so a secret in it would be printed with each.
        let kept = ruling.fields.iter().find(|(name, _)| name == SPEAKER_FIELD);
        match (kept, self.speaker) {
            (Some((_, kept)), Some(sent)) if kept.as_str() != sent => Err(secret_speaker()),
            _ => Ok((submission, ruling)),
        }
    }
}

fn secret_speaker() -> Failure {
    let what = "`--speaker` holds what looks like a credential; name who speaks, and nothing else";
    Failure::Usage(what.to_owned())
}

/// An instant, or the beginning of a day in UTC.
fn instant(text: &str) -> Result<Timestamp, Invalid> {
    let whole = text
        .parse()
        .or_else(|_| format!("{text}T00:00:00Z").parse());
    whole.map_err(|_| {
        let expected = "2026-03-01T09:30:00Z or 2026-03-01";
        Invalid::new("--observed-at", Problem::Malformed { expected })
    })
}

#[cfg(test)]
mod tests {
    use testimony_domain::Redacted;

    use super::*;
    use crate::settings::Settings;
    use crate::sheet::Colours;

    /// Stars instead of every field, and the text as it is.
    fn starred(submission: &Submission<'_>, _: &Policy<'_>) -> Ruling {
        let stars = |field: &Field<'_>| (field.name.to_owned(), Redacted::attest("***"));
        Ruling {
            route: Route::Admit,
            findings: Vec::new(),
            text: Redacted::attest(submission.text),
            fields: submission.fields.iter().map(stars).collect(),
            claims: Vec::new(),
        }
    }

    fn arguments(class: &str) -> AdmitArguments {
        AdmitArguments {
            text: TextArguments {
                text: vec!["a fact".to_owned()],
                file: None,
            },
            class: class.to_owned(),
            source_channel: "writeback.observed_facts".to_owned(),
            ..AdmitArguments::default()
        }
    }

    fn ruled(arguments: &AdmitArguments) -> Result<String, Failure> {
        let mut out = Vec::new();
        let settings = Settings::gather(&[], &|_| Ok(None))?;
        let mut shell = Shell::new(settings, false, Colours::Off, &mut out);
        rule(arguments, starred, Timestamp::UNIX_EPOCH, &mut shell)?;
        Ok(String::from_utf8(out).unwrap())
    }

    #[test]
    fn the_way_in_weakens_the_class() {
        let said = ruled(&arguments("operator")).unwrap();
        assert!(said.contains("agent_observation"), "{said}");
    }

    #[test]
    fn a_wrong_word_is_answered_with_the_right_ones_and_not_repeated() {
        let trouble = ruled(&arguments("kanzler")).unwrap_err().to_string();
        assert!(
            trouble.contains("send one of: external_document"),
            "{trouble}"
        );
        assert!(!trouble.contains("kanzler"), "{trouble}");
    }

    #[test]
    fn a_secret_in_the_place_of_a_name_is_refused_and_not_repeated() {
        let arguments = AdmitArguments {
            speaker: Some("heron-blue-4217".to_owned()),
            ..arguments("operator")
        };
        let trouble = ruled(&arguments).unwrap_err().to_string();
        assert!(
            trouble.contains("--speaker") && !trouble.contains("heron"),
            "{trouble}"
        );
    }

    #[test]
    fn times_are_instants_or_days() {
        assert_eq!(
            instant("2026-03-01").unwrap(),
            instant("2026-03-01T00:00:00Z").unwrap()
        );
        assert!(instant("last week").is_err());
    }
}
