//! The trials that an agent goes through.

use std::time::Duration;

use agon_core::{PerSeat, Rng, Seat, Variant};
use agon_games::Scenario;
use agon_search::{AgentSpec, StopFlag};

use super::findings::{Found, Trial, answered, failed, fast, goes_on, passed, skipped, solved};
use super::{CheckError, CheckOptions, PASS_MARK};
use crate::agent::{Agent, AgentKind};
use crate::clock::{Pace, TimeControl};
use crate::fixture::{Fixture, Terms};
use crate::game_summary::Effort;
use crate::guests::Guests;
use crate::matches::Match;
use crate::openings::Openings;
use crate::player::ask;
use crate::remote::{Correspondent, GameEnd, Remote};
use crate::seated::{Seated, TablePlayer};
use crate::session::{Session, TableSession};
use crate::tournament::run::News;
use crate::venue::{self, Venue, VenueError, derived};
use crate::verdict::Verdict;
use crate::words;

/// The agent's number.
const AGENT: u16 = 0;
/// The number of the agent at the other seats.
const OTHER: u16 = 1;
/// How many random plies lead to each of the positions in which speed is measured.
const SPEED_PLIES: [usize; 4] = [0, 4, 8, 12];
/// How long a program may take to quit when told to: longer than in a match, where one that does
/// not quit is killed without a penalty.
const FAREWELL: Duration = Duration::from_secs(2);

/// The agent's program, while it is running.
pub(super) type Running = Option<Box<dyn Remote>>;

/// An agent and everything needed to test it.
pub(super) struct Trials<'a> {
    options: &'a CheckOptions,
    stop: &'a StopFlag,
    /// The agent and a random one.
    agents: [Agent; 2],
    seats: usize,
    by_move: Box<dyn Venue>,
    by_clock: Box<dyn Venue>,
}

impl<'a> Trials<'a> {
    pub(super) fn new(
        variant: &Variant,
        agent: &Agent,
        options: &'a CheckOptions,
        stop: &'a StopFlag,
    ) -> Result<Trials<'a>, CheckError> {
        let random = Agent::built_in("random".parse::<AgentSpec>()?);
        let open = |pace| {
            // The others play at random, so games differ without openings.
            let (catalog, openings) = (options.catalog.clone(), Openings::Start);
            let terms = Terms { catalog, variant: variant.clone(), pace, openings };
            venue::open(&terms, options.seed, 0)
        };
        let by_move = open(move_limit(options))?;
        let by_clock = open(clock_limit(options))?;
        let seats = by_move.seat_names().len();
        Ok(Trials { options, stop, agents: [agent.clone(), random], seats, by_move, by_clock })
    }

    pub(super) fn move_limit(&self) -> Pace {
        move_limit(self.options)
    }

    pub(super) fn clock_limit(&self) -> Pace {
        clock_limit(self.options)
    }

    /// The agents, with no program running yet.
    fn guests(&self) -> Guests {
        Guests::new(&self.agents)
    }

    /// Whether the agent can be made, or its program started, and responds at all.
    pub(super) fn starts(&self) -> Result<Found, CheckError> {
        if let Err(error) = self.by_move.check(&self.agents[0]) {
            return Ok(failed(error.to_string()));
        }
        Ok(answered(&self.ask(None, &[], &mut None)?))
    }

    /// The agent's text with which its program is sent clocks only, if it answers then.
    pub(super) fn answers_to_clocks_alone(&self) -> Result<Option<String>, CheckError> {
        let AgentKind::Outside(outside) = self.agents[0].kind() else { return Ok(None) };
        let Some(text) = outside.with_clocks_alone() else { return Ok(None) };
        let game = self.ask_at(self.clock_limit(), None, &[], &mut None)?;
        Ok((!game.plies().is_empty()).then_some(text))
    }

    /// What it reports about its searches in positions that are the same for every agent.
    pub(super) fn speed(&self, running: &mut Running) -> Result<Found, CheckError> {
        let mut effort = Effort::default();
        for moves in self.fixed_openings()? {
            let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
            let game = self.ask(None, &moves, running)?;
            if let Some(ply) =
                game.plies().last().filter(|_| game.verdict().is_none_or(Verdict::is_by_rules))
            {
                let one = [(Seat::FIRST, ply.time, ply.nodes, ply.depth)];
                effort += Effort::of_seats(1, one.into_iter())[Seat::FIRST];
            }
        }
        Ok(fast(effort))
    }

    /// Random openings that do not end the game: the same for every seed.
    fn fixed_openings(&self) -> Result<Vec<Vec<String>>, CheckError> {
        let mut openings = Vec::with_capacity(SPEED_PLIES.len());
        for (seed, plies) in (0..).zip(SPEED_PLIES) {
            let opened = self.options.catalog.open(self.by_move.variant());
            let mut table = opened.map_err(VenueError::from)?;
            let mut rng = Rng::new(seed);
            for _ in 0..plies {
                let moves = table.moves();
                let Some(mv) = moves.get(rng.below(moves.len().max(1) as u64) as usize) else {
                    break;
                };
                table.play(mv).map_err(VenueError::from)?;
            }
            // One ply before the end, if the game ended that early.
            while table.outcome().is_some() && table.undo() {}
            openings.push(table.played().to_vec());
        }
        Ok(openings)
    }

    /// Asks the agent for one move there and returns the game after it. Its program keeps running
    /// in `running`, unless it committed a fault.
    fn ask(
        &self,
        position: Option<&str>,
        moves: &[&str],
        running: &mut Running,
    ) -> Result<TableSession, CheckError> {
        self.ask_at(self.move_limit(), position, moves, running)
    }

    /// The same at another pace.
    fn ask_at(
        &self,
        pace: Pace,
        position: Option<&str>,
        moves: &[&str],
        running: &mut Running,
    ) -> Result<TableSession, CheckError> {
        let (catalog, variant) = (&self.options.catalog, self.by_move.variant());
        let table = catalog.open_at(variant, position, moves).map_err(VenueError::from)?;
        let mut session = Session::new(table, pace);
        let budget = session.pace().budget(self.stop);
        let mut player = match running.take() {
            Some(remote) => Ok(Seated::Outside(Correspondent::new(Ok(remote)))),
            None => {
                let seed = derived(self.options.seed, 1 + u64::from(AGENT), 0);
                TablePlayer::new(&self.agents[0], session.table(), seed)
            }
        };
        if let Some(turn) = session.turn(&budget) {
            let (answer, measured) = match &mut player {
                Ok(player) => ask(player, &turn),
                Err(reason) => (Err(reason.clone()), Duration::ZERO),
            };
            if self.stop.is_set() {
                return Err(CheckError::Stopped);
            }
            session.hear(answer, measured).map_err(VenueError::from)?;
        }
        if let Ok(Seated::Outside(correspondent)) = player {
            *running = correspondent.into_remote();
            if let Some(remote) = running {
                remote.end_game(session.table().played(), GameEnd::Broken);
            }
        }
        Ok(session)
    }

    /// Whether the agent's protocol has a game clock.
    pub(super) fn knows_clocks(&self) -> bool {
        self.by_clock.check(&self.agents[0]).is_ok()
    }

    /// A game from every seat with a time limit per move.
    pub(super) fn with_move_limit(&self) -> Result<Vec<Trial>, CheckError> {
        self.every_seat(&*self.by_move, 0)
    }

    /// A game from every seat with a clock.
    pub(super) fn with_clock(&self) -> Result<Vec<Trial>, CheckError> {
        self.every_seat(&*self.by_clock, self.seats as u64)
    }

    /// Two games of one process.
    pub(super) fn second_game(&self) -> Result<Found, CheckError> {
        if !self.agents[0].is_outside() {
            return Ok(skipped("a built-in agent is made anew for every game"));
        }
        let mut guests = self.guests();
        let mut game = |seat, number| self.game(&*self.by_move, seat, number, &mut guests);
        let number = 2 * self.seats as u64;
        Ok(goes_on(&game(Seat::FIRST, number)?, &game(Seat::SECOND, number + 1)?))
    }

    /// Each game in a process of its own, so that they are independent.
    fn every_seat(&self, venue: &dyn Venue, first: u64) -> Result<Vec<Trial>, CheckError> {
        let games = Seat::all(self.seats).zip(first..);
        games.map(|(seat, number)| self.game(venue, seat, number, &mut self.guests())).collect()
    }

    fn game(
        &self,
        venue: &dyn Venue,
        seat: Seat,
        number: u64,
        guests: &mut Guests,
    ) -> Result<Trial, CheckError> {
        let mut seating = PerSeat::filled(self.seats, OTHER);
        seating[seat] = AGENT;
        let played = venue.play(&Fixture::alone(number, seating), guests, true, None, self.stop)?;
        let name = venue.seat_names().get(seat.index()).cloned().unwrap_or_default();
        Ok(Trial::new(&played.ok_or(CheckError::Stopped)?, seat, name))
    }

    /// The scenarios of this variant.
    pub(super) fn scenarios(&self) -> Result<Vec<&'static Scenario>, CheckError> {
        let scenarios = self.options.catalog.scenarios(self.by_move.variant());
        Ok(scenarios.map_err(VenueError::from)?)
    }

    pub(super) fn scenario(
        &self,
        scenario: &Scenario,
        running: &mut Running,
    ) -> Result<Found, CheckError> {
        Ok(solved(scenario, &self.ask(scenario.position, scenario.moves, running)?))
    }

    /// Many games against random agents. An agent that kept to the clock plays with the clock,
    /// which bounds how long this takes.
    pub(super) fn beats_random(&self, on_clock: bool) -> Result<Found, CheckError> {
        let [agent, random] = self.agents.clone();
        let mut agents = vec![random; self.seats];
        agents[usize::from(AGENT)] = agent;
        let games = Match {
            catalog: self.options.catalog.clone(),
            variant: self.by_move.variant().clone(),
            agents,
            games: self.options.games,
            pace: if on_clock { self.clock_limit() } else { self.move_limit() },
            openings: Openings::Start,
            seed: self.options.seed,
            concurrency: self.options.concurrency,
            sprt: None,
            replay_disturbed: false,
            reference_speed: None,
        };
        let mut fault = None;
        let run = games.play(None, self.stop, &mut |news| {
            if let News::Game { game, .. } = news {
                let offender = game.summary.offence().map(|(seat, _)| game.summary.seating[seat]);
                if offender == Some(AGENT) && fault.is_none() {
                    fault = Some(game.summary.ending());
                }
            }
        })?;
        if !run.is_over {
            return Err(CheckError::Stopped);
        }
        let (results, played) = (run.ledger.agent(AGENT).results, run.ledger.games());
        let score = words::percent(results.points as f64 / (100 * played.max(1)) as f64);
        let mut detail = format!(
            "score {score} in {played} games, more than {PASS_MARK} % expected; {}",
            games.pace
        );
        if let Some(fault) = fault {
            detail += &format!("; {} games lost by faults\nthe first: {fault}", results.faults);
        }
        let enough = results.points > PASS_MARK * played;
        Ok(if enough { passed(detail) } else { failed(detail) })
    }

    /// Whether the program quits when told to, and leaves no process behind.
    pub(super) fn leaves(&self, running: &mut Running) -> Result<Found, CheckError> {
        if !self.agents[0].is_outside() {
            return Ok(skipped("a built-in agent has no process"));
        }
        if self.agents[0].plays_one_game() {
            return Ok(skipped("it was already running, and is left running"));
        }
        if running.is_none() {
            // The last one was killed for another reason.
            self.ask(None, &[], running)?;
        }
        Ok(match running.take().map(|remote| remote.leave(FAREWELL)) {
            Some(Ok(())) => passed("it quit when told to"),
            Some(Err(breach)) => failed(breach.to_string()),
            None => skipped("it had to be killed earlier"),
        })
    }
}

fn move_limit(options: &CheckOptions) -> Pace {
    let time = TimeControl { game: None, per_move: Some(options.per_move) };
    Pace { time, ..Pace::default() }
}

fn clock_limit(options: &CheckOptions) -> Pace {
    let time = TimeControl { game: Some(options.game), per_move: None };
    Pace { time, ..Pace::default() }
}
