//! Noise instead of files of openings, in every game.

use agon_games::{GAMES, Playable, Visitor, with_game};

use super::*;
use crate::noise::{Texts, soak};

const WORDS: &[&str] = &["moves ", "\nmoves ", " # ", "#", "\n", "0.35", "start", "8", "10", "W"];

/// An opening as a line of a file.
fn line<G: Notation>(opening: &Opening<G>) -> String {
    if let Some(start) = opening.custom_start() {
        return start;
    }
    let mut position = opening.start().clone();
    let mut line = "moves".to_string();
    for &mv in opening.moves() {
        line = line + " " + &position.move_text(mv);
        position.play(mv);
    }
    line
}

/// Files with the openings of some random games.
fn files<G: Notation>(start: &G) -> Vec<String> {
    let mut rng = Rng::new(1);
    let opening = |plies, rng: &mut Rng| Opening::random(start, plies, rng);
    let mut files = vec!["moves\n".to_string()];
    for plies in [1, 2, 4, 6, 9] {
        let Some(first) = opening(plies, &mut rng) else { continue };
        let (position, _) = first.board();
        let text = position.position_text();
        let moves = line(&first);
        files.push(format!("# {plies} plies\n{moves}  # 0.21\n\n{text}\n"));
        files.push(format!("{text} # even\nmoves\n{moves}"));
        files.push(moves);
        files.push(text);
    }
    files
}

/// Reads so much noise, and returns how much of it was accepted.
struct Fuzz {
    inputs: usize,
    seed: u64,
}

impl Visitor for Fuzz {
    type Output = usize;

    fn visit<G: Playable>(self, variant: Variant, start: G) -> usize {
        let mut texts = Texts::new(files(&start), WORDS, self.seed);
        let mut read = 0;
        for _ in 0..self.inputs {
            let text = texts.damaged();
            let openings = match read_openings("noise", &text, &start) {
                Ok(openings) => openings,
                Err(error) => {
                    assert!(error.to_string().contains("noise"), "{error}");
                    continue;
                }
            };
            read += 1;
            assert!((1..=text.lines().count()).contains(&openings.len()));
            for opening in &openings {
                let (position, history) = opening.board();
                assert!(history.turn(&position).is_ok(), "{variant}: it is over in {text:?}");
                let written = line(opening);
                let again = read_opening(&written, &start).unwrap();
                assert_eq!(&again, opening, "{variant}: {written:?} from {text:?}");
            }
        }
        read
    }
}

#[test]
fn no_text_breaks_the_reader_of_openings() {
    let variants: Vec<&str> =
        GAMES.iter().flat_map(|game| game.variants.iter().map(|variant| variant.text)).collect();
    let inputs = (20_000 * soak()).div_ceil(variants.len());
    for (seed, variant) in (1..).zip(&variants) {
        let read = with_game(&variant.parse().unwrap(), Fuzz { inputs, seed }).unwrap();
        assert!(read > inputs / 50, "{variant}: too little of this noise is readable: {read}");
    }
}

#[test]
fn no_text_breaks_the_names_of_openings() {
    let corpus = ["start", "random:4", "book:6", "balanced", "file:a/b.txt", "a/b.txt"];
    let mut texts = Texts::new(corpus.map(String::from).to_vec(), WORDS, 2);
    for _ in 0..20_000 * soak() {
        let text = texts.damaged();
        match text.parse::<Openings>() {
            Ok(Openings::Random(plies) | Openings::Book(plies)) => assert!(plies <= MOST_PLIES),
            // Names of files are shown with stand-ins for what cannot be printed.
            Ok(Openings::File(_)) => {}
            Ok(openings) => assert_eq!(openings.to_string(), text),
            Err(error) => assert!(error.to_string().contains("such as"), "{error}"),
        }
    }
}
