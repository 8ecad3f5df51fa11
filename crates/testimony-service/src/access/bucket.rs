//! How much is allowed in how much time: a bucket of tokens that fills up evenly, as one instant.
//!
//! A bucket is told by the instant at which it is full again, so that it is one number, needs no upkeep, and is full by
//! itself after a while in which nothing was taken.

use std::time::Duration;

use testimony_domain::Timestamp;

/// So many tokens, that come back evenly over so much time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    tokens: u32,
    /// After so many nanoseconds one token is back.
    every: i128,
}

impl Rate {
    /// So many in so many seconds; at least one.
    #[must_use]
    pub const fn new(tokens: u32, seconds: u32) -> Self {
        const NANOSECONDS: i128 = 1_000_000_000;
        let tokens = if tokens == 0 { 1 } else { tokens };
        let every = seconds as i128 * NANOSECONDS / tokens as i128;
        Self {
            tokens,
            every: if every == 0 { 1 } else { every },
        }
    }

    /// So many in a minute.
    #[must_use]
    pub const fn per_minute(tokens: u32) -> Self {
        Self::new(tokens, 60)
    }

    /// How long an empty bucket takes to be full.
    const fn whole(self) -> i128 {
        self.every * self.tokens as i128
    }
}

/// A bucket. It is full at first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bucket {
    full_at: i128,
}

/// How a bucket stands after something was asked of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// How many tokens it holds at most.
    pub limit: u32,
    /// How many are left.
    pub remaining: u32,
    /// After how long it is full again.
    pub full_in: Duration,
    /// After how long there is a token again, where there was none to take.
    pub wait: Option<Duration>,
}

impl Bucket {
    /// Takes a token, where there is one.
    pub fn take(&mut self, rate: Rate, now: Timestamp) -> Standing {
        let now = now.as_nanosecond();
        // A clock that was put back must not keep anybody out for longer than an empty bucket would.
        let full_at = self.full_at.clamp(now, now.saturating_add(rate.whole()));
        let (then, room) = (full_at + rate.every, now.saturating_add(rate.whole()));
        let wait = (then > room).then(|| span(then - room));
        self.full_at = if wait.is_some() { full_at } else { then };
        Standing {
            wait,
            ..self.standing(rate, now)
        }
    }

    /// Puts a token back that was taken for what turned out not to count.
    pub fn give_back(&mut self, rate: Rate) {
        // A bucket that is full already stays so: the instant lies in the past then, which taking passes over.
        self.full_at = self.full_at.saturating_sub(rate.every);
    }

    fn standing(&self, rate: Rate, now: i128) -> Standing {
        let missing = (self.full_at - now).max(0);
        let left = (rate.whole() - missing).max(0) / rate.every;
        Standing {
            limit: rate.tokens,
            remaining: u32::try_from(left).unwrap_or(rate.tokens),
            full_in: span(missing),
            wait: None,
        }
    }

    /// Whether nothing was taken of it that is not back.
    #[must_use]
    pub fn is_full(&self, now: Timestamp) -> bool {
        self.full_at <= now.as_nanosecond()
    }
}

fn span(nanoseconds: i128) -> Duration {
    Duration::from_nanos(u64::try_from(nanoseconds).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use proptest::test_runner::{TestCaseError, TestRunner};

    #[expect(
        clippy::disallowed_methods,
        reason = "the number of cases is set from outside"
    )]
    fn cases() -> ProptestConfig {
        match std::env::var("PROPTEST_CASES") {
            Ok(_) => ProptestConfig::default(),
            Err(_) => ProptestConfig::with_cases(1_024),
        }
    }

    fn at(nanoseconds: i128) -> Timestamp {
        Timestamp::from_nanosecond(1_790_000_000_000_000_000 + nanoseconds).unwrap()
    }

    /// Whether a token was taken, after so much time since the one before.
    type Taking = fn(&mut Bucket, Rate, Timestamp) -> bool;

    fn sound(bucket: &mut Bucket, rate: Rate, now: Timestamp) -> bool {
        bucket.take(rate, now).wait.is_none()
    }

    /// A broken twin: it is filled up at once whenever a token would have come back.
    fn refilled_at_once(bucket: &mut Bucket, rate: Rate, now: Timestamp) -> bool {
        if bucket.full_at - now.as_nanosecond() < rate.whole() - rate.every {
            *bucket = Bucket::default();
        }
        sound(bucket, rate, now)
    }

    /// In no span are more tokens taken than the bucket holds and than come back meanwhile.
    fn never_too_many(take: Taking, tokens: u32, gaps: &[u32]) -> Result<(), TestCaseError> {
        let rate = Rate::new(tokens, 10);
        let mut bucket = Bucket::default();
        let (mut now, mut taken) = (0_i128, Vec::new());
        for gap in gaps {
            now += i128::from(*gap) * 1_000_000;
            if take(&mut bucket, rate, at(now)) {
                taken.push(now);
            }
        }
        for (index, from) in taken.iter().enumerate() {
            for (count, until) in (1_i128..).zip(&taken[index..]) {
                let most = i128::from(tokens) + (until - from) / rate.every;
                prop_assert!(count <= most, "{count} in {} ns", until - from);
            }
        }
        Ok(())
    }

    fn run(take: Taking) -> Result<(), String> {
        let gaps = proptest::collection::vec(0_u32..3_000, 1..60);
        TestRunner::new(cases())
            .run(&(1_u32..12, gaps), |(tokens, gaps)| {
                never_too_many(take, tokens, &gaps)
            })
            .map_err(|failed| failed.to_string())
    }

    #[test]
    fn no_more_is_taken_than_is_allowed() {
        run(sound).unwrap();
    }

    #[test]
    fn a_bucket_that_is_filled_too_soon_is_noticed() {
        run(refilled_at_once).unwrap_err();
    }

    proptest! {
        #![proptest_config(cases())]

        #[test]
        fn what_it_says_is_left_can_be_taken_and_no_more(tokens in 1_u32..1_000, before in 0_usize..1_200) {
            let rate = Rate::per_minute(tokens);
            let mut bucket = Bucket::default();
            let mut standing = bucket.take(rate, at(0));
            for _ in 0..before {
                standing = bucket.take(rate, at(0));
            }
            let left = (0..).take_while(|_| sound(&mut bucket, rate, at(0))).count();
            prop_assert_eq!(standing.remaining as usize, left);
            prop_assert_eq!(standing.limit, tokens);
        }

        #[test]
        fn whoever_waits_as_long_as_is_said_is_let_in(tokens in 1_u32..1_000_000) {
            let rate = Rate::per_minute(tokens);
            let mut bucket = Bucket { full_at: at(0).as_nanosecond() + rate.whole() };
            let wait = bucket.take(rate, at(0)).wait.unwrap();
            let later = i128::try_from(wait.as_nanos()).unwrap();
            prop_assert!(!sound(&mut bucket, rate, at(later - 1)));
            prop_assert!(sound(&mut bucket, rate, at(later)));
        }
    }

    #[test]
    fn a_clock_that_was_put_back_keeps_nobody_out_for_longer_than_an_empty_bucket() {
        let rate = Rate::per_minute(2);
        let mut bucket = Bucket::default();
        bucket.take(rate, at(86_400_000_000_000));
        assert_eq!(bucket.take(rate, at(0)).wait, Some(Duration::from_secs(30)));
        assert!(sound(&mut bucket, rate, at(30_000_000_000)));
    }

    #[test]
    fn what_is_given_back_can_be_taken_again_and_no_more_than_that() {
        let (rate, mut bucket) = (Rate::per_minute(2), Bucket::default());
        for _ in 0..5 {
            assert!(sound(&mut bucket, rate, at(0)));
            bucket.give_back(rate);
        }
        bucket.give_back(rate);
        let taken = (0..5).filter(|_| sound(&mut bucket, rate, at(0)));
        assert_eq!(taken.count(), 2);
    }

    #[test]
    fn a_bucket_is_full_after_a_while() {
        let mut bucket = Bucket::default();
        bucket.take(Rate::per_minute(2), at(0));
        assert!(!bucket.is_full(at(29_999_999_999)));
        assert!(bucket.is_full(at(30_000_000_000)));
    }
}
