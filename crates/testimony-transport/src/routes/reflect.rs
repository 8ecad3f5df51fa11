//! `reflect`: an answer in sentences, with what they rest on.

use testimony_service::write::Render;
use testimony_service::{NotFound, ServiceError};

use super::{Call, Outcome, Reply};
use crate::problem::Problem;
use crate::wire::reflect::{answer, capture, read};

pub(super) fn reflect(call: &Call<'_>) -> Outcome {
    let (mut reflect, notes) = read(call.input, &call.sent()).map_err(Problem::invalid)?;
    call.names_no_secret()?;
    if reflect.names_nothing {
        return Err(ServiceError::from(NotFound::Priority).into());
    }
    let container = call.container()?;
    let tag = container.to_string();
    reflect.request.repetition.render =
        Render::new(move |answer| capture(&tag, answer).to_string());
    let (query, notes) = (call.redacted(&reflect.request.query), call.said(&notes));
    let body = call
        .service
        .reflect(call.principal, container, &reflect.request, |found| {
            answer(&reflect, &found, &query, &notes)
        })?;
    Ok(Reply::ok(body))
}
