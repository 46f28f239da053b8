//! Entering a move cell by cell: which cells can be selected next, and what a selection means.
//!
//! Every legal move has routes from its first cell via every stop to its last. The cells selected
//! so far are a prefix of some of them. A route of one cell places a piece: selecting it is the
//! whole move.

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

impl Candidate {
    /// Whether it places a piece, rather than moving one.
    fn places(&self) -> bool {
        self.trace.routes.first().is_some_and(|route| route.len() == 1)
    }
}

/// What is meant by a cell where a move may either end or continue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Intent {
    /// End there.
    Arrive,
    /// Continue from there.
    PassThrough,
}

/// The meaning of a selected cell.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Touched {
    /// Another cell of the move, or a different piece.
    Noted,
    /// The selected piece is deselected.
    Dropped,
    /// This move, in canonical text.
    Move(String),
    /// Any of these candidates, by index.
    Several(Vec<usize>),
    /// Nothing legal, with the reason.
    Wrong(String),
}

/// A move being entered.
pub(super) struct Entry {
    scene: Scene,
    mover: Option<Seat>,
    names: Vec<String>,
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
            names: Seat::all(table.seats())
                .map(|seat| table.seat_label(seat).to_string())
                .collect(),
            candidates: table.moves().into_iter().filter_map(candidate).collect(),
            stops: Vec::new(),
        }
    }

    /// The scene of the position.
    pub(super) fn scene(&self) -> &Scene {
        &self.scene
    }

    /// A legal move by its index.
    pub(super) fn candidate(&self, number: usize) -> Option<&Candidate> {
        self.candidates.get(number)
    }

    /// The cells entered so far.
    pub(super) fn stops(&self) -> &[CellId] {
        &self.stops
    }

    /// The cells where a move can start or a piece come to stand that is placed or, once a move is
    /// started, where it can stop next.
    pub(super) fn next_stops(&self) -> BTreeSet<CellId> {
        if self.stops.is_empty() {
            return self.starts().into_iter().chain(self.landings(None)).collect();
        }
        let next = |(_, route): (usize, &[CellId])| route.get(self.stops.len()).copied();
        self.fitting(&self.stops).filter_map(next).collect()
    }

    /// The cells where pieces come to stand that are placed by selecting this cell, or any.
    pub(super) fn landings(&self, by: Option<CellId>) -> BTreeSet<CellId> {
        let meant = |it: &&Candidate| by.is_none_or(|cell| it.trace.routes.contains(&vec![cell]));
        let placing = self.candidates.iter().filter(|it| it.places()).filter(meant);
        placing.filter_map(|it| it.trace.routes.first()?.first().copied()).collect()
    }

    /// Whether all that can be done is to place pieces.
    pub(super) fn only_places(&self) -> bool {
        !self.candidates.is_empty() && self.candidates.iter().all(Candidate::places)
    }

    /// Whether a second selection of the selected cell places a piece there.
    pub(super) fn may_place_here(&self) -> bool {
        matches!(self.stops[..], [cell] if !self.placing(cell).is_empty())
    }

    /// The cells where the move can end.
    pub(super) fn ends(&self) -> BTreeSet<CellId> {
        if self.stops.is_empty() {
            return BTreeSet::new();
        }
        self.fitting(&self.stops).filter_map(|(_, route)| route.last().copied()).collect()
    }

    /// Removes the last cell; `false` if nothing was entered.
    pub(super) fn step_back(&mut self) -> bool {
        self.stops.pop().is_some()
    }

    /// Selects a cell.
    pub(super) fn touch(&mut self, cell: CellId, intent: Intent) -> Touched {
        if self.stops.is_empty() {
            return self.begin(cell);
        }
        if self.stops == [cell] {
            self.stops.clear();
            return self.place(cell).unwrap_or(Touched::Dropped);
        }
        let further = [&self.stops[..], &[cell]].concat();
        let through = numbers(self.fitting(&further).filter(|(_, it)| it.len() > further.len()));
        let arriving = self.arriving(cell);
        if !through.is_empty() && (intent == Intent::PassThrough || arriving.is_empty()) {
            self.stops = further;
            return Touched::Noted;
        }
        // If the next stop is also the end of a longer route, either may be meant.
        let ends_here = self.fitting(&further).any(|(_, route)| route.len() == further.len());
        let doubtful = if ends_here { Vec::new() } else { through };
        let later = doubtful.into_iter().filter(|number| !arriving.contains(number));
        let meant: Vec<usize> = arriving.iter().copied().chain(later).collect();
        match meant[..] {
            [only] => Touched::Move(self.candidates[only].text.clone()),
            [] if self.starts().contains(&cell) => self.begin(cell),
            [] if self.may_place_instead(cell) => {
                self.stops.clear();
                self.begin(cell)
            }
            [] => Touched::Wrong(self.why_not_there(cell)),
            _ => Touched::Several(meant),
        }
    }

    /// The candidates with a route that starts with these cells, each with that route.
    fn fitting(&self, stops: &[CellId]) -> impl Iterator<Item = (usize, &[CellId])> {
        let numbered = self.candidates.iter().enumerate();
        let routes = numbered
            .flat_map(|(number, it)| it.trace.routes.iter().map(move |route| (number, &route[..])));
        routes.filter(move |(_, route)| route.starts_with(stops))
    }

    /// The moves that end on this cell after the cells entered so far: first those that go there
    /// directly or are already complete, then those with more stops.
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
        if self.starts().contains(&cell) {
            self.stops = vec![cell];
            return Touched::Noted;
        }
        self.place(cell).unwrap_or_else(|| Touched::Wrong(self.why_not_from(cell)))
    }

    /// Places a piece by selecting this cell; `None` if that cannot be.
    fn place(&self, cell: CellId) -> Option<Touched> {
        let placing = self.placing(cell);
        match placing[..] {
            [] => None,
            [only] => Some(Touched::Move(self.candidates[only].text.clone())),
            _ => Some(Touched::Several(placing)),
        }
    }

    /// The moves that place a piece if this cell is selected.
    fn placing(&self, cell: CellId) -> Vec<usize> {
        numbers(self.fitting(&[]).filter(|(_, route)| *route == [cell]))
    }

    /// Whether to place a piece on this cell although a piece was selected first.
    fn may_place_instead(&self, cell: CellId) -> bool {
        self.stops.len() == 1 && !self.placing(cell).is_empty()
    }

    /// The pieces that can move.
    fn starts(&self) -> BTreeSet<CellId> {
        let moving = self.fitting(&[]).filter(|(_, route)| route.len() > 1);
        moving.filter_map(|(_, route)| route.first().copied()).collect()
    }

    /// The minimum and maximum number of pieces that the legal moves capture.
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
        if self.only_places() {
            return self.duty().unwrap_or_else(|| format!("nothing can be placed on {place}"));
        }
        match self.scene.pieces.iter().find(|piece| piece.cell == cell) {
            None if !self.landings(None).is_empty() => format!("nothing can be placed on {place}"),
            None => format!("no piece to move on {place}"),
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

    /// "You must capture", if every legal move does.
    fn duty(&self) -> Option<String> {
        let (least, most) = self.takes().filter(|(least, _)| *least > 0)?;
        let cells = self.starts().into_iter().chain(self.landings(None));
        let names: Vec<&str> = cells.map(|cell| self.name(cell)).collect();
        let count = if least == most && most > 1 { format!(" {most}") } else { String::new() };
        Some(format!("you must capture{count}: {}", names.join(", ")))
    }

    fn name(&self, cell: CellId) -> &str {
        self.scene.cells.get(cell).map_or("", |cell| &cell.name)
    }

    fn seat(&self, seat: Seat) -> &str {
        self.names.get(seat.index()).map_or("", String::as_str)
    }
}

/// The indices of these candidates, without duplicates.
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
