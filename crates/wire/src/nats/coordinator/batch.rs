//! Plays one batch of the schedule: the loop that gives out units and takes back games.

use std::time::{Duration, Instant};

use agon_arena::fixture::{Fixture, group_size};
use agon_arena::game_summary::FinishedGame;
use agon_arena::workers::{Desk, Job, Jobs};
use agon_search::StopFlag;
use async_nats::connection;
use async_nats::jetstream::message::PublishMessage;
use futures_util::future;
use tokio::time::{sleep, timeout};

use super::super::NatsError;
use super::super::messages::{PROTOCOL, Unit};
use super::super::names::{MOST_GAMES, units};
use super::super::requirement::{Kind, Requirement};
use super::super::{broker, files};
use super::harvest::Harvest;
use super::packing::Packing;
use super::{Coordinator, Notice, State, unique};

/// How long it may take to tell others that nothing more is wanted.
const LEAVING: Duration = Duration::from_secs(2);
/// How many units are published before the broker's answers are waited for.
const TOGETHER: usize = 256;

impl Coordinator {
    pub(super) async fn play_batch(
        &self,
        state: &mut State,
        jobs: &Jobs<'_>,
        stop: &StopFlag,
        desk: Desk<'_>,
    ) -> Result<(), NatsError> {
        state.exhausted = false;
        if state.epoch.is_empty() {
            state.epoch = unique();
            self.collect_leftovers(state).await;
        }
        self.board.update(|status| status.games = jobs.batch.first() + jobs.batch.games());
        loop {
            // A broker that is away may be waited for, but not by somebody who wants to stop.
            let done = tokio::select! {
                done = self.step(state, jobs, &mut *desk) => done?,
                () = stopped(stop) => true,
            };
            if done {
                if state.books.waiting() > 0 {
                    let _ = timeout(LEAVING, self.cancel(state)).await;
                }
                return Ok(());
            }
        }
    }

    /// Gives out what can be given out, and takes back what is there. Whether that was all.
    async fn step(
        &self,
        state: &mut State,
        jobs: &Jobs<'_>,
        desk: Desk<'_>,
    ) -> Result<bool, NatsError> {
        self.check_lock()?;
        let known = self.fill(state, jobs).await;
        let harvest = match known.is_empty() {
            true if state.books.waiting() == 0 && state.exhausted => return Ok(true),
            true => self.receive(state).await?,
            false => Harvest { games: known, messages: Vec::new() },
        };
        if !harvest.games.is_empty() && desk(harvest.games).is_break() {
            return Ok(true);
        }
        // Now they are in the store.
        for message in &harvest.messages {
            let _ = message.ack().await;
        }
        self.look_around(state, jobs).await;
        Ok(false)
    }

    fn check_lock(&self) -> Result<(), NatsError> {
        match self.lock.as_ref().is_some_and(|lock| lock.is_lost()) {
            true => Err(NatsError::TakenOver { name: self.name.clone() }),
            false => Ok(()),
        }
    }

    /// Nothing more is wanted: units are removed, and workers are told to stop.
    async fn cancel(&self, state: &mut State) {
        // Whoever does not hear it plays for nothing.
        let _ = broker::forget(&self.broker, &self.run, None).await;
        let client = self.broker.client();
        let _ = client.publish(format!("agon.cancel.{}", self.run), "".into()).await;
        let _ = client.flush().await;
        state.carry = None;
    }

    /// Gives out units until enough are out. Returns games that need not be played: forfeits, and
    /// those that arrived before they were asked for.
    async fn fill(&self, state: &mut State, jobs: &Jobs<'_>) -> Vec<FinishedGame> {
        let (slots, mut known) = (self.slots(state), Vec::new());
        let is_more = |state: &State| !state.exhausted || !state.books.again.is_empty();
        while state.books.units.len() < Packing::window(slots) && is_more(state) {
            let left = jobs.most() + state.books.again.len() as u64;
            let wanted = state.packing.games(group_size(self.tournament.seats), left, slots);
            let fixtures = self.next_unit(state, jobs, wanted, &mut known);
            if fixtures.is_empty() {
                break;
            }
            if let Err(error) = self.open_unit(state, &fixtures).await {
                // The broker may be away: they are tried again soon.
                state.books.again.extend(fixtures);
                self.complain(state, &error);
                break;
            }
        }
        self.publish(state).await;
        known
    }

    /// The games of the next unit: all on the same terms, between agents with the same needs.
    fn next_unit(
        &self,
        state: &mut State,
        jobs: &Jobs<'_>,
        wanted: usize,
        known: &mut Vec<FinishedGame>,
    ) -> Vec<Fixture> {
        let mut fixtures: Vec<Fixture> = Vec::new();
        while let Some(fixture) = state.books.again.pop_front() {
            if fixtures.first().is_some_and(|first| !go_together(first, &fixture)) {
                state.books.again.push_front(fixture);
                return fixtures;
            }
            fixtures.push(fixture);
            if fixtures.len() >= wanted {
                return fixtures;
            }
        }
        while fixtures.len() < wanted || fixtures.last().is_some_and(|it| in_group(it, state, jobs))
        {
            let Some(job) = state.carry.take().or_else(|| jobs.take()) else {
                state.exhausted = true;
                break;
            };
            if fixtures.first().is_some_and(|first| !go_together(first, &job.fixture)) {
                state.carry = Some(job);
                break;
            }
            match self.known(state, &job) {
                Some(game) => known.push(game),
                None => fixtures.push(job.fixture),
            }
            if fixtures.len() >= MOST_GAMES {
                break;
            }
        }
        fixtures
    }

    /// A game that need not be played.
    fn known(&self, state: &mut State, job: &Job) -> Option<FinishedGame> {
        let early = state.books.give(&job.fixture);
        if !job.withdrawn.is_empty() {
            let mut guests = self.local.new_guests();
            let decided = self.local.play_one(job, &mut guests, &StopFlag::default());
            return decided.ok().flatten();
        }
        let early = early?;
        self.check_build(&job.fixture, &early.build).ok()?;
        // A game that does not replay is played again.
        self.replayed(&job.fixture, early.game, &early.worker).ok()
    }

    async fn open_unit(&self, state: &mut State, fixtures: &[Fixture]) -> Result<(), NatsError> {
        let Some(first) = fixtures.first() else { return Ok(()) };
        let class = self.class_of(state, Kind::of(&self.tournament, &self.brief, first)).await?;
        let number = state.books.open_unit(fixtures, units(&class, &self.run));
        let unit = Unit {
            protocol: PROTOCOL,
            run: self.run.clone(),
            unit: number,
            epoch: state.epoch.clone(),
            name: self.name.chars().take(100).collect(),
            brief: self.brief_sum.clone(),
            fixtures: fixtures.to_vec(),
        };
        if let Some(out) = state.books.units.get_mut(&number) {
            out.payload = serde_json::to_vec(&unit).unwrap_or_default();
        }
        Ok(())
    }

    /// What games of a kind need.
    pub(super) fn requirement(&self, kind: Kind) -> Option<Requirement> {
        Requirement::of(&self.tournament, &self.brief, kind, &self.build)
    }

    /// The class of workers that can play games of a kind; its consumer is made when it is first
    /// needed.
    pub(super) async fn class_of(
        &self,
        state: &mut State,
        kind: Kind,
    ) -> Result<String, NatsError> {
        if let Some(class) = state.classes.get(&kind) {
            return Ok(class.clone());
        }
        let missing = || NatsError::Agent { agent: self.name.clone(), problem: "no terms".into() };
        let requirement = self.requirement(kind).ok_or_else(missing)?;
        let class = requirement.class();
        let text = serde_json::to_vec(&requirement).unwrap_or_default();
        let sum = files::put(&self.broker, &text).await?;
        broker::class_consumer(&self.broker, &class, &sum, self.orders.ack_wait).await?;
        state.classes.insert(kind, class.clone());
        Ok(class)
    }

    /// Publishes the units that the broker does not have. What fails is tried again later.
    async fn publish(&self, state: &mut State) {
        let (epoch, sends) = (&state.epoch, state.sends);
        let mut unsent = state.books.units.iter_mut().filter(|(_, out)| !out.sent);
        loop {
            let mut waiting = Vec::new();
            for (number, out) in unsent.by_ref().take(TOGETHER) {
                let message = PublishMessage::build()
                    .payload(out.payload.clone().into())
                    .message_id(format!("{}-{epoch}-{sends}-{number}", self.run));
                let Ok(ack) = self.broker.send_publish(out.subject.clone(), message).await else {
                    return;
                };
                waiting.push(async move { out.sent = ack.await.is_ok() });
            }
            if waiting.is_empty() {
                return;
            }
            future::join_all(waiting).await;
        }
    }

    /// Says that something does not work, from time to time.
    pub(super) fn complain(&self, state: &mut State, error: &NatsError) {
        // Whether the broker is there is said where it is noticed.
        let is_there = self.broker.client().connection_state() == connection::State::Connected;
        if is_there && state.complained.is_none_or(|last| last.elapsed() > super::COMPLAINTS) {
            state.complained = Some(Instant::now());
            self.notice(Notice::Warning(format!("{error}; trying again")));
        }
    }
}

/// Ends when the flag is set.
async fn stopped(stop: &StopFlag) {
    while !stop.is_set() {
        sleep(Duration::from_millis(50)).await;
    }
}

/// Whether two games may be in one unit.
fn go_together(one: &Fixture, other: &Fixture) -> bool {
    let agents = |it: &Fixture| {
        let mut agents = it.seating.as_slice().to_vec();
        agents.sort_unstable();
        agents
    };
    one.terms == other.terms && agents(one) == agents(other)
}

/// Whether the next game of the schedule belongs to the same opening.
fn in_group(last: &Fixture, state: &mut State, jobs: &Jobs<'_>) -> bool {
    if state.carry.is_none() {
        state.carry = jobs.take();
    }
    state
        .carry
        .as_ref()
        .is_some_and(|job| job.fixture.group == last.group && go_together(last, &job.fixture))
}
