//! Where games of one variant are played.

mod replay;

use agon_core::rng::mix;
use agon_core::{Notation, PerSeat, Seat, TextError, Variant};
use agon_games::{Catalog, Playable, Visitor};
use agon_search::{AgentError, StopFlag, agents};

use crate::agent::{Agent, AgentKind};
use crate::clock::{Clock, Pace};
use crate::fixture::{Fixture, Terms};
use crate::gallery::{Frame, GameNow};
use crate::game_summary::{Effort, FinishedGame, GameSummary, written};
use crate::guests::Guests;
use crate::openings::{Book, OpeningError};
use crate::player::SystemTrouble;
use crate::referee::play_before;
use crate::remote::Correspondent;
use crate::resources::{self, Occupant};
use crate::seated::{Seated, TypedPlayer};
use crate::session::{Played, Session, TypedBoard};
use crate::store::{PlayedBy, StoredGame};
use crate::verdict::Verdict;

/// Why games on these terms cannot be played.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
pub enum VenueError {
    /// The variant is invalid.
    #[error(transparent)]
    Variant(#[from] TextError),
    /// The openings cannot be used.
    #[error(transparent)]
    Openings(#[from] OpeningError),
    /// There are too many or too few agents.
    #[error("{variant} is for {seats} agents, not {agents}")]
    Seats {
        /// The variant.
        variant: Variant,
        /// The number of players it is for.
        seats: usize,
        /// How many there are.
        agents: usize,
    },
    /// An agent cannot play here.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// The system refused a resource that a game needs. It is nobody's fault, and there is no game.
    #[error(transparent)]
    System(#[from] SystemTrouble),
    /// The games are played elsewhere, and that fails.
    #[error("{0}")]
    Elsewhere(String),
}

/// Plays games on the same terms. Inside, everything is compiled for the game.
pub trait Venue: Send + Sync {
    /// The variant in its canonical text.
    fn variant(&self) -> &Variant;

    /// The names of the seats.
    fn seat_names(&self) -> Vec<String>;

    /// How the games of this group begin: the start, if it is not the variant's own, and the moves.
    fn opening(&self, group: u64) -> (Option<String>, String);

    /// Whether an agent can play here, as far as that is known before a game.
    fn check(&self, agent: &Agent) -> Result<(), AgentError>;

    /// Plays a game, and records its moves if `written`; `None` if it was stopped. It can be seen in
    /// the `frame` meanwhile, if there is one.
    fn play(
        &self,
        fixture: &Fixture,
        guests: &mut Guests,
        written: bool,
        frame: Option<Frame<'_>>,
        stop: &StopFlag,
    ) -> Result<Option<FinishedGame>, VenueError>;

    /// A game that is not played because some of its agents have been withdrawn.
    fn forfeit(&self, fixture: &Fixture, withdrawn: &[Seat], written: bool) -> FinishedGame;

    /// Checks a game that somebody claims to have played, who is not trusted. By the rules, it is the
    /// game of this fixture from its opening to its end, or else the error says what does not fit.
    /// The result, with its moves, is made from what was checked.
    ///
    /// What only those know who were there is taken from the claim: times, nodes, depths and scores,
    /// faults and resignations of a player who could commit them, evidence and resources of limited
    /// size, whether it was disturbed, where it was played, and when it ended, if that was within the
    /// last 30 days.
    fn replay(&self, fixture: &Fixture, claimed: &StoredGame) -> Result<FinishedGame, String>;
}

/// Prepares to play on these terms, the `number`th of a tournament with this seed.
pub fn open(terms: &Terms, seed: u64, number: u16) -> Result<Box<dyn Venue>, VenueError> {
    open_at(terms, seed, number, None)
}

/// The same at a place, if it is known: clocks are scaled as it says, and games say that they were
/// played there.
pub fn open_at(
    terms: &Terms,
    seed: u64,
    number: u16,
    place: Option<&PlayedBy>,
) -> Result<Box<dyn Venue>, VenueError> {
    Ok(terms.catalog.with_game(&terms.variant, Opener { terms, seed, number, place })??)
}

struct Opener<'a> {
    terms: &'a Terms,
    seed: u64,
    number: u16,
    place: Option<&'a PlayedBy>,
}

impl Visitor for Opener<'_> {
    type Output = Result<Box<dyn Venue>, OpeningError>;

    fn visit<G: Playable>(self, variant: Variant, start: G) -> Self::Output {
        let Opener { terms, seed, number, place } = self;
        let (home, seed_of_openings) =
            ((&terms.catalog, &variant), derived(seed, 0, u64::from(number)));
        let book = Book::find(&terms.openings, home, &start, seed_of_openings)?;
        let (catalog, pace, place) = (terms.catalog.clone(), terms.pace, place.cloned());
        let clocks = pace.scaled(place.as_ref().map_or(1.0, |place| place.scale));
        Ok(Box::new(TypedVenue { catalog, variant, pace, clocks, place, start, book, seed }))
    }
}

struct TypedVenue<G: Playable> {
    catalog: Catalog,
    variant: Variant,
    /// As it was agreed upon, and with the clocks of this machine.
    pace: Pace,
    clocks: Pace,
    place: Option<PlayedBy>,
    start: G,
    book: Book<G>,
    seed: u64,
}

impl<G: Playable> TypedVenue<G> {
    fn seated(
        &self,
        fixture: &Fixture,
        agent: u16,
        guests: &mut Guests,
    ) -> Result<TypedPlayer<G>, AgentError> {
        let absent = || AgentError::new(agent, "there is no agent with this number");
        match guests.agent(agent).ok_or_else(absent)?.kind() {
            AgentKind::BuiltIn(spec) => {
                let seed = derived(self.seed, 1 + u64::from(agent), fixture.number);
                agents::strategy(&self.catalog, &self.variant, spec, seed).map(Seated::BuiltIn)
            }
            AgentKind::Outside(outside) => {
                let outside = outside.clone();
                let remote = guests.take(agent, &self.variant, &*outside);
                Ok(Seated::Outside(Correspondent::new(remote)))
            }
        }
    }

    /// What the agents of a game use besides their own code.
    fn resources(&self, fixture: &Fixture, guests: &Guests) -> Option<String> {
        let occupant = |&agent: &u16| match guests.agent(agent).map(Agent::kind) {
            Some(AgentKind::BuiltIn(spec)) => Occupant::BuiltIn(spec),
            Some(AgentKind::Outside(outside)) => Occupant::Program(outside.isolation()),
            None => Occupant::Other,
        };
        let occupants = fixture.seating.as_slice().iter().map(occupant);
        resources::in_use(&self.catalog, &self.variant, occupants)
    }

    /// A program that committed no fault waits for its next game.
    fn give_back(&self, agent: u16, player: TypedPlayer<G>, guests: &mut Guests) {
        if let Seated::Outside(correspondent) = player
            && let Some(remote) = correspondent.into_remote()
        {
            guests.give_back(agent, &self.variant, remote);
        }
    }

    /// What is passed on of a game.
    fn finished(
        &self,
        fixture: &Fixture,
        played: Played<G>,
        written: bool,
        resources: Option<String>,
    ) -> FinishedGame {
        let moves = played.plies.iter().map(|ply| (ply.seat, ply.time, ply.nodes, ply.depth));
        let effort = Effort::of_seats(fixture.seating.seats(), moves);
        let stored = written.then(|| {
            let game = self.written(fixture, &played);
            Box::new(StoredGame { resources, played_by: self.place.clone(), ..game })
        });
        let Verdict { outcome, reason, end, evidence } = played.verdict;
        let summary = GameSummary {
            number: fixture.number,
            round: fixture.round,
            seating: fixture.seating,
            plies: (played.opening.moves().len() + played.plies.len()) as u32,
            effort,
            points: outcome.points(),
            reason,
            end,
            evidence,
            signature: played.signature,
            disturbed: played.disturbed,
        };
        FinishedGame { summary, stored }
    }

    /// The game as it is now, for those who watch.
    fn glance(&self, session: &Session<TypedBoard<G>>, game: &mut GameNow) {
        let opening = session.board().opening();
        let mut position = opening.start().clone();
        let moves = opening.moves().iter().copied();
        game.start = opening.custom_start();
        game.moves =
            play_as_text(&mut position, moves.chain(session.plies().iter().map(|it| it.mv)));
        game.to_move = session.to_move().map(Seat::index);
        let left = |clock: &Clock| clock.remaining().map(|time| time.as_millis() as u64);
        game.clocks = session.clocks().iter().map(left).collect();
    }

    /// The game as it is stored.
    fn written(&self, fixture: &Fixture, played: &Played<G>) -> StoredGame {
        let Played { opening, plies, verdict, signature, disturbed } = played;
        let agents: Vec<u32> = fixture.seating.as_slice().iter().copied().map(u32::from).collect();
        let mut position = opening.start().clone();
        StoredGame {
            number: fixture.number,
            round: fixture.round,
            pairing: fixture.pairing,
            leg: fixture.leg,
            seats: PerSeat::from_slice(&agents),
            start: opening.custom_start(),
            opening: play_as_text(&mut position, opening.moves().iter().copied()),
            moves: play_as_text(&mut position, plies.iter().map(|ply| ply.mv)),
            signature: *signature,
            disturbed: *disturbed,
            ..written(&self.variant, &self.pace, plies, verdict)
        }
    }
}

/// Plays moves and returns their texts, separated by spaces.
fn play_as_text<G: Notation>(position: &mut G, moves: impl Iterator<Item = G::Move>) -> String {
    let mut text = String::with_capacity(6 * moves.size_hint().0);
    for mv in moves {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&position.move_text(mv));
        position.play(mv);
    }
    text
}

impl<G: Playable> Venue for TypedVenue<G> {
    fn variant(&self) -> &Variant {
        &self.variant
    }

    fn seat_names(&self) -> Vec<String> {
        Seat::all(self.start.seats()).map(|seat| self.start.seat_name(seat).to_string()).collect()
    }

    fn opening(&self, group: u64) -> (Option<String>, String) {
        let opening = self.book.opening(group);
        let mut position = opening.start().clone();
        let moves = play_as_text(&mut position, opening.moves().iter().copied());
        (opening.custom_start(), moves)
    }

    fn check(&self, agent: &Agent) -> Result<(), AgentError> {
        agent.check::<G>(&self.catalog, &self.variant, &self.pace)
    }

    fn play(
        &self,
        fixture: &Fixture,
        guests: &mut Guests,
        written: bool,
        mut frame: Option<Frame<'_>>,
        stop: &StopFlag,
    ) -> Result<Option<FinishedGame>, VenueError> {
        let opening = self.book.opening(fixture.group);
        let mut players: Vec<TypedPlayer<G>> = Vec::with_capacity(fixture.seating.seats());
        for &agent in fixture.seating.as_slice() {
            players.push(self.seated(fixture, agent, guests)?);
        }
        let audience = |session: &Session<TypedBoard<G>>| {
            if let Some(frame) = &mut frame {
                frame.show(|game| self.glance(session, game));
            }
        };
        let board = TypedBoard::new(opening);
        let played = play_before(board, &mut players, &self.clocks, stop, audience)?;
        for (&agent, player) in fixture.seating.as_slice().iter().zip(players) {
            self.give_back(agent, player, guests);
        }
        let played = played.and_then(Session::into_played);
        let resources = if written { self.resources(fixture, guests) } else { None };
        Ok(played.map(|played| self.finished(fixture, played, written, resources)))
    }

    fn forfeit(&self, fixture: &Fixture, withdrawn: &[Seat], written: bool) -> FinishedGame {
        let verdict = Verdict::withdrawn(fixture.seating.seats(), withdrawn);
        let opening = self.book.opening(fixture.group);
        let (plies, signature, disturbed) = (Vec::new(), 0, false);
        let played = Played { opening, plies, verdict, signature, disturbed };
        self.finished(fixture, played, written, None)
    }

    fn replay(&self, fixture: &Fixture, claimed: &StoredGame) -> Result<FinishedGame, String> {
        self.replayed(fixture, claimed)
    }
}

/// Derives the seed of a random choice.
pub(crate) fn derived(seed: u64, purpose: u64, number: u64) -> u64 {
    mix(mix(mix(seed) ^ mix(purpose + 1)) ^ mix(!number))
}
