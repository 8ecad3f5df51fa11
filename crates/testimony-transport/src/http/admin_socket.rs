//! The socket for commands at the machine: whoever may open it is its host.
//!
//! It lies in the data folder, and its file is for its owner alone. Who connects is looked at again, because a file has
//! the rights that it was made with for a moment before it has its own.

use std::fs;
use std::io;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _, PermissionsExt as _};
use std::os::unix::net::UnixStream as Caller;
use std::path::{Path, PathBuf};

use tokio::net::{UnixListener, UnixStream};

/// The name of the socket in a data folder.
pub const ADMIN_SOCKET: &str = "admin.sock";

/// The path of a socket has room for so many bytes on the systems that have the least.
pub const LONGEST_SOCKET_PATH: usize = 103;

/// Why there is no socket.
#[derive(Debug, thiserror::Error)]
pub enum SocketError {
    /// The system has no room for such a path.
    #[error(
        "the path of the admin socket, {}, has {length} bytes, and a socket may have {LONGEST_SOCKET_PATH}; name the \
         data folder by a shorter path, such as a relative one or a symbolic link, or serve without the socket",
        path.display()
    )]
    TooLong {
        /// The path.
        path: PathBuf,
        /// How long it is.
        length: usize,
    },
    /// Something else lies there.
    #[error("{} is no socket; move it away, the admin socket belongs there", path.display())]
    Other {
        /// Where.
        path: PathBuf,
    },
    /// Somebody listens there already.
    #[error("another server listens at {}; stop it first", path.display())]
    Taken {
        /// Where.
        path: PathBuf,
    },
    /// The system refused.
    #[error("the admin socket {} could not be {doing}: {source}", path.display())]
    System {
        /// Where.
        path: PathBuf,
        /// What was being done, as a participle.
        doing: &'static str,
        /// Why it failed.
        source: io::Error,
    },
}

/// Checks that a socket can have this path.
///
/// # Errors
/// [`SocketError::TooLong`] when it cannot.
pub fn check_socket_path(path: &Path) -> Result<(), SocketError> {
    let length = path.as_os_str().len();
    if length > LONGEST_SOCKET_PATH {
        let path = path.to_owned();
        return Err(SocketError::TooLong { path, length });
    }
    Ok(())
}

/// A socket that listens; its file goes with it.
pub(super) struct AdminSocket {
    listener: UnixListener,
    path: PathBuf,
    owner: u32,
}

impl AdminSocket {
    /// Listens at a path. A socket that a server left there when it was killed is replaced.
    pub(super) fn bind(path: &Path) -> Result<Self, SocketError> {
        let failed = |doing| {
            let path = path.to_owned();
            move |source| SocketError::System {
                path,
                doing,
                source,
            }
        };
        check_socket_path(path)?;
        clear_stale(path)?;
        let listener = UnixListener::bind(path).map_err(failed("made"))?;
        let owners = fs::Permissions::from_mode(0o600);
        fs::set_permissions(path, owners).map_err(failed("kept for its owner"))?;
        let made = fs::metadata(path).map_err(failed("looked at"))?;
        Ok(Self {
            listener,
            path: path.to_owned(),
            owner: made.uid(),
        })
    }

    /// The next connection of somebody who may come in: the owner of the socket, or the system's own administrator.
    pub(super) async fn accept(&self) -> io::Result<UnixStream> {
        loop {
            let (stream, _) = self.listener.accept().await?;
            let peer = stream.peer_cred()?.uid();
            if peer == self.owner || peer == 0 {
                return Ok(stream);
            }
            tracing::warn!(uid = peer, "somebody else came to the admin socket");
        }
    }
}

impl Drop for AdminSocket {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_file(&self.path) {
            tracing::warn!(cause = %error, "the admin socket could not be removed; the next start replaces it");
        }
    }
}

/// Removes a socket at which nobody listens any more.
fn clear_stale(path: &Path) -> Result<(), SocketError> {
    let there = match fs::symlink_metadata(path) {
        Ok(there) => there,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(source) => {
            let (path, doing) = (path.to_owned(), "looked at");
            return Err(SocketError::System {
                path,
                doing,
                source,
            });
        }
    };
    let path = path.to_owned();
    if !there.file_type().is_socket() {
        return Err(SocketError::Other { path });
    }
    if Caller::connect(&path).is_ok() {
        return Err(SocketError::Taken { path });
    }
    fs::remove_file(&path).map_err(|source| SocketError::System {
        path,
        doing: "replaced",
        source,
    })
}
