//! The player plays as well as the engine in this process, because it is the same engine.

use agon_games::{Table, open};
use agon_search::{Budget, Score, adviser};
use agon_wire::ggp::player::ServerLimits;

use crate::harness::{Contest, Dialect, Stage, options};

#[test]
fn with_equal_nodes_its_moves_are_those_of_the_engine() {
    for (variant, role) in [("breakthrough:6x6", "white"), ("breakthrough:5x5,classic", "black")] {
        let nodes = Some(3000);
        let stage = Stage::with(
            agon_wire::ggp::player::Options { nodes, ..options("engine") },
            ServerLimits::default(),
        );
        let table = open(&variant.parse().unwrap()).unwrap();
        let mut engine = adviser(&*table, &"engine".parse().unwrap(), 0).unwrap();
        let dialect = Dialect::Course;
        let contest =
            Contest { stage: &stage, dialect, variant, role, clock: 20, steps: 30, seed: 4 };
        contest.play(&mut |table, mv| {
            let choice = engine.choose(table, &Budget::nodes(3000), &mut |_| {}).unwrap();
            assert_eq!(choice.mv, mv, "{}", table.position());
        });
        let log = stage.log();
        let moves: Vec<_> = log.iter().filter(|line| line.starts_with("moved")).collect();
        assert!(
            moves.len() > 4 && moves.iter().all(|line| line.ends_with("nodes true")),
            "{log:?}"
        );
    }
}

/// The exact value of a position for the side to move.
struct Truth(Box<dyn agon_search::Adviser>);

impl Truth {
    fn new(table: &dyn Table) -> Truth {
        Truth(adviser(table, &"solver".parse().unwrap(), 0).unwrap())
    }

    /// 1 for a win, 0 for a draw, −1 for a loss.
    fn of(&mut self, table: &dyn Table) -> i8 {
        if let Some(outcome) = table.outcome() {
            // The side to move has lost, or it is a draw.
            return if outcome.points().as_slice() == [50, 50] { 0 } else { -1 };
        }
        let solved = self.0.choose(
            table,
            &Budget::per_move(std::time::Duration::from_secs(60)),
            &mut |_| {},
        );
        let score: Score = solved.unwrap().score.expect("small boards are solved");
        match score.forced() {
            Some(agon_search::Forced::WinIn(_)) => 1,
            Some(agon_search::Forced::LossIn(_)) => -1,
            None => 0,
        }
    }
}

#[test]
fn small_boards_are_played_perfectly_at_one_second() {
    for variant in ["breakthrough:3x5", "breakthrough:5x5"] {
        let stage = Stage::new("engine");
        let mut truth = Truth::new(&*open(&variant.parse().unwrap()).unwrap());
        for role in ["white", "black"] {
            let dialect = Dialect::Base;
            let contest =
                Contest { stage: &stage, dialect, variant, role, clock: 1, steps: 12, seed: 2 };
            contest.play(&mut |table, mv| {
                let best = truth.of(table);
                let mut after = table.fork();
                after.play(mv).unwrap();
                assert_eq!(-truth.of(&*after), best, "{mv} in {}", table.position());
            });
        }
    }
}
