//! Noise instead of lines.

use agon_core::Rng;

use super::Next;
use super::tests::lines;
use crate::noise::{damaged_bytes, soak};

/// The lines of a text in the simplest way, up to the first that is too long.
fn naive(text: &[u8], longest: usize) -> (Vec<String>, Next) {
    let mut found = Vec::new();
    let mut pieces = text.split(|&byte| byte == b'\n');
    let rest = pieces.next_back().unwrap_or_default();
    for line in pieces {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.len() > longest {
            return (found, Next::TooLong);
        }
        found.push(String::from_utf8_lossy(line).into_owned());
    }
    // One byte over the limit may be the first half of the line end.
    (found, if rest.len() > longest + 1 { Next::TooLong } else { Next::Nothing })
}

#[test]
fn no_bytes_break_the_lines() {
    let corpus = [
        b"info depth 3 score cp 5 pv a1a2\r\nbestmove a1a2\n".to_vec(),
        b"\n\n\r\n\r\r\nhalf".to_vec(),
        b"id name \xff\xfe\xe2\x82\nugiok\n".to_vec(),
        [b'x'; 300].to_vec(),
    ];
    let mut rng = Rng::new(6);
    for _ in 0..20_000 * soak() {
        let bytes = damaged_bytes(&corpus, &mut rng);
        let (piece, longest) = (1 + rng.below(40) as usize, rng.below(100) as usize);
        assert_eq!(lines(&bytes, piece, longest), naive(&bytes, longest), "{bytes:?}");
    }
}
