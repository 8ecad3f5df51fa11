//! The same write sent twice is carried out once.

use testimony::ServiceError;
use testimony::domain::RequestId;
use testimony::write::{Idempotency, Item, Repetition, RetainRequest, Written};

use crate::support::{Desk, Somebody, done, named};

fn note(user: &Somebody<'_>, text: &str, repetition: Repetition) -> RetainRequest {
    RetainRequest {
        repetition,
        ..user.request(vec![Item::of(text)])
    }
}

#[test]
fn a_repetition_gets_the_first_answer_and_makes_nothing() {
    let desk = Desk::new();
    let user = desk.user();
    let request = note(&user, "The lab is on floor two.", named("r-1", 1));
    let first = done(user.try_retain(&request).unwrap());
    assert_eq!(first.idempotency, Idempotency::Recorded);
    let again = user.try_retain(&request).unwrap();
    let Written::Replayed(replay) = again else {
        panic!("{again:?}")
    };
    assert_eq!(replay.response.as_deref(), Some("1 saved"));
    assert_eq!(replay.memories, [first.retained[0].memory.id]);
    assert_eq!(desk.rows().len(), 1);
}

#[test]
fn another_body_under_the_same_id_is_carried_out_and_said() {
    let desk = Desk::new();
    let user = desk.user();
    let first = note(&user, "The lab is on floor two.", named("r-1", 1));
    let other = note(&user, "The cellar is dry.", named("r-1", 2));
    done(user.try_retain(&first).unwrap());
    let answer = done(user.try_retain(&other).unwrap());
    assert_eq!(answer.idempotency, Idempotency::Reused);
    assert_eq!(desk.rows().len(), 2);
    // The first answer is still the one that the id stands for.
    assert!(matches!(
        user.try_retain(&first).unwrap(),
        Written::Replayed(_)
    ));
}

#[test]
fn another_body_under_an_insisting_key_is_refused() {
    let desk = Desk::new();
    let user = desk.user();
    let insisting = |body| Repetition {
        key: Some(RequestId::new("Idempotency-Key", "k-1").unwrap()),
        ..named("r-1", body)
    };
    done(
        user.try_retain(&note(&user, "The lab is on floor two.", insisting(1)))
            .unwrap(),
    );
    let refused = user.try_retain(&note(&user, "The cellar is dry.", insisting(2)));
    assert!(matches!(refused, Err(ServiceError::KeyReused)));
    assert_eq!(desk.rows().len(), 1);
}

#[test]
fn the_id_of_one_key_says_nothing_about_that_of_another() {
    let desk = Desk::new();
    let (one, two) = (desk.user(), desk.user());
    let first = done(
        one.try_retain(&note(&one, "The lab is on floor two.", named("r-1", 1)))
            .unwrap(),
    );
    let second = done(
        two.try_retain(&note(&two, "The cellar is dry.", named("r-1", 1)))
            .unwrap(),
    );
    assert_eq!((first.saved(), second.saved()), (1, 1));
}

#[test]
fn a_repetition_is_forgotten_after_seven_days() {
    let desk = Desk::new();
    let user = desk.user();
    let request = note(&user, "The lab is on floor two.", named("r-1", 1));
    done(user.try_retain(&request).unwrap());
    desk.wait(7 * 24 + 1);
    assert!(matches!(
        user.try_retain(&request).unwrap(),
        Written::Done(_)
    ));
}

#[test]
fn sixty_four_at_once_make_one_row() {
    let desk = Desk::new();
    let user = desk.user();
    let request = note(&user, "The lab is on floor two.", named("r-1", 1));
    let carried_out = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..64)
            .map(|_| scope.spawn(|| user.try_retain(&request).unwrap()))
            .collect();
        workers
            .into_iter()
            .map(|worker| worker.join().unwrap())
            .filter(|written| matches!(written, Written::Done(_)))
            .count()
    });
    assert_eq!(carried_out, 1);
    assert_eq!(desk.rows().len(), 1);
}
