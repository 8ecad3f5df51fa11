//! What is read: candidates from the index, judged by the recall core, handed out and noted.

mod aids;
mod candidates;
mod context;
mod courtroom;
mod journal;
mod likeness;
mod opinion;
mod phrasing;
mod recall;
mod recall_as;
mod reflect;
mod shelf;
mod why;

use testimony_domain::{EffectiveIdentity, Memory, State};

pub use aids::{Aided, Help, HelpStatus};
pub use context::{ContextAnswer, ContextRequest, TASK_GOAL};
pub use courtroom::{CaseHeard, CourtroomRequest};
pub use journal::Slip;
pub use opinion::Heard;
pub use phrasing::{Phrasing, SynthesisStatus};
pub use recall::{RecallAnswer, RecallRequest};
pub use recall_as::RecallAsRequest;
pub use reflect::{AnswerMode, Cited, NOTHING_KNOWN, ReflectAnswer, ReflectRequest};
pub use why::{WhyAnswer, WhyRequest};

pub(crate) use candidates::meaning;
pub(crate) use journal::{Journal, Note};
pub(crate) use likeness::Lexicon;
pub(crate) use opinion::InSession;
pub(crate) use shelf::{Known, Shelf};

/// Whether a row exists for an identity.
pub(crate) fn is_visible(row: &Memory, who: &EffectiveIdentity) -> bool {
    row.state != State::Erased && row.visible_to(who).is_ok()
}
