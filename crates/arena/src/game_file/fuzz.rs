//! Noise instead of saved games: files to resume, and PGN.

use agon_core::Rng;
use agon_games::{Catalog, GAMES};
use agon_search::Score;

use super::*;
use crate::clock::{Pace, TimeControl};
use crate::noise::{Texts, soak};
use crate::session::{Session, StoredEnd};
use crate::store::export::pgn::read_pgn;

const WORDS: &[&str] = &[
    "\"format\": \"agon-game\",",
    "\"version\": 1,",
    "\"version\": 2,",
    "\"moves\": [",
    "\"played\": [",
    "\"start\": ",
    "\"time\": ",
    "\"5m+3s\"",
    "\"per_move\": \"1s\",",
    "\"end\": ",
    "{\"kind\": \"resigned\", \"seat\": 1}",
    "{\"kind\": \"agreed\"}",
    "\"score\": {\"win_in\": 3},",
    "\"ms\": ",
    "\"nodes\": ",
    "\"seat\": ",
    "\\u0000",
    "\\ud800",
    "1. ",
    "{[%emt 0:00:01]}",
    "1-0",
    "[Points \"100-0\"]\n",
    "[Variant \"congo\"]\n",
];

/// Games in progress, as they are stored.
fn stored() -> Vec<StoredSession> {
    let (catalog, mut rng) = (Catalog::built_in(), Rng::new(1));
    let mut all = Vec::new();
    for (number, game) in (0..).zip(GAMES.iter().cycle().take(3 * GAMES.len())) {
        let mut table = catalog.open(&game.variants[0].text.parse().unwrap()).unwrap();
        for ply in 0..3 * number {
            let Some(mv) = table.random_move(&mut rng) else { break };
            table.play(&mv).unwrap();
            if number % 3 == 1 && ply == 2 * number {
                let position = table.position();
                table.set_position(&position).unwrap();
            }
        }
        let game = "10s+100ms".parse().ok().filter(|_| number % 2 == 0);
        let time = TimeControl { game, per_move: None };
        let mut stored = Session::at_table(table, Pace { time, ..Pace::default() }).stored();
        for ply in stored.played.iter_mut().step_by(2) {
            (ply.ms, ply.nodes, ply.depth) = (17, 1000, 5);
            ply.score = Some(Score::units(-31).into());
        }
        stored.end = match number % 4 {
            0 => Some(StoredEnd::Resigned { seat: 1 }),
            1 => Some(StoredEnd::Fault { seat: 0, code: "crash".into(), evidence: "x\ny".into() }),
            _ => None,
        };
        all.push(stored);
    }
    all
}

/// The same as files of both versions.
fn files() -> Vec<String> {
    let mut files = Vec::new();
    for session in stored() {
        let moves: Vec<&str> = session.played.iter().map(|ply| ply.text.as_str()).collect();
        let old = serde_json::json!({
            "format": FORMAT, "version": 1, "variant": session.variant,
            "position": session.start, "moves": moves,
        });
        files.push(old.to_string());
        let file = GameFile { format: FORMAT, version: VERSION, session };
        files.push(serde_json::to_string_pretty(&file).unwrap());
        files.push(serde_json::to_string(&file).unwrap());
    }
    files
}

#[test]
fn no_text_breaks_the_reader_of_saved_games() {
    let catalog = Catalog::built_in();
    let mut texts = Texts::new(files(), WORDS, 1);
    let mut resumed = 0;
    for _ in 0..20_000 * soak() {
        let text = texts.damaged();
        let session = match read(&catalog, &text) {
            Ok(session) => session,
            Err(problem) => {
                assert!((1..1000).contains(&problem.chars().count()), "{problem}");
                continue;
            }
        };
        resumed += 1;
        let written = write(&session).unwrap();
        let again = read(&catalog, &written).unwrap_or_else(|error| panic!("{error}: {written}"));
        assert_eq!(write(&again).unwrap(), written, "from {text}");
        assert_eq!(again.table().position(), session.table().position());
        assert_eq!(again.verdict(), session.verdict());
        if let Some(record) = session.record() {
            record.effort();
            record.clocks();
        }
    }
    assert!(resumed > 200, "too little of this noise is a saved game: {resumed}");
}

#[test]
fn a_problem_does_not_quote_a_whole_file() {
    let (long, catalog) = ("x".repeat(100_000), Catalog::built_in());
    let old = "\"format\": \"agon-game\", \"version\": 1";
    let new = "\"format\": \"agon-game\", \"version\": 2, \"variant\": \"congo\", \"played\": []";
    for inside in [
        format!("\"format\": \"{long}\""),
        format!("{old}, \"{long}\": 1"),
        format!("{old}, \"variant\": \"{long}\", \"moves\": []"),
        format!("{new}, \"time\": \"{long}\""),
    ] {
        let problem = read(&catalog, &format!("{{{inside}}}")).map(drop).unwrap_err();
        assert!(problem.chars().count() < 1000, "{problem:.100}");
    }
}

/// Games in PGN, with and without comments.
fn pgn() -> Vec<String> {
    let mut all = Vec::new();
    for session in stored() {
        let mut text = format!("[Event \"noise\"]\n[Variant \"{}\"]\n", session.variant);
        text += "[Result \"1-0\"]\n[Points \"100-0\"]\n[Evidence \"a \\\"b\\\" \\u{7}\\\\\"]\n";
        for (ply, played) in session.played.iter().enumerate() {
            if ply % 2 == 0 {
                text += &format!("\n{}. ", ply / 2 + 1);
            }
            text += &format!("{} ", played.text);
            if ply % 3 == 0 {
                text += "{[%eval 0.35,9] [%emt 0:00:01.5]} ";
            }
        }
        all.push(text + "1-0\n\n");
    }
    all
}

#[test]
fn no_text_breaks_the_reader_of_pgn() {
    let mut texts = Texts::new(pgn(), WORDS, 2);
    let mut read = 0;
    for _ in 0..20_000 * soak() {
        let text = texts.damaged();
        if let Ok(games) = read_pgn(&text) {
            // Games were once written without this tag, which the result alone does not replace.
            if games.iter().any(|game| game.tag("Points").is_none()) {
                continue;
            }
            read += 1;
            let written: String = games.iter().map(ToString::to_string).collect();
            assert_eq!(read_pgn(&written).as_ref(), Ok(&games), "{written:?} from {text:?}");
        }
    }
    assert!(read > 500, "too little of this noise is readable: {read}");
}
