//! The lifecycle of a memory: one total table of state × event, which drives the code, a page of the documents and an
//! exhaustive test.
//!
//! A row that comes back (`reopen`, `reinstate`) is pending again and is examined again; no event makes it active by
//! itself.
//! What was quarantined for an injection leaves quarantine only by a person's approval: rejecting it closes its case and
//! leaves it where it is, so that no undo can bring it back unexamined; an approval that is taken back puts it where it
//! was (`hold_again`).
//! What was quarantined for a secret, kept as forensic, or erased has no path to `active` at all.

use crate::Reason;

words! {
    /// The state of a memory. Two kinds of quarantine have one public name: only one of them can be approved.
    pub enum State {
        /// Known.
        Active = "active",
        /// Waiting for support or for a person.
        Pending = "pending",
        /// Held because it tries to instruct its reader.
        QuarantinedInjection = "quarantined_injection",
        /// Held because it held a secret.
        QuarantinedSecret = "quarantined_secret",
        /// Kept as evidence of what happened, never as memory.
        Forensic = "forensic",
        /// Replaced by a newer claim.
        Superseded = "superseded",
        /// Its time ran out.
        Expired = "expired",
        /// A person decided against it, or its author took it back.
        Rejected = "rejected",
        /// Its content is gone.
        Erased = "erased",
    }
}

impl State {
    /// Whether a row in this state speaks about the present, or will once enough speaks for it.
    #[must_use]
    pub const fn is_open(self) -> bool {
        match self {
            Self::Active | Self::Pending => true,
            Self::QuarantinedInjection
            | Self::QuarantinedSecret
            | Self::Forensic
            | Self::Superseded
            | Self::Expired
            | Self::Rejected
            | Self::Erased => false,
        }
    }

    /// The state as callers see it.
    #[must_use]
    pub const fn public_name(self) -> &'static str {
        match self {
            Self::QuarantinedInjection | Self::QuarantinedSecret => "quarantined",
            Self::Active
            | Self::Pending
            | Self::Forensic
            | Self::Superseded
            | Self::Expired
            | Self::Rejected
            | Self::Erased => self.as_str(),
        }
    }
}

words! {
    /// What can happen to a memory.
    pub enum Event {
        /// Its class or its independent origins suffice.
        Promote = "promote",
        /// The support that made it active is gone.
        Demote = "demote",
        /// A person approves it.
        Approve = "approve",
        /// A person rejects it.
        Reject = "reject",
        /// A person hides it.
        Hide = "hide",
        /// Its author takes it back.
        Retract = "retract",
        /// A person undoes an approval, a rejection or a hiding.
        Reopen = "reopen",
        /// A person takes back what was decided about it while it was held.
        HoldAgain = "hold_again",
        /// A newer claim takes its place.
        Supersede = "supersede",
        /// The claim that took its place is gone.
        Reinstate = "reinstate",
        /// Its time runs out.
        Expire = "expire",
        /// A later reading finds an injection in it.
        FindInjection = "find_injection",
        /// A later reading finds a secret in it.
        FindSecret = "find_secret",
        /// A later reading finds that it is a test row, a log line or residue.
        FindForensic = "find_forensic",
        /// A person releases what remains of it after redaction, as a row of its own.
        ReleaseRedacted = "release_redacted",
        /// Its content is erased.
        Erase = "erase",
    }
}

words! {
    /// What else has to happen when an event leaves the row's own state as it is.
    pub enum Effect {
        /// Nothing: the event finds the row where it leads to.
        AlreadyThere = "already_there",
        /// Its review case is closed.
        CloseCase = "close_case",
        /// The redacted remainder becomes a new pending row, examined like any other.
        SpawnRedacted = "spawn_redacted",
    }
}

/// What an event does to a row in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// The row moves.
    To(State),
    /// The row stays, and this happens.
    Keep(Effect),
    /// The event is refused for this reason.
    Refuse(Reason),
}

type Row = [Cell; Event::ALL.len()];

use Cell::{Keep, Refuse, To};
use Effect::{AlreadyThere, CloseCase, SpawnRedacted};
use State::{
    Active, Erased, Expired, Forensic, Pending, QuarantinedInjection, QuarantinedSecret, Rejected,
    Superseded,
};

const WAITS: Cell = Refuse(Reason::NotDecidedYet);
const STANDS: Cell = Refuse(Reason::NothingToUndo);
const SEALED: Cell = Refuse(Reason::NeverTrusted);
const GONE: Cell = Refuse(Reason::ContentErased);
const CLOSED: Cell = Refuse(Reason::NoLongerOpen);
const UNSECRET: Cell = Refuse(Reason::NothingRedacted);

/// The table: a row per state, a column per event, both in the order of their declaration.
///
/// | promote | demote | approve | reject | hide | retract | reopen | hold again | supersede | reinstate | expire |
/// injection | secret | forensic | release | erase |
#[rustfmt::skip]
pub const LIFECYCLE: [(State, Row); State::ALL.len()] = [
    (Active, [
        Keep(AlreadyThere), To(Pending), Keep(CloseCase), To(Rejected), To(Rejected), To(Rejected), To(Pending),
        To(QuarantinedInjection), To(Superseded), STANDS, To(Expired), To(QuarantinedInjection), To(QuarantinedSecret), To(Forensic), UNSECRET,
        To(Erased)]),
    (Pending, [
        To(Active), Keep(AlreadyThere), To(Active), To(Rejected), To(Rejected), To(Rejected), Keep(AlreadyThere),
        To(QuarantinedInjection), To(Superseded), STANDS, To(Expired), To(QuarantinedInjection), To(QuarantinedSecret), To(Forensic), UNSECRET,
        To(Erased)]),
    (QuarantinedInjection, [
        WAITS, WAITS, To(Active), Keep(CloseCase), Keep(CloseCase), Keep(CloseCase), STANDS,
        Keep(AlreadyThere), CLOSED, STANDS, Keep(CloseCase), Keep(AlreadyThere), To(QuarantinedSecret), To(Forensic), UNSECRET,
        To(Erased)]),
    (QuarantinedSecret, [
        SEALED, SEALED, SEALED, Keep(CloseCase), Keep(CloseCase), Keep(CloseCase), SEALED,
        Keep(AlreadyThere), SEALED, SEALED, Keep(AlreadyThere), Keep(AlreadyThere), Keep(AlreadyThere), Keep(AlreadyThere), Keep(SpawnRedacted),
        To(Erased)]),
    (Forensic, [
        SEALED, SEALED, SEALED, Keep(CloseCase), Keep(CloseCase), Keep(CloseCase), SEALED,
        Keep(AlreadyThere), SEALED, SEALED, Keep(AlreadyThere), Keep(AlreadyThere), To(QuarantinedSecret), Keep(AlreadyThere), UNSECRET,
        To(Erased)]),
    (Superseded, [
        CLOSED, CLOSED, CLOSED, To(Rejected), To(Rejected), To(Rejected), STANDS,
        To(QuarantinedInjection), Keep(AlreadyThere), To(Pending), Keep(AlreadyThere), To(QuarantinedInjection), To(QuarantinedSecret), To(Forensic), UNSECRET,
        To(Erased)]),
    (Expired, [
        CLOSED, CLOSED, CLOSED, To(Rejected), To(Rejected), To(Rejected), To(Pending),
        To(QuarantinedInjection), Keep(AlreadyThere), STANDS, Keep(AlreadyThere), To(QuarantinedInjection), To(QuarantinedSecret), To(Forensic), UNSECRET,
        To(Erased)]),
    (Rejected, [
        CLOSED, CLOSED, CLOSED, Keep(AlreadyThere), Keep(AlreadyThere), Keep(AlreadyThere), To(Pending),
        To(QuarantinedInjection), CLOSED, STANDS, Keep(AlreadyThere), To(QuarantinedInjection), To(QuarantinedSecret), To(Forensic), UNSECRET,
        To(Erased)]),
    (Erased, [
        GONE, GONE, GONE, GONE, GONE, GONE, GONE,
        GONE, GONE, GONE, GONE, GONE, GONE, GONE, GONE,
        Keep(AlreadyThere)]),
];

/// What `event` does to a row in `state`.
#[must_use]
pub fn transition(state: State, event: Event) -> Cell {
    let row = LIFECYCLE.iter().find(|(row, _)| *row == state);
    let cell = row.and_then(|(_, cells)| cells.get(event as usize));
    // The table has a cell for every pair, which a test proves; a missing one would deny.
    cell.copied().unwrap_or(SEALED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_in_the_order_of_the_states() {
        let order: Vec<State> = LIFECYCLE.iter().map(|(state, _)| *state).collect();
        assert_eq!(order, State::ALL);
    }

    #[test]
    fn erased_is_final() {
        for event in Event::ALL {
            let stays = transition(Erased, *event);
            assert!(matches!(stays, Refuse(_) | Keep(AlreadyThere)), "{event}");
        }
    }

    #[test]
    fn only_a_sealed_row_spawns_its_redacted_remainder() {
        for state in State::ALL {
            let spawns = transition(*state, Event::ReleaseRedacted) == Keep(SpawnRedacted);
            assert_eq!(spawns, *state == QuarantinedSecret, "{state}");
        }
    }
}
