//! AISysProj: FAUhalma on the course's server, over HTTP.
//!
//! An agent asks the server what to do and answers in the next request; the server keeps all games.
//! [`protocol`] is what both sides read and write, in both versions; [`client`] is the agent's side,
//! [`answer`] the server's.

pub mod answer;
pub mod client;
pub mod protocol;
