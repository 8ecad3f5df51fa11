//! What a store keeps beside the ledger and the index: how far erasures have reached the index.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use testimony_service::ports::ledger::audit::{ChainHead, Digest, Seq};

use super::StoreError;
use crate::ledger::files::{beside, put_in_place};
use crate::ledger::rights::for_owner;

/// Up to which event every erasure has been carried out in the index too: a sequence and the hash of its event.
const PURGED: &str = "erasures.purged";
/// A sequence has twenty digits at most, a hash sixty-four.
const MOST_OF_A_MARK: u64 = 128;

fn trouble(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> StoreError {
    let path = path.to_owned();
    move |source| StoreError::File {
        doing,
        path,
        source,
    }
}

/// Removes a folder with everything in it; where there is none, there is nothing to remove.
pub(super) fn throw_away(folder: &Path) -> Result<(), StoreError> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(trouble("removed", folder)(error))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

/// The mark of a folder.
#[derive(Debug)]
pub(super) struct MarkFile(PathBuf);

impl MarkFile {
    pub(super) fn of(folder: &Path) -> Self {
        Self(folder.join(PURGED))
    }

    /// What it says; the beginning where it says nothing that can be read.
    pub(super) fn read(&self) -> Result<ChainHead, StoreError> {
        let mut text = String::new();
        let read = File::open(&self.0)
            .and_then(|file| file.take(MOST_OF_A_MARK).read_to_string(&mut text));
        match read {
            Ok(_) => Ok(parse(&text).unwrap_or_default()),
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::NotFound | io::ErrorKind::InvalidData
                ) =>
            {
                Ok(ChainHead::default())
            }
            Err(error) => Err(trouble("read", &self.0)(error)),
        }
    }

    pub(super) fn write(&self, head: ChainHead) -> Result<(), StoreError> {
        let partial = beside(&self.0, ".partial");
        let text = format!("{} {}\n", head.seq, head.hash);
        let made = for_owner().create(true).truncate(true).open(&partial);
        let written = made.and_then(|mut file| file.write_all(text.as_bytes()));
        written
            .and_then(|()| put_in_place(&partial, &self.0))
            .map_err(trouble("written", &self.0))
    }
}

fn parse(text: &str) -> Option<ChainHead> {
    let (seq, hash) = text.strip_suffix('\n')?.split_once(' ')?;
    let (pairs, rest) = hash.as_bytes().as_chunks::<2>();
    let bytes = pairs.iter().map(|pair| {
        let pair = std::str::from_utf8(pair).ok()?;
        u8::from_str_radix(pair, 16).ok()
    });
    let bytes: Vec<u8> = bytes.collect::<Option<_>>()?;
    let hash = <[u8; 32]>::try_from(bytes).ok().filter(|_| rest.is_empty());
    Some(ChainHead {
        seq: Seq(seq.parse().ok()?),
        hash: Digest(hash?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_read_as_it_was_written_and_half_a_mark_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let mark = MarkFile::of(folder.path());
        assert_eq!(mark.read().unwrap(), ChainHead::default());
        let head = ChainHead {
            seq: Seq(4_711),
            hash: Digest([0xA7; 32]),
        };
        mark.write(head).unwrap();
        assert_eq!(mark.read().unwrap(), head);
        let text = format!("{} {}\n", head.seq, head.hash);
        for cut in 0..text.len() {
            assert_eq!(parse(text.get(..cut).unwrap()), None, "{cut}");
        }
        for damage in ["é 00\n", "1 é\n", "18446744073709551616 00\n", "\u{0}\n"] {
            assert_eq!(parse(damage), None, "{damage:?}");
        }
    }
}
