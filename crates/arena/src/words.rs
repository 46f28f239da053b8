//! Results in words: the one way to write a score, an Elo and a likelihood everywhere.

use crate::estimate::Estimate;

/// Beyond this a likelihood is not given to the digit: no model of games is that precise.
const ALMOST_CERTAIN: f64 = 0.999;

/// A share of 1 in percent: `62.5 %`.
pub fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// Mean points of 100 as a score with its interval: `62.5 % (54.1–70.2)`.
pub fn score(points: Estimate) -> String {
    let Estimate { value, low, high } = points;
    format!("{value:.1} % ({low:.1}–{high:.1})")
}

/// Any other mean with its interval, with this many decimals: `1.85 (1.78–1.92)`.
pub fn mean(mean: Estimate, digits: usize) -> String {
    let Estimate { value, low, high } = mean;
    format!("{value:.digits$} ({low:.digits$}–{high:.digits$})")
}

/// Elo with its error: `+35 ± 20`.
pub fn elo(elo: Estimate) -> String {
    format!("{} ± {:.0}", signed(elo.value), elo.error())
}

/// A difference in whole Elo, with its sign.
pub(crate) fn signed(elo: f64) -> String {
    // Zero has no sign.
    if elo.abs() < 0.5 { "0".into() } else { format!("{elo:+.0}") }
}

/// A likelihood in a table: `97.1 %`, and `> 99.9 %` where it is almost certain.
pub fn likelihood(likelihood: f64) -> String {
    match likelihood {
        p if p > ALMOST_CERTAIN => format!("> {}", percent(ALMOST_CERTAIN)),
        p if p < 1.0 - ALMOST_CERTAIN => format!("< {}", percent(1.0 - ALMOST_CERTAIN)),
        p => percent(p),
    }
}

/// The same in a sentence: `more than 99.9 %`.
pub(crate) fn likelihood_in_words(p: f64) -> String {
    likelihood(p).replace('>', "more than").replace('<', "less than")
}

/// A whole number with thousands separators: 1,234,567.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_short_and_within_their_bounds() {
        let points = Estimate { value: 100.0, low: 30.7, high: 100.0 };
        assert_eq!(score(points), "100.0 % (30.7–100.0)");
        assert_eq!(mean(Estimate { value: 1.85, low: 1.776, high: 1.924 }, 2), "1.85 (1.78–1.92)");
        assert_eq!(elo(Estimate { value: 35.2, low: 15.0, high: 60.0 }), "+35 ± 20");
        assert_eq!(elo(Estimate { value: -35.2, low: -60.0, high: -15.0 }), "-35 ± 20");
        assert_eq!(elo(Estimate { value: -0.4, low: -9.0, high: 8.6 }), "0 ± 9");
        let texts = [0.971, 0.9995, 0.0001, 0.5].map(likelihood);
        assert_eq!(texts, ["97.1 %", "> 99.9 %", "< 0.1 %", "50.0 %"]);
        assert_eq!(likelihood_in_words(0.9995), "more than 99.9 %");
    }

    #[test]
    fn thousands_are_set_apart() {
        let texts = [0, 999, 1000, 1_234_567].map(thousands);
        assert_eq!(texts, ["0", "999", "1,000", "1,234,567"]);
    }
}
