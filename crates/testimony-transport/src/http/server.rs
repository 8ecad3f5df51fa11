//! Listening, and stopping without dropping what runs.

use std::future::Future;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
#[cfg(unix)]
use std::path::Path;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use testimony_service::Service;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

#[cfg(unix)]
use super::admin_socket::{AdminSocket, SocketError};
use super::answer::{Asker, Shared};
use super::body;
use super::connection;
use super::cookies::Cookies;
use super::hosts::{Hosts, NoUrl};
use super::metrics;
use super::options::Options;
use super::request_id::RequestIds;
#[cfg(feature = "tls")]
use super::tls::{Tls, TlsError};
use crate::mcp::Mcp;
use crate::routes::Running;
use crate::share::Shares;

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
    /// The admin socket cannot be had.
    #[cfg(unix)]
    #[error(transparent)]
    Socket(#[from] SocketError),
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
    /// Where what is counted is told to anybody.
    watched: Option<(TcpListener, SocketAddr)>,
    shared: Arc<Shared>,
    connections: Arc<Semaphore>,
    #[cfg(feature = "tls")]
    tls: Option<Arc<Tls>>,
    #[cfg(unix)]
    host: Option<HostEntrance>,
}

/// Where the host comes in, beside everybody else.
#[cfg(unix)]
struct HostEntrance {
    socket: AdminSocket,
    shared: Arc<Shared>,
    connections: Arc<Semaphore>,
}

#[cfg(unix)]
impl HostEntrance {
    fn open(path: &Path, shared: &Shared) -> Result<Self, BindError> {
        Ok(Self {
            socket: AdminSocket::bind(path)?,
            shared: Arc::new(shared.for_host(COMMANDS_AT_ONCE)),
            connections: Arc::new(Semaphore::new(COMMANDS_AT_ONCE)),
        })
    }
}

/// So many commands at the machine are answered at a time, however much else is going on.
#[cfg(unix)]
const COMMANDS_AT_ONCE: usize = 16;

async fn listen(at: SocketAddr) -> Result<(TcpListener, SocketAddr), BindError> {
    let no_address = |source| BindError::Address { at, source };
    let listener = TcpListener::bind(at).await.map_err(no_address)?;
    let address = listener.local_addr().map_err(no_address)?;
    Ok((listener, address))
}

impl Server {
    /// Listens. Requests are served from [`Server::serve_until`] on; what comes before waits.
    ///
    /// # Errors
    /// [`BindError`] when it cannot.
    pub async fn bind(options: Options, service: Arc<Service>) -> Result<Self, BindError> {
        let (listener, address) = listen(options.listen).await?;
        let watched = match options.metrics_listen {
            Some(at) => Some(listen(at).await?),
            None => None,
        };
        let shared = Arc::new(shared(address, &options, service)?);
        Ok(Self {
            listener,
            address,
            watched,
            #[cfg(unix)]
            host: match &options.admin_socket {
                Some(path) => Some(HostEntrance::open(path, &shared)?),
                None => None,
            },
            connections: Arc::new(Semaphore::new(shared.limits.connections)),
            shared,
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

    /// Where what is counted is told to anybody.
    #[must_use]
    pub fn metrics_address(&self) -> Option<SocketAddr> {
        self.watched.as_ref().map(|(_, address)| *address)
    }

    /// Its certificate, for whoever wants to have it read anew at once.
    #[cfg(feature = "tls")]
    #[must_use]
    pub const fn tls(&self) -> Option<&Arc<Tls>> {
        self.tls.as_ref()
    }

    /// Serves until `shutdown` ends; then accepts nothing more, and waits for what runs.
    pub async fn serve_until(mut self, shutdown: impl Future<Output = ()>) -> Drained {
        let graceful = GracefulShutdown::new();
        let mut tasks = JoinSet::new();
        // They end with this function.
        let _followers = self.followers();
        let mut shutdown = pin!(shutdown);
        loop {
            tokio::select! {
                biased;
                () = &mut shutdown => break,
                (permit, (stream, from)) = self.accept() => {
                    let serving = self.serve(stream, from.ip(), graceful.watcher());
                    tasks.spawn(async move {
                        serving.await;
                        drop(permit);
                    });
                }
                serving = self.command(graceful.watcher()) => {
                    tasks.spawn(serving);
                }
            }
            while tasks.try_join_next().is_some() {}
        }
        let limit = self.shared.limits.drain_time;
        // Nobody comes in any more, at no door.
        drop(self);
        drained(graceful, tasks, limit).await
    }

    /// What runs beside the requests.
    fn followers(&mut self) -> JoinSet<()> {
        let mut followers = JoinSet::new();
        if let Some((listener, _)) = self.watched.take() {
            let (service, running) = (&self.shared.service, &self.shared.running);
            followers.spawn(metrics::serve(
                listener,
                Arc::clone(service),
                running.clone(),
            ));
        }
        #[cfg(feature = "tls")]
        if let Some(tls) = &self.tls {
            followers.spawn(Arc::clone(tls).follow_files());
        }
        followers
    }

    /// The next connection, once there is room for it.
    async fn accept(&self) -> (OwnedSemaphorePermit, (TcpStream, SocketAddr)) {
        next(&self.connections, || self.listener.accept()).await
    }

    /// The next command of the host, as it is served.
    #[cfg(unix)]
    async fn command(&self, watcher: Watcher) -> impl Future<Output = ()> + Send + use<> {
        let Some(host) = &self.host else {
            return std::future::pending().await;
        };
        let (permit, stream) = host.accept().await;
        let shared = Arc::clone(&host.shared);
        async move {
            let from = IpAddr::V4(Ipv4Addr::LOCALHOST);
            connection::serve(stream, from, shared, watcher).await;
            drop(permit);
        }
    }

    /// Without sockets, no command of the host ever comes.
    #[cfg(not(unix))]
    async fn command(&self, _watcher: Watcher) -> std::future::Pending<()> {
        std::future::pending().await
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

#[cfg(unix)]
impl HostEntrance {
    async fn accept(&self) -> (OwnedSemaphorePermit, tokio::net::UnixStream) {
        next(&self.connections, || self.socket.accept()).await
    }
}

/// Waits for what runs, and cuts what does not end in time.
async fn drained(graceful: GracefulShutdown, mut tasks: JoinSet<()>, limit: Duration) -> Drained {
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

/// The next connection of a listener, once there is room for it.
async fn next<S, A>(room: &Arc<Semaphore>, accept: impl Fn() -> A) -> (OwnedSemaphorePermit, S)
where
    A: Future<Output = std::io::Result<S>>,
{
    /// What keeps a connection from being accepted, such as too many open files, does not pass at once.
    const BREATH: Duration = Duration::from_millis(50);
    loop {
        let Ok(permit) = Arc::clone(room).acquire_owned().await else {
            // The semaphore is never closed.
            return std::future::pending().await;
        };
        match accept().await {
            Ok(stream) => return (permit, stream),
            Err(error) => {
                tracing::warn!(cause = %error, "a connection could not be accepted");
                drop(permit);
                sleep(BREATH).await;
            }
        }
    }
}

/// What all requests share.
fn shared(
    address: SocketAddr,
    options: &Options,
    service: Arc<Service>,
) -> Result<Shared, BindError> {
    let public = options.public_url.as_deref();
    let hosts = Hosts::of(address, public, &options.allowed_hosts)?;
    let base = base(address, public, speaks_tls(options));
    let limits = options.limits;
    let running = running(options, &service);
    let at_once = Arc::new(Semaphore::new(limits.at_once));
    Ok(Shared {
        mcp: Arc::new(Mcp::new(
            Arc::clone(&service),
            running.clone(),
            Arc::clone(&at_once),
            limits.json,
        )),
        running,
        service,
        limits,
        hosts,
        cookies: Cookies::of(&base, options.behind_proxy),
        behind_proxy: options.behind_proxy,
        base: base.into(),
        bodies: body::room(&limits),
        at_once,
        shares: Shares::of(limits.at_once, limits.share),
        relays: Arc::new(Semaphore::new(limits.relays)),
        relay_shares: Shares::of(limits.relays, limits.share),
        ids: RequestIds::default(),
        asker: Asker::Bearer,
    })
}

#[cfg(feature = "tls")]
const fn speaks_tls(options: &Options) -> bool {
    options.tls.is_some()
}

#[cfg(not(feature = "tls"))]
const fn speaks_tls(_: &Options) -> bool {
    false
}

/// What the server has beside the use cases.
fn running(options: &Options, service: &Arc<Service>) -> Running {
    Running::of(
        options.health.clone(),
        options.gauge.clone(),
        options.caretaker.clone(),
        service,
    )
    .leading_to(options.gateway.clone())
}

/// The address under which callers know the service, without a slash at its end.
fn base(listens_at: SocketAddr, public_url: Option<&str>, speaks_tls: bool) -> String {
    let scheme = if speaks_tls { "https" } else { "http" };
    public_url.map_or_else(
        || format!("{scheme}://{listens_at}"),
        |url| url.trim_end_matches('/').to_owned(),
    )
}
