//! Which games are out, in which units, and what to make of what comes back. No network here.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use agon_arena::fixture::Fixture;

use super::super::messages::{Claim, Results, WireGame};

/// How much memory games that nobody has asked for yet may take, in bytes.
const MOST_EARLY: usize = 64 << 20;
/// From how many unfinished attempts on a unit is suspected of killing its workers.
const SUSPICIOUS: u32 = 3;
/// The most names that are kept for a unit.
const MOST_NAMES: usize = 100;

/// A game that is out.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    pub fixture: Fixture,
    unit: u64,
}

/// A unit that is out.
#[derive(Clone, Debug, Default)]
pub(super) struct Out {
    /// How many of its games are missing.
    left: usize,
    /// Where it was published, and as what, to be published again if the broker loses it.
    pub subject: String,
    pub payload: Vec<u8>,
    /// Whether the broker has it.
    pub sent: bool,
    first: u64,
    /// How many workers have said that they begin it, and their names.
    claims: u32,
    names: BTreeSet<String>,
    named: bool,
}

/// A game that came back before it was asked for.
#[derive(Debug)]
pub(super) struct Early {
    pub worker: String,
    pub build: String,
    pub game: WireGame,
}

/// What became of a game that came back.
pub(super) enum Arrival {
    /// It is wanted, and still to be checked by the rules.
    Wanted(Fixture, Box<WireGame>),
    /// It has been counted before, or is kept until somebody asks for it.
    Settled,
}

/// The books of a run.
#[derive(Debug, Default)]
pub(super) struct Books {
    pending: BTreeMap<u64, Pending>,
    pub units: BTreeMap<u64, Out>,
    early: BTreeMap<u64, Early>,
    early_bytes: usize,
    /// Games to be given out again.
    pub again: VecDeque<Fixture>,
    /// How often games could not be played, or came back in a form that was refused.
    failures: BTreeMap<u64, u32>,
    refusals: BTreeMap<u64, u32>,
    /// The first number that has not been given out.
    next: u64,
    next_unit: u64,
}

impl Books {
    /// A game is given out, or found to have been played.
    pub fn give(&mut self, fixture: &Fixture) -> Option<Early> {
        self.next = self.next.max(fixture.number + 1);
        let early = self.early.remove(&fixture.number)?;
        self.early_bytes -= early.game.weight();
        Some(early)
    }

    /// Notes a new unit of these games.
    pub fn open_unit(&mut self, fixtures: &[Fixture], subject: String) -> u64 {
        let unit = self.next_unit;
        self.next_unit += 1;
        for fixture in fixtures {
            self.pending.insert(fixture.number, Pending { fixture: *fixture, unit });
        }
        let first = fixtures.first().map_or(0, |fixture| fixture.number);
        let out = Out { left: fixtures.len(), subject, first, ..Out::default() };
        self.units.insert(unit, out);
        unit
    }

    /// A game comes back, whoever sends it.
    pub fn arrive(&mut self, of: &Results, game: WireGame) -> Arrival {
        let number = game.number();
        if let Some(fixture) = self.wanted(number) {
            return Arrival::Wanted(fixture, Box::new(game));
        }
        let weight = game.weight();
        let fits = self.early_bytes + weight <= MOST_EARLY;
        if number >= self.next && fits && !self.early.contains_key(&number) {
            self.early_bytes += weight;
            let (worker, build) = (of.name.clone(), of.build.clone());
            self.early.insert(number, Early { worker, build, game });
        }
        Arrival::Settled
    }

    /// A game that is out or will be given out again.
    fn wanted(&self, number: u64) -> Option<Fixture> {
        let pending = self.pending.get(&number).map(|pending| pending.fixture);
        pending.or_else(|| self.again.iter().find(|it| it.number == number).copied())
    }

    /// A game has been accepted.
    pub fn accept(&mut self, number: u64) {
        self.failures.remove(&number);
        self.refusals.remove(&number);
        match self.pending.remove(&number) {
            Some(pending) => self.leave_unit(pending.unit),
            None => self.again.retain(|it| it.number != number),
        }
    }

    /// A game was refused, and is given out again. Returns how often that has happened to it.
    pub fn refuse(&mut self, number: u64) -> u32 {
        self.give_again(number);
        count(&mut self.refusals, number)
    }

    /// A game could not be played. Returns how often that has happened to it.
    pub fn fail(&mut self, number: u64) -> u32 {
        count(&mut self.failures, number)
    }

    /// A unit's games come back unplayed, and are given out again.
    pub fn give_back(&mut self, unit: u64, numbers: &[u64]) {
        for number in numbers {
            if self.pending.get(number).is_some_and(|pending| pending.unit == unit) {
                self.give_again(*number);
            }
        }
    }

    fn give_again(&mut self, number: u64) {
        if let Some(pending) = self.pending.remove(&number) {
            self.leave_unit(pending.unit);
            self.again.push_back(pending.fixture);
        }
    }

    fn leave_unit(&mut self, unit: u64) {
        if let Some(out) = self.units.get_mut(&unit) {
            out.left -= 1;
            if out.left == 0 {
                self.units.remove(&unit);
            }
        }
    }

    /// A worker has begun a unit that others did not finish. Returns the unit's first game and the
    /// workers, when it becomes suspicious.
    pub fn claim(&mut self, claim: &Claim) -> Option<(u64, Vec<String>)> {
        let out = self.units.get_mut(&claim.unit)?;
        out.claims += 1;
        if out.names.len() < MOST_NAMES {
            out.names.insert(claim.name.clone());
        }
        if out.claims < SUSPICIOUS || out.named {
            return None;
        }
        out.named = true;
        Some((out.first, out.names.iter().cloned().collect()))
    }

    /// How many games are out.
    pub fn waiting(&self) -> u64 {
        (self.pending.len() + self.again.len()) as u64
    }

    /// The game of this number, if it is out.
    pub fn fixture(&self, number: u64) -> Option<Fixture> {
        self.wanted(number)
    }

    /// The games that are out.
    pub fn fixtures(&self) -> impl Iterator<Item = &Fixture> {
        self.pending.values().map(|pending| &pending.fixture)
    }

    /// The broker has lost units: all are to be sent again.
    pub fn send_all_again(&mut self) {
        self.units.values_mut().for_each(|out| out.sent = false);
    }
}

fn count(counts: &mut BTreeMap<u64, u32>, number: u64) -> u32 {
    let count = counts.entry(number).or_default();
    *count += 1;
    *count
}

#[cfg(test)]
mod tests {
    use agon_arena::fixture::Fixture;
    use agon_core::PerSeat;

    use super::*;

    fn fixture(number: u64) -> Fixture {
        Fixture::alone(number, PerSeat::from_slice(&[0, 1]))
    }

    fn results(unit: u64) -> Results {
        Results {
            protocol: 1,
            run: "run".into(),
            unit,
            epoch: "e".into(),
            brief: String::new(),
            worker: "w".into(),
            name: "w".into(),
            build: "b".into(),
            deliveries: 1,
            games: Vec::new(),
            unfinished: Vec::new(),
            problem: None,
            millis: 0,
        }
    }

    #[test]
    fn every_game_is_wanted_until_it_is_accepted_and_never_again() {
        let mut books = Books::default();
        assert!(books.give(&fixture(0)).is_none() && books.give(&fixture(1)).is_none());
        let unit = books.open_unit(&[fixture(0), fixture(1)], "subject".into());
        let arrive = |books: &mut Books, number| {
            let arrival = books.arrive(&results(unit), WireGame::blank(number));
            matches!(arrival, Arrival::Wanted(..))
        };
        assert!(arrive(&mut books, 0));
        books.accept(0);
        assert!(!arrive(&mut books, 0), "counted once");
        // Only the unit that a game is in can give it back.
        books.give_back(unit + 1, &[1]);
        assert_eq!((books.units.len(), books.again.len()), (1, 0));
        books.give_back(unit, &[0, 1, 7]);
        assert_eq!((books.units.len(), books.again.len(), books.waiting()), (0, 1, 1));
        assert!(arrive(&mut books, 1), "another worker may have played it");
        books.accept(1);
        assert_eq!((books.waiting(), books.again.len()), (0, 0));
    }

    #[test]
    fn games_from_before_a_restart_are_kept_within_limits() {
        let mut books = Books::default();
        for number in [1, 1, u64::MAX] {
            assert!(matches!(books.arrive(&results(0), WireGame::blank(number)), Arrival::Settled));
        }
        assert!(books.give(&fixture(0)).is_none());
        assert_eq!(books.give(&fixture(1)).unwrap().game.number(), 1);
        assert!(books.give(&fixture(1)).is_none(), "given once");
        for number in 2..1_000_000 {
            books.arrive(&results(0), WireGame::blank(number));
        }
        assert!(books.early_bytes <= MOST_EARLY && books.early.len() < 500_000);
        for number in 2..1_000_000 {
            books.give(&fixture(number));
        }
        assert_eq!(books.early.len(), 1, "what will never be asked for");
    }

    #[test]
    fn a_unit_that_nobody_finishes_is_named_once() {
        let mut books = Books::default();
        let unit = books.open_unit(&[fixture(4), fixture(5)], "subject".into());
        let claim = |name: &str| Claim {
            protocol: 1,
            run: "run".into(),
            unit,
            worker: name.into(),
            name: name.into(),
            deliveries: 2,
        };
        assert_eq!(books.claim(&claim("a")), None);
        assert_eq!(books.claim(&claim("b")), None);
        assert_eq!(books.claim(&claim("a")), Some((4, vec!["a".into(), "b".into()])));
        assert_eq!(books.claim(&claim("c")), None);
        assert_eq!(books.claim(&Claim { unit: 99, ..claim("a") }), None);
    }
}
