//! The console behind HTTP: who asks is known by the session that the browser keeps, pages are made by the crate of the
//! console, and what they ask is answered by the same routes and use cases as every other client.

mod desk;
mod examine;

pub(crate) use desk::AtDesk;
pub(crate) use testimony_console::{Answer, Body, POLICY, Visit, is_here};

use testimony_console::{Refused, page_of_trouble};

use crate::problem::Problem;

/// The name under which requests for pages are counted and logged.
pub(crate) const ROUTE: &str = "console";

/// A problem, as a page tells it.
pub(crate) fn refused(problem: Problem) -> Refused {
    let faults = problem.faults.into_iter();
    Refused {
        status: problem.code.status(),
        title: problem.code.title().to_owned(),
        detail: problem.detail,
        faults: faults
            .map(|fault| (fault.pointer.as_str().to_owned(), fault.detail))
            .collect(),
    }
}

/// A page that says what went wrong before any page could be made.
pub(crate) fn trouble(problem: Problem) -> Answer {
    page_of_trouble(&refused(problem))
}
