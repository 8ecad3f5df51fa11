//! Whoever waits for an answer, and may leave before it comes.
//!
//! A use case runs to its end once it has begun, so what it has decided stands. Only the wait for somebody outside, such
//! as a model, is worth nothing when nobody waits for what it would bring. Whoever carries a use case out says so with
//! [`Caller::waits_for`]; whoever asks outside finds it with [`Caller::current`], and stops asking when it leaves.

use std::cell::RefCell;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// What is done when a caller leaves.
type End = Box<dyn FnOnce() + Send>;

/// What is to be done when a caller leaves; `None` once it has.
type Ends = Option<Vec<End>>;

/// Somebody who waits for an answer.
#[derive(Clone)]
pub struct Caller(Arc<Mutex<Ends>>);

thread_local! {
    static CURRENT: RefCell<Option<Caller>> = const { RefCell::new(None) };
}

impl Default for Caller {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Some(Vec::new()))))
    }
}

impl fmt::Debug for Caller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let has_left = self.has_left();
        f.debug_struct("Caller")
            .field("has_left", &has_left)
            .finish()
    }
}

impl Caller {
    /// Whoever waits for what this thread works on; nobody, where the service works for itself.
    #[must_use]
    pub fn current() -> Option<Self> {
        CURRENT.with_borrow(Clone::clone)
    }

    /// Carries work out on this thread for this caller.
    pub fn waits_for<T>(&self, work: impl FnOnce() -> T) -> T {
        let _before = Before(CURRENT.replace(Some(self.clone())));
        work()
    }

    /// Whether it has left.
    #[must_use]
    pub fn has_left(&self) -> bool {
        self.ends().is_none()
    }

    /// Has something done when it leaves; at once where it has left.
    pub fn on_leaving(&self, end: impl FnOnce() + Send + 'static) {
        let mut ends = self.ends();
        match &mut *ends {
            Some(ends) => ends.push(Box::new(end)),
            None => {
                drop(ends);
                end();
            }
        }
    }

    /// It leaves.
    pub fn leave(&self) {
        let ends = self.ends().take();
        for end in ends.into_iter().flatten() {
            end();
        }
    }

    /// It is here until what is answered goes.
    #[must_use]
    pub fn here(&self) -> Here {
        Here(self.clone())
    }

    fn ends(&self) -> std::sync::MutexGuard<'_, Ends> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A caller that is here; it leaves when this goes.
#[derive(Debug)]
pub struct Here(Caller);

impl Drop for Here {
    fn drop(&mut self) {
        self.0.leave();
    }
}

/// Puts back whoever waited before, also after a panic.
struct Before(Option<Caller>);

impl Drop for Before {
    fn drop(&mut self) {
        CURRENT.set(self.0.take());
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn what_is_to_be_done_is_done_once_when_it_leaves_or_at_once() {
        let done = Arc::new(AtomicUsize::new(0));
        let count = || {
            let done = Arc::clone(&done);
            move || {
                done.fetch_add(1, Ordering::SeqCst);
            }
        };
        let caller = Caller::default();
        let here = caller.here();
        caller.on_leaving(count());
        assert_eq!(done.load(Ordering::SeqCst), 0);
        drop(here);
        caller.leave();
        assert_eq!(done.load(Ordering::SeqCst), 1);
        caller.on_leaving(count());
        assert_eq!(done.load(Ordering::SeqCst), 2);
    }

    #[test]
    fn whoever_waited_before_waits_again_also_after_a_panic() {
        assert!(Caller::current().is_none());
        let (one, other) = (Caller::default(), Caller::default());
        one.waits_for(|| {
            other.leave();
            let inner = || other.waits_for(|| panic!("the test says so"));
            let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(inner));
            assert!(ended.is_err());
            assert!(!Caller::current().unwrap().has_left());
        });
        assert!(Caller::current().is_none());
    }
}
