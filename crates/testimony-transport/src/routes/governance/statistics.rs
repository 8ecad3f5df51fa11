//! Statistics of a container.

use super::{Call, Outcome, Reply};
use crate::problem::Problem;
use crate::wire::governance::statistics::{answer, read};

pub(super) fn statistics(call: &Call<'_>) -> Outcome {
    let since = read(call.input).map_err(Problem::invalid)?;
    let container = call.tag()?;
    let found = call.service.statistics(call.principal, &container, since)?;
    Ok(Reply::ok(answer(container.as_str(), &found)))
}
