//! Ids that the service mints: UUIDv7 behind a type prefix, declared once in one list.

use std::fmt;
use std::str::FromStr;
use std::sync::atomic::{AtomicU64, Ordering};

use uuid::Uuid;

use crate::{Invalid, Problem};

/// Where new ids come from. The shell passes UUIDv7 from clock and randomness, tests a counter.
pub trait Ids {
    /// A value that was never handed out before.
    fn next_uuid(&self) -> Uuid;
}

/// Ids that count upward from a fixed instant: valid UUIDv7, and the same in every run.
#[derive(Debug, Default)]
pub struct SequentialIds(AtomicU64);

impl Ids for SequentialIds {
    fn next_uuid(&self) -> Uuid {
        const SOME_PAST_INSTANT_MS: u64 = 1_700_000_000_000;
        let count = self.0.fetch_add(1, Ordering::Relaxed);
        let mut tail = [0_u8; 10];
        for (slot, byte) in tail.iter_mut().rev().zip(count.to_le_bytes()) {
            *slot = byte;
        }
        uuid::Builder::from_unix_timestamp_millis(SOME_PAST_INSTANT_MS, &tail).into_uuid()
    }
}

macro_rules! ids {
    ($($(#[$meta:meta])* $name:ident = $prefix:literal;)+) => {
        $(
            $(#[$meta])*
            #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
            pub struct $name(Uuid);

            impl $name {
                /// What stands before the underscore.
                pub const PREFIX: &'static str = $prefix;

                /// A new id.
                pub fn mint(ids: &dyn Ids) -> Self {
                    Self(ids.next_uuid())
                }

                /// The id that a store holds as sixteen bytes.
                #[must_use]
                pub const fn from_uuid(uuid: Uuid) -> Self {
                    Self(uuid)
                }

                /// The sixteen bytes behind the prefix.
                #[must_use]
                pub const fn uuid(self) -> Uuid {
                    self.0
                }
            }

            impl fmt::Display for $name {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    write!(f, concat!($prefix, "_{}"), self.0.simple())
                }
            }

            impl fmt::Debug for $name {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    fmt::Display::fmt(self, f)
                }
            }

            impl FromStr for $name {
                type Err = Invalid;

                fn from_str(text: &str) -> Result<Self, Invalid> {
                    text.strip_prefix(concat!($prefix, "_"))
                        .filter(|hex| hex.len() == 32)
                        .and_then(|hex| Uuid::try_parse(hex).ok())
                        .map(Self)
                        .ok_or_else(|| {
                            let expected = concat!($prefix, "_ and 32 hexadecimal digits");
                            Invalid::new("id", Problem::Malformed { expected })
                        })
                }
            }
        )+

        /// Every kind of id: its type's name and its prefix.
        pub const ID_KINDS: &[(&str, &str)] = &[$((stringify!($name), $prefix),)+];
    };
}

ids! {
    /// A kept piece of evidence.
    EvidenceId = "evd";
    /// One revision of a memory.
    MemoryId = "mem";
    /// What the revisions of a memory have in common.
    FactId = "fact";
    /// A person, place, product or other named thing.
    EntityId = "ent";
    /// A credential.
    KeyId = "key";
    /// A review case.
    CaseId = "case";
    /// A line of the audit trail.
    EventId = "evt";
    /// A durable job.
    JobId = "job";
    /// A named person of the console.
    PersonId = "person";
    /// A browser session.
    SessionId = "ses";
    /// A connector token.
    ConnectorId = "con";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_survives_its_own_spelling_and_no_other_prefix() {
        let ids = SequentialIds::default();
        let id = MemoryId::mint(&ids);
        assert_eq!(id.to_string().parse::<MemoryId>(), Ok(id));
        assert!(id.to_string().parse::<FactId>().is_err());
        assert_eq!(id.uuid().get_version_num(), 7);
        assert_ne!(id, MemoryId::mint(&ids));
    }

    #[test]
    fn prefixes_are_unique_and_none_starts_another() {
        for (name, prefix) in ID_KINDS {
            let clashes = ID_KINDS
                .iter()
                .filter(|(other, with)| other != name && with.starts_with(prefix))
                .count();
            assert_eq!(clashes, 0, "{name}: `{prefix}` starts another prefix");
        }
    }

    #[test]
    fn other_spellings_of_a_uuid_are_refused() {
        for text in [
            "",
            "mem_",
            "mem_1",
            "mem_0190b3c2-0000-7000-8000-000000000000",
            "0190b3c2000070008000000000000000",
        ] {
            assert!(text.parse::<MemoryId>().is_err(), "{text}");
        }
    }
}
