//! Files and folders of the index: the one place that makes, checks and removes them.

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

/// A file as a manifest names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Sealed {
    pub(super) path: String,
    pub(super) bytes: u64,
    pub(super) crc32: u32,
}

/// Length and checksum of a file.
pub(super) fn seal(folder: &Path, path: &str) -> io::Result<Sealed> {
    let mut file = File::open(folder.join(path))?;
    let mut hash = crc32fast::Hasher::new();
    let mut buffer = vec![0; 1 << 16];
    let mut bytes = 0;
    loop {
        let read = file.read(&mut buffer)?;
        let Some(chunk) = buffer.get(..read).filter(|chunk| !chunk.is_empty()) else {
            break;
        };
        hash.update(chunk);
        bytes += read as u64;
    }
    Ok(Sealed {
        path: path.to_owned(),
        bytes,
        crc32: hash.finalize(),
    })
}

pub(super) fn open(path: &Path) -> io::Result<BufReader<File>> {
    File::open(path).map(|file| BufReader::with_capacity(1 << 18, file))
}

/// The text of a small file.
pub(super) fn text_of(path: &Path, most: u64) -> io::Result<String> {
    let mut text = String::new();
    File::open(path)?.take(most).read_to_string(&mut text)?;
    Ok(text)
}

/// Puts a text in place of a file, as a whole or not at all.
pub(super) fn replace(folder: &Path, name: &str, text: &str) -> io::Result<()> {
    let (draft, path) = (folder.join(format!("{name}.draft")), folder.join(name));
    let mut file = File::create(&draft)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(draft, path)?;
    sync_folder(folder)
}

pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// The same file under another path; a copy where the file system has no links.
pub(super) fn link(from: &Path, to: &Path) -> io::Result<()> {
    fs::hard_link(from, to).or_else(|_| fs::copy(from, to).map(|_| ()))
}

/// An empty folder, whatever was there.
pub(super) fn fresh_folder(path: &Path) -> io::Result<()> {
    remove(path)?;
    fs::create_dir_all(path)
}

/// Removes a file or folder; what is not there is removed.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    let removed = match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) => Err(error),
    };
    removed.or_else(|error| {
        if error.kind() == io::ErrorKind::NotFound {
            Ok(())
        } else {
            Err(error)
        }
    })
}

/// Removes what begins so in a folder, but for one.
pub(super) fn remove_all(folder: &Path, beginning: &str, but: Option<&str>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name();
        let name = name.to_string_lossy();
        if name.starts_with(beginning) && Some(name.as_ref()) != but {
            remove(&folder.join(name.as_ref()))?;
        }
    }
    Ok(())
}
