//! Noise for both sides of the protocol: the answers of programs and the lines of referees.

use agon_core::Rng;
use agon_games::{Catalog, Table, open};

use super::client::looks_like_a_move;
use super::engine::CongoEngine;
use crate::noise::{Texts, soak};

const WORDS: &[&str] =
    &["newgame", "position ", "moves ", "go ", "resign", "d2d3", "b5b3d3f5", " w 0", "g7"];

/// A game after some random moves.
fn middle(plies: usize, rng: &mut Rng) -> Box<dyn Table> {
    let mut table = open(&"congo".parse().unwrap()).unwrap();
    while table.played().len() < plies {
        let Some(mv) = table.random_move(rng) else { break };
        table.play(&mv).unwrap();
    }
    table
}

#[test]
fn an_answer_is_accepted_only_if_it_is_a_legal_move() {
    let mut rng = Rng::new(1);
    let mut accepted = 0;
    for round in 0..20 {
        let table = middle(3 * round, &mut rng);
        let moves = table.moves();
        let mut answers = moves.clone();
        answers.extend(["resign", "b5b3d3f5", "error: no move"].map(String::from));
        let mut texts = Texts::new(answers, WORDS, round as u64);
        for _ in 0..1000 * soak() {
            let text = texts.damaged();
            let line = text.trim();
            if !looks_like_a_move(line) {
                continue;
            }
            assert!(line == "resign" || line.is_ascii(), "{line:?}");
            if let Ok(mv) = table.read_move(line) {
                accepted += 1;
                assert!(moves.contains(&mv), "{line:?} in {}", table.position());
            }
        }
    }
    assert!(accepted > 100, "too few of these answers are moves: {accepted}");
}

/// Lines of a referee.
fn asked() -> Vec<String> {
    let mut rng = Rng::new(2);
    let mut all: Vec<String> =
        ["newgame", "go 1", "go 0.5", "go 1e300", "moves d2d3", ""].map(String::from).to_vec();
    for plies in [0, 1, 5, 20, 60] {
        let table = middle(plies, &mut rng);
        all.push(format!("position {}", table.position()));
        all.push(format!("moves {}", table.played().join(" ")));
        all.extend(table.moves().into_iter().take(3).map(|mv| format!("moves {mv}")));
    }
    all
}

/// Every line of a session is an input.
#[test]
fn no_lines_break_a_session() {
    const LINES: usize = 50;
    let mut texts = Texts::new(asked(), WORDS, 3);
    let (variant, catalog) = ("congo".parse().unwrap(), Catalog::built_in());
    let mut answered = 0;
    for _ in 0..20_000 * soak() / LINES {
        let input: Vec<String> = (0..LINES)
            .map(
                |_| if texts.rng().below(3) == 0 { texts.intact().into() } else { texts.damaged() },
            )
            .filter(|line| line.trim() != "quit")
            .collect();
        let agent = "random".parse().unwrap();
        let session = CongoEngine::new(agent, u64::MAX, &catalog, &variant).unwrap();
        let (mut output, mut errors) = (Vec::new(), Vec::new());
        session.run(input.join("\n").as_bytes(), &mut output, &mut errors).unwrap();
        let [output, errors] = [output, errors].map(|bytes| String::from_utf8(bytes).unwrap());
        for line in output.lines() {
            answered += 1;
            assert!(looks_like_a_move(line), "{line:?} after {input:?}");
        }
        assert!(errors.lines().all(|line| line.starts_with("error: ")), "{errors:?}");
    }
    assert!(answered > 100, "too few of these lines are questions: {answered}");
}
