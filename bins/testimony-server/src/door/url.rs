//! Over the network, with a key.

use std::time::Duration;

use ureq::Agent;
use ureq::http::Request;
use ureq::http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderValue};

use super::{Answer, Ask};
use crate::failure::Failure;

/// Longer than the server works on anything.
const PATIENCE: Duration = Duration::from_secs(300);
/// No answer is longer.
const MOST_BYTES: u64 = 256 << 20;

/// A service at an address.
pub(crate) struct Url {
    base: String,
    bearer: HeaderValue,
    agent: Agent,
}

/// An address without a slash at its end, and a key as it is sent there.
pub(crate) fn bearer(address: &str, key: &str) -> Result<(String, HeaderValue), Failure> {
    let known = ["http://", "https://"];
    if !known.iter().any(|scheme| address.starts_with(scheme)) {
        return Err(Failure::Usage(
            "`--url` is no address of a service; write it like https://memory.example.com"
                .to_owned(),
        ));
    }
    let bearer = HeaderValue::try_from(format!("Bearer {key}"));
    let mut bearer = bearer
        .map_err(|_| Failure::Usage("the key holds what no key holds; copy it again".to_owned()))?;
    bearer.set_sensitive(true);
    Ok((address.trim_end_matches('/').to_owned(), bearer))
}

impl Url {
    pub(super) fn of(address: &str, key: Option<&str>) -> Result<Self, Failure> {
        let no_key = "a service at an address needs a key; put one into TESTIMONY_KEY, an operator's for commands on keys, containers and reviews";
        let key = key.ok_or_else(|| Failure::Usage(no_key.to_owned()))?;
        let (base, bearer) = bearer(address, key)?;
        let agent = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .timeout_global(Some(PATIENCE))
            .build()
            .new_agent();
        Ok(Self {
            base,
            bearer,
            agent,
        })
    }

    pub(super) fn ask(&self, ask: &Ask) -> Result<Answer, Failure> {
        let failed = |error: ureq::Error| Failure::NoAnswer {
            from: self.base.clone(),
            what: error.to_string(),
        };
        let request = Request::builder()
            .method(ask.method)
            .uri(format!("{}{}", self.base, ask.target()))
            .header(AUTHORIZATION, self.bearer.clone())
            .header(ACCEPT, "application/json");
        let response = match ask.body() {
            Some(body) => {
                let request = request.header(CONTENT_TYPE, "application/json").body(body);
                self.agent
                    .run(request.map_err(|error| failed(error.into()))?)
            }
            None => {
                let request = request.body(());
                self.agent
                    .run(request.map_err(|error| failed(error.into()))?)
            }
        };
        let mut response = response.map_err(failed)?;
        let status = response.status().as_u16();
        let bytes = response
            .body_mut()
            .with_config()
            .limit(MOST_BYTES)
            .read_to_vec();
        Answer::read(status, &bytes.map_err(failed)?, &self.base)
    }
}
