//! General game playing over HTTP: the world of the Breakthrough course, from both sides.
//!
//! A controller sends the rules of a game as text and then, step by step, what was played; a player
//! answers with moves within a clock. Every message is a connection of its own. [`player`] is the
//! player's side, [`referee`] the other one: [`GgpAgents`](referee::GgpAgents) lets players sit in
//! the arena, and [`conduct`](referee::conduct) is a match as the course's controller runs it.
//! [`http`] and [`message`] are what both sides read and write.

pub mod http;
pub mod message;
pub mod player;
pub mod referee;
