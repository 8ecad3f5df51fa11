//! The shell: it listens, limits, checks in one order, and drains.
//!
//! The order of a request: host, route, credential, container and capability, size and kind of the body, JSON, fields,
//! use case. No body is read before it is known who asks, and none is parsed before it is known that it may be sent.

#[cfg(unix)]
mod admin_socket;
mod answer;
mod body;
mod connection;
mod cookies;
mod hosts;
mod metrics;
mod options;
mod pages;
mod patience;
mod pulse;
mod rate;
mod relay;
mod request_id;
mod server;
mod spoken;
#[cfg(feature = "tls")]
mod tls;
mod written;

#[cfg(unix)]
pub use admin_socket::{ADMIN_SOCKET, LONGEST_SOCKET_PATH, SocketError, check_socket_path};
pub use hosts::{Hosts, NoUrl};
pub use options::{Limits, Options};
pub use server::{BindError, Drained, Server};
#[cfg(feature = "tls")]
pub use tls::{Tls, TlsError, TlsFiles};
