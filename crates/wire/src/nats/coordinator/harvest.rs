//! Takes back what workers return, and checks it: every message is taken for hostile.

use std::time::{Duration, Instant};

use agon_arena::fixture::Fixture;
use agon_arena::game_summary::FinishedGame;
use agon_core::printable;
use async_nats::jetstream;
use futures_util::{FutureExt, StreamExt};

use super::super::NatsError;
use super::super::messages::{Claim, Refused, Results, Returned, WireGame};
use super::super::names::short;
use super::super::requirement::Kind;
use super::books::Arrival;
use super::{Coordinator, Notice, State};

/// How long to wait for results before looking at everything else.
const LOOK: Duration = Duration::from_millis(100);
/// How many messages are taken together.
const MOST_TOGETHER: usize = 64;
/// How long results of an earlier coordinator may take to arrive at the start.
const LEFTOVERS: Duration = Duration::from_millis(300);
/// How many refusals are shown of one worker.
const MOST_SHOWN: u64 = 3;
/// The most workers that are remembered for what was refused.
const MOST_REMEMBERED: usize = 10_000;
/// After how many attempts a game that cannot be played is named, and after how many the run ends.
const MANY_FAILURES: u32 = 3;
const MOST_FAILURES: u32 = 10;
/// How many warnings of one kind are shown.
const MOST_WARNINGS: u64 = 20;

/// What one look at the results brought.
#[derive(Default)]
pub(super) struct Harvest {
    pub games: Vec<FinishedGame>,
    /// Messages to acknowledge once the games are stored.
    pub messages: Vec<jetstream::Message>,
}

impl Coordinator {
    /// Results that an earlier coordinator did not live to see.
    pub(super) async fn collect_leftovers(&self, state: &mut State) {
        let mut consumer = self.results.clone();
        let Ok(info) = consumer.info().await else { return };
        let (mut left, begun) = (info.num_pending, Instant::now());
        while left > 0 && begun.elapsed() < Duration::from_secs(30) {
            let before = begun.elapsed();
            let taken = self.take_messages(state, LEFTOVERS).await;
            left = left.saturating_sub(taken.len() as u64);
            for message in taken {
                // Nothing is wanted yet, so that all games are kept until they are. If we die before
                // that, they are played again.
                let _ = self.read(state, &message);
                let _ = message.ack().await;
            }
            if begun.elapsed() - before >= LEFTOVERS {
                break;
            }
        }
    }

    /// Takes what has come back, and checks it.
    pub(super) async fn receive(&self, state: &mut State) -> Result<Harvest, NatsError> {
        let mut harvest = Harvest::default();
        for message in self.take_messages(state, LOOK).await {
            harvest.games.extend(self.read(state, &message)?);
            harvest.messages.push(message);
        }
        Ok(harvest)
    }

    /// The messages that are there, or the first that comes.
    async fn take_messages(
        &self,
        state: &mut State,
        patience: Duration,
    ) -> Vec<jetstream::Message> {
        if state.incoming.is_none() {
            let stream = self.results.stream().max_messages_per_batch(MOST_TOGETHER);
            match stream.expires(Duration::from_secs(30)).messages().await {
                Ok(stream) => state.incoming = Some(stream),
                Err(_) => {
                    tokio::time::sleep(patience).await;
                    return Vec::new();
                }
            }
        }
        let Some(stream) = &mut state.incoming else { return Vec::new() };
        let mut messages = Vec::new();
        let mut next = tokio::time::timeout(patience, stream.next()).await.ok();
        while let Some(item) = next {
            match item {
                Some(Ok(message)) => messages.push(message),
                Some(Err(_)) => {}
                None => {
                    state.incoming = None;
                    break;
                }
            }
            if messages.len() >= MOST_TOGETHER {
                break;
            }
            next = match &mut state.incoming {
                Some(stream) => stream.next().now_or_never(),
                None => None,
            };
        }
        messages
    }

    /// Reads a message: the games that count.
    fn read(
        &self,
        state: &mut State,
        message: &jetstream::Message,
    ) -> Result<Vec<FinishedGame>, NatsError> {
        match Returned::read(&message.payload, &self.run) {
            Err(Refused(problem)) => {
                self.refuse(state, "a message", "an unknown worker", &problem);
                Ok(Vec::new())
            }
            Ok(Returned::Claim(claim)) => {
                self.hear_claim(state, &claim);
                Ok(Vec::new())
            }
            Ok(Returned::Results(results)) => self.hear_results(state, results),
        }
    }

    fn hear_claim(&self, state: &mut State, claim: &Claim) {
        if let Some((first, workers)) = state.books.claim(claim) {
            let workers: Vec<String> =
                workers.iter().map(|name| printable(name).into_owned()).collect();
            self.notice(Notice::Warning(format!(
                "game {first} and those with it have been begun again and again and never finished, \
                 on {}: perhaps they kill their workers{}",
                workers.join(", "),
                self.players_of(state, first),
            )));
        }
    }

    /// Who plays a game, in words.
    fn players_of(&self, state: &State, number: u64) -> String {
        let Some(fixture) = state.books.fixture(number) else { return String::new() };
        let name = |agent: &u16| {
            let entrant = self.tournament.entrants.get(usize::from(*agent));
            entrant.map_or(String::new(), |it| printable(&it.name).into_owned())
        };
        let names: Vec<String> = fixture.seating.as_slice().iter().map(name).collect();
        format!(" ({})", names.join(" – "))
    }

    fn hear_results(
        &self,
        state: &mut State,
        mut results: Results,
    ) -> Result<Vec<FinishedGame>, NatsError> {
        // What was played before the tournament was changed is of no use, and nobody's fault.
        if results.brief != self.brief_sum {
            return Ok(Vec::new());
        }
        let mut finished = Vec::new();
        let claimed = std::mem::take(&mut results.games);
        state.packing.learn(claimed.len(), results.millis);
        for game in claimed {
            if let Arrival::Wanted(fixture, game) = state.books.arrive(&results, game) {
                finished.extend(self.judge(state, &fixture, *game, &results));
            }
        }
        if !finished.is_empty() && state.players.len() < MOST_REMEMBERED {
            state.players.insert(results.worker.clone());
        }
        if results.epoch == state.epoch {
            self.take_back(state, &results)?;
        }
        Ok(finished)
    }

    /// Takes back games that were not played.
    fn take_back(&self, state: &mut State, results: &Results) -> Result<(), NatsError> {
        state.books.give_back(results.unit, &results.unfinished);
        let Some(problem) = &results.problem else { return Ok(()) };
        let (name, problem) = (printable(&results.name).into_owned(), short(problem));
        let problem = printable(&problem);
        state.given_back += 1;
        if state.given_back <= MOST_WARNINGS {
            self.notice(Notice::Warning(format!("{name} gave games back: {problem}")));
        }
        let Some(&number) = results.unfinished.first() else { return Ok(()) };
        if state.books.fixture(number).is_none() {
            return Ok(());
        }
        let (times, players) = (state.books.fail(number), self.players_of(state, number));
        if times == MANY_FAILURES {
            let text = format!("game {number}{players} could not be played {times} times");
            self.notice(Notice::Warning(text));
        }
        match times < MOST_FAILURES {
            true => Ok(()),
            false => Err(NatsError::Unplayable {
                game: format!("game {number}{players}"),
                worker: name,
                problem: problem.into_owned(),
            }),
        }
    }

    /// Checks a game by the rules. One that is refused is given out again.
    fn judge(
        &self,
        state: &mut State,
        fixture: &Fixture,
        game: WireGame,
        results: &Results,
    ) -> Option<FinishedGame> {
        let checked = self
            .check_build(fixture, &results.build)
            .and_then(|()| self.replayed(fixture, game, &results.name));
        match checked {
            Ok(game) => {
                state.books.accept(fixture.number);
                Some(game)
            }
            Err(problem) => {
                let times = state.books.refuse(fixture.number);
                let what = format!("game {} ({times})", fixture.number);
                self.refuse(state, &what, &results.name, &problem);
                None
            }
        }
    }

    /// Refuses what another build played where builds matter.
    pub(super) fn check_build(&self, fixture: &Fixture, build: &str) -> Result<(), String> {
        let mine = self.build.to_string();
        if build == mine {
            return Ok(());
        }
        let needs = self.requirement(Kind::of(&self.tournament, &self.brief, fixture));
        match needs.is_some_and(|it| it.build.is_some()) {
            true => Err(format!("it was played by build {}, not {mine}", printable(build))),
            false => Ok(()),
        }
    }

    /// A game that a worker claims to have played, checked by the rules.
    pub(super) fn replayed(
        &self,
        fixture: &Fixture,
        game: WireGame,
        worker: &str,
    ) -> Result<FinishedGame, String> {
        let venue = self.local.venue(fixture.terms).ok_or("there are no such terms")?;
        venue.replay(fixture, &game.claimed(worker)?)
    }

    fn refuse(&self, state: &mut State, what: &str, worker: &str, problem: &str) {
        state.refused += 1;
        let refused = state.refused;
        self.board.update(|status| status.refused = refused);
        if state.refused_of.len() >= MOST_REMEMBERED && !state.refused_of.contains_key(worker) {
            return;
        }
        let times = state.refused_of.entry(worker.to_string()).or_default();
        *times += 1;
        if *times > MOST_SHOWN {
            return;
        }
        let (name, problem) = (printable(worker), short(problem));
        let (what, problem) = (printable(what), printable(&problem));
        // Nothing worse: anybody could use another's name.
        self.notice(Notice::Warning(format!("{what} of {name} is refused: {problem}")));
    }
}
