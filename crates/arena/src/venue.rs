//! Where the games of one variant are played.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use agon_core::rng::mix;
use agon_core::{PerSeat, Seat, TextError, Variant};
use agon_games::{Playable, Visitor, with_game};
use agon_search::{AgentError, StopFlag, agents};

use crate::agent::{Agent, AgentKind};
use crate::clock::Pace;
use crate::fixture::{Fixture, Terms};
use crate::lounge::Lounge;
use crate::openings::{Book, Opening, OpeningError};
use crate::player::{Breach, SystemTrouble};
use crate::record::{AnyRecord, Record};
use crate::referee::play_game;
use crate::remote::Correspondent;
use crate::seated::{Once, Seated, TypedPlayer};
use crate::session::{Played, Session, TypedBoard};
use crate::verdict::Verdict;

/// Why games on these terms cannot be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum VenueError {
    /// The variant means nothing.
    Variant(TextError),
    /// The openings cannot be used.
    Openings(OpeningError),
    /// An agent cannot play here.
    Agent(AgentError),
}

impl fmt::Display for VenueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VenueError::Variant(error) => error.fmt(f),
            VenueError::Openings(error) => error.fmt(f),
            VenueError::Agent(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for VenueError {}

/// Where games are played on the same terms. Inside, everything is compiled for the game.
pub trait Venue: Send + Sync {
    /// The variant in its canonical text.
    fn variant(&self) -> &Variant;

    /// The names of the seats.
    fn seat_names(&self) -> Vec<&'static str>;

    /// Whether an agent can play here, as far as that can be known without a game.
    fn check(&self, agent: &Agent) -> Result<(), AgentError>;

    /// Plays a game; `None` if it was stopped.
    fn play(
        &self,
        fixture: &Fixture,
        guests: &mut Guests<'_>,
        stop: &StopFlag,
    ) -> Result<Option<Box<dyn AnyRecord>>, AgentError>;

    /// Asks an agent for one move at this place. The record has the move, or its verdict says why
    /// there is none; the verdict after a move in time means nothing, unless the move ended the
    /// game. `None` if it was stopped.
    fn ask(
        &self,
        agent: u16,
        place: &Place<'_>,
        guests: &mut Guests<'_>,
        stop: &StopFlag,
    ) -> Result<Option<Box<dyn AnyRecord>>, VenueError>;

    /// The record of a game that is not played, because some of its agents have been withdrawn.
    fn forfeit(&self, fixture: &Fixture, withdrawn: &[Seat]) -> Box<dyn AnyRecord>;
}

/// Where an agent is asked for a move.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Place<'a> {
    /// The position to begin with, or `None` for the variant's start.
    pub position: Option<&'a str>,
    /// Moves to play from there first.
    pub moves: &'a [&'a str],
}

/// The agents of a tournament and the programs that one thread has running for them.
pub struct Guests<'a> {
    agents: &'a [Agent],
    lounge: Lounge,
}

impl<'a> Guests<'a> {
    /// Nobody is running yet.
    pub fn new(agents: &'a [Agent]) -> Guests<'a> {
        Guests::in_lounge(agents, Lounge::default())
    }

    /// Those who wait in this lounge are running.
    pub(crate) fn in_lounge(agents: &'a [Agent], lounge: Lounge) -> Guests<'a> {
        Guests { agents, lounge }
    }

    /// Those who are running, for later.
    pub(crate) fn into_lounge(self) -> Lounge {
        self.lounge
    }

    /// Asks an agent's program to leave, waits so long, and says what it did wrong on its way out.
    /// `None` if it is not running.
    pub fn dismiss(
        &mut self,
        agent: u16,
        variant: &Variant,
        patience: Duration,
    ) -> Option<Result<(), Breach>> {
        self.lounge.take_running(agent, variant).map(|remote| remote.leave(patience))
    }
}

/// Prepares to play on these terms, the `number`th of a tournament with this seed.
pub fn open(terms: &Terms, seed: u64, number: u16) -> Result<Box<dyn Venue>, VenueError> {
    let opened = with_game(&terms.variant, Opener { terms, seed, number });
    opened.map_err(VenueError::Variant)?.map_err(VenueError::Openings)
}

struct Opener<'a> {
    terms: &'a Terms,
    seed: u64,
    number: u16,
}

impl Visitor for Opener<'_> {
    type Output = Result<Box<dyn Venue>, OpeningError>;

    fn visit<G: Playable>(self, variant: Variant, start: G) -> Self::Output {
        let Opener { terms, seed, number } = self;
        let book = Book::new(&terms.openings, &start, derived(seed, 0, u64::from(number)))?;
        Ok(Box::new(TypedVenue { variant: Arc::new(variant), pace: terms.pace, start, book, seed }))
    }
}

struct TypedVenue<G: Playable> {
    variant: Arc<Variant>,
    pace: Pace,
    start: G,
    book: Book<G>,
    seed: u64,
}

impl<G: Playable> TypedVenue<G> {
    fn seated(
        &self,
        fixture: &Fixture,
        agent: u16,
        guests: &mut Guests<'_>,
    ) -> Result<TypedPlayer<G>, AgentError> {
        let absent = || AgentError::new(agent, "there is no agent with this number");
        let known = guests.agents.get(usize::from(agent)).ok_or_else(absent)?;
        match &known.kind {
            AgentKind::BuiltIn(spec) => {
                let seed = derived(self.seed, 1 + u64::from(agent), fixture.number);
                agents::strategy(&self.variant, spec, seed).map(Seated::BuiltIn)
            }
            AgentKind::Outside(outside) => {
                let remote = guests.lounge.take(agent, &self.variant, &**outside);
                Ok(Seated::Outside(Correspondent::new(remote)))
            }
        }
    }

    /// A program that has done nothing wrong waits for its next game.
    fn give_back(&self, agent: u16, player: TypedPlayer<G>, guests: &mut Guests<'_>) {
        if let Seated::Outside(correspondent) = player
            && let Some(remote) = correspondent.into_remote()
        {
            guests.lounge.give_back(agent, &self.variant, remote);
        }
    }

    fn record(&self, fixture: &Fixture, played: Played<G>) -> Box<dyn AnyRecord> {
        Box::new(Record::new(self.variant.clone(), *fixture, played))
    }
}

impl<G: Playable> Venue for TypedVenue<G> {
    fn variant(&self) -> &Variant {
        &self.variant
    }

    fn seat_names(&self) -> Vec<&'static str> {
        Seat::all(self.start.seats()).map(|seat| self.start.seat_name(seat)).collect()
    }

    fn check(&self, agent: &Agent) -> Result<(), AgentError> {
        agent.check::<G>(&self.variant)
    }

    fn play(
        &self,
        fixture: &Fixture,
        guests: &mut Guests<'_>,
        stop: &StopFlag,
    ) -> Result<Option<Box<dyn AnyRecord>>, AgentError> {
        let opening = self.book.opening(fixture.group);
        let mut players: Vec<TypedPlayer<G>> = Vec::with_capacity(fixture.seating.seats());
        for &agent in fixture.seating.as_slice() {
            players.push(self.seated(fixture, agent, guests)?);
        }
        let played =
            play_game(TypedBoard::new(opening), &mut players, &self.pace, stop).map_err(no_game)?;
        for (&agent, player) in fixture.seating.as_slice().iter().zip(players) {
            self.give_back(agent, player, guests);
        }
        Ok(played.and_then(Session::into_played).map(|played| self.record(fixture, played)))
    }

    fn ask(
        &self,
        agent: u16,
        place: &Place<'_>,
        guests: &mut Guests<'_>,
        stop: &StopFlag,
    ) -> Result<Option<Box<dyn AnyRecord>>, VenueError> {
        let opening = Opening::read(&self.start, place.position, place.moves);
        let opening = opening.map_err(VenueError::Openings)?;
        let seats = self.start.seats();
        let seating = PerSeat::filled(seats, agent);
        let fixture =
            Fixture { number: 0, round: 0, pairing: 0, leg: 0, terms: 0, group: 0, seating };
        let mut asked = Some(self.seated(&fixture, agent, guests).map_err(VenueError::Agent)?);
        let to_move = opening.board().0.to_move();
        let sits = |seat| Once::new(if to_move == Some(seat) { asked.take() } else { None });
        let mut players: Vec<Once<G>> = Seat::all(seats).map(sits).collect();
        let played = play_game(TypedBoard::new(opening), &mut players, &self.pace, stop);
        let played = played.map_err(|trouble| VenueError::Agent(no_game(trouble)))?;
        for player in players.into_iter().filter_map(Once::into_player) {
            self.give_back(agent, player, guests);
        }
        Ok(played.and_then(Session::into_played).map(|played| self.record(&fixture, played)))
    }

    fn forfeit(&self, fixture: &Fixture, withdrawn: &[Seat]) -> Box<dyn AnyRecord> {
        let verdict = Verdict::withdrawn(fixture.seating.seats(), withdrawn);
        let opening = self.book.opening(fixture.group);
        self.record(fixture, Played { opening, plies: Vec::new(), verdict, signature: 0 })
    }
}

fn no_game(trouble: SystemTrouble) -> AgentError {
    AgentError::new("a game", trouble.to_string())
}

/// A seed of its own for everything that is drawn by lot.
fn derived(seed: u64, purpose: u64, number: u64) -> u64 {
    mix(mix(mix(seed) ^ mix(purpose + 1)) ^ mix(!number))
}
