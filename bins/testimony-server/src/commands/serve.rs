//! `testimony serve`: a memory behind HTTP, with keys to begin with.

use std::io::IsTerminal;
use std::path::Path;
use std::time::Duration;

use clap::Args;
use testimony::providers::{ModelSettings, Models};
use testimony::upkeep::Retention;
use testimony::{Dependency, Testimony};
#[cfg(unix)]
use testimony_transport::http::ADMIN_SOCKET;
use testimony_transport::http::{Drained, Options, Server};
use testimony_transport::metrics::{Gauge, Measured};
use testimony_transport::routes::HealthProbe;

use crate::banks;
use crate::caretaker::Keeper;
use crate::embedders;
use crate::failure::{Done, Failure};
use crate::files::write_for_owner;
use crate::first_run::FirstKeys;
use crate::issuers;
use crate::log;
use crate::models;
use crate::settings::{BankOf, EmbedderOf, Given, Serving, Settings, of_process};
use crate::shell::Shell;

/// The first keys, where nobody is there to read them.
const KEYS_FILE: &str = "first-keys.json";
/// The way into the console, where nobody is there to read it.
const LINK_FILE: &str = "console-link.txt";

/// What a machine may be behind without a word.
const CLOCK_BEHIND: Duration = Duration::from_mins(1);

const EXAMPLES: &str = "\
Examples:
  testimony serve
  testimony serve --data /var/lib/testimony --listen 127.0.0.1:8420 \\
      --public-url https://memory.example.com
  testimony serve --print-config";

/// Serve a memory over HTTP; without a command, this is what happens.
///
/// A folder without a memory gets one, with a key for the operator, a container `workspace` and a key for an agent:
/// shown once on a terminal, else written to a file that only its owner can read.
///
/// Every setting can come from a flag, from a variable, or from a file; the first that says something counts.
#[derive(Args, Debug, Default)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ServeArguments {
    #[command(flatten)]
    pub(crate) serving: Given<Serving>,

    /// Show what holds and where it came from, as the file of settings would have it, and serve nothing.
    #[arg(long)]
    print_config: bool,
}

/// Serves until the process is asked to stop.
pub(crate) fn run(arguments: &ServeArguments, shell: &mut Shell<'_>) -> Result<Done, Failure> {
    shell.needs_the_folder("serve")?;
    let options = options(&shell.settings)?;
    let retention = shell.settings.retention()?;
    let models = shell.settings.models(&of_process)?;
    let banks = shell.settings.banks(&of_process)?;
    let embedders = shell.settings.embedders(&of_process)?;
    let (filter, format) = (shell.settings.log()?, shell.settings.log_format()?);
    if arguments.print_config {
        let (told, json) = (shell.settings.told(), shell.settings.json());
        shell.write(&if shell.json {
            format!("{json}\n")
        } else {
            told
        })?;
        return Ok(Done::Yes);
    }
    log::begin(filter, format);
    let data = shell.settings.data();
    let memory = opened(&embedders, retention, &data)?;
    if let Some(file) = shell.settings.find("issuers") {
        issuers::believe(&memory, Path::new(file))?;
    }
    let drained = serve(&memory, (options, models, banks), &data, shell)?;
    match drained {
        Drained::Whole => {
            tracing::info!("stopped; every request was answered");
            Ok(Done::Yes)
        }
        Drained::Cut { connections } => {
            tracing::warn!(connections, "stopped; connections were cut");
            Err(Failure::Cut { connections })
        }
    }
}

/// Opens the memory, and says what of it is worth a look.
fn opened(
    embedders: &[EmbedderOf],
    retention: Retention,
    data: &Path,
) -> Result<Testimony, Failure> {
    let embedders = embedders::open(embedders)?;
    let builder = embedders::at_hand(&embedders).retention(retention);
    let memory = builder.open(data).map_err(|error| locked(error, data))?;
    warn_of_the_clock(&memory);
    embedders::tell(&memory, &embedders);
    Ok(memory)
}

/// A clock that was ahead, or is wrong now, is worth a look: what ends by itself goes by the later time.
fn warn_of_the_clock(memory: &Testimony) {
    let behind = memory.clock_is_behind();
    if behind > CLOCK_BEHIND {
        tracing::warn!(
            seconds = behind.as_secs(),
            "the clock of this machine is behind the latest moment that this memory has seen; time goes on from there"
        );
    }
}

fn locked(error: testimony::OpenError, data: &Path) -> Failure {
    if error.is_locked() {
        Failure::Served(data.to_owned())
    } else {
        error.into()
    }
}

fn serve(
    memory: &Testimony,
    (options, models, banks): (Options, Vec<ModelSettings>, Vec<BankOf>),
    data: &Path,
    shell: &mut Shell<'_>,
) -> Result<Drained, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(Failure::doing("the server", "started"))?;
    let scheme = scheme(&options);
    let models = models::open(runtime.handle(), models)?;
    models::connect(memory, &models, &shell.settings)?;
    let banks = banks::connect(memory, runtime.handle(), banks)?;
    runtime.block_on(async {
        let options = Options {
            health: Some(health(memory, &models)),
            caretaker: Some(Keeper::serving(memory, data, shell.settings.json())),
            gauge: Some(measured(memory, &models, banks)),
            gateway: models::gateway(&models),
            ..options
        };
        let server = Server::bind(options, memory.service().clone()).await?;
        // Keys that nobody could be shown would be lost, so what can go wrong comes first.
        let keys = FirstKeys::make(memory.service())?;
        let stop = AskedToStop::listen()?;
        let url = format!("{scheme}://{}", server.address());
        tracing::info!(
            version = env!("CARGO_PKG_VERSION"),
            url,
            metrics = server.metrics_address().map(tracing::field::display),
            data = %data.display(),
            "listening"
        );
        let entrance = Entrance::of(&url, memory, shell)?;
        greet(&url, (keys.as_ref(), &entrance), data, shell)?;
        Ok::<_, Failure>(server.serve_until(stop.asked()).await)
    })
}

/// What stands before the address at which it listens.
const fn scheme(options: &Options) -> &'static str {
    if options.tls.is_some() {
        "https"
    } else {
        "http"
    }
}

/// How each part is, the models with the others.
fn health(memory: &Testimony, models: &Models) -> HealthProbe {
    let (parts, models) = (memory.clone(), models.clone());
    HealthProbe::new(move || {
        let mut all = parts.health();
        if !models.is_empty() {
            all.push((Dependency::Models, models.health()));
        }
        all
    })
}

/// What only the store, the models and the memory banks know.
fn measured(memory: &Testimony, models: &Models, banks: banks::Asked) -> Gauge {
    let (memory, models) = (memory.clone(), models.clone());
    Gauge::new(move || {
        let of_models = models::measured(&models);
        [writer(&memory), of_models, banks::measured(&banks)].concat()
    })
}

/// What the writer of the ledger does.
fn writer(memory: &Testimony) -> Vec<Measured> {
    let stats = memory.store().stats();
    let measured = |name, help, grows, value| Measured {
        name,
        help,
        grows,
        value,
    };
    vec![
        measured(
            "testimony_ledger_waiting",
            "Writes that wait for the writer of the ledger.",
            false,
            stats.waiting,
        ),
        measured(
            "testimony_ledger_commits_total",
            "Transactions that were committed.",
            true,
            stats.commits,
        ),
        measured(
            "testimony_ledger_writes_total",
            "Writes that were acknowledged as durable.",
            true,
            stats.acknowledged,
        ),
        measured(
            "testimony_ledger_checkpoints_total",
            "How often the write-ahead log was emptied into the database.",
            true,
            stats.checkpoints,
        ),
    ]
}

/// How it listens, as far as the settings let it: the open is for servers with TLS, or behind somebody who has it.
fn options(settings: &Settings) -> Result<Options, Failure> {
    let (listen, tls) = (settings.listen()?, settings.tls()?);
    let safe = listen.ip().is_loopback() || tls.is_some() || settings.is_on("behind_proxy")?;
    if !safe {
        return Err(Failure::Open(listen));
    }
    Ok(Options {
        listen,
        behind_proxy: settings.is_on("behind_proxy")?,
        public_url: settings.find("public_url").map(str::to_owned),
        allowed_hosts: settings.allowed_hosts()?,
        limits: settings.limits()?,
        tls,
        #[cfg(unix)]
        admin_socket: settings
            .is_on("admin_socket")?
            .then(|| settings.data().join(ADMIN_SOCKET)),
        metrics_listen: settings.metrics_listen()?,
        ..Options::default()
    })
}

/// The way into the console: its address, and while nobody is named the link with which the first person is.
struct Entrance {
    address: String,
    link: Option<String>,
}

impl Entrance {
    fn of(url: &str, memory: &Testimony, shell: &Shell<'_>) -> Result<Self, Failure> {
        let public = shell.settings.find("public_url");
        let address = public
            .map_or(url, |url| url.trim_end_matches('/'))
            .to_owned();
        let token = memory.service().first_token()?;
        let link = token.map(|token| format!("{address}/welcome?token={token}"));
        Ok(Self { address, link })
    }

    /// Shows the link to whoever is there, or says where it is.
    fn told(&self, data: &Path) -> Result<String, Failure> {
        let Self { address, link } = self;
        match link {
            None => Ok(format!("The console is at {address}/.\n")),
            Some(link) if std::io::stdout().is_terminal() => Ok(format!(
                "The console waits for its first person, once, at\n\n  {link}\n\n"
            )),
            Some(link) => {
                let path = data.join(LINK_FILE);
                write_for_owner(&path, &format!("{link}\n"))
                    .map_err(Failure::doing("the way into the console", "written"))?;
                Ok(format!(
                    "The way into the console is in {}.\n",
                    path.display()
                ))
            }
        }
    }
}

/// Says where it listens, and shows the first keys to whoever is there.
fn greet(
    url: &str,
    (keys, entrance): (Option<&FirstKeys>, &Entrance),
    data: &Path,
    shell: &mut Shell<'_>,
) -> Result<(), Failure> {
    let mut said = format!(
        "Testimony listens at {url} and keeps its memory in {}.\n",
        data.display()
    );
    match keys {
        None => {}
        Some(keys) if std::io::stdout().is_terminal() => {
            let named = shell.settings.is_said("data").then_some(data);
            said.push_str(&welcome(url, keys, named));
        }
        Some(keys) => {
            let path = data.join(KEYS_FILE);
            write_for_owner(&path, &keys.json().to_string())
                .map_err(Failure::doing("the first keys", "written"))?;
            said.push_str(&format!("The first keys are in {}.\n", path.display()));
        }
    }
    said.push_str(&entrance.told(data)?);
    shell.write(&said)
}

fn welcome(url: &str, keys: &FirstKeys, named: Option<&Path>) -> String {
    let folder = named.map(|data| format!(" --data '{}'", data.display()));
    let folder = folder.unwrap_or_default();
    format!(
        "\n  operator key  {operator}\n  agent key     {agent}\n\nThe keys are shown this once. Try:\n\n  curl -s {url}/api/v2/containers/{container}/retain \\\n    -H 'Authorization: Bearer {agent}' -H 'Content-Type: application/json' \\\n    -d '{{\"content\": \"Mara works at the observatory.\"}}'\n\nor, in another terminal here:\n\n  testimony recall{folder} 'Where does Mara work?'\n\n",
        operator = keys.operator,
        agent = keys.agent,
        container = keys.container,
    )
}

/// How the process is asked to stop: by a signal to end, or from the keyboard.
///
/// It is heard from the moment at which this is made, so that nobody who reads the greeting can ask too early.
struct AskedToStop {
    #[cfg(unix)]
    end: tokio::signal::unix::Signal,
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
}

impl AskedToStop {
    #[cfg(unix)]
    fn listen() -> Result<Self, Failure> {
        use tokio::signal::unix::{SignalKind, signal};
        let heard = |kind| signal(kind).map_err(Failure::doing("signals to stop", "heard"));
        Ok(Self {
            end: heard(SignalKind::terminate())?,
            interrupt: heard(SignalKind::interrupt())?,
        })
    }

    #[cfg(unix)]
    async fn asked(mut self) {
        let by = tokio::select! {
            _ = self.end.recv() => "SIGTERM",
            _ = self.interrupt.recv() => "SIGINT",
        };
        tracing::info!(by, "asked to stop");
    }

    #[cfg(not(unix))]
    fn listen() -> Result<Self, Failure> {
        Ok(Self {})
    }

    #[cfg(not(unix))]
    async fn asked(self) {
        // Without the keyboard there is only whoever kills the process.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
