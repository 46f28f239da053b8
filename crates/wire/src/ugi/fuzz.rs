//! Noise for both sides of the conversation: what programs print and what clients send.

use std::time::Duration;

use agon_games::{GAMES, Table, open};

use super::client::Heard;
use super::command::Command;
use super::lines::EngineLine;
use super::{Settings, UgiEngine};
use crate::noise::{Texts, soak};

/// Lines of engines that Agon itself would not write.
const OTHERS: &[&str] = &[
    "info depth 5 seldepth 9 score cp 12 lowerbound hashfull 3 nodes 10 pv a1a2",
    "info depth 3 score win 5 pv [[1,2],[3,4]] [[0, 1], [0, 2]]",
    "info multipv 1 score loss 4 time 1",
    "info score mate -2 nodes 9",
    "bestmove a2a3 ponder b4b3",
];

const WORDS: &[&str] = &[
    "info ",
    "bestmove ",
    " pv ",
    " score ",
    " cp ",
    " mate ",
    " multipv ",
    " string ",
    " name ",
    " type ",
    " default ",
    " var ",
    " min ",
    "option ",
    " moves ",
    " fen ",
    "position ",
    "startpos",
    " value ",
    "setoption ",
    "go ",
    " infinite",
    " p1time ",
    " p2inc ",
    "stop",
    "query ",
    "uginewgame",
];

fn lines(of: &[&str]) -> Vec<String> {
    of.iter().map(ToString::to_string).collect()
}

/// What engines say.
fn said() -> Vec<String> {
    lines(&[super::lines::tests::EXAMPLES, OTHERS].concat())
}

#[test]
fn no_line_of_an_engine_breaks_its_reader() {
    let mut texts = Texts::new(said(), WORDS, 1);
    let mut read = 0;
    for _ in 0..20_000 * soak() {
        let text = texts.damaged();
        match text.parse::<EngineLine>() {
            Ok(line) => {
                read += 1;
                let again = line.to_string().parse();
                assert_eq!(again.as_ref(), Ok(&line), "written and read again: {text:?}");
            }
            Err(problem) => assert!(!problem.to_string().contains('\n'), "{problem}"),
        }
    }
    assert!(read > 1000, "too little of this noise is readable: {read}");
}

/// A game in progress.
fn middle(variant: &str, texts: &mut Texts) -> Box<dyn Table> {
    let mut table = open(&variant.parse().unwrap()).unwrap();
    for _ in 0..texts.rng().below(12) {
        let Some(mv) = table.random_move(texts.rng()) else { break };
        table.play(&mv).unwrap();
    }
    table
}

/// What an engine may say, in a game, until it has answered.
#[test]
fn an_answer_is_accepted_only_if_it_is_a_legal_move() {
    let mut accepted = 0;
    for (seed, game) in (1..).zip(GAMES) {
        let table = middle(game.variants[0].text, &mut Texts::new(said(), WORDS, seed));
        let moves = table.moves();
        let answers = moves.iter().take(20).map(|mv| format!("bestmove {mv}"));
        let mut texts = Texts::new(answers.chain(said()).collect(), WORDS, seed);
        let mut heard = Heard::default();
        for _ in 0..20_000 * soak() / GAMES.len() {
            let text = texts.damaged();
            // The program's output is split there before.
            for line in text.lines() {
                let Some(answer) = heard.line(line.trim()) else { continue };
                let Some(reply) = heard.reply(&answer, Duration::ZERO) else { continue };
                assert!(reply.text.bytes().all(|byte| byte.is_ascii_graphic()), "{line:?}");
                if let Ok(mv) = table.read_move(&reply.text) {
                    accepted += 1;
                    assert!(moves.contains(&mv), "{}: {line:?}", game.name);
                }
                heard = Heard::default();
            }
        }
    }
    assert!(accepted > 100, "too few of these answers are moves: {accepted}");
}

/// Lines of clients in a game of this variant: none that makes an agent think for long.
fn asked(variant: &str) -> Vec<String> {
    let mut table = open(&variant.parse().unwrap()).unwrap();
    let start = table.position();
    let mut rng = agon_core::Rng::new(1);
    while table.played().len() < 6 {
        let Some(mv) = table.random_move(&mut rng) else { break };
        table.play(&mv).unwrap();
    }
    let (moves, now) = (table.played().join(" "), table.position());
    let mut all = lines(super::command::tests::EXAMPLES);
    all.retain(|line| line != "quit");
    all.extend(lines(&["setoption name Agent value random", "setoption name Seed value 7"]));
    all.push(format!("setoption name Variant value {variant}"));
    all.push(format!("position startpos moves {moves}"));
    all.push(format!("position fen {start} moves {moves}"));
    all.push(format!("position fen {now}"));
    all
}

#[test]
fn no_line_of_a_client_breaks_its_reader() {
    let all = GAMES.iter().flat_map(|game| asked(game.variants[0].text)).collect();
    let mut texts = Texts::new(all, WORDS, 2);
    let mut read = 0;
    for _ in 0..20_000 * soak() {
        let text = texts.damaged();
        if let Ok(Some(command)) = Command::parse(&text) {
            read += 1;
            let written = command.to_string();
            assert_eq!(Command::parse(&written), Ok(Some(command)), "read again: {text:?}");
        }
    }
    assert!(read > 1000, "too little of this noise is readable: {read}");
}

/// Every line of a session is an input; what it answers can be read by a client.
#[test]
fn no_lines_break_a_session() {
    const LINES: usize = 50;
    for (seed, game) in (1..).zip(GAMES) {
        let variant = game.variants[0].text;
        let mut texts = Texts::new(asked(variant), WORDS, seed);
        for _ in 0..20_000 * soak() / GAMES.len() / LINES {
            let input: Vec<String> = (0..LINES)
                .map(|_| {
                    if texts.rng().below(4) == 0 { texts.intact().into() } else { texts.damaged() }
                })
                .filter(|line| line.trim() != "quit")
                .collect();
            let settings = Settings::new(variant.parse().unwrap(), "random".parse().unwrap());
            let mut output = Vec::new();
            let session = UgiEngine::new(settings).unwrap();
            session.run(input.join("\n").as_bytes(), &mut output).unwrap();
            for line in String::from_utf8(output).unwrap().lines() {
                assert!(line.parse::<EngineLine>().is_ok(), "{line:?} after {input:?}");
            }
        }
    }
}
