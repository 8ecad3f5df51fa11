//! `cargo xtask eval`: what the service does with labelled data that is no part of the repository.
//!
//! The sets, how each is judged and the bar that it has to clear are one table in [`sets`].
//! What is measured comes in as function values, so that this module knows no rule of admission and a test can show it
//! an entrance that is wrong.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use testimony_admission::ruling::Ruling;
use testimony_admission::submission::{Policy, Submission};
use testimony_domain::{EvidenceChannel, Redacted, SourceClass, Timestamp};

use crate::{Outcome, Task, bench, shell};

mod carried;
mod corpus;
mod embedding;
mod extraction;
mod figures;
mod reconcile;
mod routes;
mod sets;
mod speed;
mod split;
mod views;
pub mod worlds;

pub use embedding::{EmbeddingEval, embedding};
pub use extraction::extraction;
pub use reconcile::reconcile;
pub(crate) use reconcile::{is_untuned, may_be_told, signs_beside};

/// Where a set is, where the figures go, and whether a running server is asked.
#[derive(Args, Clone, Debug)]
pub struct Asked {
    /// The file or folder with the set.
    #[arg(value_name = "PATH")]
    pub data: PathBuf,
    /// Write the figures to this file too.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Ask the server at this address, such as `http://127.0.0.1:8420`, instead of a memory of its own.
    #[arg(long, value_name = "URL", requires = "key")]
    pub url: Option<String>,
    /// The key of an agent there.
    #[arg(long, value_name = "KEY")]
    pub key: Option<String>,
    /// The container there.
    #[arg(long, value_name = "TAG")]
    pub container: Option<String>,
    /// Draw claims from the memories instead of keeping each as it stands.
    #[arg(long)]
    pub extract: bool,
    /// Of worlds, tell every memory by itself, so that it meets those before it, instead of a hundred with one request.
    #[arg(long)]
    pub apart: bool,
    /// Name the questions that were not answered as they should be.
    #[arg(long)]
    pub misses: bool,
    /// A file for what speaks for every candidate of every question, one line each, to fit weights with.
    #[arg(long, value_name = "FILE", conflicts_with = "url")]
    pub evidence: Option<PathBuf>,
    /// A file for a drawing of how far scores mean what they say.
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Of worlds, ask only those that weights were tuned on (`tuned`), or only the others (`untuned`).
    #[arg(long, value_name = "HALF")]
    pub half: Option<String>,
    /// Of a long conversation, remember what was said turn by turn instead of what was observed.
    #[arg(long)]
    pub turns: bool,
    /// Have results ordered anew: by `local`, or by the name that an order has on the server at --url.
    #[arg(long, value_name = "NAME", num_args = 0..=1, default_missing_value = "local")]
    pub rerank: Option<String>,
}

/// Where labelled data is, and where the figures go.
#[derive(Args, Clone, Debug)]
pub struct Told {
    /// The file or folder with the data.
    #[arg(value_name = "PATH")]
    pub data: PathBuf,
    /// Write the figures to this file too.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// End with status 1 when a bar is missed.
    #[arg(long)]
    pub check: bool,
    /// Name what was judged otherwise than it should be.
    #[arg(long)]
    pub misses: bool,
}

impl Asked {
    /// The words that make the other program want the same.
    fn words(&self) -> Vec<String> {
        let here = std::env::current_dir().unwrap_or_default();
        let absolute = |path: &Path| here.join(path).display().to_string();
        let json = self.json.as_deref().map(absolute);
        let named = [
            ("--data", Some(absolute(&self.data))),
            ("--json", json),
            ("--evidence", self.evidence.as_deref().map(absolute)),
            ("--half", self.half.clone()),
            ("--svg", self.svg.as_deref().map(absolute)),
            ("--url", self.url.clone()),
            ("--key", self.key.clone()),
            ("--container", self.container.clone()),
            ("--rerank", self.rerank.clone()),
        ];
        let given = named.into_iter();
        let given = given.filter_map(|(name, value)| Some([name.to_owned(), value?]));
        let flags = [
            ("--apart", self.apart),
            ("--extract", self.extract),
            ("--misses", self.misses),
            ("--turns", self.turns),
        ];
        let flags = flags.into_iter().filter(|(_, on)| *on);
        let flags = flags.map(|(name, _)| name.to_owned());
        given.flatten().chain(flags).collect()
    }
}

/// Asks the questions of long conversations, by `xtask/benches/locomo/main.rs`.
///
/// # Errors
/// [`Trouble`](crate::Trouble) when cargo cannot be started.
pub fn locomo(wanted: &Asked) -> Task {
    bench::run("locomo", &wanted.words())
}

/// Asks the questions of a file in the public form of `LongMemEval`, by the same program.
///
/// # Errors
/// [`Trouble`](crate::Trouble) when cargo cannot be started.
pub fn longmemeval(wanted: &Asked) -> Task {
    let mut words = wanted.words();
    words.push("--longmemeval".to_owned());
    bench::run("locomo", &words)
}

/// Asks the questions of worlds, by `xtask/benches/worlds/main.rs`.
///
/// # Errors
/// [`Trouble`](crate::Trouble) when cargo cannot be started.
pub fn worlds(wanted: &Asked) -> Task {
    bench::run("worlds", &wanted.words())
}

/// The entrance of admission.
pub type Admit = fn(&Submission<'_>, &Policy<'_>) -> Ruling;
/// How rows that were admitted one by one come together in one block.
pub type Compose = fn(&[Redacted], &Policy<'_>) -> Redacted;

/// What is measured.
#[derive(Clone, Copy)]
pub struct Entrance {
    /// The entrance of admission.
    pub admit: Admit,
    /// How rows come together.
    pub compose: Compose,
}

/// What is to be measured, and where the figures go.
pub struct AdmissionEval<'a> {
    /// The folder with the sets.
    pub data: &'a Path,
    /// A file for the figures.
    pub json: Option<&'a Path>,
    /// Whether a missed bar is a failure.
    pub check: bool,
    /// Whether speed is measured too.
    pub bench: bool,
    /// Whether missed rows are named.
    pub misses: bool,
}

const NOBODYS_POLICY: Policy<'static> = Policy {
    exempt_rules: &[],
    allowed_fingerprints: &[],
    block_marks: &[],
    fingerprint_key: &[7; 32],
};

/// A text as a person retains it, with nothing beside it.
#[must_use]
pub fn submission(text: &str) -> Submission<'_> {
    Submission {
        text,
        channel: EvidenceChannel::Retain,
        class: SourceClass::UserStatement,
        kind: None,
        speaker: None,
        observed_at: Timestamp::constant(1_767_225_600, 0),
        fields: &[],
        extract: true,
        review_requested: false,
        user_message: None,
        handed_out: &[],
    }
}

impl Entrance {
    fn rule(self, text: &str) -> Ruling {
        (self.admit)(&submission(text), &NOBODYS_POLICY)
    }

    fn rule_as(self, text: &str, class: SourceClass) -> Ruling {
        let submission = Submission {
            class,
            ..submission(text)
        };
        (self.admit)(&submission, &NOBODYS_POLICY)
    }
}

/// Measures the whole admission, prints the figures, and writes them where wanted.
///
/// # Errors
/// [`Trouble`](crate::Trouble) when a set cannot be read or the figures cannot be written.
pub fn admission(wanted: &AdmissionEval<'_>, entrance: Entrance, out: &mut dyn Write) -> Task {
    let figures = figures::measure(wanted.data, wanted.bench, entrance)?;
    figures.print(wanted.misses, out)?;
    if let Some(path) = wanted.json {
        shell::write(path, &format!("{:#}\n", figures.to_json()))?;
    }
    Ok(Outcome::held_if(!wanted.check || figures.hold()))
}
