//! Where everything that is kept lies.

use std::env;
use std::path::PathBuf;

use etcetera::BaseStrategy;

/// The data folder: as `AGON_DATA` says, or where the system keeps such data. `None` where neither
/// is known.
pub fn folder() -> Option<PathBuf> {
    let given = env::var_os("AGON_DATA").filter(|text| !text.is_empty()).map(PathBuf::from);
    given.or_else(|| Some(etcetera::choose_base_strategy().ok()?.data_dir().join("agon")))
}
