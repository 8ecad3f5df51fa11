//! The bend between the two maps of a layer, and the power of `e` that it and shares of attention need: without a call or a
//! branch, so that whole rows are computed at once, and in one order, so that every machine computes the same.

/// `x · Φ(x)`, by the error function and not by its usual shortcut.
#[inline(always)]
pub(crate) fn gelu(x: f32) -> f32 {
    0.5 * x * (1.0 + error_function(x * std::f32::consts::FRAC_1_SQRT_2))
}

/// Abramowitz and Stegun, formula 7.1.26: wrong by no more than 1.5e-7.
#[inline(always)]
fn error_function(x: f32) -> f32 {
    let size = x.abs();
    let t = 1.0 / (1.0 + 0.327_591_1 * size);
    let polynomial = ((((1.061_405_4 * t - 1.453_152) * t + 1.421_413_7) * t - 0.284_496_72) * t
        + 0.254_829_6)
        * t;
    (1.0 - polynomial * exp(-size * size)).copysign(x)
}

/// `e` to the power of a number that is not positive, without a call or a branch, so that whole rows are computed at once.
///
/// The power of two is split off by rounding; what is left is small enough for a short polynomial.
#[inline(always)]
pub(crate) fn exp(x: f32) -> f32 {
    /// Added and taken off again, it leaves a number rounded.
    const ROUNDS: f32 = 12_582_912.0;
    let x = x.max(-87.0);
    let rounded = x * std::f32::consts::LOG2_E + ROUNDS;
    let twos = rounded - ROUNDS;
    // ln 2 in two pieces, so that the remainder keeps its last bits.
    let rest = (x - twos * 0.693_359_4) + twos * 2.121_944_4e-4;
    let polynomial = 1.0
        + rest
            * (1.0
                + rest
                    * (0.5
                        + rest
                            * (0.166_666_67
                                + rest
                                    * (0.041_666_66 + rest * (0.008_333_4 + rest * 0.001_391_5)))));
    let power = f32::from_bits(rounded.to_bits().wrapping_add(127) << 23);
    polynomial * power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quick_exponential_is_the_exponential() {
        for step in 0..8_700 {
            let x = -(step as f32) / 100.0;
            let (quick, exact) = (f64::from(exp(x)), f64::from(x).exp());
            assert!(
                (quick - exact).abs() <= 4e-7 * exact,
                "{x}: {quick} {exact}"
            );
        }
        assert!(exp(f32::NEG_INFINITY) < 1e-37);
    }

    #[test]
    fn the_error_function_has_its_known_values() {
        for (x, known) in [
            (0.0, 0.0),
            (0.5, 0.520_499_9),
            (1.0, 0.842_700_8),
            (2.0, 0.995_322_3),
            (6.0, 1.0),
        ] {
            assert!((error_function(x) - known).abs() < 5e-7, "{x}");
            assert!((error_function(-x) + known).abs() < 5e-7, "-{x}");
        }
    }
}
