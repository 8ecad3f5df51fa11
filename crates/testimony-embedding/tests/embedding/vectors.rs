//! Vectors and calibrations cannot be made wrong.

use testimony_embedding::{Calibration, CalibrationError, Point, Vector, VectorError};

#[test]
fn a_direction_becomes_a_unit_vector_however_long_it_is() {
    for size in [1e-30, 1.0, 1e30] {
        let vector = Vector::from_direction(vec![3.0 * size, 4.0 * size]).unwrap();
        assert!((vector.as_slice()[0] - 0.6).abs() < 1e-6);
        assert!((vector.as_slice()[1] - 0.8).abs() < 1e-6);
        assert!(Vector::from_unit(vector.into_numbers()).is_ok());
    }
}

#[test]
fn what_has_no_direction_is_refused_with_its_reason() {
    for (numbers, error) in [
        (vec![], VectorError::Empty),
        (vec![0.0, 0.0], VectorError::Zero),
        (vec![1.0, f32::NAN], VectorError::NotFinite { index: 1 }),
        (vec![f32::INFINITY], VectorError::NotFinite { index: 0 }),
    ] {
        assert_eq!(Vector::from_direction(numbers.clone()), Err(error));
        assert_eq!(Vector::from_unit(numbers), Err(error));
    }
    let long = Vector::from_unit(vec![3.0, 4.0]);
    assert_eq!(long, Err(VectorError::NotUnit { length: 5.0 }));
}

#[test]
fn vectors_of_different_spaces_are_not_compared() {
    let one = Vector::from_direction(vec![1.0]).unwrap();
    let other = Vector::from_direction(vec![1.0, 1.0]).unwrap();
    let error = one.cosine(&other).unwrap_err();
    assert_eq!((error.left, error.right), (1, 2));
    assert!(error.to_string().contains("same embedder"));
    assert!((one.cosine(&one).unwrap() - 1.0).abs() < 1e-6);
}

fn points(pairs: &[(f32, f32)]) -> Vec<Point> {
    let point = |(cosine, likeness): &(f32, f32)| Point {
        cosine: *cosine,
        likeness: *likeness,
    };
    pairs.iter().map(point).collect()
}

#[test]
fn a_calibration_is_straight_between_its_points_and_level_beyond_them() {
    let calibration = Calibration::new("a", points(&[(0.0, 0.1), (0.5, 0.3), (1.0, 0.9)])).unwrap();
    for (cosine, likeness) in [
        (-1.0, 0.1),
        (0.0, 0.1),
        (0.25, 0.2),
        (0.5, 0.3),
        (0.75, 0.6),
        (1.0, 0.9),
        (7.0, 0.9),
        (f32::NAN, 0.0),
        (f32::NEG_INFINITY, 0.1),
    ] {
        let found = calibration.likeness(cosine);
        assert!((found - likeness).abs() < 1e-6, "{cosine}: {found}");
    }
    assert_eq!(calibration.version(), "a");
}

#[test]
fn a_calibration_out_of_order_or_out_of_range_is_refused() {
    for (pairs, error) in [
        (&[(0.0, 0.0)][..], CalibrationError::TooFewPoints),
        (
            &[(0.0, 0.0), (1.5, 1.0)],
            CalibrationError::OutOfRange { index: 1 },
        ),
        (
            &[(0.0, f32::NAN), (1.0, 1.0)],
            CalibrationError::OutOfRange { index: 0 },
        ),
        (
            &[(0.0, 0.5), (1.0, 0.4)],
            CalibrationError::NotMonotone { index: 1 },
        ),
        (
            &[(0.5, 0.5), (0.5, 0.6)],
            CalibrationError::NotMonotone { index: 1 },
        ),
    ] {
        assert_eq!(Calibration::new("a", points(pairs)), Err(error));
    }
}
