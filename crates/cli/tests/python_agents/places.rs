//! Agents in Python wherever an agent can be given: matches, tournaments, checks, pages.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::serving::Serving;
use crate::{agon_in, faults, folder_of, matched, python};

/// An agent of the Fenix course, which imports another module of the student.
const COURSE: &str = "\
from agent import Agent
from fenix import *
import tools

class Greedy(Agent):
    def act(self, state, remaining_time):
        assert isinstance(state, FenixState) and state.to_move() == self.player in (1, -1)
        assert isinstance(remaining_time, float) and 0 < remaining_time <= 60
        print('turn', state.turn, 'time', remaining_time)
        return max(state.actions(), key=tools.worth)
";

const TOOLS: &str = "\
import fenix

def worth(action):
    assert isinstance(action, fenix.FenixAction)
    return len(action.removed)
";

/// In Fenix, functions get the course's state as well.
const FUNCTION: &str = "\
from agon.fenix import FenixState

def choose(state, remaining):
    assert isinstance(state, FenixState)
    return state.actions()[-1]
";

const ANY_GAME: &str = "\
import agon

def choose(state, remaining):
    assert isinstance(state, agon.Position)
    wins = [a for a in state.actions() if state.result(a).utility(state.to_move()) == 1]
    return (wins or state.actions())[0]
";

const FILES: &[(&str, &str)] = &[
    ("agent.py", COURSE),
    ("tools.py", TOOLS),
    ("function.py", FUNCTION),
    ("choose.py", ANY_GAME),
    ("bots/a/mine.py", ANY_GAME),
    ("bots/b/mine.py", ANY_GAME),
    ("bots/b/other.txt", "no agent"),
];

#[test]
fn the_courses_agents_and_plain_functions_play_by_the_rules() {
    if python().is_none() {
        return;
    }
    let folder = folder_of(FILES);
    for (variant, agents) in [
        ("fenix", ["python:agent.py", "python:function.py"]),
        ("fenix", ["python:agent.py#Greedy", "random"]),
        ("breakthrough:5x5", ["python:choose.py", "random"]),
        ("wumpus:6", ["python:choose.py#choose", "greedy"]),
        ("congo", ["python:choose.py", "random"]),
        ("fauhalma:rhombus2,limit=60", ["python:choose.py", "random"]),
    ] {
        let more = ["--games", "4", "--time", "60s", "--no-store"];
        let answer = matched(folder.path(), variant, agents, &more);
        let told = format!("{variant}: {}", answer["offences"]);
        assert_eq!((faults(&answer, 0), faults(&answer, 1)), (0, 0), "{told}");
    }
    let agents = ["match", "fauhalma:star3,limit=20", "python:choose.py", "random", "greedy"];
    let run =
        agon_in(folder.path(), &[&agents[..], &["--games", "6", "--no-store", "--json"]].concat());
    let answer: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(faults(&answer, 0), 0, "{answer}");
}

#[test]
fn games_can_start_anywhere() {
    if python().is_none() {
        return;
    }
    let folder = folder_of(FILES);
    let position = "3K4/8/8/3g4/3S4/8/4k3 30 4 w 00";
    std::fs::write(folder.path().join("book.txt"), format!("{position}\n")).unwrap();
    let more = ["--games", "2", "--openings", "book.txt", "--no-store", "--time", "60s"];
    let answer = matched(folder.path(), "fenix", ["python:agent.py", "random"], &more);
    assert_eq!(faults(&answer, 0), 0, "{}", answer["offences"]);
}

#[test]
fn a_tournament_takes_a_folder_full_of_files() {
    if python().is_none() {
        return;
    }
    let file = "\
format = \"round-robin\"
games = 2
agents = [\"random\", \"python:bots/*/*.py\", \"python:choos?.py#choose\"]
variant = \"breakthrough:5x5\"
per_move = \"5s\"
";
    let folder = folder_of(&[FILES, &[("spring.toml", file)]].concat());
    let run = agon_in(folder.path(), &["tournament", "run", "spring.toml", "--json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let answer: Value = serde_json::from_str(&run.out).unwrap();
    let text = answer.to_string();
    for name in ["bots/a/mine.py", "bots/b/mine.py", "choose.py"] {
        assert!(text.contains(name), "{name} in {text}");
    }
    let agents = answer["agents"].as_array().unwrap();
    assert!(agents.iter().all(|agent| agent["faults"] == 0), "{text}");
}

#[test]
fn an_agent_can_be_checked() {
    if python().is_none() {
        return;
    }
    let folder = folder_of(FILES);
    let arguments = [
        "check",
        "breakthrough:5x5",
        "python:choose.py",
        "--per-move",
        "5s",
        "--games",
        "4",
        "--json",
    ];
    let run = agon_in(folder.path(), &arguments);
    let answer: Value = serde_json::from_str(&run.out).unwrap();
    let verdict = |name: &str| {
        let checks = answer["checks"].as_array().unwrap();
        let found = checks.iter().find(|check| check["name"] == name);
        found.unwrap_or_else(|| panic!("{name} in {answer}"))["verdict"].clone()
    };
    for name in ["starts", "plays by the rules", "plays a second game", "leaves quietly"] {
        assert_eq!(verdict(name), "passed", "{name}: {answer}");
    }
}

#[test]
fn an_agent_can_be_played_against_on_the_page() {
    if python().is_none() {
        return;
    }
    let (folder, data) = (folder_of(FILES), tempfile::tempdir().unwrap());
    let arguments = ["serve", "--listen", "0", "--allow-programs"];
    let mut server = Serving::start(data.path(), &arguments);
    let (secret, _) = server.secret();
    let agent = format!("python:{}", folder.path().join("choose.py").display());
    let begin = |agent: &str| {
        let seats = json!([{"kind": "human"}, {"kind": "agent", "agent": agent}]);
        let body = json!({"variant": "congo", "seats": seats});
        let request = ureq::post(format!("{}/api/games", server.base));
        let request = request.header("content-type", "application/json");
        request.header("x-agon-secret", &secret).send(body.to_string())
    };
    let mut begun = begin(&agent).unwrap();
    let game: Value = serde_json::from_str(&begun.body_mut().read_to_string().unwrap()).unwrap();
    let path = format!("/api/games/{}", game["id"].as_str().unwrap());
    server.post(&format!("{path}/moves"), &json!({"move": "d2d3", "ply": 0}));
    let deadline = Instant::now() + Duration::from_secs(60);
    while server.get(&path)["position"]["ply"] != 2 {
        assert!(Instant::now() < deadline, "{}", server.get(&path));
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(matches!(begin(&format!("{agent}#Nobody")), Err(ureq::Error::StatusCode(400))));
}
