//! The parts that pages are made of.

pub(crate) mod chart;
pub(crate) mod difference;
pub(crate) mod form;
pub(crate) mod frame;
pub(crate) mod mark;
pub(crate) mod memory;
pub(crate) mod said;
pub(crate) mod timeline;
