//! Admission of rows that come from an export: texts and everything that stands beside them are looked through for secrets,
//! and what tries to instruct its reader, or was a test, counts no more than it would here.
//!
//! A row that a person let out of quarantine elsewhere shows so in its history, and stays as it is.

use serde_json::{Map, Value};
use testimony_admission::admit;
use testimony_admission::ruling::{Route, Ruling};
use testimony_admission::submission::{Field, Submission};
use testimony_domain::{
    EvidenceChannel, MemoryKind, Reason, Redacted, ReviewNeed, SourceClass, State, Timestamp,
};

use super::parse::Told;
use crate::ports::ledger::containers::ContainerPolicy;
use crate::ports::ledger::reviews::CaseKind;
use crate::service::Service;

/// Members that hold ids and instants, which are read by their own types and are no text.
const TYPED: &[&str] = &[
    "id",
    "fact",
    "key",
    "evidence",
    "from",
    "to",
    "memory",
    "against",
    "current",
    "by",
    "made_by",
    "at",
    "made_at",
    "opened_at",
    "observed_at",
    "recorded_at",
    "created_at",
    "valid_from",
    "valid_until",
    "expires_at",
    "allowed_fingerprints",
];
/// Members that are the text of their line.
const TEXTS: &[&str] = &["text", "content"];
/// What holds whatever a caller sent.
const METADATA: &str = "metadata";

/// What admission says of a line.
pub(super) struct Checked {
    /// The line without its secrets.
    pub(super) line: Value,
    /// Whether something was taken out of it.
    pub(super) is_redacted: bool,
    /// The text of the line without its secrets.
    pub(super) text: Redacted,
    /// Whether that held one.
    pub(super) held_secret: bool,
    /// Where it would go today.
    pub(super) route: Route,
    reasons: Vec<Reason>,
}

/// The text of a line, and what is known of its writer.
#[derive(Clone, Copy)]
pub(super) struct Said<'a> {
    pub(super) text: &'a str,
    pub(super) class: SourceClass,
    pub(super) kind: Option<MemoryKind>,
    pub(super) observed_at: Timestamp,
}

impl Said<'_> {
    /// A line that has no text of its own.
    pub(super) const NOTHING: Self = Said {
        text: "",
        class: SourceClass::Operator,
        kind: None,
        observed_at: Timestamp::UNIX_EPOCH,
    };
}

impl Service {
    /// Has a line pass admission.
    pub(super) fn check_line(
        &self,
        policy: &ContainerPolicy,
        line: &Value,
        said: Said<'_>,
    ) -> Checked {
        let mut spots: Vec<(String, String)> = Vec::new();
        each_text(line, "", false, &mut |name, text| {
            spots.push((name.to_owned(), text.to_owned()));
        });
        let fields = spots.iter().map(|(name, text)| Field { name, text });
        let fields: Vec<Field<'_>> = fields.collect();
        let ruling = self.rule(policy, said, &fields);
        let mut left = ruling.fields.iter().map(|(_, text)| text.as_str());
        let cleaned = put_back(line, false, &mut left);
        let held_secret = ruling.text.as_str() != said.text;
        Checked {
            is_redacted: held_secret || cleaned != *line,
            line: cleaned,
            held_secret,
            reasons: ruling.findings.iter().map(|it| it.reason).collect(),
            text: ruling.text,
            route: ruling.route,
        }
    }

    fn rule(&self, policy: &ContainerPolicy, said: Said<'_>, fields: &[Field<'_>]) -> Ruling {
        let submission = Submission {
            text: said.text,
            channel: EvidenceChannel::Retain,
            class: said.class,
            kind: said.kind,
            speaker: None,
            observed_at: said.observed_at,
            fields,
            extract: false,
            review_requested: false,
            user_message: None,
            handed_out: &[],
        };
        self.under(policy, |policy| admit(&submission, policy))
    }

    /// Whether a text would only be a record today: a test row, a log.
    pub(super) fn is_record_only(&self, policy: &ContainerPolicy, said: Said<'_>) -> bool {
        self.rule(policy, said, &[]).route == Route::Forensic
    }
}

impl Checked {
    /// Puts a memory where it belongs today, if that is not where it says it is; says what a person has to decide about it
    /// then. `only_records` says that all it was drawn from would be no more than a record.
    pub(super) fn hold(&self, told: &mut Told, only_records: bool) -> Option<Held> {
        let held = self.elsewhere(told, only_records)?;
        let memory = &mut told.memory;
        memory.state = held.state;
        memory.approved = false;
        memory.contested = false;
        memory.review = held.review;
        for reason in &self.reasons {
            if !memory.reasons.contains(reason) {
                memory.reasons.push(*reason);
            }
        }
        Some(held)
    }

    /// Where a memory belongs today, if that is not where it says it is.
    fn elsewhere(&self, told: &Told, only_records: bool) -> Option<Held> {
        let memory = &told.memory;
        let passed = |state| told.history.iter().any(|it| it.condition.state == state);
        let doubted = |need| {
            told.history
                .iter()
                .any(|it| it.condition.review == Some(need))
        };
        let counts = counts(memory.state);
        if self.held_secret {
            let moves = counts || memory.state == State::QuarantinedInjection;
            return moves.then_some(Held::in_state(State::QuarantinedSecret, CaseKind::Redacted));
        }
        match self.route {
            Route::QuarantineInjection => {
                let released = memory.approved && passed(State::QuarantinedInjection);
                (counts && !released).then_some(Held::in_state(
                    State::QuarantinedInjection,
                    CaseKind::Injection,
                ))
            }
            Route::Review(need) => {
                let known = memory.approved || memory.review == Some(need) || doubted(need);
                (memory.state == State::Active && !known).then_some(Held {
                    review: Some(need),
                    ..Held::in_state(State::Pending, CaseKind::Injection)
                })
            }
            Route::Forensic => (memory.state.is_open() && only_records).then_some(Held {
                case: None,
                ..Held::in_state(State::Forensic, CaseKind::Injection)
            }),
            Route::Admit | Route::EvidenceOnly | Route::QuarantineSecret => None,
        }
    }
}

/// Where a row is put that is not let in as it came.
#[derive(Clone, Copy, Debug)]
pub(super) struct Held {
    state: State,
    review: Option<ReviewNeed>,
    /// What a person has to decide about it.
    pub(super) case: Option<CaseKind>,
}

impl Held {
    const fn in_state(state: State, case: CaseKind) -> Self {
        Self {
            state,
            review: None,
            case: Some(case),
        }
    }
}

/// Whether a row of this state can be shown to somebody.
const fn counts(state: State) -> bool {
    match state {
        State::Active | State::Pending | State::Superseded | State::Expired => true,
        State::QuarantinedInjection
        | State::QuarantinedSecret
        | State::Forensic
        | State::Rejected
        | State::Erased => false,
    }
}

/// Calls `each` with every text of a line but its own, in the order in which [`put_back`] takes them.
fn each_text(value: &Value, at: &str, free: bool, each: &mut dyn FnMut(&str, &str)) {
    match value {
        Value::String(text) => each(at, text),
        // A number that a caller sent can be a secret as well as a text can.
        Value::Number(number) if free => each(at, &number.to_string()),
        Value::Array(values) => {
            for (index, value) in values.iter().enumerate() {
                each_text(value, &format!("{at}/{index}"), free, each);
            }
        }
        Value::Object(members) => {
            for (name, value) in members.iter().filter(|(name, _)| free || is_free(name)) {
                let here = format!("{at}/{name}");
                if free {
                    each(&here, name);
                }
                each_text(value, &here, free || name == METADATA, each);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn is_free(name: &str) -> bool {
    !TYPED.contains(&name) && !TEXTS.contains(&name)
}

/// The line with the texts that are left.
fn put_back(value: &Value, free: bool, left: &mut dyn Iterator<Item = &str>) -> Value {
    match value {
        Value::String(_) => Value::from(left.next().unwrap_or_default()),
        Value::Number(number) if free => {
            let text = left.next().unwrap_or_default();
            if text == number.to_string() {
                value.clone()
            } else {
                Value::from(text)
            }
        }
        Value::Array(values) => {
            let values = values.iter().map(|value| put_back(value, free, left));
            Value::Array(values.collect())
        }
        Value::Object(members) => {
            let mut kept = Map::new();
            for (name, value) in members {
                if !free && !is_free(name) {
                    kept.insert(name.clone(), value.clone());
                    continue;
                }
                let left_name = if free { left.next() } else { None };
                let value = put_back(value, free || name == METADATA, left);
                kept.insert(left_name.unwrap_or(name).to_owned(), value);
            }
            Value::Object(kept)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}
