//! The courtroom from outside: cases as data, whole reports, and bounds.

#[cfg(test)]
mod bounds;
#[cfg(test)]
mod cases;
#[cfg(test)]
mod common;
#[cfg(test)]
mod golden;
#[cfg(test)]
mod tables;
