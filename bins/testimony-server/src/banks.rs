//! The memory banks that somebody configured: asked on the runtime of the server, each about its containers.

use std::sync::Arc;

use testimony::Testimony;
use testimony::banks::Banks;
use testimony::providers::{Counted, RemoteBank};
use testimony_transport::metrics::Measured;
use tokio::runtime::Handle;

use crate::failure::Failure;
use crate::settings::BankOf;

/// The memory banks that are asked.
pub(crate) type Asked = Vec<Arc<RemoteBank>>;

/// Has rows compared with the memory banks that are configured.
pub(crate) fn connect(
    memory: &Testimony,
    handle: &Handle,
    all: Vec<BankOf>,
) -> Result<Asked, Failure> {
    let mut banks = Banks::default();
    let mut asked = Asked::new();
    for BankOf {
        settings,
        containers,
    } in all
    {
        let unusable = |wrong: String| {
            let name = settings.name.as_str();
            Failure::Unusable(format!("[banks.{name}]: {wrong}"))
        };
        let bank = RemoteBank::on(handle.clone(), &settings);
        let bank = Arc::new(bank.map_err(|wrong| unusable(wrong.to_string()))?);
        asked.push(Arc::clone(&bank));
        banks = banks
            .comparing(bank, containers)
            .map_err(|wrong| unusable(wrong.to_string()))?;
    }
    memory.service().compare_with(banks);
    Ok(asked)
}

/// What was counted of all banks together.
pub(crate) fn measured(banks: &Asked) -> Vec<Measured> {
    let sum = |of: fn(&Counted) -> u64| banks.iter().map(|bank| of(&bank.counted())).sum();
    let all: [(&'static str, &'static str, u64); 3] = [
        (
            "testimony_bank_questions_total",
            "Questions that were sent to memory banks.",
            sum(|it| it.questions),
        ),
        (
            "testimony_bank_failures_total",
            "Questions to memory banks without an answer that can be used.",
            sum(|it| it.failures),
        ),
        (
            "testimony_bank_retries_total",
            "How often a question was sent to a memory bank again.",
            sum(|it| it.retries),
        ),
    ];
    let measured = all.into_iter().map(|(name, help, value)| Measured {
        name,
        help,
        grows: true,
        value,
    });
    measured.collect()
}
