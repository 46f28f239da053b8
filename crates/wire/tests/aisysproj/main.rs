//! The AISysProj client in conversation with servers that keep to the protocol, and with such that
//! fail in every way a server and the way to it can fail.

mod counting;
mod failures;
mod model;
mod refusals;
mod stage;
mod talk;
mod whole_games;
