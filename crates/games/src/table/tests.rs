use std::cell::Cell;

use agon_core::scene::{Draw, Piece, Scene, Trace};
use agon_core::sink::{Flow, MoveList, Sink};
use agon_core::{
    Arrange, Evaluate, Evaluation, Game, Hints, HistoryRules, NoModel, Notation, Outcome, Progress,
    Rng, Seat, Status, TextError, Tunable, Variant, Which,
};

use super::Table;
use super::typed::TypedTable;
use crate::catalog::Visitor;
use crate::{Catalog, GAMES, Playable, open_at, with_game};

/// The same game, opened and played from scratch.
fn anew(table: &dyn Table) -> Box<dyn Table> {
    open_at(table.variant(), table.custom_start(), table.played()).unwrap()
}

/// What a table has cached is what a fresh one computes.
fn check(table: &dyn Table) {
    let fresh = anew(table);
    assert_eq!(table.position(), fresh.position());
    assert_eq!(table.turn(), fresh.turn(), "{}", table.position());
    assert_eq!(table.drawn_moves(), fresh.drawn_moves(), "{}", table.position());
    assert_eq!(table.count_moves(), fresh.drawn_moves().len() as u64);
    assert_eq!(table.guide(), fresh.guide());
    let Some((text, before)) = table.played().split_last() else {
        assert!(table.last().is_none());
        return;
    };
    let before = open_at(table.variant(), table.custom_start(), before).unwrap();
    let last = table.last().unwrap();
    assert_eq!((last.text, last.trace), (text.as_str(), &before.trace(text).unwrap()));
    assert_eq!(Some(last.seat), before.status().to_move());
    assert_eq!(table.mover(before.played().len()), before.status().to_move());
    assert_eq!(table.mover(table.played().len()), None);
}

#[test]
fn what_is_kept_is_right_after_moves_and_taking_back() {
    let mut rng = Rng::new(0xCAFE);
    for variant in GAMES.iter().flat_map(|game| game.variants) {
        let mut table = open_at::<&str>(&variant.text.parse().unwrap(), None, &[]).unwrap();
        for _ in 0..60 {
            // Not every position is shown before the game goes on.
            if rng.below(2) == 0 {
                check(&*table);
            }
            match table.fork().random_move(&mut rng) {
                Some(mv) if rng.below(4) > 0 => drop(table.play(&mv).unwrap()),
                _ => drop(table.undo()),
            }
        }
        check(&*table);
    }
}

#[test]
fn a_fork_and_its_origin_go_their_own_ways() {
    fn shared_by_threads<T: Send + Sync + ?Sized>(_: &T) {}
    let mut rng = Rng::new(0xF0);
    for game in GAMES {
        let mut table =
            open_at::<&str>(&game.variants[0].text.parse().unwrap(), None, &[]).unwrap();
        shared_by_threads(&*table);
        for _ in 0..8 {
            let mv = table.random_move(&mut rng).unwrap();
            table.play(&mv).unwrap();
        }
        let (position, played) = (table.position(), table.played().to_vec());
        let (mut ahead, mut back) = (table.fork(), table.fork());
        let mv = ahead.random_move(&mut rng).unwrap();
        ahead.play(&mv).unwrap();
        while back.undo() {}
        check(&*ahead);
        check(&*back);
        check(&*table);
        assert_eq!((table.position(), table.played()), (position, &played[..]));
        assert_eq!((ahead.played().len(), back.played().len()), (9, 0));
    }
}

#[test]
fn other_spellings_are_read_whether_or_not_moves_have_been_listed() {
    let variant: Variant = "fauhalma:star2".parse().unwrap();
    for look in [false, true] {
        let mut table = open_at::<&str>(&variant, None, &[]).unwrap();
        let mv = table.fork().moves().swap_remove(0);
        if look {
            table.moves();
        }
        assert_eq!(table.read_move(&mv.replace(',', " , ")).unwrap(), mv);
        assert!(table.play("[]").is_err() && table.play("").is_err());
        assert_eq!(table.play(&format!(" {mv}")).unwrap(), mv);
    }
}

thread_local! {
    static GENERATED: Cell<u32> = const { Cell::new(0) };
}

fn generated() {
    GENERATED.set(GENERATED.get() + 1);
}

/// A game that counts how often its moves are generated.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Counting<G>(G);

impl<G: Playable> Game for Counting<G> {
    type Move = G::Move;

    fn seats(&self) -> usize {
        self.0.seats()
    }

    fn status(&self) -> Status {
        self.0.status()
    }

    fn generate<S: Sink<G::Move>>(&self, which: Which, into: &mut S) -> Flow {
        generated();
        self.0.generate(which, into)
    }

    fn when_stuck(&self) -> Outcome {
        self.0.when_stuck()
    }

    fn play(&mut self, mv: G::Move) -> Progress {
        self.0.play(mv)
    }

    fn key(&self) -> u64 {
        self.0.key()
    }

    fn repetition_key(&self) -> u64 {
        self.0.repetition_key()
    }

    fn history_rules(&self) -> HistoryRules {
        self.0.history_rules()
    }

    fn sample(&self, rng: &mut Rng, scratch: &mut MoveList<G::Move>) -> Option<G::Move> {
        generated();
        self.0.sample(rng, scratch)
    }
}

impl<G: Playable> Notation for Counting<G> {
    fn seat_name(&self, seat: Seat) -> &str {
        self.0.seat_name(seat)
    }

    fn position_text(&self) -> String {
        self.0.position_text()
    }

    fn read_position(&self, text: &str) -> Result<Self, TextError> {
        self.0.read_position(text).map(Counting)
    }

    fn move_text(&self, mv: G::Move) -> String {
        self.0.move_text(mv)
    }

    fn read_move(&self, text: &str) -> Result<G::Move, TextError> {
        generated();
        self.0.read_move(text)
    }
}

impl<G: Playable> Draw for Counting<G> {
    fn scene(&self) -> Scene {
        self.0.scene()
    }

    fn pieces(&self) -> Vec<Piece> {
        self.0.pieces()
    }

    fn trace(&self, mv: G::Move) -> Trace {
        self.0.trace(mv)
    }

    fn guide(&self) -> Option<String> {
        self.0.guide()
    }
}

impl<G: Playable> Arrange for Counting<G> {}

impl<G: Playable> Evaluate for Counting<G> {
    type Model = NoModel;

    fn evaluations() -> &'static [Evaluation<Self>] {
        &[Evaluation { name: "even", about: "", judge: |_, _| 0 }]
    }
}

impl<G: Playable> Hints for Counting<G> {}

impl<G: Playable> Tunable for Counting<G> {}

/// Everything that a page shows, more than once.
fn show(table: &dyn Table) {
    for _ in 0..2 {
        let status = table.status();
        assert_eq!(table.count_moves(), table.drawn_moves().len() as u64);
        assert_eq!(table.moves().len(), table.successors().len());
        assert_eq!(table.outcome(), status.outcome());
        assert_eq!(table.evaluate("even").is_some(), table.to_move().is_some());
        assert_eq!(table.last().is_some(), !table.played().is_empty());
        let _ = (table.guide(), table.scene(), table.position(), table.fork().status());
    }
}

struct Clicks;

impl Visitor for Clicks {
    type Output = ();

    fn visit<G: Playable>(self, variant: Variant, start: G) {
        let mut table = TypedTable::new(Catalog::built_in(), variant, Counting(start));
        let mut rng = Rng::new(1);
        let counted = |table: &mut dyn Table, act: &mut dyn FnMut(&mut dyn Table)| {
            GENERATED.set(0);
            act(table);
            GENERATED.get()
        };
        show(&table);
        while let Some(mv) = table.random_move(&mut rng) {
            let click = counted(&mut table, &mut |table| {
                assert_eq!(table.read_move(&mv).as_ref(), Ok(&mv));
                table.trace(&mv).unwrap();
                table.play(&mv).unwrap();
                show(table);
            });
            assert!(click <= 2, "{click} generations for {mv} in {}", table.variant());
        }
        let back = counted(&mut table, &mut |table| {
            table.undo();
            show(table);
        });
        assert_eq!(back, 1, "the moves had been counted before");
        let moves: Vec<String> = table.played().to_vec();
        while table.undo() {}
        let played = counted(&mut table, &mut |table| {
            moves.iter().for_each(|mv| drop(table.play(mv).unwrap()));
        });
        assert_eq!(played as usize, moves.len(), "moves that are not shown are only read");
    }
}

#[test]
fn a_click_generates_moves_at_most_twice() {
    for game in GAMES {
        with_game(&game.variants[0].text.parse().unwrap(), Clicks).unwrap();
    }
}

struct Bare;

impl Visitor for Bare {
    type Output = ();

    fn visit<G: Playable>(self, variant: Variant, start: G) {
        let table = TypedTable::new(Catalog::built_in(), variant, Counting(start));
        assert!(table.palette().is_empty() && table.dials().is_empty());
        let refused = table.arranged(&table.draft()).unwrap_err().expected;
        assert!(refused.contains("cannot be set up by hand"), "{refused}");
    }
}

#[test]
fn a_game_that_says_nothing_about_it_cannot_be_set_up_by_hand() {
    with_game(&GAMES[0].variants[0].text.parse().unwrap(), Bare).unwrap();
}
