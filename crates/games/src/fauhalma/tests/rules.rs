//! Rules that the vectors do not cover.

use agon_core::scene::RegionKind;
use agon_core::{
    Draw, Game, Hints, MoveList, Notation, Outcome, Progress, Reason, Rng, Seat, Status, Which,
};

use super::{A, B, C, star2, star3};
use crate::fauhalma::board::{STAR, Set, Space};
use crate::fauhalma::{Fauhalma, Standing};

fn read3(text: &str) -> Fauhalma<3> {
    star3().read_position(text).unwrap_or_else(|error| panic!("{error}"))
}

fn read2(text: &str) -> Fauhalma<2> {
    star2().read_position(text).unwrap_or_else(|error| panic!("{error}"))
}

fn play<const SEATS: usize>(position: &mut Fauhalma<SEATS>, path: &str) -> Progress {
    let mv = position.read_move(path).unwrap_or_else(|error| panic!("{error}"));
    position.play(mv)
}

fn result<const SEATS: usize>(position: &Fauhalma<SEATS>) -> (Vec<u8>, &'static str) {
    let outcome: Outcome = position.status().outcome().expect("a finished game");
    let Reason::Text(reason) = outcome.reason() else { panic!("a reason in words") };
    (outcome.points().as_slice().to_vec(), reason)
}

/// A and C seal the corner that B has not left yet, except for a gap that C is about to close.
const NEARLY_SEALED: &str = r#"{"A":[[2,0],[1,1],[0,2],[-1,3],[1,0],[0,1]],
    "B":[[3,3],[2,3],[3,2],[1,3],[2,2],[3,1]],
    "C":[[3,0],[2,1],[1,2],[3,-1],[-1,4],[-4,1]],"turn":"C"}"#;

/// Positions in which B soon has no move, or has none on its next turn unless A makes room.
pub(super) fn nearly_stuck() -> Vec<String> {
    let sealed = NEARLY_SEALED.replace("[-1,4]", "[0,3]").replace(r#""turn":"C""#, r#""turn":"A""#);
    vec![NEARLY_SEALED.to_string(), sealed]
}

/// B has no move after these two.
fn sealed() -> Fauhalma<3> {
    let mut position = read3(NEARLY_SEALED);
    assert_eq!(play(&mut position, "[[-1,4],[0,3]]"), Progress::Reversible);
    assert_eq!(position.to_move(), Some(A));
    assert_eq!(play(&mut position, "[[1,0],[1,-1]]"), Progress::Irreversible);
    position
}

#[test]
fn a_swap_can_finish_the_opponent_who_then_wins() {
    let mut position = read2(
        r#"{"A":[[1,-4],[1,-3],[1,-1],[0,1],[-1,3],[-2,1]],
            "B":[[2,-5],[2,-4],[3,-6],[3,-5],[3,-4],[-1,4]],"turn":"A"}"#,
    );
    let progress = play(&mut position, "[[1,-4],[1,-2],[1,0],[-1,2],[-1,4]]");
    assert_eq!(progress, Progress::Irreversible);
    assert_eq!(result(&position), (vec![0, 100], "B came home first"));
    assert!(position.moves().is_empty());
}

const ONE_SWAP_FROM_TWO_HOMES: &str = r#"{"A":[[-3,6],[-2,5],[-3,4],[-2,4],[-1,4],[-3,-1]],
    "B":[[-3,5],[-3,-3],[-2,-3],[-3,-2],[-1,-3],[-2,-2]],
    "C":[[-3,0],[-3,2],[-4,2],[-5,2],[-5,3],[-6,3]],"turn":"A"}"#;

#[test]
fn of_two_who_finish_at_once_the_mover_is_first() {
    let mut position = read3(ONE_SWAP_FROM_TWO_HOMES);
    let path = "[[-3,-1],[-3,1],[-3,3],[-3,5]]";
    play(&mut position, path);
    assert_eq!(result(&position), (vec![100, 50, 0], "A came home first, B second"));
    assert!(!position.position_text().contains("finished"));

    let mut turned = read3(ONE_SWAP_FROM_TWO_HOMES).seen_by(B);
    assert_eq!(turned.to_move(), Some(C));
    let mv = read3(ONE_SWAP_FROM_TWO_HOMES).read_move(path).unwrap();
    turned.play(Fauhalma::<3>::move_seen_by(B, mv));
    assert_eq!(result(&turned), (vec![50, 0, 100], "C came home first, A second"));
    let text = turned.position_text();
    assert!(text.contains(r#""turn":"B","finished":["C","A"],"moves":[0,0,1]"#), "{text}");
    assert_eq!(star3().read_position(&text), Ok(turned));
    assert_eq!(star3().read_position(&turned.compact_text()), Ok(turned));
    assert!(turned.compact_text().ends_with(" B - 0,0,1 CA"), "{}", turned.compact_text());
}

#[test]
fn three_players_go_on_for_the_second_place() {
    let mut position = read3(
        r#"{"A":[[-3,6],[-3,5],[-2,5],[-3,4],[-2,4],[-1,3]],
            "B":[[-3,-3],[-2,-3],[-3,-2],[-1,-3],[-2,-2],[-3,0]],
            "C":[[-6,3],[-5,3],[-5,2],[-4,3],[-4,2],[-4,1]],"turn":"A"}"#,
    );
    assert_eq!(play(&mut position, "[[-1,3],[-1,4]]"), Progress::Irreversible);
    assert_eq!(position.to_move(), Some(B));
    assert_eq!(play(&mut position, "[[-3,0],[-2,0]]"), Progress::Reversible);
    play(&mut position, "[[-4,1],[-3,1]]");
    assert_eq!(position.to_move(), Some(B), "A is home and skipped");
    play(&mut position, "[[-2,0],[-3,0]]");
    play(&mut position, "[[-3,1],[-2,1]]");
    assert_eq!(play(&mut position, "[[-3,0],[-3,-1]]"), Progress::Irreversible);
    assert_eq!(result(&position), (vec![100, 50, 0], "A came home first, B second"));
    let text = position.position_text();
    assert!(text.ends_with(r#""turn":"C","moves":[1,3,2]}"#), "{text}");
}

#[test]
fn a_stuck_player_of_three_is_out_at_once_and_skipped() {
    let mut position = sealed();
    assert_eq!(position.to_move(), Some(C), "B is stuck");
    let text = position.position_text();
    assert!(text.ends_with(r#""turn":"C","out":["B"],"moves":[1,0,1]}"#), "{text}");
    assert!(position.compact_text().ends_with(" C B 1,0,1"), "{}", position.compact_text());
    assert_eq!(star3().read_position(&position.compact_text()), Ok(position));
    // New room makes no difference: B stays out.
    play(&mut position, "[[3,0],[4,-1]]");
    assert_eq!(position.to_move(), Some(A));
    play(&mut position, "[[1,-1],[1,0]]");
    assert_eq!(position.to_move(), Some(C));
}

#[test]
fn a_stuck_player_loses_a_game_of_two() {
    // Six pegs are too few to seal a corner: A gets as many as it takes.
    let corner: Set = star2().pegs[B.index()];
    let wall = [(-3, 3), (-2, 3), (-1, 3), (0, 3), (-3, 2), (-2, 2), (-1, 2), (0, 2), (1, 1)];
    let square = |(x, y)| STAR.square(Space::new(x, y)).unwrap();
    let mut position =
        Fauhalma { pegs: [wall.map(square).into_iter().collect(), corner], ..star2() }.with_key();
    assert_eq!(play(&mut position, "[[1,1],[1,2]]"), Progress::Irreversible);
    assert_eq!(result(&position), (vec![100, 0], "B could not move"));
    assert_eq!(position, position.with_key());
}

#[test]
fn an_out_player_stays_out_though_a_swap_fills_its_home() {
    let text = ONE_SWAP_FROM_TWO_HOMES.replace(r#""turn":"A""#, r#""turn":"A","out":["B"]"#);
    let mut position = read3(&text.replace("[-2,5]", "[-2,3]"));
    play(&mut position, "[[-3,-1],[-3,1],[-3,3],[-3,5]]");
    assert_eq!(position.pegs[B.index()], Fauhalma::<3>::HOMES[B.index()]);
    assert_eq!(position.standings[B.index()], Standing::Out { after: 0 });
    assert_eq!(position.to_move(), Some(C));
    play(&mut position, "[[-3,0],[-2,0]]");
    play(&mut position, "[[-2,3],[-2,2]]");
    assert_eq!(position.to_move(), Some(C));

    let mut position = read3(&text);
    play(&mut position, "[[-3,-1],[-3,1],[-3,3],[-3,5]]");
    assert_eq!(result(&position), (vec![100, 0, 50], "A came home and B could not move"));
}

#[test]
fn places_are_shared_where_the_limit_stops_the_game() {
    let start = Fauhalma::<2>::start(&STAR, 2);
    let mut position = start;
    for path in ["[[1,-4],[1,-3]]", "[[-1,4],[-1,3]]", "[[1,-3],[1,-4]]"] {
        assert!(position.to_move().is_some());
        play(&mut position, path);
    }
    let reason = "a player has made as many moves as the limit allows";
    assert_eq!(result(&position), (vec![50, 50], reason));
    assert_eq!(position.counters(), 2 << 16 | 1);
    assert_eq!(start.read_position(&position.position_text()), Ok(position));

    let stopped = |fields: &str| {
        let text = star3().position_text();
        let text = text.replace(r#""turn":"A""#, &format!(r#""turn":"A",{fields}"#));
        result(&read3(&text))
    };
    assert_eq!(stopped(r#""moves":900"#), (vec![50, 50, 50], reason));
    assert_eq!(stopped(r#""moves":[1,300,2]"#), (vec![50, 50, 50], reason));
    assert_eq!(stopped(r#""out":["B"],"moves":[1,300,2]"#), (vec![75, 0, 75], reason));
    let out_first = stopped(r#""out":["B","A"]"#);
    assert_eq!(out_first, (vec![50, 0, 100], "B could not move, then A could not"));
    let home = read3(
        r#"{"A":[[-3,6],[-3,5],[-2,5],[-3,4],[-2,4],[-1,4]],"moves":[300,299,299],
            "B":[[3,3],[2,3],[3,2],[1,3],[2,2],[3,1]],
            "C":[[-6,3],[-5,3],[-5,2],[-4,3],[-4,2],[-4,1]]}"#,
    );
    assert_eq!(result(&home), (vec![100, 25, 25], reason));
}

#[test]
fn a_player_stuck_in_a_text_is_out_when_it_is_read() {
    let position = sealed();
    let text = position.position_text().replace(r#""turn":"C","out":["B"]"#, r#""turn":"B""#);
    assert!(!text.contains("out"));
    assert_eq!(read3(&text), position);
}

#[test]
fn noisy_moves_are_swaps_and_the_last_step_home() {
    let noisy = |position: &Fauhalma<3>| {
        let mut list = MoveList::new();
        let _ = position.generate(Which::Noisy, &mut list);
        list.iter().map(|&mv| position.move_text(mv)).collect::<Vec<_>>()
    };
    assert!(noisy(&star3()).is_empty());
    let swap = read3(ONE_SWAP_FROM_TWO_HOMES);
    assert!(noisy(&swap).contains(&"[[-3,-1],[-3,1],[-3,3],[-3,5]]".to_string()));
    let text = ONE_SWAP_FROM_TWO_HOMES.replace("[-3,5]", "[0,-1]").replace("[-3,-1]", "[-4,5]");
    let text = text.replace("[-4,5]", "[-3,3]");
    assert_eq!(noisy(&read3(&text)), ["[[-3,3],[-3,5]]"]);
}

#[test]
fn the_drawing_shows_homes_routes_and_swaps() {
    let scene = star3().scene();
    assert_eq!((scene.cells.len(), scene.pieces.len(), scene.regions.len()), (73, 18, 4));
    let centre = &scene.cells[scene.regions[3].cells[0]];
    assert_eq!(scene.regions[3].kind, RegionKind::Blocked);
    assert_eq!((centre.name.as_str(), centre.x, centre.y), ("0,0", 0.0, 0.0));
    let tip = scene.cells.iter().find(|cell| cell.name == "-3,6").unwrap();
    assert!(tip.x == 0.0 && (tip.y - 27f32.sqrt()).abs() < 1e-5);
    let owners: Vec<Option<Seat>> = scene.regions.iter().map(|region| region.owner).collect();
    assert_eq!(owners, [Some(A), Some(B), Some(C), None]);

    let position = read3(ONE_SWAP_FROM_TWO_HOMES);
    let names = position.scene().cells;
    let mv = position.read_move("[[-3,-1],[-3,1],[-3,3],[-3,5]]").unwrap();
    let trace = position.trace(mv);
    let route: Vec<&str> = trace.routes[0].iter().map(|&cell| names[cell].name.as_str()).collect();
    assert_eq!(route, ["-3,-1", "-3,1", "-3,3", "-3,5"]);
    assert_eq!(trace.carries, [(trace.routes[0][3], trace.routes[0][0])]);
    assert!(trace.removes.is_empty());
}

#[test]
fn a_finished_game_is_over_in_every_way() {
    let position = read3(
        r#"{"A":[[-3,6],[-3,5],[-2,5],[-3,4],[-2,4],[-1,4]],
            "B":[[-3,-3],[-2,-3],[-3,-2],[-1,-3],[-2,-2],[-3,-1]],
            "C":[[6,-3],[5,-3],[5,-2],[4,-3],[4,-2],[4,-1]],"turn":"C"}"#,
    );
    assert!(matches!(position.status(), Status::Over(_)));
    assert_eq!(result(&position), (vec![100, 50, 0], "A came home first, B second"));
    let error = position.read_move("[[-3,4],[-3,3]]").unwrap_err();
    assert_eq!(error.expected(), "no move: the game is over");
    assert!(!position.is_legal(star3().moves()[0]));
}

#[test]
fn a_place_that_is_secured_is_what_the_player_gets() {
    let (mut rng, mut scratch) = (Rng::new(3), MoveList::new());
    let apart = ONE_SWAP_FROM_TWO_HOMES.replace("[-3,5]", "[0,-1]").replace("[-3,-1]", "[-3,3]");
    let starts = [sealed(), read3(&apart), read3(&apart.replace("[-3,3]", "[-3,5]"))];
    let mut secured = 0;
    for mut position in starts.repeat(4) {
        let mut known = [None; 3];
        while position.to_move().is_some() {
            for seat in Seat::all(3) {
                let (before, now) = (known[seat.index()], position.secured(seat));
                assert!(before.is_none() || before == now, "{before:?} {now:?}");
                known[seat.index()] = now;
            }
            position.play(position.sample(&mut rng, &mut scratch).unwrap());
        }
        for (seat, &got) in position.outcome().unwrap().points().iter() {
            assert!(known[seat.index()].is_none_or(|promised| promised == got));
            secured += usize::from(known[seat.index()].is_some());
        }
    }
    assert!(secured >= 8, "{secured}");
}

#[test]
fn who_plays_on_for_the_second_place_is_told_so() {
    let scenario =
        crate::Catalog::built_in().scenarios(&"fauhalma:star3".parse().unwrap()).unwrap();
    let second = scenario.iter().find(|scenario| scenario.name == "the second place").unwrap();
    let mut table =
        second.open(&crate::Catalog::built_in(), &"fauhalma:star3".parse().unwrap()).unwrap();
    let told = table.guide();
    assert_eq!(told.as_deref(), Some("A is home. You play on for the second place."));
    assert!(table.undo());
    assert_eq!(table.guide(), None);
}

#[test]
fn a_lone_peg_can_move_wherever_it_stands() {
    // From some corners of the star only in one of two opposite directions.
    for at in STAR.spaces {
        let position = Fauhalma { pegs: [at.into(), Set::EMPTY], ..star2() };
        assert!(position.can_move(A), "{at:?}");
    }
}
