//! Entering a move cell by cell: what a person may touch next, and what a touch means.
//!
//! Every legal move has its routes, the ways from its first cell by every stop to its last. What
//! was touched so far is the beginning of some of them.

use std::collections::BTreeSet;

use agon_core::scene::{CellId, Trace};
use agon_core::{Scene, Seat};
use agon_games::Table;

/// A legal move and how it is entered.
pub(super) struct Candidate {
    /// The move in canonical text.
    pub(super) text: String,
    pub(super) trace: Trace,
}

/// What to make of a cell where a move may end as well as go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Intent {
    /// End there.
    Arrive,
    /// Go on from there.
    PassThrough,
}

/// What a touch meant.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Touched {
    /// One more cell of a move, or the choice of another piece.
    Noted,
    /// The piece that was chosen is put down again.
    Dropped,
    /// This move, in canonical text.
    Move(String),
    /// Any of these candidates, by their numbers.
    Several(Vec<usize>),
    /// Nothing legal, and why.
    Wrong(String),
}

/// A move being entered.
pub(super) struct Entry {
    scene: Scene,
    mover: Option<Seat>,
    names: Vec<&'static str>,
    candidates: Vec<Candidate>,
    stops: Vec<CellId>,
}

impl Entry {
    /// Nothing entered yet, in the current position of a table.
    pub(super) fn new(table: &dyn Table) -> Entry {
        let candidate = |text: String| {
            let trace = table.trace(&text).ok()?;
            Some(Candidate { text, trace })
        };
        Entry {
            scene: table.scene(),
            mover: table.status().to_move(),
            names: Seat::all(table.seats()).map(|seat| table.seat_name(seat)).collect(),
            candidates: table.moves().into_iter().filter_map(candidate).collect(),
            stops: Vec::new(),
        }
    }

    /// The position as a drawing.
    pub(super) fn scene(&self) -> &Scene {
        &self.scene
    }

    /// A legal move by its number.
    pub(super) fn candidate(&self, number: usize) -> Option<&Candidate> {
        self.candidates.get(number)
    }

    /// What was entered so far, from the first cell on.
    pub(super) fn stops(&self) -> &[CellId] {
        &self.stops
    }

    /// The cells that can be touched to begin a move or, once one is begun, to stop at next.
    pub(super) fn next_stops(&self) -> BTreeSet<CellId> {
        let next = |(_, route): (usize, &[CellId])| route.get(self.stops.len()).copied();
        self.fitting(&self.stops).filter_map(next).collect()
    }

    /// The cells where a move that was begun so can end.
    pub(super) fn ends(&self) -> BTreeSet<CellId> {
        if self.stops.is_empty() {
            return BTreeSet::new();
        }
        self.fitting(&self.stops).filter_map(|(_, route)| route.last().copied()).collect()
    }

    /// Takes back the last cell; `false` if nothing was entered.
    pub(super) fn step_back(&mut self) -> bool {
        self.stops.pop().is_some()
    }

    /// Somebody touched a cell.
    pub(super) fn touch(&mut self, cell: CellId, intent: Intent) -> Touched {
        if self.stops.is_empty() {
            return self.begin(cell);
        }
        if self.stops == [cell] {
            self.stops.clear();
            return Touched::Dropped;
        }
        let further = [&self.stops[..], &[cell]].concat();
        let through = numbers(self.fitting(&further).filter(|(_, it)| it.len() > further.len()));
        let arriving = self.arriving(cell);
        if !through.is_empty() && (intent == Intent::PassThrough || arriving.is_empty()) {
            self.stops = further;
            return Touched::Noted;
        }
        // A next stop that is also the end of a longer way round could be meant as either.
        let ends_here = self.fitting(&further).any(|(_, route)| route.len() == further.len());
        let doubtful = if ends_here { Vec::new() } else { through };
        let later = doubtful.into_iter().filter(|number| !arriving.contains(number));
        let meant: Vec<usize> = arriving.iter().copied().chain(later).collect();
        match meant[..] {
            [only] => Touched::Move(self.candidates[only].text.clone()),
            [] if self.starts().contains(&cell) => self.begin(cell),
            [] => Touched::Wrong(self.why_not_there(cell)),
            _ => Touched::Several(meant),
        }
    }

    /// The candidates with a route that begins with these cells, each with that route.
    fn fitting(&self, stops: &[CellId]) -> impl Iterator<Item = (usize, &[CellId])> {
        let numbered = self.candidates.iter().enumerate();
        let routes = numbered
            .flat_map(|(number, it)| it.trace.routes.iter().map(move |route| (number, &route[..])));
        routes.filter(move |(_, route)| route.starts_with(stops))
    }

    /// The moves that end on this cell if what was entered goes on so: first those that go there
    /// directly, or are through already, then those by more stops.
    fn arriving(&self, cell: CellId) -> Vec<usize> {
        let entered = self.stops.len();
        let direct = |route: &[CellId]| {
            let there = self.stops.last() == Some(&cell);
            route.len() == if there { entered } else { entered + 1 }
        };
        let fitting = self.fitting(&self.stops).filter(|(_, route)| route.last() == Some(&cell));
        let (near, far): (Vec<_>, Vec<_>) = fitting.partition(|(_, route)| direct(route));
        numbers(near.into_iter().chain(far))
    }

    fn begin(&mut self, cell: CellId) -> Touched {
        if !self.starts().contains(&cell) {
            return Touched::Wrong(self.why_not_from(cell));
        }
        self.stops = vec![cell];
        Touched::Noted
    }

    fn starts(&self) -> BTreeSet<CellId> {
        self.fitting(&[]).filter_map(|(_, route)| route.first().copied()).collect()
    }

    /// How many of the others' men every legal move takes at least and at most.
    fn takes(&self) -> Option<(usize, usize)> {
        let theirs = |cell: &&CellId| {
            let mut pieces = self.scene.pieces.iter();
            pieces.any(|piece| piece.cell == **cell && Some(piece.owner) != self.mover)
        };
        let taken = |it: &Candidate| it.trace.removes.iter().filter(theirs).count();
        let least = self.candidates.iter().map(taken).min()?;
        Some((least, self.candidates.iter().map(taken).max()?))
    }

    fn why_not_from(&self, cell: CellId) -> String {
        let Some(mover) = self.mover else { return "the game is over".to_string() };
        let place = self.name(cell);
        match self.scene.pieces.iter().find(|piece| piece.cell == cell) {
            None => format!("nothing to move on {place}"),
            Some(piece) if piece.owner != mover => {
                let (owner, turn) = (self.seat(piece.owner), self.seat(mover));
                format!("the {} on {place} is {owner}'s; it is {turn}'s turn", piece.name)
            }
            Some(piece) => match self.duty() {
                Some(duty) => duty,
                None => format!("the {} on {place} has no move", piece.name),
            },
        }
    }

    fn why_not_there(&self, cell: CellId) -> String {
        let from = self.stops.last().map_or("", |&stop| self.name(stop));
        if self.stops.last() == Some(&cell) {
            return format!("the move does not end on {from} yet");
        }
        match self.duty() {
            Some(duty) => duty,
            None => format!("no move from {from} to {}", self.name(cell)),
        }
    }

    /// "You must take", where every legal move does.
    fn duty(&self) -> Option<String> {
        let (least, most) = self.takes().filter(|(least, _)| *least > 0)?;
        let names: Vec<&str> = self.starts().into_iter().map(|cell| self.name(cell)).collect();
        let count = if least == most && most > 1 { format!(" {most}") } else { String::new() };
        Some(format!("you must take{count}: {}", names.join(", ")))
    }

    fn name(&self, cell: CellId) -> &str {
        self.scene.cells.get(cell).map_or("", |cell| &cell.name)
    }

    fn seat(&self, seat: Seat) -> &'static str {
        self.names.get(seat.index()).copied().unwrap_or_default()
    }
}

/// The numbers of these candidates, each once.
fn numbers<'a>(routes: impl Iterator<Item = (usize, &'a [CellId])>) -> Vec<usize> {
    let mut found: Vec<usize> = Vec::new();
    for (number, _) in routes {
        if !found.contains(&number) {
            found.push(number);
        }
    }
    found
}

#[cfg(test)]
mod tests;
