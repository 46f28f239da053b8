//! How fast this machine is.

use agon_search::bench::{self, Short};
use cpu_time::ThreadTime;

/// A short run of the bench, by processor time: a machine that is busy is not slower for it. It takes
/// about a second.
pub fn measure() -> Short {
    let begun = ThreadTime::now();
    bench::short(|| begun.elapsed())
}
