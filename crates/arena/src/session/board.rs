//! What sessions are played on: typed positions, or tables with moves as text.

use std::borrow::Cow;
use std::fmt;

use agon_core::rng::mix;
use agon_core::{Ended, Game, History, Outcome, Seat, TextError};
use agon_games::Table;
use agon_search::Root;

use crate::openings::Opening;

/// A game in progress that knows its rules, whether moves are typed or texts.
pub trait Board {
    /// A move.
    type Move;
    /// Why a move is refused.
    type Refusal: fmt::Display;

    /// How many players there are.
    fn seats(&self) -> usize;

    /// Who is to move and has a legal move, or how the rules ended the game.
    fn turn(&self) -> Result<Seat, Ended>;

    /// Why a game ended as it did, in words.
    fn reason_text(&self, outcome: &Outcome) -> Cow<'static, str>;

    /// Plays a move and returns it in canonical form. An illegal move changes nothing.
    fn play(&mut self, mv: Self::Move) -> Result<Self::Move, Self::Refusal>;
}

/// A position of a known type and its history: what matches are played on.
#[derive(Clone, Debug)]
pub struct TypedBoard<G: Game> {
    opening: Opening<G>,
    position: G,
    history: History,
    signature: u64,
}

impl<G: Game> TypedBoard<G> {
    /// The board at the end of an opening.
    pub fn new(opening: Opening<G>) -> TypedBoard<G> {
        let (position, history) = opening.board();
        let signature = position.key();
        TypedBoard { opening, position, history, signature }
    }

    /// How the game began.
    pub fn opening(&self) -> &Opening<G> {
        &self.opening
    }

    /// The position and its history, for a search.
    pub fn root(&self) -> Root<'_, G> {
        Root { position: &self.position, history: &self.history }
    }

    /// The position now.
    pub fn position(&self) -> &G {
        &self.position
    }

    /// A hash of all positions after the opening: games with the same hash had the same moves.
    pub fn signature(&self) -> u64 {
        self.signature
    }

    /// The opening, when the game is over.
    pub(crate) fn into_opening(self) -> Opening<G> {
        self.opening
    }
}

impl<G: Game> Board for TypedBoard<G> {
    type Move = G::Move;
    type Refusal = String;

    fn seats(&self) -> usize {
        self.position.seats()
    }

    fn turn(&self) -> Result<Seat, Ended> {
        self.history.turn(&self.position)
    }

    fn reason_text(&self, outcome: &Outcome) -> Cow<'static, str> {
        self.position.reason_text(outcome)
    }

    fn play(&mut self, mv: G::Move) -> Result<G::Move, String> {
        let Some(progress) = self.position.try_play(mv) else {
            return Err(format!("{mv:?} at ply {}", self.history.plies() + 1));
        };
        self.history.push(&self.position, progress);
        self.signature = mix(self.signature ^ self.position.key());
        Ok(mv)
    }
}

impl Board for Box<dyn Table> {
    type Move = String;
    type Refusal = TextError;

    fn seats(&self) -> usize {
        (**self).seats()
    }

    fn turn(&self) -> Result<Seat, Ended> {
        (**self).turn()
    }

    fn reason_text(&self, outcome: &Outcome) -> Cow<'static, str> {
        (**self).reason_text(outcome)
    }

    fn play(&mut self, mv: String) -> Result<String, TextError> {
        (**self).play(&mv)
    }
}
