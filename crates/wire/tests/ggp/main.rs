//! GGP over real sockets, from both sides.

mod busy;
mod dialects;
mod fuzz;
mod harness;
mod referee;
mod robust;
mod strength;
