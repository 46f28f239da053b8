use agon_core::Rng;
use agon_core::scene::{Cell, Piece};
use agon_games::open;

use super::*;

/// A king that can capture three pieces in either direction: each route's end is the other's first
/// stop.
const KING_IN_A_RING: &str = "8/8/2Ks4/2s1s3/3s4/8/7k 30 0 w 00";
/// A monkey that may stop after every jump.
const MONKEY: &str = "3l3/7/7/7/2pp3/1Mp4/3L3 w 0";

fn entry(variant: &str, position: Option<&str>) -> Entry {
    let mut table = open(&variant.parse().unwrap()).unwrap();
    if let Some(position) = position {
        table.set_position(position).unwrap();
    }
    Entry::new(&*table)
}

fn cell(entry: &Entry, name: &str) -> CellId {
    entry.scene.cells.iter().position(|cell| cell.name == name).unwrap()
}

fn touch(entry: &mut Entry, name: &str, intent: Intent) -> Touched {
    entry.touch(cell(entry, name), intent)
}

/// Selects these cells one after the other, to arrive.
fn touch_all(entry: &mut Entry, names: &str) -> Touched {
    let mut last = Touched::Noted;
    for name in names.split(' ') {
        last = touch(entry, name, Intent::Arrive);
    }
    last
}

fn names(entry: &Entry, cells: impl IntoIterator<Item = CellId>) -> Vec<&str> {
    cells.into_iter().map(|cell| entry.name(cell)).collect()
}

fn texts(entry: &Entry, touched: Touched) -> Vec<&str> {
    let Touched::Several(moves) = touched else { panic!("{touched:?} is not several") };
    moves.into_iter().map(|number| entry.candidates[number].text.as_str()).collect()
}

fn complaint(touched: Touched) -> String {
    let Touched::Wrong(why) = touched else { panic!("{touched:?} is not wrong") };
    why
}

#[test]
fn a_step_is_a_piece_and_a_target() {
    let mut entry = entry("breakthrough:5x5", None);
    assert_eq!(names(&entry, entry.next_stops()), ["a2", "b2", "c2", "d2", "e2"]);
    assert!(entry.ends().is_empty(), "nothing is started");
    assert_eq!(touch_all(&mut entry, "b2"), Touched::Noted);
    assert_eq!(names(&entry, entry.ends()), ["b3"]);
    assert_eq!(touch_all(&mut entry, "b3"), Touched::Move("b2b3".into()));
}

#[test]
fn another_piece_can_be_chosen_and_the_same_one_put_down() {
    let mut entry = entry("breakthrough:5x5", None);
    assert_eq!(touch_all(&mut entry, "b2 c2"), Touched::Noted);
    assert_eq!(names(&entry, entry.stops().to_vec()), ["c2"]);
    assert_eq!(touch_all(&mut entry, "c2"), Touched::Dropped);
    assert!(entry.stops().is_empty() && !entry.step_back());
}

#[test]
fn a_chain_goes_stop_by_stop_or_by_its_end() {
    let ring = "8/1Ks5/2g5/2s1s3/5s2/8/7k 20 0 w 00";
    let mut by_end = entry("fenix", Some(ring));
    let chain = by_end.candidates[0].trace.routes[0].clone();
    assert!(chain.len() > 4, "{chain:?}");
    let whole = Touched::Move("b6f2xc4,c5,c6,e4,f3".into());
    assert_eq!(touch_all(&mut by_end, "b6 f2"), whole);
    let mut by_stops = entry("fenix", Some(ring));
    for stop in &chain[..chain.len() - 1] {
        assert_eq!(by_stops.touch(*stop, Intent::Arrive), Touched::Noted);
    }
    assert_eq!(by_stops.stops(), &chain[..chain.len() - 1]);
    assert_eq!(by_stops.touch(chain[chain.len() - 1], Intent::Arrive), whole);
}

#[test]
fn where_a_chain_may_end_one_can_also_pass() {
    let mut monkey = entry("congo", Some(MONKEY));
    touch_all(&mut monkey, "b2");
    assert_eq!(touch(&mut monkey, "d2", Intent::PassThrough), Touched::Noted);
    assert_eq!(names(&monkey, monkey.next_stops()), ["b4", "d4"]);
    assert_eq!(touch_all(&mut monkey, "d4"), Touched::Move("b2d2d4".into()));
    assert_eq!(touch(&mut monkey, "d4", Intent::PassThrough), Touched::Noted);
    assert_eq!(touch_all(&mut monkey, "d4"), Touched::Move("b2d2d4".into()), "done here");
    assert_eq!(touch_all(&mut monkey, "b2"), Touched::Move("b2d2d4b2".into()), "or home again");
    assert!(monkey.step_back());
    assert_eq!(names(&monkey, monkey.stops().to_vec()), ["b2", "d2"]);
}

#[test]
fn different_moves_to_one_cell_are_a_choice() {
    let mut monkey = entry("congo", Some(MONKEY));
    let touched = touch_all(&mut monkey, "b2 d4");
    assert_eq!(texts(&monkey, touched), ["b2d4", "b2d2d4"], "the direct route first");
    let mut king = entry("fenix", Some(KING_IN_A_RING));
    let touched = touch_all(&mut king, "c5 e5");
    assert_eq!(texts(&king, touched), ["c5e5xc4,d3,e4", "c5c3xd3,d5,e4"]);
    assert_eq!(touch(&mut king, "e5", Intent::PassThrough), Touched::Noted);
    assert_eq!(touch_all(&mut king, "c3"), Touched::Move("c5c3xd3,d5,e4".into()));
}

#[test]
fn routes_of_one_move_are_no_choice() {
    // Two routes around the same peg are the same move: selecting its end must not ask.
    let mut rng = Rng::new(4);
    let mut table = open(&"fauhalma:star3".parse().unwrap()).unwrap();
    let mut seen = false;
    for _ in 0..60 {
        let fresh = Entry::new(&*table);
        for candidate in &fresh.candidates {
            seen |= candidate.trace.routes.len() > 1;
            let route = &candidate.trace.routes[0];
            let mut entry = Entry::new(&*table);
            entry.touch(route[0], Intent::Arrive);
            let touched = entry.touch(route[route.len() - 1], Intent::Arrive);
            assert_eq!(touched, Touched::Move(candidate.text.clone()));
        }
        let mv = table.random_move(&mut rng).unwrap();
        table.play(&mv).unwrap();
    }
    assert!(seen, "no move with several routes came up");
}

#[test]
fn what_is_not_legal_is_explained() {
    let mut start = entry("breakthrough:5x5", None);
    assert_eq!(complaint(touch_all(&mut start, "c3")), "no piece to move on c3");
    assert_eq!(complaint(touch_all(&mut start, "c1")), "the pawn on c1 has no move");
    let theirs = complaint(touch_all(&mut start, "c4"));
    assert_eq!(theirs, "the pawn on c4 is black's; it is white's turn");
    assert_eq!(complaint(touch_all(&mut start, "c2 d3")), "no move from c2 to d3");
    assert_eq!(names(&start, start.stops().to_vec()), ["c2"], "still chosen");
}

#[test]
fn a_mandatory_capture_is_named_with_the_pieces_that_can_make_it() {
    let mut two = entry("fenix", Some("K6k/8/3g4/3S4/8/8/Ss1s4 30 0 w 00"));
    assert_eq!(complaint(touch_all(&mut two, "a7")), "you must capture: a1, d4");
    let mut three = entry("fenix", Some(KING_IN_A_RING));
    assert_eq!(complaint(touch_all(&mut three, "c5 b5")), "you must capture 3: c5");
    touch(&mut three, "e5", Intent::PassThrough);
    assert_eq!(complaint(touch_all(&mut three, "e5")), "the move does not end on e5 yet");
}

#[test]
fn nothing_can_be_entered_when_the_game_is_over() {
    let mut table = open(&"breakthrough:3x4".parse().unwrap()).unwrap();
    for mv in ["a2b3", "c3b2", "b3a4"] {
        table.play(mv).unwrap();
    }
    let mut over = Entry::new(&*table);
    assert!(over.next_stops().is_empty());
    assert_eq!(complaint(touch_all(&mut over, "a4")), "the game is over");
}

/// A knight on a1 may move to c1; a knight may be placed on a1, a knight or a pawn on b1.
fn drops() -> Entry {
    let cell = |(x, name): (usize, &str)| Cell { name: name.into(), x: x as f32, y: 0.0 };
    let cells = ["a1", "b1", "c1"].into_iter().enumerate().map(cell).collect();
    let knight =
        Piece { cell: 0, owner: Seat::FIRST, letter: 'N', name: "knight".into(), height: 1 };
    let candidate = |text: &str, route: &[CellId], places| Candidate {
        text: text.into(),
        trace: Trace { routes: vec![route.to_vec()], places, ..Trace::default() },
    };
    Entry {
        scene: Scene { cells, pieces: vec![knight], ..Scene::default() },
        mover: Some(Seat::FIRST),
        names: vec!["white".to_string(), "black".to_string()],
        candidates: vec![
            candidate("a1c1", &[0, 2], None),
            candidate("N@a1", &[0], Some('N')),
            candidate("N@b1", &[1], Some('N')),
            candidate("P@b1", &[1], Some('P')),
        ],
        stops: Vec::new(),
    }
}

#[test]
fn a_cell_is_all_it_takes_to_place_a_piece() {
    let mut start = entry("connect4", None);
    for row in 1..=6 {
        let touched = touch(&mut start, &format!("{row},3"), Intent::Arrive);
        assert_eq!(touched, Touched::Move("3".into()), "row {row}");
    }
    let landings: Vec<String> = (1..=7).map(|column| format!("1,{column}")).collect();
    assert_eq!(names(&start, start.next_stops()), landings, "not the rest of the columns");
    let third = cell(&start, "5,3");
    assert_eq!(names(&start, start.landings(Some(third))), ["1,3"]);
}

#[test]
fn different_pieces_for_a_cell_are_a_choice() {
    let mut entry = drops();
    let touched = touch_all(&mut entry, "b1");
    assert_eq!(texts(&entry, touched), ["N@b1", "P@b1"]);
    assert_eq!(names(&entry, entry.next_stops()), ["a1", "b1"]);
}

#[test]
fn where_a_piece_can_be_placed_and_another_moved_both_can_be_entered() {
    let mut entry = drops();
    assert_eq!(touch_all(&mut entry, "a1"), Touched::Noted);
    assert!(entry.may_place_here());
    assert_eq!(touch_all(&mut entry, "c1"), Touched::Move("a1c1".into()));
    assert_eq!(touch_all(&mut entry, "a1"), Touched::Move("N@a1".into()));
    // A piece that was selected does not stand in the way of placing another.
    touch_all(&mut entry, "a1");
    let touched = touch_all(&mut entry, "b1");
    assert_eq!(texts(&entry, touched), ["N@b1", "P@b1"]);
    assert_eq!(complaint(touch_all(&mut entry, "c1")), "nothing can be placed on c1");
}

#[test]
fn a_full_column_takes_nothing() {
    let mut full = entry("connect4:5x4", Some("O4/X4/O4/X4 x"));
    assert_eq!(complaint(touch_all(&mut full, "4,1")), "nothing can be placed on 4,1");
    assert_eq!(complaint(touch_all(&mut full, "1,1")), "nothing can be placed on 1,1");
    assert_eq!(touch_all(&mut full, "1,2"), Touched::Move("2".into()));
}
