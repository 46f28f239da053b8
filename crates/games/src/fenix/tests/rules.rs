//! The rules, one by one.

use agon_core::{Draw, Game, Notation, Progress, Reason};

use super::super::notation::square_name;
use super::super::{Fenix, naive};
use super::{FIGURE_2, FIGURE_4, move_texts, read, table};
use crate::Table;
use crate::battery::Naive;

fn ended(table: &dyn Table) -> (&'static str, Vec<u8>) {
    let outcome = table.outcome().expect("the game is over");
    assert!(table.moves().is_empty());
    let Reason::Text(reason) = outcome.reason() else { panic!("a reason in words") };
    (reason, outcome.points().as_slice().to_vec())
}

#[test]
fn only_the_captures_of_most_units_are_legal_whatever_their_number_of_pieces() {
    assert_eq!(table(FIGURE_4).moves(), ["b6f2xc4,c5,c6,e4,f3"]);
    let tie = table("K6k/8/3g4/3S4/8/8/Ss1s4 30 0 w 00");
    assert_eq!(tie.moves(), ["a1e1xb1,d1", "d4d6xd5"]);
}

#[test]
fn more_captures_than_fit_the_short_list_are_all_found() {
    let text = "Gs6/8/Gs6/8/Gs6/k7/Gs6 30 0 w 00";
    let moves = move_texts(&read(text));
    assert_eq!(moves.len(), 24);
    assert_eq!(moves, naive::Fenix::open(Some(text)).moves());
}

/// These have about eight and ten thousand jumps, more than the simple search tries before it gives
/// up.
#[test]
fn captures_are_all_found_once_where_very_many_chains_lead_to_them() {
    for (text, count) in [
        ("3s4/2s3s1/3s4/1s2s2s/s4s2/2s5/G2s4 10 0 w 00", 42),
        ("8/4s3/2ssss2/2s1s3/2ssss2/1Ks1s3/8 10 0 w 00", 4),
    ] {
        let moves = move_texts(&read(text));
        assert_eq!(moves.len(), count, "{text}");
        assert_eq!(moves, naive::Fenix::open(Some(text)).moves(), "{text}");
    }
}

#[test]
fn a_chain_may_take_a_general_and_the_king_and_gives_both_rights() {
    let mut table = table("8/4K3/3G4/3s4/8/SS6/7k 31 5 b 00");
    assert_eq!(table.moves(), ["d4f6xd5,e6"]);
    table.play("d4f6xd5,e6").unwrap();
    assert_eq!(table.position(), "8/5s2/8/8/8/SS6/7k 32 0 w 11");
    table.play("a2b2").unwrap();
    assert_eq!(ended(&*table), ("red did not resurrect its king", vec![0, 100]));
}

#[test]
fn a_player_who_lost_the_king_loses_even_after_taking_the_other_king() {
    let mut table = table("8/8/3Sk3/SG6/8/8/8 30 0 w 01");
    assert_eq!(table.moves(), ["d5f5xe5"]);
    table.play("d5f5xe5").unwrap();
    assert_eq!(ended(&*table), ("red did not resurrect its king", vec![0, 100]));
}

#[test]
fn a_king_can_be_made_anew_on_the_next_ply_only() {
    let lost = "S6k/SG5s/8/8/8/8/8 30 0 w 01";
    let mut resurrected = table(lost);
    resurrected.play("a6b6").unwrap();
    assert_eq!(resurrected.position(), "S6k/1K5s/8/8/8/8/8 31 1 b 00");
    assert_eq!(resurrected.to_move(), Some("black"));
    let mut missed = table(lost);
    missed.play("b6c6").unwrap();
    assert_eq!(ended(&*missed), ("red did not resurrect its king", vec![0, 100]));
}

#[test]
fn the_right_to_create_is_gone_after_one_ply() {
    let mut table = table("KSS5/8/8/8/8/8/7k 30 0 w 10");
    let creations = |table: &dyn Table| {
        table.moves().into_iter().filter(|mv| mv == "b7c7" || mv == "c7b7").count()
    };
    assert_eq!(creations(&*table), 2);
    table.play("a7a6").unwrap();
    table.play("h1h2").unwrap();
    assert_eq!(creations(&*table), 0);
}

#[test]
fn creations_do_not_reset_the_count_of_quiet_plies() {
    let mut table = table("KSS5/8/8/8/8/8/7k 30 48 w 10");
    table.play("b7c7").unwrap();
    assert_eq!(table.position(), "K1G5/8/8/8/8/8/7k 31 49 b 00");
    table.play("h1h2").unwrap();
    assert_eq!(ended(&*table), ("fifty plies without a capture", vec![50, 50]));
}

#[test]
fn the_fourth_occurrence_of_a_board_is_a_draw_and_the_third_is_not() {
    let mut table = table("K7/8/8/8/8/8/7k 30 0 w 00");
    for mv in ["a7a6", "h1h2", "a6a7", "h2h1"].repeat(3) {
        assert!(table.outcome().is_none());
        table.play(mv).unwrap();
    }
    assert_eq!(ended(&*table), ("the same board for the fourth time", vec![50, 50]));
}

#[test]
fn a_player_without_a_move_loses_after_the_setup() {
    let stuck = table("Kss5/sss5/sss5/8/8/8/7k 30 0 w 00");
    assert_eq!(ended(&*stuck), ("red has no legal move", vec![0, 100]));
}

#[test]
fn in_the_setup_having_nothing_to_stack_counts_before_having_no_pieces() {
    let stuck = table("S7/8/8/8/8/8/8 0 0 w 00");
    assert_eq!(ended(&*stuck), ("red has nothing left to stack", vec![0, 100]));
    let alone = table("SS6/8/8/8/8/8/8 0 0 w 00");
    assert_eq!(ended(&*alone), ("black has no pieces left", vec![100, 0]));
}

#[test]
fn a_missing_king_does_not_matter_before_ply_11() {
    assert_eq!(table("G7/8/8/8/8/8/7g 10 0 w 00").to_move(), Some("red"));
    let later = table("G7/8/8/8/8/8/7g 12 0 w 00");
    assert_eq!(ended(&*later), ("black did not resurrect its king", vec![100, 0]));
}

#[test]
fn stackings_and_captures_are_irreversible_and_steps_are_not() {
    let progress = |text: &str, mv: &str| {
        let mut position = read(text);
        position.play(position.read_move(mv).unwrap())
    };
    let start = Fenix::start().position_text();
    assert_eq!(progress(&start, "a7b7"), Progress::Irreversible);
    assert_eq!(progress("KSS5/8/8/8/8/8/7k 30 0 w 10", "b7c7"), Progress::Irreversible);
    assert_eq!(progress(FIGURE_4, "b6f2xc4,c5,c6,e4,f3"), Progress::Irreversible);
    assert_eq!(progress(FIGURE_2, "a7b7"), Progress::Reversible);
    assert_eq!(progress("KSS5/8/8/8/8/8/7k 30 0 w 10", "b7b6"), Progress::Reversible);
}

/// The routes of a move as the names of their stops.
fn routes(position: &str, mv: &str) -> Vec<String> {
    let trace = table(position).trace(mv).unwrap();
    let names = |route: &Vec<usize>| {
        let stops = route.iter().map(|&cell| square_name(agon_core::Square::new(cell)));
        stops.collect::<Vec<_>>().join("-")
    };
    trace.routes.iter().map(names).collect()
}

#[test]
fn a_move_is_drawn_with_all_its_routes() {
    assert_eq!(routes(FIGURE_4, "b6f2xc4,c5,c6,e4,f3"), ["b6-d6-b4-d4-f4-f2"]);
    let in_line = "8/8/8/G1s2s2/8/8/K6k 30 0 w 00";
    assert_eq!(routes(in_line, "a4g4xc4,f4"), ["a4-d4-g4", "a4-e4-g4"]);
    assert_eq!(routes(FIGURE_2, "a7b7"), ["a7-b7"]);
    let scene = read(FIGURE_2).scene();
    assert_eq!((scene.cells.len(), scene.pieces.len()), (56, 32));
    let heights: u32 = scene.pieces.iter().map(|piece| u32::from(piece.height)).sum();
    assert_eq!(heights, 42);
}
