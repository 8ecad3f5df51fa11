//! The issuers whose tokens are believed, from the file that names them; keys lie in files beside it.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use testimony::Testimony;
use testimony_transport::tokens::{Issuers, read};

use crate::failure::Failure;

/// Has the service believe the tokens of the issuers in a file.
#[expect(
    clippy::disallowed_methods,
    reason = "the shell reads its configuration"
)]
pub(crate) fn believe(memory: &Testimony, file: &Path) -> Result<(), Failure> {
    let failed = || Failure::doing("the file of issuers", "read");
    let text = fs::read_to_string(file).map_err(failed())?;
    let config = serde_json::from_str(&text).map_err(|error| failed()(error.into()))?;
    let beside = |name: &str| match file.parent() {
        Some(folder) => fs::read(folder.join(name)),
        None => fs::read(name),
    };
    let issuers = read(&config, &beside).map_err(|wrong| {
        let said = wrong
            .iter()
            .map(|fault| format!("{}: {}", fault.pointer, fault.detail));
        Failure::Issuers(said.collect::<Vec<_>>().join("\n"))
    })?;
    memory.service().believe(Arc::new(Issuers::new(issuers)));
    Ok(())
}
