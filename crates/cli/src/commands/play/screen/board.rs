//! The board on the screen: cells, pieces and highlights, from a scene and a plan.

use agon_core::Scene;
use agon_core::scene::{CellId, CellShape, Piece, RegionKind};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::widgets::Widget;

use super::plan::{Plan, letter_row};
use crate::draw::palette::{Colours, Light, PLATE, mark};

/// Everything that is visible of a board.
pub(super) struct Board<'a> {
    pub(super) scene: &'a Scene,
    pub(super) plan: &'a Plan,
    pub(super) colours: &'a Colours,
    /// Highlights, by cell.
    pub(super) lights: &'a [Option<Light>],
    pub(super) cursor: Option<CellId>,
    /// Whether colours are used; otherwise characters mark everything.
    pub(super) coloured: bool,
}

/// A rectangle of one colour, measured in half rows.
struct Block {
    x: u16,
    width: u16,
    top: u16,
    below: u16,
}

impl Widget for Board<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        for label in &self.plan.labels {
            let (x, y) = (area.x + label.place.x, area.y + label.place.y);
            buffer.set_string(x, y, &label.text, Style::new().add_modifier(Modifier::DIM));
        }
        for id in 0..self.scene.cells.len() {
            let Some(mut cell) = self.plan.area(id) else { continue };
            (cell.x, cell.y) = (cell.x + area.x, cell.y + area.y);
            let cell = cell.intersection(buffer.area);
            if self.coloured {
                self.paint(id, cell, buffer);
            } else {
                self.write(id, cell, buffer);
            }
        }
    }
}

impl Board<'_> {
    /// Draws a cell in colour.
    fn paint(&self, id: CellId, cell: Rect, buffer: &mut Buffer) {
        let light = self.light(id);
        let ground = light.map_or_else(|| self.ground(id), Light::ground);
        fill(buffer, &self.floor(cell), ground);
        let letter = cell.y + letter_row(cell.height);
        let middle = cell.x + (cell.width - 1) / 2;
        if self.plan.shape == CellShape::Hole {
            fill(buffer, &self.man(cell, true), PLATE.1);
        }
        if let Some(piece) = self.piece(id) {
            let (man, ink) = self.colours.man_and_ink(piece.owner);
            let marked = light.is_some() || self.cursor == Some(id);
            fill(buffer, &self.man(cell, marked), man);
            let style = Style::new().fg(Color::Indexed(ink)).bg(Color::Indexed(man));
            buffer.set_string(middle, letter, piece.letter.to_string(), bold(style));
            if let Some(height) = superscript(piece.height) {
                // Beside the letter; if the tile is too narrow, on the background.
                let narrow = cell.width <= 4;
                let on_ground = bold(Style::new().fg(Color::Indexed(man)));
                let style = if narrow { on_ground.bg(Color::Indexed(ground)) } else { style };
                buffer.set_string(middle + 1, letter, height.to_string(), style);
            }
        }
        if self.cursor == Some(id) {
            let dark = self.plan.shape == CellShape::Hole && light.is_none();
            let ink = Color::Indexed(if dark { 231 } else { 16 });
            self.brackets(cell, bold(Style::new().fg(ink)), buffer);
        }
    }

    /// The background of a cell: squares touch, hexagons leave gaps.
    fn floor(&self, cell: Rect) -> Block {
        let gap = u16::from(self.plan.shape == CellShape::Hexagon);
        let below = 2 * cell.bottom() - gap * u16::from(cell.height > 1);
        Block { x: cell.x, width: cell.width - gap, top: 2 * cell.y, below }
    }

    /// The tile of a piece. On a hexagon it covers the background, unless that is highlighted.
    fn man(&self, cell: Rect, marked: bool) -> Block {
        let floor = self.floor(cell);
        if self.plan.shape == CellShape::Hexagon {
            let inset = u16::from(marked);
            return Block { x: floor.x + inset, width: floor.width - 2 * inset, ..floor };
        }
        // Larger squares leave more background around a piece; low ones have none above it.
        let (inset, above, beneath) = match cell.height {
            0 | 1 => (1, 0, 0),
            2 => (1, 0, 1),
            3 => (1, 1, 1),
            4 => (2, 1, 1),
            _ => (2, 2, 2),
        };
        Block {
            x: floor.x + inset,
            width: floor.width.saturating_sub(2 * inset),
            top: floor.top + above,
            below: floor.below - beneath,
        }
    }

    /// The cursor: brackets around the letter, as high as a square.
    fn brackets(&self, cell: Rect, style: Style, buffer: &mut Buffer) {
        let floor = self.floor(cell);
        let (left, right) = (floor.x, floor.x + floor.width - 1);
        if cell.height == 1 || self.plan.shape == CellShape::Hexagon {
            let row = cell.y + letter_row(cell.height);
            buffer.set_string(left, row, "[", style);
            buffer.set_string(right, row, "]", style);
            return;
        }
        for row in cell.rows().map(|row| row.y) {
            let (open, close) = match row {
                _ if row == cell.y => ("┏", "┓"),
                _ if row + 1 == cell.bottom() => ("┗", "┛"),
                _ => ("┃", "┃"),
            };
            buffer.set_string(left, row, open, style);
            buffer.set_string(right, row, close, style);
        }
    }

    /// Draws a cell without colour.
    fn write(&self, id: CellId, cell: Rect, buffer: &mut Buffer) {
        let letter = cell.y + letter_row(cell.height);
        let middle = cell.x + (cell.width - 1) / 2;
        let plain = Style::new();
        match self.piece(id) {
            Some(piece) => {
                buffer.set_string(middle, letter, piece.letter.to_string(), bold(plain));
                if let Some(height) = superscript(piece.height) {
                    buffer.set_string(middle + 1, letter, height.to_string(), plain);
                }
            }
            None => {
                let mark = self.region(id).and_then(|(kind, owner)| mark(kind, owner));
                buffer.set_string(middle, letter, mark.unwrap_or('.').to_string(), plain);
            }
        }
        let cursor = (self.cursor == Some(id)).then_some(('[', ']'));
        let around = cursor.or(self.light(id).map(Light::brackets));
        if let Some((open, close)) = around {
            // Hexagons have an even width, of which the last column is the gap.
            let last = cell.width - 1 - u16::from(self.plan.shape == CellShape::Hexagon);
            buffer.set_string(cell.x, letter, open.to_string(), bold(plain));
            buffer.set_string(cell.x + last, letter, close.to_string(), bold(plain));
        }
    }

    fn light(&self, id: CellId) -> Option<Light> {
        self.lights.get(id).copied().flatten()
    }

    fn piece(&self, id: CellId) -> Option<&Piece> {
        self.scene.pieces.iter().find(|piece| piece.cell == id)
    }

    fn region(&self, id: CellId) -> Option<(RegionKind, Option<agon_core::Seat>)> {
        let region = self.scene.regions.iter().find(|region| region.cells.contains(&id))?;
        Some((region.kind, region.owner))
    }

    fn ground(&self, id: CellId) -> u8 {
        if self.scene.shape == CellShape::Hole {
            return PLATE.0;
        }
        let cell = &self.scene.cells[id];
        let squares = self.scene.shape == CellShape::Square;
        self.colours.ground(self.region(id), squares && (cell.x + cell.y) as i32 % 2 == 0)
    }
}

/// Fills a block; half rows at its ends are drawn with half-block characters.
fn fill(buffer: &mut Buffer, block: &Block, colour: u8) {
    let colour = Color::Indexed(colour);
    for row in block.top / 2..block.below.div_ceil(2) {
        let (upper, lower) = (2 * row >= block.top, 2 * row + 1 < block.below);
        for x in block.x..block.x + block.width {
            let Some(cell) = buffer.cell_mut((x, row)) else { continue };
            match (upper, lower) {
                (true, true) => cell.set_char(' ').set_bg(colour),
                (true, false) => cell.set_char('▀').set_fg(colour),
                (false, _) => cell.set_char('▄').set_fg(colour),
            };
        }
    }
}

fn bold(style: Style) -> Style {
    style.add_modifier(Modifier::BOLD)
}

/// The height of a stack as a superscript; `None` for a single piece.
fn superscript(height: u8) -> Option<char> {
    match height {
        0 | 1 => None,
        2..=9 => "²³⁴⁵⁶⁷⁸⁹".chars().nth(usize::from(height) - 2),
        _ => Some('⁺'),
    }
}
