//! Programs that misbehave, and what happens to them.
//!
//! The tests of one process run one after another, so that each can say exactly what is left: no
//! process, no open file. All drive the real program in `examples/hostile`.
#![cfg(target_os = "linux")]

mod faults;
mod hostile;
mod lives;
mod stage;
mod talk;
