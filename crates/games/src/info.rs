//! How a game describes itself.

use crate::form::Form;
use crate::rules::Rules;
use crate::scenario::Scenario;

/// A game's description of itself.
#[derive(Clone, Copy, Debug)]
pub struct GameInfo<'a> {
    /// The name in variant texts.
    pub name: &'a str,
    /// The name shown to people.
    pub title: &'a str,
    /// The game in a sentence.
    pub summary: &'a str,
    /// The names of the seats in order; a variant may use fewer.
    pub seats: &'a [&'a str],
    /// Typical variants; the first is the default.
    pub variants: &'a [VariantInfo<'a>],
    /// The form for choosing a variant.
    pub form: Form,
    /// The rules for people.
    pub rules: Rules<'a>,
    /// How a position is written, in a sentence.
    pub position_notation: &'a str,
    /// How a move is written, in a sentence with examples.
    pub move_notation: &'a str,
    /// Known perft numbers.
    pub perft: &'static [KnownPerft],
    /// Positions with a task, for checking agents.
    pub scenarios: &'static [Scenario],
    /// The searches of the benchmark: variants, and agents with a depth or a number of iterations.
    pub bench: &'static [(&'static str, &'static str)],
}

impl<'a> GameInfo<'a> {
    /// The least that a game has to say: its name in variant texts, its title, a sentence, the
    /// names of its seats, and its variants, of which the first is the default.
    pub const fn new(
        name: &'a str,
        title: &'a str,
        summary: &'a str,
        seats: &'a [&'a str],
        variants: &'a [VariantInfo<'a>],
    ) -> GameInfo<'a> {
        GameInfo {
            name,
            title,
            summary,
            seats,
            variants,
            form: Form::NONE,
            rules: Rules::NONE,
            position_notation: "rows from the top with a letter for every piece and numbers of \
                                empty cells, then the seat to move",
            move_notation: "the names of the cells, from the first to the last: a1, a1b2",
            perft: &[],
            scenarios: &[],
            bench: &[],
        }
    }
}

/// A variant worth knowing.
#[derive(Clone, Copy, Debug)]
pub struct VariantInfo<'a> {
    /// Its text.
    pub text: &'a str,
    /// What is special about it.
    pub about: &'a str,
}

/// The numbers of move sequences of 1, 2, 3 … plies from a position, checked elsewhere.
#[derive(Clone, Copy, Debug)]
pub struct KnownPerft {
    /// The variant's text.
    pub variant: &'static str,
    /// The position, or `None` for the variant's start.
    pub position: Option<&'static str>,
    /// The counts for depth 1, 2, 3 …
    pub counts: &'static [u64],
}
