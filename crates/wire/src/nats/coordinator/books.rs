//! Which games are out, in which units, and what to make of what comes back. No network here.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use agon_arena::fixture::Fixture;

use super::super::messages::{Claim, Results, WireGame};

/// How often a game may come back in a form that is refused before the run gives up.
const MOST_REFUSALS: u32 = 50;
/// How many games that nobody has asked for yet are kept.
const MOST_EARLY: usize = 200_000;
/// From how many deliveries on a unit is suspected of killing its workers.
const SUSPICIOUS: i64 = 3;

/// A game that is out.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    pub fixture: Fixture,
    unit: u64,
    refusals: u32,
}

/// A unit that is out.
#[derive(Clone, Debug)]
pub(super) struct Out {
    /// How many of its games are missing.
    left: usize,
    /// Where it was published, and as what, to be published again if the broker loses it.
    pub subject: String,
    pub payload: Vec<u8>,
    /// Whether the broker has it.
    pub sent: bool,
    first: u64,
    claims: BTreeSet<String>,
    named: bool,
}

/// A game that came back and is wanted; it is still to be checked by the rules.
#[derive(Debug)]
pub(super) struct Candidate {
    pub fixture: Fixture,
    pub game: WireGame,
}

/// The books of a run.
#[derive(Debug, Default)]
pub(super) struct Books {
    pub pending: BTreeMap<u64, Pending>,
    pub units: BTreeMap<u64, Out>,
    /// Games that came back before they were asked for: from before a restart.
    early: BTreeMap<u64, (String, String, WireGame)>,
    /// Games to be given out again.
    pub again: VecDeque<Fixture>,
    /// How many refusals each of those has had.
    refusals: BTreeMap<u64, u32>,
    /// The first number that has not been given out.
    next: u64,
    next_unit: u64,
    /// Games that came back twice.
    pub duplicates: u64,
}

/// What became of a game that came back.
pub(super) enum Arrival {
    /// It is wanted.
    Wanted(Box<Candidate>),
    /// It has been counted before.
    Duplicate,
    /// It may be wanted later.
    Early,
}

impl Books {
    /// A game is given out, or found to have been played. Returns it in the latter case, with its
    /// worker and the build it played with.
    pub fn give(&mut self, fixture: &Fixture) -> Option<(String, String, WireGame)> {
        self.next = self.next.max(fixture.number + 1);
        self.early.remove(&fixture.number)
    }

    /// Notes a new unit of these games.
    pub fn open_unit(&mut self, fixtures: &[Fixture]) -> u64 {
        let unit = self.next_unit;
        self.next_unit += 1;
        for fixture in fixtures {
            let refusals = self.refusals.get(&fixture.number).copied().unwrap_or(0);
            let pending = Pending { fixture: *fixture, unit, refusals };
            self.pending.insert(fixture.number, pending);
        }
        let first = fixtures.first().map_or(0, |fixture| fixture.number);
        let (left, claims) = (fixtures.len(), BTreeSet::new());
        let (subject, payload) = (String::new(), Vec::new());
        let out = Out { left, subject, payload, sent: false, first, claims, named: false };
        self.units.insert(unit, out);
        unit
    }

    /// A game comes back.
    pub fn arrive(&mut self, of: &Results, game: WireGame) -> Arrival {
        let number = game.number();
        if let Some(pending) = self.pending.get(&number) {
            return Arrival::Wanted(Box::new(Candidate { fixture: pending.fixture, game }));
        }
        if number < self.next {
            self.duplicates += 1;
            return Arrival::Duplicate;
        }
        if self.early.len() < MOST_EARLY {
            self.early.insert(number, (of.name.clone(), of.build.clone(), game));
        }
        Arrival::Early
    }

    /// A game has been accepted.
    pub fn accept(&mut self, number: u64) {
        self.refusals.remove(&number);
        if let Some(pending) = self.pending.remove(&number) {
            self.leave_unit(pending.unit);
        }
    }

    /// A game was refused, or was not played: it is given out again. `false` if that has been tried
    /// too often.
    pub fn give_again(&mut self, number: u64, refused: bool) -> bool {
        let Some(mut pending) = self.pending.remove(&number) else { return true };
        self.leave_unit(pending.unit);
        pending.refusals += u32::from(refused);
        self.refusals.insert(number, pending.refusals);
        self.again.push_back(pending.fixture);
        pending.refusals < MOST_REFUSALS
    }

    fn leave_unit(&mut self, unit: u64) {
        if let Some(out) = self.units.get_mut(&unit) {
            out.left = out.left.saturating_sub(1);
            if out.left == 0 {
                self.units.remove(&unit);
            }
        }
    }

    /// A worker has begun a unit. Returns its first game and its workers so far, once, if it has been
    /// begun suspiciously often.
    pub fn claim(&mut self, claim: &Claim) -> Option<(u64, Vec<String>)> {
        let out = self.units.get_mut(&claim.unit)?;
        if out.claims.len() < 100 {
            out.claims.insert(claim.name.clone());
        }
        if claim.deliveries < SUSPICIOUS || out.named {
            return None;
        }
        out.named = true;
        Some((out.first, out.claims.iter().cloned().collect()))
    }

    /// How many games are out.
    pub fn waiting(&self) -> u64 {
        (self.pending.len() + self.again.len()) as u64
    }

    /// The broker has lost everything: all units are to be sent again.
    pub fn send_all_again(&mut self) {
        self.units.values_mut().for_each(|out| out.sent = false);
    }
}
