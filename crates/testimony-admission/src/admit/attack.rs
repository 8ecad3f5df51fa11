//! What tries to instruct the reader, in content and fields, with the places where it stands.

use std::ops::Range;

use testimony_domain::Reason;

use super::{Case, Finding};
use crate::injection::{self, Grade, Injection};
use crate::normalise::{Reading, View};

/// The injection signals of a submission.
pub(super) struct Attack {
    content: Grade,
    fields: Grade,
    /// Where each signal stands in the redacted content, with its id, in the order of the text.
    pub(super) marks: Vec<(Range<usize>, &'static str)>,
    field_marks: Vec<(String, &'static str)>,
}

impl Attack {
    pub(super) fn find(case: &Case<'_>) -> Self {
        let class = case.submission.class;
        let mut fields = Grade::None;
        let mut field_marks = Vec::new();
        for (name, text) in &case.fields {
            let found =
                injection::examine(Reading::of(text.as_str()).views().map(View::text), class);
            fields = fields.max(found.grade);
            if found.grade > Grade::None {
                field_marks.extend(
                    found
                        .signals
                        .first()
                        .map(|signal| (name.clone(), signal.id)),
                );
            }
        }
        let reading = Reading::of(case.text.as_str());
        let found = injection::examine(reading.views().map(View::text), class);
        let marks = if found.grade > Grade::None {
            marks(&found, &reading)
        } else {
            Vec::new()
        };
        Self {
            content: found.grade,
            fields,
            marks,
            field_marks,
        }
    }

    /// The worse of what content and fields show.
    pub(super) fn grade(&self) -> Grade {
        self.content.max(self.fields)
    }

    /// Why, as a reason code.
    pub(super) fn reason(&self) -> Reason {
        match self.grade() {
            Grade::Strong => Reason::InjectionStrong,
            Grade::None | Grade::Weak => Reason::InjectionWeak,
        }
    }

    /// What stands in fields, as findings.
    pub(super) fn field_findings(&self) -> impl Iterator<Item = Finding> {
        let reason = self.reason();
        self.field_marks.iter().map(move |(field, rule)| Finding {
            reason,
            rule,
            span: 0..0,
            field: Some(field.clone()),
            fingerprint: None,
        })
    }
}

/// Where the signals stand in the text that was read, whatever view showed them.
fn marks(found: &Injection, reading: &Reading<'_>) -> Vec<(Range<usize>, &'static str)> {
    let place = |signal: &injection::FoundSignal| {
        let view = reading.views().nth(signal.view)?;
        Some((view.original(signal.span.clone()), signal.id))
    };
    let used = found.signals.iter().filter(|signal| !signal.reported);
    let mut marks: Vec<_> = used.filter_map(place).collect();
    if marks.is_empty() {
        marks = found.signals.iter().filter_map(place).collect();
    }
    marks.sort_by_key(|(span, id)| (span.start, *id));
    marks.dedup();
    marks
}
