//! Errors as they leave: problem documents (RFC 9457) with a stable code, and the one mapping from what went wrong.
//!
//! What is told outside is apart from what is noted inside: a failure of the store says that it failed, not how.

use std::time::Duration;

use serde_json::{Map, Value, json};
use testimony_domain::Refusal;
use testimony_service::access::NoEntry;
use testimony_service::ports::ledger::LedgerError;
use testimony_service::{NotFound, ServiceError, Taken};

use crate::wire::fault::{Fault, Pointer};
use crate::wire::parts;
use crate::wire::shape::{Member, Shape};
use crate::wire::written::{REFUSAL, faults};

macro_rules! codes {
    ($($variant:ident = $word:literal, $status:literal, $title:literal;)+) => {
        testimony_domain::words! {
            /// What went wrong, in words that do not change.
            pub enum Code { $(#[doc = $title] $variant = $word,)+ }
        }

        impl Code {
            /// The status that goes with it.
            #[must_use]
            pub const fn status(self) -> u16 {
                match self { $(Self::$variant => $status,)+ }
            }

            /// What it means, in a few words.
            #[must_use]
            pub const fn title(self) -> &'static str {
                match self { $(Self::$variant => $title,)+ }
            }
        }
    };
}

codes! {
    BadRequest = "bad_request", 400, "The request cannot be read";
    UpstreamRefused = "upstream_refused", 400, "The model refuses the request";
    CredentialMissing = "credential_missing", 401, "No credential came";
    CredentialMalformed = "credential_malformed", 401, "What came is no credential";
    CredentialUnknown = "credential_unknown", 401, "The credential is not known";
    CredentialRevoked = "credential_revoked", 401, "The credential was revoked";
    CredentialExpired = "credential_expired", 401, "The credential expired";
    SignInRefused = "sign_in_refused", 401, "Name or password is wrong";
    SessionEnded = "session_ended", 401, "Nobody is signed in by this";
    PageTokenMissing = "csrf_token_missing", 403, "The request does not come from a page of the service";
    OriginNotAllowed = "origin_not_allowed", 403, "Pages of this origin may not ask";
    ContainerNotReached = "container_not_reached", 403, "The credential does not reach the container";
    CapabilityMissing = "capability_missing", 403, "The credential lacks a capability";
    BeyondSight = "beyond_sight", 403, "The credential does not see all that it concerns";
    OwnWord = "own_word", 403, "Nobody approves what the same key or agent said";
    ModelNotFound = "model_not_found", 404, "There is no such model";
    RouteNotFound = "route_not_found", 404, "There is no such route";
    ContainerNotFound = "container_not_found", 404, "There is no such container";
    MemoryNotFound = "memory_not_found", 404, "There is no such memory";
    FactNotFound = "fact_not_found", 404, "There is no such fact";
    JobNotFound = "job_not_found", 404, "There is no such job";
    CaseNotFound = "case_not_found", 404, "There is no such case";
    KeyNotFound = "key_not_found", 404, "There is no such key";
    PersonNotFound = "person_not_found", 404, "There is no such person";
    ConnectorNotFound = "connector_not_found", 404, "There is no such connector token";
    MethodNotAllowed = "method_not_allowed", 405, "The route has no such method";
    RequestTimeout = "request_timeout", 408, "The request did not come in time";
    Conflict = "conflict", 409, "It conflicts with what is known";
    ContainerExists = "container_exists", 409, "There is a container of this tag already";
    PersonExists = "person_exists", 409, "There is a person of this name already";
    CaseInSession = "case_in_session", 409, "A judge is hearing the case";
    IdempotencyKeyReused = "idempotency_key_reused", 409, "The idempotency key came with another body";
    Undecidable = "undecidable", 409, "It cannot be decided in this state";
    ChangedMeanwhile = "changed_meanwhile", 409, "It changed meanwhile";
    NotDone = "not_done", 409, "The machine did not do it";
    BodyTooLarge = "body_too_large", 413, "The body is too large";
    UnsupportedMediaType = "unsupported_media_type", 415, "The body is of another kind";
    HostNotServed = "host_not_served", 421, "This host is not served here";
    InvalidJson = "invalid_json", 422, "The body is not the JSON that is expected";
    InvalidRequest = "invalid_request", 422, "Something of the request is wrong";
    UpstreamBusy = "upstream_busy", 429, "The model is asked too often";
    RateLimited = "rate_limited", 429, "The credential made as many requests as it may";
    QuotaSpent = "quota_spent", 429, "The credential handed in as many items as it may on a day";
    TooManyAttempts = "too_many_attempts", 429, "It was tried too often";
    Overloaded = "overloaded", 429, "There is too much to do just now";
    Internal = "internal", 500, "Something went wrong here";
    LedgerFailed = "ledger_failed", 500, "The ledger failed";
    UpstreamUnavailable = "upstream_unavailable", 503, "The model does not answer";
    NoUpstream = "no_upstream", 503, "No model is configured";
    NotReady = "not_ready", 503, "The service is not ready";
    StorageFull = "storage_full", 507, "The disk is full";
}

/// After so many seconds it makes sense to try again.
const RETRY_AFTER_SECONDS: u64 = 1;

/// Seconds as headers have them: whoever waits for so long has waited long enough.
pub(crate) fn whole_seconds(span: Duration) -> u64 {
    span.as_secs() + u64::from(span.subsec_nanos() > 0)
}

/// How somebody who is not let in can be, in the words of `WWW-Authenticate`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Challenge(pub String);

/// Something that went wrong, as it is told.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// What.
    pub code: Code,
    /// Why, and what to do about it.
    pub detail: String,
    /// What is wrong with which value.
    pub faults: Vec<Fault>,
    /// What else is told.
    pub more: Map<String, Value>,
    /// The methods that the route has.
    pub allow: Option<Box<str>>,
    /// How somebody who is not let in can be.
    pub challenge: Option<Box<Challenge>>,
    /// After how long it makes sense to try again, where that is known.
    pub wait: Option<Duration>,
}

impl Problem {
    /// A problem.
    #[must_use]
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        Self {
            code,
            detail: detail.into(),
            faults: Vec::new(),
            more: Map::new(),
            allow: None,
            challenge: None,
            wait: None,
        }
    }

    /// As many requests as are allowed were made; the next is after so long.
    #[must_use]
    pub fn wait(wait: Duration) -> Self {
        let detail =
            "This key has made as many requests as it may; wait as long as `Retry-After` says.";
        Self {
            wait: Some(wait),
            ..Self::new(Code::RateLimited, detail)
        }
    }

    /// Values that are wrong.
    #[must_use]
    pub fn invalid(faults: Vec<Fault>) -> Self {
        let detail = match faults.len() {
            1 => "One value is wrong; `errors` says which, and what to send instead.".to_owned(),
            count => {
                format!("{count} values are wrong; `errors` says which, and what to send instead.")
            }
        };
        Self {
            faults,
            ..Self::new(Code::InvalidRequest, detail)
        }
    }

    /// A body that is no object.
    #[must_use]
    pub fn no_json(detail: impl Into<String>) -> Self {
        let detail = detail.into();
        Self {
            faults: vec![Fault::at(Pointer::root(), detail.clone())],
            ..Self::new(Code::InvalidJson, detail)
        }
    }

    /// A container that is not there. What a path names is its sender's own, so it is not repeated.
    #[must_use]
    pub fn no_container() -> Self {
        let detail =
            "there is no such container; an operator can make it, or a key that is bound to it";
        Self::new(Code::ContainerNotFound, detail)
    }

    /// A route without this method.
    #[must_use]
    pub fn method(allow: String) -> Self {
        let detail = format!("This route answers {allow}.");
        Self {
            allow: Some(allow.into()),
            ..Self::new(Code::MethodNotAllowed, detail)
        }
    }

    /// When to try again, where that helps.
    #[must_use]
    pub fn retry_after(&self) -> Option<u64> {
        match (self.wait, self.code.status()) {
            (Some(wait), _) => Some(whole_seconds(wait)),
            (None, 429 | 503) => Some(RETRY_AFTER_SECONDS),
            (None, _) => None,
        }
    }

    /// The same in the words of OpenAI, for clients that know no others.
    #[must_use]
    pub fn envelope(&self) -> Value {
        let first = self.faults.first().map(dotted);
        json!({ "error": {
            "message": self.in_one_text(),
            "type": kind_of(self.code.status()),
            "param": first.filter(|param| !param.is_empty()),
            "code": self.code.as_str(),
        }})
    }

    /// Everything in one text, for whoever has no place for the faults beside it.
    fn in_one_text(&self) -> String {
        let named = |fault: &&Fault| !dotted(fault).is_empty() && !fault.detail.is_empty();
        let told: Vec<String> = self.faults.iter().filter(named).map(in_words).collect();
        let Some(rest) = told.len().checked_sub(1) else {
            return self.detail.clone();
        };
        let shown = told.iter().take(MOST_IN_A_TEXT).cloned();
        let mut all = match rest {
            0 => "One value is wrong. ".to_owned(),
            rest => format!("{} values are wrong. ", rest + 1),
        };
        all.push_str(&shown.collect::<Vec<_>>().join(" "));
        if told.len() > MOST_IN_A_TEXT {
            all.push_str(&format!(" And {} more.", told.len() - MOST_IN_A_TEXT));
        }
        all
    }

    /// The document.
    #[must_use]
    pub fn document(&self, request_id: &str) -> Value {
        let mut body = self.more.clone();
        let fixed = json!({
            "type": format!("urn:testimony:problem:{}", self.code),
            "title": self.code.title(),
            "status": self.code.status(),
            "detail": self.detail,
            "code": self.code.as_str(),
            "request_id": request_id,
        });
        if let Value::Object(fixed) = fixed {
            body.extend(fixed);
        }
        if !self.faults.is_empty() {
            let errors = Value::Array(faults(&self.faults));
            body.insert("errors".to_owned(), errors);
        }
        Value::Object(body)
    }
}

/// So many faults are told in a text.
const MOST_IN_A_TEXT: usize = 50;

/// Where a fault is, with points between names.
fn dotted(fault: &Fault) -> String {
    let pointer = fault.pointer.as_str().trim_start_matches('/');
    pointer.replace('/', ".")
}

fn in_words(fault: &Fault) -> String {
    format!("`{}`: {}", dotted(fault), fault.detail)
}

/// The kind of an error, as clients of OpenAI tell them apart.
const fn kind_of(status: u16) -> &'static str {
    match status {
        401 => "authentication_error",
        403 => "permission_error",
        429 => "rate_limit_error",
        500.. => "server_error",
        _ => "invalid_request_error",
    }
}

/// An error in the words of OpenAI, as a shape. What a model itself refuses comes in its own words.
#[rustfmt::skip]
pub const ENVELOPE: Shape = Shape::Named("GatewayError", &Shape::Open(&[
    Member::new("error", Shape::Open(&[
        Member::new("message", Shape::Text, "Why, and what to do about it."),
        Member::new("type", Shape::Maybe(&Shape::Text), "The kind of error, as clients of OpenAI tell them apart.").at_times(),
        Member::new("param", Shape::Maybe(&Shape::Text), "What is wrong, with points between names.").at_times(),
        Member::new("code", Shape::Maybe(&Shape::Anything), "What went wrong, in a word that does not change.").at_times(),
    ]), "What went wrong."),
]));

/// A problem document, as a shape.
#[rustfmt::skip]
pub const DOCUMENT: Shape = Shape::Named("Problem", &Shape::Groups(&[&[
    Member::new("type", Shape::Text, "A name of the kind of problem: `urn:testimony:problem:` and its code."),
    Member::new("title", Shape::Text, "What the code means, in a few words."),
    Member::new("status", Shape::Whole, "The status of the answer."),
    Member::new("detail", Shape::Text, "Why, and what to do about it."),
    Member::new("code", Shape::Word(Code::WORDS), "What went wrong, in a word that does not change."),
    Member::new("request_id", Shape::Text, "By which id the request is found in the log."),
    Member::new("errors", parts::FAULTS, "What is wrong with which value.").at_times(),
], REFUSAL]));

impl From<ServiceError> for Problem {
    fn from(error: ServiceError) -> Self {
        let detail = error.to_string();
        match error {
            ServiceError::NoEntry(why) => Self::new(of_entry(why), detail),
            ServiceError::Refused(why) => of_refusal(&why, detail),
            ServiceError::NotFound(what) => of_missing(&what, detail),
            ServiceError::Invalid(wrong) => Self::invalid(wrong.iter().map(Fault::of).collect()),
            ServiceError::Undecidable(_) | ServiceError::NotOpen(_) => {
                Self::new(Code::Undecidable, detail)
            }
            ServiceError::NotOverAll => Self::new(Code::ContainerNotReached, detail),
            ServiceError::BeyondSight => Self::new(Code::BeyondSight, detail),
            ServiceError::OwnWord => Self::new(Code::OwnWord, detail),
            ServiceError::KeyReused => Self::new(Code::IdempotencyKeyReused, detail),
            ServiceError::TooManyAttempts { wait } => Self {
                wait: Some(wait),
                ..Self::new(Code::TooManyAttempts, detail)
            },
            ServiceError::CaseInSession { wait } => Self {
                wait: Some(wait),
                ..Self::new(Code::CaseInSession, detail)
            },
            ServiceError::MixedGroup { .. } => {
                let at = Pointer::root().below("kind");
                Self::invalid(vec![Fault::at(at, detail)])
            }
            ServiceError::UnknownBackend { .. } => {
                let at = Pointer::root().below("reranking_backend");
                Self::invalid(vec![Fault::at(at, detail)])
            }
            ServiceError::QuotaSpent { wait, .. } => Self {
                wait: Some(wait),
                ..Self::new(Code::QuotaSpent, detail)
            },
            ServiceError::Busy => Self::new(Code::Overloaded, detail),
            ServiceError::Taken(what) => Self::new(of_taken(what), detail),
            ServiceError::NoChance(_) => Self::new(Code::Internal, detail),
            ServiceError::Ledger(error) => of_ledger(&error),
        }
    }
}

const fn of_entry(why: NoEntry) -> Code {
    match why {
        NoEntry::Missing => Code::CredentialMissing,
        NoEntry::Malformed => Code::CredentialMalformed,
        NoEntry::Unknown => Code::CredentialUnknown,
        NoEntry::Revoked => Code::CredentialRevoked,
        NoEntry::Expired => Code::CredentialExpired,
        NoEntry::Session => Code::SessionEnded,
        NoEntry::Password | NoEntry::First => Code::SignInRefused,
    }
}

/// What a path names is its sender's own, and may be the secret that was pasted into the wrong place; it is not repeated.
fn of_refusal(why: &Refusal, detail: String) -> Problem {
    match why {
        Refusal::Expired { .. } => Problem::new(Code::CredentialExpired, detail),
        Refusal::Container { .. } => Problem::new(
            Code::ContainerNotReached,
            "this key does not reach this container; use a key that is bound to it",
        ),
        Refusal::Capability { .. } => Problem::new(Code::CapabilityMissing, detail),
    }
}

fn of_missing(what: &NotFound, detail: String) -> Problem {
    let code = match what {
        NotFound::Container(_) => return Problem::no_container(),
        NotFound::Memory | NotFound::Priority => Code::MemoryNotFound,
        NotFound::Case => Code::CaseNotFound,
        NotFound::Fact => Code::FactNotFound,
        NotFound::Job => Code::JobNotFound,
        NotFound::Key => Code::KeyNotFound,
        NotFound::Person => Code::PersonNotFound,
        NotFound::Connector => Code::ConnectorNotFound,
    };
    Problem::new(code, detail)
}

const fn of_taken(what: Taken) -> Code {
    match what {
        Taken::Container => Code::ContainerExists,
        Taken::Person => Code::PersonExists,
    }
}

fn of_ledger(error: &LedgerError) -> Problem {
    let (code, detail) = match error {
        LedgerError::Full => (
            Code::StorageFull,
            "The disk is full, so nothing was written; the operator has to free space.",
        ),
        LedgerError::Overloaded { .. } => (
            Code::Overloaded,
            "As many writes wait as are taken; try again in a moment.",
        ),
        LedgerError::Missing { .. } | LedgerError::Changed { .. } | LedgerError::Exists { .. } => (
            Code::ChangedMeanwhile,
            "What the request speaks of changed meanwhile, so nothing was written; send it again.",
        ),
        LedgerError::Stopped | LedgerError::Damaged { .. } | LedgerError::Store { .. } => (
            Code::LedgerFailed,
            "The ledger could not be used, so nothing was written; the operator finds the cause in the log under the request id.",
        ),
    };
    if code == Code::LedgerFailed {
        tracing::error!(cause = %error, "the ledger failed");
    }
    Problem::new(code, detail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_names_code_request_and_every_fault() {
        let fault = Fault::at(
            Pointer::root().below("limit"),
            "It is not between 1 and 100.",
        );
        let body = Problem::invalid(vec![fault]).document("req_1");
        assert_eq!(body["type"], "urn:testimony:problem:invalid_request");
        assert_eq!(body["status"], 422);
        assert_eq!(body["request_id"], "req_1");
        assert_eq!(body["errors"][0]["pointer"], "/limit");
    }

    #[test]
    fn a_text_tells_of_many_faults_and_counts_the_rest() {
        let fault = |at: usize| Fault::at(Pointer::root().below("messages").below(at), "No.");
        for (count, beginning, end) in [
            (
                1,
                "One value is wrong. `messages.0`: No.",
                "`messages.0`: No.",
            ),
            (
                2,
                "2 values are wrong. `messages.0`: No. `messages.1`: No.",
                "`messages.1`: No.",
            ),
            (
                60,
                "60 values are wrong. ",
                "`messages.49`: No. And 10 more.",
            ),
        ] {
            let problem = Problem::invalid((0..count).map(fault).collect());
            let envelope = problem.envelope();
            let said = envelope["error"]["message"].as_str().unwrap();
            assert!(said.starts_with(beginning) && said.ends_with(end), "{said}");
            assert_eq!(envelope["error"]["param"], "messages.0");
        }
    }

    #[test]
    fn what_the_store_says_stays_inside() {
        let inside = LedgerError::Damaged {
            place: "a table".to_owned(),
            what: "the inner state".to_owned(),
        };
        let problem = Problem::from(ServiceError::Ledger(inside));
        assert_eq!(problem.code.status(), 500);
        assert!(!problem.document("r").to_string().contains("inner"));
    }

    #[test]
    fn what_passes_says_when_to_try_again() {
        let busy = Problem::from(ServiceError::Ledger(LedgerError::Overloaded { waiting: 9 }));
        assert_eq!((busy.code.status(), busy.retry_after()), (429, Some(1)));
        let full = Problem::from(ServiceError::Ledger(LedgerError::Full));
        assert_eq!((full.code.status(), full.retry_after()), (507, None));
    }
}
