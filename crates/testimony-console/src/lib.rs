//! The console: pages for the people who operate a memory and review what waits in it.
//!
//! A page is a function from what somebody asks to the text of an answer. Everything that it shows or changes goes through
//! a [`Desk`], which whoever serves it has the routes of the service behind: the console is one more client of them, with
//! the rights of the person who signed in. Every change is a form, so everything works without a script; the one script
//! adds shortcuts. Style and script are files of their own, so a page needs no exception from the strictest policy.
//!
//! This crate does **not** listen, know a session by its cookie, decide anything about trust, or reach the use cases.

mod answer;
mod desk;
mod pages;
mod parts;
mod serve;
mod text;
mod visit;

pub use answer::{Answer, Body, Kept};
pub use desk::{Answered, Desk, Part, Person, Refused, Role, SignIn, Tally, Took};
pub use serve::{is_here, page_of_trouble, serve};
pub use visit::{Method, Origin, Visit};

/// What a page may do: load style, script and pictures of this service and send forms to it, and nothing else. It can
/// stand in no frame.
pub const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";
