//! Hostile programs in whole matches and tournaments: each loses its own games and nothing else,
//! and nothing is left of it.
//!
//! Every match has the stage for itself, so that it can be said exactly what is left.
#![cfg(target_os = "linux")]

#[path = "../process/hostile.rs"]
mod hostile;
mod matches;
mod rows;
#[path = "../process/stage.rs"]
mod stage;
mod tournament;
