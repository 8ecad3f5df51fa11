//! What cosines mean is measured beside the table, whose cosines are known.

use testimony_embedding::{
    Calibration, EVERYDAY, EmbedError, Embedder, EmbedderIdentity, FEWEST_TEXTS, NotCalibrated,
    StaticEmbedder, Vector, calibrated_against,
};

/// The table with its vectors bent: by so much of one direction in all of them, every cosine is higher.
struct Bent {
    identity: EmbedderIdentity,
    table: StaticEmbedder,
    by: f32,
}

impl Bent {
    fn by(by: f32) -> Self {
        Self {
            identity: EmbedderIdentity {
                name: "bent".to_owned(),
                revision: "1".to_owned(),
                dimensions: 257,
            },
            table: table(),
            by,
        }
    }
}

impl Embedder for Bent {
    fn identity(&self) -> &EmbedderIdentity {
        &self.identity
    }

    fn calibration(&self) -> Option<&Calibration> {
        None
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Option<Vector>>, EmbedError> {
        let bent = |vector: Vector| {
            let mut numbers = vector.into_numbers();
            numbers.push(self.by);
            Vector::from_direction(numbers).unwrap()
        };
        let vectors = self.table.embed(texts)?.into_iter();
        Ok(vectors.map(|vector| vector.map(bent)).collect())
    }
}

fn table() -> StaticEmbedder {
    StaticEmbedder::built_in().unwrap()
}

fn everyday() -> Vec<&'static str> {
    EVERYDAY.lines().collect()
}

#[test]
fn the_table_beside_itself_means_what_it_says_already() {
    let (table, texts) = (table(), everyday());
    let made = calibrated_against(&table, &table, &texts).unwrap();
    let known = table.calibration().unwrap();
    for step in 0..=100_u8 {
        let cosine = f32::from(step) / 100.0;
        let (found, wanted) = (made.likeness(cosine), known.likeness(cosine));
        assert!((found - wanted).abs() < 0.06, "{cosine}: {found} {wanted}");
    }
    assert_ne!(made.version(), known.version(), "it was measured otherwise");
}

#[test]
fn an_embedder_that_finds_everything_near_means_the_same_afterwards() {
    let (table, bent, texts) = (table(), Bent::by(1.5), everyday());
    let made = calibrated_against(&table, &bent, &texts).unwrap();
    assert!(made.points().len() >= 8, "{:?}", made.points());
    let known = table.calibration().unwrap();
    for step in 0..=100_u8 {
        let cosine = f32::from(step) / 100.0;
        // Two unit vectors that are bent by so much have this cosine.
        let bent = (cosine + 1.5 * 1.5) / (1.0 + 1.5 * 1.5);
        let (found, wanted) = (made.likeness(bent), known.likeness(cosine));
        assert!((found - wanted).abs() < 0.06, "{cosine}: {found} {wanted}");
    }
}

#[test]
fn the_same_texts_give_the_same_calibration_in_whatever_order_they_stand() {
    let (table, bent, mut texts) = (table(), Bent::by(0.5), everyday());
    let made = calibrated_against(&table, &bent, &texts).unwrap();
    assert_eq!(calibrated_against(&table, &bent, &texts), Ok(made.clone()));
    texts.reverse();
    texts.extend(everyday());
    let again = calibrated_against(&table, &bent, &texts).unwrap();
    for (one, other) in made.points().iter().zip(again.points()) {
        assert!((one.cosine - other.cosine).abs() < 1e-5);
    }
}

#[test]
fn what_cannot_be_measured_is_refused_with_what_helps() {
    let (table, bent) = (table(), Bent::by(0.5));
    let texts = everyday();
    let uncalibrated = calibrated_against(&bent, &table, &texts);
    assert!(matches!(
        uncalibrated,
        Err(NotCalibrated::NoReference { .. })
    ));
    let few = vec!["the same"; 2 * FEWEST_TEXTS];
    let few = calibrated_against(&table, &bent, &few);
    assert_eq!(few, Err(NotCalibrated::TooFewTexts { found: 1 }));
    // Bent so far that nothing else is left of any vector.
    let blind = calibrated_against(&table, &Bent::by(1e30), &texts).unwrap_err();
    assert!(matches!(blind, NotCalibrated::NoLine(_)), "{blind}");
    for told in [few.unwrap_err(), blind] {
        assert!(told.to_string().contains("take "), "{told}");
    }
}

#[test]
fn the_everyday_sentences_are_three_hundred_and_all_differ() {
    let mut texts = everyday();
    assert_eq!(texts.len(), 300);
    texts.sort_unstable();
    texts.dedup();
    assert_eq!(texts.len(), 300);
    let heard = table().embed(&texts).unwrap();
    assert!(heard.iter().all(Option::is_some));
}
