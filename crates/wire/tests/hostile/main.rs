//! Hostile programs in whole matches and tournaments: each loses its own games and nothing else,
//! and leaves nothing behind.
//!
//! Every match has the stage to itself, so that what is left can be checked exactly.
#![cfg(target_os = "linux")]

#[path = "../process/hostile.rs"]
mod hostile;
mod matches;
mod rows;
#[path = "../process/stage.rs"]
mod stage;
mod tournament;
