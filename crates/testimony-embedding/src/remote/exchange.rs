//! One request and its answer over HTTP.

use std::io::{ErrorKind, Read};
use std::time::Duration;

use ureq::http::header::{AUTHORIZATION, CONTENT_TYPE, RETRY_AFTER};
use ureq::http::{HeaderValue, Uri};
use ureq::{Agent, Error};

use super::settings::{RemoteSettings, SettingsError};

/// What came back.
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) retry_after: Option<String>,
    /// The answer where the status is good; what comes with another status is not read, since it may repeat a text or a
    /// credential.
    pub(super) body: Vec<u8>,
}

/// The way to a server.
pub(super) struct Exchange {
    agent: Agent,
    uri: Uri,
    bearer: Option<HeaderValue>,
}

impl Exchange {
    pub(super) fn new(uri: Uri, settings: &RemoteSettings) -> Result<Self, SettingsError> {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            // A redirect would take texts to a place that nobody has configured, and so would a proxy from the environment.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .proxy(None)
            .user_agent("testimony")
            .build();
        let bearer = settings.key.as_ref().map(|key| {
            let mut value = HeaderValue::from_str(&key.bearer()).map_err(|_| SettingsError::Key)?;
            value.set_sensitive(true);
            Ok(value)
        });
        Ok(Self {
            agent: config.new_agent(),
            uri,
            bearer: bearer.transpose()?,
        })
    }

    /// Sends a body, and reads at most so much of the answer, for at most so long.
    ///
    /// # Errors
    /// Why there is no answer, in words that hold nothing of what was sent.
    pub(super) fn post(
        &self,
        body: &[u8],
        longest_answer: u64,
        timeout: Duration,
    ) -> Result<Reply, &'static str> {
        let request = self.agent.post(&self.uri).config();
        let request = request.timeout_global(Some(timeout)).build();
        let mut request = request.header(CONTENT_TYPE, "application/json");
        if let Some(bearer) = &self.bearer {
            request = request.header(AUTHORIZATION, bearer);
        }
        let mut response = request.send(body).map_err(|error| told(&error))?;
        let status = response.status().as_u16();
        let retry_after = response.headers().get(RETRY_AFTER);
        let retry_after = retry_after
            .and_then(|value| value.to_str().ok())
            .map(str::to_owned);
        let body = if response.status().is_success() {
            read(&mut response, longest_answer)?
        } else {
            Vec::new()
        };
        Ok(Reply {
            status,
            retry_after,
            body,
        })
    }
}

fn read(
    response: &mut ureq::http::Response<ureq::Body>,
    most: u64,
) -> Result<Vec<u8>, &'static str> {
    const TOO_LONG: &str = "its answer is longer than any answer to this question can be";
    let mut body = Vec::new();
    let mut reader = response.body_mut().as_reader().take(most.saturating_add(1));
    reader
        .read_to_end(&mut body)
        .map_err(|error| broken_off(&error))?;
    let fits = u64::try_from(body.len()).is_ok_and(|length| length <= most);
    fits.then_some(body).ok_or(TOO_LONG)
}

const TIMED_OUT: &str = "there was no answer in time";
const BROKEN_OFF: &str = "the connection broke off";

fn broken_off(error: &std::io::Error) -> &'static str {
    let inner = error
        .get_ref()
        .and_then(|inner| inner.downcast_ref::<Error>());
    match inner {
        Some(Error::Io(_)) | None => io(error.kind()),
        Some(inner) => told(inner),
    }
}

fn io(kind: ErrorKind) -> &'static str {
    // Only what somebody would act on differently has words of its own.
    if kind == ErrorKind::ConnectionRefused {
        "nobody listens at its address"
    } else if matches!(kind, ErrorKind::TimedOut | ErrorKind::WouldBlock) {
        TIMED_OUT
    } else {
        BROKEN_OFF
    }
}

fn told(error: &Error) -> &'static str {
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the errors of the client are open, and the words for the rest are the general ones"
    )]
    match error {
        Error::Timeout(_) => TIMED_OUT,
        Error::HostNotFound => "its name leads to no address",
        Error::ConnectionFailed => "no connection could be made",
        Error::Tls(_) | Error::Rustls(_) => {
            "no safe connection could be made; see whether its certificate is in order"
        }
        Error::Io(error) => io(error.kind()),
        _ => BROKEN_OFF,
    }
}
