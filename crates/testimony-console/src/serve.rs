//! From what is asked to the page that answers: who may, whether a form is one of ours, and which page it is.

use crate::answer::Answer;
use crate::desk::{Desk, Person, Refused, Role};
use crate::pages;
use crate::parts::frame;
use crate::text::link;
use crate::visit::{Method, Origin, Visit};

/// For whom a page is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Door {
    /// For anybody.
    Anybody,
    /// For whoever has signed in.
    Person,
    /// For whoever operates the service.
    Admin,
}

/// What comes of asking for a page.
pub(crate) type Outcome = Result<Answer, Refused>;

/// A page.
pub(crate) struct Page {
    pub(crate) method: Method,
    /// Its path; `{}` stands for one part of it.
    pub(crate) pattern: &'static str,
    pub(crate) door: Door,
    pub(crate) answer: fn(&Room<'_>) -> Outcome,
}

pub(crate) const fn get(
    pattern: &'static str,
    door: Door,
    answer: fn(&Room<'_>) -> Outcome,
) -> Page {
    Page {
        method: Method::Get,
        pattern,
        door,
        answer,
    }
}

pub(crate) const fn post(
    pattern: &'static str,
    door: Door,
    answer: fn(&Room<'_>) -> Outcome,
) -> Page {
    Page {
        method: Method::Post,
        ..get(pattern, door, answer)
    }
}

/// Where a page is made: what was asked, by whom, and through what it is answered.
pub(crate) struct Room<'a> {
    pub(crate) visit: &'a Visit,
    pub(crate) desk: &'a dyn Desk,
    /// What stands in the place of `{}`.
    pub(crate) named: &'a str,
}

impl Room<'_> {
    pub(crate) fn person(&self) -> Option<&Person> {
        self.desk.person()
    }

    pub(crate) fn is_admin(&self) -> bool {
        self.person()
            .is_some_and(|person| person.role == Role::Admin)
    }

    /// The container that is looked at: the one that is named, else `workspace`, else the first there is.
    pub(crate) fn container(&self) -> Result<Option<String>, Refused> {
        if let Some(named) = self.visit.get("container") {
            return Ok(Some(named.to_owned()));
        }
        let all = self.desk.containers()?;
        let usual = all.iter().find(|tag| *tag == "workspace");
        Ok(usual.or_else(|| all.first()).cloned())
    }
}

/// What stands in place of `{}`, where a path is of a pattern.
fn named<'p>(pattern: &str, path: &'p str) -> Option<&'p str> {
    let Some((before, behind)) = pattern.split_once("{}") else {
        return (pattern == path).then_some("");
    };
    let inner = path.strip_prefix(before)?.strip_suffix(behind)?;
    let is_one = !inner.is_empty() && !inner.contains('/');
    is_one.then_some(inner)
}

fn pages_at(path: &str) -> impl Iterator<Item = (&'static Page, &str)> {
    let all = pages::PAGES.iter().flat_map(|group| group.iter());
    all.filter_map(move |page| Some((page, named(page.pattern, path)?)))
}

/// Whether a path is one of the console's.
#[must_use]
pub fn is_here(path: &str) -> bool {
    pages_at(path).next().is_some()
}

/// Answers whoever asks. Whatever happens, there is a page.
#[must_use]
pub fn serve(visit: &Visit, desk: &dyn Desk) -> Answer {
    let found = pages_at(&visit.path).find(|(page, _)| page.method == visit.method);
    let room = Room {
        visit,
        desk,
        named: found.map_or("", |(_, named)| named),
    };
    let outcome = match found {
        Some((page, _)) => answer(&room, page),
        None => Err(Refused::nothing_here()),
    };
    outcome.unwrap_or_else(|refused| frame::trouble(&room, &refused))
}

fn answer(room: &Room<'_>, page: &Page) -> Outcome {
    let visit = room.visit;
    if page.door == Door::Anybody {
        // Nobody has a token yet, so the browser has to say that the form is ours.
        if page.method == Method::Post && visit.origin != Origin::Here {
            return Err(Refused::not_from_here());
        }
        return (page.answer)(room);
    }
    if room.person().is_none() {
        return Ok(to_sign_in(room));
    }
    if page.method == Method::Post {
        let shown = visit.or_empty("csrf");
        if visit.origin == Origin::Elsewhere || !room.desk.is_of_page(shown) {
            return Err(Refused::not_from_here());
        }
    }
    if page.door == Door::Admin && !room.is_admin() {
        return Err(Refused::nothing_here());
    }
    (page.answer)(room)
}

/// Whoever follows a link from elsewhere sends no cookie with it, and is not asked to sign in before that is known.
fn to_sign_in(room: &Room<'_>) -> Answer {
    let visit = room.visit;
    let from_a_link = visit.origin == Origin::Elsewhere && !visit.has_cookie;
    if visit.method == Method::Get && from_a_link {
        return frame::again(&visit.address());
    }
    let next = match visit.method {
        Method::Get => visit.address(),
        Method::Post => String::new(),
    };
    Answer::go_on_at(link("/login", &[("next", &next)]))
}

/// A page that says what went wrong where no page could be made.
#[must_use]
pub fn page_of_trouble(refused: &Refused) -> Answer {
    frame::bare_trouble(refused)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_of_one_pattern_whole() {
        assert_eq!(named("/memories", "/memories"), Some(""));
        assert_eq!(
            named("/memories/{}/retract", "/memories/mem_1/retract"),
            Some("mem_1")
        );
        for path in [
            "/memories//retract",
            "/memories/a/b/retract",
            "/memories/retract",
            "/memories",
        ] {
            assert_eq!(named("/memories/{}/retract", path), None, "{path}");
        }
    }

    #[test]
    fn no_page_is_hidden_behind_another() {
        let all: Vec<&Page> = pages::PAGES.iter().flat_map(|group| group.iter()).collect();
        for (at, page) in all.iter().enumerate() {
            let twice = all
                .iter()
                .skip(at + 1)
                .any(|other| other.method == page.method && other.pattern == page.pattern);
            assert!(!twice, "{}", page.pattern);
        }
    }

    #[test]
    fn paths_of_the_interface_are_not_the_consoles() {
        for path in [
            "/api/v1/session",
            "/mcp",
            "/healthz",
            "/docs",
            "/v1/chat/completions",
            "",
        ] {
            assert!(!is_here(path), "{path}");
        }
        for path in ["/", "/login", "/memories", "/assets/console.css"] {
            assert!(is_here(path), "{path}");
        }
    }
}
