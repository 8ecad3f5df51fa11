//! The files of the console itself.

use crate::answer::{Answer, Body};
use crate::serve::{Door, Outcome, Page, Room, get};

/// The style sheet.
pub(crate) const STYLE: &str = include_str!("../assets/console.css");
/// The script.
pub(crate) const SCRIPT: &str = include_str!("../assets/console.js");
const MARK: &str = include_str!("../assets/mark.svg");

pub(super) const PAGES: &[Page] = &[
    get("/assets/console.css", Door::Anybody, style),
    get("/assets/console.js", Door::Anybody, script),
    get("/assets/mark.svg", Door::Anybody, mark),
];

#[expect(clippy::unnecessary_wraps, reason = "every page can be refused")]
const fn file(media: &'static str, text: &'static str) -> Outcome {
    Ok(Answer::of(200, Body::Asset(media, text.as_bytes())))
}

fn style(_: &Room<'_>) -> Outcome {
    file("text/css; charset=utf-8", STYLE)
}

fn script(_: &Room<'_>) -> Outcome {
    file("text/javascript; charset=utf-8", SCRIPT)
}

fn mark(_: &Room<'_>) -> Outcome {
    file("image/svg+xml", MARK)
}
