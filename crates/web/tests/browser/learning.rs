//! The rules of each game, with their practice positions.

use serde_json::Value;

use crate::harness::Visit;

/// The rules of a game have pictures, and its practice positions can be solved by clicking.
fn learn(game: &str) {
    let visit = Visit::new();
    visit.open("/");
    visit.click(&format!("[data-game={game}] [data-action=rules]"));
    visit.arrive("rules");
    let rules = visit.client.get(&format!("/api/catalog/{game}/rules")).ok();
    let sections = rules["sections"].as_array().expect("sections");
    let examples: usize =
        sections.iter().map(|one| one["examples"].as_array().map_or(0, Vec::len)).sum();
    visit.until("every picture is there", || {
        let drawn = visit.ask(
            "[...document.querySelectorAll('[data-board=example] svg')]
                .filter((picture) => picture.getBoundingClientRect().width > 100).length",
        );
        (drawn == examples as u64).then_some(())
    });
    assert!(visit.count("[data-board=example] .arrow-example") > 0, "moves are shown");
    for (at, task) in rules["practice"].as_array().expect("tasks").iter().enumerate() {
        solve(&visit, at, task);
    }
}

/// Solves a practice position after "Show me".
fn solve(visit: &Visit, at: usize, task: &Value) {
    let place = format!("[data-task='{at}']");
    visit.click(&format!("{place} [data-action=reveal]"));
    visit.wait("an arrow", &format!("document.querySelector(\"{place} .arrow-hint\")"));
    let (position, goal) = (&task["position"], &task["goal"][0]);
    let moves = position["moves"].as_array().expect("moves");
    let mv = moves.iter().find(|mv| mv["text"] == *goal).expect("the goal is a legal move");
    let way = mv["routes"][0].as_array().expect("a way");
    let solved = format!("document.querySelector(\"{place} [data-practice=solved]\") !== null");
    for (stop, cell) in way.iter().chain(way.last()).enumerate() {
        if stop > 0 && visit.ask(&solved) == true {
            break;
        }
        visit.click(&format!("{place} [data-index='{cell}']"));
    }
    visit.wait("solved", &solved);
}

#[test]
fn fenix_is_learned() {
    learn("fenix");
}

#[test]
fn breakthrough_is_learned() {
    learn("breakthrough");
}

#[test]
fn congo_is_learned() {
    learn("congo");
}

#[test]
fn wumpus_is_learned() {
    learn("wumpus");
}

#[test]
fn fauhalma_is_learned() {
    learn("fauhalma");
}

#[test]
fn connect_four_is_learned() {
    learn("connect4");
}

#[test]
fn another_legal_move_is_not_the_answer() {
    let visit = Visit::new();
    visit.open("/rules/breakthrough");
    visit.arrive("rules");
    visit.click("[data-task='0'] [data-cell=a2]");
    visit.click("[data-task='0'] [data-cell=b3]");
    visit.wait(
        "missed or refused",
        "document.querySelector(\"[data-task='0'] [data-practice]\").textContent",
    );
    visit.click("[data-task='0'] [data-action=again]");
    visit.click("[data-task='0'] [data-cell=c4]");
    visit.click("[data-task='0'] [data-cell=b5]");
    visit.says("[data-task='0'] [data-practice=solved]", "Solved");
}
