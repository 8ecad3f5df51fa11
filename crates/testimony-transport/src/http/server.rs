//! Listening, and stopping without dropping what runs.

use std::future::Future;
use std::net::{IpAddr, SocketAddr};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use testimony_service::Service;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::answer::Shared;
use super::body;
use super::connection;
use super::cookies::Cookies;
use super::hosts::{Hosts, NoUrl};
use super::options::Options;
use super::request_id::RequestIds;
#[cfg(feature = "tls")]
use super::tls::{Tls, TlsError};
use crate::routes::HealthProbe;

/// Why a server does not listen.
#[derive(Debug, thiserror::Error)]
pub enum BindError {
    /// The address cannot be had.
    #[error("cannot listen at {at}: {source}; choose another address, or stop who listens there")]
    Address {
        /// Where.
        at: SocketAddr,
        /// Why not.
        source: std::io::Error,
    },
    /// The public address is none.
    #[error(transparent)]
    Url(#[from] NoUrl),
    /// Certificate or key cannot be used.
    #[cfg(feature = "tls")]
    #[error(transparent)]
    Tls(#[from] TlsError),
}

/// How a server stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drained {
    /// Every request that ran was answered.
    Whole,
    /// Time ran out over some; so many connections were cut.
    Cut {
        /// How many.
        connections: usize,
    },
}

/// A server that listens.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    shared: Arc<Shared>,
    connections: Arc<Semaphore>,
    #[cfg(feature = "tls")]
    tls: Option<Arc<Tls>>,
}

impl Server {
    /// Listens. Requests are served from [`Server::serve_until`] on; what comes before waits.
    ///
    /// # Errors
    /// [`BindError`] when it cannot.
    pub async fn bind(options: Options, service: Arc<Service>) -> Result<Self, BindError> {
        let at = options.listen;
        let no_address = |source| BindError::Address { at, source };
        let listener = TcpListener::bind(at).await.map_err(no_address)?;
        let address = listener.local_addr().map_err(no_address)?;
        let hosts = Hosts::of(
            address,
            options.public_url.as_deref(),
            &options.allowed_hosts,
        )?;
        let limits = options.limits;
        #[cfg(feature = "tls")]
        let speaks_tls = options.tls.is_some();
        #[cfg(not(feature = "tls"))]
        let speaks_tls = false;
        let base = base(address, options.public_url.as_deref(), speaks_tls);
        Ok(Self {
            listener,
            address,
            shared: Arc::new(Shared {
                health: options.health.unwrap_or_else(|| HealthProbe::of(&service)),
                service,
                limits,
                hosts,
                cookies: Cookies::of(&base),
                base: base.into(),
                bodies: body::room(&limits),
                at_once: Arc::new(Semaphore::new(limits.at_once)),
                ids: RequestIds::default(),
            }),
            connections: Arc::new(Semaphore::new(limits.connections)),
            #[cfg(feature = "tls")]
            tls: match options.tls {
                Some(files) => Some(Arc::new(Tls::open(files)?)),
                None => None,
            },
        })
    }

    /// Where it listens.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its certificate, for whoever wants to have it read anew at once.
    #[cfg(feature = "tls")]
    #[must_use]
    pub const fn tls(&self) -> Option<&Arc<Tls>> {
        self.tls.as_ref()
    }

    /// Serves until `shutdown` ends; then accepts nothing more, and waits for what runs.
    pub async fn serve_until(self, shutdown: impl Future<Output = ()>) -> Drained {
        let graceful = GracefulShutdown::new();
        let mut tasks = JoinSet::new();
        // Ends with this function.
        #[cfg(feature = "tls")]
        let mut followers = JoinSet::new();
        #[cfg(feature = "tls")]
        if let Some(tls) = &self.tls {
            followers.spawn(Arc::clone(tls).follow_files());
        }
        let mut shutdown = pin!(shutdown);
        loop {
            let (permit, (stream, from)) = tokio::select! {
                biased;
                () = &mut shutdown => break,
                accepted = self.accept() => accepted,
            };
            while tasks.try_join_next().is_some() {}
            let serving = self.serve(stream, from.ip(), graceful.watcher());
            tasks.spawn(async move {
                serving.await;
                drop(permit);
            });
        }
        let limit = self.shared.limits.drain_time;
        drop(self);
        let watched = graceful.count();
        tracing::info!(connections = watched, "stopping");
        if timeout(limit, graceful.shutdown()).await.is_ok() {
            return Drained::Whole;
        }
        // What is left is cut when `tasks` is dropped.
        while tasks.try_join_next().is_some() {}
        Drained::Cut {
            connections: tasks.len(),
        }
    }

    /// The next connection, once there is room for it.
    async fn accept(&self) -> (OwnedSemaphorePermit, (TcpStream, SocketAddr)) {
        /// What keeps a connection from being accepted, such as too many open files, does not pass at once.
        const BREATH: Duration = Duration::from_millis(50);
        loop {
            let Ok(permit) = Arc::clone(&self.connections).acquire_owned().await else {
                // The semaphore is never closed.
                return std::future::pending().await;
            };
            match self.listener.accept().await {
                Ok(accepted) => return (permit, accepted),
                Err(error) => {
                    tracing::warn!(cause = %error, "a connection could not be accepted");
                    drop(permit);
                    sleep(BREATH).await;
                }
            }
        }
    }

    fn serve(
        &self,
        stream: TcpStream,
        from: IpAddr,
        watcher: Watcher,
    ) -> impl Future<Output = ()> + Send + use<> {
        // Answers are written whole, so waiting for more to send only costs time.
        let _ = stream.set_nodelay(true);
        let shared = Arc::clone(&self.shared);
        #[cfg(feature = "tls")]
        let tls = self.tls.clone();
        async move {
            #[cfg(feature = "tls")]
            if let Some(tls) = tls {
                match timeout(shared.limits.header_time, tls.accept(stream)).await {
                    Ok(Ok(stream)) => connection::serve(stream, from, shared, watcher).await,
                    Ok(Err(error)) => tracing::debug!(cause = %error, "a handshake failed"),
                    Err(_) => tracing::debug!("a handshake took too long"),
                }
                return;
            }
            connection::serve(stream, from, shared, watcher).await;
        }
    }
}

/// The address under which callers know the service, without a slash at its end.
fn base(listens_at: SocketAddr, public_url: Option<&str>, speaks_tls: bool) -> String {
    let scheme = if speaks_tls { "https" } else { "http" };
    public_url.map_or_else(
        || format!("{scheme}://{listens_at}"),
        |url| url.trim_end_matches('/').to_owned(),
    )
}
