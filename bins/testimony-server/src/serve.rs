//! `testimony serve`: a memory behind HTTP, with keys to begin with.

use std::io::{IsTerminal, Write};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use testimony_transport::http::{Drained, Options, Server, TlsFiles};
use testimony_transport::routes::HealthProbe;

use crate::data::{DataArguments, Failure};
use crate::first_run::FirstKeys;
use crate::issuers;

/// The first keys, where nobody is there to read them.
const KEYS_FILE: &str = "first-keys.json";

/// How often it is looked whether the certificate changed.
const CERTIFICATE_LOOKED_AT: Duration = Duration::from_secs(30);

/// What `testimony serve` takes.
#[derive(Args, Debug)]
pub(crate) struct ServeArguments {
    #[command(flatten)]
    data: DataArguments,

    /// Where to listen.
    #[arg(long, value_name = "ADDRESS", default_value_t = SocketAddr::from((Ipv4Addr::LOCALHOST, 8420)))]
    listen: SocketAddr,

    /// The address under which callers know the service.
    #[arg(long, value_name = "URL")]
    public_url: Option<String>,

    /// A certificate in PEM; it is read again when it changes.
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_certificate: Option<PathBuf>,

    /// Its private key in PEM.
    #[arg(long, value_name = "FILE", requires = "tls_certificate")]
    tls_key: Option<PathBuf>,

    /// Issuers whose tokens (JWT) are believed, in JSON; keys lie in files beside it.
    #[arg(long, value_name = "FILE")]
    issuers: Option<PathBuf>,

    /// Listen in the open without TLS, because a proxy before this server does it.
    #[arg(long)]
    behind_proxy: bool,
}

impl Default for ServeArguments {
    fn default() -> Self {
        Self {
            data: DataArguments {
                data: PathBuf::from(DataArguments::USUAL),
            },
            listen: Options::default().listen,
            public_url: None,
            tls_certificate: None,
            tls_key: None,
            issuers: None,
            behind_proxy: false,
        }
    }
}

/// Serves until the process is asked to stop.
pub(crate) fn run(arguments: &ServeArguments, out: &mut dyn Write) -> Result<(), Failure> {
    arguments.check()?;
    let memory = arguments.data.open()?;
    if let Some(file) = &arguments.issuers {
        issuers::believe(&memory, file)?;
    }
    let keys = FirstKeys::make(memory.service())?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(Failure::doing("the server", "started"))?;
    let drained = runtime.block_on(async {
        let parts = memory.clone();
        let options = Options {
            health: Some(HealthProbe::new(move || parts.health().to_vec())),
            ..arguments.options()
        };
        let server = Server::bind(options, memory.service().clone()).await?;
        let scheme = if arguments.tls().is_some() {
            "https"
        } else {
            "http"
        };
        let url = format!("{scheme}://{}", server.address());
        greet(&url, keys.as_ref(), &arguments.data.data, out)?;
        Ok::<_, Failure>(server.serve_until(asked_to_stop()).await)
    })?;
    match drained {
        Drained::Whole => Ok(()),
        Drained::Cut { connections } => Err(Failure::Cut { connections }),
    }
}

impl ServeArguments {
    /// The open is for servers with TLS, or behind somebody who has it.
    fn check(&self) -> Result<(), Failure> {
        let safe = self.listen.ip().is_loopback() || self.tls().is_some() || self.behind_proxy;
        if safe {
            Ok(())
        } else {
            Err(Failure::Open(self.listen))
        }
    }

    fn tls(&self) -> Option<TlsFiles> {
        Some(TlsFiles {
            certificates: self.tls_certificate.clone()?,
            key: self.tls_key.clone()?,
            look_every: CERTIFICATE_LOOKED_AT,
        })
    }

    fn options(&self) -> Options {
        Options {
            listen: self.listen,
            public_url: self.public_url.clone(),
            tls: self.tls(),
            ..Options::default()
        }
    }
}

/// Says where it listens, and shows the first keys to whoever is there.
fn greet(
    url: &str,
    keys: Option<&FirstKeys>,
    data: &Path,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let mut said = format!(
        "Testimony listens at {url} and keeps its memory in {}.\n",
        data.display()
    );
    match keys {
        None => {}
        Some(keys) if std::io::stdout().is_terminal() => {
            said.push_str(&welcome(url, keys));
        }
        Some(keys) => {
            let path = data.join(KEYS_FILE);
            write_for_owner(&path, &keys.json())
                .map_err(Failure::doing("the first keys", "written"))?;
            said.push_str(&format!("The first keys are in {}.\n", path.display()));
        }
    }
    write!(out, "{said}")
        .and_then(|()| out.flush())
        .map_err(Failure::doing("the greeting", "written"))
}

fn welcome(url: &str, keys: &FirstKeys) -> String {
    format!(
        "\n  operator key  {operator}\n  agent key     {agent}\n\nThe keys are shown this once. Try:\n\n  curl -s {url}/api/v2/containers/{container}/retain \\\n    -H 'Authorization: Bearer {agent}' -H 'Content-Type: application/json' \\\n    -d '{{\"content\": \"Mara works at the observatory.\"}}'\n\n",
        operator = keys.operator,
        agent = keys.agent,
        container = keys.container,
    )
}

fn write_for_owner(path: &Path, text: &str) -> std::io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    let mut file = options.open(path)?;
    writeln!(file, "{text}")?;
    file.sync_all()
}

/// Ends when the process is asked to: by a signal to end, or from the keyboard.
async fn asked_to_stop() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut end) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = end.recv() => {}
                _ = tokio::signal::ctrl_c() => {}
            }
            return;
        }
    }
    // Without the signal there is only the keyboard; without that, whoever kills the process.
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
