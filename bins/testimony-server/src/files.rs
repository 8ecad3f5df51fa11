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

/// Writes a file that only its owner can read.
pub(crate) fn write_for_owner(path: &Path, text: &str) -> Result<()> {
    let mut options = OpenOptions::new();
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
