//! Who may look into the folder of a ledger: its owner, and nobody else.
//!
//! What is made is made so. A folder from before, or one that somebody else made, is tightened when it is opened, where
//! it is our own; the files of the index lie in a folder of their own in it, which is closed as a whole.

use std::fs::OpenOptions;
use std::io;
use std::path::Path;

/// How a file is opened that is for its owner alone, should it have to be made.
pub(crate) fn for_owner() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    options
}

/// Makes a folder for its owner alone, and closes one that is there to others.
pub(crate) fn make_folder(folder: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt as _;
        builder.mode(0o700);
    }
    builder.create(folder)?;
    #[cfg(unix)]
    close_to_others(folder);
    Ok(())
}

/// Closes a folder and the files of a ledger in it to others. What cannot be closed is used all the same, and said.
#[cfg(unix)]
fn close_to_others(folder: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    let closed = std::fs::metadata(folder).and_then(|found| {
        let mode = found.permissions().mode();
        // A folder that everybody may put files into, such as the one for temporary files, is nobody's own.
        if mode & OTHERS == 0 || mode & STICKY != 0 || !is_ours(folder, &found)? {
            return Ok(mode & OTHERS == 0);
        }
        std::fs::set_permissions(folder, std::fs::Permissions::from_mode(mode & !OTHERS))?;
        tracing::warn!(folder = %folder.display(), "others could look into this folder; it is closed to them now");
        Ok(true)
    });
    match closed {
        Ok(true) => {}
        Ok(false) => {
            tracing::warn!(folder = %folder.display(), "others may look into this folder, and it is not ours to close");
        }
        Err(error) => {
            tracing::warn!(folder = %folder.display(), %error, "the folder could not be closed to others");
        }
    }
    if let Err(error) = close_files(folder) {
        tracing::warn!(folder = %folder.display(), %error, "files of the ledger could not be closed to others");
    }
}

#[cfg(unix)]
const OTHERS: u32 = 0o077;
#[cfg(unix)]
const STICKY: u32 = 0o1000;

/// How the files of a ledger, and what is kept beside them, begin.
#[cfg(unix)]
const OURS: &[&str] = &["ledger.", "erasures.", "service."];

#[cfg(unix)]
fn close_files(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let found = entry.metadata()?;
        let mode = found.permissions().mode();
        let is_ledgers = OURS.iter().any(|beginning| name.starts_with(beginning));
        if is_ledgers && found.is_file() && mode & OTHERS != 0 {
            std::fs::set_permissions(
                entry.path(),
                std::fs::Permissions::from_mode(mode & !OTHERS),
            )?;
        }
    }
    Ok(())
}

/// Whether a folder belongs to whom files belong that we make in it.
#[cfg(unix)]
fn is_ours(folder: &Path, found: &std::fs::Metadata) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt as _;
    let made = tempfile::tempfile_in(folder)?;
    Ok(made.metadata()?.uid() == found.uid())
}
