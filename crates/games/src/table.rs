//! The erased door: a game being played, spoken to in text.

use agon_core::scene::{CellId, Trace};
use agon_core::{
    Game, History, MoveList, Outcome, Perft, Rng, Scene, Seat, Status, TextError, Variant,
};

use crate::catalog::{Playable, Visitor};

/// Opens a variant at its start position.
///
/// ```
/// let variant = "breakthrough:5x5".parse().unwrap();
/// let mut table = agon_games::open(&variant).unwrap();
/// table.play("b2b3").unwrap();
/// assert_eq!(table.to_move(), Some("black"));
/// assert!(table.play("b2b3").is_err());
/// ```
pub fn open(variant: &Variant) -> Result<Box<dyn Table>, TextError> {
    crate::with_game(variant, Opener)
}

/// Opens a variant at a position, or at its start if none is given, and plays some moves there.
pub fn open_at(
    variant: &Variant,
    position: Option<&str>,
    moves: &[&str],
) -> Result<Box<dyn Table>, TextError> {
    let mut table = open(variant)?;
    if let Some(position) = position {
        table.set_position(position)?;
    }
    for mv in moves {
        table.play(mv)?;
    }
    Ok(table)
}

/// A game being played: the position, its history, and a way back. Everything goes in and out as
/// text and is checked; the rules of history are applied.
pub trait Table: Send {
    /// The variant in its canonical text.
    fn variant(&self) -> &Variant;
    /// How many players there are.
    fn seats(&self) -> usize;
    /// The name of a seat.
    fn seat_name(&self, seat: Seat) -> &'static str;
    /// The current position as text.
    fn position(&self) -> String;
    /// Whose turn it is or how it ended; a player without a move and the rules of history count.
    fn status(&self) -> Status;
    /// The legal moves as text, sorted; none when the game is over.
    fn moves(&self) -> Vec<String>;
    /// The legal moves with the positions they lead to, sorted by move.
    fn successors(&self) -> Vec<(String, String)>;
    /// The canonical text of a legal move, from any spelling that can be read.
    fn read_move(&self, text: &str) -> Result<String, TextError>;
    /// Plays a move and gives its canonical text.
    fn play(&mut self, text: &str) -> Result<String, TextError>;
    /// Takes the last move back; `false` if there is none.
    fn undo(&mut self) -> bool;
    /// The moves played so far, in canonical text.
    fn played(&self) -> &[String];
    /// Starts over from this position, with no history.
    fn set_position(&mut self, text: &str) -> Result<(), TextError>;
    /// The position the game began with, if it is not the variant's own start.
    fn custom_start(&self) -> Option<&str>;
    /// The evaluations of this game: the name of each and what it sees.
    fn evaluations(&self) -> Vec<(&'static str, &'static str)>;
    /// What the evaluation with this name says of the current position for the seat to move;
    /// `None` if there is no such evaluation or the game is over.
    ///
    /// ```
    /// let mut table = agon_games::open(&"breakthrough:5x5".parse().unwrap()).unwrap();
    /// assert_eq!(table.evaluations()[0].0, "simple");
    /// assert_eq!(table.evaluate("simple"), Some(50));
    /// table.play("b2b3").unwrap();
    /// assert_eq!(table.evaluate("simple"), Some(-51));
    /// assert_eq!(table.evaluate("none"), None);
    /// ```
    fn evaluate(&self, name: &str) -> Option<i32>;
    /// A legal move chosen at random.
    fn random_move(&self, rng: &mut Rng) -> Option<String>;
    /// The current position as a drawing.
    fn scene(&self) -> Scene;
    /// The legal moves as text and as drawings, sorted by text; none when the game is over. Faster
    /// than to [`trace`](Table::trace) each.
    ///
    /// ```
    /// let table = agon_games::open(&"congo".parse().unwrap()).unwrap();
    /// for (text, trace) in table.drawn_moves() {
    ///     assert_eq!(table.trace(&text).unwrap(), trace);
    /// }
    /// ```
    fn drawn_moves(&self) -> Vec<(String, Trace)>;
    /// How many legal moves there are; none when the game is over.
    fn count_moves(&self) -> u64;
    /// A move of the current position as a drawing.
    fn trace(&self, text: &str) -> Result<Trace, TextError>;
    /// What the player to move is asked to do where it is not an ordinary turn; `None` when the
    /// game is over.
    fn guide(&self) -> Option<String>;
    /// The captures the next player could make if the player to move did nothing, sorted by move.
    /// [`Trace::removes`] holds only what the player to move would lose.
    ///
    /// ```
    /// let variant = "breakthrough:5x5".parse().unwrap();
    /// let table = agon_games::open_at(&variant, Some("5/3p1/2P2/5/5 w"), &[]).unwrap();
    /// let threats = table.threats();
    /// assert_eq!(threats.len(), 1);
    /// assert_eq!(threats[0].0, "d4c3");
    /// assert_eq!(table.scene().cells[threats[0].1.removes[0]].name, "c3");
    /// ```
    fn threats(&self) -> Vec<(String, Trace)>;
    /// Counts move sequences from the current position, apart for every first move.
    fn perft(
        &self,
        perft: &Perft,
        depth: u32,
        progress: &(dyn Fn(usize, usize) + Sync),
    ) -> Vec<(String, u64)>;

    /// The name of the seat to move, `None` when the game is over.
    fn to_move(&self) -> Option<&'static str> {
        self.status().to_move().map(|seat| self.seat_name(seat))
    }

    /// How the game ended, if it has.
    fn outcome(&self) -> Option<Outcome> {
        self.status().outcome()
    }
}

struct Opener;

impl Visitor for Opener {
    type Output = Box<dyn Table>;

    fn visit<G: Playable>(self, variant: Variant, start: G) -> Box<dyn Table> {
        Box::new(TypedTable::new(variant, start))
    }
}

/// A [`Table`] for one type of game.
struct TypedTable<G: Game> {
    variant: Variant,
    variant_start: G,
    custom_start: Option<String>,
    /// The positions so far; the last is the current one.
    positions: Vec<G>,
    history: History,
    played: Vec<String>,
}

impl<G: Playable> TypedTable<G> {
    fn new(variant: Variant, start: G) -> Self {
        TypedTable {
            variant,
            history: History::new(&start),
            positions: vec![start.clone()],
            variant_start: start,
            custom_start: None,
            played: Vec::new(),
        }
    }

    fn current(&self) -> &G {
        &self.positions[self.positions.len() - 1]
    }

    /// The legal moves with their texts, sorted by text.
    fn named_moves(&self) -> Vec<(String, G::Move)> {
        if self.history.status(self.current()).to_move().is_none() {
            return Vec::new();
        }
        let position = self.current();
        let name = |mv| (position.move_text(mv), mv);
        let mut named: Vec<_> = position.moves().into_iter().map(name).collect();
        named.sort();
        named
    }

    /// Reads a move of the current position, if the game goes on.
    fn typed_move(&self, text: &str) -> Result<G::Move, TextError> {
        if let Some(outcome) = self.outcome() {
            let expected = format!("no move: the game is over ({})", outcome.reason());
            return Err(TextError::new(self.variant.game(), "move", text, 0..text.len(), expected));
        }
        self.current().read_move(text)
    }

    fn successor(&self, mv: G::Move) -> G {
        let mut next = self.current().clone();
        next.play(mv);
        next
    }
}

impl<G: Playable> Table for TypedTable<G> {
    fn variant(&self) -> &Variant {
        &self.variant
    }

    fn seats(&self) -> usize {
        self.current().seats()
    }

    fn seat_name(&self, seat: Seat) -> &'static str {
        self.current().seat_name(seat)
    }

    fn position(&self) -> String {
        self.current().position_text()
    }

    fn status(&self) -> Status {
        let position = self.current();
        match self.history.status(position) {
            Status::ToMove(_) if position.count_moves() == 0 => Status::Over(position.when_stuck()),
            status => status,
        }
    }

    fn moves(&self) -> Vec<String> {
        self.named_moves().into_iter().map(|(text, _)| text).collect()
    }

    fn successors(&self) -> Vec<(String, String)> {
        let with_position = |(text, mv)| (text, self.successor(mv).position_text());
        self.named_moves().into_iter().map(with_position).collect()
    }

    fn read_move(&self, text: &str) -> Result<String, TextError> {
        let mv = self.typed_move(text)?;
        Ok(self.current().move_text(mv))
    }

    fn play(&mut self, text: &str) -> Result<String, TextError> {
        let mv = self.typed_move(text)?;
        let canonical = self.current().move_text(mv);
        let mut next = self.current().clone();
        let progress = next.play(mv);
        self.history.push(&next, progress);
        self.positions.push(next);
        self.played.push(canonical.clone());
        Ok(canonical)
    }

    fn undo(&mut self) -> bool {
        let undone = self.played.pop().is_some();
        if undone {
            self.positions.pop();
            self.history.pop();
        }
        undone
    }

    fn played(&self) -> &[String] {
        &self.played
    }

    fn set_position(&mut self, text: &str) -> Result<(), TextError> {
        let start = self.variant_start.read_position(text)?;
        self.custom_start = (start != self.variant_start).then(|| start.position_text());
        self.history = History::new(&start);
        self.positions = vec![start];
        self.played.clear();
        Ok(())
    }

    fn custom_start(&self) -> Option<&str> {
        self.custom_start.as_deref()
    }

    fn evaluations(&self) -> Vec<(&'static str, &'static str)> {
        G::evaluations().iter().map(|evaluation| (evaluation.name, evaluation.about)).collect()
    }

    fn evaluate(&self, name: &str) -> Option<i32> {
        let evaluation = G::evaluation(name)?;
        let seat = self.status().to_move()?;
        Some((evaluation.judge)(self.current(), seat))
    }

    fn random_move(&self, rng: &mut Rng) -> Option<String> {
        self.status().to_move()?;
        let mv = self.current().sample(rng, &mut MoveList::new())?;
        Some(self.current().move_text(mv))
    }

    fn scene(&self) -> Scene {
        self.current().scene()
    }

    fn drawn_moves(&self) -> Vec<(String, Trace)> {
        let drawn = |(text, mv)| (text, self.current().trace(mv));
        self.named_moves().into_iter().map(drawn).collect()
    }

    fn count_moves(&self) -> u64 {
        match self.history.status(self.current()) {
            Status::ToMove(_) => self.current().count_moves(),
            Status::Over(_) => 0,
        }
    }

    fn trace(&self, text: &str) -> Result<Trace, TextError> {
        let mv = self.typed_move(text)?;
        Ok(self.current().trace(mv))
    }

    fn guide(&self) -> Option<String> {
        self.status().to_move()?;
        self.current().guide()
    }

    fn threats(&self) -> Vec<(String, Trace)> {
        let Some(mover) = self.status().to_move() else { return Vec::new() };
        let Some(idle) = self.current().idle() else { return Vec::new() };
        let pieces = idle.scene().pieces;
        let is_own = |cell: CellId| pieces.iter().any(|p| p.cell == cell && p.owner == mover);
        let threat = |mv| {
            let mut trace = idle.trace(mv);
            trace.removes.retain(|&cell| is_own(cell));
            (!trace.removes.is_empty()).then(|| (idle.move_text(mv), trace))
        };
        let mut threats: Vec<(String, Trace)> =
            idle.moves().into_iter().filter_map(threat).collect();
        threats.sort_by(|one, other| one.0.cmp(&other.0));
        threats
    }

    fn perft(
        &self,
        perft: &Perft,
        depth: u32,
        progress: &(dyn Fn(usize, usize) + Sync),
    ) -> Vec<(String, u64)> {
        let divided = perft.divide(self.current(), depth, progress);
        let name = |(mv, nodes)| (self.current().move_text(mv), nodes);
        let mut named: Vec<(String, u64)> = divided.into_iter().map(name).collect();
        named.sort();
        named
    }
}
