//! The service's own secret in its file: made at the first start, readable by its owner alone.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use testimony_service::ServiceSecret;
use testimony_service::ports::chance::Chance;

/// Beside the ledger, and in no backup unless somebody asks.
pub(crate) const FILE: &str = "service.secret";

const LENGTH: usize = 32;

/// Why there is no secret.
#[derive(Debug, thiserror::Error)]
pub enum SecretError {
    /// Keys were made with one that is gone: with another none of them would be known again.
    #[error(
        "{} is not there, and no key of the ledger beside it is known without it; put back the one that `testimony backup \
         --with-secret` wrote beside a backup, or, where none is left, have `testimony key create --operator \
         --new-secret` begin with a new one and make new keys", .path.display()
    )]
    Missing {
        /// Where it should be.
        path: PathBuf,
    },
    /// Something else lies in its place.
    #[error(
        "{} has another length than the {LENGTH} bytes of the secret of a service; use the file that `testimony backup \
         --with-secret` wrote beside a backup", .path.display()
    )]
    NoSecret {
        /// Which file.
        path: PathBuf,
    },
    /// There is one, and a new one would make every key useless.
    #[error("{} is there already; move it away first if no key of today is to be known any more", .path.display())]
    Present {
        /// Which file.
        path: PathBuf,
    },
    /// The file could not be used.
    #[error("{} could not be {doing}: {source}; check the path, its rights and the disk", .path.display())]
    File {
        /// What was being done, as a participle.
        doing: &'static str,
        /// Which file.
        path: PathBuf,
        /// Why it failed.
        source: io::Error,
    },
}

impl SecretError {
    fn file(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::File {
            doing,
            path,
            source,
        }
    }
}

/// The bytes of a secret in a file; nothing where there is no file.
pub(crate) fn read(path: &Path) -> Result<Option<[u8; LENGTH]>, SecretError> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(SecretError::file("read", path)(error)),
    };
    let mut bytes = Vec::new();
    // One byte more than there may be tells that there are too many.
    let read = file.take(LENGTH as u64 + 1).read_to_end(&mut bytes);
    read.map_err(SecretError::file("read", path))?;
    let path = path.to_owned();
    let bytes = bytes.try_into();
    bytes.map(Some).map_err(|_| SecretError::NoSecret { path })
}

/// Reads the secret of a folder, or makes it where no key was made with one yet.
pub(crate) fn read_or_make<E: From<SecretError>>(
    folder: &Path,
    chance: &dyn Chance,
    has_keys: impl FnOnce() -> Result<bool, E>,
) -> Result<ServiceSecret, E> {
    let path = folder.join(FILE);
    if let Some(bytes) = read(&path)? {
        return Ok(ServiceSecret::new(bytes));
    }
    if has_keys()? {
        return Err(SecretError::Missing { path }.into());
    }
    Ok(ServiceSecret::new(make(folder, chance)?))
}

/// Makes a secret for a folder that has none.
pub(crate) fn make(folder: &Path, chance: &dyn Chance) -> Result<[u8; LENGTH], SecretError> {
    let path = folder.join(FILE);
    let mut bytes = [0_u8; LENGTH];
    let filled = chance.fill(&mut bytes).map_err(io::Error::other);
    filled.map_err(SecretError::file("made", &path))?;
    put(folder, &bytes)?;
    Ok(bytes)
}

/// No secret is replaced by another.
pub(crate) fn must_be_free(folder: &Path) -> Result<(), SecretError> {
    let path = folder.join(FILE);
    match path.symlink_metadata() {
        Ok(_) => Err(SecretError::Present { path }),
        Err(_) => Ok(()),
    }
}

/// Puts a secret into a folder that has none.
pub(crate) fn put(folder: &Path, bytes: &[u8; LENGTH]) -> Result<(), SecretError> {
    must_be_free(folder)?;
    let path = folder.join(FILE);
    let put = write(folder, &path, bytes);
    put.map_err(SecretError::file("written", &path))
}

/// A secret that is not whole on disk is none: keys that were made with it could never be checked again.
fn write(folder: &Path, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let draft = path.with_extension("draft");
    let mut file = owners_alone().open(&draft)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    std::fs::rename(&draft, path)?;
    File::open(folder)?.sync_all()
}

fn owners_alone() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    options
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SystemChance;

    fn of_folder(folder: &Path, has_keys: bool) -> Result<ServiceSecret, SecretError> {
        read_or_make(folder, &SystemChance, || Ok(has_keys))
    }

    #[test]
    fn it_is_made_once_and_read_afterwards() {
        let folder = tempfile::tempdir().unwrap();
        of_folder(folder.path(), false).unwrap();
        let path = folder.path().join(FILE);
        let kept = File::open(&path).unwrap();
        assert_eq!(kept.metadata().unwrap().len(), 32);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(kept.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        }
        let before = read(&path).unwrap();
        of_folder(folder.path(), true).unwrap();
        assert_eq!(before, read(&path).unwrap());
    }

    #[test]
    fn one_of_another_length_is_refused_by_name() {
        for length in [0, 31, 33] {
            let folder = tempfile::tempdir().unwrap();
            let mut file = File::create(folder.path().join(FILE)).unwrap();
            file.write_all(&vec![1; length]).unwrap();
            let refused = of_folder(folder.path(), false).unwrap_err().to_string();
            assert!(
                refused.contains(FILE) && refused.contains("32 bytes"),
                "{refused}"
            );
        }
    }

    #[test]
    fn one_that_keys_were_made_with_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let refused = of_folder(folder.path(), true).unwrap_err();
        assert!(matches!(refused, SecretError::Missing { .. }), "{refused}");
        assert!(read(&folder.path().join(FILE)).unwrap().is_none());
        make(folder.path(), &SystemChance).unwrap();
        let refused = make(folder.path(), &SystemChance).unwrap_err();
        assert!(matches!(refused, SecretError::Present { .. }), "{refused}");
    }
}
