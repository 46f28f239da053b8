//! From arguments to a game on the table.

use agon_core::text::split_moves;
use agon_core::{TextError, Variant};
use agon_games::{Catalog, Table};

use crate::args::PositionArgs;

/// Opens the position of the arguments.
pub(crate) fn table(catalog: &Catalog, args: &PositionArgs) -> Result<Box<dyn Table>, TextError> {
    let variant: Variant = args.variant.parse()?;
    opened(catalog, &variant, args.position.as_deref(), args.moves.as_deref())
}

/// Opens a variant, at a position if one is given, and plays the moves.
pub(crate) fn opened(
    catalog: &Catalog,
    variant: &Variant,
    position: Option<&str>,
    moves: Option<&str>,
) -> Result<Box<dyn Table>, TextError> {
    catalog.open_at(variant, position, &split_moves(moves.unwrap_or("")))
}
