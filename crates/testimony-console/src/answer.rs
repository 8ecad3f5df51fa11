//! What a page answers.

use std::fmt;
use std::time::Duration;

use maud::Markup;

/// What an answer holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    /// A page.
    Page(String),
    /// A file of the console itself, in its medium; it may be kept for as long as its address stays.
    Asset(&'static str, &'static [u8]),
    /// A file to be saved, with its name.
    File(String, String),
    /// Where to go on.
    Elsewhere(String),
}

/// What a browser is told about its session.
#[derive(Clone, PartialEq, Eq)]
pub enum Kept {
    /// To keep this token, for so long.
    Token(String, Duration),
    /// To forget the token that it has.
    Nothing,
}

impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Token(..) => "Token(…)",
            Self::Nothing => "Nothing",
        })
    }
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Its status.
    pub status: u16,
    /// What it holds.
    pub body: Body,
    /// What becomes of the session.
    pub session: Option<Kept>,
}

impl Answer {
    pub(crate) fn page(page: Markup) -> Self {
        Self::of(200, Body::Page(page.into_string()))
    }

    /// After something was done, a page is asked for: so that asking for it again does nothing twice.
    pub(crate) const fn go_on_at(address: String) -> Self {
        Self::of(303, Body::Elsewhere(address))
    }

    pub(crate) const fn of(status: u16, body: Body) -> Self {
        Self {
            status,
            body,
            session: None,
        }
    }

    pub(crate) fn with_status(self, status: u16) -> Self {
        Self { status, ..self }
    }

    pub(crate) fn keeping(self, session: Kept) -> Self {
        Self {
            session: Some(session),
            ..self
        }
    }
}
