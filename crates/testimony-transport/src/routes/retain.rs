//! `retain`: evidence and what it claims, captured.

use std::sync::Arc;

use super::writing::{Body, kept, reply};
use super::{Call, Outcome};
use crate::problem::Problem;
use crate::wire::retain::{answer, read, replayed};

pub(super) fn retain(call: &Call<'_>) -> Outcome {
    let (mut retain, notes) = read(call.input, &call.sent()).map_err(Problem::invalid)?;
    call.names_no_secret()?;
    let container = call.container()?;
    let (tag, notes, wrong) = (container.to_string(), call.said(&notes), retain.wrong);
    let body: Body = Arc::new(move |said| answer(&tag, said, &wrong, &notes));
    let request = &mut retain.request;
    request.repetition.render = kept(&body);
    let written = call.service.retain(call.principal, container, request)?;
    let trail = call.trail(&request.repetition);
    reply(written, &body, |left| {
        replayed(container.as_str(), &trail, left)
    })
}
