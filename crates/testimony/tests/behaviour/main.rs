//! What the service does, rule by rule, as somebody who embeds it sees it.

#[cfg(test)]
mod embedding;
#[cfg(test)]
mod erasing;
#[cfg(test)]
mod keys;
#[cfg(test)]
mod reading;
#[cfg(test)]
mod repetition;
#[cfg(test)]
mod reviewing;
#[cfg(test)]
mod support;
#[cfg(test)]
mod transferring;
#[cfg(test)]
mod writing;
