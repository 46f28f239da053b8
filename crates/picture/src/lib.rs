//! A position as a self-contained picture: SVG with inline colours, for notebooks, reports and
//! files.
//!
//! The pages draw the same board with the same pieces, as nodes that they can animate
//! (`crates/web/client/board/`); a test compares the shapes and colours of the two.
//!
//! ```
//! let table = agon_games::open(&"congo".parse().unwrap()).unwrap();
//! let names = ["white", "black"];
//! let svg = agon_picture::svg(&table.scene(), &names, None);
//! assert!(svg.starts_with("<svg") && svg.ends_with("</svg>"));
//! ```

mod board;
mod colours;
mod geometry;
mod pieces;
mod shapes;

use agon_core::Scene;
use agon_core::scene::{CellShape, Trace};

use board::Board;
pub use colours::{TONES, Tone, tone_of};
use geometry::Layout;

/// The picture of a position, with the move that led to it marked if it is given. `seats` are the
/// names of the seats, which determine the colours.
pub fn svg(scene: &Scene, seats: &[&str], last: Option<&Trace>) -> String {
    let layout = Layout::new(scene);
    let board = Board::new(scene, &layout, seats);
    let frame = board.frame();
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{} {} {} {}\" \
         style=\"max-width:30em;max-height:30em;width:100%\" role=\"img\" \
         font-family=\"sans-serif\">",
        frame.x, frame.y, frame.width, frame.height
    );
    board.draw(&mut out);
    // A plate stands before the pieces, and marks are on it.
    let upright = scene.shape == CellShape::Hole;
    if let Some(last) = last.filter(|_| !upright) {
        board.mark(last, &mut out);
    }
    let mut pieces: Vec<_> = scene.pieces.iter().collect();
    // Pieces lower on the screen are drawn over higher ones.
    pieces.sort_by(|one, other| layout.points[one.cell].y.total_cmp(&layout.points[other.cell].y));
    for piece in pieces {
        let at = layout.points[piece.cell];
        pieces::draw(piece, seats, at, &mut out);
    }
    if upright {
        board.draw_front(last, &mut out);
    }
    out.push_str("</svg>");
    out
}

/// A text inside SVG.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests;
