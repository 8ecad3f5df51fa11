//! A gate of your own in five minutes: it holds back what is older than a month unless a person approved it.
//!
//! Run it with `cargo run -p testimony-testkit --example my_gate`.

use testimony_domain::{Memory, Reason};
use testimony_testkit::{Behind, GateContext, GateError, GateVerdict, TrustGate, broken, suite};

const MONTH_SECONDS: i64 = 30 * 24 * 60 * 60;

/// The gate. It reads a request and a row, and says how tight it wants to be; it never sees other rows, and it cannot
/// undo what the service's own gates decided.
struct FreshOrApproved;

impl TrustGate for FreshOrApproved {
    fn name(&self) -> &'static str {
        "fresh_or_approved"
    }

    fn examine(
        &self,
        context: &GateContext<'_>,
        memory: &Memory,
    ) -> Result<GateVerdict, GateError> {
        // Whoever asks about the past wants old rows.
        if memory.approved || context.time.looks_back() {
            return Ok(GateVerdict::Pass);
        }
        let age = context.now.as_second() - memory.observed_at.as_second();
        Ok(if age > MONTH_SECONDS {
            GateVerdict::Confirm(Reason::NotCurrent)
        } else {
            GateVerdict::Pass
        })
    }
}

#[expect(
    clippy::print_stdout,
    reason = "an example shows on the terminal what it does"
)]
fn main() {
    // Your gate stands behind the service's, and the suites attack both together. Each suite tries many requests and
    // rows, and returns the smallest that breaks its property.
    let stack = Behind(&FreshOrApproved);
    println!("total:              {:?}", suite::total(&stack));
    println!("nothing_foreign:    {:?}", suite::nothing_foreign(&stack));
    println!("sealed_stays_shut:  {:?}", suite::sealed_stays_shut(&stack));
    println!("errors_deny:        {:?}", suite::errors_deny(&stack));
    println!("tightens_only:      {:?}", suite::tightens_only(&stack));
    println!("non_interference:   {:?}", suite::non_interference(&stack));
    println!(
        "monotone_in_policy: {:?}",
        suite::monotone_in_policy(&stack)
    );
    println!(
        "repetition:         {:?}",
        suite::repetition_changes_nothing(&stack)
    );

    // A stack that stays open when a gate fails does not get past them.
    match suite::errors_deny(&broken::AdmitsOnError) {
        Ok(()) => println!("\nthe suite missed a broken stack"),
        Err(failure) => println!("\na broken stack is caught: {failure}"),
    }
}
