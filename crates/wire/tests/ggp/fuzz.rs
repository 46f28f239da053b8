//! Noise for the parsers: real messages, torn, doubled and mixed. No panic, and no answer that
//! takes for ever. `AGON_SOAK` makes it a million and more for each.

use agon_core::Rng;
use agon_gdl::breakthrough::move_text;
use agon_gdl::kif;
use agon_wire::ggp::http::{Request, read_reply, read_request, reply, request};
use agon_wire::ggp::message::Message;
use agon_wire::ggp::player::{Call, Player};

use crate::harness::{Dialect, options, rules};
use crate::noise::{Texts, damaged_bytes, soak};

/// Real texts.
fn texts() -> Vec<String> {
    let mut texts: Vec<String> = [
        "(INFO)",
        "( PREVIEW (( role white ) ) 3 )",
        "(PLAY m NIL)",
        "(PLAY m ((MOVE 1 2 1 3) NOOP))",
        "( PLAY m (noop ( move 2 4 2 3 ) ) )",
        "(PLAY m 1 (MOVE 1 2 1 3) ((DID WHITE (MOVE 1 2 1 3)) (DID BLACK NOOP) ))",
        "(STOP m ((MOVE 3 4 3 5) NOOP))",
        "( ABORT m )",
        "(move 10 9 10 10)",
        "; a comment\n(noop)",
    ]
    .map(str::to_string)
    .to_vec();
    for dialect in [Dialect::Course, Dialect::Base] {
        texts.push(dialect.start("m", "white", &rules("breakthrough:5x5"), (0, 0)));
    }
    texts
}

/// Words of the language, to be put anywhere.
const WORDS: &[&str] = &["(", ")", "()", "NIL", "(move ", "noop", "?x", "<=", ";", "%", "START "];

#[test]
fn no_text_breaks_the_reader_of_messages() {
    let mut texts = Texts::new(texts(), WORDS, 1);
    let mut read = 0;
    for _ in 0..20_000 * soak() {
        let text = texts.damaged();
        if let Ok(terms) = kif::read(&text) {
            for term in &terms {
                let again = kif::read_one(&term.to_string()).expect("what was read can be read");
                assert_eq!(&again, term);
                let _ = move_text(term);
            }
            read += 1;
        }
        let _ = Message::read(&text);
    }
    assert!(read > 1000, "too little of this noise is readable: {read}");
}

#[test]
fn no_bytes_break_the_readers_of_http() {
    let mut bytes = Vec::new();
    for text in texts() {
        bytes.push(Dialect::Course.request(&text).into_bytes());
        bytes.push(Dialect::Base.request(&text).into_bytes());
        bytes.push(request("localhost", &text, true).into_bytes());
        bytes.push(reply("200 OK", &text).into_bytes());
        bytes.push(format!("GET /{text} HTTP/1.1\r\nHost: x\r\n\r\n").into_bytes());
    }
    let mut rng = Rng::new(2);
    let mut read = [0; 2];
    for _ in 0..20_000 * soak() {
        let bytes = damaged_bytes(&bytes, &mut rng);
        read[0] += usize::from(matches!(read_request(&bytes), Ok(Some(_))));
        read[1] += usize::from(matches!(read_reply(&bytes, rng.below(2) == 0), Ok(Some(_))));
    }
    assert!(read.iter().all(|read| *read > 500), "{read:?}");
}

#[test]
fn no_message_breaks_a_player() {
    let player = Player::new(options("random"), Box::new(|_| {})).unwrap();
    let mut texts = Texts::new(texts(), WORDS, 3);
    let peer = "127.0.0.1:1".parse().unwrap();
    for _ in 0..500 * soak() {
        let body = texts.damaged();
        let call = Call { peer, accepted: std::time::Instant::now() };
        let (_, answer) =
            player.answer(&Request { body, answer_unused: texts.rng().below(8) == 0 }, call);
        assert!(!answer.is_empty() && answer.is_ascii(), "{answer}");
    }
}
