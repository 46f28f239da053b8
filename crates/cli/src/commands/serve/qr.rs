//! An address as a QR code in the terminal.

use anstyle::{Ansi256Color, Color, Style};
use qrcodegen::{QrCode, QrCodeEcc};

use crate::draw::styled;

/// The light border that readers need, in modules.
const BORDER: i32 = 4;

/// White on black whatever the terminal's own colours are. Without any colour, what is light is
/// still drawn, as on a dark background.
const PAPER: Style = Style::new()
    .fg_color(Some(Color::Ansi256(Ansi256Color(231))))
    .bg_color(Some(Color::Ansi256(Ansi256Color(16))));

/// The code of a text, at most this many columns wide. Two rows of modules make a line, as characters
/// are twice as high as wide. `None` if it does not fit.
pub(super) fn code(text: &str, columns: u16) -> Option<String> {
    let code = QrCode::encode_text(text, QrCodeEcc::Low).ok()?;
    let across = -BORDER..code.size() + BORDER;
    if across.len() > usize::from(columns) {
        return None;
    }
    let line = |y: i32| -> String {
        let block = |x: i32| match (is_light(&code, x, y), is_light(&code, x, y + 1)) {
            (true, true) => '█',
            (true, false) => '▀',
            (false, true) => '▄',
            (false, false) => ' ',
        };
        styled(PAPER, &across.clone().map(block).collect::<String>())
    };
    Some(across.clone().step_by(2).map(|y| line(y) + "\n").collect())
}

/// Whether a module is light. Below the border is nothing, which is dark.
fn is_light(code: &QrCode, x: i32, y: i32) -> bool {
    y < code.size() + BORDER && !code.get_module(x, y)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The modules as they are drawn, dark ones as `#`, without the border.
    fn drawn(text: &str) -> Vec<String> {
        let lines = code(text, 80).unwrap();
        let plain = anstream::adapter::strip_str(&lines).to_string();
        let mut rows = Vec::new();
        for line in plain.lines() {
            let row = |light: [char; 2]| -> String {
                line.chars().map(|it| if light.contains(&it) { '.' } else { '#' }).collect()
            };
            rows.extend([row(['█', '▀']), row(['█', '▄'])]);
        }
        let border = BORDER as usize;
        let width = rows[0].chars().count();
        assert!(rows[..border].iter().all(|row| !row.contains('#')), "a border above");
        let inside = &rows[border..width - border];
        assert!(rows[width - border..width].iter().all(|row| !row.contains('#')), "one below");
        inside.iter().map(|row| row[border..width - border].to_string()).collect()
    }

    /// What a reader sees in a code of version 2 without errors: the text in it. Written from the
    /// standard, as a reader that shares nothing with the writer.
    fn read(rows: &[String]) -> String {
        let size = rows.len();
        assert_eq!(size, 25, "version 2");
        let dark = |x: usize, y: usize| rows[y].as_bytes()[x] == b'#';
        // The format is below the finder pattern on the top left: the level, which does not matter in
        // this version, and the mask.
        let format: u16 = [(0, 8), (1, 8), (2, 8), (3, 8), (4, 8)]
            .iter()
            .fold(0, |bits, &(x, y)| bits << 1 | u16::from(dark(x, y)));
        let format = format ^ 0b10101;
        let masked = |x: usize, y: usize| match format & 7 {
            0 => (x + y).is_multiple_of(2),
            1 => y.is_multiple_of(2),
            2 => x.is_multiple_of(3),
            3 => (x + y).is_multiple_of(3),
            4 => (x / 3 + y / 2).is_multiple_of(2),
            5 => x * y % 2 + x * y % 3 == 0,
            6 => (x * y % 2 + x * y % 3).is_multiple_of(2),
            _ => ((x + y) % 2 + x * y % 3).is_multiple_of(2),
        };
        let is_data = |x: usize, y: usize| {
            let (left, top) = (x < 9, y < 9);
            let (right, bottom) = (x >= size - 8, y >= size - 8);
            let finder = (top && (left || right)) || (left && bottom);
            let alignment = (16..=20).contains(&x) && (16..=20).contains(&y);
            !(finder || alignment || x == 6 || y == 6)
        };
        let mut bits: Vec<bool> = Vec::new();
        let (mut right, mut up) = (size - 1, true);
        loop {
            for step in 0..size {
                let y = if up { size - 1 - step } else { step };
                let pair = [right, right - 1].into_iter().filter(|&x| is_data(x, y));
                bits.extend(pair.map(|x| dark(x, y) != masked(x, y)));
            }
            up = !up;
            right = match right {
                1 => break,
                // The timing pattern is in the way.
                8 => 5,
                _ => right - 2,
            };
        }
        let mut bits = bits.into_iter();
        let mut number =
            |count: usize| bits.by_ref().take(count).fold(0, |sum, bit| sum * 2 + usize::from(bit));
        assert_eq!(number(4), 0b0100, "bytes");
        let length = number(8);
        String::from_utf8((0..length).map(|_| number(8) as u8).collect()).unwrap()
    }

    #[test]
    fn a_reader_finds_the_address_in_what_is_drawn() {
        for address in
            ["http://192.168.1.20:7300", "http://10.0.0.5:65535", "http://172.30.255.254"]
        {
            assert_eq!(read(&drawn(address)), address);
        }
    }

    #[test]
    fn it_is_not_drawn_where_it_does_not_fit() {
        assert!(code("http://192.168.1.20:7300", 33).is_some());
        assert!(code("http://192.168.1.20:7300", 32).is_none());
    }
}
