//! What holds beside the usual where somebody is spoken with over MCP: whose pages may speak, how a refusal leads to being
//! let in, and who answers.

use hyper::HeaderMap;
use hyper::header::ORIGIN;
use hyper::http::request::Parts;

use super::answer::{Outcome, Said, Shared, host};
use super::body::{Held, Unread};
use crate::mcp::discovery;
use crate::problem::{Challenge, Code, Problem};
use crate::routes::{Found, Guest, Handler};

/// How whoever asks is dealt with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manner {
    /// As usual.
    Answered,
    /// Message by message.
    Spoken,
}

impl Manner {
    /// That of a route.
    pub(super) const fn of(found: &Found) -> Self {
        match found {
            Found::Route(route, _) if matches!(route.handler, Handler::Spoken(_)) => Self::Spoken,
            Found::Route(..) | Found::OtherMethods(_) | Found::Nothing => Self::Answered,
        }
    }

    /// A page of somebody else must not speak through the browser of whoever looks at it.
    pub(super) fn admits(self, shared: &Shared, parts: &Parts) -> Result<(), Problem> {
        let mut origins = parts.headers.get_all(ORIGIN).iter();
        let allowed = origins.all(|origin| {
            let origin = origin.to_str().unwrap_or_default();
            shared.hosts.allow_origin(origin, host(parts))
        });
        if self == Self::Answered || allowed {
            return Ok(());
        }
        let detail =
            "Pages of this origin may not ask; the operator names other hosts in `allowed_hosts`.";
        Err(Problem::new(Code::OriginNotAllowed, detail))
    }

    /// A problem, with where it stands how to be let in.
    pub(super) fn challenging(self, problem: Problem, base: &str) -> Problem {
        match self {
            Self::Answered => problem,
            Self::Spoken => Problem {
                challenge: discovery::challenge(base, problem.code)
                    .map(|how| Box::new(Challenge(how))),
                ..problem
            },
        }
    }
}

/// Speaks with whoever is let in. What a message asks for is worked on off the reactor, like everything else.
pub(super) async fn speak(
    shared: &Shared,
    guest: &Guest,
    headers: &HeaderMap,
    held: Result<Option<Held>, Unread>,
) -> Outcome {
    let held = match held {
        Ok(held) => held,
        Err(Unread::Refused(problem)) => return Err(problem),
        Err(Unread::Gone) => return Ok(Said::Nobody),
    };
    let body = held.as_ref().map(|held| held.bytes.clone());
    let principal = guest.principal.clone();
    let reply = shared
        .mcp
        .answer(principal, headers, body.unwrap_or_default())
        .await;
    let media = if reply.status == 202 {
        ""
    } else {
        "application/json"
    };
    Ok(Said::Reply(reply, media))
}
