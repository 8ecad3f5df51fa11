//! What comes out: where the text goes and why, with nothing in it that admission had to take out.

use std::ops::Range;

use testimony_domain::{
    MemoryKind, Reason, Redacted, ReviewNeed, Slot, Speaker, State, Timestamp, Validity,
};

/// The rule by which a part of a text is left out of its claims.
pub const LEFT_OUT: &str = "claims.left_out";

/// Where a text or a claim goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Route {
    /// Into memory, in the state that its class gives it.
    Admit,
    /// Into memory as pending, until a person has looked.
    Review(ReviewNeed),
    /// Kept as evidence only: it repeats what the service handed out, or its claims stand for it.
    EvidenceOnly,
    /// Kept as a record of what happened, never as memory.
    Forensic,
    /// Held because it tries to instruct its reader.
    QuarantineInjection,
    /// Held because it held a secret.
    QuarantineSecret,
}

impl Route {
    /// The stable spelling.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Admit => "admit",
            Self::Review(_) => "review",
            Self::EvidenceOnly => "evidence_only",
            Self::Forensic => "forensic",
            Self::QuarantineInjection => "quarantine_injection",
            Self::QuarantineSecret => "quarantine_secret",
        }
    }

    /// The lifecycle state in which a row of this route begins; `None` where no memory is made.
    #[must_use]
    pub const fn initial_state(self, known_at_once: bool) -> Option<State> {
        match self {
            Self::Admit if known_at_once => Some(State::Active),
            Self::Admit | Self::Review(_) => Some(State::Pending),
            Self::EvidenceOnly => None,
            Self::Forensic => Some(State::Forensic),
            Self::QuarantineInjection => Some(State::QuarantinedInjection),
            Self::QuarantineSecret => Some(State::QuarantinedSecret),
        }
    }
}

/// One thing that a stage found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What it means.
    pub reason: Reason,
    /// The rule or signal that found it, by its stable id.
    pub rule: &'static str,
    /// Where it stands in the text as it was sent, in bytes. Empty for a finding on the whole text.
    pub span: Range<usize>,
    /// The field it stands in; `None` for the content.
    pub field: Option<String>,
    /// The keyed fingerprint of a secret, by which an operator can allow it.
    pub fingerprint: Option<String>,
}

/// A claim: one self-contained statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// What it says.
    pub text: Redacted,
    /// Where it stands in the text as it was sent, in bytes.
    pub span: Range<usize>,
    /// Where it goes.
    pub route: Route,
    /// Why.
    pub findings: Vec<Finding>,
    /// What it is.
    pub kind: MemoryKind,
    /// The question it answers, where it answers one.
    pub slot: Option<Slot>,
    /// Names of what it speaks of.
    pub entities: Vec<String>,
    /// Who said it.
    pub speaker: Option<Speaker>,
    /// When it was said.
    pub observed_at: Timestamp,
    /// When it holds, as far as it says.
    pub validity: Validity,
}

/// The ruling on a submission.
#[derive(Clone, Debug, PartialEq)]
pub struct Ruling {
    /// Where the text as a whole goes. `EvidenceOnly` when its claims stand for it.
    pub route: Route,
    /// Why.
    pub findings: Vec<Finding>,
    /// The text without its secrets.
    pub text: Redacted,
    /// The other fields without their secrets, by name.
    pub fields: Vec<(String, Redacted)>,
    /// What it claims.
    pub claims: Vec<Claim>,
}
