//! The controller's side: sends players the rules and asks them for moves.

mod addresses;
mod agents;
mod client;
mod controller;
mod exchange;

pub use agents::GgpAgents;
pub use controller::{Contest, ContestNews, Contestant, conduct};
pub use exchange::Address;
