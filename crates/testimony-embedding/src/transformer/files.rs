//! The one place of this crate that reads files.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use serde_json::Value;

use super::fault::{ModelError, ModelFault};

/// No settings or vocabulary is larger.
const MOST_BYTES_OF_TEXT: u64 = 64 << 20;
/// The weights of the largest models of this family are under two gigabytes.
const MOST_BYTES_OF_WEIGHTS: u64 = 4 << 30;

pub(super) fn text(file: &Path) -> Result<String, ModelError> {
    let bytes = limited(file, MOST_BYTES_OF_TEXT)?;
    String::from_utf8(bytes).map_err(|error| {
        let what = io::Error::new(io::ErrorKind::InvalidData, error.utf8_error());
        ModelFault::Unreadable(what).of(file)
    })
}

pub(super) fn json(file: &Path) -> Result<Value, ModelError> {
    serde_json::from_str(&text(file)?).map_err(|error| ModelFault::NotJson(error).of(file))
}

/// As [`json`], for a file that need not be there.
pub(super) fn json_if_there(file: &Path) -> Result<Option<Value>, ModelError> {
    if file.exists() {
        json(file).map(Some)
    } else {
        Ok(None)
    }
}

pub(super) fn weights(file: &Path) -> Result<Vec<u8>, ModelError> {
    limited(file, MOST_BYTES_OF_WEIGHTS)
}

fn limited(file: &Path, most: u64) -> Result<Vec<u8>, ModelError> {
    let unreadable = |error| ModelFault::Unreadable(error).of(file);
    let opened = File::open(file).map_err(unreadable)?;
    let mut bytes = Vec::new();
    let read = opened.take(most + 1).read_to_end(&mut bytes);
    match read.map_err(unreadable)? as u64 > most {
        true => Err(ModelFault::TooLarge { most }.of(file)),
        false => Ok(bytes),
    }
}
