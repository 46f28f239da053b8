//! The contest: environments, their agents, and the standings.
//!
//! Everything here is public: no answer contains a password or its hash.

mod agents;
mod curve;
mod environments;
mod results;
mod runs;

pub use agents::agent;
pub use environments::{environment, list};
pub use results::{results, results_of};
pub use runs::run;

pub use agents::__path_agent;
pub use environments::{__path_environment, __path_list};
pub use results::{__path_results, __path_results_of};
pub use runs::__path_run;
