//! Why there is no answer, in words that hold nothing of what was sent: from the errors of the client to those of the
//! service.

use std::error::Error;
use std::io::ErrorKind;
use std::time::Duration;

use testimony_service::ports::models::ModelError;

const REFUSED: &str = "nobody listens at its address";
const NO_NAME: &str = "its name leads to no address";
const NO_CONNECTION: &str = "no connection could be made";
const NOT_SAFE: &str = "no safe connection could be made; see whether its certificate is in order";
const BROKEN_OFF: &str = "the connection broke off";
/// Why an answer was left that grew too long.
pub(crate) const TOO_LONG: &str = "its answer is longer than any that is read";

/// What went wrong on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// Nobody was reached; nothing was asked.
    NotReached(&'static str),
    /// It was asked, and the answer broke off or never came.
    Lost(&'static str),
    /// It took too long.
    Late,
}

impl Trouble {
    /// What an error of the client means.
    pub(crate) fn of(error: &reqwest::Error) -> Self {
        if error.is_connect() {
            return Self::NotReached(no_connection(error));
        }
        if error.is_timeout() {
            return Self::Late;
        }
        Self::Lost(BROKEN_OFF)
    }

    /// The same, as the service is told.
    pub(crate) fn told(self, model: &str, after: Duration) -> ModelError {
        let model = model.to_owned();
        match self {
            Self::Late => ModelError::TooSlow { model, after },
            Self::NotReached(because) | Self::Lost(because) => ModelError::Unreachable {
                model,
                because: because.to_owned(),
            },
        }
    }
}

/// Only what somebody would act on differently has words of its own.
fn no_connection(error: &reqwest::Error) -> &'static str {
    let mut cause: Option<&dyn Error> = error.source();
    while let Some(held) = cause {
        if held.downcast_ref::<rustls::Error>().is_some() {
            return NOT_SAFE;
        }
        if let Some(io) = held.downcast_ref::<std::io::Error>() {
            if io.kind() == ErrorKind::ConnectionRefused {
                return REFUSED;
            }
            let inner = io.get_ref();
            if inner.is_some_and(<dyn Error + Send + Sync>::is::<rustls::Error>) {
                return NOT_SAFE;
            }
        }
        // The client has no type for it, and says so in these words.
        if held.to_string().starts_with("dns error") {
            return NO_NAME;
        }
        cause = held.source();
    }
    NO_CONNECTION
}

/// What an operator should look at when a model refuses.
const REMEDIES: &[(u16, &str)] = &[
    (
        400,
        "it does not take the question; see whether the model supports what is asked of it",
    ),
    (
        401,
        "it does not take the key; see the key that is configured for it",
    ),
    (402, "the account with the provider has no means left"),
    (403, "the key that is configured may not use this model"),
    (
        404,
        "there is no such model or address there; see `model` and `url`",
    ),
    (413, "the question is longer than it takes"),
    (
        422,
        "it does not take the question; see whether the model supports what is asked of it",
    ),
];

/// What a status without an answer means; `None` where the status is an answer.
pub(crate) fn refusal(
    model: &str,
    status: u16,
    retry_after: Option<Duration>,
) -> Option<ModelError> {
    let model = model.to_owned();
    match status {
        200..300 => None,
        429 => Some(ModelError::Busy { model, retry_after }),
        500.. => Some(ModelError::Unreachable {
            model,
            because: format!("it answers with status {status}"),
        }),
        _ => {
            let known = REMEDIES.iter().find(|(known, _)| *known == status);
            let because = known.map_or("its answer is none that is known", |(_, told)| told);
            Some(ModelError::Refused {
                model,
                status,
                because: because.to_owned(),
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_become_what_can_be_acted_on() {
        assert_eq!(refusal("a/b", 200, None), None);
        let busy = refusal("a/b", 429, Some(Duration::from_secs(3)));
        assert!(matches!(
            busy,
            Some(ModelError::Busy {
                retry_after: Some(_),
                ..
            })
        ));
        let key = refusal("a/b", 401, None).unwrap().to_string();
        assert!(key.contains("key") && key.contains("a/b"), "{key}");
        assert!(matches!(
            refusal("a/b", 503, None),
            Some(ModelError::Unreachable { .. })
        ));
        assert!(matches!(
            refusal("a/b", 302, None),
            Some(ModelError::Refused { .. })
        ));
    }
}
