//! `cargo xtask dist`: what is handed to people who run the service: the binary, the unit of systemd, and checksums.

use std::io::Write;
use std::path::Path;

use sha2::{Digest as _, Sha256};

use crate::{Outcome, Task, Trouble, shell};

/// Builds the release, and puts it together under `target/dist`.
///
/// # Errors
/// [`Trouble`] when cargo cannot run or a file cannot be written.
pub fn run(out: &mut dyn Write) -> Task {
    let build = [
        "build",
        "--release",
        "--locked",
        "--package",
        "testimony-server",
    ];
    if !shell::cargo_succeeds(&build)? {
        return Ok(Outcome::Failed);
    }
    let root = shell::repository_root();
    let (version, host) = (env!("CARGO_PKG_VERSION"), shell::host_platform()?);
    let folder = root.join(format!("target/dist/testimony-{version}-{host}"));
    std::fs::create_dir_all(&folder)?;
    let mut sums = String::new();
    for (from, name) in [
        ("target/release/testimony", "testimony"),
        ("dist/testimony.service", "testimony.service"),
        ("LICENSE", "LICENSE"),
        ("NOTICE", "NOTICE"),
    ] {
        std::fs::copy(root.join(from), folder.join(name))?;
        sums.push_str(&format!("{}  {name}\n", checksum(&folder.join(name))?));
    }
    shell::write(&folder.join("SHA256SUMS"), &sums)?;
    writeln!(out, "{}\n{sums}", folder.display())?;
    Ok(Outcome::Held)
}

/// The checksum of a file, as `sha256sum --check` reads it.
fn checksum(path: &Path) -> Result<String, Trouble> {
    let digest = Sha256::digest(shell::read(path)?);
    Ok(digest.iter().map(|byte| format!("{byte:02x}")).collect())
}
