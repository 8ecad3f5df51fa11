//! What the status of a model means to whoever asked for it.

use std::time::Duration;

use serde_json::Value;

use super::upstream::Failure;
use crate::problem::{Code, Problem};

/// What becomes of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// It goes on as it is.
    Answer,
    /// It is the caller's fault, and goes on in the model's own words where they are OpenAI's.
    Refused(Code),
    /// There is no such model there.
    NoModel,
    /// It is asked too often.
    Busy,
    /// The service itself is not let in, which only its operator can change.
    NotLetIn,
    /// It does not answer.
    Unavailable,
}

/// Every status, by the first line that fits; what none fits is no answer.
pub(super) const MEANINGS: &[(u16, u16, Meaning)] = &[
    (200, 299, Meaning::Answer),
    (400, 400, Meaning::Refused(Code::UpstreamRefused)),
    (401, 403, Meaning::NotLetIn),
    (404, 404, Meaning::NoModel),
    (413, 413, Meaning::Refused(Code::BodyTooLarge)),
    (422, 422, Meaning::Refused(Code::InvalidRequest)),
    (429, 429, Meaning::Busy),
    (100, 599, Meaning::Unavailable),
];

pub(super) fn meaning(status: u16) -> Meaning {
    let fits = |line: &&(u16, u16, Meaning)| (line.0..=line.1).contains(&status);
    let found = MEANINGS.iter().find(fits);
    found.map_or(Meaning::Unavailable, |(_, _, meaning)| *meaning)
}

impl Meaning {
    /// The same as a problem; what goes on as it is has none.
    pub(super) fn problem(self, status: u16, retry_after: Option<Duration>) -> Option<Problem> {
        let waiting = |code, detail: String| Problem {
            wait: retry_after,
            ..Problem::new(code, detail)
        };
        Some(match self {
            Self::Answer => return None,
            Self::Refused(code) => {
                Problem::new(code, format!("The model refuses this with status {status}."))
            }
            Self::NoModel => {
                let detail = "The provider knows no such model; `GET /v1/models` lists those that are configured.";
                Problem::new(Code::ModelNotFound, detail)
            }
            Self::Busy => waiting(
                Code::UpstreamBusy,
                "The model is asked too often; wait as long as `Retry-After` says.".to_owned(),
            ),
            Self::NotLetIn => waiting(
                Code::UpstreamUnavailable,
                "The provider of the model does not let the service in; its operator has to look after that.".to_owned(),
            ),
            Self::Unavailable => waiting(
                Code::UpstreamUnavailable,
                format!("The model answered with status {status}."),
            ),
        })
    }
}

/// Whether a text is an error in the words of OpenAI.
pub(super) fn is_envelope(text: &[u8]) -> bool {
    let value: Result<Value, _> = serde_json::from_slice(text);
    value.is_ok_and(|value| value.get("error").is_some_and(Value::is_object))
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Self {
        let (code, detail, wait) = match failure {
            Failure::Busy {
                detail,
                retry_after,
            } => (Code::UpstreamBusy, detail, retry_after),
            Failure::NotAsked {
                detail,
                retry_after,
            }
            | Failure::Unavailable {
                detail,
                retry_after,
            } => (Code::UpstreamUnavailable, detail, retry_after),
        };
        Self {
            wait,
            ..Self::new(code, detail)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[rustfmt::skip]
    fn every_status_comes_to_what_callers_can_act_on() {
        let wait = Some(Duration::from_secs(7));
        for (status, told, waits) in [
            (400, 400, None), (401, 503, Some(7)), (402, 503, Some(7)), (403, 503, Some(7)), (404, 404, None),
            (408, 503, Some(7)), (413, 413, None), (418, 503, Some(7)), (422, 422, None), (429, 429, Some(7)),
            (500, 503, Some(7)), (503, 503, Some(7)), (302, 503, Some(7)), (999, 503, Some(7)),
        ] {
            let problem = meaning(status).problem(status, wait).unwrap();
            assert_eq!((problem.code.status(), problem.retry_after()), (told, waits), "{status}");
        }
        assert_eq!(meaning(200).problem(200, None), None);
    }
}
