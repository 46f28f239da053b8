//! Text: what may stand in XML, how wide it is, and numbers as text.

/// The size of all text, in pixels.
pub(crate) const SIZE: f64 = 12.0;

/// The distance of the lines of a label, in pixels.
pub(crate) const LINE: f64 = 15.0;

/// Text as it can be drawn: characters that XML forbids, and line ends, become blanks.
pub(crate) fn clean(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') { ' ' } else { c })
        .collect()
}

/// Text inside an element.
pub(crate) fn escaped(text: &str) -> String {
    clean(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The estimated width in pixels. The font is the page's and not known here: the estimate is that
/// of a wide one, so that text is never cut.
pub(crate) fn width(text: &str) -> f64 {
    text.chars().map(em).sum::<f64>() * SIZE
}

fn em(c: char) -> f64 {
    match c {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | ' ' | 'I' => 0.34,
        'f' | 'r' | 't' | '(' | ')' | '[' | ']' | '-' | '/' => 0.42,
        '\u{2009}' => 0.2,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '—' => 0.98,
        '+' | '±' | '=' | '<' | '>' | '−' | '~' => 0.84,
        'A'..='Z' | '&' => 0.74,
        '\u{300}'..='\u{36f}' | '\u{200b}'..='\u{200f}' => 0.0,
        // Chinese, Japanese and Korean characters, and pictures.
        '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7a3}' => 1.02,
        '\u{f900}'..='\u{faff}' | '\u{fe30}'..='\u{fe6f}' | '\u{ff00}'..='\u{ff60}' => 1.02,
        '\u{fdfd}' | '\u{1f000}'..='\u{3ffff}' => 1.4,
        _ => 0.63,
    }
}

/// The widest of several texts.
pub(crate) fn widest<'a>(texts: impl IntoIterator<Item = &'a str>) -> f64 {
    texts.into_iter().map(width).fold(0.0, f64::max)
}

/// The text, with an ellipsis where it would be wider than `limit`.
pub(crate) fn shortened(text: &str, limit: f64) -> String {
    if width(text) <= limit {
        return text.to_owned();
    }
    let mut left = limit - width("…");
    let fits = |c: &char| {
        left -= em(*c) * SIZE;
        left >= 0.0
    };
    let kept: String = text.chars().take_while(fits).collect();
    format!("{}…", kept.trim_end())
}

/// The text in at most `most` lines that are no wider than `limit`, broken at blanks and after
/// hyphens where possible. What does not fit ends in an ellipsis.
pub(crate) fn wrapped(text: &str, limit: f64, most: usize) -> Vec<String> {
    let text = clean(text);
    let mut lines = vec![String::new()];
    for word in text.split_inclusive([' ', '-', '/', '_']) {
        let line = lines.last_mut().expect("there is always a line");
        let joined = format!("{line}{word}");
        if line.is_empty() || width(joined.trim_end()) <= limit || lines.len() == most {
            *lines.last_mut().expect("there is always a line") = joined;
        } else {
            lines.push(word.to_owned());
        }
    }
    lines.iter().map(|line| shortened(line.trim(), limit)).collect()
}

/// Whether `wrapped` keeps all of the text.
pub(crate) fn fits(text: &str, limit: f64, most: usize) -> bool {
    wrapped(text, limit, most).iter().all(|line| !line.ends_with('…'))
}

/// A number for descriptions, with what digits a reader needs.
pub(crate) fn number(value: f64) -> String {
    let size = value.abs();
    if size != 0.0 && !(1e-3..1e9).contains(&size) {
        return power(value, 2);
    }
    let digits = if size < 1.0 {
        4
    } else if size < 1000.0 {
        2
    } else {
        0
    };
    let text = fixed(value, digits);
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// A number with some digits after the point, and thousands set apart.
pub(crate) fn fixed(value: f64, digits: usize) -> String {
    let text = format!("{:.digits$}", value.abs());
    let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    let mut out = String::new();
    if value < 0.0 && text.contains(|c| ('1'..='9').contains(&c)) {
        out.push('−');
    }
    for (at, digit) in whole.char_indices() {
        if at > 0 && whole.len() > 4 && (whole.len() - at).is_multiple_of(3) {
            // A thin space.
            out.push('\u{2009}');
        }
        out.push(digit);
    }
    out + rest
}

/// A number as a multiple of a power of ten, with at most some digits after the point.
pub(crate) fn power(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let mantissa = match mantissa.contains('.') {
        true => mantissa.trim_end_matches('0').trim_end_matches('.'),
        false => mantissa,
    };
    let raised: String = exponent.chars().map(superscript).collect();
    match mantissa {
        "0" | "-0" => "0".to_owned(),
        "1" => format!("10{raised}"),
        "-1" => format!("−10{raised}"),
        _ => format!("{}·10{raised}", mantissa.replace('-', "−")),
    }
}

fn superscript(c: char) -> char {
    match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        _ => c.to_digit(10).and_then(|d| char::from_u32(0x2070 + d)).unwrap_or(c),
    }
}
