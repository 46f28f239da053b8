//! The normal distribution.

/// Beyond this the series loses digits to cancellation, and the continued fraction is exact.
const TAIL: f64 = 5.0;

/// Enough steps of the continued fraction for all digits beyond [`TAIL`].
const FRACTION_STEPS: u32 = 60;

/// The probability that a standard normal variable is below `x`.
pub fn cumulative(x: f64) -> f64 {
    let density = (-0.5 * x * x).exp() / std::f64::consts::TAU.sqrt();
    if x > TAIL {
        1.0 - density * mills(x)
    } else if x < -TAIL {
        density * mills(-x)
    } else {
        0.5 + density * odd_series(x)
    }
}

/// The value that a standard normal variable stays below with this probability.
pub fn quantile(probability: f64) -> f64 {
    let (mut low, mut high) = (-40.0, 40.0);
    // Halving the interval this often leaves less than the last digit.
    for _ in 0..70 {
        let middle = f64::midpoint(low, high);
        if cumulative(middle) < probability { low = middle } else { high = middle }
    }
    f64::midpoint(low, high)
}

/// x + x³/3 + x⁵/(3·5) + x⁷/(3·5·7) + …
fn odd_series(x: f64) -> f64 {
    let (mut term, mut sum, mut divisor) = (x, x, 1.0);
    while term.abs() > 1e-17 * sum.abs() {
        divisor += 2.0;
        term *= x * x / divisor;
        sum += term;
    }
    sum
}

/// The upper tail divided by the density: 1/(x + 1/(x + 2/(x + 3/(x + …)))).
fn mills(x: f64) -> f64 {
    let below = (1..=FRACTION_STEPS).rev().fold(x, |below, step| x + f64::from(step) / below);
    1.0 / below
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distribution_has_its_known_values() {
        for (x, wanted) in [
            (0.0, 0.5),
            (1.0, 0.841_344_746_068_542_9),
            (1.959_963_984_540_054, 0.975),
            (-1.644_853_626_951_472_7, 0.05),
            (-6.0, 9.865_876_450_376_98e-10),
            (-10.0, 7.619_853_024_160_525e-24),
        ] {
            let found = cumulative(x);
            assert!((found - wanted).abs() < 1e-11 * wanted, "{x}: {found}, not {wanted}");
        }
        assert_eq!(cumulative(40.0), 1.0);
        assert_eq!(cumulative(-400.0), 0.0);
        assert_eq!((cumulative(f64::INFINITY), cumulative(f64::NEG_INFINITY)), (1.0, 0.0));
    }

    #[test]
    fn both_ways_agree_where_they_meet() {
        for x in [-TAIL, TAIL] {
            let (inside, outside) = (cumulative(x * 0.999_999), cumulative(x * 1.000_001));
            assert!((inside - outside).abs() < 1e-10, "{x}: {inside} {outside}");
        }
    }

    #[test]
    fn quantiles_are_the_inverse() {
        assert!((quantile(0.975) - 1.959_963_985).abs() < 1e-8);
        assert!((quantile(0.8) - 0.841_621_234).abs() < 1e-8);
        for x in [-6.0, -1.5, 0.0, 0.3, 4.0] {
            assert!((quantile(cumulative(x)) - x).abs() < 1e-6, "{x}");
        }
    }
}
