//! The golden governance matrix: who gets what of which row, by which route and under which policy.
//!
//! Every cell is computed by the functions that decide in earnest; `fixtures/governance/matrix.tsv` holds them all, so
//! that a change of any decision shows as a changed line. `UPDATE_EXPECT=1 cargo test` writes it anew.

#[cfg(test)]
mod actors;
#[cfg(test)]
mod matrix;
#[cfg(test)]
mod outcome;
#[cfg(test)]
mod rows;
