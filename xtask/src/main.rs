//! `cargo xtask`: the command line of the repository's own tasks. Everything it does stands in the library beside it.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use xtask::bench::{Wanted, WantedOfGateway, WantedOverHttp};
use xtask::distill::{Distillation, Recipe};
use xtask::eval::{AdmissionEval, EmbeddingEval};
use xtask::{
    Outcome, bench, browser, ci, clients, dist, distill, entrance, eval, fit, fuzz_http, openapi,
    proof, tidy,
};

/// The repository's own tasks.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct CommandLine {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Check everything that has to hold before a change is taken: format, tidy, clippy, tests, doc tests.
    Ci {
        /// List the stages and what each holds, and run nothing.
        #[arg(long)]
        list: bool,
        /// Run only this stage.
        #[arg(long, value_name = "STAGE")]
        only: Option<String>,
        /// Fail where a stage cannot run here, instead of leaving it out.
        #[arg(long)]
        complete: bool,
    },
    /// Check what the compiler does not: layers, purity, headers, paths in documents, lengths.
    Tidy {
        /// List the rules, and check nothing.
        #[arg(long)]
        list: bool,
        /// Write the recorded counts down where the tree has become better than they say.
        #[arg(long)]
        tighten: bool,
    },
    /// Build the release, and put it together with its checksums under target/dist.
    Dist,
    /// Write the committed descriptions of the interface anew, from the routes.
    Openapi {
        /// Only say whether they are as they should be.
        #[arg(long)]
        check: bool,
    },
    /// Ask a real server all sorts of things that its two descriptions allow and forbid, by schemathesis.
    ///
    /// The first run makes an environment for Python in target/ and needs the network for it.
    FuzzHttp {
        /// For about so long by each of them.
        #[arg(long, value_name = "SECONDS", default_value_t = 50)]
        seconds: u32,
        /// The seed of an earlier run.
        #[arg(long, value_name = "NUMBER")]
        seed: Option<u64>,
    },
    /// Talk to a real server with clients that nobody here wrote, on loopback.
    ///
    /// The first run installs them into target/ and needs the network for it.
    Clients {
        /// Run only these, by name.
        #[arg(long, value_name = "NAME")]
        only: Option<String>,
    },
    /// Drive the console in a browser, from the first run on.
    Browser,
    /// Take pictures of the console, and keep those that the documents show.
    Screenshots,
    /// Do everything to a real server that faults and attackers do, and fail on any loss or leak.
    Proof(proof::WantedProof),
    /// Make the table of the static embedder from a sentence model and free text.
    Distill(Distil),
    /// Learn the tables of how texts and pairs of claims are worded anew from the labelled ones in fixtures/.
    Fit,
    /// Measure a part of the service against labelled data.
    Eval {
        #[command(subcommand)]
        part: Part,
    },
    /// Measure how fast a part of the service is, beside floors that are measured in the same run.
    Bench {
        #[command(subcommand)]
        part: Bench,
    },
}

#[derive(Subcommand)]
enum Bench {
    /// Ledger, index and embedder, on seeded synthetic memories.
    Storage(Wanted),
    /// The server as it is shipped, over loopback.
    Http(WantedOverHttp),
    /// The gateway of the server as it is shipped, before a model with a script.
    Gateway(WantedOfGateway),
}

/// What the table is made of.
#[derive(Args)]
struct Distil {
    /// The folder of the sentence model.
    #[arg(long, value_name = "FOLDER")]
    model: PathBuf,
    /// Files with texts: the data files of `WordNet`, or a text a line.
    #[arg(long, value_name = "FILES", num_args = 1.., required = true)]
    text: Vec<PathBuf>,
    /// Where the table goes.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// A folder that keeps what the model said, for a second run.
    #[arg(long, value_name = "FOLDER")]
    cache: Option<PathBuf>,
    /// The name of the embedder.
    #[arg(long, default_value = "static-all-minilm-l6-v2")]
    name: String,
    /// How much a token holds on to what it means alone.
    #[arg(long, default_value_t = 1.0)]
    lambda: f32,
    /// How many steps the solver takes.
    #[arg(long, default_value_t = 40)]
    steps: usize,
    /// How many dimensions the table has.
    #[arg(long, default_value_t = 256)]
    dimensions: usize,
}

/// Which labelled texts go through admission, and where the figures go.
#[derive(Args)]
struct Admission {
    /// The folder that holds `secrets/`, `benign/` and `injection/`.
    #[arg(long, value_name = "FOLDER")]
    data: PathBuf,
    /// Write the figures to this file too.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// End with status 1 when a bar is missed.
    #[arg(long)]
    check: bool,
    /// Measure throughput and latency as well; only a release build gives figures to quote.
    #[arg(long)]
    bench: bool,
    /// Name the rows that were missed, by line and rule, never by their text.
    #[arg(long)]
    misses: bool,
}

/// Which conversations are asked of which vectors, and where the figures go.
#[derive(Args)]
struct Embedding {
    /// The folder that holds the conversations.
    #[arg(long, value_name = "FOLDER")]
    data: PathBuf,
    /// Measure this table instead of the one in the binary.
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// Measure the sentence model in this folder too.
    #[arg(long, value_name = "FOLDER")]
    model: Option<PathBuf>,
    /// Write the figures to this file too.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// End with status 1 when the bar is missed.
    #[arg(long)]
    check: bool,
}

#[derive(Subcommand)]
enum Part {
    /// Secrets, ordinary text and injections through the whole admission.
    Admission(Admission),
    /// How well the whole service finds the evidence of questions about long conversations, and knows when there is none.
    Locomo(eval::Asked),
    /// The same for a file in the public form of `LongMemEval`, which people bring.
    Longmemeval(eval::Asked),
    /// How claims are judged beside what is known, on labelled pairs.
    Reconcile(eval::Told),
    /// How much of what was observed in long conversations the claims drawn from their turns cover.
    Extraction(eval::Told),
    /// How well the whole service answers questions of every kind about small worlds.
    Worlds(eval::Asked),
    /// How well vectors alone find the evidence of questions about long conversations.
    Embedding(Embedding),
}

fn main() -> ExitCode {
    let out = &mut std::io::stdout().lock();
    let outcome = match CommandLine::parse().task {
        Task::Ci { list: true, .. } => ci::list(out),
        Task::Ci { only, complete, .. } => ci::run(only.as_deref(), complete, out),
        Task::Tidy { list: true, .. } => tidy::list(out),
        Task::Tidy { tighten, .. } => tidy::run(tighten, out),
        Task::Dist => dist::run(out),
        Task::Openapi { check } => openapi::run(check),
        Task::FuzzHttp { seconds, seed } => fuzz_http::run(seconds, seed, out),
        Task::Clients { only } => clients::run(only.as_deref(), true, out),
        Task::Browser => browser::drive(true, out),
        Task::Screenshots => browser::screenshots(out),
        Task::Proof(wanted) => proof::run(&wanted),
        Task::Distill(wanted) => distill::run(&wanted.into(), out),
        Task::Fit => fit::run(out),
        Task::Eval { part } => measure(part, out),
        Task::Bench { part } => match part {
            Bench::Storage(wanted) => bench::storage(&wanted),
            Bench::Http(wanted) => bench::http(&wanted),
            Bench::Gateway(wanted) => bench::gateway(&wanted),
        },
    };
    match outcome {
        Ok(Outcome::Held) => ExitCode::SUCCESS,
        Ok(Outcome::Failed) => ExitCode::FAILURE,
        Err(trouble) => {
            xtask::say_on_stderr(&trouble);
            ExitCode::from(2)
        }
    }
}

impl From<Distil> for Distillation {
    fn from(wanted: Distil) -> Self {
        Self {
            model: wanted.model,
            name: wanted.name,
            texts: wanted.text,
            out: wanted.out,
            cache: wanted.cache,
            recipe: Recipe {
                lambda: wanted.lambda,
                steps: wanted.steps,
                dimensions: wanted.dimensions,
            },
        }
    }
}

fn measure(part: Part, out: &mut dyn std::io::Write) -> xtask::Task {
    match part {
        Part::Admission(wanted) => wanted.measure(out),
        Part::Embedding(wanted) => wanted.measure(out),
        Part::Locomo(wanted) => eval::locomo(&wanted),
        Part::Longmemeval(wanted) => eval::longmemeval(&wanted),
        Part::Reconcile(wanted) => eval::reconcile(&wanted, out),
        Part::Extraction(wanted) => eval::extraction(&wanted, entrance::ENTRANCE, out),
        Part::Worlds(wanted) => eval::worlds(&wanted),
    }
}

impl Admission {
    fn measure(&self, out: &mut dyn std::io::Write) -> xtask::Task {
        let wanted = AdmissionEval {
            data: &self.data,
            json: self.json.as_deref(),
            check: self.check,
            bench: self.bench,
            misses: self.misses,
        };
        eval::admission(&wanted, entrance::ENTRANCE, out)
    }
}

impl Embedding {
    fn measure(&self, out: &mut dyn std::io::Write) -> xtask::Task {
        let wanted = EmbeddingEval {
            data: &self.data,
            table: self.table.as_deref(),
            model: self.model.as_deref(),
            json: self.json.as_deref(),
            check: self.check,
        };
        eval::embedding(&wanted, out)
    }
}
