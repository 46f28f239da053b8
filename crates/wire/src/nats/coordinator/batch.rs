//! Plays one batch of the schedule: the loop that gives out units and takes back games.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use agon_arena::fixture::{Fixture, group_size};
use agon_arena::game_summary::FinishedGame;
use agon_arena::workers::{Desk, Job, Jobs};
use agon_core::printable;
use agon_search::StopFlag;
use async_nats::jetstream;
use async_nats::jetstream::consumer::pull;
use async_nats::jetstream::message::PublishMessage;
use futures_util::{FutureExt, StreamExt, future};

use super::super::NatsError;
use super::super::messages::{Claim, PROTOCOL, Refused, Results, Returned, Unit};
use super::super::names::{short, units};
use super::super::requirement::Requirement;
use super::super::{broker, files};
use super::books::{Arrival, Books, Candidate};
use super::packing::Packing;
use super::{Coordinator, Notice, unique};

/// How long to wait for results before looking at everything else.
const LOOK: Duration = Duration::from_millis(100);
/// How many messages are taken together.
const MOST_TOGETHER: usize = 64;
/// How often the queue is compared with the books.
const AUDIT: Duration = Duration::from_secs(5);
/// How long to wait for workers before saying that there are none.
const LONELY: Duration = Duration::from_secs(5);
/// How many of the same kind of warning are given.
const MOST_WARNINGS: u64 = 10;
/// How long results of an earlier coordinator may take to arrive at the start.
const LEFTOVERS: Duration = Duration::from_millis(300);

/// What a coordinator knows from one batch to the next.
#[derive(Default)]
pub(super) struct State {
    pub books: Books,
    packing: Packing,
    /// The stream of results, while it works.
    incoming: Option<pull::Stream>,
    /// A job that did not fit the unit before.
    carry: Option<Job>,
    exhausted: bool,
    accepted: u64,
    refused: u64,
    by_worker: BTreeMap<String, u64>,
    /// Workers that have been named because they cannot play.
    named: BTreeSet<String>,
    seen: BTreeSet<String>,
    lonely_since: Option<Instant>,
    last_result: Option<Instant>,
    last_audit: Option<Instant>,
    missing_before: bool,
    epoch: String,
}

/// What one look at the results brought.
#[derive(Default)]
struct Harvest {
    games: Vec<FinishedGame>,
    /// Messages to acknowledge once the games are stored.
    messages: Vec<jetstream::Message>,
}

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
            self.collect_leftovers(state).await?;
        }
        self.board.update(|status| status.games = jobs.batch.first() + jobs.batch.games());
        loop {
            if stop.is_set() {
                self.cancel(state).await;
                return Ok(());
            }
            self.check_lock()?;
            let known = self.fill(state, jobs).await?;
            let harvest = match known.is_empty() {
                true if state.books.waiting() == 0 && state.exhausted => return Ok(()),
                true => self.receive(state).await?,
                false => Harvest { games: known, messages: Vec::new() },
            };
            if !harvest.games.is_empty() {
                state.accepted += harvest.games.len() as u64;
                if desk(harvest.games).is_break() {
                    self.cancel(state).await;
                    return Ok(());
                }
            }
            // Now they are in the store.
            for message in &harvest.messages {
                let _ = message.ack().await;
            }
            self.look_around(state, jobs).await?;
        }
    }

    fn check_lock(&self) -> Result<(), NatsError> {
        match self.lock.as_ref().is_some_and(|lock| lock.is_lost()) {
            true => Err(NatsError::Held {
                name: self.name.clone(),
                holder: "which took over the lock".into(),
                age: 0,
            }),
            false => Ok(()),
        }
    }

    /// Nothing more is wanted: units are removed, and workers are told to stop.
    async fn cancel(&self, state: &mut State) {
        // Whoever does not hear it plays for nothing.
        let _ = broker::forget(&self.broker, &self.run, false).await;
        let client = self.broker.client();
        let _ = client.publish(format!("agon.cancel.{}", self.run), "".into()).await;
        let _ = client.flush().await;
        state.carry = None;
    }

    /// Results that an earlier coordinator did not live to see.
    async fn collect_leftovers(&self, state: &mut State) -> Result<(), NatsError> {
        let mut consumer = self.results.clone();
        let Ok(info) = consumer.info().await else { return Ok(()) };
        let (mut left, begun) = (info.num_pending, Instant::now());
        while left > 0 && begun.elapsed() < Duration::from_secs(30) {
            // Nothing is wanted yet, so all games are early, and messages stay unacknowledged.
            let before = begun.elapsed();
            let taken = self.take_messages(state, LEFTOVERS).await;
            left = left.saturating_sub(taken.len() as u64);
            for message in taken {
                let _ = self.read(state, &message);
            }
            if begun.elapsed() - before >= LEFTOVERS {
                break;
            }
        }
        Ok(())
    }

    /// Gives out units until enough are out. Returns games that need not be played: forfeits, and
    /// those that arrived before they were asked for.
    async fn fill(
        &self,
        state: &mut State,
        jobs: &Jobs<'_>,
    ) -> Result<Vec<FinishedGame>, NatsError> {
        let (slots, mut known) = (self.slots(), Vec::new());
        let is_more = |state: &State| !state.exhausted || !state.books.again.is_empty();
        while state.books.units.len() < Packing::window(slots) && is_more(state) {
            let left = jobs.most() + state.books.again.len() as u64;
            let wanted = state.packing.games(group_size(self.tournament.seats), left, slots);
            let fixtures = self.next_unit(state, jobs, wanted, &mut known);
            if fixtures.is_empty() {
                break;
            }
            self.open_unit(state, &fixtures).await?;
        }
        self.publish(state).await?;
        Ok(known)
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
            if fixtures.len() >= super::super::names::MOST_GAMES {
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
        let (worker, build, game) = early?;
        self.check_build(&job.fixture, &build).ok()?;
        // A game that does not replay is played again.
        self.replayed(&job.fixture, game, &worker).ok()
    }

    async fn open_unit(&self, state: &mut State, fixtures: &[Fixture]) -> Result<(), NatsError> {
        let Some(first) = fixtures.first() else { return Ok(()) };
        let class = self.class_of(first).await?;
        let number = state.books.open_unit(fixtures);
        let unit = Unit {
            protocol: PROTOCOL,
            run: self.run.clone(),
            unit: number,
            name: self.name.chars().take(100).collect(),
            brief: self.brief_sum.clone(),
            fixtures: fixtures.to_vec(),
        };
        if let Some(out) = state.books.units.get_mut(&number) {
            out.subject = units(&class, &self.run);
            out.payload = serde_json::to_vec(&unit).unwrap_or_default();
        }
        Ok(())
    }

    /// The requirement of a game.
    fn requirement(&self, fixture: &Fixture) -> Option<Requirement> {
        let terms = self.tournament.terms.get(usize::from(fixture.terms))?;
        let seated: BTreeSet<u16> = fixture.seating.as_slice().iter().copied().collect();
        Some(Requirement::of(&self.tournament, &self.brief, terms, &seated, &self.build))
    }

    /// The class of workers that can play a game; its consumer is made when it is first needed.
    async fn class_of(&self, fixture: &Fixture) -> Result<String, NatsError> {
        let mut agents = fixture.seating.as_slice().to_vec();
        agents.sort_unstable();
        let key = format!("{} {agents:?}", fixture.terms);
        let known = |key: &str| {
            let classes = self.classes.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            classes.get(key).cloned()
        };
        if let Some(class) = known(&key) {
            return Ok(class);
        }
        let missing = || NatsError::Agent { agent: self.name.clone(), problem: "no terms".into() };
        let requirement = self.requirement(fixture).ok_or_else(missing)?;
        let class = requirement.class();
        let text = serde_json::to_vec(&requirement).unwrap_or_default();
        let sum = files::put(&self.broker, &text).await?;
        broker::class_consumer(&self.broker, &class, &sum, self.orders.ack_wait).await?;
        let mut classes = self.classes.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        classes.insert(key, class.clone());
        Ok(class)
    }

    /// Publishes the units that the broker does not have. What fails is tried again later.
    async fn publish(&self, state: &mut State) -> Result<(), NatsError> {
        let epoch = &state.epoch;
        let unsent = state.books.units.iter_mut().filter(|(_, out)| !out.sent);
        let mut waiting = Vec::new();
        for (number, out) in unsent {
            let message = PublishMessage::build()
                .payload(out.payload.clone().into())
                .message_id(format!("{}-{epoch}-{number}", self.run));
            let Ok(ack) = self.broker.send_publish(out.subject.clone(), message).await else {
                return Ok(());
            };
            waiting.push(async move { (number, ack.await) });
        }
        let acks = future::join_all(waiting).await;
        let sent: Vec<u64> =
            acks.iter().filter(|(_, ack)| ack.is_ok()).map(|(number, _)| **number).collect();
        for number in sent {
            if let Some(out) = state.books.units.get_mut(&number) {
                out.sent = true;
            }
        }
        Ok(())
    }

    /// Takes what has come back, and checks it.
    async fn receive(&self, state: &mut State) -> Result<Harvest, NatsError> {
        let mut harvest = Harvest::default();
        for message in self.take_messages(state, LOOK).await {
            let (games, is_done) = self.read(state, &message)?;
            harvest.games.extend(games);
            if is_done {
                harvest.messages.push(message);
            }
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
        if !messages.is_empty() {
            state.last_result = Some(Instant::now());
            state.missing_before = false;
        }
        messages
    }

    /// Reads a message: the games that count, and whether it can be forgotten.
    fn read(
        &self,
        state: &mut State,
        message: &jetstream::Message,
    ) -> Result<(Vec<FinishedGame>, bool), NatsError> {
        match Returned::read(&message.payload, &self.run) {
            Err(Refused(problem)) => {
                self.refuse(state, "a message", &problem);
                Ok((Vec::new(), true))
            }
            Ok(Returned::Claim(claim)) => {
                self.hear_claim(state, &claim);
                Ok((Vec::new(), true))
            }
            Ok(Returned::Results(results)) => self.hear_results(state, results),
        }
    }

    fn hear_claim(&self, state: &mut State, claim: &Claim) {
        if let Some((first, workers)) = state.books.claim(claim) {
            let workers: Vec<String> =
                workers.iter().map(|name| printable(name).into_owned()).collect();
            let times = claim.deliveries;
            self.notice(Notice::Warning(format!(
                "game {first} and those with it have been begun {times} times and never finished, \
                 on {}: perhaps they kill their workers{}",
                workers.join(", "),
                self.players_of(state, first),
            )));
        }
    }

    /// Who plays a game, in words.
    fn players_of(&self, state: &State, number: u64) -> String {
        let Some(pending) = state.books.pending.get(&number) else { return String::new() };
        let name = |agent: &u16| {
            let entrant = self.tournament.entrants.get(usize::from(*agent));
            entrant.map_or(String::new(), |it| printable(&it.name).into_owned())
        };
        let names: Vec<String> = pending.fixture.seating.as_slice().iter().map(name).collect();
        format!(" ({})", names.join(" – "))
    }

    fn hear_results(
        &self,
        state: &mut State,
        mut results: Results,
    ) -> Result<(Vec<FinishedGame>, bool), NatsError> {
        let (mut finished, mut is_done) = (Vec::new(), true);
        let claimed = std::mem::take(&mut results.games);
        state.packing.learn(claimed.len(), results.millis);
        for game in claimed {
            match state.books.arrive(&results, game) {
                Arrival::Duplicate => {}
                Arrival::Early => is_done = false,
                Arrival::Wanted(candidate) => {
                    finished.extend(self.judge(state, *candidate, &results)?);
                }
            }
        }
        if !finished.is_empty() {
            *state.by_worker.entry(results.worker.clone()).or_default() += finished.len() as u64;
        }
        if let Some(problem) = &results.problem {
            let (name, problem) = (printable(&results.name).into_owned(), short(problem));
            let problem = printable(&problem);
            self.notice(Notice::Warning(format!("{name} gave games back: {problem}")));
        }
        for number in results.unfinished {
            state.books.give_again(number, false);
        }
        Ok((finished, is_done))
    }

    /// Checks a game by the rules. One that is refused is given out again.
    fn judge(
        &self,
        state: &mut State,
        candidate: Candidate,
        results: &Results,
    ) -> Result<Option<FinishedGame>, NatsError> {
        let Candidate { fixture, game } = candidate;
        let checked = self
            .check_build(&fixture, &results.build)
            .and_then(|()| self.replayed(&fixture, game, &results.name));
        match checked {
            Ok(game) => {
                state.books.accept(fixture.number);
                Ok(Some(game))
            }
            Err(problem) => {
                let name = printable(&results.name).into_owned();
                let what = format!("game {} of worker {name}", fixture.number);
                self.refuse(state, &what, &problem);
                match state.books.give_again(fixture.number, true) {
                    true => Ok(None),
                    false => Err(NatsError::Broker {
                        what: format!("play game {}", fixture.number),
                        problem: format!("it came back wrong too often, last: {problem}"),
                    }),
                }
            }
        }
    }

    /// Refuses what another build played where builds matter.
    fn check_build(&self, fixture: &Fixture, build: &str) -> Result<(), String> {
        let mine = self.build.to_string();
        if build == mine {
            return Ok(());
        }
        let needs = self.requirement(fixture).is_some_and(|it| it.build.is_some());
        match needs {
            true => Err(format!("it was played by build {}, not {mine}", printable(build))),
            false => Ok(()),
        }
    }

    /// A game that a worker claims to have played, checked by the rules.
    fn replayed(
        &self,
        fixture: &Fixture,
        game: super::super::messages::WireGame,
        worker: &str,
    ) -> Result<FinishedGame, String> {
        let venue = self.local.venue(fixture.terms).ok_or("there are no such terms")?;
        venue.replay(fixture, &game.claimed(worker)?)
    }

    fn refuse(&self, state: &mut State, what: &str, problem: &str) {
        state.refused += 1;
        let refused = state.refused;
        self.board.update(|status| status.refused = refused);
        if refused <= MOST_WARNINGS {
            let (what, problem) = (printable(what).into_owned(), short(problem));
            let problem = printable(&problem);
            self.notice(Notice::Warning(format!("{what} is refused: {problem}")));
        }
    }

    /// How many games can be played at a time, as far as workers are known.
    fn slots(&self) -> usize {
        let signs = self.signs.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let able = signs.workers().filter(|worker| !self.is_refused_by(worker) && !worker.leaving);
        able.map(|worker| worker.slots).sum()
    }

    /// Whether a worker cannot play any of our games.
    fn is_refused_by(&self, worker: &agon_arena::fleet::WorkerStatus) -> bool {
        let classes = self.classes.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let refuses = |class: &String| worker.refused.iter().any(|it| it.run == **class);
        !classes.is_empty() && classes.values().all(refuses)
    }

    /// Everything that is not games: who is there, what is lost, what people are told.
    async fn look_around(&self, state: &mut State, jobs: &Jobs<'_>) -> Result<(), NatsError> {
        let slots = self.slots();
        let left = jobs.most() + state.books.waiting();
        let (done, waiting, workers) =
            (jobs.batch.first() + jobs.batch.games(), state.books.waiting(), state.by_worker.len());
        let seconds_left = state.packing.seconds(left, slots);
        self.board.update(|status| {
            status.done = done.saturating_sub(left);
            (status.waiting, status.workers, status.seconds_left) =
                (waiting, workers, seconds_left);
        });
        self.name_workers(state);
        if slots > 0 || waiting == 0 {
            state.lonely_since = None;
        } else if state.lonely_since.get_or_insert_with(Instant::now).elapsed() > LONELY {
            state.lonely_since = Some(Instant::now() + Duration::from_secs(55));
            let url = self.orders.access.shown();
            let text = format!("no worker can play these games yet; agon worker --nats {url}");
            self.notice(Notice::Remark(text));
        }
        self.audit(state).await
    }

    /// Says who has come, and names workers that cannot play our games.
    fn name_workers(&self, state: &mut State) {
        let signs = self.signs.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let classes = self.classes.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let mut notices = Vec::new();
        for worker in signs.workers() {
            let name = printable(&worker.name);
            if state.seen.insert(worker.id.clone()) {
                let (slots, speed) = (worker.slots, worker.abilities.speed as f64 / 1e6);
                let text = format!("worker {name}: {slots} slots, {speed:.2} million nodes/s");
                notices.push(Notice::Remark(text));
            }
            let ours =
                |it: &&agon_arena::fleet::Refusal| classes.values().any(|class| *class == it.run);
            if let Some(refusal) = worker.refused.iter().find(ours)
                && state.named.insert(worker.id.clone())
            {
                let reason = short(&refusal.reason);
                let text = format!("worker {name} is not used: {}", printable(&reason));
                notices.push(Notice::Warning(text));
            }
        }
        drop((signs, classes));
        notices.into_iter().for_each(|notice| self.notice(notice));
    }

    /// Compares the queue with the books from time to time: a broker that has lost its memory gets
    /// everything again.
    async fn audit(&self, state: &mut State) -> Result<(), NatsError> {
        let is_due = |since: &Option<Instant>| since.is_none_or(|since| since.elapsed() > AUDIT);
        if !is_due(&state.last_audit) || !is_due(&state.last_result) {
            return Ok(());
        }
        state.last_audit = Some(Instant::now());
        let queued = match broker::queued(&self.broker, &self.run).await {
            Ok(queued) => queued,
            Err(_) => {
                // Perhaps the streams are gone; perhaps the broker is, and then this fails, too.
                if broker::prepare(&self.broker, self.orders.replicas).await.is_err() {
                    return Ok(());
                }
                self.classes.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clear();
                0
            }
        };
        let out = state.books.units.values().filter(|out| out.sent).count();
        if queued >= out {
            state.missing_before = false;
            return Ok(());
        }
        if !std::mem::replace(&mut state.missing_before, true) {
            return Ok(());
        }
        state.missing_before = false;
        self.give_all_again(state).await
    }

    /// Sends everything again that is out.
    async fn give_all_again(&self, state: &mut State) -> Result<(), NatsError> {
        let text = "the broker has lost units; they are sent again".to_string();
        self.notice(Notice::Warning(text));
        state.epoch = unique();
        state.incoming = None;
        // The consumers may be gone as well.
        let _ = broker::results_consumer(&self.broker, &self.run).await;
        self.classes.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clear();
        let fixtures: Vec<Fixture> =
            state.books.pending.values().map(|pending| pending.fixture).collect();
        let mut remade = BTreeSet::new();
        for fixture in &fixtures {
            if remade.insert((fixture.terms, fixture.pairing)) {
                self.class_of(fixture).await?;
            }
        }
        self.brief.send_again(&self.broker).await?;
        state.books.send_all_again();
        Ok(())
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
