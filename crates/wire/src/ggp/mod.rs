//! General game playing over HTTP, as in the Breakthrough course, from both sides.
//!
//! A controller sends the rules of a game as text and then, step by step, the moves; a player
//! answers with moves within a clock. Every message is a connection of its own. [`player`] is the
//! player's side, [`referee`] the other one: [`GgpAgents`](referee::GgpAgents) lets players play in
//! the arena, and [`conduct`](referee::conduct) runs a match as the course's controller does.
//! [`http`] and [`message`] are what both sides read and write.

pub mod http;
pub mod message;
pub mod player;
pub mod referee;
