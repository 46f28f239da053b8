//! Pieces: tokens with a pictogram, stacks seen from the side, pegs, discs.

use std::fmt::Write;

use agon_core::scene::Piece;

use crate::colours::{CROWN_EDGE, SHADE, Tone, tone_of};
use crate::geometry::Point;
use crate::shapes::{CROWN, Paint, SHINE, SIDE_MARKS, STAR, picture};
use crate::{colours, escaped};

/// Draws a piece at its place.
pub fn draw(piece: &Piece, seats: &[&str], Point { x, y }: Point, out: &mut String) {
    let tone = tone_of(seats, Some(piece.owner));
    let _ = write!(out, "<g transform=\"translate({x} {y})\">");
    if piece.height > 1 || ["soldier", "general", "king"].contains(&&*piece.name) {
        stack(piece.height, tone, out);
    } else if piece.name == "peg" {
        peg(tone, out);
    } else if piece.name == "disc" {
        flat_disc(tone, out);
    } else {
        token(piece, tone, out);
    }
    out.push_str("</g>");
}

fn token(piece: &Piece, tone: Tone, out: &mut String) {
    let _ = write!(out, "<circle cy=\"5\" r=\"41\" fill=\"{SHADE}\"/>");
    disc(41, tone, out);
    let _ = write!(out, "<circle r=\"36.5\" {}/>", rim(tone));
    let Some(shapes) = picture(&piece.name) else {
        let letter = escaped(&piece.letter.to_uppercase().to_string());
        let _ = write!(
            out,
            "<text y=\"16\" text-anchor=\"middle\" font-size=\"46\" font-weight=\"700\" \
             fill=\"{}\">{letter}</text>",
            tone.ink
        );
        return;
    };
    for (paint, d) in shapes {
        let _ = write!(out, "<path d=\"{d}\" {}/>", painted(*paint, tone));
    }
}

fn disc(radius: u32, tone: Tone, out: &mut String) {
    let Tone { body, edge, .. } = tone;
    let _ = write!(
        out,
        "<circle r=\"{radius}\" fill=\"{body}\" stroke=\"{edge}\" stroke-width=\"3\"/>"
    );
}

fn rim(tone: Tone) -> String {
    format!("fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\" opacity=\"0.28\"", tone.ink)
}

fn painted(paint: Paint, Tone { body, ink, .. }: Tone) -> String {
    let stroke = |colour: &str, width: f64| {
        format!(
            "fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" stroke-linecap=\"round\" \
             stroke-linejoin=\"round\""
        )
    };
    match paint {
        Paint::Ink => format!("fill=\"{ink}\""),
        Paint::Cut => format!("fill=\"{body}\""),
        Paint::Line => stroke(ink, 2.6),
        Paint::Seam => stroke(body, 2.8),
    }
}

fn peg(tone: Tone, out: &mut String) {
    let _ = write!(out, "<circle cy=\"5\" r=\"37\" fill=\"{SHADE}\"/>");
    disc(37, tone, out);
    let _ = write!(out, "<path d=\"{SHINE}\" fill=\"#fff\" opacity=\"0.45\"/>");
    let mark = side_mark(tone).unwrap_or(SIDE_MARKS[0].1);
    let _ = write!(out, "<path d=\"{mark}\" {}/>", painted(Paint::Ink, tone));
}

/// A disc with a groove and, faintly, the mark of its side.
fn flat_disc(tone: Tone, out: &mut String) {
    let _ = write!(out, "<circle cy=\"5\" r=\"41\" fill=\"{SHADE}\"/>");
    disc(41, tone, out);
    let _ = write!(
        out,
        "<circle r=\"29\" fill=\"none\" stroke=\"{}\" stroke-width=\"3.5\" opacity=\"0.6\"/>",
        tone.side
    );
    if let Some(mark) = side_mark(tone) {
        let _ = write!(out, "<path d=\"{mark}\" fill=\"{}\" opacity=\"0.6\"/>", tone.side);
    }
}

fn side_mark(tone: Tone) -> Option<&'static str> {
    SIDE_MARKS.iter().find(|(name, _)| *name == tone.name).map(|(_, mark)| *mark)
}

/// A stack of discs, seen from the side; two have a star, more a crown.
fn stack(height: u8, tone: Tone, out: &mut String) {
    const RX: i32 = 38;
    const RY: i32 = 16;
    const THICK: i32 = 15;
    let height = i32::from(height);
    let bottom = (7 * height + if height > 2 { 8 } else { 3 }).min(30);
    let _ = write!(
        out,
        "<ellipse cy=\"{}\" rx=\"{RX}\" ry=\"{}\" fill=\"{SHADE}\"/>",
        bottom + 5,
        RY + 1
    );
    let Tone { body, side, edge, .. } = tone;
    let outline = format!("stroke=\"{edge}\" stroke-width=\"3\"");
    let mut top = bottom;
    for level in 1..=height {
        top = bottom - level * THICK;
        let wall = format!("M-{RX} {top}v{THICK}a{RX} {RY} 0 0 0 {} 0v-{THICK}z", 2 * RX);
        let _ = write!(out, "<path d=\"{wall}\" fill=\"{side}\" {outline}/>");
        let _ = write!(
            out,
            "<ellipse cy=\"{top}\" rx=\"{RX}\" ry=\"{RY}\" fill=\"{body}\" {outline}/>"
        );
    }
    let (rx, ry) = (RX - 8, RY - 4);
    let _ = write!(out, "<ellipse cy=\"{top}\" rx=\"{rx}\" ry=\"{ry}\" {}/>", rim(tone));
    if height == 2 {
        let at = format!("translate(0 {top}) scale(1.2 .55)");
        let paint = painted(Paint::Ink, tone);
        let _ = write!(out, "<path d=\"{STAR}\" transform=\"{at}\" {paint}/>");
    }
    if height > 2 {
        let at = format!("translate(0 {})", top + 2);
        let _ = write!(
            out,
            "<path d=\"{CROWN}\" transform=\"{at}\" fill=\"{}\" stroke=\"{CROWN_EDGE}\" \
             stroke-width=\"2.6\" stroke-linejoin=\"round\"/>",
            colours::CROWN
        );
    }
}
