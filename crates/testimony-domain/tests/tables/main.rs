//! The tables and values of the domain, searched exhaustively against the plainest reading of their rules.

#[cfg(test)]
mod identities;
#[cfg(test)]
mod lifecycle;
#[cfg(test)]
mod standings;
#[cfg(test)]
mod values;
