//! GGP over real sockets, from both sides.

mod busy;
mod dialects;
mod fuzz;
mod harness;
#[path = "../../../core/tests/noise/mod.rs"]
mod noise;
mod referee;
mod robust;
mod strength;
