//! Many games at a time.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use agon_core::Seat;
use agon_search::{AgentError, StopFlag};

use crate::agent::Agent;
use crate::fixture::Fixture;
use crate::lounge::Lounge;
use crate::record::AnyRecord;
use crate::venue::{Guests, Venue};

/// Where the games of a match or a tournament are played.
pub struct Hall<'a> {
    /// Where each of the terms is played.
    pub venues: &'a [Box<dyn Venue>],
    /// Who plays.
    pub agents: &'a [Agent],
    /// Who has been withdrawn: their games are not played any more.
    pub withdrawn: &'a [AtomicBool],
    /// How many games are played at a time.
    pub concurrency: usize,
    /// Games that are not over when it is set are given up.
    pub stop: &'a StopFlag,
    /// Where programs wait from one batch of games to the next.
    pub lounges: Lounges,
}

/// Programs that are running while nothing is played.
#[derive(Default)]
pub struct Lounges(Mutex<Vec<Lounge>>);

impl Lounges {
    fn enter(&self) -> Lounge {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    fn leave(&self, lounge: Lounge) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(lounge);
    }
}

/// Gives the games to be played by their places, and `None` behind the last.
pub type Fixtures<'a> = &'a (dyn Fn(u64) -> Option<Fixture> + Sync);
/// Receives the games as they end, in any order, and says whether to go on.
pub type Desk<'a> = &'a mut dyn FnMut(Box<dyn AnyRecord>) -> ControlFlow<()>;

type Finished = Result<Option<Box<dyn AnyRecord>>, AgentError>;

impl Hall<'_> {
    /// Plays all these games and hands them to `desk`, which runs in this thread.
    pub fn play(&self, fixtures: Fixtures<'_>, desk: Desk<'_>) -> Result<(), AgentError> {
        let next = AtomicU64::new(0);
        // Players of quick games wait here for a slow desk.
        let (sender, receiver) = sync_channel(1024);
        thread::scope(|scope| {
            for _ in 0..self.concurrency.max(1) {
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || self.work(next, fixtures, &sender));
            }
            drop(sender);
            for finished in receiver {
                // Leaving drops the receiver, which is what ends the threads.
                if let Some(record) = finished?
                    && desk(record).is_break()
                {
                    break;
                }
            }
            Ok(())
        })
    }

    /// Plays one game after the other until none is left.
    fn work(&self, next: &AtomicU64, fixtures: Fixtures<'_>, results: &SyncSender<Finished>) {
        let mut guests = Guests::in_lounge(self.agents, self.lounges.enter());
        while !self.stop.is_set() {
            let Some(fixture) = fixtures(next.fetch_add(1, Relaxed)) else { break };
            if results.send(self.game(&fixture, &mut guests)).is_err() {
                break;
            }
        }
        self.lounges.leave(guests.into_lounge());
    }

    fn game(&self, fixture: &Fixture, guests: &mut Guests<'_>) -> Finished {
        let absent = || AgentError::new(fixture.terms, "there are no terms with this number");
        let venue = self.venues.get(usize::from(fixture.terms)).ok_or_else(absent)?;
        let withdrawn = self.withdrawn(fixture);
        if withdrawn.is_empty() {
            venue.play(fixture, guests, self.stop)
        } else {
            Ok(Some(venue.forfeit(fixture, &withdrawn)))
        }
    }

    /// The seats of agents that do not play any more.
    fn withdrawn(&self, fixture: &Fixture) -> Vec<Seat> {
        let gone = |agent: u16| {
            let flag = self.withdrawn.get(usize::from(agent));
            flag.is_some_and(|flag| flag.load(Relaxed))
        };
        fixture.seating.iter().filter(|(_, agent)| gone(**agent)).map(|(seat, _)| seat).collect()
    }
}

/// Puts what comes in any order into the order of its numbers.
#[derive(Debug)]
pub struct InOrder<T> {
    due: u64,
    waiting: BTreeMap<u64, T>,
}

impl<T> InOrder<T> {
    /// Nothing has come yet, and this number is the first.
    pub fn new(first: u64) -> InOrder<T> {
        InOrder { due: first, waiting: BTreeMap::new() }
    }

    /// Takes one, and hands on all whose turn it is now.
    pub fn take(&mut self, number: u64, value: T, turn: &mut dyn FnMut(T)) {
        self.waiting.insert(number, value);
        while let Some(value) = self.waiting.remove(&self.due) {
            turn(value);
            self.due += 1;
        }
    }

    /// What is left when no more comes, in order.
    pub fn rest(self) -> impl Iterator<Item = T> {
        self.waiting.into_values()
    }
}
