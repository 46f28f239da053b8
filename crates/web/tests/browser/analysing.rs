//! The analysis of positions: agents beside the board, lines, variations, values, links.

use std::time::{Duration, Instant};

use agon_games::GAMES;
use agon_search::Budget;
use agon_search::solver::text::{Question, solve};
use agon_search::solver::{Options, Value as Exact};
use serde_json::{Value, json};
use thirtyfour::Key;

use crate::driver::Setup;
use crate::harness::Visit;

/// The moves of the tree, as they are read.
fn tree(visit: &Visit) -> Vec<String> {
    let all =
        "[...document.querySelectorAll('[data-tree] [data-move]')].map(it => it.dataset.move)";
    serde_json::from_value(visit.ask(all)).expect("moves")
}

/// Waits until the engine has found so many lines.
fn lines(visit: &Visit, count: usize) {
    let look = format!("document.querySelectorAll('[data-lines] [data-rank]').length === {count}");
    visit.wait(&format!("{count} lines"), &look);
}

/// Waits until everything is stored.
fn saved(visit: &Visit) {
    visit.wait("it is stored", "document.querySelector('[data-saved=saved]')");
}

fn analyse(visit: &Visit, query: &str) {
    visit.open(&format!("/analyse{query}"));
    visit.arrive("analysis");
    visit.ready();
}

#[test]
fn every_game_is_analysed_live_and_a_line_is_played_in() {
    let visit = Visit::new();
    for game in GAMES {
        analyse(&visit, &format!("?variant={}", game.variants[0].text));
        lines(&visit, 3);
        visit.wait("a depth", "/depth [2-9]|depth 1\\d|nodes/i.test(document.querySelector('[data-about]').textContent)");
        assert!(visit.count("[data-board=analysis] .arrow-best") >= 1, "{}", game.name);
        let seats = game.seats.len();
        assert_eq!(
            visit.count("[data-bars] .eval-bar"),
            if seats == 2 { 1 } else { seats },
            "{}",
            game.name
        );
        // The engine goes on, so a line may change under the pointer.
        visit.click("[data-rank='0'] [data-step='1']");
        visit.until("the move is in the tree", || (tree(&visit).len() == 1).then_some(()));
        lines(&visit, 3);
        // The space bar does nothing until the new position is on the board.
        visit.until("the best move, too", || {
            if tree(&visit).len() == 1 {
                visit.press(" ");
            }
            (tree(&visit).len() == 2).then_some(())
        });
        saved(&visit);
        assert!(
            visit.ask("location.pathname").as_str().unwrap_or_default().starts_with("/analyse/")
        );
    }
}

#[test]
fn what_was_found_in_one_position_is_never_played_in_another() {
    let visit = Visit::with_motion();
    analyse(&visit, "?variant=congo");
    lines(&visit, 3);
    // Twice, while the piece is still on its way.
    visit.ask("(() => { const first = document.querySelector(\"[data-rank='0'] [data-step='1']\"); first.click(); first.click(); })()");
    for _ in 0..3 {
        visit.press(" ");
    }
    saved(&visit);
    let moves = tree(&visit);
    let played = agon_games::open_at(&"congo".parse().expect("a variant"), None, &moves);
    assert!(played.is_ok(), "{moves:?}");
    // What was changed last is stored even if the page is left at once, or reloaded.
    let address = visit.ask("location.pathname").as_str().unwrap_or_default().to_string();
    visit.fill("[data-field=comment]", "left at once");
    visit.click("header a[href='/records']");
    visit.arrive("records");
    visit.open(&address);
    visit.says(".tree .comment", "left at once");
    visit.click("[data-tree] [data-move]");
    visit.fill("[data-field=comment]", "reloaded at once");
    visit.open(&address);
    visit.says(".tree .comment", "reloaded at once");
}

#[test]
fn variations_are_promoted_deleted_and_commented_and_survive_a_reload_and_a_kill() {
    let visit = Visit::new();
    visit.excuse("ERR_CONNECTION_REFUSED");
    visit.excuse("WebSocket");
    analyse(&visit, "?variant=congo&moves=d2d3%20d6d5");
    assert_eq!(tree(&visit), ["d2d3", "d6d5"]);
    visit.press(Key::Left + "");
    visit.becomes("d6", "can move");
    visit.cells(&["c6", "c5"]);
    visit.until("a variation", || (tree(&visit) == ["d2d3", "d6d5", "c6c5"]).then_some(()));
    assert_eq!(visit.count(".tree .variation"), 1);
    visit.fill("[data-field=comment]", "<b>the plan</b> } of black");
    visit.click("[data-sign='!?']");
    visit.click("[data-action=promote]");
    visit.until("it is the main line", || (tree(&visit) == ["d2d3", "c6c5", "d6d5"]).then_some(()));
    saved(&visit);
    let address = visit.ask("location.pathname").as_str().unwrap_or_default().to_string();
    visit.stop_server();
    visit.start_server();
    for _ in 0..2 {
        visit.open(&address);
        visit.arrive("analysis");
        visit.until("all is there", || (tree(&visit) == ["d2d3", "c6c5", "d6d5"]).then_some(()));
        visit.says(".tree .comment", "<b>the plan</b> } of black");
        visit.says("[data-move=c6c5]", "!?");
    }
    visit.click("[data-move=d6d5]");
    visit.click("[data-action=delete]");
    visit.until("it is gone", || (tree(&visit) == ["d2d3", "c6c5"]).then_some(()));
    saved(&visit);
    visit.open(&address);
    visit.until("for good", || (tree(&visit) == ["d2d3", "c6c5"]).then_some(()));
}

#[test]
fn a_link_carries_everything_to_a_fresh_profile() {
    let visit = Visit::new();
    analyse(&visit, "?variant=fauhalma:star3");
    lines(&visit, 3);
    visit.click("[data-rank='0'] [data-step='1']");
    visit.until("a move", || (tree(&visit).len() == 1).then_some(()));
    visit.fill("[data-field=comment]", "äöü: three players");
    saved(&visit);
    let moves = tree(&visit);
    // What the button copies; headless browsers have no clipboard.
    visit.ask("navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }, true");
    visit.click("[data-action=copy-link]");
    let link = visit.wait("the link", "window.copied");
    let link = link.as_str().unwrap_or_default();
    assert!(link.contains("/analyse#tree="), "{link}");
    let other = Visit::new().at(&visit.origin);
    other.open(&link[visit.origin.len()..]);
    other.arrive("analysis");
    other.until("the same", || (tree(&other) == moves).then_some(()));
    other.says(".tree .comment", "äöü: three players");
    // Somebody else's analysis is continued as a copy.
    let address = visit.ask("location.pathname").as_str().unwrap_or_default().to_string();
    other.open(&address);
    other.arrive("analysis");
    other.until("the same", || (tree(&other) == moves).then_some(()));
    other.fill("[data-field=comment]", "mine");
    saved(&other);
    assert_ne!(other.ask("location.pathname"), json!(address));
    visit.open(&address);
    visit.says(".tree .comment", "äöü: three players");
}

#[test]
fn damaged_and_hostile_links_and_texts_are_refused_with_their_place() {
    let visit = Visit::new();
    visit.excuse("the server responded with a status of 4");
    visit.open("/analyse#tree=AAAA");
    visit.says("main", "This link is damaged");
    // A short link that unpacks to more than 1 MiB.
    let bomb = "(async () => {
        const packed = new Blob(['['.repeat(3e6)]).stream().pipeThrough(new CompressionStream('deflate-raw'));
        const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
        return btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
    })()";
    let bomb = visit.ask(bomb);
    visit.open(&format!("/analyse#tree={}", bomb.as_str().unwrap_or_default()));
    visit.ask("location.reload()");
    visit.says("main", "larger than 1 MiB");
    visit.open("/analyse");
    visit.arrive("analyse");
    for (text, words) in [
        ("[Variant \"congo\"]\n\n1. d2d3 d6d9 *", "line 3"),
        ("[Variant \"congo\"]\n\n1. d2d3 ( d6d5 *", "line 3"),
        ("nonsense", "line 1, column 1"),
    ] {
        visit.ask_about(
            "document.querySelector('[data-field=text]').value = arguments[0]",
            vec![json!(text)],
        );
        visit.click("[data-action=read]");
        visit.says("[data-error=text]", words);
    }
    let text = "[Variant \"congo\"]\n\n1. d2d3 { mine } ( 1. e2e3 ) 1... d6d5 *";
    visit.ask_about(
        "document.querySelector('[data-field=text]').value = arguments[0]",
        vec![json!(text)],
    );
    visit.click("[data-action=read]");
    visit.arrive("analysis");
    visit.until("the tree", || (tree(&visit) == ["d2d3", "e2e3", "d6d5"]).then_some(()));
}

#[test]
fn small_boards_are_coloured_by_the_solvers_values() {
    let visit = Visit::new();
    analyse(&visit, "?variant=breakthrough:3x5");
    visit.click("[data-action=values]");
    visit.wait("all is proven", "(() => { const all = [...document.querySelectorAll('[data-values] [data-value]')];
        return all.length > 0 && all.length === document.querySelectorAll('[data-values] [data-exact=true]').length; })()");
    let table = agon_games::open(&"breakthrough:3x5".parse().expect("a variant")).expect("a table");
    let question = Question { all_moves: true, ..Question::default() };
    let answer = solve(&*table, &Budget::default(), &Options::default(), question, &mut |_| {});
    for (mv, solution) in answer.expect("it is small").moves {
        let share = match solution.value.expect("it is solved") {
            Exact::Win => 1.0,
            Exact::Draw => 0.5,
            Exact::Loss => 0.0,
        };
        let found =
            format!("Number(document.querySelector('[data-value=\"{mv}\"]').dataset.share)");
        assert_eq!(visit.ask(&found).as_f64(), Some(share), "{mv}");
    }
    assert!(visit.count("[data-board=analysis] .value.proven") >= 3);
    // Once a piece is chosen, its targets are coloured.
    visit.cell("b2");
    visit.wait(
        "the targets",
        "document.querySelectorAll('[data-board=analysis] .value').length >= 1",
    );
}

#[test]
fn proven_results_say_so_and_two_agents_stand_side_by_side() {
    let visit = Visit::new();
    analyse(&visit, "?variant=congo&position=3l3%2F7%2F7%2F7%2F7%2F3P3%2F3L3%20w%200");
    visit.says("[data-proof]", "proven");
    visit.click("[data-switches] summary");
    visit.click("[data-action=second]");
    visit.wait("two agents", "[...document.querySelectorAll('.analyst')].filter((it) => !it.hidden && it.querySelector('[data-rank]')).length === 2");
    visit.click("[data-switch=quiescence][data-key='quiescence-0']");
    visit.wait(
        "the switch is in the text",
        "document.querySelector('[data-field=agent-text-0]').value === 'engine:quiescence=off'",
    );
    visit.choose("[data-field=agent-0]", "solver");
    visit.wait(
        "another agent",
        "document.querySelector('.analyst code').textContent.startsWith('solver')",
    );
    visit.says("[data-proof]", "proven");
    let written = "document.querySelector('[data-field=agent-text-0]')";
    visit.ask(&format!(
        "{written}.value = 'engin', {written}.dispatchEvent(new Event('change')), true"
    ));
    visit.says("[data-error=analyst]", "engine");
}

#[test]
fn a_line_is_previewed_and_the_keyboard_is_enough() {
    let visit = Visit::new();
    analyse(&visit, "?variant=breakthrough:6x6");
    lines(&visit, 3);
    // The engine goes on, so the line may be another one by the time its end is shown.
    let point = "(() => { const row = document.querySelector('[data-rank=\"1\"]'), peek = document.querySelector('[data-peek]');
        if (!peek.hidden && peek.dataset.ply === row?.dataset.plies) return true;
        row?.dispatchEvent(new PointerEvent('pointerover', {bubbles: true, pointerType: 'mouse'})); return false; })()";
    visit.wait("the end of the line", point);
    visit.ask("document.querySelector('[data-lines]').dispatchEvent(new PointerEvent('pointerleave')), true");
    visit.wait("it is hidden again", "document.querySelector('[data-peek]').hidden");
    visit.press(" ");
    visit.until("a move", || (tree(&visit).len() == 1).then_some(()));
    visit.press(Key::Home + "");
    visit.wait("the start", "!document.querySelector('[data-tree] [aria-current]')");
    visit.press(Key::Right + "");
    visit.wait("the move", "document.querySelector('[data-tree] [aria-current]')");
    // On a button, the space bar presses it.
    visit.ask("document.querySelector('[data-action=arrows]').focus()");
    visit.press(" ");
    visit.wait(
        "no arrows",
        "document.querySelector('[data-action=arrows]').getAttribute('aria-pressed') === 'false'",
    );
    assert_eq!(tree(&visit).len(), 1);
    visit.press("l");
    visit.wait(
        "the engine is off",
        "document.querySelector('[data-action=engine]').getAttribute('aria-pressed') === 'false'",
    );
    idle(&visit);
}

/// Waits until the server searches nothing.
fn idle(visit: &Visit) {
    let begun = Instant::now();
    visit.until("nothing is searched", || {
        (visit.client.get("/api/server").ok()["searches"] == 0).then_some(())
    });
    assert!(begun.elapsed() < Duration::from_secs(6));
}

#[test]
fn a_hidden_page_stops_its_search_and_goes_on_when_it_is_seen() {
    let visit = Visit::new();
    analyse(&visit, "?variant=breakthrough:8x8");
    lines(&visit, 3);
    let hide = |hidden: bool| {
        let state = if hidden { "hidden" } else { "visible" };
        visit.ask(&format!(
            "Object.defineProperty(document, 'hidden', {{value: {hidden}, configurable: true}}),
             Object.defineProperty(document, 'visibilityState', {{value: '{state}', configurable: true}}),
             document.dispatchEvent(new Event('visibilitychange')), true"
        ));
    };
    hide(true);
    idle(&visit);
    hide(false);
    visit.until("it searches again", || {
        (visit.client.get("/api/server").ok()["searches"] != 0).then_some(())
    });
    visit.open("/");
    visit.arrive("home");
    idle(&visit);
}

/// How long a task of the page may compute, in milliseconds.
const LONGEST_TASK: f64 = 50.0;

#[test]
fn live_updates_do_not_hold_up_the_page() {
    let visit = Visit::with(Setup { trace: true, ..Setup::default() }, |_| {});
    analyse(&visit, "?variant=congo");
    visit.click("[data-action=values]");
    visit.choose("[data-field=lines]", "5");
    lines(&visit, 5);
    let seconds = if std::env::var_os("AGON_SOAK").is_some() { 60 } else { 6 };
    std::thread::sleep(Duration::from_secs(seconds));
    // What opened the page is not meant.
    let mut tasks = visit.tasks(seconds);
    tasks.sort_by(|a, b| b.total_cmp(a));
    println!("{} tasks in {seconds} s, the longest: {:.5?} ms", tasks.len(), tasks.get(..5));
    assert!(tasks.len() > 50, "there is no trace: {tasks:?}");
    assert!(tasks[0] < LONGEST_TASK, "{:?}", &tasks[..5]);
}

#[test]
fn a_phone_shows_the_board_and_the_lines() {
    let visit = Visit::by_phone();
    for path in [
        "/analyse",
        "/analyse?variant=congo",
        "/analyse?variant=fauhalma:star3",
        "/analyse?variant=fenix",
    ] {
        visit.open(path);
        visit.wait(path, "document.querySelector('h1')");
        let wide = visit.ask("document.documentElement.scrollWidth > innerWidth");
        assert_eq!(wide, Value::Bool(false), "{path}");
    }
    lines(&visit, 3);
    visit.ask(
        "document.querySelector('[data-rank=\"0\"] [data-step=\"1\"]').scrollIntoView(), true",
    );
    visit.click("[data-rank='0'] [data-step='1']");
    visit.until("a move", || (tree(&visit).len() == 1).then_some(()));
}

#[test]
fn every_kind_of_game_is_one_click_from_its_analysis() {
    let visit = Visit::with(Setup::default(), crate::watching::store_games);
    let id = visit.sit_down("congo", None, &["", ""]);
    visit.ready();
    visit.cells(&["d2", "d3"]);
    visit.at_ply(1);
    visit.click("[data-action=analyse]");
    visit.arrive("analysis");
    visit.until("its moves", || (tree(&visit) == ["d2d3"]).then_some(()));
    assert!(visit.ask("location.search").as_str().unwrap_or_default().contains(&id));
    visit.open("/replay/1.0");
    visit.arrive("replay");
    visit.click("[data-action=analyse]");
    visit.arrive("analysis");
    visit.until("its moves", || (!tree(&visit).is_empty()).then_some(()));
}
