//! What a program with sixty busy threads takes from an honest opponent: nodes per move of `engine`
//! against a quiet program, against the thief in a sandbox, and against the thief without isolation.

#[path = "../../wire/tests/process/hostile.rs"]
#[allow(dead_code, reason = "tests use more of it")]
mod hostile;

use std::time::Duration;

use agon_arena::clock::TimeControl;
use agon_arena::game_summary::Effort;
use agon_arena::remote::Settings;
use agon_arena::{Match, Openings, Pace, Registry};
use agon_isolation::{Level, use_cgroups};
use agon_search::StopFlag;
use agon_wire::ugi::UgiAgents;

/// The opponent, how far it is isolated, and whether control groups are used where they can be made.
const OPPONENTS: [(&str, Level, bool); 4] = [
    ("nothing", Level::Sandbox, true),
    ("steal-cpu", Level::Sandbox, true),
    ("steal-cpu", Level::Sandbox, false),
    ("steal-cpu", Level::None, true),
];

/// In every round each of the opponents has its turn, as the machine is not always equally fast. The
/// first round only warms up.
const ROUNDS: usize = 4;

fn main() {
    agon_isolation::set_launcher(env!("CARGO_BIN_EXE_agon"));
    for time in [100, 1000] {
        let mut all = OPPONENTS.map(|_| Effort::default());
        for round in 0..ROUNDS {
            for (opponent, effort) in OPPONENTS.into_iter().zip(&mut all) {
                let played = engine_against(opponent, Duration::from_millis(time));
                if round > 0 {
                    effort.nodes += played.nodes;
                    effort.moves += played.moves;
                }
            }
        }
        let nodes = all.map(|effort| effort.nodes as f64 / effort.moves as f64);
        for ((fault, level, cgroups), nodes_a_move) in OPPONENTS.into_iter().zip(nodes) {
            let form = if cgroups { "" } else { " without control groups" };
            println!(
                "{time} ms a move against {fault} at {level}{form}: {nodes_a_move:.0} nodes a \
                 move, {:.0} %",
                100.0 * nodes_a_move / nodes[0],
            );
        }
    }
}

/// What the engine did in two games against a program that plays at once.
fn engine_against((fault, level, cgroups): (&str, Level, bool), time: Duration) -> Effort {
    use_cgroups(cgroups);
    let registry = Registry::built_in().with(UgiAgents).with_isolation(level);
    let program = hostile::hostile().display();
    let agent = |text: &str| registry.agent(text, &Settings::default()).expect("an agent");
    let it = Match {
        catalog: agon_games::Catalog::built_in(),
        variant: "breakthrough:8x8".parse().expect("a variant"),
        agents: vec![
            agent("engine:threads=1"),
            agent(&format!("ugi:'{program}' {fault} --game breakthrough:8x8")),
        ],
        games: 2,
        pace: Pace { time: TimeControl { game: None, per_move: Some(time) }, ..Pace::default() },
        openings: Openings::Start,
        seed: 0,
        concurrency: 1,
        sprt: None,
        replay_disturbed: false,
        reference_speed: None,
    };
    let run = it.play(None, &StopFlag::default(), &mut |_| {}).expect("a match");
    run.ledger.agents()[0].effort
}
