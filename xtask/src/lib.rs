//! The repository's own tasks: one command that checks everything, the rules that the compiler does not know, and the
//! measurements that stand behind the figures in the documents.
//!
//! This crate ships nothing to anybody: no other crate may depend on it, and it holds no decision of the service.
//! It alone, of all that is built here, reads files of the repository and the clock; [`shell`] is where.

use std::io;

pub mod bench;
pub mod browser;
pub mod ci;
pub mod clients;
pub mod dist;
pub mod distill;
pub mod entrance;
pub mod eval;
pub mod fit;
pub mod fuzz_http;
pub mod openapi;
pub mod proof;
mod served;
mod shell;
pub mod tidy;
mod tree;

pub use shell::say_on_stderr;

/// What a task comes to: it held or it failed; an error means that it could not be carried out.
pub type Task = Result<Outcome, Trouble>;

/// Whether what was checked holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Everything holds.
    Held,
    /// Something does not, and was said.
    Failed,
}

impl Outcome {
    const fn held_if(holds: bool) -> Self {
        if holds { Self::Held } else { Self::Failed }
    }
}

/// Why a task could not be carried out.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    /// A file could not be read or written.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: String,
        /// What the system said.
        source: io::Error,
    },
    /// A file does not hold what it should.
    #[error("{place}: {what}")]
    Malformed {
        /// The file, and the line where there is one.
        place: String,
        /// What is wrong.
        what: String,
    },
    /// A program could not be started.
    #[error("`{name}` could not run: {what}")]
    Program {
        /// The program.
        name: String,
        /// What the system or the program said.
        what: String,
    },
    /// There is no stage of this name.
    #[error("there is no stage `{name}`; `cargo xtask ci --list` names them")]
    NoSuchStage {
        /// The name.
        name: String,
    },
    /// The sentence model cannot be used.
    #[error(transparent)]
    Model(#[from] testimony_embedding::transformer::ModelError),
    /// A table of an embedder cannot be used or made.
    #[error(transparent)]
    Table(#[from] testimony_embedding::TableError),
    /// The reader in the binary is damaged.
    #[error(transparent)]
    Reader(#[from] testimony_embedding::reading::ReaderError),
    /// An embedder failed.
    #[error(transparent)]
    Embed(#[from] testimony_embedding::EmbedError),
    /// The terminal or file that the report goes to refused it.
    #[error("the report could not be written: {0}")]
    Report(#[from] io::Error),
}

/// The examples of the README, compiled and run as doc tests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct ReadmeExamples;
