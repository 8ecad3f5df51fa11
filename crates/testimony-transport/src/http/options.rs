//! How the server listens, and what it takes.

use std::net::{Ipv4Addr, SocketAddr};
#[cfg(unix)]
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

#[cfg(feature = "tls")]
use super::tls::TlsFiles;
use crate::caretaker::Caretaker;
use crate::metrics::Gauge;
use crate::routes::{Gateway, HealthProbe};
use crate::wire::json::Measure;

/// How the server listens.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where.
    pub listen: SocketAddr,
    /// Whether a proxy stands before it that speaks TLS with callers and tells their addresses in `X-Forwarded-For`.
    pub behind_proxy: bool,
    /// The address under which callers know the service; its host is served.
    pub public_url: Option<String>,
    /// Other hosts that are served. Loopback names and the address it listens at always are; listening everywhere with
    /// neither this nor `public_url`, every host is.
    pub allowed_hosts: Vec<String>,
    /// What it takes.
    pub limits: Limits,
    /// How its parts are asked whether they are well; without it only ledger and index are.
    pub health: Option<HealthProbe>,
    /// What else can be measured, beside what the server and the service know.
    pub gauge: Option<Gauge>,
    /// Who looks after what the service is kept in; without one nobody does.
    pub caretaker: Option<Arc<dyn Caretaker>>,
    /// Where the gateway leads; without models, nowhere.
    pub gateway: Gateway,
    /// Where what is counted is told to anybody; without it, only operators are told, on the one listener.
    pub metrics_listen: Option<SocketAddr>,
    /// Certificate and key; without them it speaks plain HTTP.
    #[cfg(feature = "tls")]
    pub tls: Option<TlsFiles>,
    /// Where a socket listens beside the address. Whoever may open it is the host: its requests need no credential.
    #[cfg(unix)]
    pub admin_socket: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 8_420)),
            behind_proxy: false,
            public_url: None,
            allowed_hosts: Vec::new(),
            limits: Limits::default(),
            health: None,
            gauge: None,
            caretaker: None,
            gateway: Gateway::default(),
            metrics_listen: None,
            #[cfg(feature = "tls")]
            tls: None,
            #[cfg(unix)]
            admin_socket: None,
        }
    }
}

/// What the server takes. Everything has an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How many connections at a time; one more waits to be accepted.
    pub connections: usize,
    /// How many streams a connection of HTTP/2 has at a time.
    pub streams: u32,
    /// How many headers a request has.
    pub headers: usize,
    /// How many bytes the head of a request has; at least 8 KiB.
    pub header_bytes: usize,
    /// How many bytes a body has.
    pub body_bytes: usize,
    /// How many bytes of bodies are held at a time, all together.
    pub bodies_bytes: usize,
    /// How much JSON a body holds.
    pub json: Measure,
    /// How many requests are worked on at a time; one more is asked to come again.
    pub at_once: usize,
    /// How much of `at_once`, and of `relays`, one credential has at most, in percent.
    pub share: u8,
    /// How long the head of a request, or a handshake, may take; a connection between requests is closed after it too.
    pub header_time: Duration,
    /// How long a body may take.
    pub body_time: Duration,
    /// How long a caller may take nothing of its answer.
    pub write_time: Duration,
    /// How long a connection of HTTP/2 may ask nothing while nothing it asked for is under way, whatever else it says.
    pub idle_time: Duration,
    /// How long a request may take in all.
    pub request_time: Duration,
    /// How many answers of models are passed on at a time; one more is asked to come again.
    pub relays: usize,
    /// How long it may take until an answer of a model begins.
    pub relay_time: Duration,
    /// How long requests that run are waited for when the server stops.
    pub drain_time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        const KIBIBYTE: usize = 1 << 10;
        const MEBIBYTE: usize = 1 << 20;
        Self {
            connections: 1_024,
            streams: 128,
            headers: 64,
            header_bytes: 32 * KIBIBYTE,
            // A batch of a hundred items of fifty thousand characters of four bytes each fits.
            body_bytes: 24 * MEBIBYTE,
            bodies_bytes: 256 * MEBIBYTE,
            json: Measure {
                depth: 32,
                values: 200_000,
            },
            at_once: 256,
            share: 50,
            header_time: Duration::from_secs(15),
            body_time: Duration::from_secs(30),
            write_time: Duration::from_secs(30),
            idle_time: Duration::from_mins(1),
            request_time: Duration::from_mins(2),
            relays: 512,
            relay_time: Duration::from_mins(15),
            drain_time: Duration::from_secs(8),
        }
    }
}
