//! The folder in which everything is kept, and the memory in it.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use testimony::{OpenError, ServiceError, Testimony};

/// Where a command finds the memory.
#[derive(Args, Debug, Clone)]
pub(crate) struct DataArguments {
    /// The folder of the memory; it is made where there is none.
    #[arg(long, value_name = "DIR", default_value = "testimony-data")]
    pub(crate) data: PathBuf,
}

impl DataArguments {
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
    Open(#[from] OpenError),
    /// The service refused.
    #[error(transparent)]
    Service(#[from] ServiceError),
    /// A word of the command line cannot be what it claims.
    #[error(transparent)]
    Invalid(#[from] testimony::domain::Invalid),
    /// The answer could not be written.
    #[error("{what} could not be written: {source}")]
    Unwritten {
        /// What.
        what: String,
        /// Why.
        source: std::io::Error,
    },
}

impl Failure {
    pub(crate) fn writing(what: &str) -> impl FnOnce(std::io::Error) -> Self + '_ {
        move |source| Self::Unwritten {
            what: what.to_owned(),
            source,
        }
    }

    /// Says it, and gives the exit status: 2 for a wrong word, 3 for everything else.
    #[expect(clippy::print_stderr, reason = "errors of a command go to stderr")]
    pub(crate) fn tell(&self) -> ExitCode {
        eprintln!("testimony: {self}");
        match self {
            Self::Invalid(_) => ExitCode::from(2),
            Self::Open(_) | Self::Service(_) | Self::Unwritten { .. } => ExitCode::from(3),
        }
    }
}
