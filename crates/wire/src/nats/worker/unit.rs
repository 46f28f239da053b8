//! Plays one unit, and returns its games.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use agon_arena::fixture::Fixture;
use agon_arena::store::PlayedBy;
use agon_arena::venue::VenueError;
use agon_arena::workers::Job;
use agon_search::StopFlag;
use agon_search::memory::keep_tables;
use async_nats::jetstream;
use async_nats::jetstream::AckKind;
use async_nats::jetstream::message::PublishMessage;
use tokio::time::sleep;

use super::super::coordinator::unique;
use super::super::messages::{Claim, PROTOCOL, Refused, Results, Returned, Unit, WireGame};
use super::super::names::{LARGEST_MESSAGE, results, short};
use super::briefs::Prepared;
use super::classes::Class;
use super::{Worker, WorkerNews};

/// How large a message with games gets before the next is begun.
const CHUNK: usize = 300 << 10;
/// How long a unit that cannot be played here is kept from other attempts.
const PAUSE: Duration = Duration::from_secs(2);

/// How often a unit is tried that cannot be prepared here. If it was a real one, the coordinator misses it
/// and sends it again, with all its files.
const MOST_ATTEMPTS: i64 = 10;

/// What was played of a unit.
#[derive(Default)]
struct Played {
    games: Vec<WireGame>,
    faults: u64,
    unfinished: Vec<u64>,
    problem: Option<String>,
    /// Whether the problem is this machine's, and may not be another's.
    of_machine: bool,
    millis: u64,
}

impl Worker {
    /// Plays a unit and returns its games; whatever happens, the message is answered.
    pub(super) async fn take(self: Arc<Self>, class: &Class, message: jetstream::Message) {
        let unit = match Unit::read(&message.payload) {
            Ok(unit) => unit,
            Err(Refused(problem)) => {
                self.tally.refused.fetch_add(1, Relaxed);
                self.warn(format!("a unit is refused: {problem}"));
                // It never gets better.
                let _ = message.ack_with(AckKind::Term).await;
                return;
            }
        };
        let deliveries = message.info().map_or(1, |info| info.delivered);
        let message = Arc::new(message);
        let claiming = tokio::spawn(keep_claim(message.clone(), class.ack_wait / 3));
        self.play_and_return(class, unit, deliveries, &message).await;
        claiming.abort();
    }

    async fn play_and_return(
        self: &Arc<Self>,
        class: &Class,
        unit: Unit,
        deliveries: i64,
        message: &jetstream::Message,
    ) {
        // Others may be able to play it, but not without end.
        let left_to_others = match deliveries < MOST_ATTEMPTS {
            true => AckKind::Nak(Some(PAUSE)),
            false => AckKind::Term,
        };
        if self.tally.is_shunned(&unit.brief) {
            let _ = message.ack_with(left_to_others).await;
            return;
        }
        let (worker, speed) = (self.settings.name.clone(), self.settings.build.speed);
        let me = PlayedBy { worker, speed, scale: 1.0 };
        let prepared = self.briefs.get(&self.broker, &unit.brief, &me).await;
        let prepared = match prepared {
            Ok(prepared) => prepared,
            Err(problem) => {
                self.tally.shun(&unit.brief, &problem);
                self.warn(format!("{} is left to others: {problem}", unit.name));
                let _ = message.ack_with(left_to_others).await;
                return;
            }
        };
        let build = &self.settings.build;
        if let Err(problem) = prepared.check(&unit.fixtures, &class.name, build) {
            self.tally.refused.fetch_add(1, Relaxed);
            self.warn(format!("a unit of {} is refused: {problem}", unit.name));
            let _ = message.ack_with(left_to_others).await;
            return;
        }
        if deliveries > 1 || prepared.programs {
            self.claim(&unit, deliveries).await;
        }
        let number = self.tally.begins(&unit.run, unit.first(), unit.fixtures.len() as u64);
        let stop = StopFlag::default();
        self.register(&unit.run, &stop);
        let (worker, flag, fixtures) = (self.clone(), stop.clone(), unit.fixtures.clone());
        let played =
            tokio::task::spawn_blocking(move || worker.play(&prepared, &fixtures, &flag)).await;
        self.unregister(&unit.run, &stop);
        let played = played.unwrap_or_default();
        let (games, faults) = (played.games.len(), played.faults);
        if let Some(problem) = &played.problem {
            if played.of_machine {
                self.tally.shun(&class.name, problem);
            }
            self.warn(format!("games of {} are given back: {problem}", unit.name));
        }
        self.send(&unit, deliveries, played).await;
        self.tally.ends(number, games as u64, faults);
        let _ = message.double_ack().await;
        (self.news)(WorkerNews::Played { name: unit.name, games });
    }

    fn register(&self, run: &str, stop: &StopFlag) {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.entry(run.to_string()).or_default().push(stop.clone());
    }

    fn unregister(&self, run: &str, stop: &StopFlag) {
        // Set, so that it is recognised among the others.
        stop.stop();
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.values_mut().for_each(|flags| flags.retain(|flag| !flag.is_set()));
        running.retain(|name, flags| !flags.is_empty() || name != run);
    }

    /// Plays the games, in a thread of its own.
    fn play(&self, prepared: &Prepared, fixtures: &[Fixture], stop: &StopFlag) -> Played {
        let begun = Instant::now();
        let mut played = Played::default();
        let mut guests = prepared.take_guests();
        // The next game's searches reuse the memory of this one's.
        let _tables = keep_tables();
        let mut fixtures = fixtures.iter();
        for fixture in fixtures.by_ref() {
            let gone = self.leave.is_set() || self.halt.is_set() || stop.is_set();
            let job = Job { fixture: *fixture, withdrawn: Vec::new(), written: true };
            let attempt = || prepared.local.play_one(&job, &mut guests, stop);
            let game = match gone {
                true => Ok(Ok(None)),
                false => catch_unwind(AssertUnwindSafe(attempt)),
            };
            match game {
                Ok(Ok(Some(game))) => {
                    played.faults += u64::from(game.summary.offence().is_some());
                    played.games.extend(game.stored.as_deref().map(WireGame::of));
                    continue;
                }
                Ok(Ok(None)) => {}
                Ok(Err(error)) => {
                    played.of_machine = matches!(error, VenueError::System(_));
                    played.problem = Some(error.to_string());
                }
                Err(_) => played.problem = Some("the program panicked in this game".into()),
            }
            played.unfinished.push(fixture.number);
            break;
        }
        played.unfinished.extend(fixtures.map(|fixture| fixture.number));
        if played.problem.is_none() {
            prepared.give_back(guests);
        }
        played.millis = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        played
    }

    /// Says that it has begun a unit, so that somebody knows who had it if it never ends.
    async fn claim(&self, unit: &Unit, deliveries: i64) {
        let claim = Returned::Claim(Claim {
            protocol: PROTOCOL,
            run: unit.run.clone(),
            unit: unit.unit,
            worker: self.id.clone(),
            name: self.settings.name.clone(),
            deliveries,
        });
        let text = serde_json::to_vec(&claim).unwrap_or_default();
        // Nothing depends on it.
        let _ = self.broker.publish(results(&unit.run), text.into()).await;
    }

    /// Returns games, in as many messages as they need.
    async fn send(&self, unit: &Unit, deliveries: i64, played: Played) {
        let Played { games, mut unfinished, mut problem, millis, .. } = played;
        let count = games.len().max(1) as u64;
        // The same for all attempts to send these games, and for no others.
        let once = unique();
        let mut parts: Vec<Vec<WireGame>> = vec![Vec::new()];
        let (mut size, mut lost) = (0, Vec::new());
        for game in games {
            let length = serde_json::to_vec(&game).map_or(usize::MAX, |text| text.len());
            if length > LARGEST_MESSAGE - (64 << 10) {
                lost.push(game.number());
                continue;
            }
            if size > 0 && size + length > CHUNK {
                parts.push(Vec::new());
                size = 0;
            }
            size += length;
            if let Some(part) = parts.last_mut() {
                part.push(game);
            }
        }
        if !lost.is_empty() {
            problem.get_or_insert(format!("games {lost:?} are too large for a message"));
            unfinished.extend(lost);
        }
        let last = parts.len() - 1;
        for (index, games) in parts.into_iter().enumerate() {
            let is_last = index == last;
            let share = millis * games.len() as u64 / count;
            let message = Returned::Results(Results {
                protocol: PROTOCOL,
                run: unit.run.clone(),
                unit: unit.unit,
                epoch: unit.epoch.clone(),
                brief: unit.brief.clone(),
                worker: self.id.clone(),
                name: self.settings.name.clone(),
                build: self.settings.build.to_string(),
                deliveries,
                games,
                unfinished: if is_last { unfinished.clone() } else { Vec::new() },
                problem: problem.as_deref().filter(|_| is_last).map(short),
                millis: share,
            });
            self.publish(&unit.run, &format!("{once}-{index}"), &message).await;
        }
    }

    /// Publishes until the broker has it: a broker that restarts loses nothing.
    async fn publish(&self, run: &str, id: &str, message: &Returned) {
        let text = serde_json::to_vec(message).unwrap_or_default();
        let mut pause = Duration::from_millis(100);
        loop {
            let message = PublishMessage::build().payload(text.clone().into()).message_id(id);
            let sent = self.broker.send_publish(results(run), message).await;
            if let Ok(ack) = sent
                && ack.await.is_ok()
            {
                return;
            }
            if self.halt.is_set() {
                return;
            }
            sleep(pause).await;
            pause = (pause * 2).min(Duration::from_secs(2));
        }
    }
}

/// Says again and again that a unit is still being played.
async fn keep_claim(message: Arc<jetstream::Message>, every: Duration) {
    loop {
        sleep(every.max(Duration::from_millis(50))).await;
        // If the broker is away, it hears the next one.
        let _ = message.ack_with(AckKind::Progress).await;
    }
}
