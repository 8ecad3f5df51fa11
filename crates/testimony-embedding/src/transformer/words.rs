//! The tokeniser of a model from `tokenizer.json`, or from `vocab.txt` where that is all there is.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::Frame;
use super::fault::{ModelError, ModelFault};
use super::files;
use crate::wordpiece::{Casing, Vocabulary, WordPiece};

const OPENS: &str = "[CLS]";
const CLOSES: &str = "[SEP]";

pub(super) fn read(folder: &Path) -> Result<WordPiece, ModelError> {
    let file = vocabulary_file(folder);
    if file.ends_with("vocab.txt") {
        let text = files::text(&file)?;
        let tokens = text.lines().map(str::trim_end);
        let vocabulary =
            Vocabulary::new(tokens).map_err(|error| ModelFault::from(error).of(&file))?;
        return Ok(WordPiece::new(vocabulary, casing_beside(folder)?));
    }
    let json = files::json(&file)?;
    from_json(&json).map_err(|fault| fault.of(&file))
}

fn vocabulary_file(folder: &Path) -> PathBuf {
    let (rich, plain) = (folder.join("tokenizer.json"), folder.join("vocab.txt"));
    if !rich.exists() && plain.exists() {
        plain
    } else {
        rich
    }
}

/// Every sequence stands between these two.
pub(super) fn frame(folder: &Path, tokeniser: &WordPiece) -> Result<Frame, ModelError> {
    let id = |token| {
        let missing = || ModelFault::NoSpecialToken(token).of(&vocabulary_file(folder));
        tokeniser.vocabulary().id(token).ok_or_else(missing)
    };
    Ok(Frame {
        opens: id(OPENS)?,
        closes: id(CLOSES)?,
    })
}

/// Models may keep rows for tokens to come, but every token needs a row.
pub(super) fn check_size(
    folder: &Path,
    tokeniser: &WordPiece,
    rows: usize,
) -> Result<(), ModelError> {
    let tokens = tokeniser.vocabulary().size();
    if tokens <= rows {
        return Ok(());
    }
    Err(ModelFault::VocabularySize { tokens, rows }.of(&vocabulary_file(folder)))
}

fn casing_beside(folder: &Path) -> Result<Casing, ModelError> {
    let config = files::json_if_there(&folder.join("tokenizer_config.json"))?;
    let lowercase = config
        .as_ref()
        .and_then(|config| config.get("do_lower_case"))
        .and_then(Value::as_bool);
    let strips = config
        .as_ref()
        .and_then(|config| config.get("strip_accents"))
        .and_then(Value::as_bool);
    Ok(casing(lowercase, strips))
}

/// Accents go with the capitals unless it is said otherwise.
fn casing(lowercase: Option<bool>, strips: Option<bool>) -> Casing {
    let lowercase = lowercase.unwrap_or(true);
    Casing {
        lowercase,
        strip_accents: strips.unwrap_or(lowercase),
    }
}

fn from_json(json: &Value) -> Result<WordPiece, ModelFault> {
    expect_kind(json, "/model/type", "model.type", "WordPiece")?;
    expect_kind(
        json,
        "/normalizer/type",
        "normalizer.type",
        "BertNormalizer",
    )?;
    expect_kind(
        json,
        "/pre_tokenizer/type",
        "pre_tokenizer.type",
        "BertPreTokenizer",
    )?;
    let flag = |pointer| json.pointer(pointer).and_then(Value::as_bool);
    let casing = casing(
        flag("/normalizer/lowercase"),
        flag("/normalizer/strip_accents"),
    );
    Ok(WordPiece::new(vocabulary(json)?, casing))
}

/// Files of early versions do not name the kind of their model; what is named must be known.
fn expect_kind(
    json: &Value,
    pointer: &str,
    setting: &'static str,
    known: &'static str,
) -> Result<(), ModelFault> {
    match json.pointer(pointer).and_then(Value::as_str) {
        None => Ok(()),
        Some(found) if found == known => Ok(()),
        Some(found) => Err(ModelFault::Unsupported {
            setting,
            found: found.to_owned(),
            known,
        }),
    }
}

/// The tokens in the order of their numbers, which must leave no gap.
fn vocabulary(json: &Value) -> Result<Vocabulary, ModelFault> {
    let wrong = || ModelFault::Setting {
        setting: "model.vocab",
        expected: "an object of tokens with their numbers, from 0 without a gap",
    };
    let entries = json.pointer("/model/vocab").and_then(Value::as_object);
    let entries = entries.ok_or_else(wrong)?;
    let mut tokens = vec![None; entries.len()];
    for (token, id) in entries {
        let place = id.as_u64().and_then(|id| usize::try_from(id).ok());
        let place = place.and_then(|place| tokens.get_mut(place));
        *place.ok_or_else(wrong)? = Some(token.as_str());
    }
    let tokens: Option<Vec<&str>> = tokens.into_iter().collect();
    Ok(Vocabulary::new(tokens.ok_or_else(wrong)?)?)
}
