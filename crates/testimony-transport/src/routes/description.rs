//! The description of the interface, for programs and for people.

use std::borrow::Cow;
use std::sync::OnceLock;

use testimony_service::Service;

use super::{Audience, Body, Call, Outcome, Reply, Running};
use crate::openapi::{STYLE, once, page, written};

/// A page in the language of browsers.
pub(super) const HTML: &str = "text/html; charset=utf-8";
/// A style sheet.
pub(super) const CSS: &str = "text/css; charset=utf-8";

#[expect(clippy::unnecessary_wraps, reason = "every handler can refuse")]
const fn text(text: &'static str) -> Outcome {
    Ok(Reply::holding(Body::Text(Cow::Borrowed(text))))
}

pub(super) fn public(_: &Service, _: &Running) -> Outcome {
    static WRITTEN: OnceLock<String> = OnceLock::new();
    text(once(&WRITTEN, || written(Audience::Public)))
}

pub(super) fn operator(_: &Call<'_>) -> Outcome {
    static WRITTEN: OnceLock<String> = OnceLock::new();
    text(once(&WRITTEN, || written(Audience::Operator)))
}

#[expect(clippy::unnecessary_wraps, reason = "every handler can refuse")]
pub(super) fn public_page(_: &Service, _: &Running) -> Outcome {
    static WRITTEN: OnceLock<String> = OnceLock::new();
    let page = once(&WRITTEN, || page(Audience::Public));
    Ok(Reply::holding(Body::Html(page)))
}

#[expect(clippy::unnecessary_wraps, reason = "every handler can refuse")]
pub(super) fn operator_page(_: &Call<'_>) -> Outcome {
    static WRITTEN: OnceLock<String> = OnceLock::new();
    let page = once(&WRITTEN, || page(Audience::Operator));
    Ok(Reply::holding(Body::Html(page)))
}

pub(super) fn style(_: &Service, _: &Running) -> Outcome {
    text(STYLE)
}
