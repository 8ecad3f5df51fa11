//! Every combination of state, class, approval, review, conflict and origins has exactly one standing, and the right
//! one.

use testimony_domain::verdict::{ORIGINS_THAT_ESTABLISH, may_promote};
use testimony_domain::{
    Lane, Reason, ReviewNeed, SourceClass, Standing, State, TrustBucket, TrustPolicy, Verdict,
};

#[derive(Clone, Copy, Debug)]
struct Row {
    state: State,
    class: SourceClass,
    approved: bool,
    review: Option<ReviewNeed>,
    contested: bool,
    origins: usize,
}

impl Row {
    fn standing(self) -> Standing {
        let Self {
            state,
            class,
            approved,
            review,
            contested,
            origins,
        } = self;
        Standing::of(state, class, approved, review, contested, origins)
    }

    fn is_open(self) -> bool {
        matches!(self.state, State::Active | State::Pending)
    }
}

fn every_row() -> Vec<Row> {
    let reviews: Vec<Option<ReviewNeed>> = ReviewNeed::ALL
        .iter()
        .copied()
        .map(Some)
        .chain([None])
        .collect();
    let mut rows = Vec::new();
    for state in State::ALL.iter().copied() {
        for class in SourceClass::ALL.iter().copied() {
            for review in reviews.iter().copied() {
                for (approved, contested) in
                    [(false, false), (false, true), (true, false), (true, true)]
                {
                    for origins in 0..=3 {
                        rows.push(Row {
                            state,
                            class,
                            approved,
                            review,
                            contested,
                            origins,
                        });
                    }
                }
            }
        }
    }
    rows
}

/// The standing as a person would read it off the page of verdicts.
fn as_the_page_says(row: Row) -> Standing {
    match row.state {
        State::QuarantinedInjection | State::QuarantinedSecret => return Standing::Quarantined,
        State::Forensic => return Standing::Forensic,
        State::Superseded => return Standing::Superseded,
        State::Expired => return Standing::Expired,
        State::Rejected => return Standing::Rejected,
        State::Erased => return Standing::Erased,
        State::Active | State::Pending => {}
    }
    let weak = row.class < SourceClass::ToolResult;
    let is_pending = row.state == State::Pending;
    if row.contested {
        Standing::Contested
    } else if row.review.is_some() && (is_pending || !row.approved) {
        Standing::AwaitsReview
    } else if is_pending {
        if weak {
            Standing::SingleOrigin
        } else {
            Standing::AwaitsReview
        }
    } else if row.approved || row.origins >= 2 {
        Standing::Established
    } else if weak {
        Standing::SingleOrigin
    } else if row.class == SourceClass::ToolResult {
        Standing::CleanTool
    } else {
        Standing::CleanPerson
    }
}

#[test]
fn every_row_stands_as_the_page_says() {
    let rows = every_row();
    assert_eq!(rows.len(), 9 * 6 * 4 * 4 * 4);
    for row in rows {
        assert_eq!(row.standing(), as_the_page_says(row), "{row:?}");
    }
}

/// An active row is only a mistake of the caller where its standing is one of pending rows alone.
#[test]
fn a_standing_holds_the_state_but_for_two_cautious_readings() {
    for row in every_row() {
        let holds = row.standing().row().states.contains(&row.state);
        let cautious = row.state == State::Active
            && matches!(
                row.standing(),
                Standing::AwaitsReview | Standing::SingleOrigin
            );
        assert_eq!(holds, !cautious, "{row:?}");
    }
}

#[test]
fn only_open_rows_are_ever_trusted() {
    for row in every_row() {
        let ruling = row.standing().row();
        assert_eq!(
            ruling.verdict == Verdict::Rejected,
            !row.is_open(),
            "{row:?}"
        );
        if ruling.verdict == Verdict::Trusted {
            assert_eq!(row.state, State::Active, "{row:?}");
            assert!(
                !row.contested && (row.review.is_none() || row.approved),
                "{row:?}"
            );
            let vouched_for = row.approved || row.origins >= ORIGINS_THAT_ESTABLISH;
            assert!(
                vouched_for || row.class >= SourceClass::UserStatement,
                "{row:?}"
            );
        }
    }
}

#[test]
fn more_that_speaks_for_a_row_never_makes_it_stricter_and_less_never_looser() {
    for row in every_row() {
        let verdict = |row: Row| row.standing().row().verdict;
        let supported = Row {
            origins: row.origins + 1,
            ..row
        };
        let doubted = Row {
            contested: true,
            ..row
        };
        let approved = Row {
            approved: true,
            ..row
        };
        assert!(verdict(supported) <= verdict(row), "{row:?}");
        assert!(verdict(approved) <= verdict(row), "{row:?}");
        assert!(verdict(doubted) >= verdict(row), "{row:?}");
    }
}

#[test]
fn promotion_is_decided_by_conflict_then_review_then_support() {
    for row in every_row() {
        let expected = match row {
            Row {
                contested: true, ..
            } => Err(Reason::Conflict),
            Row {
                review: Some(_), ..
            } => Err(Reason::PendingReview),
            Row {
                class: SourceClass::Operator | SourceClass::UserStatement | SourceClass::ToolResult,
                ..
            } => Ok(()),
            Row { origins: 0 | 1, .. } => Err(Reason::SingleSupport),
            _ => Ok(()),
        };
        assert_eq!(
            may_promote(row.class, row.review, row.contested, row.origins),
            expected,
            "{row:?}"
        );
    }
}

#[test]
fn what_may_be_promoted_is_in_order_once_it_is_active() {
    for row in every_row() {
        if may_promote(row.class, row.review, row.contested, row.origins).is_ok() {
            let promoted = Row {
                state: State::Active,
                ..row
            };
            assert!(
                promoted.standing().row().states.contains(&State::Active),
                "{row:?}"
            );
        }
    }
}

#[test]
fn the_stricter_of_two_verdicts_counts() {
    let order = [
        Verdict::Trusted,
        Verdict::Caution,
        Verdict::NeedsReview,
        Verdict::Rejected,
    ];
    assert_eq!(order, Verdict::ALL);
    for (rank, one) in order.iter().enumerate() {
        for (other_rank, other) in order.iter().enumerate() {
            let stricter = one.stricter(*other);
            assert_eq!(stricter, order[rank.max(other_rank)]);
        }
    }
}

#[test]
fn buckets_hold_verdicts() {
    let buckets = Verdict::ALL.iter().map(|verdict| verdict.bucket());
    let expected = [
        TrustBucket::Trusted,
        TrustBucket::NeedsReview,
        TrustBucket::NeedsReview,
        TrustBucket::Blocked,
    ];
    assert_eq!(buckets.collect::<Vec<_>>(), expected);
}

#[test]
fn each_policy_reads_its_own_column() {
    let row = Standing::CleanTool.row();
    assert_eq!(row.lane(TrustPolicy::Off), Lane::Result);
    assert_eq!(row.lane(TrustPolicy::Balanced), Lane::ResultMarked);
    assert_eq!(row.lane(TrustPolicy::Strict), Lane::Held);
}

#[test]
fn lanes_follow_verdicts() {
    for standing in Standing::ALL {
        let row = standing.row();
        assert_eq!(row.standing, *standing);
        let lanes = TrustPolicy::ALL.iter().map(|policy| row.lane(*policy));
        for lane in lanes {
            let allowed: &[Lane] = match row.verdict {
                Verdict::Trusted => &[Lane::Result],
                Verdict::Caution => &[Lane::Result, Lane::ResultMarked, Lane::Held],
                Verdict::NeedsReview => &[Lane::NeedsConfirmation, Lane::Held],
                Verdict::Rejected => &[Lane::HistoricalOnly, Lane::Never],
            };
            assert!(allowed.contains(&lane), "{standing}: {lane}");
        }
        let explained = row.verdict == Verdict::Trusted || !row.reasons.is_empty();
        assert!(explained, "{standing} says no reason");
    }
}
