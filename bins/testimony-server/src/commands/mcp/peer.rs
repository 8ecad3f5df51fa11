//! Who answers: a service at an address, or the memory in this process.

use std::io::ErrorKind;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use testimony::Testimony;
use testimony_transport::http::Limits;
use testimony_transport::mcp::Mcp;
use testimony_transport::routes::Body;
use tokio::sync::Semaphore;
use tokio::time::sleep;
use ureq::Agent;

use super::message::Request;
use crate::caretaker;
use crate::door::url::bearer;
use crate::failure::Failure;

/// What came back: a status, and what was said with it.
pub(super) type Answered = (u16, String);

/// Who answers.
pub(super) enum Peer {
    /// A service at an address.
    Remote(Remote),
    /// The memory in this process.
    Here(Here),
}

impl Peer {
    /// Asks; what goes wrong on the way is told in a sentence.
    pub(super) async fn ask(
        &self,
        request: &Request,
        spoken: Option<&str>,
    ) -> Result<Answered, String> {
        let headers = request.headers(spoken);
        match self {
            Self::Remote(remote) => remote.ask(&request.text, &headers).await,
            Self::Here(here) => Ok(here.ask(&request.text, &headers).await),
        }
    }
}

/// A service at an address.
pub(super) struct Remote {
    url: Arc<str>,
    bearer: HeaderValue,
    agent: Agent,
}

/// Longer than the server works on anything.
const PATIENCE: Duration = Duration::from_secs(300);
/// No answer is longer.
const MOST_BYTES: u64 = 64 << 20;
/// A server that starts again is waited for so long, in so many steps.
const STEPS: [Duration; 6] = [
    Duration::from_millis(100),
    Duration::from_millis(200),
    Duration::from_millis(400),
    Duration::from_millis(800),
    Duration::from_millis(1_500),
    Duration::from_secs(2),
];

impl Remote {
    pub(super) fn of(address: &str, key: &str) -> Result<Self, Failure> {
        let (base, bearer) = bearer(address, key)?;
        // Each message has a connection of its own, so that none goes to a server that is no longer there.
        let agent = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_idle_connections(0)
            .timeout_global(Some(PATIENCE))
            .build()
            .new_agent();
        let url = format!("{base}/mcp").into();
        Ok(Self { url, bearer, agent })
    }

    async fn ask(&self, text: &str, headers: &[(&str, String)]) -> Result<Answered, String> {
        let mut steps = STEPS.iter();
        loop {
            let failed = match self.once(text, headers).await {
                Ok(answered) => return Ok(answered),
                Err(failed) => failed,
            };
            // What never left can be sent again.
            match steps.next().filter(|_| was_not_sent(&failed)) {
                Some(step) => sleep(*step).await,
                None => return Err(self.told(&failed)),
            }
        }
    }

    async fn once(&self, text: &str, headers: &[(&str, String)]) -> Result<Answered, ureq::Error> {
        let mut request = self
            .agent
            .post(&*self.url)
            .header("authorization", self.bearer.clone())
            .header("accept", "application/json, text/event-stream")
            .header("content-type", "application/json");
        for (name, value) in headers {
            // A name that no header can hold is refused by the service, in its own words.
            if let Ok(value) = HeaderValue::try_from(value) {
                request = request.header(*name, value);
            }
        }
        let text = text.to_owned();
        let sent = tokio::task::spawn_blocking(move || {
            let mut response = request.send(text)?;
            let status = response.status().as_u16();
            let body = response.body_mut().with_config().limit(MOST_BYTES);
            Ok((status, body.read_to_string()?))
        });
        sent.await.unwrap_or(Err(ureq::Error::ConnectionFailed))
    }

    fn told(&self, failed: &ureq::Error) -> String {
        let url = &self.url;
        if was_not_sent(failed) {
            format!(
                "No server answers at {url} ({failed}); start it, or correct --url. The next call tries again."
            )
        } else {
            format!(
                "The server at {url} gave no whole answer ({failed}). A write may have been carried out: send it again with the same `request_id`."
            )
        }
    }
}

/// Whether nothing of a request can have arrived.
fn was_not_sent(failed: &ureq::Error) -> bool {
    if let ureq::Error::Io(error) = failed {
        return error.kind() == ErrorKind::ConnectionRefused;
    }
    matches!(
        failed,
        ureq::Error::ConnectionFailed | ureq::Error::HostNotFound
    )
}

/// The memory in this process.
pub(super) struct Here {
    mcp: Mcp,
    key: String,
}

impl Here {
    pub(super) fn of(memory: &Testimony, key: String) -> Self {
        let (limits, running) = (Limits::default(), caretaker::running(memory));
        let at_once = Arc::new(Semaphore::new(limits.at_once));
        let mcp = Mcp::new(memory.service().clone(), running, at_once, limits.json);
        Self { mcp, key }
    }

    async fn ask(&self, text: &str, headers: &[(&'static str, String)]) -> Answered {
        let named = headers.iter().filter_map(|(name, value)| {
            let value = HeaderValue::try_from(value).ok()?;
            Some((HeaderName::from_static(name), value))
        });
        let headers: HeaderMap = named.collect();
        let body = Bytes::from(text.to_owned());
        let reply = self.mcp.answer_to(&self.key, &headers, body).await;
        let said = match reply.body {
            Body::Json(value) => value.to_string(),
            Body::Written(bytes) => String::from_utf8(bytes).unwrap_or_default(),
            Body::Text(text) => text.into_owned(),
            Body::Html(page) => page.to_owned(),
        };
        (reply.status, said)
    }
}
