//! The one place where the command reads and writes whole files.

use std::fs::{File, OpenOptions};
use std::io::{Read as _, Result, Write as _};
use std::path::Path;

/// A file as text.
pub(crate) fn text(path: &Path) -> Result<String> {
    let mut text = String::new();
    File::open(path)?.read_to_string(&mut text)?;
    Ok(text)
}

/// Copies a file into one that is not there yet, and that only its owner can read.
pub(crate) fn copy_for_owner(from: &Path, to: &Path) -> Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    for_owner(&mut options);
    let mut file = options.open(to)?;
    std::io::copy(&mut File::open(from)?, &mut file)?;
    file.sync_all()
}

#[cfg(unix)]
fn for_owner(options: &mut OpenOptions) {
    use std::os::unix::fs::OpenOptionsExt as _;
    options.mode(0o600);
}

#[cfg(not(unix))]
fn for_owner(_: &mut OpenOptions) {}

/// Writes a file that only its owner can read.
pub(crate) fn write_for_owner(path: &Path, text: &str) -> Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    for_owner(&mut options);
    let mut file = options.open(path)?;
    writeln!(file, "{text}")?;
    file.sync_all()
}
