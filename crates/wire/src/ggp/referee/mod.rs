//! The other side: players are told the rules and asked for moves.

mod addresses;
mod agents;
mod client;
mod controller;
mod exchange;

pub use agents::GgpAgents;
pub use controller::{Contest, ContestNews, Contestant, conduct};
pub use exchange::Address;
