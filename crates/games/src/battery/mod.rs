//! The tests every game passes: one battery, and the naive twins it compares with.
//!
//! A game's `tests.rs` describes itself as a [`Subject`] and calls [`Subject::check`]. The
//! environment variable `AGON_SOAK` multiplies the number of random positions.

mod arranging;
mod kept;
pub(crate) mod pages;
pub(crate) mod plain;

mod checks;
pub(crate) use checks::position;
mod scenarios;

use std::collections::HashMap;

use agon_core::{History, Rng, TextError, Variant};

use crate::catalog::{Catalog, Playable, Visitor};

/// A rule set written as simply as possible, to check the fast one against.
pub(crate) trait Naive {
    /// The position as canonical text.
    fn position(&self) -> String;

    /// Name of the seat to move, `None` when the game is over.
    fn to_move(&self) -> Option<&'static str>;

    /// Points 0 to 100 by seat, `None` while the game goes on; history rules included.
    fn outcome(&self) -> Option<Vec<u8>>;

    /// Canonical move texts, sorted, no duplicates; empty when the game is over.
    fn moves(&self) -> Vec<String>;

    /// Plays a move given in canonical text.
    fn play(&mut self, mv: &str);

    /// The outcome of the position alone: what earlier positions and the number of plies played
    /// would decide is left out.
    fn outcome_without_history(&self) -> Option<Vec<u8>>;
}

/// A symmetry of a game, on its texts: symmetric positions have symmetric moves.
#[derive(Clone, Copy)]
pub(crate) struct Symmetry {
    /// What it does, for messages.
    pub(crate) name: &'static str,
    /// The symmetric position.
    pub(crate) position: fn(&str) -> String,
    /// The symmetric move; any spelling that can be read.
    pub(crate) mv: fn(&str) -> String,
    /// Whether every evaluation gives the symmetric position the same value for its seat to move.
    pub(crate) keeps_values: bool,
}

/// A variant and what the battery needs to know about it.
pub(crate) struct Subject {
    /// The variant's text.
    pub(crate) variant: &'static str,
    /// Positions to begin random games from, besides the variant's start.
    pub(crate) positions: Vec<String>,
    /// Opens the naive twin at a position.
    pub(crate) twin: fn(variant: &str, position: &str) -> Box<dyn Naive>,
    /// A position's text without its counters: keys are equal exactly where these are.
    pub(crate) without_counters: fn(&str) -> String,
    /// The game's symmetries.
    pub(crate) symmetries: &'static [Symmetry],
    /// The upper bound on the length of a random game, in plies.
    pub(crate) longest: usize,
    /// How many random positions to check, before `AGON_SOAK` multiplies it.
    pub(crate) budget: usize,
}

impl Subject {
    /// Runs the whole battery on random games.
    pub(crate) fn check(self) {
        self.check_in(&Catalog::built_in());
    }

    /// The same with a game of this catalog.
    pub(crate) fn check_in(self, catalog: &Catalog) {
        let variant: Variant = self.variant.parse().expect("the subject's variant");
        catalog.with_game(&variant, self).expect("the subject's variant");
    }
}

/// The factor by which tests run longer than usual.
pub(crate) fn soak() -> usize {
    std::env::var("AGON_SOAK").ok().and_then(|text| text.parse().ok()).unwrap_or(1)
}

impl Visitor for Subject {
    type Output = ();

    fn visit<G: Playable>(self, variant: Variant, start: G) {
        assert_eq!(variant.to_string(), self.variant, "the canonical text of the variant");
        checks::evaluation_names::<G>();
        let read = |text: &String| start.read_position(text);
        let others: Result<Vec<G>, TextError> = self.positions.iter().map(read).collect();
        let mut starts = vec![start.clone()];
        starts.extend(others.expect("the subject's positions"));
        let mut session = Session {
            subject: &self,
            texts_by_key: HashMap::new(),
            keys_by_text: HashMap::new(),
            positions: 0,
        };
        let mut rng = Rng::new(0xBA77E27);
        let budget = self.budget * soak();
        while session.positions < budget {
            for start in &starts {
                session.random_game(start, &mut rng);
            }
        }
    }
}

/// The state of one run of the battery.
struct Session<'a> {
    subject: &'a Subject,
    texts_by_key: HashMap<u64, String>,
    keys_by_text: HashMap<String, u64>,
    positions: usize,
}

impl Session<'_> {
    /// Plays one random game, checking every position on the way.
    fn random_game<G: Playable>(&mut self, start: &G, rng: &mut Rng) {
        let mut position = start.clone();
        let mut history = History::new(start);
        let mut kept = kept::Evaluations::of(start);
        let mut twin = (self.subject.twin)(self.subject.variant, &start.position_text());
        // Keys of positions that an irreversible move has left behind for good.
        let (mut reversible, mut gone) = (vec![start.repetition_key()], Vec::new());
        for ply in 0.. {
            self.positions += 1;
            self.check_keys(&position);
            checks::position(&position);
            checks::against_twin(&position, &history, twin.as_ref());
            self.check_symmetries(&position);
            assert!(
                !gone.contains(&position.repetition_key()),
                "recurred: {}",
                position.position_text()
            );
            let moves = position.moves();
            if history.status(&position).outcome().is_some() || moves.is_empty() {
                return;
            }
            assert!(ply < self.subject.longest, "a game of more than {ply} plies");
            let mv = *rng.choose(&moves).expect("a move");
            twin.play(&position.move_text(mv));
            let after = position.after(mv);
            let progress = kept.play(&mut position, mv);
            assert_eq!(after, (position.clone(), progress), "after {mv:?}");
            history.push(&position, progress);
            if progress == agon_core::Progress::Irreversible {
                gone.append(&mut reversible);
            }
            reversible.push(position.repetition_key());
        }
    }

    /// Keys are equal exactly where positions are, apart from counters.
    fn check_keys<G: Playable>(&mut self, position: &G) {
        let text = (self.subject.without_counters)(&position.position_text());
        let key = position.key();
        let known_text = self.texts_by_key.entry(key).or_insert_with(|| text.clone());
        assert_eq!(*known_text, text, "two positions with one key");
        let known_key = self.keys_by_text.entry(text).or_insert(key);
        assert_eq!(*known_key, key, "two keys for one position: {}", position.position_text());
    }

    fn check_symmetries<G: Playable>(&self, position: &G) {
        for symmetry in self.subject.symmetries {
            checks::symmetry(position, symmetry);
        }
    }
}

/// Random games with everything that can be checked without a twin.
struct Promises(usize);

impl Visitor for Promises {
    type Output = ();

    fn visit<G: Playable>(self, _: Variant, start: G) {
        checks::evaluation_names::<G>();
        let (mut rng, mut positions) = (Rng::new(0x0B0E), 0);
        while positions < self.0 * soak() {
            let (mut position, mut history) = (start.clone(), History::new(&start));
            let mut kept = kept::Evaluations::of(&start);
            while history.turn(&position).is_ok() && positions < self.0 * soak() {
                checks::position(&position);
                agon_core::hints::check(&position);
                let moves = position.moves();
                let progress = kept.play(&mut position, *rng.choose(&moves).expect("a move"));
                history.push(&position, progress);
                positions += 1;
            }
            checks::position(&position);
        }
    }
}

/// Texts that read back, distinct moves, drawings that match, zero-sum evaluations, sound hints.
#[test]
fn every_game_keeps_its_promises() {
    for variant in crate::GAMES.iter().flat_map(|game| game.variants) {
        println!("{}: in this variant, a game does not do what it promises:", variant.text);
        crate::with_game(&variant.text.parse().expect("a variant"), Promises(150))
            .unwrap_or_else(|error| panic!("{error}"));
    }
}
