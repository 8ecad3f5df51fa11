//! TLS from files that can change while the server runs: a renewed certificate holds from the next handshake on.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, SystemTime};

use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::{ClientHello, ResolvesServerCert};
use tokio_rustls::rustls::sign::CertifiedKey;
use tokio_rustls::rustls::{self, ServerConfig};
use tokio_rustls::server::TlsStream;

/// The files of a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TlsFiles {
    /// The certificate with those above it, in PEM.
    pub certificates: PathBuf,
    /// Its private key, in PEM.
    pub key: PathBuf,
    /// How often the files are looked at.
    pub look_every: Duration,
}

/// Why a certificate cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file cannot be read, or holds nothing of the kind.
    #[error("{} holds no {what} that can be read; check that it is PEM and readable by the service", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What it should hold.
        what: &'static str,
    },
    /// Certificate and key do not go together, or the key is of an unknown kind.
    #[error("certificate and key cannot be used: {0}; check that they belong together")]
    Unusable(#[from] rustls::Error),
}

/// What tells that a file changed.
type Look = [Option<(SystemTime, u64)>; 2];

/// A certificate that can change.
pub struct Tls {
    files: TlsFiles,
    seen: Mutex<Look>,
    current: Arc<Current>,
    acceptor: TlsAcceptor,
}

struct Current(RwLock<Arc<CertifiedKey>>);

impl fmt::Debug for Current {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Current(…)")
    }
}

impl ResolvesServerCert for Current {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        let current = self.0.read().unwrap_or_else(PoisonError::into_inner);
        Some(Arc::clone(&current))
    }
}

impl Tls {
    /// Reads the files.
    ///
    /// # Errors
    /// [`TlsError`] when they cannot be used.
    pub fn open(files: TlsFiles) -> Result<Self, TlsError> {
        let seen = look(&files);
        let current = Arc::new(Current(RwLock::new(Arc::new(read(&files)?))));
        let mut config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_cert_resolver(Arc::clone(&current) as Arc<dyn ResolvesServerCert>);
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Ok(Self {
            files,
            seen: Mutex::new(seen),
            current,
            acceptor: TlsAcceptor::from(Arc::new(config)),
        })
    }

    /// Reads the files anew; the next handshake gets what they hold.
    ///
    /// # Errors
    /// [`TlsError`] when they cannot be used; what held before holds on.
    pub fn reload(&self) -> Result<(), TlsError> {
        let key = Arc::new(read(&self.files)?);
        *self
            .current
            .0
            .write()
            .unwrap_or_else(PoisonError::into_inner) = key;
        Ok(())
    }

    /// Reads the files anew when they changed since they were looked at last.
    fn reload_if_changed(&self) {
        let now = look(&self.files);
        {
            let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
            if *seen == now {
                return;
            }
            *seen = now;
        }
        match self.reload() {
            Ok(()) => tracing::info!("the certificate was read anew"),
            Err(error) => tracing::error!(cause = %error, "the old certificate holds on"),
        }
    }

    /// Follows the files for as long as it is polled.
    pub(super) async fn follow_files(self: Arc<Self>) {
        loop {
            tokio::time::sleep(self.files.look_every).await;
            let tls = Arc::clone(&self);
            let looked = tokio::task::spawn_blocking(move || tls.reload_if_changed()).await;
            if looked.is_err() {
                tracing::error!("looking at the certificate failed");
            }
        }
    }

    pub(super) async fn accept(&self, stream: TcpStream) -> std::io::Result<TlsStream<TcpStream>> {
        self.acceptor.accept(stream).await
    }
}

fn look(files: &TlsFiles) -> Look {
    [&files.certificates, &files.key].map(|path| {
        let kept = std::fs::metadata(path).ok()?;
        Some((kept.modified().ok()?, kept.len()))
    })
}

fn read(files: &TlsFiles) -> Result<CertifiedKey, TlsError> {
    let nothing = |path: &Path, what| TlsError::File {
        path: path.to_owned(),
        what,
    };
    let certificates: Result<Vec<_>, _> =
        CertificateDer::pem_file_iter(&files.certificates).and_then(Iterator::collect);
    let certificates = certificates
        .ok()
        .filter(|all| !all.is_empty())
        .ok_or_else(|| nothing(&files.certificates, "certificate"))?;
    let key =
        PrivateKeyDer::from_pem_file(&files.key).map_err(|_| nothing(&files.key, "private key"))?;
    Ok(CertifiedKey::from_der(
        certificates,
        key,
        &default_provider(),
    )?)
}
