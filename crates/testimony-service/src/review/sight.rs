//! What a reviewer may know of, and what a reviewer said.

use testimony_domain::{Capability, Claim, EffectiveIdentity, Memory, Origin, Polarity, Timestamp};

use crate::access::Visitor;
use crate::ports::ledger::{LedgerError, Reader};
use crate::read::is_visible;

/// Whether a reviewer may know of a row.
///
/// A label that the credential leaves open could be claimed in any request, so it hides nothing from a reviewer; one that
/// the credential binds does, and so does another agent's private room unless the credential reaches all agents.
pub(super) fn sees(visitor: &Visitor, row: &Memory, now: Timestamp) -> bool {
    let claim = Claim {
        labels: row.partition.labels().clone(),
        ..Claim::default()
    };
    let container = visitor.identity.container();
    let acting = visitor
        .principal
        .act(container, Capability::Review, &claim, now);
    acting.is_ok_and(|(who, _)| is_visible(row, &who))
}

/// Whether a row rests on what the same key or agent said.
pub(super) fn said_it(
    reader: &(impl Reader + ?Sized),
    row: &Memory,
    who: &EffectiveIdentity,
) -> Result<bool, LedgerError> {
    let own = |origin: &Origin| {
        let same_agent = origin.agent.is_some() && origin.agent.as_ref() == who.agent();
        origin.key == who.key() || same_agent
    };
    let supports = reader.supports(row.id)?;
    let mut speaking_for = supports
        .iter()
        .filter(|link| link.polarity == Polarity::Supports);
    if speaking_for.any(|link| own(&link.origin)) {
        return Ok(true);
    }
    let evidence = reader.evidence(&row.evidence)?;
    Ok(evidence.iter().any(|kept| own(&kept.evidence.origin)))
}
