//! What models may and may not do over HTTP, with models that say what a test has them say.

mod extracting;
mod helping;
mod judging;
mod leaving;
mod phrasing;
pub(crate) mod scripted;
