//! The protocol of the Congo course's tournaments, from both sides.
//!
//! A game begins with `newgame` and `position FEN`; then `moves m1 m2 …` lists the moves since, and
//! `go SECONDS` asks for a move, which is the one line of the answer. The program keeps track of
//! the board, its own moves included. [`CongoEngine`] is the program's side; [`CongoAgents`] lets
//! external programs play in the arena.

mod client;
mod engine;
#[cfg(test)]
mod fuzz;

pub use client::CongoAgents;
pub use engine::CongoEngine;
