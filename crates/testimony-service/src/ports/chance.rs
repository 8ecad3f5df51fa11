//! Chance: where random bytes come from. The shell passes the system's, tests a counter.

/// A source of bytes that nobody can guess.
pub trait Chance: Send + Sync {
    /// Fills `bytes`.
    ///
    /// # Errors
    /// [`NoChance`] when the system has none to give; nothing that must be unguessable is made then.
    fn fill(&self, bytes: &mut [u8]) -> Result<(), NoChance>;
}

/// The system gave no random bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the system gave no random bytes, so no secret could be made; try again")]
pub struct NoChance;
