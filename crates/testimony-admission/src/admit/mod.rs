//! The one entrance: the stages in their order, and what their findings together mean for each claim.
//!
//! The text itself is always evidence.
//! Rows of memory are made of claims alone: whatever in a text has to be held back, reviewed or recorded stands among
//! the claims with a route of its own, so that nothing is lost and clean neighbours go on.

mod attack;
mod docket;

use std::ops::Range;

use testimony_domain::{Reason, Redacted};

use crate::claims::{self, Context, Extraction};
use crate::echo::{self, Echo, Source};
use crate::injection::Grade;
use crate::listed::Listed;
use crate::residue::{Look, ResidueFinding};
use crate::ruling::{Claim, Finding, Route, Ruling};
use crate::secrets::{self, OffsetMap, Readings};
use crate::submission::{Field, Policy, Submission};
use attack::Attack;
use docket::Docket;

/// The field under which a speaker's name is scanned.
const SPEAKER: &str = "/speaker";

/// Rules on a text in its context.
#[must_use]
pub fn admit<'a>(submission: &'a Submission<'a>, policy: &Policy<'a>) -> Ruling {
    let case = Case::open(submission, policy);
    let (findings, claims) = case.hear();
    case.close(findings, claims)
}

/// A submission without its secrets: all that the stages after [`secrets`] can see.
struct Case<'a> {
    submission: &'a Submission<'a>,
    text: Redacted,
    map: OffsetMap,
    /// Every other text by its name; the speaker, where there is one, stands last.
    fields: Vec<(String, Redacted)>,
    block_marks: &'a [&'a str],
    /// What the secrets stage found, in content and fields.
    secrets: Vec<Finding>,
    /// How the texts were read, where nothing was taken out of them.
    readings: Readings<'a>,
}

impl<'a> Case<'a> {
    fn open(submission: &'a Submission<'a>, policy: &Policy<'a>) -> Self {
        let speaker = submission.speaker.map(|text| Field {
            name: SPEAKER,
            text,
        });
        let named: Vec<Field<'_>> = submission.fields.iter().copied().chain(speaker).collect();
        let (scan, readings) = secrets::scan_and_read(submission.text, &named, policy);
        let secrets = scan
            .content
            .findings
            .into_iter()
            .chain(scan.field_findings)
            .collect();
        let (text, map) = (scan.content.redacted, scan.content.map);
        Self {
            submission,
            text,
            map,
            fields: scan.fields,
            block_marks: policy.block_marks,
            secrets,
            readings,
        }
    }

    /// Who speaks, without secrets.
    fn speaker(&self) -> Option<&str> {
        self.submission.speaker?;
        self.fields.last().map(|(_, name)| name.as_str())
    }

    /// What is found beside secrets, and the claims.
    fn hear(&self) -> (Vec<Finding>, Vec<Claim>) {
        if self.text.as_str().trim().is_empty() {
            return (
                vec![whole_text(Reason::ResidueEmoji, "text.blank")],
                Vec::new(),
            );
        }
        let echoes = self.echoes();
        if let Some(echo) = echoes
            .iter()
            .find(|echo| matches!(echo.source, Source::Delimiter(_)))
        {
            return (
                vec![self.finding(Reason::Echo, "echo.delimiter", echo.span.clone())],
                Vec::new(),
            );
        }
        // Every stage from here on looks for words in the same text.
        let listed = Listed::of(self.text.as_str());
        let attack = Attack::find(self, &listed);
        let look = Look::at(self.text.as_str(), &listed, self.is_said_by_a_person());
        let drawn = match look
            .finding()
            .filter(|residue| decides(residue, attack.grade()))
        {
            Some(residue) => return self.record(&residue, attack),
            None if self.submission.extract => self.extract(&look),
            None => Extraction::default(),
        };
        Docket::new(self, drawn, attack).settle(&echoes)
    }

    /// Whether somebody by name said it.
    fn is_said_by_a_person(&self) -> bool {
        const NOBODY: [&str; 8] = [
            "assistant",
            "bot",
            "chatbot",
            "system",
            "model",
            "ai",
            "agent",
            "tool",
        ];
        let name = self.submission.speaker.map(str::to_lowercase);
        let of_a_machine = |name: &String| {
            name.split(|c: char| !c.is_alphanumeric())
                .any(|word| NOBODY.contains(&word))
        };
        name.is_some_and(|name| !of_a_machine(&name))
    }

    fn echoes(&self) -> Vec<Echo> {
        let Submission {
            handed_out,
            user_message,
            ..
        } = *self.submission;
        let context = echo::Context {
            handed_out,
            user_message,
            delimiters: self.block_marks,
        };
        echo::find_all(self.text.as_str(), &context)
    }

    /// One forensic claim for a text that states nothing; a secret in it outranks that.
    fn record(&self, residue: &ResidueFinding, attack: Attack) -> (Vec<Finding>, Vec<Claim>) {
        let finding = self.finding(residue.reason, residue.rule, residue.span.clone());
        Docket::new(self, Extraction::default(), attack).settle_whole(Route::Forensic, finding)
    }

    fn extract(&self, look: &Look<'_>) -> Extraction<'_> {
        let Submission {
            observed_at,
            kind,
            channel,
            class,
            ..
        } = *self.submission;
        let speaker = self.speaker();
        let residue = |sentence: &str| look.sentence(sentence);
        let context = Context {
            speaker,
            observed_at,
            kind,
            channel,
            class,
            residue: Some(&residue),
        };
        claims::extract(self.text.as_str(), &context)
    }

    /// A finding at a span of the redacted text, reported where it stood in the text as it was sent.
    fn finding(&self, reason: Reason, rule: &'static str, span: Range<usize>) -> Finding {
        let span = self.map.original(span);
        Finding {
            reason,
            rule,
            span,
            field: None,
            fingerprint: None,
        }
    }

    fn close(mut self, findings: Vec<Finding>, claims: Vec<Claim>) -> Ruling {
        if self.submission.speaker.is_some() {
            self.fields.pop();
        }
        let strictest = claims.iter().map(|claim| claim.route).max();
        let mut found: Vec<Finding> = decisive(&claims, strictest).into_iter().collect();
        let others = self.secrets.into_iter().chain(findings);
        others.for_each(|other| {
            if found.first() != Some(&other) {
                found.push(other);
            }
        });
        Ruling {
            route: strictest.unwrap_or(Route::EvidenceOnly),
            findings: found,
            text: self.text,
            fields: self.fields,
            claims,
        }
    }
}

/// What decided about the text as a whole: the first finding of the claim that was treated most strictly.
fn decisive(claims: &[Claim], strictest: Option<Route>) -> Option<Finding> {
    let route = strictest?;
    if route == Route::Admit {
        return Some(whole_text(Reason::Admitted, "admission.clean"));
    }
    let claim = claims.iter().find(|claim| claim.route == route)?;
    claim.findings.first().cloned()
}

/// Whether residue settles the matter: a row of a test, a log or a program can never be trusted, so it outranks an
/// attack; small talk around an attack does not, nor does what is only worded as such a row.
fn decides(residue: &ResidueFinding, attack: Grade) -> bool {
    let is_sealed = docket::is_sealed(residue.reason) && !residue.is_by_wording();
    is_sealed || attack == Grade::None
}

const fn whole_text(reason: Reason, rule: &'static str) -> Finding {
    Finding {
        reason,
        rule,
        span: 0..0,
        field: None,
        fingerprint: None,
    }
}
