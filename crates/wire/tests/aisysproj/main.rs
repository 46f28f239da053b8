//! The AISysProj client in conversation with servers that follow the protocol, and with servers and
//! connections that fail in every possible way.

mod counting;
mod failures;
mod model;
mod refusals;
mod stage;
mod talk;
mod whole_games;
