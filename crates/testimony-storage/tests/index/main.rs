//! The index against naive twins, against foreign rows, and against damaged files.

mod cuts;
mod damage;
mod isolation;
mod model;
mod purge;
mod support;
mod token_cases;
mod twin;
