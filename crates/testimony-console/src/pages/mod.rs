//! The pages, in groups.

mod account;
mod activity;
pub(crate) mod assets;
mod audit;
mod browse;
mod change;
mod connections;
mod courtroom;
mod decide;
mod enter;
mod erase;
mod keys;
mod memories;
mod operations;
mod people;
mod queue;
mod recalled;
mod review;
mod why;

use crate::serve::Page;

/// Every page.
pub(crate) const PAGES: &[&[Page]] = &[
    assets::PAGES,
    enter::PAGES,
    account::PAGES,
    people::PAGES,
    memories::PAGES,
    change::PAGES,
    review::PAGES,
    decide::PAGES,
    connections::PAGES,
    keys::PAGES,
    activity::PAGES,
    audit::PAGES,
    operations::PAGES,
    erase::PAGES,
];
