//! `agon play` on the full screen, in a real terminal.
#![cfg(unix)]

mod terminal;

use terminal::Terminal;

const CTRL_C: &str = "\x03";
const ENTER: &str = "\r";
const UP: &str = "\x1b[A";

#[test]
fn a_game_is_played_to_its_end_by_mouse_and_keys_and_the_terminal_is_restored() {
    let mut terminal =
        Terminal::run(&["play", "breakthrough:3x4", "--against", "random", "--seed", "3"]);
    terminal.wait_for("Your turn, white");
    assert!(terminal.is_full_screen());
    terminal.click("c3");
    terminal.wait_for("the pawn on c3 is black's");
    terminal.click("a2");
    terminal.wait_for("From a2 to b3");
    terminal.click("b3");
    // The seed determines the opponent's answers: it leaves the way open.
    terminal.wait_for("black played c3b2");
    terminal.click("b3");
    terminal.wait_for("From b3 to");
    terminal.send(&[UP, "\x1b[D", ENTER].concat());
    terminal.wait_for("white wins");
    terminal.wait_for("b3a4");
    terminal.send("q");
    assert_eq!(terminal.exit_code(), 0);
    terminal.wait_for("white wins: a white pawn reached the far row");
    assert!(!terminal.is_full_screen());
    assert!(terminal.is_as_it_was(), "echo and lines work again");
}

#[test]
fn discs_are_dropped_to_the_end_of_a_game_by_mouse_and_keys() {
    let mut terminal = Terminal::run(&["play", "connect4", "--against", "human"]);
    terminal.wait_for("Your turn, x");
    terminal.wait_for("21 left");
    // Anywhere in the column, full or empty.
    for (square, played) in [("6,3", "x played 3"), ("1,4", "o played 4"), ("1,3", "x played 3")] {
        terminal.click(square);
        terminal.wait_for(played);
    }
    terminal.click("1,4");
    terminal.wait_for("Your turn, x");
    terminal.wait_for("19 left");
    // The cursor is where the last click was: one to the left is column 3.
    terminal.send(&["\x1b[D", ENTER].concat());
    terminal.wait_for("Your turn, o");
    terminal.send(&["\x1b[C", ENTER].concat());
    terminal.wait_for("Your turn, x");
    terminal.send(&["\x1b[D", UP, ENTER].concat());
    terminal.wait_for("x wins");
    terminal.send("q");
    assert_eq!(terminal.exit_code(), 0);
    terminal.wait_for("x wins");
    assert!(terminal.is_as_it_was());
}

#[test]
fn ctrl_c_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.json");
    let name = file.to_str().unwrap();
    let mut terminal = Terminal::run(&["play", "congo", "--against", "human", "--save", name]);
    terminal.wait_for("Your turn, white");
    terminal.click("d2");
    terminal.wait_for("From d2 to");
    terminal.click("d3");
    terminal.wait_for("Your turn, black");
    assert!(std::fs::read_to_string(&file).unwrap().contains("d2d3"));
    terminal.send(CTRL_C);
    assert_eq!(terminal.exit_code(), 0);
    terminal.wait_for("agon play --load");
    assert!(!terminal.is_full_screen() && terminal.is_as_it_was());
}

#[test]
fn a_program_that_is_terminated_restores_the_terminal() {
    for (arguments, ready) in
        [(&["play", "congo"][..], "Your turn, white"), (&["play", "congo", "--plain"], "white>")]
    {
        let mut terminal = Terminal::run(arguments);
        terminal.wait_for(ready);
        terminal.wait_until("keys are read one by one", |terminal| !terminal.is_as_it_was());
        terminal.terminate();
        assert!(!terminal.ended_well());
        assert!(terminal.is_as_it_was(), "{arguments:?}");
        terminal.wait_until("it leaves its screen", |terminal| !terminal.is_full_screen());
    }
}

#[test]
fn the_screen_is_responsive_while_an_agent_thinks() {
    let mut terminal =
        Terminal::run(&["play", "congo", "--against", "engine", "--per-move", "10m"]);
    terminal.wait_for("Your turn, white");
    terminal.click("d2");
    terminal.click("d3");
    terminal.wait_for("black thinks");
    terminal.send("?");
    terminal.wait_for("take back your last move");
    terminal.send("xu");
    terminal.wait_for("Taken back");
    terminal.wait_for("Your turn, white");
    terminal.send("q");
    assert_eq!(terminal.exit_code(), 0);
}

#[test]
fn the_board_follows_the_size_of_the_window() {
    let mut terminal = Terminal::run(&["play", "fauhalma:star3", "--against", "human"]);
    terminal.wait_for("Your turn, A");
    terminal.resize(40, 10);
    terminal.wait_for("too small");
    terminal.resize(120, 40);
    terminal.wait_for("Your turn, A");
    terminal.send("q");
    assert_eq!(terminal.exit_code(), 0);
}

#[test]
fn plain_text_is_used_on_request() {
    let mut terminal = Terminal::run(&["play", "congo", "--plain", "--against", "human"]);
    terminal.wait_for("Type a move");
    terminal.wait_for("white>");
    assert!(!terminal.was_full_screen());
    terminal.send(CTRL_C);
    assert_eq!(terminal.exit_code(), 0);
}

#[test]
fn agents_are_watched_paused_stepped_and_looked_back_at() {
    let mut terminal = Terminal::run(&[
        "play",
        "breakthrough:8x8",
        "--watch",
        "engine",
        "greedy",
        "--nodes",
        "2000",
        "--seed",
        "1",
    ]);
    terminal.wait_for("at least 0.5 s per move");
    assert!(terminal.is_full_screen());
    terminal.wait_for("2. ");
    terminal.send(" ");
    terminal.wait_for("Paused, ");
    terminal.wait_for("nodes");
    terminal.send("\x1b[H");
    terminal.wait_for("Looking back: move 0 of ");
    terminal.send("n");
    terminal.wait_for("Looking back: move 1 of ");
    terminal.send("\x1b[F");
    terminal.wait_for("Paused, ");
    // Six moves, and no more.
    terminal.send("nnnnnn");
    terminal.wait_for("4. ");
    terminal.wait_for("Paused, ");
    terminal.send("+++");
    terminal.wait_for("Pace: as fast as they play");
    terminal.send("?");
    terminal.wait_for("pause, or go on with the game");
    terminal.send("x ");
    terminal.wait_for(" wins");
    terminal.send("q");
    assert_eq!(terminal.exit_code(), 0);
    assert!(!terminal.is_full_screen() && terminal.is_as_it_was());
}

#[test]
fn watching_three_players_fits_a_small_window_and_says_how_to_resume() {
    let mut terminal = Terminal::run(&[
        "play",
        "fauhalma:star3",
        "--watch",
        "greedy",
        "random",
        "random",
        "--seed",
        "1",
    ]);
    terminal.wait_for("2. ");
    terminal.send("q");
    assert_eq!(terminal.exit_code(), 0);
    terminal.wait_for("--watch greedy random random");
    assert!(terminal.is_as_it_was());
}

#[test]
fn phones_read_the_address_from_a_terminal() {
    let mut terminal = Terminal::run(&["serve", "--listen", "0.0.0.0:0"]);
    terminal.wait_for("Games are kept in");
    // A machine without a network has nothing to read.
    if terminal.shows("Others open") {
        assert!(terminal.shows("█▀") && terminal.shows("████ ▄▄▄▄▄ █"), "the corners of a code");
    }
    terminal.terminate();
    assert!(terminal.ended_well());
}
