//! The data folder, where everything is stored.

use std::env;
use std::path::PathBuf;

use etcetera::BaseStrategy;

/// The data folder: `AGON_DATA`, or the platform's data directory. `None` where neither is known.
pub fn folder() -> Option<PathBuf> {
    let given = env::var_os("AGON_DATA").filter(|text| !text.is_empty()).map(PathBuf::from);
    given.or_else(|| Some(etcetera::choose_base_strategy().ok()?.data_dir().join("agon")))
}
