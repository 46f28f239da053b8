//! The result of a match, in a sentence.
//!
//! An agent *is better* where the 95 % interval of its Elo is above zero: then it is stronger with
//! a likelihood of at least 97.5 %. At a table of three, the best has to be better than each of the
//! others; its likelihood is one minus the sum of the doubts.

use crate::estimate::{Estimate, Z95, elo};
use crate::statistics::fit::superiority;
use crate::statistics::sprt::SprtState;
use crate::statistics::{Sprt, SprtVerdict};
use crate::tournament::ledger::Ledger;
use crate::words::{likelihood_in_words, signed, thousands};

/// The likelihood from which an agent counts as better.
const CLEAR: f64 = 0.975;

/// A likelihood below this is written as 50.0 %.
const EVEN: f64 = 0.5005;

/// How precise a result should be, in Elo to either side.
const WANTED_ELO: f64 = 20.0;

/// What a match says about who is stronger.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Conclusion {
    /// One is stronger than all others.
    Better {
        /// Its number.
        agent: u16,
        /// The likelihood of that.
        likelihood: f64,
        /// How many agents there are.
        agents: usize,
    },
    /// The results do not decide it.
    Open {
        /// The agent with the best results.
        leader: u16,
        /// How likely it is to be stronger than all others.
        likelihood: f64,
        /// The difference in Elo to the closest of the others.
        difference: Estimate,
        /// How many more games would narrow it down to ±20 Elo; 0 if it is that precise already.
        more_games: u64,
    },
    /// A sequential test has decided about the first agent.
    Tested {
        /// The test.
        sprt: Sprt,
        /// Whether its second hypothesis was accepted, rather than its first.
        accepted: bool,
    },
}

impl Conclusion {
    /// The conclusion from the results of a match, and from its test if there was one. `None`
    /// without games, and for a tournament.
    pub fn of(ledger: &Ledger, test: Option<(Sprt, SprtState)>) -> Option<Conclusion> {
        match test {
            Some((sprt, SprtState { verdict: SprtVerdict::Accept0, .. })) => {
                return Some(Conclusion::Tested { sprt, accepted: false });
            }
            Some((sprt, SprtState { verdict: SprtVerdict::Accept1, .. })) => {
                return Some(Conclusion::Tested { sprt, accepted: true });
            }
            _ => {}
        }
        let agents = ledger.agents().len() as u16;
        // The first of equals.
        let leader = (0..agents).rev().max_by_key(|agent| ledger.agent(*agent).results.points)?;
        let others = (0..agents).filter(|other| *other != leader);
        let duels: Option<Vec<Estimate>> = others.map(|other| ledger.duel(leader, other)).collect();
        let duels = duels?;
        let doubts: f64 = duels.iter().map(|duel| 1.0 - over_half(duel)).sum();
        let likelihood = (1.0 - doubts).max(0.0);
        if likelihood >= CLEAR {
            return Some(Conclusion::Better { agent: leader, likelihood, agents: duels.len() + 1 });
        }
        let closest = duels.into_iter().min_by(|one, other| one.value.total_cmp(&other.value))?;
        let (difference, more_games) = outlook(closest, ledger.games());
        Some(Conclusion::Open { leader, likelihood, difference, more_games })
    }

    /// The sentence, with these names for the agents.
    pub fn sentence(&self, names: &[String]) -> String {
        let name = |agent: u16| names.get(usize::from(agent)).map_or("?", String::as_str);
        match *self {
            Conclusion::Better { agent, likelihood, agents } => {
                let word = if agents == 2 { "better" } else { "the best" };
                format!("{} is {word} ({})", name(agent), likelihood_in_words(likelihood))
            }
            Conclusion::Open { leader, likelihood, difference, more_games } => {
                let next = match more_games {
                    0 => {
                        let [low, high] = [difference.low, difference.high].map(signed);
                        format!("the difference is between {low} and {high} Elo")
                    }
                    more => format!("about {} more games for ±{WANTED_ELO} Elo", thousands(more)),
                };
                // Of two equals, neither leads.
                if names.len() == 2 && likelihood < EVEN {
                    return format!("no clear result; {next}");
                }
                let word = if names.len() == 2 { "better" } else { "the best" };
                let likely = likelihood_in_words(likelihood);
                format!("no clear result ({} is {word} with {likely}); {next}", name(leader))
            }
            Conclusion::Tested { sprt, accepted } => tested(name(0), sprt, accepted),
        }
    }
}

/// What a decided test says: the rejected hypothesis is wrong, up to the risk of error.
fn tested(name: &str, sprt: Sprt, accepted: bool) -> String {
    let ([elo0, elo1], [alpha, beta]) = (sprt.hypotheses(), sprt.errors());
    let (what, risk) = match accepted {
        true if elo0 == 0.0 => ("is better".to_string(), alpha),
        true if elo0 > 0.0 => (format!("is at least {elo0} Elo better"), alpha),
        true => (format!("is at most {} Elo worse", -elo0), alpha),
        false if elo1 == 0.0 => ("is not better".to_string(), beta),
        false if elo1 > 0.0 => (format!("is less than {elo1} Elo better"), beta),
        false => (format!("is at least {} Elo worse", -elo1), beta),
    };
    // Four digits are more than anybody asks for, and hide rounding errors.
    let risk = (risk * 1e6).round() / 1e4;
    format!("{name} {what}, with {risk} % risk of error")
}

/// How likely a mean score is above one half.
fn over_half(score: &Estimate) -> f64 {
    let Estimate { value, low, high } = *score;
    superiority(&Estimate { value: value - 0.5, low: low - 0.5, high: high - 0.5 })
}

/// A mean score as a difference in Elo, and how many more games would make it precise enough.
fn outlook(score: Estimate, games: u64) -> (Estimate, u64) {
    let least = 0.5 / (games as f64 + 1.0);
    let bounded = |share: f64| share.clamp(least, 1.0 - least);
    let Estimate { value, low, high } = score;
    let [value, low, high] = [value, low, high].map(|share| elo(bounded(share)));
    // The error shrinks with the square root of the games. Elo is steeper at lopsided scores.
    let share = bounded(score.value);
    let elo_per_share = 400.0 / std::f64::consts::LN_10 / (share * (1.0 - share));
    let standard_error = (score.high - score.value) / Z95;
    let error = Z95 * standard_error * elo_per_share;
    let needed = games as f64 * (error / WANTED_ELO).powi(2);
    let more = (needed - games as f64).max(0.0);
    (Estimate { value, low, high }, two_digits(more))
}

/// A number that is only an estimate, rounded to two digits.
fn two_digits(number: f64) -> u64 {
    if number < 1.0 {
        return 0;
    }
    let scale = 10_f64.powf((number.log10().floor() - 1.0).max(0.0));
    ((number / scale).ceil() * scale) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::ledger::tests::game;

    /// A match of two with this many pairs of each kind: won twice, won and lost, lost twice.
    fn pairs(won: u64, even: u64, lost: u64) -> Ledger {
        let mut ledger = Ledger::new(2, 2);
        let mut number = 0;
        for (count, points) in
            [(won, [[100, 0], [0, 100]]), (even, [[100, 0]; 2]), (lost, [[0, 100], [100, 0]])]
        {
            for _ in 0..count {
                for (seating, points) in [[0, 1], [1, 0]].iter().zip(points) {
                    ledger.count(&game(number, seating, &points));
                    number += 1;
                }
            }
        }
        ledger
    }

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(ToString::to_string).collect()
    }

    fn sentence(ledger: &Ledger) -> String {
        Conclusion::of(ledger, None).unwrap().sentence(&names(&["strong", "weak"]))
    }

    #[test]
    fn two_are_told_apart_in_words() {
        assert_eq!(sentence(&pairs(40, 10, 0)), "strong is better (more than 99.9 %)");
        assert_eq!(sentence(&pairs(0, 10, 40)), "weak is better (more than 99.9 %)");
        // 10 pairs, mean 0.7, around it 5·0.09 + 4·0.04 + 0.49 = 1.1, added ½·(0.49 + 0.09) = 0.29:
        // variance 1.39 / 10, error 0.1179, and 0.2 are 1.696 errors: 95.5 %.
        let open = sentence(&pairs(5, 4, 1));
        assert!(
            open.starts_with("no clear result (strong is better with 95.5 %); about "),
            "{open}"
        );
        let even = sentence(&pairs(5, 4, 5));
        assert!(even.starts_with("no clear result; about "), "{even}");
        assert_eq!(Conclusion::of(&pairs(0, 0, 0), None), None);
    }

    #[test]
    fn the_games_still_missing_make_the_interval_as_narrow_as_promised() {
        let few = pairs(30, 40, 30);
        let Some(Conclusion::Open { more_games, .. }) = Conclusion::of(&few, None) else {
            panic!()
        };
        // As many again in the same proportions.
        let times = (200 + more_games) / 200;
        let many = pairs(30 * times, 40 * times, 30 * times);
        let error = many.agent(0).elo().unwrap().error();
        assert!((15.0..=25.0).contains(&error), "{error} after {more_games} more");
        let Some(Conclusion::Open { more_games: 0, .. }) =
            Conclusion::of(&pairs(3000, 4000, 3000), None)
        else {
            panic!()
        };
        let known = sentence(&pairs(3000, 4000, 3000));
        assert!(
            known.contains("the difference is between -") && known.contains(" and +"),
            "{known}"
        );
    }

    #[test]
    fn the_best_of_three_has_to_be_better_than_each_of_the_others() {
        let seatings = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]];
        let play = |points: [u8; 3], groups: u64| {
            let mut ledger = Ledger::new(3, 3);
            for number in 0..6 * groups {
                let seating = seatings[(number % 6) as usize];
                // In every other group, the second and the third swap places.
                let swapped = (number / 6) % 2 == 1;
                let of = |agent: u16| match (agent, swapped) {
                    (1, true) => points[2],
                    (2, true) => points[1],
                    (agent, _) => points[usize::from(agent)],
                };
                ledger.count(&game(number, &seating, &seating.map(of)));
            }
            ledger
        };
        let names = names(&["a", "b", "c"]);
        let told = |ledger: &Ledger| Conclusion::of(ledger, None).unwrap().sentence(&names);
        assert_eq!(told(&play([100, 50, 0], 20)), "a is the best (more than 99.9 %)");
        let ledger = play([0, 100, 50], 20);
        assert!(
            told(&ledger).starts_with("no clear result (b is the best with "),
            "{}",
            told(&ledger)
        );
        assert_eq!(ledger.duel(1, 2).unwrap().value, 0.5);
        assert_eq!(ledger.duel(1, 0).unwrap().value, 1.0);
        assert_eq!(ledger.duel(0, 1).unwrap().value, 0.0);
    }

    #[test]
    fn a_test_says_which_hypothesis_is_given_up() {
        let said = |test: &str, accepted| {
            let sprt = test.parse().unwrap();
            Conclusion::Tested { sprt, accepted }.sentence(&names(&["new", "old"]))
        };
        assert_eq!(said("0,20", true), "new is better, with 5 % risk of error");
        assert_eq!(said("20,40", true), "new is at least 20 Elo better, with 5 % risk of error");
        assert_eq!(
            said("-5,5,0.01,0.1", true),
            "new is at most 5 Elo worse, with 1 % risk of error"
        );
        assert_eq!(
            said("0,20,0.01,0.1", false),
            "new is less than 20 Elo better, with 10 % risk of error"
        );
        assert_eq!(said("-20,-10", false), "new is at least 10 Elo worse, with 5 % risk of error");
        assert_eq!(said("-20,0", false), "new is not better, with 5 % risk of error");
    }

    #[test]
    fn estimates_are_rounded_to_two_digits() {
        assert_eq!(
            [0.3, 7.2, 123.0, 1_501.0, 98_760.0].map(two_digits),
            [0, 8, 130, 1_600, 99_000]
        );
    }
}
