//! What the host has done with the machine itself: backups and examinations, as they are asked for and told.

use std::path::PathBuf;

use serde_json::{Map, Value, json};
use testimony_domain::{Bound, Invalid, Problem};
use testimony_service::ports::ledger::audit::{ChainHead, Digest, Seq};

use super::fault::{Fault, Pointer};
use super::field::{Field, Form, Kind, Table};
use super::reader::{Log, Object};
use super::shape::{Member, Shape};
use crate::caretaker::{Backup, Examined};

const PATH: Bound = Bound {
    name: "path",
    min: 1.0,
    max: 4_096.0,
    default: None,
    unit: "characters",
    meaning: "A file of the machine on which the service runs.",
};

/// A head of the chain as it is written down: the number of the last event, and its hash.
pub const HEAD: Kind = Kind::Form(Form {
    like: "128:9f86d0… with 64 hexadecimal digits",
    check: |field, text| read_head(field, text).map(drop),
});

/// What is asked of a backup.
pub const BACK_UP: Table = &[&[Field::new(
    "path",
    Kind::Text(&PATH),
    "Where the backup goes: a file of the machine on which the service runs, from the root, that is not there yet.",
)
.required()]];

/// What is asked of an examination.
#[rustfmt::skip]
pub const EXAMINE: Table = &[&[
    Field::new("against", HEAD, "A head of the chain that was kept elsewhere: with it, a trail that was cut off is found too."),
    Field::new("repair", Kind::Flag, "Whether the index is built again where something is wrong with it.").or(|| false.into()),
]];

/// A backup that was made.
pub const BACKED_UP: &[Member] = &[
    Member::new("path", Shape::Text, "Where it is."),
    Member::new("bytes", Shape::Whole, "How large it is."),
    Member::new("head", Shape::Text, "Where the chain of events ends in it."),
];

#[rustfmt::skip]
const FINDING: &[Member] = &[
    Member::new("part", Shape::Word(&["ledger", "index"]), "With what something is wrong."),
    Member::new("kind", Shape::Text, "What, in a stable word."),
    Member::new("place", Shape::Maybe(&Shape::Text), "Where."),
    Member::new("detail", Shape::Text, "In detail."),
    Member::new("remedy", Shape::Text, "What to do about it."),
];

/// What an examination came to.
#[rustfmt::skip]
pub const EXAMINED: &[Member] = &[
    Member::new("sound", Shape::Flag, "Whether nothing is wrong."),
    Member::new("head", Shape::Text, "Where the chain of events ends; keep it elsewhere, and examine against it later."),
    Member::new("rows", Shape::Whole, "How many rows of the ledger were looked for in the index."),
    Member::new("findings", Shape::List(&Shape::Object(FINDING)), "What is wrong."),
];

/// Reads where a backup goes.
///
/// # Errors
/// Everything that is wrong with it.
pub fn read_backup(body: &Map<String, Value>) -> Result<PathBuf, Vec<Fault>> {
    let mut log = Log::default();
    let root = Pointer::root();
    let object = Object::checked(body, &root, BACK_UP, &mut log);
    let path = PathBuf::from(object.owned("path").unwrap_or_default());
    if object.value("path").is_some() && !path.is_absolute() {
        let detail = "It does not begin at the root, and nobody knows where the service stands.";
        log.fault(Fault::at(object.pointer("path"), detail));
    }
    log.end(path).map(|(path, _)| path)
}

/// Reads what is asked of an examination.
///
/// # Errors
/// Everything that is wrong with it.
pub fn read_examination(
    body: &Map<String, Value>,
) -> Result<(Option<ChainHead>, bool), Vec<Fault>> {
    let mut log = Log::default();
    let root = Pointer::root();
    let object = Object::checked(body, &root, EXAMINE, &mut log);
    let against = object.read("against", &mut log, read_head);
    let repair = object.flag("repair").unwrap_or(false);
    log.end((against, repair)).map(|(asked, _)| asked)
}

/// A backup as it is sent.
#[must_use]
pub fn backed_up(path: &str, backup: &Backup) -> Value {
    json!({ "path": path, "bytes": backup.bytes, "head": written(backup.head) })
}

/// An examination as it is sent.
#[must_use]
pub fn examined(examined: &Examined) -> Value {
    let findings = examined.findings.iter().map(|finding| {
        json!({
            "part": finding.part,
            "kind": finding.kind,
            "place": finding.place,
            "detail": finding.detail,
            "remedy": finding.remedy,
        })
    });
    json!({
        "sound": examined.findings.is_empty(),
        "head": written(examined.head),
        "rows": examined.rows,
        "findings": findings.collect::<Vec<_>>(),
    })
}

/// A head of the chain as it is written down.
#[must_use]
pub fn written(head: ChainHead) -> String {
    format!("{}:{}", head.seq, head.hash)
}

fn read_head(field: &str, text: &str) -> Result<ChainHead, Invalid> {
    let read = || {
        let (seq, hash) = text.split_once(':')?;
        let digits = hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(hash.as_bytes().chunks(2)) {
            let pair = std::str::from_utf8(pair).ok()?;
            *byte = u8::from_str_radix(pair, 16).ok()?;
        }
        let head = ChainHead {
            seq: Seq(seq.parse().ok()?),
            hash: Digest(bytes),
        };
        digits.then_some(head)
    };
    let expected = "the number of the last event, a colon, and 64 hexadecimal digits";
    read().ok_or_else(|| Invalid::new(field, Problem::Malformed { expected }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_is_read_as_it_is_written() {
        let head = ChainHead {
            seq: Seq(128),
            hash: Digest([0xa7; 32]),
        };
        assert_eq!(read_head("against", &written(head)), Ok(head));
        let short = format!("128:{}", "a7".repeat(31));
        let strange = format!("128:{}", "é".repeat(32));
        for text in ["", "128", ":", "128:", "x:00", &short, &strange] {
            assert!(read_head("against", text).is_err(), "{text}");
        }
    }
}
