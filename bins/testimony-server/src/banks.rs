//! The memory banks that somebody configured: asked on the runtime of the server, each about its containers.

use std::sync::Arc;

use testimony::Testimony;
use testimony::banks::Banks;
use testimony::providers::RemoteBank;
use tokio::runtime::Handle;

use crate::failure::Failure;
use crate::settings::BankOf;

/// Has rows compared with the memory banks that are configured.
pub(crate) fn connect(
    memory: &Testimony,
    handle: &Handle,
    all: Vec<BankOf>,
) -> Result<(), Failure> {
    let mut banks = Banks::default();
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
        let bank = bank.map_err(|wrong| unusable(wrong.to_string()))?;
        banks = banks
            .comparing(Arc::new(bank), containers)
            .map_err(|wrong| unusable(wrong.to_string()))?;
    }
    memory.service().compare_with(banks);
    Ok(())
}
