//! What is measured: the entrance of admission, and how rows come together in the block that a model reads.

use testimony_admission::secrets::split_across;
use testimony_admission::submission::Policy;
use testimony_domain::Redacted;

use crate::eval::Entrance;

/// The entrance that `cargo xtask eval` measures.
pub const ENTRANCE: Entrance = Entrance {
    admit: testimony_admission::admit,
    compose,
};

/// Rows one under the other, without those that show a secret only together.
fn compose(rows: &[Redacted], policy: &Policy<'_>) -> Redacted {
    let lines: Vec<&str> = rows.iter().map(Redacted::as_str).collect();
    let split = split_across(&lines, policy);
    let kept = lines.iter().enumerate();
    let kept = kept.filter(|(at, _)| {
        !split
            .iter()
            .any(|secret| [secret.first.0, secret.second.0].contains(at))
    });
    let kept: Vec<&str> = kept.map(|(_, line)| *line).collect();
    Redacted::attest(kept.join("\n"))
}
