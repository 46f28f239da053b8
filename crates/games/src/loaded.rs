//! Games that are not compiled in, but loaded at run time.

use std::fmt;
use std::sync::Arc;

use agon_core::{TextError, Variant};

use crate::info::GameInfo;
use crate::simple::SimpleRules;

/// The rules of a loaded game. Its positions are bytes, so that all loaded games have one type and
/// the searches are compiled for them once.
pub type LoadedRules = dyn SimpleRules<State = Vec<u8>>;

/// Finds games at run time. In variant texts they have the loader's name; the setup says which.
pub trait Loader: fmt::Debug + Send + Sync {
    /// The name in variant texts.
    fn name(&self) -> &str;

    /// Passes on what its games are; the description need not live longer than the call.
    fn describe(&self, tell: &mut dyn FnMut(&GameInfo<'_>));

    /// Loads the rules of a variant, and says what its canonical text is.
    fn load(&self, variant: &Variant) -> Result<(Variant, Arc<LoadedRules>), TextError>;
}
