//! The one place where the command reads and writes files.

use std::fs::{File, OpenOptions};
use std::io::{BufReader, BufWriter, Error, ErrorKind, Read, Result, Write};
use std::path::{Path, PathBuf};

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
    writeln!(file, "{}", text.trim_end())?;
    file.sync_all()
}

/// Makes a folder that only its owner can look into, where it is not there yet.
pub(crate) fn make_for_owner(folder: &Path) -> Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt as _;
        builder.mode(0o700);
    }
    builder.create(folder)
}

/// A file or, where it is called `-`, standard input.
pub(crate) fn source(path: &Path) -> Result<Box<dyn Read>> {
    if path.as_os_str() == "-" {
        return Ok(Box::new(std::io::stdin()));
    }
    Ok(Box::new(BufReader::new(File::open(path)?)))
}

/// All of a source, and no more than so many bytes; `None` where there is more.
pub(crate) fn at_most(source: impl Read, most: u64) -> Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    source.take(most + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= most).then_some(bytes))
}

/// A file that comes to be whole or not at all, and that only its owner can read: it is written beside its place, and
/// takes it once it is on disk.
#[derive(Debug)]
pub(crate) struct NewFile {
    place: PathBuf,
    partial: PathBuf,
    out: BufWriter<File>,
    is_whole: bool,
}

impl NewFile {
    /// Begins a file for this place, which is free or holds a file that it replaces.
    pub(crate) fn begin(place: &Path) -> Result<Self> {
        // Behind a link stands the file that is meant.
        let place = std::fs::canonicalize(place).unwrap_or_else(|_| place.to_owned());
        if place.exists() && !place.is_file() {
            let what = "something stands there that is no file";
            return Err(Error::new(ErrorKind::AlreadyExists, what));
        }
        let mut name = place.as_os_str().to_owned();
        name.push(format!(".partial-{}", std::process::id()));
        let partial = PathBuf::from(name);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        for_owner(&mut options);
        let out = BufWriter::new(options.open(&partial)?);
        Ok(Self {
            place,
            partial,
            out,
            is_whole: false,
        })
    }

    pub(crate) fn write(&mut self, text: &str) -> Result<()> {
        self.out.write_all(text.as_bytes())
    }

    /// Puts the file in its place.
    pub(crate) fn end(mut self) -> Result<()> {
        self.out.flush()?;
        self.out.get_ref().sync_all()?;
        std::fs::rename(&self.partial, &self.place)?;
        self.is_whole = true;
        on_disk(&self.place)
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if !self.is_whole {
            // Where it cannot be removed its name says what it is.
            let _ = std::fs::remove_file(&self.partial);
        }
    }
}

/// Sees to it that the name of a file is on disk as the file is.
#[cfg(unix)]
fn on_disk(file: &Path) -> Result<()> {
    let folder = file
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or_else(|| Path::new(".")))?.sync_all()
}

#[cfg(not(unix))]
fn on_disk(_: &Path) -> Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name());
        let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
        names.sort_unstable();
        names
    }

    #[test]
    fn a_file_takes_its_place_whole_and_one_that_is_given_up_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("file");
        let mut given_up = NewFile::begin(&place).unwrap();
        given_up.write("half").unwrap();
        assert_eq!(names(folder.path()).len(), 1);
        drop(given_up);
        assert!(names(folder.path()).is_empty());
        for said in ["first", "second"] {
            let mut file = NewFile::begin(&place).unwrap();
            file.write(said).unwrap();
            file.end().unwrap();
            assert_eq!(text(&place).unwrap(), said);
            assert_eq!(names(folder.path()), ["file"]);
        }
    }

    #[test]
    fn what_is_no_file_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        assert!(NewFile::begin(folder.path()).is_err());
    }

    #[test]
    fn a_source_has_an_end() {
        assert_eq!(at_most(&b"abc"[..], 3).unwrap().unwrap(), b"abc");
        assert!(at_most(std::io::repeat(0), 3).unwrap().is_none());
    }
}
