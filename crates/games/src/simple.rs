//! A whole game from one small set of rules.
//!
//! [`SimpleRules`] is the least one can say about a game on a board of squares; [`Simple`] makes
//! everything else of it: notation, drawing, an evaluation, hints. It is the quickest way to a
//! first game, and how games that are loaded at run time are played. A game that has to be fast
//! implements the traits itself.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use agon_core::arrange::{Arrangement, Stock, Written};
use agon_core::notation::not_legal;
use agon_core::scene::{Cell, CellId, Piece, Supply, Trace};
use agon_core::sink::GO_ON;
use agon_core::text::Reader;
use agon_core::{
    Arrange, Draw, Evaluate, Evaluation, Flow, Game, Hints, HistoryRules, NoModel, Notation,
    Outcome, Progress, Reason, Scene, Seat, Sink, Status, TextError, Tunable, Variant, Which, fen,
};

use crate::catalog::Visitor;

/// The rules of a game on a board of squares.
///
/// A move is any number that tells the moves of one position apart. Cells are numbered row by row
/// from `a1`, the lower left corner.
pub trait SimpleRules: fmt::Debug + Send + Sync + 'static {
    /// A position: what stands where, whose turn it is, and whatever else the rules need to know.
    type State: Clone + Eq + Hash + fmt::Debug + Send + Sync + 'static;

    /// The name of the game, for messages.
    fn name(&self) -> &str;

    /// How many players there are.
    fn seats(&self) -> usize {
        2
    }

    /// The name of a seat.
    fn seat_name(&self, seat: Seat) -> &str;

    /// The position at the beginning.
    fn start(&self) -> Self::State;

    /// Whose turn it is, or would be if the game were not over.
    fn turn(&self, state: &Self::State) -> Seat;

    /// How the game ended, if it has.
    fn outcome(&self, state: &Self::State) -> Option<Outcome>;

    /// The legal moves, in a fixed order.
    fn moves(&self, state: &Self::State) -> Vec<u32>;

    /// Plays a legal move.
    fn play(&self, state: &mut Self::State, mv: u32);

    /// The cells of a move, from the first to the last; only one if a piece is placed.
    fn route(&self, state: &Self::State, mv: u32) -> Vec<CellId>;

    /// What stands where.
    fn grid(&self, state: &Self::State) -> Grid;

    /// The position with these pieces and this player to move, or why there is none.
    fn with_grid(&self, grid: &Grid, turn: Seat) -> Result<Self::State, String>;

    /// Whose piece a letter is, and its name; `None` for other letters.
    fn piece(&self, letter: char) -> Option<(Seat, Cow<'static, str>)>;

    /// The letter of the piece that a player places, in games where pieces are placed.
    fn supply(&self, seat: Seat) -> Option<char> {
        let _ = seat;
        None
    }

    /// The result for a player who has no move.
    fn when_stuck(&self, state: &Self::State) -> Outcome {
        let _ = state;
        Outcome::draw(self.seats(), "no legal move")
    }

    /// The text of a [`Reason::Numbered`].
    fn reason(&self, number: u16) -> Option<&str> {
        let _ = number;
        None
    }

    /// How good a position is for a seat, in hundredths of anything; with two players zero-sum.
    fn judge(&self, state: &Self::State, seat: Seat) -> i32 {
        let _ = (state, seat);
        0
    }

    /// Repetition, or a limit on the number of moves.
    fn history_rules(&self) -> HistoryRules {
        HistoryRules::NONE
    }
}

/// What stands on a board of squares.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Grid {
    width: usize,
    cells: Vec<Option<char>>,
}

impl Grid {
    /// A board of this size with these letters, row by row from `a1`.
    pub fn new(width: usize, cells: impl IntoIterator<Item = Option<char>>) -> Grid {
        Grid { width: width.max(1), cells: cells.into_iter().collect() }
    }

    /// The letters, row by row from `a1`.
    pub fn cells(&self) -> &[Option<char>] {
        &self.cells
    }

    fn height(&self) -> usize {
        self.cells.len() / self.width
    }

    fn cell(&self, column: usize, from_top: usize) -> CellId {
        (self.height() - 1 - from_top) * self.width + column
    }

    /// The name of a cell: `a1`.
    fn name(&self, cell: CellId) -> String {
        let column = char::from_u32('a' as u32 + (cell % self.width) as u32).unwrap_or('?');
        format!("{column}{}", cell / self.width + 1)
    }
}

/// A position of a game with [`SimpleRules`].
#[derive(Debug)]
pub struct Simple<R: SimpleRules + ?Sized> {
    rules: Arc<R>,
    state: R::State,
    key: u64,
}

impl<R: SimpleRules + ?Sized> Simple<R> {
    /// The start of a game with these rules.
    pub fn new(rules: Arc<R>) -> Simple<R> {
        let state = rules.start();
        Simple { rules, key: key(&state), state }
    }

    fn with(&self, state: R::State) -> Simple<R> {
        Simple { rules: self.rules.clone(), key: key(&state), state }
    }

    fn grid(&self) -> Grid {
        self.rules.grid(&self.state)
    }
}

/// Opens the only variant of a game with these rules: all that its `Family::open` has to do.
pub fn open_simple<R: SimpleRules, V: Visitor>(
    rules: R,
    variant: &Variant,
    visitor: V,
) -> Result<V::Output, TextError> {
    variant.without_setup()?;
    Ok(visitor.visit(Variant::new(rules.name(), ""), Simple::new(Arc::new(rules))))
}

/// The same in every run of the program.
fn key(state: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    state.hash(&mut hasher);
    hasher.finish()
}

impl<R: SimpleRules + ?Sized> Clone for Simple<R> {
    fn clone(&self) -> Simple<R> {
        Simple { rules: self.rules.clone(), state: self.state.clone(), key: self.key }
    }
}

impl<R: SimpleRules + ?Sized> PartialEq for Simple<R> {
    fn eq(&self, other: &Simple<R>) -> bool {
        self.state == other.state
    }
}

impl<R: SimpleRules + ?Sized> Eq for Simple<R> {}

impl<R: SimpleRules + ?Sized> Game for Simple<R> {
    type Move = u32;

    fn seats(&self) -> usize {
        self.rules.seats()
    }

    fn status(&self) -> Status {
        match self.rules.outcome(&self.state) {
            Some(outcome) => Status::Over(outcome),
            None => Status::ToMove(self.rules.turn(&self.state)),
        }
    }

    fn generate<S: Sink<u32>>(&self, which: Which, into: &mut S) -> Flow {
        if which == Which::All {
            for mv in self.rules.moves(&self.state) {
                into.push(mv)?;
            }
        }
        GO_ON
    }

    fn when_stuck(&self) -> Outcome {
        self.rules.when_stuck(&self.state)
    }

    fn reason_text(&self, outcome: &Outcome) -> Cow<'static, str> {
        let own = match outcome.reason() {
            Reason::Numbered(number) => self.rules.reason(number),
            Reason::Text(_) => None,
        };
        own.map_or_else(|| outcome.reason().text(), |text| text.to_string().into())
    }

    fn play(&mut self, mv: u32) -> Progress {
        self.rules.play(&mut self.state, mv);
        self.key = key(&self.state);
        Progress::Reversible
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn history_rules(&self) -> HistoryRules {
        self.rules.history_rules()
    }
}

impl<R: SimpleRules + ?Sized> Notation for Simple<R> {
    fn seat_name(&self, seat: Seat) -> &str {
        self.rules.seat_name(seat)
    }

    fn position_text(&self) -> String {
        let grid = self.grid();
        let rows = fen::write_rows(grid.width, grid.height(), |column, from_top| {
            grid.cells[grid.cell(column, from_top)]
        });
        format!("{rows} {}", self.seat_name(self.rules.turn(&self.state)))
    }

    fn read_position(&self, text: &str) -> Result<Self, TextError> {
        let mut grid = self.grid();
        let (width, height) = (grid.width, grid.height());
        grid.cells.fill(None);
        let mut reader = Reader::new(self.rules.name(), "position", text);
        let mut placed = Vec::new();
        fen::read_rows(&mut reader, width, height, "the pieces", |column, from_top, letter| {
            placed.push((column, from_top, letter));
            self.rules.piece(letter).is_some()
        })?;
        for (column, from_top, letter) in placed {
            let cell = grid.cell(column, from_top);
            grid.cells[cell] = Some(letter);
        }
        let names: Vec<&str> = Seat::all(self.seats()).map(|seat| self.seat_name(seat)).collect();
        let expected = format!("who is to move: {}", names.join(" or "));
        reader.blanks(&expected)?;
        let start = reader.at();
        let name = reader.rest().trim_end();
        let Some(turn) = names.iter().position(|known| *known == name) else {
            return Err(reader.error_at(start..text.len().max(start + 1), expected));
        };
        match self.rules.with_grid(&grid, Seat::new(turn)) {
            Ok(state) => Ok(self.with(state)),
            Err(problem) => Err(reader.error_at(0..text.len(), problem)),
        }
    }

    fn move_text(&self, mv: u32) -> String {
        let grid = self.grid();
        self.rules.route(&self.state, mv).into_iter().map(|cell| grid.name(cell)).collect()
    }

    fn read_move(&self, text: &str) -> Result<u32, TextError> {
        let mut moves = self.moves().into_iter();
        let found = moves.find(|&mv| self.move_text(mv) == text);
        found.ok_or_else(|| not_legal(self.rules.name(), self, text))
    }
}

impl<R: SimpleRules + ?Sized> Draw for Simple<R> {
    fn scene(&self) -> Scene {
        let grid = self.grid();
        let cell = |cell: CellId| {
            let (x, y) = ((cell % grid.width) as f32, (cell / grid.width) as f32);
            Cell { name: grid.name(cell), x, y }
        };
        Scene {
            cells: (0..grid.cells.len()).map(cell).collect(),
            pieces: self.pieces(),
            supplies: self.supplies(),
            ..Scene::default()
        }
    }

    fn pieces(&self) -> Vec<Piece> {
        let grid = self.grid();
        let letters = grid.cells.iter().enumerate();
        let piece = |(cell, letter): (CellId, &Option<char>)| {
            let letter = (*letter)?;
            let (owner, name) = self.rules.piece(letter)?;
            Some(Piece { cell, owner, letter, name, height: 1 })
        };
        letters.filter_map(piece).collect()
    }

    fn supplies(&self) -> Vec<Supply> {
        let supply = |owner: Seat| {
            let letter = self.rules.supply(owner)?;
            let (_, name) = self.rules.piece(letter)?;
            Some(Supply { owner, letter, name, left: None })
        };
        Seat::all(self.seats()).filter_map(supply).collect()
    }

    /// What the others no longer have afterwards has left the board.
    fn trace(&self, mv: u32) -> Trace {
        let route = self.rules.route(&self.state, mv);
        let mover = self.rules.turn(&self.state);
        let mut after = self.clone();
        after.play(mv);
        let theirs = |piece: &Piece| (piece.owner != mover).then_some(piece.cell);
        let left: BTreeSet<CellId> = after.pieces().iter().filter_map(theirs).collect();
        let before: Vec<CellId> = self.pieces().iter().filter_map(theirs).collect();
        let removes = before.into_iter().filter(|cell| !left.contains(cell)).collect();
        let places = if route.len() == 1 { self.rules.supply(mover) } else { None };
        Trace { routes: vec![route], places, removes, carries: Vec::new() }
    }
}

impl<R: SimpleRules + ?Sized> Arrange for Simple<R> {
    /// The letters of the alphabet that are pieces.
    fn palette(&self) -> Vec<Stock> {
        let stock = |letter: char| {
            let (owner, name) = self.rules.piece(letter)?;
            Some(Stock { letter, owner, name, height: 1 })
        };
        ('A'..='Z').chain('a'..='z').filter_map(stock).collect()
    }

    fn written_turn(&self) -> Seat {
        self.rules.turn(&self.state)
    }

    fn write(&self, arrangement: &Arrangement) -> Written {
        let grid = self.grid();
        let (cell, letter) = (|x, y| grid.cell(x, y), |cell| arrangement.letter(cell));
        let mut written = Written::rows(grid.width, grid.height(), cell, letter);
        written.push(&format!(" {}", self.seat_name(arrangement.turn())));
        written
    }
}

impl<R: SimpleRules + ?Sized> Evaluate for Simple<R> {
    type Model = NoModel;

    fn evaluations() -> &'static [Evaluation<Self>] {
        &const {
            [Evaluation {
                name: "simple",
                about: "what the rules say about the position; nothing, if they say nothing",
                judge: |position, seat| position.rules.judge(&position.state, seat),
            }]
        }
    }
}

impl<R: SimpleRules + ?Sized> Hints for Simple<R> {}

impl<R: SimpleRules + ?Sized> Tunable for Simple<R> {}
