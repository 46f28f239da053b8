//! The pages of the contest: environments, leaderboards, agents and runs.

use std::path::Path;

use serde_json::{Value, json};

use crate::common::contest::{self, PASSWORD, TWO, second_week};
use crate::driver::Setup;
use crate::harness::Visit;

fn visit() -> Visit {
    Visit::with(Setup::default(), second_week)
}

/// Plays for Newcomer as a client would: sends actions and returns the server's answer.
fn act(visit: &Visit, actions: &Value) -> Value {
    let body = json!({"protocol_version": 1, "agent": "Newcomer", "pwd": PASSWORD, "actions": actions, "parallel_runs": false});
    let mut answer = ureq::put(format!("{}/act/{TWO}", visit.origin))
        .header("content-type", "application/json")
        .send(body.to_string())
        .expect("the server answers an agent");
    let text = answer.body_mut().read_to_string().expect("a body");
    serde_json::from_str(&text).expect("JSON")
}

/// Makes the next move of the requested run.
fn step(visit: &Visit, asked: &Value) -> Value {
    let asked = &asked["action_requests"][0];
    let variant = "fauhalma:star2".parse().expect("a variant");
    let act_no = asked["act_no"].as_u64().expect("a number");
    let action = contest::answer(&variant, &asked["percept"], "greedy", act_no);
    act(visit, &json!([{"run": asked["run"], "act_no": act_no, "action": action}]))
}

#[test]
fn from_the_environments_to_a_run_and_through_it() {
    let visit = visit();
    visit.open("/");
    visit.click("header a[href='/environments']");
    visit.arrive("environments");
    assert_eq!(visit.count("[data-environment]"), 8);
    visit.says(&format!("[data-environment='{TWO}']"), "9 agents");
    visit.says(&format!("[data-environment='{TWO}']"), "55 points above 0.50");
    visit.click(&format!("[data-environment='{TWO}'] a"));
    visit.arrive("environment");
    assert_eq!(visit.ask("document.querySelectorAll('header nav [aria-current]').length"), 1);
    visit.says("main", &format!("agon accounts add {TWO} NAME"));
    visit.says("[data-key=evaluated] tbody tr:first-child", "1");
    assert_eq!(visit.count("[data-key=evaluated] tbody tr"), 5);
    assert_eq!(visit.count("[data-key=begun] tbody tr"), 3);
    assert!(visit.text("main").contains("<b>Mallory</b>"), "names are shown as text");
    visit.click("tr[data-agent='Ann'] a");
    visit.arrive("agent");
    visit.says("h1", "Ann");
    visit.says("[data-stat=points]", "55 of 55");
    visit.says("[data-stat=runs]", "140");
    visit.wait("the curve", "document.querySelector('[data-curve] .line:not(.estimated)')");
    assert!(
        visit.count("[data-curve] .threshold.passed") == 1
            && visit.count("[data-curve] .best") == 1
    );
    assert_eq!(
        (visit.count(".strip li"), visit.count("tr[data-run]"), visit.count("[data-open]")),
        (50, 50, 5)
    );
    visit.click("tr[data-run]:first-child a");
    visit.arrive("run");
    let end = visit.count("[data-moves] [data-ply]");
    visit.says("[data-status=replay]", "The start");
    visit.click("[data-action=last]");
    visit.says("[data-status=replay]", &format!("Move {end} of {end}"));
    assert!(visit.text("[data-result=finished]").starts_with("Ann "));
    visit.click(".player a");
    visit.arrive("agent");
    visit.says("h1", "Ann");
}

#[test]
fn any_name_has_a_page() {
    let visit = visit();
    visit.excuse("the server responded with a status of 404");
    visit.open(&format!("/env/{TWO}"));
    visit.click("[data-key=begun] tbody tr:first-child a");
    visit.arrive("agent");
    assert_eq!(visit.text("h1"), "100% #1/2?");
    visit.says("[data-stat=best]", "20 runs to go");
    visit.open(&format!("/agent/{TWO}/Never seen"));
    visit.says("main", "no finished runs yet");
    for path in [
        format!("/agent/{TWO}/Nobody"),
        "/env/nope".into(),
        format!("/run/{TWO}/99999"),
        "/agent/%/%E0".into(),
    ] {
        visit.open(&path);
        visit.arrive("lost");
    }
}

#[test]
fn pages_follow_while_a_client_plays() {
    let visit = visit();
    let mut asked = act(&visit, &json!([]));
    let run = asked["active_runs"][0].as_str().expect("a run").to_string();
    // The leaderboard: a run ends, and only its numbers change.
    visit.open(&format!("/env/{TWO}"));
    visit.says("tr[data-agent=Newcomer]", "12 of 50");
    visit.ask("(window.row = document.querySelector('tr[data-agent=Newcomer] a'), row.focus(), scrollTo(0, 40))");
    while asked["finished_runs"].as_object().is_some_and(serde_json::Map::is_empty) {
        asked = step(&visit, &asked);
    }
    visit.says("tr[data-agent=Newcomer]", "13 of 50");
    let same = "document.activeElement === row && row.isConnected && scrollY === 40";
    assert_eq!(visit.ask(same), true, "the focus and the scroll position are kept");
    // The agent's page, and the next run while it is in progress.
    let next = asked["active_runs"][0].as_str().expect("a run").to_string();
    assert_ne!(run, next);
    visit.open(&format!("/agent/{TWO}/Newcomer"));
    visit.says("[data-stat=runs]", "13");
    visit.says(&format!("[data-open='{next}']"), "0 moves");
    asked = step(&visit, &asked);
    visit.says(&format!("[data-open='{next}']"), "1 move");
    visit.click(&format!("[data-open='{next}'] a"));
    visit.arrive("run");
    visit.says("[data-result=open]", "follows the run");
    let shown = visit.count("[data-moves] [data-ply]");
    visit.says("[data-status=replay]", &format!("Move {shown} of {shown}"));
    asked = step(&visit, &asked);
    visit.says("[data-status=replay]", &format!("Move {} of {}", shown + 2, shown + 2));
    // An earlier move that is shown stays.
    visit.click("[data-action=first]");
    while asked["finished_runs"].get(&next).is_none() {
        asked = step(&visit, &asked);
    }
    visit.says("[data-result=finished]", "Newcomer ");
    visit.says("[data-status=replay]", "The start");
    visit.open(&format!("/run/{TWO}/{run}"));
    visit.says("[data-result=finished]", "Newcomer ");
}

#[test]
fn a_lost_server_is_reported_and_found_again() {
    let visit = visit();
    visit.excuse("Failed to load resource");
    visit.open(&format!("/env/{TWO}"));
    visit.says("[data-counts]", "9 agents");
    visit.stop_server();
    visit.says("[data-banner]", "out of date");
    assert_eq!(visit.count("[data-key=evaluated] tbody tr"), 5, "the last known data stay");
    visit.start_server();
    visit.wait("the banner is gone", "document.querySelector('[data-banner]').hidden");
}

#[test]
fn an_empty_contest_says_how_to_take_part() {
    let visit = Visit::new();
    visit.open("/environments");
    visit.arrive("environments");
    visit.says("[data-environment]", "no agents yet");
    visit.open(&format!("/env/{TWO}"));
    visit.says("main", "Nobody has played here yet");
    visit.says("main", "agon accounts add");
}

/// The addresses of the contest's pages.
pub fn paths(folder: &Path) -> Vec<String> {
    let store = agon_arena::store::Store::open(folder).expect("a store");
    let open = store.list_open_runs(TWO, "Ann").expect("runs");
    let mut paths: Vec<String> =
        ["/environments", "/env/ws2223-2.8-hardcore-3-player"].map(String::from).into();
    paths.push(format!("/env/{TWO}"));
    paths.extend(["Ann", "Newcomer", "Never seen"].map(|name| format!("/agent/{TWO}/{name}")));
    paths.push(format!("/agent/{}/Ann", contest::THREE));
    paths.push(format!("/run/{TWO}/1"));
    paths.extend(open.first().map(|run| format!("/run/{TWO}/{}", run.id)));
    paths
}
