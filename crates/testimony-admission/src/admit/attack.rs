//! What tries to instruct the reader, in content and fields, with the places where it stands.

use std::borrow::Cow;
use std::ops::Range;

use testimony_domain::{Reason, Redacted};

use super::{Case, Finding};
use crate::injection::{self, Grade, Injection};
use crate::listed::Listed;
use crate::normalise::{Reading, View};

/// The injection signals of a submission.
pub(super) struct Attack {
    content: Grade,
    fields: Grade,
    /// Where each signal stands in the redacted content, with its id, in the order of the text.
    pub(super) marks: Vec<(Range<usize>, &'static str)>,
    field_marks: Vec<(String, &'static str)>,
    /// Whether every text was read to its end, so that nothing can hide behind where reading stopped.
    pub(super) is_all_read: bool,
}

impl Attack {
    pub(super) fn find(case: &Case<'_>, listed: &Listed) -> Self {
        let class = case.submission.class;
        let mut fields = Grade::None;
        let mut field_marks = Vec::new();
        let mut is_all_read = case.readings.complete;
        for ((name, text), read) in case.fields.iter().zip(&case.readings.fields) {
            let reading = reading(read.as_ref(), text);
            is_all_read &= reading.is_complete();
            // A name is the caller's own words as much as what stands under it.
            let texts = reading.views().map(View::text).chain([name.as_str()]);
            let found = injection::examine(texts, class);
            fields = fields.max(found.grade);
            let first = found.signals.first().filter(|_| found.grade > Grade::None);
            field_marks.extend(first.map(|signal| (name.clone(), signal.id)));
        }
        let reading = reading(case.readings.content.as_ref(), &case.text);
        is_all_read &= reading.is_complete();
        // One of the views is most often the text itself.
        let views = reading.views().map(|view| {
            let listed = if view.text() == case.text.as_str() {
                Cow::Borrowed(listed)
            } else {
                Cow::Owned(Listed::of(view.text()))
            };
            (view.text(), listed)
        });
        let found = injection::examine_listed(views, class);
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
            is_all_read,
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

/// How the text was read when its secrets were looked for, or how it reads without them.
fn reading<'r>(known: Option<&'r Reading<'r>>, text: &'r Redacted) -> Cow<'r, Reading<'r>> {
    known.map_or_else(|| Cow::Owned(Reading::of(text.as_str())), Cow::Borrowed)
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
