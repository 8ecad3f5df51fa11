//! The line to one model: its address, its credential, and asking with patience, again where that is safe.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderName, HeaderValue};
use reqwest::{Client, Response, Url};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls::{ClientConfig, RootCertStore};
use testimony_service::ports::models::{ModelError, ModelIdentity};
use tokio::time::{Instant, sleep, timeout_at};

use crate::counts::Counts;
use crate::fault::{TOO_LONG, Trouble, refusal};
use crate::retry::{Attempt, chance, told_wait};
use crate::settings::{Patience, SettingsError, Way, address};
use crate::standing::Standing;

/// The line to a model, or to whoever else is asked like one.
pub(crate) struct Line {
    pub(crate) identity: ModelIdentity,
    /// The model as errors name it.
    pub(crate) named: String,
    pub(crate) way: Way,
    pub(crate) standing: Arc<Standing>,
    pub(crate) counts: Counts,
    client: Client,
    credential: Option<(HeaderName, HeaderValue)>,
}

impl fmt::Debug for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Line({})", self.named)
    }
}

/// A question as it is sent.
pub(crate) struct Letter {
    pub(crate) to: Url,
    pub(crate) body: Bytes,
    pub(crate) accept: &'static str,
}

impl Line {
    /// # Errors
    /// [`SettingsError`] when the settings cannot be used.
    pub(crate) fn new(
        identity: ModelIdentity,
        way: Way,
        standing: Arc<Standing>,
    ) -> Result<Self, SettingsError> {
        // Whether the address is one is said now, not when somebody asks.
        address(&way.base, "/v1", "")?;
        let credential = way.key.as_ref().map(|key| key.header(way.shown));
        Ok(Self {
            named: format!("{}/{}", identity.provider, identity.model),
            identity,
            standing,
            counts: Counts::default(),
            client: client(&way)?,
            credential: credential.transpose()?,
            way,
        })
    }

    /// The address of something of the provider.
    pub(crate) fn address(&self, usual: &str, end: &str) -> Result<Url, ModelError> {
        address(&self.way.base, usual, end).map_err(|wrong| ModelError::Unreachable {
            model: self.named.clone(),
            because: wrong.to_string(),
        })
    }

    pub(crate) const fn patience(&self) -> &Patience {
        &self.way.patience
    }

    /// Sends a question until there is an answer of any status, or there will be none.
    pub(crate) async fn ask(&self, letter: &Letter, by: Instant) -> Result<Response, ModelError> {
        self.ask_noting(letter, by, &mut false).await
    }

    /// The same, noting as soon as anybody may have got the question.
    pub(crate) async fn ask_noting(
        &self,
        letter: &Letter,
        by: Instant,
        asked: &mut bool,
    ) -> Result<Response, ModelError> {
        self.counts.question();
        let mut number = 1;
        loop {
            let tried = self.attempt(letter, by).await;
            *asked |= may_have_come(&tried);
            let (attempt, outcome) = self.told(tried, by);
            let pause = self.way.retry.pause_after(number, attempt, chance());
            let Some(pause) = pause.filter(|pause| Instant::now() + *pause < by) else {
                return self.noted(outcome);
            };
            self.counts.retry();
            tracing::debug!(model = self.named, number, "a model is asked again");
            sleep(pause).await;
            number += 1;
        }
    }

    async fn attempt(
        &self,
        letter: &Letter,
        by: Instant,
    ) -> Result<Result<Response, Trouble>, ModelError> {
        self.standing
            .admit()
            .map_err(|retry_in| ModelError::Resting {
                model: self.named.clone(),
                retry_in,
            })?;
        let mut request = self
            .client
            .post(letter.to.clone())
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, letter.accept)
            .timeout(by.saturating_duration_since(Instant::now()))
            .body(letter.body.clone());
        if let Some((header, value)) = &self.credential {
            request = request.header(header, value.clone());
        }
        Ok(match timeout_at(by, request.send()).await {
            Ok(sent) => sent.map_err(|error| Trouble::of(&error)),
            Err(_) => Err(Trouble::Late),
        })
    }

    /// What an attempt came to, and what of it matters for asking again.
    fn told(
        &self,
        tried: Result<Result<Response, Trouble>, ModelError>,
        by: Instant,
    ) -> (Attempt, Result<Response, ModelError>) {
        let trouble = match tried {
            Err(resting) => return (Attempt::Final, Err(resting)),
            Ok(Ok(response)) => {
                let (status, wait) = (response.status().as_u16(), told_wait(response.headers()));
                return (Attempt::Status(status, wait), Ok(response));
            }
            Ok(Err(trouble)) => trouble,
        };
        let attempt = match trouble {
            Trouble::NotReached(_) => Attempt::NotReached,
            Trouble::Lost(_) | Trouble::Late => Attempt::Final,
        };
        (attempt, Err(trouble.told(&self.named, self.waited(by))))
    }

    /// The end of a question, once it is noted how the provider stands.
    fn noted(&self, outcome: Result<Response, ModelError>) -> Result<Response, ModelError> {
        let wrong = match &outcome {
            Ok(response) => {
                let (status, wait) = (response.status().as_u16(), told_wait(response.headers()));
                refusal(&self.named, status, wait)
            }
            // A provider that rests was not asked, so nothing is known that was not known before.
            Err(ModelError::Resting { .. }) => return outcome.map_err(|error| self.failed(error)),
            Err(error) => Some(error.clone()),
        };
        self.standing.saw(wrong.as_ref());
        outcome.map_err(|error| self.failed(error))
    }

    /// How long a question was waited for that took too long: until its end, or as long as silence is borne.
    fn waited(&self, by: Instant) -> Duration {
        let Patience { idle, total, .. } = *self.patience();
        if Instant::now() < by { idle } else { total }
    }

    /// Counts a question without an answer.
    pub(crate) fn failed(&self, error: ModelError) -> ModelError {
        self.counts.failure();
        error
    }

    /// Reads an answer that is whole and good.
    ///
    /// # Errors
    /// [`ModelError`] when it is neither.
    pub(crate) async fn whole(
        &self,
        mut response: Response,
        most: usize,
        by: Instant,
    ) -> Result<Bytes, ModelError> {
        let (status, wait) = (response.status().as_u16(), told_wait(response.headers()));
        if let Some(refused) = refusal(&self.named, status, wait) {
            return Err(self.failed(refused));
        }
        let read = timeout_at(by, read(&mut response, most)).await;
        let read = read.unwrap_or(Err(Trouble::Late));
        read.map_err(|trouble| {
            let error = trouble.told(&self.named, self.waited(by));
            self.standing.saw(Some(&error));
            self.failed(error)
        })
    }

    /// An answer that is none, as it is told.
    pub(crate) fn unreadable(&self, because: &'static str) -> ModelError {
        let error = ModelError::Unreadable {
            model: self.named.clone(),
            because: because.to_owned(),
        };
        self.standing.saw(Some(&error));
        self.failed(error)
    }
}

/// Whether somebody may have got the question of an attempt.
const fn may_have_come(tried: &Result<Result<Response, Trouble>, ModelError>) -> bool {
    match tried {
        Err(_) | Ok(Err(Trouble::NotReached(_))) => false,
        Ok(Ok(_) | Err(Trouble::Lost(_) | Trouble::Late)) => true,
    }
}

/// Reads at most so much.
pub(crate) async fn read(response: &mut Response, most: usize) -> Result<Bytes, Trouble> {
    let mut all = BytesMut::new();
    while let Some(piece) = response
        .chunk()
        .await
        .map_err(|error| Trouble::of(&error))?
    {
        if all.len() + piece.len() > most {
            return Err(Trouble::Lost(TOO_LONG));
        }
        all.extend_from_slice(&piece);
    }
    Ok(all.freeze())
}

/// A client that goes where it is sent and nowhere else: no redirect, no proxy from the environment, no cookie.
fn client(way: &Way) -> Result<Client, SettingsError> {
    let failed = |because: String| SettingsError::Client { because };
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let tls = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| failed(error.to_string()))?
        .with_root_certificates(roots(way.certificates.as_deref())?)
        .with_no_client_auth();
    Client::builder()
        .tls_backend_preconfigured(tls)
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never())
        .no_proxy()
        .referer(false)
        .http1_only()
        .user_agent("testimony")
        .connect_timeout(way.patience.connect)
        .read_timeout(way.patience.idle)
        .tcp_nodelay(true)
        .build()
        .map_err(|error| failed(error.to_string()))
}

fn roots(certificates: Option<&[u8]>) -> Result<RootCertStore, SettingsError> {
    let mut roots = RootCertStore::from_iter(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    let Some(pem) = certificates else {
        return Ok(roots);
    };
    let mut count = 0;
    for certificate in CertificateDer::pem_slice_iter(pem) {
        let added = certificate.ok().and_then(|it| roots.add(it).ok());
        added.ok_or(SettingsError::Certificates)?;
        count += 1;
    }
    if count == 0 {
        return Err(SettingsError::Certificates);
    }
    Ok(roots)
}
