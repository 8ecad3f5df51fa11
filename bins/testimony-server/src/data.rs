//! The folder in which everything is kept, and the memory in it.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use testimony::{OpenError, ServiceError, Testimony};
use testimony_transport::http::BindError;

/// Where a command finds the memory.
#[derive(Args, Debug, Clone)]
pub(crate) struct DataArguments {
    /// The folder of the memory; it is made where there is none.
    #[arg(long, value_name = "DIR", default_value = Self::USUAL)]
    pub(crate) data: PathBuf,
}

impl DataArguments {
    /// The folder where nobody says another.
    pub(crate) const USUAL: &str = "testimony-data";

    /// Opens the memory.
    pub(crate) fn open(&self) -> Result<Testimony, Failure> {
        Ok(Testimony::open(&self.data)?)
    }
}

/// Why a command on a memory failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The memory could not be opened.
    #[error(transparent)]
    Memory(#[from] OpenError),
    /// The service refused.
    #[error(transparent)]
    Service(#[from] ServiceError),
    /// A word of the command line cannot be what it claims.
    #[error(transparent)]
    Invalid(#[from] testimony::domain::Invalid),
    /// The server cannot listen.
    #[error(transparent)]
    Bind(#[from] BindError),
    /// The server would listen in the open without TLS.
    #[error(
        "{0} can be reached from elsewhere, and there is no TLS; name --tls-certificate and --tls-key, or say --behind-proxy where a proxy does TLS"
    )]
    Open(SocketAddr),
    /// The issuers of tokens are not as they have to be.
    #[error("the file of issuers cannot be used:\n{0}")]
    Issuers(String),
    /// Requests were cut when the server stopped.
    #[error("{connections} connections were cut because their requests did not end in time")]
    Cut {
        /// How many.
        connections: usize,
    },
    /// Something of the system failed.
    #[error("{what} could not be {doing}: {source}")]
    System {
        /// What.
        what: &'static str,
        /// What was being done with it, as a participle.
        doing: &'static str,
        /// Why it failed.
        source: std::io::Error,
    },
}

impl Failure {
    pub(crate) fn doing(
        what: &'static str,
        doing: &'static str,
    ) -> impl FnOnce(std::io::Error) -> Self {
        move |source| Self::System {
            what,
            doing,
            source,
        }
    }

    /// Says it, and gives the exit status: 2 for a wrong word, 3 for everything else.
    #[expect(clippy::print_stderr, reason = "errors of a command go to stderr")]
    pub(crate) fn tell(&self) -> ExitCode {
        eprintln!("testimony: {self}");
        match self {
            Self::Invalid(_) | Self::Issuers(_) | Self::Open(_) => ExitCode::from(2),
            Self::Memory(_)
            | Self::Service(_)
            | Self::Bind(_)
            | Self::Cut { .. }
            | Self::System { .. } => ExitCode::from(3),
        }
    }
}
