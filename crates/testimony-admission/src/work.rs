//! How much work a text makes, counted in steps and not in seconds.
//!
//! A sweep says with [`steps`] how many bytes or items it looks at. Only the tests of this crate count; anywhere else
//! the call is empty and nothing is kept. What a regex or a comparison of the standard library does inside counts as
//! what it is given, because that is what they promise to be linear in.
//!
//! With [`growth::check`] a test says that the work stays in proportion to the text. Its canary is a twin that does the
//! same work in a way that does not: the check has to refuse it.

/// Says that so many bytes or items were looked at.
#[inline(always)]
pub(crate) fn steps(count: usize) {
    #[cfg(test)]
    growth::add(count);
    #[cfg(not(test))]
    let _ = count;
}

/// The counter, and what it is for.
#[cfg(test)]
pub(crate) mod growth {
    use std::cell::Cell;

    /// The shortest text that is tried; the others are four and sixteen times as long.
    const SHORTEST: usize = 250;

    thread_local! {
        static STEPS: Cell<usize> = const { Cell::new(0) };
    }

    pub(super) fn add(count: usize) {
        STEPS.set(STEPS.get().saturating_add(count));
    }

    /// The steps of `work`.
    pub(crate) fn of(work: impl FnOnce()) -> usize {
        STEPS.set(0);
        work();
        STEPS.get()
    }

    /// Whether `work` takes at most `most` steps for each byte of a text that repeats `unit`, however long it is.
    pub(crate) fn check(unit: &str, most: usize, work: impl Fn(&str)) -> Result<(), String> {
        for longer in [1, 4, 16] {
            let text = unit.repeat(longer * SHORTEST / unit.len().max(1) + 1);
            let steps = of(|| work(&text));
            if steps > most * text.len() {
                return Err(format!(
                    "{steps} steps for {} bytes of {unit:?}",
                    text.len()
                ));
            }
            if steps < text.chars().count() {
                return Err(format!(
                    "only {steps} steps for {} bytes: who counts?",
                    text.len()
                ));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{growth, steps};

    #[test]
    fn a_sweep_is_linear_and_a_sweep_from_every_byte_is_not() {
        let sweep = |text: &str| steps(text.len());
        let from_every_byte = |text: &str| (0..text.len()).for_each(|at| steps(text.len() - at));
        assert_eq!(growth::check("ab", 1, sweep), Ok(()));
        assert!(growth::check("ab", 64, from_every_byte).is_err());
    }

    #[test]
    fn work_that_nobody_counts_proves_nothing() {
        assert!(growth::check("ab", 64, |_| ()).is_err());
    }
}
