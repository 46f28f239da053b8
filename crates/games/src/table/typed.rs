//! A table for one type of game.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use agon_core::arrange::{self, Dial, Draft, Stock};
use agon_core::rng::mix;
use agon_core::scene::{CellId, Piece, Supply, Trace};
use agon_core::{
    Ended, Game, History, Invalid, MoveList, Outcome, Perft, Rng, Scene, Seat, TextError, Variant,
};

use super::{LastMove, Table, Threat};
use crate::catalog::{Catalog, Playable};

/// A [`Table`] for one type of game. Copies share everything until one of them changes.
#[derive(Clone)]
pub(crate) struct TypedTable<G: Game> {
    origin: Arc<Origin<G>>,
    line: Arc<Line<G>>,
}

/// What never changes.
struct Origin<G> {
    catalog: Catalog,
    variant: Variant,
    start: G,
}

/// The game so far.
#[derive(Clone)]
struct Line<G: Game> {
    custom_start: Option<String>,
    /// The positions so far; the last is the current one.
    places: Vec<Place<G>>,
    history: History,
    played: Vec<String>,
    shown: Arc<Shown<G::Move>>,
}

/// A position of the game. It owns no heap memory, so that games are cheap to copy.
#[derive(Clone)]
struct Place<G: Game> {
    position: G,
    /// The move that led here, and who made it.
    by: Option<(G::Move, Seat)>,
    count: OnceLock<Count>,
}

/// What is known about a position once its moves have been counted.
#[derive(Clone, Copy)]
struct Count {
    turn: Result<Seat, Ended>,
    moves: u64,
}

/// What is cached about the current position once it has been shown.
struct Shown<M> {
    /// The legal moves with their texts, sorted by text.
    moves: OnceLock<Vec<(String, M)>>,
    /// The last move as it was drawn.
    last: OnceLock<Trace>,
}

impl<M> Default for Shown<M> {
    fn default() -> Self {
        Shown { moves: OnceLock::new(), last: OnceLock::new() }
    }
}

impl<G: Playable> Line<G> {
    fn new(start: G, custom_start: Option<String>) -> Line<G> {
        Line {
            custom_start,
            history: History::new(&start),
            places: vec![Place { position: start, by: None, count: OnceLock::new() }],
            played: Vec::new(),
            shown: Arc::default(),
        }
    }

    /// Drops the cache: the current position has changed.
    fn look_anew(&mut self) {
        match Arc::get_mut(&mut self.shown) {
            Some(shown) => *shown = Shown::default(),
            None => self.shown = Arc::default(),
        }
    }
}

impl<G: Playable> TypedTable<G> {
    pub(crate) fn new(catalog: Catalog, variant: Variant, start: G) -> Self {
        let line = Arc::new(Line::new(start.clone(), None));
        TypedTable { origin: Arc::new(Origin { catalog, variant, start }), line }
    }

    fn place(&self) -> &Place<G> {
        &self.line.places[self.line.places.len() - 1]
    }

    fn current(&self) -> &G {
        &self.place().position
    }

    fn count(&self) -> Count {
        *self.place().count.get_or_init(|| {
            let mut moves = 0;
            let turn = self.line.history.turn_if(self.current(), || {
                moves = self.current().count_moves();
                moves > 0
            });
            Count { turn, moves: if turn.is_ok() { moves } else { 0 } }
        })
    }

    /// The legal moves with their texts, sorted by text.
    fn named_moves(&self) -> &[(String, G::Move)] {
        self.line.shown.moves.get_or_init(|| {
            if self.turn().is_err() {
                return Vec::new();
            }
            let name = |mv| (self.current().move_text(mv), mv);
            let mut named: Vec<_> = self.current().moves().into_iter().map(name).collect();
            named.sort_unstable();
            named
        })
    }

    /// Reads a move of the current position, if the game goes on, together with its player. Looks
    /// it up if the moves have been listed, but does not list them for this.
    fn typed_move(&self, text: &str) -> Result<(G::Move, Seat), TextError> {
        let over = |ended: Ended| {
            let expected = format!(
                "no move: the game is over ({})",
                self.current().reason_text(&ended.outcome)
            );
            let game = self.origin.variant.game();
            Err(TextError::new(game, "move", text, 0..text.len(), expected))
        };
        let position = self.current();
        // If the player is stuck, reading finds no move.
        let turn = match self.place().count.get() {
            Some(count) => count.turn,
            None => self.line.history.turn_if(position, || true),
        };
        let seat = match turn {
            Ok(seat) => seat,
            Err(ended) => return over(self.turn().err().unwrap_or(ended)),
        };
        if let Some(named) = self.line.shown.moves.get()
            && let Ok(at) = named.binary_search_by(|(known, _)| known.as_str().cmp(text))
        {
            return Ok((named[at].1, seat));
        }
        match (position.read_move(text), self.place().count.get()) {
            (Ok(mv), _) => Ok((mv, seat)),
            (Err(error), Some(_)) => Err(error),
            (Err(error), None) => self.turn().map_or_else(over, |_| Err(error)),
        }
    }

    fn successor(&self, mv: G::Move) -> G {
        let mut next = self.current().clone();
        next.play(mv);
        next
    }
}

impl<G: Playable> Table for TypedTable<G> {
    fn catalog(&self) -> &Catalog {
        &self.origin.catalog
    }

    fn variant(&self) -> &Variant {
        &self.origin.variant
    }

    fn seats(&self) -> usize {
        self.current().seats()
    }

    fn seat_name(&self, seat: Seat) -> &str {
        self.current().seat_name(seat)
    }

    fn seat_label(&self, seat: Seat) -> &str {
        self.current().seat_label(seat)
    }

    fn position(&self) -> String {
        self.current().position_text()
    }

    fn turn(&self) -> Result<Seat, Ended> {
        self.count().turn
    }

    fn moves(&self) -> Vec<String> {
        self.named_moves().iter().map(|(text, _)| text.clone()).collect()
    }

    fn successors(&self) -> Vec<(String, String)> {
        let successor =
            |(text, mv): &(String, G::Move)| (text.clone(), self.successor(*mv).position_text());
        self.named_moves().iter().map(successor).collect()
    }

    fn canonical_key(&self) -> u64 {
        self.current().canonical_key()
    }

    fn keyed_moves(&self) -> Vec<(String, u64)> {
        let keyed =
            |(text, mv): &(String, G::Move)| (text.clone(), self.successor(*mv).canonical_key());
        self.named_moves().iter().map(keyed).collect()
    }

    fn scale(&self) -> i32 {
        G::SCALE
    }

    fn read_move(&self, text: &str) -> Result<String, TextError> {
        let (mv, _) = self.typed_move(text)?;
        Ok(self.current().move_text(mv))
    }

    fn percept(&self, seat: Seat) -> Option<String> {
        self.current().percept(seat)
    }

    fn read_move_of(&self, seat: Seat, text: &str) -> Result<String, TextError> {
        let mv = self.current().read_move_of(seat, text)?;
        // It is legal by the rules, but a history rule may have ended the game.
        self.read_move(&self.current().move_text(mv))
    }

    fn play(&mut self, text: &str) -> Result<String, TextError> {
        let (mv, seat) = self.typed_move(text)?;
        let canonical = self.current().move_text(mv);
        let mut position = self.current().clone();
        let progress = position.play(mv);
        let line = Arc::make_mut(&mut self.line);
        line.history.push(&position, progress);
        line.places.push(Place { position, by: Some((mv, seat)), count: OnceLock::new() });
        line.played.push(canonical.clone());
        line.look_anew();
        Ok(canonical)
    }

    fn undo(&mut self) -> bool {
        if self.line.played.is_empty() {
            return false;
        }
        let line = Arc::make_mut(&mut self.line);
        line.played.pop();
        line.places.pop();
        line.history.pop();
        line.look_anew();
        true
    }

    fn played(&self) -> &[String] {
        &self.line.played
    }

    fn signature(&self) -> u64 {
        let keys = self.line.places.iter().map(|place| place.position.key());
        keys.reduce(|signature, key| mix(signature ^ key)).unwrap_or(0)
    }

    fn mover(&self, ply: usize) -> Option<Seat> {
        self.line.places.get(ply + 1)?.by.map(|(_, seat)| seat)
    }

    fn last(&self) -> Option<LastMove<'_>> {
        let Line { places, played, shown, .. } = &*self.line;
        let [.., before, Place { by: Some((mv, seat)), .. }] = &places[..] else { return None };
        let trace = shown.last.get_or_init(|| before.position.trace(*mv));
        Some(LastMove { text: played.last()?, seat: *seat, trace })
    }

    fn fork(&self) -> Box<dyn Table> {
        Box::new(self.clone())
    }

    fn set_position(&mut self, text: &str) -> Result<(), TextError> {
        let start = self.origin.start.read_position(text)?;
        let custom_start = (start != self.origin.start).then(|| start.position_text());
        self.line = Arc::new(Line::new(start, custom_start));
        Ok(())
    }

    fn custom_start(&self) -> Option<&str> {
        self.line.custom_start.as_deref()
    }

    fn evaluations(&self) -> Vec<(&'static str, &'static str)> {
        G::evaluations().iter().map(|evaluation| (evaluation.name, evaluation.about)).collect()
    }

    fn evaluate(&self, name: &str) -> Option<i32> {
        let evaluation = G::evaluation(name)?;
        let seat = self.turn().ok()?;
        let tables = self.catalog().tables(self.variant());
        Some(self.current().evaluator(evaluation, &tables).judge(self.current(), seat))
    }

    fn random_move(&self, rng: &mut Rng) -> Option<String> {
        self.turn().ok()?;
        let mv = self.current().sample(rng, &mut MoveList::new())?;
        Some(self.current().move_text(mv))
    }

    fn scene(&self) -> Scene {
        self.current().scene()
    }

    fn pieces(&self) -> Vec<Piece> {
        self.current().pieces()
    }

    fn supplies(&self) -> Vec<Supply> {
        self.current().supplies()
    }

    fn drawn_moves(&self) -> Vec<(String, Trace)> {
        let drawn = |(text, mv): &(String, G::Move)| (text.clone(), self.current().trace(*mv));
        self.named_moves().iter().map(drawn).collect()
    }

    fn count_moves(&self) -> u64 {
        self.count().moves
    }

    fn trace(&self, text: &str) -> Result<Trace, TextError> {
        let (mv, _) = self.typed_move(text)?;
        Ok(self.current().trace(mv))
    }

    fn palette(&self) -> Vec<Stock> {
        self.current().palette()
    }

    fn dials(&self) -> Vec<Dial> {
        self.current().dials()
    }

    fn draft(&self) -> Draft {
        arrange::draft(self.current())
    }

    fn arranged(&self, draft: &Draft) -> Result<String, Invalid> {
        arrange::arrange(self.current(), draft).map(|position| position.position_text())
    }

    fn guide(&self) -> Option<String> {
        self.turn().ok()?;
        self.current().guide()
    }

    fn has_threats(&self) -> bool {
        G::HAS_THREATS
    }

    fn threats(&self) -> Vec<Threat> {
        let Ok(mover) = self.turn() else { return Vec::new() };
        let others = Seat::all(self.seats()).filter(|&seat| seat != mover);
        let mut threats: Vec<Threat> =
            others.flat_map(|other| threats_by(other, mover, self.current())).collect();
        threats.sort_by(|one, other| one.text.cmp(&other.text));
        threats
    }

    fn reason_text(&self, outcome: &Outcome) -> Cow<'static, str> {
        self.current().reason_text(outcome)
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

/// What one player threatens to do to another, who is to move.
fn threats_by<G: Playable>(attacker: Seat, victim: Seat, position: &G) -> Vec<Threat> {
    let Some(idle) = position.idle(attacker) else { return Vec::new() };
    let pieces = idle.pieces();
    let is_victims = |cell: CellId| pieces.iter().any(|p| p.cell == cell && p.owner == victim);
    let threat = |mv| {
        let mut trace = idle.trace(mv);
        trace.removes.retain(|&cell| is_victims(cell));
        let wins = wins_against(victim, attacker, &idle, mv);
        let is_threat = wins || !trace.removes.is_empty();
        is_threat.then(|| Threat { text: idle.move_text(mv), trace, wins })
    };
    idle.moves().into_iter().filter_map(threat).collect()
}

/// Whether a move ends the game with more points for who makes it than for another, or takes a
/// place for good where others play on.
fn wins_against<G: Playable>(other: Seat, mover: Seat, position: &G, mv: G::Move) -> bool {
    let mut after = position.clone();
    after.play(mv);
    match after.outcome() {
        Some(outcome) => outcome.points()[mover] > outcome.points()[other],
        None => after.secured(mover).is_some_and(|points| points > 0),
    }
}
