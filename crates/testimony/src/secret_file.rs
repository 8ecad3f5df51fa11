//! The service's own secret in its file: made at the first start, readable by its owner alone.

use std::fs::OpenOptions;
use std::io::{self, Read, Write};
use std::path::Path;

use testimony_service::ServiceSecret;
use testimony_service::ports::chance::Chance;

/// Beside the ledger, and in no backup unless somebody asks.
pub(crate) const FILE: &str = "service.secret";

const LENGTH: usize = 32;

/// Reads the secret of a folder, or makes it.
pub(crate) fn read_or_make(folder: &Path, chance: &dyn Chance) -> io::Result<ServiceSecret> {
    let path = folder.join(FILE);
    match std::fs::File::open(&path) {
        Ok(mut file) => {
            let mut bytes = [0_u8; LENGTH];
            let mut rest = Vec::new();
            file.read_exact(&mut bytes)?;
            file.read_to_end(&mut rest)?;
            if rest.is_empty() {
                Ok(ServiceSecret::new(bytes))
            } else {
                Err(io::Error::other("it is not 32 bytes long"))
            }
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => make(&path, chance),
        Err(error) => Err(error),
    }
}

/// A secret that is not whole on disk is none: keys that were made with it could never be checked again.
fn make(path: &Path, chance: &dyn Chance) -> io::Result<ServiceSecret> {
    let mut bytes = [0_u8; LENGTH];
    chance.fill(&mut bytes).map_err(io::Error::other)?;
    let draft = path.with_extension("draft");
    let mut file = owners_alone().open(&draft)?;
    file.write_all(&bytes)?;
    file.sync_all()?;
    std::fs::rename(&draft, path)?;
    if let Some(folder) = path.parent() {
        std::fs::File::open(folder)?.sync_all()?;
    }
    Ok(ServiceSecret::new(bytes))
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

    #[test]
    fn it_is_made_once_and_read_afterwards() {
        let folder = tempfile::tempdir().unwrap();
        read_or_make(folder.path(), &SystemChance).unwrap();
        let kept = std::fs::File::open(folder.path().join(FILE)).unwrap();
        assert_eq!(kept.metadata().unwrap().len(), 32);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(kept.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        }
        let bytes = || {
            let mut bytes = Vec::new();
            let mut file = std::fs::File::open(folder.path().join(FILE)).unwrap();
            file.read_to_end(&mut bytes).unwrap();
            bytes
        };
        let before = bytes();
        read_or_make(folder.path(), &SystemChance).unwrap();
        assert_eq!(before, bytes());
    }

    #[test]
    fn one_of_another_length_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let mut file = std::fs::File::create(folder.path().join(FILE)).unwrap();
        file.write_all(&[1; 40]).unwrap();
        assert!(read_or_make(folder.path(), &SystemChance).is_err());
    }
}
