//! The erasure list: a file beside the database and outside its backups, one line an erasure.
//!
//! A line is on the disk before its erasure is committed, so that no crash in between can lose it: whoever opens the
//! ledger next carries it out.
//! It holds ids and no content, and the digest of itself, so that half a line is known as such.

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use testimony_domain::{EvidenceId, MemoryId, Timestamp};
use testimony_service::ports::ledger::memories::instant_as_kept;

use super::named::Named;

/// One erasure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// What names it, wherever it is written down.
    pub(crate) mark: [u8; 32],
    pub(crate) at: Timestamp,
    pub(crate) memories: Vec<MemoryId>,
    pub(crate) evidence: Vec<EvidenceId>,
    /// Evidence of which a part stays, since other memories rest on it.
    pub(crate) cut: Vec<EvidenceId>,
    /// By what was erased, where it was by a name.
    pub(crate) named: Option<Named>,
}

#[derive(Serialize, Deserialize)]
struct Written {
    mark: String,
    at: String,
    memories: Vec<String>,
    evidence: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    cut: Vec<String>,
    named: Option<Named>,
}

/// What a file of lines holds.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Contents {
    pub(crate) lines: Vec<Line>,
    /// How many bytes of it are whole lines; what comes after was being written when the power went.
    pub(crate) whole: u64,
    /// The first line that is whole and cannot be read, counted from 1.
    pub(crate) damaged: Option<usize>,
}

impl Line {
    /// The line as it is written: its digest, a blank, and what it says.
    pub(crate) fn written(&self) -> String {
        let written = Written {
            mark: hex(&self.mark),
            at: instant_as_kept(self.at).to_string(),
            memories: self.memories.iter().map(ToString::to_string).collect(),
            evidence: self.evidence.iter().map(ToString::to_string).collect(),
            cut: self.cut.iter().map(ToString::to_string).collect(),
            named: self.named.clone(),
        };
        let says = serde_json::to_string(&written).unwrap_or_default();
        format!("{} {says}\n", digest(&says))
    }

    fn read(line: &str) -> Option<Self> {
        let (sum, says) = line.split_once(' ')?;
        if sum != digest(says) {
            return None;
        }
        let written: Written = serde_json::from_str(says).ok()?;
        let memories = written.memories.iter().map(|id| id.parse());
        let evidence = written.evidence.iter().map(|id| id.parse());
        let cut = written.cut.iter().map(|id| id.parse());
        Some(Self {
            mark: unhex(&written.mark)?,
            at: written.at.parse().ok()?,
            memories: memories.collect::<Result<_, _>>().ok()?,
            evidence: evidence.collect::<Result<_, _>>().ok()?,
            cut: cut.collect::<Result<_, _>>().ok()?,
            named: written.named,
        })
    }
}

/// Reads a file of lines.
pub(crate) fn read(text: &str) -> Contents {
    let mut contents = Contents::default();
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        let Some(whole) = line.strip_suffix('\n') else {
            break;
        };
        match Line::read(whole) {
            Some(read) => contents.lines.push(read),
            None => {
                contents.damaged = Some(number);
                break;
            }
        }
        contents.whole += line.len() as u64;
    }
    contents
}

fn digest(text: &str) -> String {
    hex(&Sha256::digest(text.as_bytes()))
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Option<[u8; 32]> {
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    let bytes = pairs.iter().map(|pair| {
        let pair = std::str::from_utf8(pair).ok()?;
        u8::from_str_radix(pair, 16).ok()
    });
    let bytes: Vec<u8> = bytes.collect::<Option<_>>()?;
    bytes.try_into().ok().filter(|_| rest.is_empty())
}

#[cfg(test)]
mod tests {
    use testimony_domain::{Ids, SequentialIds};

    use super::*;

    fn line(count: usize) -> Line {
        let ids = SequentialIds::default();
        Line {
            mark: [7; 32],
            at: Timestamp::from_second(1_760_000_000).unwrap(),
            memories: (0..count)
                .map(|_| MemoryId::mint(&ids as &dyn Ids))
                .collect(),
            evidence: vec![EvidenceId::mint(&ids)],
            cut: (1..count).map(|_| EvidenceId::mint(&ids)).collect(),
            named: None,
        }
    }

    #[test]
    fn a_line_is_read_as_it_was_written_and_half_a_line_is_none() {
        let text = format!("{}{}", line(1).written(), line(3).written());
        let contents = read(&text);
        assert_eq!(contents.lines, [line(1), line(3)]);
        assert_eq!(contents.whole, text.len() as u64);
        for cut in line(1).written().len()..text.len() {
            let contents = read(text.get(..cut).unwrap());
            assert_eq!(contents.lines, [line(1)], "{cut}");
            assert_eq!(contents.damaged, None, "{cut}");
        }
    }

    #[test]
    fn a_line_that_was_changed_is_damaged() {
        let text = line(1).written().replace("mem_0", "mem_1");
        assert_eq!(read(&text).damaged, Some(1));
    }
}
