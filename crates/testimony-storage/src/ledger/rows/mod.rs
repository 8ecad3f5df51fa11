//! Rows as SQLite holds them, and the values that they stand for: one module per family, and the two ways between.
//!
//! Reading never trusts a row: a word, label, id or number that cannot be right is
//! [`LedgerError::Damaged`] and names table and column.

pub(super) mod account;
pub(super) mod event;
pub(super) mod evidence;
pub(super) mod memory;
pub(super) mod review;

use rusqlite::Row;
use rusqlite::types::ValueRef;
use serde::de::DeserializeOwned;
use testimony_domain::{
    CaseId, ConnectorId, EntityId, EvidenceId, FactId, Invalid, JobId, KeyId, MemoryId, PersonId,
    SessionId, Timestamp,
};
use testimony_service::ports::ledger::LedgerError;
use testimony_service::ports::ledger::audit::{Digest, Seq};
pub(super) use testimony_service::ports::ledger::memories::microseconds as micros;
use uuid::Uuid;

/// An id of the domain, as sixteen bytes.
pub(super) trait Id: Copy {
    fn of(uuid: Uuid) -> Self;
    fn bytes(self) -> [u8; 16];
}

macro_rules! ids {
    ($($id:ty),+) => {
        $(impl Id for $id {
            fn of(uuid: Uuid) -> Self {
                Self::from_uuid(uuid)
            }

            fn bytes(self) -> [u8; 16] {
                self.uuid().into_bytes()
            }
        })+
    };
}

ids!(
    CaseId,
    ConnectorId,
    EntityId,
    EvidenceId,
    FactId,
    JobId,
    KeyId,
    MemoryId,
    PersonId,
    SessionId
);

/// An id of which there may be none, as it is bound.
pub(super) fn maybe_bytes<T: Id>(id: Option<T>) -> Option<[u8; 16]> {
    id.map(Id::bytes)
}

/// Ids one after the other.
pub(super) fn packed<T: Id>(ids: &[T]) -> Vec<u8> {
    ids.iter().flat_map(|id| id.bytes()).collect()
}

/// An instant of which there may be none, as it is bound.
pub(super) fn maybe_micros(at: Option<Timestamp>) -> Option<i64> {
    at.map(micros)
}

/// A sequence as it is bound.
pub(super) fn seq(seq: Seq) -> i64 {
    i64::try_from(seq.0).unwrap_or(i64::MAX)
}

/// When the hour of an instant began.
pub(super) fn hour_of(at: i64) -> i64 {
    const HOUR_US: i64 = 3_600_000_000;
    at.saturating_sub(at.rem_euclid(HOUR_US))
}

/// A count as it is bound.
pub(super) fn count(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// A list of words as a JSON array.
pub(super) fn words<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let words: Vec<&str> = words.into_iter().collect();
    serde_json::Value::from(words).to_string()
}

/// The columns of a row, read from the left to the right.
pub(super) struct Cols<'a, 's> {
    row: &'a Row<'s>,
    table: &'static str,
    next: usize,
}

impl<'a, 's> Cols<'a, 's> {
    pub(super) fn new(row: &'a Row<'s>, table: &'static str) -> Self {
        Self {
            row,
            table,
            next: 0,
        }
    }

    /// What is wrong with the column that was read last.
    pub(super) fn damaged(&self, what: impl std::fmt::Display) -> LedgerError {
        let statement: &rusqlite::Statement<'_> = self.row.as_ref();
        let column = statement.column_name(self.next.saturating_sub(1));
        LedgerError::Damaged {
            place: format!("{}.{}", self.table, column.unwrap_or("?")),
            what: what.to_string(),
        }
    }

    fn value(&mut self) -> Result<ValueRef<'a>, LedgerError> {
        let value = self.row.get_ref(self.next);
        self.next += 1;
        value.map_err(|error| self.damaged(error))
    }

    pub(super) fn maybe_text(&mut self) -> Result<Option<&'a str>, LedgerError> {
        let value = self.value()?.as_str_or_null();
        value.map_err(|error| self.damaged(error))
    }

    pub(super) fn text(&mut self) -> Result<&'a str, LedgerError> {
        self.maybe_text()?
            .ok_or_else(|| self.damaged("there is nothing"))
    }

    pub(super) fn maybe_blob(&mut self) -> Result<Option<&'a [u8]>, LedgerError> {
        let value = self.value()?.as_blob_or_null();
        value.map_err(|error| self.damaged(error))
    }

    pub(super) fn blob(&mut self) -> Result<&'a [u8], LedgerError> {
        self.maybe_blob()?
            .ok_or_else(|| self.damaged("there is nothing"))
    }

    pub(super) fn maybe_int(&mut self) -> Result<Option<i64>, LedgerError> {
        let value = self.value()?.as_i64_or_null();
        value.map_err(|error| self.damaged(error))
    }

    pub(super) fn int(&mut self) -> Result<i64, LedgerError> {
        self.maybe_int()?
            .ok_or_else(|| self.damaged("there is nothing"))
    }

    pub(super) fn maybe_count<T: TryFrom<i64>>(&mut self) -> Result<Option<T>, LedgerError> {
        let count = self.maybe_int()?.map(T::try_from).transpose();
        count.map_err(|_| self.damaged("the number is outside its bounds"))
    }

    pub(super) fn count<T: TryFrom<i64>>(&mut self) -> Result<T, LedgerError> {
        self.maybe_count()?
            .ok_or_else(|| self.damaged("there is nothing"))
    }

    pub(super) fn flag(&mut self) -> Result<bool, LedgerError> {
        match self.int()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(self.damaged("it is neither 0 nor 1")),
        }
    }

    pub(super) fn seq(&mut self) -> Result<Seq, LedgerError> {
        self.count().map(Seq)
    }

    pub(super) fn maybe_time(&mut self) -> Result<Option<Timestamp>, LedgerError> {
        let at = self.maybe_int()?.map(Timestamp::from_microsecond);
        at.transpose().map_err(|error| self.damaged(error))
    }

    pub(super) fn time(&mut self) -> Result<Timestamp, LedgerError> {
        self.maybe_time()?
            .ok_or_else(|| self.damaged("there is nothing"))
    }

    pub(super) fn maybe_id<T: Id>(&mut self) -> Result<Option<T>, LedgerError> {
        let uuid = self.maybe_blob()?.map(Uuid::from_slice).transpose();
        let uuid = uuid.map_err(|error| self.damaged(error))?;
        Ok(uuid.map(T::of))
    }

    pub(super) fn id<T: Id>(&mut self) -> Result<T, LedgerError> {
        self.maybe_id()?
            .ok_or_else(|| self.damaged("there is nothing"))
    }

    pub(super) fn ids<T: Id>(&mut self) -> Result<Vec<T>, LedgerError> {
        let (whole, rest) = self.blob()?.as_chunks::<16>();
        if rest.is_empty() {
            let ids = whole.iter().map(|bytes| T::of(Uuid::from_bytes(*bytes)));
            Ok(ids.collect())
        } else {
            Err(self.damaged("its length is no multiple of an id's"))
        }
    }

    pub(super) fn digest(&mut self) -> Result<Digest, LedgerError> {
        let bytes = <[u8; 32]>::try_from(self.blob()?);
        bytes
            .map(Digest)
            .map_err(|_| self.damaged("a digest has 32 bytes"))
    }

    /// A closed word or a label, by the function that reads it.
    pub(super) fn maybe_word<T>(&mut self, read: Read<T>) -> Result<Option<T>, LedgerError> {
        let word = self.maybe_text()?.map(|word| read(self.table, word));
        word.transpose()
            .map_err(|error| self.damaged(error.problem))
    }

    /// A closed word or a label, by the function that reads it.
    pub(super) fn word<T>(&mut self, read: Read<T>) -> Result<T, LedgerError> {
        self.maybe_word(read)?
            .ok_or_else(|| self.damaged("there is nothing"))
    }

    /// A list of closed words or labels.
    pub(super) fn words<T>(&mut self, read: Read<T>) -> Result<Vec<T>, LedgerError> {
        let words: Vec<String> = self.json()?;
        let words = words.iter().map(|word| read(self.table, word));
        words
            .collect::<Result<_, _>>()
            .map_err(|error| self.damaged(error.problem))
    }

    pub(super) fn json<T: DeserializeOwned>(&mut self) -> Result<T, LedgerError> {
        let text = self.text()?;
        serde_json::from_str(text).map_err(|error| self.damaged(error))
    }
}

/// How the domain reads a word or label, naming the field that it stands in.
pub(super) type Read<T> = fn(&str, &str) -> Result<T, Invalid>;

/// The first column as an id.
pub(super) fn id_column<T: Id>(c: &mut Cols<'_, '_>) -> Result<T, LedgerError> {
    c.id()
}

/// The first column as ids.
pub(super) fn ids_column<T: Id>(c: &mut Cols<'_, '_>) -> Result<Vec<T>, LedgerError> {
    c.ids()
}

/// The first column as a number.
pub(super) fn int_column(c: &mut Cols<'_, '_>) -> Result<i64, LedgerError> {
    c.int()
}

/// The first column as a digest.
pub(super) fn digest_column(c: &mut Cols<'_, '_>) -> Result<Digest, LedgerError> {
    c.digest()
}
