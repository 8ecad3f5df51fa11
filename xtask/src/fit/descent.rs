//! The least value of a smooth function of many numbers, by the method of limited memory of Broyden, Fletcher, Goldfarb
//! and Shanno.

/// So many steps are remembered.
const REMEMBERED: usize = 8;
/// So many steps are taken at most.
const MOST_STEPS: usize = 120;
/// Where a step gains less than this share of the value, it was the last.
const LEAST_GAIN: f64 = 1e-6;
/// A step has to gain this share of what the slope promises.
const PROMISED: f64 = 1e-4;
/// A shorter step is taken, whatever it gains.
const SHORTEST: f64 = 1e-9;

/// A step that was taken, and how the slopes changed by it.
struct Step {
    way: Vec<f64>,
    change: Vec<f64>,
}

/// Where `value`, which gives its slopes too, is least, as far as that can be found from `start`.
pub(super) fn least(start: Vec<f64>, value: impl Fn(&[f64]) -> (f64, Vec<f64>)) -> Vec<f64> {
    let (height, slopes) = value(&start);
    let mut here = Place {
        at: start,
        height,
        slopes,
    };
    let mut steps: Vec<Step> = Vec::new();
    for _ in 0..MOST_STEPS {
        let way = downhill(&here.slopes, &steps);
        // Without any memory the first step must not be longer than the slope is sure of.
        let sure = 1.0 / dot(&here.slopes, &here.slopes).sqrt().max(1.0);
        let length = if steps.is_empty() { sure } else { 1.0 };
        let there = here.down(&way, length, &value);
        remember(&mut steps, Step::between(&here, &there));
        let gained = here.height - there.height;
        // What is no number gains nothing.
        let goes_on = gained >= LEAST_GAIN * here.height.abs();
        if gained > 0.0 {
            here = there;
        }
        if !goes_on {
            break;
        }
    }
    here.at
}

/// Where the descent is.
struct Place {
    at: Vec<f64>,
    height: f64,
    slopes: Vec<f64>,
}

impl Place {
    /// So far along a way, or half as far as often as it takes to gain what the slopes promise.
    fn down(
        &self,
        way: &[f64],
        mut length: f64,
        value: impl Fn(&[f64]) -> (f64, Vec<f64>),
    ) -> Self {
        let promise = dot(way, &self.slopes);
        loop {
            let mut at = self.at.clone();
            add(&mut at, way, length);
            let (height, slopes) = value(&at);
            if height <= self.height + PROMISED * length * promise || length < SHORTEST {
                return Self { at, height, slopes };
            }
            length /= 2.0;
        }
    }
}

impl Step {
    fn between(here: &Place, there: &Place) -> Self {
        let less = |one: &[f64], other: &[f64]| {
            let pairs = one.iter().zip(other);
            pairs.map(|(one, other)| one - other).collect()
        };
        Self {
            way: less(&there.at, &here.at),
            change: less(&there.slopes, &here.slopes),
        }
    }
}

/// Keeps a step that showed how the slopes bend, and forgets the oldest.
fn remember(steps: &mut Vec<Step>, step: Step) {
    if dot(&step.way, &step.change) > 1e-12 {
        if steps.len() == REMEMBERED {
            steps.remove(0);
        }
        steps.push(step);
    }
}

/// Against the slopes, corrected by what the last steps showed of how they bend.
fn downhill(slopes: &[f64], steps: &[Step]) -> Vec<f64> {
    let mut way: Vec<f64> = slopes.iter().map(|slope| -slope).collect();
    let mut parts = Vec::new();
    for step in steps.iter().rev() {
        let part = dot(&step.way, &way) / dot(&step.way, &step.change);
        add(&mut way, &step.change, -part);
        parts.push(part);
    }
    if let Some(last) = steps.last() {
        let scale = dot(&last.way, &last.change) / dot(&last.change, &last.change);
        way.iter_mut().for_each(|way| *way *= scale);
    }
    for (step, part) in steps.iter().zip(parts.into_iter().rev()) {
        let other = dot(&step.change, &way) / dot(&step.way, &step.change);
        add(&mut way, &step.way, part - other);
    }
    way
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

fn add(to: &mut [f64], what: &[f64], times: f64) {
    to.iter_mut()
        .zip(what)
        .for_each(|(to, what)| *to += times * what);
}

#[cfg(test)]
mod tests {
    use super::least;

    #[test]
    fn the_bottom_of_a_valley_that_bends_is_found() {
        let valley = |at: &[f64]| {
            let (x, y) = (at[0], at[1]);
            let (a, b) = (1.0 - x, y - x * x);
            (
                a * a + 20.0 * b * b,
                vec![-2.0 * a - 80.0 * x * b, 40.0 * b],
            )
        };
        let found = least(vec![-1.2, 1.0], valley);
        assert!(
            (found[0] - 1.0).abs() < 1e-2 && (found[1] - 1.0).abs() < 1e-2,
            "{found:?}"
        );
    }
}
