//! Through the socket of a server that runs on the folder.

use std::io::ErrorKind;
use std::os::unix::net::UnixStream as Probe;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::Request;
use hyper::client::conn::http1;
use hyper::header::{CONTENT_TYPE, HOST};
use hyper_util::rt::TokioIo;
use testimony_transport::http::{ADMIN_SOCKET, check_socket_path};
use tokio::net::UnixStream;

use super::{Answer, Ask};
use crate::failure::Failure;

/// A server's socket.
pub(crate) struct Socket {
    path: PathBuf,
}

/// Why a server that is there did not answer.
type Broken = Box<dyn std::error::Error + Send + Sync>;

impl Socket {
    /// The socket in a folder, if somebody listens there.
    pub(super) fn of(data: &Path) -> Result<Option<Self>, Failure> {
        let path = data.join(ADMIN_SOCKET);
        if check_socket_path(&path).is_err() {
            // No server can listen there either.
            return Ok(None);
        }
        match Probe::connect(&path) {
            Ok(_) => Ok(Some(Self { path })),
            Err(error) if error.kind() == ErrorKind::PermissionDenied => {
                Err(Failure::NotYours(path))
            }
            // Nobody listens, or nobody listens any more: the folder decides.
            Err(_) => Ok(None),
        }
    }

    pub(super) fn ask(&self, ask: &Ask) -> Result<Answer, Failure> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .build()
            .map_err(Failure::doing("the way to the server", "opened"))?;
        let said = runtime.block_on(self.exchange(ask));
        let from = self.path.display().to_string();
        let (status, bytes) = said.map_err(|error| Failure::NoAnswer {
            from: from.clone(),
            what: error.to_string(),
        })?;
        Answer::read(status, &bytes, &from)
    }

    async fn exchange(&self, ask: &Ask) -> Result<(u16, Bytes), Broken> {
        let stream = UnixStream::connect(&self.path).await?;
        let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
        // It ends with the sender; what goes wrong with it, the request tells.
        let connection = tokio::spawn(connection);
        let request = Request::builder()
            .method(ask.method)
            .uri(ask.target())
            .header(HOST, "localhost")
            .header(CONTENT_TYPE, "application/json")
            .body(Full::new(Bytes::from(ask.body().unwrap_or_default())))?;
        let response = sender.send_request(request).await?;
        let status = response.status().as_u16();
        let bytes = response.into_body().collect().await?.to_bytes();
        drop(sender);
        connection.await??;
        Ok((status, bytes))
    }
}
