//! The positions of a game so far, and the rules that depend on them.
//!
//! A game states its rules as [`HistoryRules`]; this one implementation serves the arena, the
//! search and the command line.

use crate::game::{Game, Progress, Which};
use crate::outcome::{Outcome, Reason, Status};
use crate::rng::mix;
use crate::seat::Seat;
use crate::sink::Any;

/// The rules of a game that depend on more than the position. All of them end in a draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HistoryRules {
    /// The occurrence of a position (by [`Game::repetition_key`]) that ends the game, and the
    /// reason given.
    pub repetition: Option<Limit>,
    /// The number of plies after which the game ends, and the reason given.
    pub plies: Option<Limit>,
}

/// A count that ends the game when reached, and the reason given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limit {
    /// The count that ends the game.
    pub count: u32,
    /// The reason.
    pub reason: Reason,
}

/// How a game ended, and by which rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ended {
    /// The result.
    pub outcome: Outcome,
    /// The rule.
    pub by: Ending,
}

/// Which rule ended a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The position itself.
    Board,
    /// The player to move had no legal move.
    NoMove,
    /// A rule that depends on the history.
    History,
}

impl Limit {
    /// A count that ends the game, with the reason in words.
    pub const fn new(count: u32, reason: &'static str) -> Limit {
        Limit { count, reason: Reason::Text(reason) }
    }
}

impl HistoryRules {
    /// No rule that depends on the history.
    pub const NONE: HistoryRules = HistoryRules { repetition: None, plies: None };
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    key: u64,
    /// The first entry that could be equal to this one.
    since: u32,
}

/// The positions of one game so far, by their repetition keys.
///
/// ```
/// use agon_core::{Game, History, sample::Nim};
/// let mut position = Nim::new(5);
/// let mut history = History::new(&position);
/// let progress = position.play(position.moves()[0]);
/// history.push(&position, progress);
/// assert_eq!(history.plies(), 1);
/// assert!(history.status(&position).to_move().is_some());
/// ```
#[derive(Clone, Debug)]
pub struct History {
    rules: HistoryRules,
    entries: Vec<Entry>,
}

impl History {
    /// A history that begins with `start`.
    pub fn new<G: Game>(start: &G) -> History {
        let entries = vec![Entry { key: start.repetition_key(), since: 0 }];
        History { rules: start.history_rules(), entries }
    }

    /// How many moves were made.
    #[inline]
    pub fn plies(&self) -> usize {
        self.entries.len() - 1
    }

    /// Records the position after a move.
    pub fn push<G: Game>(&mut self, after: &G, progress: Progress) {
        let since = match progress {
            Progress::Reversible => self.last().since,
            Progress::Irreversible => self.entries.len() as u32,
        };
        self.entries.push(Entry { key: after.repetition_key(), since });
    }

    /// Takes the last move back. The start stays.
    #[inline]
    pub fn pop(&mut self) {
        if self.plies() > 0 {
            self.entries.pop();
        }
    }

    /// How often the current position has occurred, this time included.
    pub fn occurrences(&self) -> usize {
        let last = self.last();
        let comparable = &self.entries[last.since as usize..];
        comparable.iter().filter(|entry| entry.key == last.key).count()
    }

    /// The draw by a history rule in the current position, if there is one.
    pub fn verdict<G: Game>(&self, position: &G) -> Option<Outcome> {
        let reached = |limit: &Limit, count: usize| count >= limit.count as usize;
        let repeated = self.rules.repetition.filter(|limit| reached(limit, self.occurrences()));
        let too_long = self.rules.plies.filter(|limit| reached(limit, self.plies()));
        repeated.or(too_long).map(|limit| Outcome::draw(position.seats(), limit.reason))
    }

    /// The status of `position`, the current one, with the history rules applied. A repetition
    /// takes precedence over a result on the board, and that over the limit on plies.
    pub fn status<G: Game>(&self, position: &G) -> Status {
        match self.verdict(position) {
            Some(draw) if self.is_repetition() => Status::Over(draw),
            Some(draw) => Status::Over(position.outcome().unwrap_or(draw)),
            None => position.status(),
        }
    }

    /// Who has to move in `position`, the current one, and can; or how the game ended.
    #[inline]
    pub fn turn<G: Game>(&self, position: &G) -> Result<Seat, Ended> {
        self.turn_if(position, || position.generate(Which::All, &mut Any).is_break())
    }

    /// Like [`turn`](History::turn), for callers that have their own way to tell whether there is a
    /// move. `can_move` is called at most once, and never for a position that is over by itself.
    #[inline]
    pub fn turn_if<G: Game>(
        &self,
        position: &G,
        can_move: impl FnOnce() -> bool,
    ) -> Result<Seat, Ended> {
        let ended = |outcome, by| Err(Ended { outcome, by });
        let draw = self.verdict(position);
        match (position.status(), draw) {
            (_, Some(draw)) if self.is_repetition() => ended(draw, Ending::History),
            (Status::Over(outcome), _) => ended(outcome, Ending::Board),
            (Status::ToMove(_), _) if !can_move() => ended(position.when_stuck(), Ending::NoMove),
            (Status::ToMove(_), Some(draw)) => ended(draw, Ending::History),
            (Status::ToMove(seat), None) => Ok(seat),
        }
    }

    /// Whether a search `plies` plies below its root should score the current position as a draw by
    /// repetition: either the rules do, or it already occurred within these plies. A player who can
    /// repeat once within a line can repeat as often as the rules require.
    #[inline]
    pub fn recurs(&self, plies: usize) -> bool {
        let Some(limit) = self.rules.repetition else { return false };
        let last = self.last();
        let before = &self.entries[last.since as usize..self.entries.len() - 1];
        let mut earlier =
            before.iter().rev().enumerate().filter(|(_, entry)| entry.key == last.key);
        match earlier.next() {
            None => false,
            Some((back, _)) => back < plies || 2 + earlier.count() >= limit.count as usize,
        }
    }

    /// Whether the limit on plies is reached, so that the rules have to be consulted.
    #[inline]
    pub fn is_too_long(&self) -> bool {
        self.rules.plies.is_some_and(|limit| self.plies() >= limit.count as usize)
    }

    /// How many more plies the game can take; `None` if there is no limit.
    #[inline]
    pub fn plies_left(&self) -> Option<u32> {
        self.rules.plies.map(|limit| limit.count.saturating_sub(self.plies() as u32))
    }

    /// Whether a position that could still occur again has occurred more than once.
    pub fn has_repetition(&self) -> bool {
        let comparable = &self.entries[self.last().since as usize..];
        let mut keys: Vec<u64> = comparable.iter().map(|entry| entry.key).collect();
        keys.sort_unstable();
        self.rules.repetition.is_some() && keys.windows(2).any(|pair| pair[0] == pair[1])
    }

    /// A hash of everything in this history that the rules can still depend on: games with equal
    /// digests behave alike from here on.
    pub fn digest(&self) -> u64 {
        let comparable = &self.entries[self.last().since as usize..];
        let occurrences =
            comparable.iter().fold(0u64, |sum, entry| sum.wrapping_add(mix(entry.key)));
        let occurrences = if self.rules.repetition.is_some() { occurrences } else { 0 };
        let plies = if self.rules.plies.is_some() { self.plies() as u64 } else { 0 };
        occurrences ^ plies
    }

    fn is_repetition(&self) -> bool {
        self.rules.repetition.is_some_and(|limit| self.occurrences() >= limit.count as usize)
    }

    #[inline]
    fn last(&self) -> Entry {
        self.entries[self.entries.len() - 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{Nim, Walk};

    #[test]
    fn a_position_that_comes_back_often_enough_is_a_draw() {
        let mut walk = Walk::new();
        let mut history = History::new(&walk);
        for ply in 0..4 {
            assert!(history.status(&walk).to_move().is_some(), "ply {ply}");
            let progress = walk.play(if ply % 2 == 0 { 1 } else { -1 });
            history.push(&walk, progress);
        }
        assert_eq!(history.occurrences(), 3);
        assert_eq!(history.status(&walk).outcome().unwrap().reason(), "third occurrence");
        history.pop();
        assert!(history.status(&walk).to_move().is_some());
    }

    #[test]
    fn the_rule_that_ended_a_game_is_known() {
        let by = |history: &History, nim: &Nim| history.turn(nim).map_err(|ended| ended.by);
        let (mut nim, walk) = (Nim::new(1), Walk::new());
        let mut history = History::new(&nim);
        assert_eq!(by(&history, &nim), Ok(Seat::FIRST));
        let stuck = history.turn_if(&nim, || false).unwrap_err();
        assert_eq!(stuck, Ended { outcome: nim.when_stuck(), by: Ending::NoMove });
        let progress = nim.play(nim.moves()[0]);
        history.push(&nim, progress);
        assert_eq!(by(&history, &nim), Err(Ending::Board));
        let mut history = History::new(&walk);
        history.push(&walk, Progress::Reversible);
        assert_eq!(history.turn(&walk).ok(), walk.to_move());
        history.push(&walk, Progress::Reversible);
        assert_eq!(history.turn(&walk).unwrap_err().by, Ending::History);
    }

    #[test]
    fn a_search_takes_the_first_return_as_a_draw() {
        let mut walk = Walk::new();
        let mut history = History::new(&walk);
        for step in [1, -1] {
            let progress = walk.play(step);
            history.push(&walk, progress);
        }
        assert!(history.recurs(2) && history.recurs(5), "within the line");
        assert!(!history.recurs(1) && !history.recurs(0), "from before it, the rules decide");
        for step in [1, -1] {
            let progress = walk.play(step);
            history.push(&walk, progress);
        }
        assert!(history.recurs(0));
    }

    #[test]
    fn the_order_of_what_happened_makes_no_difference() {
        let after = |steps: [i32; 4]| {
            let mut walk = Walk::new();
            let mut history = History::new(&walk);
            for step in steps {
                let progress = walk.play(step);
                history.push(&walk, progress);
            }
            history.digest()
        };
        assert_eq!(after([1, -1, 1, -1]), after([1, -1, 1, -1]));
        assert_ne!(after([1, -1, 1, -1]), after([1, -1, -1, 1]));
        assert_ne!(after([1, 1, -1, -1]), after([1, -1, 1, -1]));
    }

    #[test]
    fn nothing_before_an_irreversible_move_counts() {
        let walk = Walk::new();
        let mut history = History::new(&walk);
        history.push(&walk, Progress::Reversible);
        history.push(&walk, Progress::Irreversible);
        assert_eq!(history.occurrences(), 1);
        history.pop();
        assert_eq!(history.occurrences(), 2);
    }

    const TWICE: Limit = Limit::new(2, "twice");
    const TWO_PLIES: Limit = Limit::new(2, "two plies");

    /// A history with these rules in which `position` came first and was reached again by each of
    /// these moves.
    fn staying(position: &Nim, rules: HistoryRules, moves: &[Progress]) -> History {
        let mut history = History { rules, ..History::new(position) };
        for progress in moves {
            history.push(position, *progress);
        }
        history
    }

    #[test]
    fn repetition_counts_before_the_board_and_the_board_before_the_limit_on_plies() {
        use Progress::{Irreversible, Reversible};
        let rules = HistoryRules { repetition: Some(TWICE), plies: Some(TWO_PLIES) };
        let reason = |heap: u32, moves: &[Progress], can_move: bool| {
            let nim = Nim::new(heap);
            let history = staying(&nim, rules, moves);
            let status = history.status(&nim).outcome().map(|outcome| outcome.reason());
            let turn = history.turn_if(&nim, || can_move).map_err(|ended| ended.by);
            (status, turn)
        };
        let (over, going_on) = (0, 3);
        let history = Err(Ending::History);
        assert_eq!(reason(going_on, &[], true), (None, Ok(Seat::FIRST)));
        assert_eq!(reason(going_on, &[Irreversible], true), (None, Ok(Seat::FIRST)));
        assert_eq!(reason(going_on, &[Reversible], true), (Some(Reason::Text("twice")), history));
        assert_eq!(reason(over, &[Reversible], true), (Some(Reason::Text("twice")), history));
        let late = [Irreversible, Irreversible];
        assert_eq!(reason(going_on, &late, true), (Some(Reason::Text("two plies")), history));
        assert_eq!(
            reason(going_on, &late, false),
            (Some(Reason::Text("two plies")), Err(Ending::NoMove))
        );
        let won = (Some(Reason::Text("took the last one")), Err(Ending::Board));
        assert_eq!(reason(over, &late, true), won);
        assert_eq!(reason(over, &[], true), won);
    }

    #[test]
    fn plies_are_counted_from_the_start_which_stays() {
        let nim = Nim::new(3);
        let limited = HistoryRules { plies: Some(TWO_PLIES), repetition: None };
        let mut history = staying(&nim, limited, &[]);
        for ply in 0..4 {
            assert_eq!((history.plies(), history.is_too_long()), (ply, ply >= 2));
            history.push(&nim, Progress::Reversible);
        }
        history.rules = HistoryRules::NONE;
        assert!(!history.is_too_long());
        for ply in [3, 2, 1, 0, 0] {
            history.pop();
            assert_eq!(history.plies(), ply);
        }
        assert_eq!(history.occurrences(), 1);
    }

    #[test]
    fn only_what_the_rules_ask_for_is_in_the_digest() {
        // Several positions, so that their keys have all kinds of low bits.
        for (nim, plies) in (1..5).flat_map(|heap| (0..8).map(move |plies| (Nim::new(heap), plies)))
        {
            let moves = vec![Progress::Reversible; plies];
            let digest = |repetition, plies| {
                staying(&nim, HistoryRules { repetition, plies }, &moves).digest()
            };
            assert_eq!(digest(None, None), 0);
            assert_eq!(digest(None, Some(TWO_PLIES)), plies as u64);
            let occurrences = mix(nim.repetition_key()).wrapping_mul(plies as u64 + 1);
            assert_eq!(digest(Some(TWICE), None), occurrences);
            assert_eq!(digest(Some(TWICE), Some(TWO_PLIES)), occurrences ^ plies as u64);
        }
    }
}
