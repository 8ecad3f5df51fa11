//! `testimony admit`: a ruling, explained, with nothing stored.

use std::io::{self, Write};
use std::process::ExitCode;

use testimony_admission::ruling::{Route, Ruling};
use testimony_admission::submission::{Field, Policy, Submission};
use testimony_domain::{EvidenceChannel, Invalid, Problem, SourceClass, Speaker, Timestamp};

use crate::arguments::AdmitArguments;
use crate::{input, report, wire};

/// The entrance of admission.
pub(crate) type Admit = fn(&Submission<'_>, &Policy<'_>) -> Ruling;

/// Nothing is stored under this key, so a fingerprint made with it says nothing, and none is shown.
const NO_KEY: [u8; 32] = [0; 32];
const SPEAKER_FIELD: &str = "/speaker";

/// Whether something of the text would come into memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    ComesIn,
    StaysOut,
}

impl Outcome {
    fn of(ruling: &Ruling) -> Self {
        let mut routes = ruling.claims.iter().map(|claim| claim.route);
        if ruling.route == Route::Admit || routes.any(|route| route == Route::Admit) {
            Self::ComesIn
        } else {
            Self::StaysOut
        }
    }

    /// The exit status; only `--check` makes one of what stays out.
    pub(crate) fn status(self, check: bool) -> ExitCode {
        match self {
            Self::StaysOut if check => ExitCode::from(1),
            Self::StaysOut | Self::ComesIn => ExitCode::SUCCESS,
        }
    }
}

/// Why no ruling was made. No variant holds a part of what was sent: it may be the secret.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Trouble {
    #[error(transparent)]
    Argument(#[from] Invalid),
    #[error("`--speaker` holds what looks like a credential; name who speaks, and nothing else")]
    SecretSpeaker,
    #[error("{name} could not be read: {source}")]
    Unreadable { name: String, source: io::Error },
    #[error("{name} is not UTF-8 at byte {at}; convert it first, for example with iconv")]
    NoText { name: String, at: usize },
    #[error("{name} is longer than {most} bytes; send it in parts")]
    TooLong { name: String, most: u64 },
    #[error("the report could not be written: {0}")]
    Report(#[from] io::Error),
}

impl Trouble {
    /// Says it, and gives the exit status.
    #[expect(
        clippy::print_stderr,
        reason = "the last word of a command line program"
    )]
    pub(crate) fn tell(&self) -> ExitCode {
        if let Self::Report(error) = self
            && error.kind() == io::ErrorKind::BrokenPipe
        {
            // Whoever read the report, `head` for example, has seen enough of it.
            return ExitCode::SUCCESS;
        }
        eprintln!("error: {self}");
        match self {
            Self::Argument(_) | Self::SecretSpeaker => ExitCode::from(2),
            Self::Unreadable { .. }
            | Self::NoText { .. }
            | Self::TooLong { .. }
            | Self::Report(_) => ExitCode::from(3),
        }
    }
}

/// Rules on the text and explains the ruling.
pub(crate) fn run(
    arguments: &AdmitArguments,
    admit: Admit,
    now: Timestamp,
    out: &mut dyn Write,
) -> Result<Outcome, Trouble> {
    let context = Context::read(arguments, now)?;
    let text = input::text(arguments)?;
    let (submission, ruling) = context.rule(&text, admit)?;
    if arguments.json {
        writeln!(out, "{:#}", wire::ruling(&submission, &ruling))?;
    } else {
        report::write(&submission, &ruling, out)?;
    }
    Ok(Outcome::of(&ruling))
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
    ) -> Result<(Submission<'b>, Ruling), Trouble> {
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
            (Some((_, kept)), Some(sent)) if kept.as_str() != sent => Err(Trouble::SecretSpeaker),
            _ => Ok((submission, ruling)),
        }
    }
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
            text: vec!["a fact".to_owned()],
            class: class.to_owned(),
            source_channel: "writeback.observed_facts".to_owned(),
            ..AdmitArguments::default()
        }
    }

    fn ruled(arguments: &AdmitArguments) -> Result<String, Trouble> {
        let mut out = Vec::new();
        run(arguments, starred, Timestamp::UNIX_EPOCH, &mut out)?;
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
