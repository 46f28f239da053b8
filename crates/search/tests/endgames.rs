//! Endgame tables in searches: they agree with a solver that knows nothing of them, and who has them
//! wins what is won.

use std::any::Any;
use std::ops::ControlFlow::Continue;
use std::sync::Arc;

use agon_core::{
    Foreseen, Game as _, Hints as _, History, Notation as _, Progress, Rng, Status, TableBytes,
    Tables, Variant,
};
use agon_games::congo::Congo;
use agon_games::endgame::EndgameFamily;
use agon_games::fenix::Fenix;
use agon_games::{Playable, Visitor, endgames_of, with_game};
use agon_search::at_hand::AtHand;
use agon_search::report::Source;
use agon_search::solver::{Options, Solver, Value};
use agon_search::{Budget, Forced, Root, Score, agents};

/// The soak plays this many times as much, up to a limit.
fn effort() -> u64 {
    std::env::var("AGON_SOAK").ok().and_then(|text| text.parse().ok()).unwrap_or(1)
}

/// These materials; in the soak, all with up to four men.
fn materials(family: &dyn EndgameFamily, few: &[&str]) -> Vec<String> {
    if effort() == 1 {
        return few.iter().map(ToString::to_string).collect();
    }
    let small = (0..family.count()).filter(|&number| family.men(number) <= 4);
    small.map(|number| family.name(number)).collect()
}

/// The tables of these materials and of all that they can turn into.
fn tables(family: &dyn EndgameFamily, materials: &[impl AsRef<str>]) -> Tables {
    let mut tables: Vec<Option<TableBytes>> = vec![None; family.count()];
    for name in materials {
        let number = family.read(name.as_ref()).unwrap();
        for needed in family.needs(number).into_iter().chain([number]) {
            if tables[needed].is_none() {
                let known = Tables::default().with_endgames(tables.clone(), 5);
                let table = family.build(needed, &known, 2, &mut |_| Continue(())).unwrap();
                tables[needed] = Some(Arc::new(table));
            }
        }
    }
    Tables::default().with_endgames(tables, 5)
}

/// The start of a game as its type. The tests are compiled for these types only.
fn start<G: Playable>() -> G {
    struct Start;
    impl Visitor for Start {
        type Output = Box<dyn Any>;
        fn visit<G: Playable>(self, _: Variant, start: G) -> Box<dyn Any> {
            Box::new(start)
        }
    }
    let mut starts =
        ["congo", "fenix"].map(|game| with_game(&game.parse().unwrap(), Start).unwrap());
    let mut found = starts.iter_mut().filter_map(|start| start.downcast_mut::<G>());
    found.next().unwrap().clone()
}

/// A random position with the men of a material, such as `LG-LE`, as the game's own text; not every
/// one can be read.
fn random_text(game: &str, material: &str, rng: &mut Rng) -> String {
    let (width, height) = if game == "congo" { (7, 7) } else { (8, 7) };
    let mut board = vec![vec!['1'; width]; height];
    for (side, men) in material.split('-').enumerate() {
        for letter in men.chars() {
            let letter = if side == 0 { letter } else { letter.to_ascii_lowercase() };
            loop {
                // Lions live in their castles.
                let (row, column) = match letter {
                    'L' => (4 + rng.below(3), 2 + rng.below(3)),
                    'l' => (rng.below(3), 2 + rng.below(3)),
                    'P' => (1 + rng.below(6), rng.below(7)),
                    'p' => (rng.below(6), rng.below(7)),
                    _ => (rng.below(height as u64), rng.below(width as u64)),
                };
                let place = &mut board[row as usize][column as usize];
                if *place == '1' {
                    *place = letter;
                    break;
                }
            }
        }
    }
    let rows: Vec<String> = board.iter().map(|row| row.iter().collect()).collect();
    let (mut rows, second) = (rows.join("/"), rng.below(2) == 1);
    for run in (2..=width).rev() {
        rows = rows.replace(&"1".repeat(run), &run.to_string());
    }
    match (game, second) {
        ("congo", false) => format!("{rows} w 0"),
        ("congo", true) => format!("{rows} b 0"),
        (_, false) => format!("{rows} 20 0 w 00"),
        (_, true) => format!("{rows} 21 0 b 00"),
    }
}

/// Compares tables with the solver on random positions, and returns how many could be compared.
fn compare<G: Playable>(game: &str, materials: &[&str], each: u64) -> u64 {
    let start = start::<G>();
    let tables = tables(endgames_of(game).unwrap(), materials);
    let mut rng = Rng::new(17);
    let mut compared = 0;
    for material in materials {
        let mut solver = Solver::new(&Options { hash_mib: 2048, threads: 1 }).unwrap();
        for _ in 0..each {
            let text = random_text(game, material, &mut rng);
            let position = start.read_position(&text).unwrap();
            let history = History::new(&position);
            let root = Root { position: &position, history: &history };
            let known = position.tabled(&tables).unwrap_or_else(|| panic!("{text} not known"));
            let solution = solver.solve(root, &Budget::default(), &mut |_| {});
            let found = match (solution.value, solution.distance) {
                (Some(Value::Win), Some(plies)) => Foreseen::Win(plies),
                (Some(Value::Loss), Some(plies)) => Foreseen::Loss(plies),
                (Some(Value::Draw), _) => Foreseen::Draw,
                // A rule on the length of games may have ended it.
                _ => continue,
            };
            assert_eq!(known, found, "{text}");
            compared += 1;
        }
    }
    compared
}

#[test]
fn tables_agree_with_a_solver_that_does_not_know_them() {
    let materials = [
        "LC-L", "LG-L", "LS-L", "LP-L", "LC-LZ", "LE-LG", "LM-LS", "LS-LS", "LP-LP", "LZ-LP",
        "LPP-L", "LMZ-L", "LM-LM", "LE-LP", "LCP-L", "LS-LZ", "LG-LM",
    ];
    let each = (6 * effort()).min(60);
    let compared = compare::<Congo>("congo", &materials, each);
    assert_eq!(compared, each * materials.len() as u64);
    let compared = compare::<Fenix>("fenix", &["K-K", "KS-K", "KG-K"], 40);
    assert!(compared > 40, "{compared}");
}

/// Compares tables with a textbook search of a few plies, which finds all that ends within them.
fn compare_short<G: Playable>(game: &str, few: &[&str], each: u64) {
    const PLIES: u32 = 5;
    let start = start::<G>();
    let family = endgames_of(game).unwrap();
    let materials = materials(family, few);
    let tables = tables(family, &materials);
    let spec = format!("alphabeta:depth={PLIES}").parse().unwrap();
    let mut search = agents::build_with(&spec, &start, &AtHand::default(), 0).unwrap();
    let (mut rng, mut ended) = (Rng::new(29), 0);
    for material in &materials {
        for _ in 0..each {
            let text = random_text(game, material, &mut rng);
            let position = start.read_position(&text).unwrap();
            let known = position.tabled(&tables).unwrap_or_else(|| panic!("{text} not known"));
            let history = History::new(&position);
            let root = Root { position: &position, history: &history };
            let choice = search.choose(root, &Budget::default(), &mut |_| {});
            let expected = match known {
                Foreseen::Win(plies) if plies <= PLIES => Some(Forced::WinIn(plies)),
                Foreseen::Loss(plies) if plies <= PLIES => Some(Forced::LossIn(plies)),
                _ => None,
            };
            assert_eq!(choice.score.unwrap().forced(), expected, "{text}");
            ended += u64::from(expected.is_some());
        }
    }
    assert!(ended > 0);
}

/// In four stacks of Fenix there are too many positions for the solver. The soak searches them.
#[test]
fn what_ends_soon_is_found_by_a_short_search_too() {
    let each = (20 * effort()).min(60);
    compare_short::<Congo>("congo", &["LC-L", "LE-LG", "LP-LP"], each);
    compare_short::<Fenix>("fenix", &["KG-K", "KS-K"], each);
}

/// Plays random won positions to the end, with tables against an engine without.
fn win<G: Playable>(game: &str, few: &[&str], count: u64) {
    let start = start::<G>();
    let family = endgames_of(game).unwrap();
    let materials = materials(family, few);
    let tables = tables(family, &materials);
    let spec = "engine:hash=1".parse().unwrap();
    let mut winner = agents::build_with(&spec, &start, &tables.clone().into(), 1).unwrap();
    let mut loser = agents::build_with(&spec, &start, &AtHand::default(), 2).unwrap();
    let (mut rng, mut won) = (Rng::new(23), 0);
    while won < count {
        let material = &materials[won as usize % materials.len()];
        let text = random_text(game, material, &mut rng);
        let position = start.read_position(&text).unwrap();
        let Some(Foreseen::Win(plies)) = position.tabled(&tables) else { continue };
        if position.plies_to_draw().is_some_and(|left| plies >= left) {
            continue;
        }
        let (mut now, mut history) = (position.clone(), History::new(&position));
        let me = position.to_move().unwrap();
        let mut played = 0;
        let outcome = loop {
            let seat = match history.turn(&now) {
                Ok(seat) => seat,
                Err(ended) => break ended.outcome,
            };
            let root = Root { position: &now, history: &history };
            let player = if seat == me { &mut winner } else { &mut loser };
            let choice = player.choose(root, &Budget::nodes(300), &mut |_| {});
            // A right that lasts for one ply is not in the tables.
            if seat == me && now.tabled(&tables).is_some() {
                let left = plies - played;
                assert_eq!(choice.statistics.source, Source::Table, "{text}");
                let claimed = choice.score.unwrap().forced();
                let within = matches!(claimed, Some(Forced::WinIn(n)) if n <= left);
                assert!(within, "{text}: {claimed:?} with {left} plies left");
            }
            let progress = now.play(choice.mv);
            history.push(&now, progress);
            played += 1;
        };
        assert_eq!(outcome.winner(), Some(me), "{text}");
        assert!(played <= plies, "{text} took {played} plies instead of {plies}");
        won += 1;
    }
}

/// The soak plays 2,000 positions of each game.
#[test]
fn what_is_won_is_won_within_the_distance() {
    let count = (60 * effort()).min(2000);
    let materials = ["LC-LZ", "LE-LG", "LP-L", "LZ-L", "LPP-L", "LP-LP", "LM-LS", "LS-LP"];
    win::<Congo>("congo", &materials, count);
    win::<Fenix>("fenix", &["KG-K", "KS-K"], count);
}

#[test]
fn a_win_that_the_game_has_no_time_for_is_not_claimed() {
    let start = start::<Congo>();
    let tables = tables(endgames_of("congo").unwrap(), &["LC-LZ"]);
    let position = start.read_position("3l3/7/7/6z/7/2L4/4C2 w 0").unwrap();
    assert_eq!(position.tabled(&tables), Some(Foreseen::Win(43)));
    let mut engine =
        agents::build_with(&"engine".parse().unwrap(), &position, &tables.clone().into(), 0)
            .unwrap();
    let mut solver = Solver::new(&Options::default()).unwrap().with_tables(&tables);
    let mut history = History::new(&position);
    for ply in 0..200 {
        let root = Root { position: &position, history: &history };
        if [0, 156, 157, 158, 190].contains(&ply) {
            let choice = engine.choose(root, &Budget::nodes(2000), &mut |_| {});
            let solution = solver.solve(root, &Budget::nodes(1), &mut |_| {});
            let in_time = ply + 43 <= 200;
            let score = if in_time { Score::win_in(43) } else { Score::DRAW };
            assert_eq!(choice.score, Some(score), "after {ply} plies");
            let value = if in_time { Value::Win } else { Value::Draw };
            assert_eq!(solution.value, Some(value), "after {ply} plies");
            assert_eq!(solution.distance, in_time.then_some(43));
            // The quickest win is still the best try.
            assert_eq!(position.move_text(choice.mv), "e1e4");
        }
        history.push(&position, Progress::Irreversible);
    }
}

#[test]
fn a_won_endgame_is_not_repeated_into_a_draw() {
    let start = start::<Congo>();
    let tables = tables(endgames_of("congo").unwrap(), &["LG-L"]);
    let position = start.read_position("7/7/2l4/2G4/7/7/2L4 w 0").unwrap();
    let after = |mv| {
        let mut after = position;
        after.play(mv);
        after
    };
    let mut engine =
        agents::build_with(&"engine".parse().unwrap(), &position, &tables.clone().into(), 0)
            .unwrap();
    let fresh = History::new(&position);
    let root = Root { position: &position, history: &fresh };
    let best = engine.choose(root, &Budget::nodes(2000), &mut |_| {}).mv;
    // Once more would be the third time.
    let mut history = History::new(&after(best));
    history.push(&after(best), Progress::Reversible);
    history.push(&position, Progress::Reversible);
    let root = Root { position: &position, history: &history };
    let choice = engine.choose(root, &Budget::nodes(2000), &mut |_| {});
    assert_ne!(choice.mv, best, "it would be a draw");
    let reply = after(choice.mv);
    assert!(matches!(reply.tabled(&tables), Some(Foreseen::Loss(_))), "still won");
    // The solver does not claim a win that may lead through such positions.
    let mut solver = Solver::new(&Options::default()).unwrap().with_tables(&tables);
    let solution = solver.solve(root, &Budget::nodes(1), &mut |_| {});
    assert_eq!(solution.value, None);
}

#[test]
fn a_win_that_the_fifty_ply_rule_may_prevent_is_not_claimed() {
    let start = start::<Fenix>();
    let tables = tables(endgames_of("fenix").unwrap(), &["KG-K"]);
    let read =
        |quiet: u32| start.read_position(&format!("8/8/8/8/8/G6k/K7 62 {quiet} w 00")).unwrap();
    for (quiet, is_claimed) in [(0, true), (16, true), (17, false), (40, false)] {
        let position = read(quiet);
        assert_eq!(position.tabled(&tables), Some(Foreseen::Win(33)));
        let history = History::new(&position);
        let root = Root { position: &position, history: &history };
        let mut engine =
            agents::build_with(&"engine".parse().unwrap(), &position, &tables.clone().into(), 0)
                .unwrap();
        let choice = engine.choose(root, &Budget::nodes(2000), &mut |_| {});
        let is_win = choice.score.is_some_and(|score| score.forced().is_some());
        assert_eq!(is_win, is_claimed, "{quiet} quiet plies");
        let source = if is_claimed { Source::Table } else { Source::Search };
        assert_eq!(choice.statistics.source, source);
        let mut after = position;
        after.play(choice.mv);
        assert_eq!(after.tabled(&tables), Some(Foreseen::Loss(32)), "the best try");
    }
}

#[test]
fn a_draw_is_known_and_still_played_for_a_win() {
    let start = start::<Fenix>();
    let tables = tables(endgames_of("fenix").unwrap(), &["KS-K"]);
    let mut rng = Rng::new(5);
    let mut drawn = 0;
    while drawn < 20 {
        let text = random_text("fenix", "KS-K", &mut rng);
        let position = start.read_position(&text).unwrap();
        if position.tabled(&tables) != Some(Foreseen::Draw) {
            continue;
        }
        drawn += 1;
        let history = History::new(&position);
        let root = Root { position: &position, history: &history };
        for (spec, source) in [("engine", Source::Table), ("engine:tablebase=off", Source::Search)]
        {
            let mut engine =
                agents::build_with(&spec.parse().unwrap(), &position, &tables.clone().into(), 0)
                    .unwrap();
            let choice = engine.choose(root, &Budget::nodes(500), &mut |_| {});
            assert_eq!(choice.statistics.source, source);
            if source == Source::Table {
                assert_eq!(choice.score, Some(Score::DRAW), "{text}");
                let mut after = position;
                after.play(choice.mv);
                let over = matches!(after.status(), Status::Over(_));
                assert!(over || after.tabled(&tables) != Some(Foreseen::Win(1)), "{text}");
            }
        }
    }
}
